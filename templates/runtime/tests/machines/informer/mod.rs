//! The rules of informers, one table for each.

mod failures;
mod refusals;

use crate::script::{Script, describe, informer, list, list_body};
use http::{HeaderMap, StatusCode};
use kapigen_runtime::__private::Builder;
use kapigen_runtime::informer::SyncMethod;
use kapigen_runtime::meta_v1::{PartialObjectMetadata, PartialObjectMetadataList};
use kapigen_runtime::params::ListParams;
use kapigen_runtime::{Informer, Input, Machine, Operation, Step, Verb};
use std::time::Duration;

type Things = Script<Informer<PartialObjectMetadata>>;

/// The first request of all: any time limit of a watch is a minute here.
const STREAM: &str = "GET watch=true&allowWatchBookmarks=true&timeoutSeconds=T&\
                      sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
const FIRST_LIST: &str = "GET limit=500&resourceVersion=0";

fn script(informer: impl Fn() -> Informer<PartialObjectMetadata>) -> Things {
    Script::new(|| informer().response_timeout(Duration::from_secs(60)), describe)
}

/// A watch from a version, as it is requested.
fn watch(version: u32) -> String {
    format!("GET watch=true&allowWatchBookmarks=true&timeoutSeconds=T&resourceVersion={version}")
}

/// The first request of a relist after the server has forgotten a version.
fn list_from(version: u32) -> String {
    format!("GET limit=500&resourceVersion={version}&resourceVersionMatch=NotOlderThan")
}

/// The same as a watch that sends all objects first.
fn stream_from(version: u32) -> String {
    STREAM.replace("&sendInitialEvents", &format!("&resourceVersion={version}&sendInitialEvents"))
}

/// An informer that streams, and has reported `a` at version 5.
fn streaming() -> Things {
    let mut things = script(informer);
    things.run(&[
        ("", &format!("Init; {STREAM}")),
        ("200", ""),
        ("ADDED a 5", "Applied a 5"),
        ("BOOKMARK 7 end", "InitDone"),
    ]);
    things
}

/// An informer that lists, has reported `a` and `b`, and watches.
fn listing() -> Things {
    let mut things = script(|| informer().lists());
    things.run(&[
        ("", &format!("Init; {FIRST_LIST}")),
        ("200", ""),
        ("list 10 a@5 b@6", "Applied a 5; Applied b 6"),
        ("end", &format!("InitDone; {}", watch(10))),
        ("200", ""),
    ]);
    things
}

/// An informer that has reported `a`, the first page of a list, and requests the next one.
fn paging() -> Things {
    let mut things = script(|| informer().lists());
    things.run(&[
        ("", &format!("Init; {FIRST_LIST}")),
        ("200", ""),
        ("list 10 a@5 ->t1", "Applied a 5"),
        ("end", "GET limit=500&continue=t1"),
    ]);
    things
}

#[test]
fn reports_changes_of_a_watch_that_begins_with_all_objects() {
    streaming().run(&[
        ("ADDED ns/b 8", "Applied ns/b 8"),
        ("MODIFIED a 9", "Applied a 9"),
        ("DELETED ns/b 10", "Deleted ns/b with state"),
        ("BOOKMARK 12", ""),
        ("+10", ""),
        ("end", &watch(12)),
    ]);
}

#[test]
fn states_the_way_that_it_took_and_how_far_it_may_be_behind() {
    let state = |things: &Things| {
        let informer = things.machine();
        let lag = informer.lag(things.now).map(|lag| lag.as_secs());
        (informer.synced_by(), lag)
    };
    let mut things = script(informer);
    things.run(&[
        ("", &format!("Init; {STREAM}")),
        ("200", ""),
        ("+5", ""),
        ("ADDED a 5", "Applied a 5"),
    ]);
    assert_eq!(state(&things), (None, None));
    things.run(&[("BOOKMARK 7 end", "InitDone"), ("+30", "")]);
    assert_eq!(state(&things), (Some(SyncMethod::Stream), Some(30)));
    things.run(&[
        ("BOOKMARK 8", ""),
        ("+4", ""),
        ("cut", &format!("Failed Disconnected; {}", watch(8))),
        ("+3", ""),
    ]);
    assert_eq!(state(&things), (Some(SyncMethod::Stream), Some(7)), "a connection is no news");
    things.run(&[("200", ""), ("ADDED b 9", "Applied b 9")]);
    assert_eq!(state(&things), (Some(SyncMethod::Stream), Some(0)));
    // The server is replaced by an older one.
    things.run(&[
        ("+60", ""),
        ("ERROR 410", &format!("Init; {}", stream_from(9))),
        ("400", ""),
        ("end", &list_from(9)),
    ]);
    assert_eq!(state(&things), (Some(SyncMethod::Stream), Some(60)));
    things.run(&[
        ("200", ""),
        ("list 20 a@5 b@9", ""),
        ("end", &format!("InitDone; {}", watch(20))),
    ]);
    assert_eq!(state(&things), (Some(SyncMethod::List), Some(0)));
}

