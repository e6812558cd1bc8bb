//! The rules of informers for failures.

use super::{
    FIRST_LIST, STREAM, Things, list_from, listing, script, stream_from, streaming, watch,
};
use crate::script::informer;
use std::time::Duration;

#[test]
fn lists_anew_after_410_as_response_and_as_event() {
    let relist = &*format!("Init; {}", list_from(10));
    listing().run(&[
        ("+60", ""),
        ("ERROR 410", relist),
        ("200", ""),
        ("list 20 b@6 c@15", "Applied c 15"),
        ("end", &format!("Deleted a; InitDone; {}", watch(20))),
    ]);
    listing().run(&[("+60", ""), ("end", &watch(10)), ("410", ""), ("end", relist)]);
    streaming().run(&[("+60", ""), ("ERROR 410", &format!("Init; {}", stream_from(7)))]);
}

#[test]
fn takes_whatever_there_is_where_a_server_refuses_a_relist_from_a_version() {
    for (code, body) in [
        ("410", ""),
        ("400", ""),
        ("504", r#"body {"code":504,"message":"Too large resource version"}"#),
    ] {
        let mut things = listing();
        things.run(&[
            ("+60", ""),
            ("ERROR 410", &format!("Init; {}", list_from(10))),
            (code, ""),
            (body, ""),
        ]);
        things.run(&[("end", "GET limit=500")]);
    }
    let mut things = streaming();
    things.run(&[
        ("+60", ""),
        ("ERROR 410", &format!("Init; {}", stream_from(7))),
        ("410", ""),
        ("end", STREAM),
    ]);
}

#[test]
fn waits_before_a_relist_that_follows_another_one() {
    listing().run(&[
        ("ERROR 410", "Failed 410; wait 0.8+"),
        ("later", &format!("Init; {}", list_from(10))),
    ]);
}

#[test]
fn forgets_a_version_that_the_server_does_not_have_yet() {
    let too_large = r#"body {"kind":"Status","code":504,"message":"Timeout: Too large resource version: 12, current: 9"}"#;
    let mut things = listing();
    things.run(&[
        ("BOOKMARK 12", ""),
        ("+60", ""),
        ("end", &watch(12)),
        ("504", ""),
        (too_large, ""),
        ("end", "Init; GET limit=500"),
        ("200", ""),
        ("list 9 a@5 b@6", ""),
        ("end", &format!("InitDone; {}", watch(9))),
    ]);
}

#[test]
fn keeps_the_version_after_429_and_waits_as_long_as_it_says() {
    listing().run(&[
        ("BOOKMARK 12", ""),
        ("+60", ""),
        ("end", &watch(12)),
        ("429 retry-after: 7", ""),
        ("end", "Failed 429; wait 7"),
        ("later", &watch(12)),
        ("200", ""),
        ("ERROR 429", "Failed 429; wait 1.6+"),
        ("later", &watch(12)),
    ]);
}

#[test]
fn goes_on_at_the_same_version_after_a_token_has_expired() {
    let expired = r#"body {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","code":401}"#;
    listing().run(&[
        ("ADDED c 12", "Applied c 12"),
        ("+60", ""),
        ("end", &watch(12)),
        ("401", ""),
        (expired, ""),
        ("end", "Failed 401; wait 0.8+"),
        ("later", &watch(12)),
        ("200", ""),
        ("ADDED d 13", "Applied d 13"),
    ]);
}

#[test]
fn lists_anew_after_five_failures_at_one_version() {
    let mut things = listing();
    things.run(&[("+60", ""), ("end", &watch(10))]);
    for wait in ["0.8+", "1.6+", "3.2+", "6.4+"] {
        things.run(&[
            ("500", ""),
            ("end", &format!("Failed 500; wait {wait}")),
            ("later", &watch(10)),
        ]);
    }
    things.run(&[("500", ""), ("end", "Failed 500; wait 12.8+"), ("later", "Init; GET limit=500")]);
}

#[test]
fn begins_with_short_waits_after_two_minutes_of_success() {
    let mut things = listing();
    things.run(&[
        ("+130", ""),
        ("BOOKMARK 12", ""),
        ("cut", &format!("Failed Disconnected; {}", watch(12))),
    ]);
    things.run(&[
        ("cut", "Failed Disconnected; wait 0.8+"),
        ("later", &watch(12)),
        ("200", ""),
        ("BOOKMARK 13", ""),
    ]);
    things.run(&[
        ("cut", "Failed Disconnected; wait 1"),
        ("later", &watch(13)),
        ("200", ""),
        ("+118", ""),
    ]);
    things.run(&[
        ("ERROR 503", "Failed 503; wait 1.6+"),
        ("later", &watch(13)),
        ("200", ""),
        ("BOOKMARK 14", ""),
    ]);
    things.run(&[("+120", ""), ("ERROR 503", "Failed 503; wait 0.8+")]);
}

#[test]
fn gives_up_a_watch_that_is_silent_for_longer_than_its_time_limit() {
    let mut things = script(|| informer().lists().watch_timeout(Duration::from_secs(100)));
    things.run(&[
        ("", &format!("Init; {FIRST_LIST}")),
        ("200", ""),
        ("list 10", ""),
        ("end", &format!("InitDone; {}", watch(10))),
        ("200", ""),
        ("+109", ""),
    ]);
    let steps = |things: &mut Things| {
        things.now += Duration::from_secs(101);
        things.steps()
    };
    let silent = steps(&mut things);
    assert!(silent.starts_with("Failed Silent 210; GET watch"), "{silent}");
}

#[test]
fn gives_up_a_response_that_does_not_come() {
    let mut things = script(|| informer().lists());
    things.run(&[
        ("", &format!("Init; {FIRST_LIST}")),
        ("+59", ""),
        ("+1", "Failed Silent 60; wait 0.8+"),
        ("later", FIRST_LIST),
        ("200", ""),
        (r#"body {"kind":"#, ""),
        ("+60", "Failed Silent 60; wait 1.6+"),
        ("later", FIRST_LIST),
        ("503", ""),
        ("body half of a", ""),
        ("+60", "Failed 503; wait 3.2+"),
    ]);
}

#[test]
fn stops_to_trust_an_order_that_does_not_hold() {
    let mut things = listing();
    for wait in ["0.8+", "1.6+", "3.2+"] {
        things.run(&[
            ("MODIFIED a 4", &format!("Failed JumpedBack; wait {wait}")),
            ("later", "Init; GET limit=500"),
            ("200", ""),
            ("list 10 a@5 b@6", ""),
            ("end", &format!("InitDone; {}", watch(10))),
            ("200", ""),
        ]);
    }
    things.run(&[("MODIFIED a 4", "Applied a 4")]);
}

#[test]
fn takes_nothing_but_events_for_events() {
    let garbage = [
        "body <html>\n<p>Sign in</p>",
        "body {\"kind\":\"PodList\",\"items\":[]}\n",
        "body {\"type\":\"ADDED\"}\n",
        "body {\"type\":\"ADDED\",\"object\":{\"metadata\":{}}}\n",
        "body {\"type\":\"RENAMED\",\"object\":{\"metadata\":{\"name\":\"a\"}}}\n",
        "body {\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"a\n",
        "body \u{1f}\u{8b}\u{8}",
    ];
    for garbage in garbage {
        listing().run(&[(garbage, "Failed Decode; wait 0.8+"), ("later", &watch(10))]);
    }
    listing().run(&[
        ("+60", ""),
        ("end", &watch(10)),
        ("200 content-type: text/html", "Failed Decode; wait 0.8+"),
    ]);
}

#[test]
fn takes_nothing_but_a_list_for_a_list() {
    let head = r#""kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1""#;
    let bodies = [
        "body <html>".to_owned(),
        "body {}".to_owned(),
        r#"body {"kind":"Status","code":500,"metadata":{"resourceVersion":"3"},"items":[]}"#
            .to_owned(),
        r#"body {"metadata":{"resourceVersion":"3"},"items":[]}"#.to_owned(),
        format!(r#"body {{{head},"metadata":{{}},"items":[]}}"#),
        format!(r#"body {{{head},"metadata":{{"resourceVersion":"3"}}}}"#),
        format!(r#"body {{{head},"metadata":{{"resourceVersion":"3"}},"items":{{"a":1}}}}"#),
        format!(r#"body {{{head},"metadata":{{"resourceVersion":"3"}},"items":["#),
        format!(r#"body {{{head},"metadata":{{"resourceVersion":"3"}},"items":[]"#),
    ];
    for body in bodies {
        let mut things = listing();
        things.run(&[("+60", ""), ("ERROR 410", &format!("Init; {}", list_from(10))), ("200", "")]);
        let mut steps = String::new();
        for fed in [body.as_str(), "end"] {
            things.feed(fed);
            steps += &things.steps();
            if !steps.is_empty() {
                break;
            }
        }
        assert_eq!(steps, "Failed Decode; wait 0.8+", "{body}");
    }
}

#[test]
fn keeps_objects_of_a_list_that_breaks_off() {
    listing().run(&[
        ("+60", ""),
        ("ERROR 410", &format!("Init; {}", list_from(10))),
        ("200", ""),
        ("list 20 c@15 ->t", "Applied c 15"),
        ("end", "GET limit=500&continue=t"),
        ("cut", "Failed Disconnected; wait 0.8+"),
        ("later", "GET limit=500&continue=t"),
        ("200", ""),
        ("list 20 b@6", ""),
        ("end", &format!("Deleted a; InitDone; {}", watch(20))),
    ]);
}

#[test]
fn reports_what_vanished_in_the_order_of_keys() {
    let keys: Vec<String> =
        ["b", "a/b"].iter().flat_map(|end| (10..40).map(move |n| format!("n{n}{end}"))).collect();
    let items: Vec<String> = keys.iter().map(|key| format!("{key}@5")).collect();
    let mut things = listing();
    things.run(&[("+60", ""), ("ERROR 410", &format!("Init; {}", list_from(10))), ("200", "")]);
    things.feed(&format!("list 20 {}", items.join(" ")));
    things.feed("end");
    things.steps();
    let relist = format!("Init; {}", list_from(20));
    things.run(&[("200", ""), ("+60", ""), ("ERROR 410", &relist), ("200", ""), ("list 30", "")]);
    let mut sorted: Vec<String> = keys.iter().map(|key| format!("Deleted {key}; ")).collect();
    sorted.sort();
    things.run(&[("end", &format!("{}InitDone; {}", sorted.concat(), watch(30)))]);
}

#[test]
fn forgets_what_half_a_list_had() {
    let mut things = listing();
    things.run(&[("+60", ""), ("ERROR 410", &format!("Init; {}", list_from(10))), ("200", "")]);
    let half = r#"body {"kind":"PartialObjectMetadataList","items":[{"metadata":{"name":"c","resourceVersion":"15"}},"#;
    things.run(&[(half, "Applied c 15"), ("cut", "Failed Disconnected; wait 0.8+")]);
    things.run(&[
        ("later", &list_from(10)),
        ("200", ""),
        ("list 20 a@5 b@6", ""),
        ("end", &format!("Deleted c; InitDone; {}", watch(20))),
    ]);
}

#[test]
fn drops_half_an_event_and_resumes_before_it() {
    listing().run(&[
        ("ADDED c 11", "Applied c 11"),
        (r#"body {"type":"ADDED","object":{"metadata":{"name":"d","#, ""),
        ("+1", ""),
        ("end", &format!("Failed Truncated; {}", watch(11))),
    ]);
}

#[test]
fn begins_no_two_watches_within_a_second() {
    listing().run(&[
        ("ADDED c 11", "Applied c 11"),
        ("end", "wait 1"),
        ("later", &watch(11)),
        ("200", ""),
        ("end", "Failed Ended; wait 0.8+"),
    ]);
}
