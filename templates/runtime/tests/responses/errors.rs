//! Refusals of servers, and the errors that they become.

use http::Response as HttpResponse;
use openshift_api::core_v1::{Pod, pods};
use openshift_api::machine::FailureKind;
use openshift_api::params::GetParams;
use openshift_api::{ApiError, DecodeError, Error, from_str};
use std::error::Error as _;
use std::time::{Duration, Instant};
use test_support::places;

/// A refusal, as it is read by any function.
fn refusal(code: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> ApiError {
    let mut response = HttpResponse::builder().status(code);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    let request = pods::get("default", "web", &GetParams::default()).unwrap();
    let error = request.decode(&response.body(body).unwrap()).unwrap_err();
    error.api().unwrap_or_else(|| panic!("{error:?}")).clone()
}

fn fixture(name: &str) -> String {
    places::text(&places::root().join("tests/fixtures/statuses").join(name))
}

#[test]
fn a_status_has_the_reason() {
    let cases = [
        (401, "unauthorized-401.json", "Unauthorized"),
        (403, "forbidden-403.json", "Forbidden"),
        (404, "not-found-404.json", "NotFound"),
        (409, "already-exists-409.json", "AlreadyExists"),
        (409, "conflict-409.json", "Conflict"),
        (410, "gone-too-old-410.json", "Expired"),
        (422, "invalid-causes-422.json", "Invalid"),
        (429, "too-many-requests-429.json", "TooManyRequests"),
        (500, "server-timeout-retry-500.json", "ServerTimeout"),
        (500, "no-reason-500.json", ""),
    ];
    for (code, file, reason) in cases {
        let error = refusal(code, &[("content-type", "application/json")], fixture(file));
        assert_eq!(
            (error.code.as_u16(), error.reason(), error.text.as_str()),
            (code, reason, ""),
            "{file}"
        );
        let status = error.status.as_ref().unwrap();
        assert_eq!(Some(error.message()), status.message.as_deref(), "{file}");
    }
    let details =
        refusal(422, &[], fixture("invalid-causes-422.json")).status.unwrap().details.unwrap();
    assert_eq!(details.causes.unwrap()[0].field.as_deref(), Some("spec.containers[0].image"));
}

/// A message that clears a terminal, adds a line to a log, and turns what follows around.
#[test]
fn displays_no_character_that_controls_a_reader() {
    const HOSTILE: &str = "a\u{1b}[2J\nb\r\u{9b}c\u{202e}d\u{2066}e\u{200b}f\0";
    let is_clear = |text: &str| {
        let is_hidden = |c: char| c.is_control() || HOSTILE.contains(c) && !c.is_ascii();
        assert!(text.contains('a') && !text.contains(is_hidden), "{text:?}");
    };
    let json = |value: serde_json::Value| value.to_string();
    let status = json(serde_json::json!({"kind": "Status", "reason": HOSTILE, "message": HOSTILE}));
    let refusal = [refusal(422, &[], status), refusal(500, &[], HOSTILE)];
    for refusal in refusal {
        is_clear(&refusal.to_string());
        is_clear(&format!("{refusal:?}"));
        is_clear(&Error::Api(Box::new(refusal.clone())).to_string());
        is_clear(&format!("{:?}", Error::Api(Box::new(refusal.clone()))));
        is_clear(&FailureKind::Api(Box::new(refusal)).to_string());
    }
    for body in [
        serde_json::json!({"kind": HOSTILE}),
        serde_json::json!({"metadata": {"labels": {HOSTILE: 1}}}),
    ] {
        let error = from_str::<Pod>(&json(body)).unwrap_err();
        is_clear(&error.to_string());
        is_clear(&format!("{error:?}"));
        is_clear(&FailureKind::Decode(error).to_string());
    }
    is_clear(&FailureKind::Disconnected(HOSTILE.to_owned()).to_string());
    is_clear(&FailureKind::Unsendable(HOSTILE.to_owned()).to_string());
    let invalid = pods::get("default", &format!("a/{HOSTILE}"), &GetParams::default()).unwrap_err();
    is_clear(&invalid.to_string());
    let header = "299 - \"a\u{202e}\u{9b}\"";
    let warned = HttpResponse::builder().header("warning", header.as_bytes()).body("{}").unwrap();
    let warnings = pods::get("default", "web", &GetParams::default())
        .unwrap()
        .decode(&warned)
        .unwrap()
        .warnings;
    is_clear(&warnings[0].to_string());
    is_clear(&format!("{warnings:?}"));
    assert_eq!(warnings[0].text, "a\u{202e}\u{9b}", "data stays as it is");
}

#[test]
fn a_refusal_is_displayed_with_code_and_reason() {
    let text = refusal(404, &[], fixture("not-found-404.json")).to_string();
    assert_eq!(
        text,
        "the server responded with 404 Not Found (NotFound): pods \"cart-7\" not found"
    );
    let text = refusal(500, &[], fixture("no-reason-500.json")).to_string();
    assert_eq!(
        text,
        "the server responded with 500 Internal Server Error: etcdserver: mvcc: database space \
         exceeded"
    );
    assert_eq!(
        refusal(503, &[], "").to_string(),
        "the server responded with 503 Service Unavailable"
    );
    assert_eq!(
        refusal(302, &[("location", "/login")], "").to_string(),
        "the server responded with 302 Found"
    );
    // A page is not a message.
    let page = format!("\n<html>{}</html>", "ä".repeat(10_000));
    let error = refusal(502, &[("content-type", "text/html")], &page);
    assert_eq!(error.text, page);
    assert_eq!(
        error.to_string(),
        format!("the server responded with 502 Bad Gateway: <html>{}", "ä".repeat(494))
    );
}

#[test]
fn retries_are_delayed_as_header_or_status_demand() {
    let status = |seconds: &str| {
        let details = format!(r#""details":{{"retryAfterSeconds":{seconds}}}"#);
        format!(
            r#"{{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Failure",{details},"code":429}}"#
        )
    };
    let nothing = fixture("unauthorized-401.json");
    let cases = [
        (None, nothing.clone(), None),
        (None, status("10"), Some(10)),
        (Some("3"), status("10"), Some(3)),
        (Some(" 3 "), nothing.clone(), Some(3)),
        (Some("0"), status("10"), Some(0)),
        // A date would need a clock to compare it with.
        (Some("Wed, 21 Oct 2026 07:28:00 GMT"), status("10"), Some(10)),
        (Some("Wed, 21 Oct 2026 07:28:00 GMT"), nothing.clone(), None),
        (Some("-1"), status("10"), Some(10)),
        (Some("1.5"), nothing.clone(), None),
        // A day is the longest: an `Instant` takes no more than some centuries.
        (Some("86400"), nothing.clone(), Some(86_400)),
        (Some("86401"), nothing.clone(), Some(86_400)),
        (Some("18446744073709551615"), nothing.clone(), Some(86_400)),
        (Some("18446744073709551616"), nothing.clone(), Some(86_400)),
        (Some(""), nothing.clone(), None),
        (Some("+1"), nothing, None),
        (None, status("0"), None),
        (None, status("-5"), None),
        (None, status("2147483647"), Some(86_400)),
        // Servers that are too busy to make a status send plain text.
        (Some("1"), "Too many requests, please try again later.".to_owned(), Some(1)),
    ];
    for (header, body, expected) in cases {
        let headers: Vec<_> = header.iter().map(|value| ("retry-after", *value)).collect();
        let error = refusal(429, &headers, &body);
        assert_eq!(error.retry_after, expected.map(Duration::from_secs), "{header:?} {body}");
        assert!(Instant::now().checked_add(error.retry_after.unwrap_or_default()).is_some());
    }
}

#[test]
fn other_bodies_than_a_status_are_text() {
    let text = |body: &str| {
        let error = refusal(500, &[], body);
        assert_eq!((error.status.as_ref(), error.reason()), (None, ""), "{body}");
        assert_eq!(error.message(), error.text);
        error.text
    };
    for body in [
        "404 page not found\n",
        "",
        "null",
        "{}",
        "[]",
        r#"{"message":"not ours","code":500}"#,
        r#"{"kind":"Status","apiVersion":"v2"}"#,
        r#"{"kind":"Status","apiVersion":"v1","code":"500"}"#,
        r#"{"kind":"Status","apiVersion":"v1","message":"cut o"#,
    ] {
        assert_eq!(text(body), body);
    }
    assert_eq!(refusal(500, &[], b"a\xFFb").text, "a\u{FFFD}b");
}

#[test]
fn a_status_of_a_newer_server_is_decoded() {
    let body = r#"{
      "kind": "Status", "apiVersion": "v1", "metadata": {"shard": {"a": [1]}}, "status": "Failure", "severity": 5,
      "message": "no", "reason": "Unheard", "details": {"hints": ["wait"], "causes": [{"weight": 1.5}]}, "code": 499
    }"#;
    let error = refusal(499, &[], body);
    assert_eq!((error.reason(), error.message()), ("Unheard", "no"));
    assert_eq!(
        error.to_string(),
        "the server responded with 499 <unknown status code> (Unheard): no"
    );
}

/// What `main` prints of an error that it returns is its `Debug`.
#[test]
fn debug_is_the_message_and_in_its_long_form_the_tree() {
    let status =
        r#"{"kind":"Status","apiVersion":"v1","reason":"NotFound","message":"no such pod"}"#;
    let refused = Error::from(Box::new(refusal(404, &[("set-cookie", "secret")], status)));
    let message = "the server responded with 404 Not Found (NotFound): no such pod";
    assert_eq!(format!("{refused:?}"), message);
    let tree = format!("{refused:#?}");
    assert!(tree.starts_with("Api(\n    ApiError {\n        code: 404,"), "{tree}");
    assert!(!tree.contains("secret"), "{tree}");
    let invalid = pods::get("default", "a/b", &GetParams::default()).unwrap_err();
    assert_eq!(format!("{invalid:?}"), invalid.to_string());
    assert!(format!("{invalid:#?}").contains("Argument(\n"), "{invalid:#?}");
}

#[test]
fn errors_can_be_sent_cloned_and_traced() {
    fn is_good<T: std::error::Error + Clone + Send + Sync + 'static>() {}
    is_good::<Error>();
    is_good::<ApiError>();
    is_good::<DecodeError>();
    let invalid = pods::get("", "web", &GetParams::default()).unwrap_err();
    assert!(
        invalid.source().is_none() && invalid.to_string().contains("cannot be the namespace"),
        "{invalid}"
    );
    let request = pods::get("default", "web", &GetParams::default()).unwrap();
    let unread = request.decode(&HttpResponse::new("{")).unwrap_err();
    let cause = "expected the name of a member, found the end of the text at line 1 column 2";
    assert!(unread.source().is_none() && unread.to_string().ends_with(cause), "{unread}");
    assert!(
        size_of::<Error>() <= 64,
        "every result of this crate carries it: {} bytes",
        size_of::<Error>()
    );
    let error =
        from_str::<openshift_api::core_v1::Pod>("{\n \"spec\": {\"nodeName\": 5}}").unwrap_err();
    assert_eq!((error.line(), error.column()), (2, 23));
    assert_eq!(error.message(), "spec.nodeName: expected a string, found 5");
}

#[test]
fn errors_carry_warnings_and_headers() {
    let text = "v1 Endpoints is deprecated in v1.33+";
    let headers =
        [("warning", r#"299 - "v1 Endpoints is deprecated in v1.33+""#), ("location", "/login")];
    let request = pods::get("default", "web", &GetParams::default()).unwrap();
    let failure = fixture("conflict-409.json");
    // A refusal by the status code, one by the body alone, a redirection, and a body that is not a
    // pod.
    for (code, body) in [(409, failure.as_str()), (200, &failure), (301, ""), (200, "[]")] {
        let response =
            headers.iter().fold(HttpResponse::builder().status(code), |response, (name, value)| {
                response.header(*name, *value)
            });
        let error = request.decode(&response.body(body).unwrap()).unwrap_err();
        let warnings: Vec<&str> =
            error.warnings().iter().map(|warning| warning.text.as_str()).collect();
        assert_eq!(warnings, [text], "{code} {body}");
        let found = error.headers().unwrap();
        assert_eq!(
            (found.len(), found["location"].as_bytes()),
            (2, &b"/login"[..]),
            "{code} {body}"
        );
        let shown = format!("{error:#?}");
        assert!(shown.contains(r#""location""#) && !shown.contains("/login"), "{shown}");
        if let Some(api) = error.api() {
            assert_eq!((api.warnings.as_slice(), &api.headers), (error.warnings(), found));
        }
    }
    let invalid = pods::get("", "web", &GetParams::default()).unwrap_err();
    assert_eq!((invalid.warnings(), invalid.headers()), (&[][..], None));
}

/// A predicate by its name, on both errors.
type Predicate = (&'static str, fn(&ApiError) -> bool, fn(&Error) -> bool);

macro_rules! predicates {
    ($($name:ident)+) => { [$((stringify!($name), ApiError::$name, Error::$name)),+] };
}

const PREDICATES: [Predicate; 14] = predicates!(
    is_unauthorized is_forbidden is_not_found is_already_exists is_conflict is_gone is_expired is_invalid
    is_bad_request is_too_many_requests is_timeout is_server_timeout is_service_unavailable is_internal_error
);

/// The predicates that hold.
fn holding(error: &ApiError) -> Vec<&'static str> {
    let both = Error::Api(Box::new(error.clone()));
    let holds = |(name, of_api, of_error): Predicate| {
        assert_eq!(of_api(error), of_error(&both), "{name}");
        of_api(error).then_some(name)
    };
    PREDICATES.into_iter().filter_map(holds).collect()
}

#[test]
fn predicates_distinguish_reasons() {
    let of = |code: u16, reason: &str| {
        let reason =
            if reason.is_empty() { String::new() } else { format!(r#""reason":"{reason}","#) };
        holding(&refusal(
            code,
            &[],
            format!(r#"{{"kind":"Status","apiVersion":"v1",{reason}"code":{code}}}"#),
        ))
    };
    let cases: [(u16, &str, &[&str]); 16] = [
        (401, "Unauthorized", &["is_unauthorized"]),
        (403, "Forbidden", &["is_forbidden"]),
        (404, "NotFound", &["is_not_found"]),
        (409, "AlreadyExists", &["is_already_exists"]),
        (409, "Conflict", &["is_conflict"]),
        (410, "Gone", &["is_gone"]),
        (410, "Expired", &["is_gone", "is_expired"]),
        (422, "Invalid", &["is_invalid"]),
        (400, "BadRequest", &["is_bad_request"]),
        (429, "TooManyRequests", &["is_too_many_requests"]),
        (504, "Timeout", &["is_timeout"]),
        (500, "ServerTimeout", &["is_server_timeout"]),
        (503, "ServiceUnavailable", &["is_service_unavailable"]),
        (500, "InternalError", &["is_internal_error"]),
        (415, "UnsupportedMediaType", &[]),
        // A known reason counts more than the status code.
        (404, "MethodNotAllowed", &[]),
    ];
    for (code, reason, expected) in cases {
        assert_eq!(of(code, reason), expected, "{code} {reason}");
    }
    let by_code =
        ["is_unauthorized", "is_forbidden", "is_not_found", "is_conflict", "is_gone", "is_invalid"];
    for (code, expected) in [401, 403, 404, 409, 410, 422].into_iter().zip(by_code) {
        assert_eq!(of(code, ""), [expected], "{code}");
        assert_eq!(of(code, "Unheard"), [expected], "{code}");
        assert_eq!(holding(&refusal(code, &[], "no status")), [expected], "{code}");
    }
    let invalid = pods::get("", "web", &GetParams::default()).unwrap_err();
    assert!(PREDICATES.iter().all(|(_, _, of_error)| !of_error(&invalid)));
}

#[test]
fn causes_and_conflicts_are_listed() {
    let invalid = Error::from(Box::new(refusal(422, &[], fixture("invalid-causes-422.json"))));
    assert_eq!(invalid.causes()[0].field.as_deref(), Some("spec.containers[0].image"));
    assert_eq!(invalid.conflicts().count(), 0);

    let conflict =
        Error::from(Box::new(refusal(409, &[], fixture("apply-conflict-causes-409.json"))));
    let found: Vec<_> =
        conflict.conflicts().map(|conflict| (conflict.manager, conflict.field)).collect();
    let owned = |manager: &str, field: &'static str| (manager.to_owned(), field);
    assert_eq!(
        found,
        [
            owned("kubectl-edit", r#".spec.containers[name="checkout"].image"#),
            owned("shop-operator", ".metadata.labels.app"),
        ]
    );

    let cause = |message: &str| {
        let cause =
            format!(r#"{{"reason":"FieldManagerConflict","message":{message:?},"field":".a"}}"#);
        let body =
            format!(r#"{{"kind":"Status","apiVersion":"v1","details":{{"causes":[{cause}]}}}}"#);
        refusal(409, &[], body).conflicts().next().unwrap().manager
    };
    assert_eq!(
        cause(r#"conflict with "say \"hi\"" with subresource "scale" using v1"#),
        r#"say "hi""#
    );
    assert_eq!(
        (cause("conflict with nobody"), cause(r#"conflict with "x"#)),
        (String::new(), String::new())
    );

    let other = Error::from(Box::new(refusal(500, &[], "no status")));
    assert_eq!((other.causes(), other.conflicts().count()), (&[][..], 0));
}
