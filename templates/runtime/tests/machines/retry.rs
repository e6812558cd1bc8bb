//! Retries of single requests.

use http::{HeaderMap, HeaderValue, StatusCode};
use kapigen_runtime::__private::Builder;
use kapigen_runtime::change::PatchOperation;
use kapigen_runtime::meta_v1::{DeleteOptions, PartialObjectMetadata as Thing};
use kapigen_runtime::retry::{Budget, Failed, Next, Policy, Repeat, Retry};
use kapigen_runtime::{ApiError, Error, Operation, Patch, Request, Response, Text, Verb};
use serde_json::json;
use std::time::Duration;

static VERBS: [Operation; 10] = [
    Operation::new(Verb::Get, "get", "GET", "/things/a"),
    Operation::new(Verb::List, "list", "GET", "/things"),
    Operation::new(Verb::Watch, "watch", "GET", "/things"),
    Operation::new(Verb::Create, "create", "POST", "/things").media_types(&["application/json"]),
    Operation::new(Verb::Replace, "replace", "PUT", "/things/a").media_types(&["application/json"]),
    Operation::new(Verb::Patch, "patch", "PATCH", "/things/a")
        .parameters(&["dryRun"])
        .media_types(&["application/json-patch+json", "application/merge-patch+json"]),
    Operation::new(Verb::Delete, "delete", "DELETE", "/things/a")
        .media_types(&["application/json"]),
    Operation::new(Verb::DeleteCollection, "deleteAll", "DELETE", "/things")
        .media_types(&["application/json"]),
    Operation::new(Verb::Connect, "connect", "GET", "/things/a/exec"),
    Operation::new(Verb::Create, "evict", "POST", "/things/a/eviction")
        .subresource("eviction")
        .media_types(&["application/json"]),
];

fn builder(id: &str) -> Builder {
    Builder::new(VERBS.iter().find(|operation| operation.id == id).expect("an operation"), &[])
}

fn plain(id: &str) -> Request<Thing> {
    builder(id).finish().unwrap()
}

/// A patch that adds an element after a test.
fn patch(tested: &str, value: &str) -> Request<Thing> {
    let steps =
        [PatchOperation::test(tested, &value), PatchOperation::add("/metadata/finalizers/-", &"a")];
    builder("patch").patch(&Patch::json(&steps)).finish().unwrap()
}

fn delete(preconditions: &serde_json::Value) -> Request<Thing> {
    let options: DeleteOptions =
        serde_json::from_value(json!({"preconditions": preconditions})).unwrap();
    builder("delete").delete_options(Some(&options)).finish().unwrap()
}

#[test]
fn what_could_act_twice_is_known_from_the_verb_and_the_body() {
    let merge =
        builder("patch").patch(&Patch::merge(&json!({"metadata": {}}))).finish::<Thing>().unwrap();
    let options: DeleteOptions = serde_json::from_value(json!({"dryRun": ["All"]})).unwrap();
    let stale = PatchOperation::replace("/metadata/resourceVersion", &"5");
    let set = builder("patch").patch(&Patch::json(&[stale])).finish::<Thing>().unwrap();
    let dry = builder("delete").delete_options(Some(&options)).finish::<Thing>().unwrap();
    let cases = [
        (plain("get"), Repeat::Safe),
        (plain("list"), Repeat::Safe),
        (plain("watch"), Repeat::Safe),
        (plain("create"), Repeat::Twice),
        (plain("evict"), Repeat::Twice),
        (plain("replace"), Repeat::Idempotent),
        (merge, Repeat::Idempotent),
        (patch("/metadata/resourceVersion", "5"), Repeat::Idempotent),
        (set, Repeat::Idempotent),
        (patch("/metadata/resourceVersion", ""), Repeat::Twice),
        // It may be the same object and have one more element.
        (patch("/metadata/uid", "5"), Repeat::Twice),
        (plain("delete"), Repeat::Twice),
        (delete(&json!({"uid": "5"})), Repeat::Idempotent),
        (delete(&json!({"resourceVersion": "5"})), Repeat::Idempotent),
        (delete(&json!({})), Repeat::Twice),
        (dry, Repeat::Safe),
        (plain("deleteAll"), Repeat::Twice),
        (plain("connect"), Repeat::Unknown),
    ];
    for (request, expected) in cases {
        assert_eq!(
            Repeat::of(&request),
            expected,
            "{request:?} with {}",
            String::from_utf8_lossy(request.body())
        );
    }
}

