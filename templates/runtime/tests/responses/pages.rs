//! Lists that come in pages.

use openshift_api::core_v1::{PodList, pods};
use openshift_api::meta_v1::ListMeta;
use openshift_api::params::ListParams;
use openshift_api::request::Request;
use openshift_api::{ApiError, Error};
use test_support::places;

fn request() -> Request<PodList> {
    let params = ListParams::default()
        .label_selector("app=web")
        .limit(2)
        .resource_version("9")
        .resource_version_match("Exact");
    pods::list("default", &params).unwrap()
}

fn page(token: Option<&str>) -> PodList {
    let metadata = ListMeta { continue_: token.map(str::to_owned), ..ListMeta::default() };
    PodList { metadata, ..PodList::default() }
}

#[test]
fn the_next_page_is_requested_with_the_token() {
    let first = request();
    let second = first.next_page(&page(Some("a+/="))).unwrap().unwrap();
    assert_eq!(
        second.uri(),
        "/api/v1/namespaces/default/pods?labelSelector=app%3Dweb&limit=2&continue=a%2B%2F%3D"
    );
    assert_eq!(second.to_http().uri(), second.uri());
    let third = second.next_page(&page(Some("b"))).unwrap().unwrap();
    assert_eq!(
        third.uri(),
        "/api/v1/namespaces/default/pods?labelSelector=app%3Dweb&limit=2&continue=b"
    );
    assert_eq!(first.uri(), request().uri(), "the first request stays as it was");
}

#[test]
fn the_last_page_has_no_next_one() {
    assert!(request().next_page(&page(None)).unwrap().is_none());
    assert!(request().next_page(&page(Some(""))).unwrap().is_none());
}

#[test]
fn a_token_that_does_not_fit_is_an_error_and_not_the_end() {
    let error = request().next_page(&page(Some(&"x".repeat(70_000)))).unwrap_err();
    assert!(error.to_string().ends_with("bytes, more than a URL may have"), "{error}");
}

/// The refusal of a server for which a token has expired.
fn refusal(code: u16, file: &str) -> Error {
    let text = places::text(&places::root().join("tests/fixtures/statuses").join(file));
    let response = http::Response::builder().status(code).body(text).unwrap();
    request().decode(&response).unwrap_err()
}

#[test]
fn an_expired_list_continues_with_the_token_of_the_refusal() {
    let second = request().next_page(&page(Some("old"))).unwrap().unwrap();
    let error = refusal(410, "expired-continue-410.json");
    assert!(error.is_gone());
    let status = error.api().and_then(|error: &ApiError| error.status.as_deref()).unwrap();
    let token = status.metadata.continue_.as_deref().unwrap();
    let resumed = second.resume(&error).unwrap().unwrap();
    let expected =
        format!("/api/v1/namespaces/default/pods?labelSelector=app%3Dweb&limit=2&continue={token}");
    assert_eq!(resumed.uri().to_string(), expected);
}

#[test]
fn other_refusals_are_not_resumed() {
    let second = request().next_page(&page(Some("old"))).unwrap().unwrap();
    // Without a token in it, the list must begin again.
    assert!(second.resume(&refusal(410, "gone-too-old-410.json")).unwrap().is_none());
    assert!(second.resume(&refusal(404, "not-found-404.json")).unwrap().is_none());
    // A proxy may respond with 410, too, or pass a status on under another code.
    assert!(second.resume(&refusal(500, "expired-continue-410.json")).unwrap().is_none());
    let page = http::Response::builder().status(410).body("gone").unwrap();
    assert!(second.resume(&request().decode(&page).unwrap_err()).unwrap().is_none());
}