#[test]
fn takes_lists_where_the_server_does_not_know_of_streams() {
    let mut silent = script(informer);
    silent.run(&[
        ("", &format!("Init; {STREAM}")),
        ("200", ""),
        ("ADDED a 5", "Applied a 5"),
        ("+60", "Failed Silent 60; wait 0.8+"),
        ("later", FIRST_LIST),
        ("200", ""),
        ("list 10 a@5", ""),
        ("end", &format!("InitDone; {}", watch(10))),
    ]);
    let mut bookmark = script(informer);
    bookmark.run(&[("", &format!("Init; {STREAM}")), ("200", ""), ("BOOKMARK 7", FIRST_LIST)]);
}

#[test]
fn takes_lists_after_three_streams_that_break_off() {
    let mut things = script(informer);
    things.run(&[
        ("", &format!("Init; {STREAM}")),
        ("200", ""),
        ("cut", "Failed Disconnected; wait 0.8+"),
        ("later", STREAM),
        ("200", ""),
        ("end", "Failed Ended; wait 1.6+"),
        ("later", STREAM),
        ("cut", "Failed Disconnected; wait 3.2+"),
        ("later", FIRST_LIST),
    ]);
}

#[test]
fn takes_pages_of_one_list() {
    paging().run(&[
        ("503", ""),
        ("end", "Failed 503; wait 0.8+"),
        ("later", "GET limit=500&continue=t1"),
        ("200", ""),
        ("list 12 b@6", "Applied b 6"),
        ("end", &format!("InitDone; {}", watch(10))),
    ]);
}

#[test]
fn takes_a_list_without_pages_after_a_token_has_expired() {
    paging().run(&[
        ("410", ""),
        ("end", "GET /things"),
        ("200", ""),
        ("list 20 a@5 b@15", "Applied b 15"),
        ("end", &format!("InitDone; {}", watch(20))),
    ]);
}

#[test]
fn refuses_pages_without_end() {
    paging().run(&[("200", ""), ("list 10 a@5 ->t1", ""), ("end", "Failed Decode; wait 0.8+")]);
}

#[test]
fn refuses_a_page_that_repeats_its_token() {
    // The item is new, so that the list would never end.
    let mut things = paging();
    things.run(&[
        ("200", ""),
        ("list 10 b@6 ->t1", "Applied b 6"),
        ("end", "Failed Decode; wait 0.8+"),
    ]);
    for (version, wait) in [(7, "1.6+"), (8, "3.2+"), (9, "6.4+"), (10, "12.8+")] {
        let list = format!("list 10 c@{version} ->t1");
        things.run(&[
            ("later", "GET limit=500&continue=t1"),
            ("200", ""),
            (&list, &format!("Applied c {version}")),
        ]);
        things.run(&[("end", &format!("Failed Decode; wait {wait}"))]);
    }
    things.run(&[("later", "GET limit=500")]);
}