#[test]
fn a_json_patch_is_guarded_by_the_version_that_it_tests_or_leaves() {
    let version = "/metadata/resourceVersion";
    let test = || PatchOperation::test(version, &"5");
    let set = || PatchOperation::replace(version, &"5");
    let metadata = || PatchOperation::replace("/metadata", &json!({"name": "a"}));
    let cases = [
        (vec![PatchOperation::add("/a", &1), test()], true),
        (vec![test(), PatchOperation::remove(version)], true),
        (vec![set(), PatchOperation::add("/a", &1)], true),
        (vec![PatchOperation::remove(version), set()], true),
        // The test is of what the patch has set, and then removes.
        (vec![set(), test(), PatchOperation::remove(version)], false),
        (vec![set(), PatchOperation::replace(version, &"")], false),
        (vec![set(), metadata()], false),
        (vec![metadata(), test()], false),
        (vec![metadata(), set()], true),
        (vec![], false),
    ];
    for (steps, is_guarded) in cases {
        let request = builder("patch").patch(&Patch::json(&steps)).finish::<Thing>().unwrap();
        assert_eq!(Repeat::of(&request) == Repeat::Idempotent, is_guarded, "{steps:?}");
    }
}

#[test]
fn raw_requests_are_known_from_their_paths() {
    let raw = |line: &str| {
        let (method, path) = line.split_once(' ').expect("method and path");
        Request::raw(&method.parse().expect("a method"), path).unwrap()
    };
    let pod = "/api/v1/namespaces/a/pods/web";
    let cases: &[(&str, Repeat)] = &[
        ("GET /version", Repeat::Safe),
        ("OPTIONS /api/v1/pods", Repeat::Safe),
        (&format!("HEAD {pod}"), Repeat::Safe),
        (&format!("GET {pod}/log?follow=true"), Repeat::Safe),
        ("POST /api/v1/namespaces/a/pods", Repeat::Twice),
        ("POST /api/v1/namespaces/a/pods?dryRun=All", Repeat::Safe),
        ("POST /api/v1/namespaces/a/pods?a=+&dry%52un=%41ll", Repeat::Safe),
        (&format!("PUT {pod}"), Repeat::Idempotent),
        (&format!("DELETE {pod}"), Repeat::Twice),
        (&format!("POST {pod}/eviction"), Repeat::Twice),
        // Only the server of a path knows what it does.
        ("PUT /anything", Repeat::Twice),
        ("POST /anything?dryRun=All", Repeat::Twice),
        (&format!("GET {pod}/exec?command=rm"), Repeat::Unknown),
        (&format!("POST {pod}/%65xec?dryRun=All"), Repeat::Unknown),
        (&format!("GET {pod}/attach"), Repeat::Unknown),
        (&format!("GET {pod}/portforward"), Repeat::Unknown),
        (&format!("PUT {pod}/proxy"), Repeat::Unknown),
        ("GET /api/v1/nodes/n/proxy/run?dryRun=All", Repeat::Unknown),
        ("PUT /api/v1/namespaces/a/services/https:web:443/proxy/x/y?dryRun=All", Repeat::Unknown),
        ("GET /api/v1/proxy/namespaces/a/pods/web/x", Repeat::Unknown),
    ];
    for (line, expected) in cases {
        assert_eq!(Repeat::of(&raw(line)), *expected, "{line}");
    }
    let patch = |path: &str, media_type: &str, body: &str| {
        Repeat::of(&raw(&format!("PATCH {path}")).with_body(media_type, body).unwrap())
    };
    let guarded = r#"[{"op":"test","path":"/metadata/resourceVersion","value":"5"}]"#;
    let proxy = &format!("{pod}/proxy")[..];
    for (path, media_type, body, expected) in [
        (pod, "application/merge-patch+json", "{}", Repeat::Idempotent),
        (pod, "application/apply-patch+yaml; charset=utf-8", "a: b", Repeat::Idempotent),
        (pod, "application/json-patch+json", "[]", Repeat::Twice),
        (pod, "application/json-patch+json", guarded, Repeat::Idempotent),
        // A server may have patches of its own, of which nothing is known.
        (pod, "application/vnd.example+json", guarded, Repeat::Twice),
        ("/anything", "application/merge-patch+json", "{}", Repeat::Twice),
        (proxy, "application/merge-patch+json", "{}", Repeat::Unknown),
        (proxy, "application/json-patch+json", guarded, Repeat::Unknown),
    ] {
        assert_eq!(patch(path, media_type, body), expected, "{path} {media_type} {body}");
    }
}

