//! Requests that can never be sent: each machine reports that, and ends.

use crate::log::log;
use crate::once::{label, page};
use crate::script::{Script, describe, informer, list};
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::params::ListParams;
use kapigen_runtime::{Election, ElectionEvent};
use kapigen_runtime::{Informer, Pages};
use std::time::Duration;

const LEASE: &str = "/apis/coordination.k8s.io/v1/namespaces/ns/leases/lock";

fn election() -> Script<Election> {
    let election =
        || Election::new("ns", "lock", "one", Timestamp::UNIX_EPOCH, Duration::ZERO).unwrap();
    Script::new(election, |event| match event {
        ElectionEvent::Failed(failure) => format!("Failed {}", failure.kind),
        other => format!("{other:?}"),
    })
}

#[test]
fn ends_an_informer() {
    let mut things = Script::new(|| informer().lists(), describe);
    things.run(&[
        ("", "Init; GET limit=500&resourceVersion=0"),
        ("unsendable", "Failed Unsendable; done"),
    ]);
    // Nothing that comes later begins it anew.
    things.run(&[
        ("+3600", "done"),
        ("200", "done"),
        ("list 10 a@5", "done"),
        ("end", "done"),
        ("cut", "done"),
    ]);
}

#[test]
fn ends_an_informer_that_watches() {
    Script::new(|| informer().lists(), describe).run(&[
        ("", "Init; GET limit=500&resourceVersion=0"),
        ("200", ""),
        ("list 10 a@5", "Applied a 5"),
        (
            "end",
            "InitDone; GET watch=true&allowWatchBookmarks=true&timeoutSeconds=T&resourceVersion=10",
        ),
        ("unsendable", "Failed Unsendable; done"),
    ]);
}

#[test]
fn ends_an_election_whether_it_leads_or_not() {
    let read = format!("GET {LEASE}");
    let unsendable = "Failed the request cannot be sent: no host; done";
    election().run(&[("", &read), ("unsendable", unsendable), ("+3600", "done")]);
    let record = r#"body {"kind":"Lease","metadata":{"resourceVersion":"1"},"spec":{"holderIdentity":"one"}}"#;
    let claim = format!("PUT {LEASE}");
    let lost = "Failed the request cannot be sent: no host; Lost; done";
    let mut leader = election();
    leader.run(&[
        ("", &read),
        ("200", ""),
        (record, ""),
        ("end", &claim),
        ("200", ""),
        (record, ""),
    ]);
    leader.run(&[
        ("end", "Leading; wait 2"),
        ("later", &claim),
        ("unsendable", lost),
        ("+3600", "done"),
    ]);
}

#[test]
fn ends_a_followed_log() {
    let unsendable = "Failed the request cannot be sent: no host; done";
    log().run(&[
        ("", "GET follow=true&timestamps=true"),
        ("unsendable", unsendable),
        ("+3600", "done"),
    ]);
}

#[test]
fn ends_pages_and_updates_with_the_cause() {
    let pages = || Pages::new(list(&ListParams::default()));
    let failed = "Failed the request cannot be sent: no host; done";
    Script::new(pages, page).run(&[("", "GET /things"), ("unsendable", failed), ("", "done")]);
    let failed = "failed: the request cannot be sent: no host; done";
    label().run(&[("", "GET /things"), ("unsendable", failed), ("", "done")]);
}

/// An informer with a label selector of this length.
fn selecting(length: usize) -> Script<Informer<kapigen_runtime::meta_v1::PartialObjectMetadata>> {
    let params = ListParams::default().label_selector("a".repeat(length));
    Script::new(|| Informer::new(list(&params)).unwrap().lists().seed(1), describe)
}

/// The most bytes of path and query: the limit of `http::Uri`.
const LONGEST: usize = u16::MAX as usize - 1;

#[test]
fn ends_an_informer_whose_own_request_is_too_long() {
    let room = LONGEST - "/things?labelSelector=".len();
    selecting(room).run(&[("", "Init; Failed Invalid; done")]);
}

/// A list fits, but no watch after it, not even without the version.
#[test]
fn ends_an_informer_whose_own_watch_is_too_long() {
    let mut things = selecting(LONGEST - "/things?labelSelector=".len() - 40);
    assert!(things.steps().starts_with("Init; GET "));
    things.run(&[
        ("200", ""),
        ("list 10 a@5", "Applied a 5"),
        ("end", "InitDone; Failed Invalid; done"),
    ]);
}

#[test]
fn goes_on_where_the_server_made_a_request_too_long() {
    let mut things = selecting(LONGEST - 200);
    assert!(things.steps().starts_with("Init; GET "));
    things.feed("200");
    things.feed(&format!("list 10 a@5 ->{}", "t".repeat(200)));
    assert_eq!(things.steps(), "Applied a 5");
    things.feed("end");
    assert_eq!(things.steps(), "Failed Invalid; wait 0.8+");
    things.feed("later");
    assert!(things.steps().starts_with("GET "), "all objects are requested anew");
}