/// Servers sort the members of custom resources and of their lists.
#[test]
fn deletes_nothing_for_a_list_that_states_another_kind_after_its_items() {
    for rest in [
        r#""kind":"PodList","metadata":{"resourceVersion":"20"}}"#,
        r#""metadata":{"resourceVersion":"20"}}"#,
    ] {
        let mut things = listing();
        things.run(&[("+60", ""), ("ERROR 410", &format!("Init; {}", list_from(10))), ("200", "")]);
        things.run(&[(
            r#"body {"items":[{"metadata":{"name":"c","resourceVersion":"7"}}],"#,
            "Applied c 7",
        )]);
        things.feed(&format!("body {rest}"));
        things.feed("end");
        assert_eq!(things.steps(), "Failed Decode; wait 0.8+");
        things.run(&[("later", &list_from(10)), ("200", ""), ("list 21 a@5 b@6", "")]);
        things.run(&[("end", &format!("Deleted c; InitDone; {}", watch(21)))]);
    }
}

#[test]
fn an_object_with_a_slash_in_its_name_takes_no_other_key() {
    let slash = |kind: &str, metadata: &str| {
        format!("body {{\"type\":\"{kind}\",\"object\":{{\"metadata\":{metadata}}}}}\n")
    };
    let undecodable = "Undecodable something: object.metadata";
    let mut things = listing();
    things.run(&[("ADDED d/a 11", "Applied d/a 11")]);
    for metadata in [
        r#"{"name":"d/a","resourceVersion":"12"}"#,
        r#"{"name":"e/a","namespace":"d","resourceVersion":"13"}"#,
        r#"{"name":"a","namespace":"d/e","resourceVersion":"14"}"#,
    ] {
        things.run(&[(&slash("ADDED", metadata), undecodable), (&slash("ADDED", metadata), "")]);
        things.run(&[(&slash("DELETED", metadata), "")]);
    }
    let bad = r#"{"name":"d/a","resourceVersion":"15","labels":7}"#;
    things.run(&[(&slash("MODIFIED", bad), "Undecodable something: object.metadata.labels")]);
    things.run(&[("DELETED d/a 16", "Deleted d/a with state"), ("+60", "")]);
    things.run(&[("ERROR 410", &format!("Init; {}", list_from(16)))]);
    let list = r#"{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"20"},"items":[{"metadata":{"name":"d/a","resourceVersion":"19"}}]}"#;
    things.run(&[("200", ""), (&format!("body {list}"), "Undecodable something: items.metadata")]);
    things.run(&[("end", &format!("Deleted a; Deleted b; InitDone; {}", watch(20)))]);
}

#[test]
fn reports_an_object_that_cannot_be_decoded_once() {
    listing().run(&[
        ("ADDED x/bad 11 bad", "Undecodable x/bad: object.metadata.labels"),
        ("ADDED c 12", "Applied c 12"),
        ("MODIFIED a 13 bad", "Undecodable a: object.metadata.labels"),
        ("+60", ""),
        ("ERROR 410", &format!("Init; {}", list_from(13))),
        ("200", ""),
        ("list 20 a@13! b@6 c@12 x/bad@11!", ""),
        ("end", &format!("InitDone; {}", watch(20))),
        ("200", ""),
        ("MODIFIED x/bad 21 bad", "Undecodable x/bad: object.metadata.labels"),
        ("MODIFIED a 22", "Applied a 22"),
        ("DELETED x/bad 23 bad", ""),
        ("DELETED b 24 bad", "Deleted b"),
    ]);
}

#[test]
fn reports_an_object_without_a_readable_name_once() {
    let bad = r#"body {"type":"ADDED","object":{"metadata":{"name":7,"resourceVersion":"11"}}}"#;
    let bad = format!("{bad}\n");
    listing().run(&[(&bad, "Undecodable something: object.metadata.name"), (&bad, "")]);
}

#[test]
fn reports_no_version_twice() {
    listing().run(&[
        ("ADDED a 5", "Failed JumpedBack; wait 0.8+"),
        ("later", "Init; GET limit=500"),
        ("200", ""),
        ("list 10 a@5 b@6", ""),
        ("end", &format!("InitDone; {}", watch(10))),
        ("200", ""),
        ("ADDED c 11", "Applied c 11"),
        ("ADDED c 11", ""),
        ("DELETED c 12", "Deleted c with state"),
        ("DELETED c 12", ""),
        ("DELETED d 13", ""),
    ]);
}

