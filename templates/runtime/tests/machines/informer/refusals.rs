//! Servers that refuse a watch that sends all objects first.

use super::{FIRST_LIST, STREAM, Things, list_from, script, stream_from, watch};
use crate::script::informer;

/// The codes after which a list is requested at once.
const REFUSALS: [&str; 6] = ["400", "404", "405", "406", "415", "422"];
/// The codes that refuse the user.
const UNAUTHORIZED: [&str; 2] = ["401", "403"];

fn begun() -> Things {
    let mut things = script(informer);
    things.run(&[("", &format!("Init; {STREAM}"))]);
    things
}

/// Refuses the open request with this code, as a response or as an event. Returns the steps that
/// follow.
fn refuse(things: &mut Things, code: &str, is_event: bool) -> String {
    let (head, end) =
        if is_event { ("200", format!("ERROR {code}")) } else { (code, "end".to_owned()) };
    things.run(&[(head, "")]);
    things.feed(&end);
    things.steps()
}

/// Takes the first list, and a watch after it that is a minute old.
fn finish(things: &mut Things) {
    things.run(&[
        ("200", ""),
        ("list 10 a@5", "Applied a 5"),
        ("end", &format!("InitDone; {}", watch(10))),
        ("200", ""),
        ("+60", ""),
    ]);
}

/// Takes a list of another version than the last one, and begins to watch.
fn relist(things: &mut Things, from: u32, version: u32) {
    let list = format!("list {version} a@5");
    things.run(&[("ERROR 410", &format!("Init; {}", list_from(from))), ("200", ""), (&list, "")]);
    things.run(&[("end", &format!("InitDone; {}", watch(version))), ("200", "")]);
}

#[test]
fn lists_at_once_and_asks_for_a_stream_again_after_an_hour() {
    for code in REFUSALS {
        for is_event in [false, true] {
            let mut things = begun();
            // One round trip more than with a list, without a wait and without a failure.
            assert_eq!(refuse(&mut things, code, is_event), FIRST_LIST, "{code}");
            finish(&mut things);
            relist(&mut things, 10, 20);
            for version in 21..32 {
                things.run(&[("+300", ""), (&format!("BOOKMARK {version}"), "")]);
            }
            things.run(&[("+239", "")]);
            assert_eq!(things.now.as_secs(), 3599);
            relist(&mut things, 31, 40);
            things.run(&[("+6", ""), ("ERROR 410", &format!("Init; {}", stream_from(40)))]);
            // And if it is refused again, for another hour.
            assert_eq!(refuse(&mut things, code, is_event), list_from(40), "{code}");
        }
    }
}

#[test]
fn lists_at_once_after_a_second_500_in_a_row() {
    for is_event in [false, true] {
        let mut things = begun();
        assert_eq!(refuse(&mut things, "500", is_event), "Failed 500; wait 0.8+");
        things.run(&[("later", STREAM)]);
        assert_eq!(refuse(&mut things, "500", !is_event), FIRST_LIST);
        finish(&mut things);
        things.run(&[("ERROR 410", &format!("Init; {}", list_from(10)))]);
    }
}

#[test]
fn asks_for_a_stream_again_where_500s_are_not_in_a_row() {
    let mut things = begun();
    things.run(&[("500", ""), ("end", "Failed 500; wait 0.8+"), ("later", STREAM)]);
    things.run(&[("503", ""), ("end", "Failed 503; wait 1.6+"), ("later", STREAM)]);
    things.run(&[("500", ""), ("end", "Failed 500; wait 3.2+"), ("later", FIRST_LIST)]);
    finish(&mut things);
    // Three consecutive failures of streams are a reason to list once, and not for an hour.
    things.run(&[("ERROR 410", &format!("Init; {}", stream_from(10)))]);
}

#[test]
fn asks_for_a_stream_again_after_other_refusals() {
    for code in UNAUTHORIZED {
        let mut things = begun();
        for wait in ["0.8+", "1.6+", "3.2+", "6.4+", "12.8+"] {
            assert_eq!(refuse(&mut things, code, false), format!("Failed {code}; wait {wait}"));
            things.run(&[("later", STREAM)]);
        }
        things.run(&[("200", ""), ("ADDED a 5", "Applied a 5"), ("BOOKMARK 7 end", "InitDone")]);
    }
    // As it was: these are refusals for now, too.
    for code in ["410", "429", "503"] {
        let mut things = begun();
        assert_eq!(refuse(&mut things, code, false), format!("Failed {code}; wait 0.8+"));
        things.run(&[("later", STREAM)]);
    }
}

#[test]
fn lists_after_three_streams_that_failed_in_any_other_way() {
    let events = ["401", "403", "409", "410", "429", "501", "502", "503", "504"];
    let responses = ["409", "410", "429", "501", "502", "503", "504"];
    let all = events.map(|code| (code, true)).into_iter();
    for (code, is_event) in all.chain(responses.map(|code| (code, false))) {
        let mut things = begun();
        for wait in ["0.8+", "1.6+", "3.2+"] {
            assert_eq!(refuse(&mut things, code, is_event), format!("Failed {code}; wait {wait}"));
            things.run(&[("later", if wait == "3.2+" { FIRST_LIST } else { STREAM })]);
        }
        finish(&mut things);
        // One list, and not lists for an hour.
        things.run(&[("ERROR 410", &format!("Init; {}", stream_from(10)))]);
    }
}

#[test]
fn waits_shortly_after_a_stream_that_delivered_something() {
    let mut things = begun();
    things.run(&[("503", ""), ("end", "Failed 503; wait 0.8+"), ("later", STREAM)]);
    things.run(&[("503", ""), ("end", "Failed 503; wait 1.6+"), ("later", STREAM)]);
    things.run(&[
        ("200", ""),
        ("ADDED a 5", "Applied a 5"),
        ("ERROR 500", "Failed 500; wait 0.8+"),
    ]);
}

#[test]
fn an_error_after_objects_begins_no_row_of_errors() {
    let mut things = begun();
    things.run(&[("500", ""), ("end", "Failed 500; wait 0.8+"), ("later", STREAM), ("200", "")]);
    things.run(&[
        ("ADDED a 5", "Applied a 5"),
        ("ERROR 500", "Failed 500; wait 0.8+"),
        ("later", STREAM),
    ]);
    things.run(&[
        ("500", ""),
        ("end", "Failed 500; wait 1.6+"),
        ("later", FIRST_LIST),
        ("200", ""),
    ]);
    things.run(&[
        ("list 10 a@5", ""),
        ("end", &format!("InitDone; {}", watch(10))),
        ("200", ""),
        ("+60", ""),
    ]);
    // Three consecutive failures of streams are a reason to list once, and not for an hour.
    things.run(&[("ERROR 410", &format!("Init; {}", stream_from(10)))]);
}