#[test]
fn what_is_passed_on_is_never_repeated_and_a_raw_eviction_is_one() {
    let exec = Request::raw(&http::Method::POST, "/api/v1/namespaces/a/pods/web/exec").unwrap();
    for failed in [
        Failed::Disconnected,
        Failed::Refused(&refusal(429, Some(1))),
        Failed::Refused(&refusal(503, None)),
    ] {
        assert_eq!(
            Retry::new(Policy::default(), &exec, 1).failed(failed),
            Next::Stop,
            "{failed:?}"
        );
    }
    let evict =
        Request::raw(&http::Method::POST, "/api/v1/namespaces/a/pods/web/eviction").unwrap();
    let refused = |seconds| {
        Retry::new(Policy::default(), &evict, 1).failed(Failed::Refused(&refusal(429, seconds)))
    };
    assert_eq!(refused(None), Next::Stop, "a budget allows none");
    assert!(matches!(refused(Some(1)), Next::After(_)));
}

fn refusal(code: u16, retry_after: Option<u64>) -> Box<ApiError> {
    let mut headers = HeaderMap::new();
    headers
        .extend(retry_after.map(|seconds| (http::header::RETRY_AFTER, HeaderValue::from(seconds))));
    match Response::<Text>::decode_parts(StatusCode::from_u16(code).unwrap(), &headers, b"") {
        Err(Error::Api(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// Whether a request is sent a second time after a failure.
fn is_repeated(id: &str, failed: Failed<'_>) -> bool {
    matches!(Retry::new(Policy::default(), &plain(id), 1).failed(failed), Next::After(_))
}

#[test]
fn failures_that_may_be_temporary_are_repeated_if_that_does_no_harm() {
    let refused = |id, code, seconds| is_repeated(id, Failed::Refused(&refusal(code, seconds)));
    for (id, is_harmless) in
        [("get", true), ("replace", true), ("create", false), ("delete", false), ("evict", false)]
    {
        assert_eq!(is_repeated(id, Failed::Disconnected), is_harmless, "{id}");
        for code in [502, 503, 504] {
            assert_eq!(refused(id, code, None), is_harmless, "{id} {code}");
        }
        assert_eq!(refused(id, 500, Some(1)), is_harmless, "{id}");
        // The server has not looked at the request.
        assert_eq!(refused(id, 429, None), id != "evict", "{id}");
        assert!(refused(id, 429, Some(30)) && !refused(id, 429, Some(31)), "{id}");
        assert!(!is_repeated(id, Failed::Final), "{id}");
        for code in [400, 401, 403, 404, 409, 410, 422, 500, 501] {
            assert!(!refused(id, code, None), "{id} {code}");
        }
    }
}

#[test]
fn pauses_double_and_servers_can_ask_for_more() {
    let policy = Policy::default().attempts(9);
    let mut retry = Retry::new(policy, &plain("get"), 7);
    for base in [100, 200, 400, 800, 1600, 3200, 6400, 10_000] {
        let Next::After(pause) = retry.failed(Failed::Disconnected) else { panic!("at {base} ms") };
        assert!((base..=2 * base).contains(&pause.as_millis()), "{base}: {pause:?}");
    }
    assert_eq!((retry.failed(Failed::Disconnected), retry.attempts()), (Next::Stop, 9));
    let asked =
        Retry::new(policy, &plain("get"), 7).failed(Failed::Refused(&refusal(503, Some(3))));
    assert!(
        matches!(asked, Next::After(pause) if pause >= Duration::from_millis(3100)),
        "{asked:?}"
    );
    let none = Retry::new(Policy::none(), &plain("get"), 7).failed(Failed::Disconnected);
    assert_eq!((none, Policy::none().is_none()), (Next::Stop, true));
}

#[test]
fn a_refusal_after_a_lost_response_is_uncertain() {
    for (first, is_uncertain) in [(None, true), (Some(503), true), (Some(429), false)] {
        for (id, code) in [("replace", 409), ("replace", 404), ("replace", 422)] {
            let mut retry = Retry::new(Policy::default(), &plain(id), 1);
            let first = first.map(|code| refusal(code, None));
            retry.failed(
                first.as_ref().map_or(Failed::Disconnected, |error| Failed::Refused(error)),
            );
            let expected = if is_uncertain { Next::Uncertain } else { Next::Stop };
            assert_eq!(
                retry.failed(Failed::Refused(&refusal(code, None))),
                expected,
                "{first:?} {code}"
            );
        }
    }
    let mut read = Retry::new(Policy::default(), &plain("get"), 1);
    read.failed(Failed::Disconnected);
    assert_eq!(read.failed(Failed::Refused(&refusal(404, None))), Next::Stop, "a read");
}

#[test]
fn a_budget_bounds_repeats_to_a_tenth_of_successes() {
    let mut budget = Budget::default();
    let repeats = (0..1000).filter(|_| budget.withdraw()).count();
    assert_eq!(repeats, 10);
    let mut repeats = 0;
    for _ in 0..1000 {
        budget.on_success();
        repeats += u32::from(budget.withdraw());
    }
    assert_eq!(repeats, 100);
}