#[test]
fn keeps_selectors_and_sets_everything_else() {
    static SELECTING: Operation = Operation::new(Verb::List, "listThings", "GET", "/things")
        .parameters(&["labelSelector", "limit", "resourceVersion", "timeoutSeconds", "watch"]);
    let parameters = ListParams::default()
        .label_selector("a=b")
        .limit(7)
        .resource_version("3")
        .timeout_seconds(4);
    let request = Builder::new(&SELECTING, &[])
        .params(&parameters)
        .finish::<PartialObjectMetadataList>()
        .unwrap();
    let mut things = script(|| Informer::new(request.clone()).unwrap());
    things.run(&[
        ("", "Init; GET labelSelector=a%3Db&limit=7&resourceVersion=0"),
        ("200", ""),
        ("list 10", ""),
        ("end", "InitDone; GET labelSelector=a%3Db&watch=true&timeoutSeconds=T&resourceVersion=10"),
    ]);
}

#[test]
fn refuses_an_operation_that_cannot_watch() {
    static GET: Operation =
        Operation::new(Verb::List, "listThings", "GET", "/things").parameters(&["limit"]);
    let request = Builder::new(&GET, &[]).finish::<PartialObjectMetadataList>().unwrap();
    let error = Informer::new(request).unwrap_err();
    assert_eq!(error.to_string(), "`listThings` cannot watch: it has no parameter `watch`");
    assert!(Informer::new(list(&ListParams::default())).is_ok());
}

#[test]
fn transforms_objects_before_they_are_reported() {
    let informer =
        || informer().transform(|thing| thing.metadata.resource_version = Some("cut".to_owned()));
    script(informer).run(&[
        ("", &format!("Init; {STREAM}")),
        ("200", ""),
        ("ADDED a 5", "Applied a cut"),
        ("ADDED a 5", ""),
    ]);
}

#[test]
fn asks_for_watches_without_compression() {
    let encodings = |mut informer: Informer<PartialObjectMetadata>| -> Vec<String> {
        let mut encodings = Vec::new();
        while encodings.len() < 2 {
            match informer.poll(Duration::ZERO) {
                Step::Send(request) => {
                    let encoding = request
                        .headers()
                        .get("accept-encoding")
                        .map_or("any", |value| value.to_str().unwrap());
                    encodings.push(encoding.to_owned());
                    informer.feed(Input::Head(StatusCode::OK, &HeaderMap::new()), Duration::ZERO);
                    informer
                        .feed(Input::Bytes(list_body(&["10", "a@5"]).as_bytes()), Duration::ZERO);
                    informer.feed(Input::End, Duration::ZERO);
                }
                Step::Event(_) => {}
                step => panic!("{step:?}"),
            }
        }
        encodings
    };
    assert_eq!(encodings(informer().lists()), ["any", "identity"], "a list, and then a watch");
}

#[test]
fn asks_for_lists_as_lists_and_for_watches_as_objects() {
    let accept = |informer: &mut Informer<PartialObjectMetadata>| loop {
        if let Step::Send(request) = informer.poll(Duration::ZERO) {
            return request.headers()["accept"].to_str().unwrap().to_owned();
        }
    };
    let request = || list(&ListParams::default()).decode_as::<PartialObjectMetadataList>();
    let partial = |kind: &str| format!("application/json;as={kind};v=v1;g=meta.k8s.io");
    assert_eq!(accept(&mut Informer::new(request()).unwrap()), partial("PartialObjectMetadata"));
    assert_eq!(
        accept(&mut Informer::new(request()).unwrap().lists()),
        partial("PartialObjectMetadataList")
    );
    let own =
        request().accept(kapigen_runtime::http::HeaderValue::from_static("application/json;q=0.5"));
    assert_eq!(accept(&mut Informer::new(own).unwrap()), "application/json;q=0.5");
}

/// A response may hold secrets.
#[test]
fn debug_shows_no_bytes_of_responses() {
    for fed in ["200", "403"] {
        let mut things = script(informer);
        things.steps();
        things.feed(fed);
        let before = things.debug();
        things.feed("body {\"password\":\"hunter2");
        let after = things.debug();
        assert!(before.contains("(0 bytes)") && after.contains("(20 bytes)"), "{after}");
        assert!(!after.contains("hunter2") && !after.contains("104"), "{after}");
    }
}
