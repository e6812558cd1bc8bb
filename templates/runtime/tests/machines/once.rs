//! Machines that come to an end: pages and updates.

use crate::script::{Script, list, metadata};
use kapigen_runtime::__private::Builder;
use kapigen_runtime::change::PatchOperation;
use kapigen_runtime::dynamic::{Object, Resource};
use kapigen_runtime::meta_v1::PartialObjectMetadata;
use kapigen_runtime::params::{GetParams, ListParams, ReplaceParams};
use kapigen_runtime::retry::Policy;
use kapigen_runtime::{
    Input, Machine, Operation, PageEvent, Pages, Patch, Request, Update, Verb, update,
};
use std::time::Duration;

type Thing = PartialObjectMetadata;

pub(crate) fn page(event: PageEvent<Thing>) -> String {
    match event {
        PageEvent::Item(item) => item.metadata.name.unwrap(),
        PageEvent::Undecodable(error) => {
            format!("Undecodable {}", error.message().split(':').next().unwrap())
        }
        PageEvent::End { resource_version } => format!("End {resource_version}"),
        PageEvent::Failed(failure) => format!("Failed {}", failure.kind),
        other => panic!("{other:?}"),
    }
}

#[test]
fn items_of_all_pages_come_one_by_one() {
    let params = ListParams::default().limit(2).resource_version("0");
    Script::new(|| Pages::new(list(&params)), page).run(&[
        ("", "GET limit=2&resourceVersion=0"),
        ("200", ""),
        ("list 10 a@5 b@6! ->t", "a; Undecodable items[1].metadata.labels"),
        ("end", "GET limit=2&continue=t"),
        ("200", ""),
        (r#"body {"kind":"PartialObjectMetadataList","items":[{"metadata":{"name":"c"}}"#, ""),
        (r#"body ,{"metadata":"#, "c"),
        (r#"body {"name":"d"}}]}"#, "d"),
        ("end", "End 10; done"),
    ]);
}

#[test]
fn pages_end_with_a_failure() {
    let first = "GET /things";
    let script = || Script::new(|| Pages::new(list(&ListParams::default())), page);
    script().run(&[
        ("", first),
        ("410", ""),
        ("end", "Failed the server responded with 410 Gone; done"),
    ]);
    script().run(&[
        ("", first),
        ("200", ""),
        ("cut", "Failed the connection broke: reset by peer; done"),
    ]);
    script().run(&[("", first), ("+60", "Failed the server was silent for 60 s; done")]);
    let empty = "Failed the response cannot be decoded: metadata.continue: a page that goes on \
                 without having an item; done";
    script().run(&[("", first), ("200", ""), ("list 10 ->t", ""), ("end", empty)]);
    let other = r#"body {"kind":"PodList","apiVersion":"v1","items":[{}"#;
    let mut script = script();
    script.run(&[("", first), ("200", "")]);
    script.feed(&format!("{other},"));
    assert!(
        script.steps().starts_with("Failed the response cannot be decoded: expected kind"),
        "another list"
    );
}

#[test]
fn pages_end_where_a_token_is_repeated() {
    let repeated = "Failed the response cannot be decoded: metadata.continue: a token that was \
                    there before, so that the list would never end; done";
    let mut pages = Script::new(|| Pages::new(list(&ListParams::default())), page);
    pages.run(&[
        ("", "GET /things"),
        ("200", ""),
        ("list 10 a@5 ->t", "a"),
        ("end", "GET continue=t"),
        ("200", ""),
    ]);
    pages.run(&[
        ("list 10 a@5 ->u", "a"),
        ("end", "GET continue=u"),
        ("200", ""),
        ("list 10 a@5 ->u", "a"),
    ]);
    pages.run(&[("end", repeated)]);
    // Also where a server has several that it repeats in turn.
    for circle in [&["t", "u"][..], &["t", "u", "v", "w", "x"]] {
        let mut pages = Script::new(|| Pages::new(list(&ListParams::default())), page);
        pages.run(&[
            ("", "GET /things"),
            ("200", ""),
            ("list 10 a@5 ->s", "a"),
            ("end", "GET continue=s"),
        ]);
        let mut tokens = circle.iter().cycle();
        let requested = tokens.by_ref().take(100).position(|token| {
            pages.run(&[("200", ""), (&format!("list 10 a@5 ->{token}"), "a")]);
            pages.feed("end");
            let next = pages.steps();
            assert!(next == repeated || next == format!("GET continue={token}"), "{next}");
            next == repeated
        });
        assert!(
            requested.is_some_and(|requested| requested <= 3 * circle.len()),
            "{requested:?} pages of {circle:?}"
        );
    }
    // Also if the caller has the token from an earlier list.
    let mut pages = Script::new(|| Pages::new(list(&ListParams::default().continue_("t"))), page);
    pages.run(&[("", "GET continue=t"), ("200", ""), ("list 10 a@5 ->t", "a"), ("end", repeated)]);
}

/// Servers sort the members of custom resources and of their lists.
#[test]
fn pages_refuse_another_list_as_soon_as_it_states_its_kind() {
    let other = "Failed the response cannot be decoded: expected kind";
    let fed = |texts: &[&str]| {
        let mut pages = Script::new(|| Pages::new(list(&ListParams::default())), page);
        pages.run(&[("", "GET /things"), ("200", "")]);
        for text in texts {
            pages.feed(text);
        }
        pages.steps()
    };
    let early = r#"body {"apiVersion":"v1","items":[{"metadata":{"name":"a"}},"#;
    assert!(fed(&[early]).starts_with(other), "before its items");
    let late =
        [r#"body {"items":[{"metadata":{"name":"a"}}],"#, r#"body "kind":"PodList"}"#, "end"];
    assert!(fed(&late).starts_with(&format!("a; {other}")), "after its items");
}

static GET: Operation = Operation::new(Verb::Get, "readThing", "GET", "/things");
static REPLACE: Operation = Operation::new(Verb::Replace, "replaceThing", "PUT", "/things")
    .media_types(&["application/json"]);

/// Adds a label to an object that has none.
pub(crate) fn label() -> Script<Update<Thing>> {
    labels(Policy::default(), Duration::MAX)
}

fn labels(policy: Policy, deadline: Duration) -> Script<Update<Thing>> {
    let get: Request<Thing> = Builder::new(&GET, &[]).finish().unwrap();
    let change = |thing: &Thing| {
        let mut thing = thing.clone();
        if thing.metadata.labels.replace([("a".to_owned(), "b".to_owned())].into()).is_some() {
            return Ok(None);
        }
        assert!(thing.metadata.resource_version.is_some(), "a write carries the version");
        Builder::new(&REPLACE, &[]).body(&thing).finish().map(Some)
    };
    Script::new(|| Update::new(get.clone(), change).seed(1).retry(policy).deadline(deadline), shown)
}

fn shown(outcome: update::Outcome<Thing>) -> String {
    match outcome {
        update::Outcome::Updated(thing) => {
            format!("updated {}", thing.metadata.resource_version.unwrap())
        }
        update::Outcome::Unchanged(_) => "unchanged".to_owned(),
        update::Outcome::Failed(failure) => format!("failed: {}", failure.kind),
        other => panic!("{other:?}"),
    }
}

fn body(version: &str) -> String {
    format!(r#"body {{"metadata":{}}}"#, metadata("a", version, false))
}

#[test]
fn an_update_begins_again_after_a_conflict() {
    let mut script = label();
    script.run(&[
        ("", "GET /things"),
        ("200", ""),
        (&body("5"), ""),
        ("end", "PUT /things"),
        ("409", ""),
    ]);
    script.feed("end");
    assert!(script.steps().starts_with("wait 0.0"), "a short wait");
    script.run(&[
        ("later", "GET /things"),
        ("200", ""),
        (&body("6"), ""),
        ("end", "PUT /things"),
        ("200", ""),
    ]);
    script.run(&[(&body("7"), ""), ("end", "updated 7; done"), ("", "done")]);
}

#[test]
fn an_update_gives_up_after_ten_conflicts() {
    let mut script = label();
    for _ in 0..9 {
        script.run(&[
            ("later", "GET /things"),
            ("200", ""),
            (&body("5"), ""),
            ("end", "PUT /things"),
            ("409", ""),
        ]);
        script.feed("end");
        script.steps();
    }
    script.run(&[
        ("later", "GET /things"),
        ("200", ""),
        (&body("5"), ""),
        ("end", "PUT /things"),
        ("409", ""),
    ]);
    script.run(&[("end", "failed: the server responded with 409 Conflict; done")]);
}

#[test]
fn an_update_writes_nothing_if_there_is_nothing_to_change() {
    let has_label = r#"body {"metadata":{"name":"a","labels":{"x":"y"}}}"#;
    label().run(&[("", "GET /things"), ("200", ""), (has_label, ""), ("end", "unchanged; done")]);
}

#[test]
fn an_update_fails_where_another_attempt_would_not_help() {
    label().run(&[
        ("", "GET /things"),
        ("404", ""),
        ("end", "failed: the server responded with 404 Not Found; done"),
    ]);
    let conflict = "failed: the server responded with 409 Conflict; done";
    label().run(&[("", "GET /things"), ("409", ""), ("end", conflict)]);
}

#[test]
fn an_update_repeats_reads() {
    let broken = "failed: the connection broke: reset by peer; done";
    let mut script = label();
    script.run(&[("", "GET /things")]);
    for (failure, wait) in
        [("cut", "wait 0.1"), ("503", "wait 0."), ("429", "wait 0."), ("504", "wait ")]
    {
        script.feed(failure);
        script.feed(if failure == "cut" { "" } else { "end" });
        let steps = script.steps();
        assert!(steps.starts_with(wait), "{failure}: {steps}");
        script.run(&[("later", "GET /things")]);
    }
    script.run(&[("cut", broken)]);
}

/// Ends the response to the write that is open in one of the ways that leave its effect open.
/// Returns the steps.
fn lose(script: &mut Script<Update<Thing>>, failure: &str) -> String {
    script.feed(failure);
    if failure != "cut" {
        script.feed("end");
    }
    script.steps()
}

const LOST: [&str; 5] = ["cut", "502", "503", "504", "500 retry-after: 1"];

fn labeled(version: &str) -> String {
    let labels = r#""labels":{"a":"b"}"#;
    format!(r#"body {{"metadata":{{"name":"a","resourceVersion":"{version}",{labels}}}}}"#)
}

/// An update of which the response to the first write was lost.
fn lost(failure: &str, policy: Policy) -> (Script<Update<Thing>>, String) {
    let mut script = labels(policy, Duration::MAX);
    script.run(&[("", "GET /things"), ("200", ""), (&body("5"), ""), ("end", "PUT /things")]);
    let steps = lose(&mut script, failure);
    (script, steps)
}

#[test]
fn an_update_looks_again_after_a_write_whose_response_was_lost() {
    for failure in LOST {
        let read = || {
            let (mut script, steps) = lost(failure, Policy::default());
            assert!(steps.starts_with("wait "), "{failure}: {steps}");
            script.run(&[("later", "GET /things"), ("200", "")]);
            script
        };
        // Nothing was written: the write comes again.
        let mut again = read();
        again.run(&[(&body("5"), ""), ("end", "PUT /things"), ("200", "")]);
        again.run(&[(&labeled("6"), ""), ("end", "updated 6; done")]);
        // It was written.
        read().run(&[(&labeled("6"), ""), ("end", "updated 6; done")]);
        // Somebody has changed it since: perhaps after the write.
        let mut changed = read();
        changed.feed(&body("6"));
        changed.feed("end");
        let steps = changed.steps();
        let expected = "failed: a write without a response may have had its effect: PUT /things: ";
        assert!(steps.starts_with(expected), "{failure}: {steps}");
        // The first write arrives after the object was read, and the second one is refused.
        let mut late = read();
        late.run(&[(&body("5"), ""), ("end", "PUT /things"), ("409", "")]);
        late.feed("end");
        assert!(late.steps().starts_with("wait "), "a conflict");
        late.run(&[("later", "GET /things"), ("200", "")]);
        late.run(&[(&labeled("6"), ""), ("end", "updated 6; done")]);
    }
}

#[test]
fn an_update_fails_as_its_last_write_did() {
    let broken = "failed: the connection broke: reset by peer; done";
    assert_eq!(lost("cut", Policy::none()).1, broken);
    let (mut script, _) = lost("cut", Policy::default().attempts(2));
    script.run(&[("later", "GET /things"), ("200", ""), (&body("5"), ""), ("end", "PUT /things")]);
    script.run(&[("cut", broken)]);
    // The object is gone, which may be the effect of the write.
    let (mut script, _) = lost("cut", Policy::default());
    script.run(&[("later", "GET /things"), ("404", "")]);
    let gone = "failed: a write without a response may have had its effect: GET /things: the server \
                responded with 404 Not Found; done";
    script.run(&[("end", gone)]);
}

#[test]
fn an_update_does_not_repeat_a_write_that_could_act_twice() {
    static PATCH: Operation = Operation::new(Verb::Patch, "patchThing", "PATCH", "/things")
        .media_types(&["application/json-patch+json"]);
    let get: Request<Thing> = Builder::new(&GET, &[]).finish().unwrap();
    let add = |_: &Thing| {
        let add = PatchOperation::add("/metadata/finalizers/-", &"a".to_owned());
        Builder::new(&PATCH, &[]).patch(&Patch::json(&[add])).finish().map(Some)
    };
    let mut script = Script::new(|| Update::new(get.clone(), add), shown);
    script.run(&[("", "GET /things"), ("200", ""), (&body("5"), ""), ("end", "PATCH /things")]);
    script.run(&[("cut", "failed: the connection broke: reset by peer; done")]);
}

#[test]
fn an_update_refuses_another_object_than_the_requested_one() {
    static ONE: &str = "/apis/example.com/v1/namespaces/{namespace}/things/{name}";
    static GET: Operation = Operation::new(Verb::Get, "readThing", "GET", ONE);
    let refused = |body: &str| {
        let get: Request<Thing> = Builder::new(&GET, &["shop", "a"]).finish().unwrap();
        let change = |thing: &Thing| Builder::new(&REPLACE, &[]).body(thing).finish().map(Some);
        let mut script = Script::new(|| Update::new(get.clone(), change), shown);
        script.steps();
        script.feed("200");
        script.feed(&format!("body {body}"));
        script.feed("end");
        script.steps()
    };
    let other = |difference: &str| {
        format!("failed: the response is not the requested object: metadata.{difference}; done")
    };
    assert_eq!(refused("{}"), other("name: it is absent"));
    let version = r#""resourceVersion":"5""#;
    let found = |member: &str| refused(&format!(r#"{{"metadata":{{{member},{version}}}}}"#));
    assert_eq!(found(r#""name":"b""#), other("name: expected `a`, found `b`"));
    assert_eq!(
        found(r#""name":"a","namespace":"other""#),
        other("namespace: expected `shop`, found `other`")
    );
    assert_eq!(refused(r#"{"metadata":{"name":"a"}}"#), other("resourceVersion: it is absent"));
    assert_eq!(found(r#""name":"a","namespace":"shop""#), "PUT /things");
}

#[test]
fn an_update_of_any_kind_refuses_other_kinds() {
    let suns = Resource::namespaced("example.com", "v1", "Sun", "suns");
    let get = suns.get("shop", "a", &GetParams::default()).unwrap();
    let change =
        move |sun: &Object| suns.replace("shop", "a", sun, &ReplaceParams::default()).map(Some);
    let mut script = Script::new(
        || Update::new(get.clone(), change.clone()),
        |outcome| match outcome {
            update::Outcome::Failed(failure) => format!("failed: {}", failure.kind),
            other => panic!("{other:?}"),
        },
    );
    script.steps();
    script.feed("200");
    script.feed(
        r#"body {"apiVersion":"v1","kind":"Secret","metadata":{"name":"a","resourceVersion":"5"}}"#,
    );
    let refused = "failed: the response is not the requested object: expected kind `Sun` of \
                   `example.com/v1`, found kind `Secret` of `v1`; done";
    script.run(&[("end", refused)]);
}

#[test]
fn an_update_waits_for_a_busy_server_as_its_policy_allows() {
    const BUSY: &str = "failed: the server responded with 429 Too Many Requests; done";
    let read = |policy: Policy, response: &str| {
        let mut script = labels(policy, Duration::MAX);
        script.run(&[("", "GET /things"), (response, "")]);
        script.feed("end");
        script.steps()
    };
    let waits = read(Policy::default(), "429 retry-after: 3");
    assert!(waits.starts_with("wait 1.6+"), "{waits}");
    assert_eq!(read(Policy::default(), "429 retry-after: 31"), BUSY);
    assert_eq!(
        read(Policy::default().longest_retry_after(Duration::from_secs(2)), "429 retry-after: 3"),
        BUSY
    );
    assert_eq!(read(Policy::none(), "429 retry-after: 3"), BUSY);
    // The server has not looked at a write that it refuses so. The object is read again, as it may
    // have been changed.
    let written = [("", "GET /things"), ("200", ""), (&body("5"), ""), ("end", "PUT /things")];
    for (policy, expected) in [(Policy::default(), "wait 1.6+"), (Policy::none(), BUSY)] {
        let mut script = labels(policy, Duration::MAX);
        script.run(&written);
        script.run(&[("429 retry-after: 3", "")]);
        script.feed("end");
        let steps = script.steps();
        assert!(steps.starts_with(expected), "{steps}");
    }
    // As often as the policy states, also if each read succeeds.
    let mut script = labels(Policy::default().attempts(2), Duration::MAX);
    script.run(&written);
    script.run(&[("429 retry-after: 3", "")]);
    script.feed("end");
    script.steps();
    script.run(&[("later", "GET /things"), ("200", ""), (&body("6"), ""), ("end", "PUT /things")]);
    script.run(&[("429 retry-after: 3", ""), ("end", BUSY)]);
}

#[test]
fn an_update_waits_no_longer_than_its_deadline() {
    let mut script = labels(Policy::default(), Duration::from_secs(10));
    script.run(&[("", "GET /things"), ("429 retry-after: 20", "")]);
    script.run(&[("end", "failed: the server responded with 429 Too Many Requests; done")]);
    let mut script = labels(Policy::default(), Duration::from_secs(10));
    script.run(&[
        ("", "GET /things"),
        ("200", ""),
        (&body("5"), ""),
        ("end", "PUT /things"),
        ("+9", ""),
        ("409", ""),
    ]);
    script.run(&[("+1", ""), ("end", "failed: the server responded with 409 Conflict; done")]);
}

#[test]
fn repeated_reads_are_no_conflicts() {
    let mut script = label();
    for _ in 0..4 {
        script.run(&[("later", "GET /things"), ("503", "")]);
        script.feed("end");
        script.steps();
    }
    for conflict in 0..10 {
        script.run(&[
            ("later", "GET /things"),
            ("200", ""),
            (&body("5"), ""),
            ("end", "PUT /things"),
            ("409", ""),
        ]);
        script.feed("end");
        let steps = script.steps();
        assert_eq!(steps.starts_with("wait "), conflict < 9, "{conflict}: {steps}");
    }
}

#[test]
fn nothing_that_comes_after_the_end_changes_it() {
    let mut update = label();
    update.run(&[("", "GET /things"), ("404", "")]);
    update.run(&[("end", "failed: the server responded with 404 Not Found; done")]);
    update.run(&[("200", "done"), ("end", "done"), ("cut", "done")]);
    let mut pages = Pages::new(list(&ListParams::default()));
    pages.feed(Input::Bytes(b"{"), Duration::ZERO);
    assert!(matches!(pages.poll(Duration::ZERO), kapigen_runtime::Step::Send(_)));
}
