//! Routing is the inverse of building requests.

use http::{Method, Request, StatusCode};
use openshift_api::core_v1::{Pod, pods};
use openshift_api::params::{CreateParams, ListParams};
use openshift_api::route::{Refusal, Router};
use openshift_api::{API, Verb};
use serde_json::Value;
use std::collections::BTreeSet;
use test_support::call::Call;
use test_support::calls::CALLS;

fn router() -> Router {
    Router::new(&[API])
}

/// Every function, every argument, every parameter and every body: the decoded values build the
/// same request again.
#[test]
fn a_route_builds_the_same_request_again() {
    let router = router();
    for call in CALLS {
        let sent = call.sent();
        let route =
            router.route(&sent.http).unwrap_or_else(|refusal| panic!("{}: {refusal}", call.path()));
        assert_eq!(route.operation(), sent.operation, "{}", call.path());
        let again = (call.again)(&route).unwrap_or_else(|error| panic!("{}: {error}", call.path()));
        assert_same(call, &sent.http, &again.http);
    }
}

fn assert_same(call: &Call, sent: &Request<Vec<u8>>, again: &Request<Vec<u8>>) {
    let path = call.path();
    assert_eq!(sent.method(), again.method(), "{path}");
    assert_eq!(sent.uri(), again.uri(), "{path}");
    assert_eq!(sent.headers(), again.headers(), "{path}");
    // Options of a delete that came from the query are in another order.
    let body = |request: &Request<Vec<u8>>| serde_json::from_slice::<Value>(request.body()).ok();
    assert_eq!(body(sent), body(again), "{path}");
    assert_eq!(sent.body().len(), again.body().len(), "{path}");
}

#[test]
fn a_route_equals_the_constant_of_its_operation_alone() {
    let list = pods::list("default", &ListParams::default()).unwrap().to_http();
    let operation = *router().route(&list).unwrap().operation();
    assert_eq!(operation, pods::LIST);
    assert_eq!(API.operations.iter().filter(|other| **other == operation).count(), 1);
}

#[test]
fn watches_are_recognized() {
    let router = router();
    for call in CALLS {
        let sent = call.sent();
        let is_watch = router.route(&sent.http).unwrap().is_watch();
        assert_eq!(is_watch, call.watch || sent.operation.verb == Verb::Watch, "{}", call.path());
    }
}

#[test]
fn odd_arguments_come_back() {
    let router = router();
    for name in ["a b", "ü%2F?#", "sha256:0f@1", "%41"] {
        let request = pods::get("default", name, &openshift_api::params::GetParams::default())
            .unwrap()
            .to_http();
        let route = router.route(&request).unwrap();
        assert_eq!(
            (route.argument("namespace"), route.argument("name")),
            (Some("default"), Some(name))
        );
        assert_eq!(route.argument("path"), None);
    }
    let request =
        pods::get_proxy_path("default", "web:80", "a/b c/%2F", &pods::ProxyParams::default());
    let Ok(request) = request else { panic!("{request:?}") };
    let request = request.to_http();
    assert_eq!(router.route(&request).unwrap().argument("path"), Some("a/b c/%2F"));
}

/// As API servers decode them: otherwise a name with a slash could hide the resource that is really
/// meant.
#[test]
fn encoded_slashes_separate_segments() {
    let router = router();
    let route = |path: &str| {
        let request = request(Method::GET, path);
        let route = router.route(&request).map_err(|refusal| refusal.code)?;
        Ok((route.operation().subresource, route.arguments().to_vec()))
    };
    let log = Ok((Some("log"), vec!["default".to_owned(), "web".to_owned()]));
    assert_eq!(route("/api/v1/namespaces/default/pods/web%2Flog"), log);
    assert_eq!(route("/api%2fv1/namespaces/default/pods/web/log"), log);
    assert_eq!(route("/api/v1/namespaces/default/pods/web%2Fnothing"), Err(StatusCode::NOT_FOUND));
}

#[test]
fn selectors_come_back() {
    let params = ListParams::default().label_selector("a in (x, y),b!=c+d&e").limit(7);
    let request = pods::list("default", &params).unwrap().to_http();
    assert_eq!(router().route(&request).unwrap().params::<ListParams>().unwrap(), params);
}

#[test]
fn the_last_slash_does_not_matter() {
    let router = router();
    let operation =
        |path: &str| router.route(&request(Method::GET, path)).map(|route| route.operation().id);
    let list = operation("/api/v1/namespaces/default/pods").unwrap();
    assert_eq!(operation("/api/v1/namespaces/default/pods/").unwrap(), list);
    assert_eq!(
        operation("/api/v1/namespaces/default/pods//").unwrap_err().code,
        StatusCode::NOT_FOUND
    );
}

fn request(method: Method, path: &str) -> Request<Vec<u8>> {
    Request::builder().method(method).uri(path).body(Vec::new()).unwrap()
}

fn refusal(request: &Request<Vec<u8>>) -> Refusal {
    router().route(request).unwrap_err()
}

#[test]
fn refuses_as_a_server_does() {
    let not_found = refusal(&request(Method::GET, "/api/v1/namespaces/default/nothings"));
    assert_eq!(not_found.code, StatusCode::NOT_FOUND);
    let message = "the server could not find the requested resource";
    assert_eq!(not_found.status.message.as_deref(), Some(message));
    let not_allowed = refusal(&request(Method::PUT, "/api/v1/namespaces/default/pods"));
    assert_eq!(not_allowed.code, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(not_allowed.to_http().status(), StatusCode::METHOD_NOT_ALLOWED);
    let mut patch = request(Method::PATCH, "/api/v1/namespaces/default/pods/web");
    assert_eq!(refusal(&patch).code, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    patch.headers_mut().insert("content-type", "application/apply-patch+json".parse().unwrap());
    let unsupported = refusal(&patch);
    assert_eq!(unsupported.status.reason.as_deref(), Some("UnsupportedMediaType"));
    let message = unsupported.status.message.unwrap();
    assert!(message.contains("application/merge-patch+json"), "{message}");
}

#[test]
fn bad_bodies_and_parameters_are_bad_requests() {
    let router = router();
    let mut create = request(Method::POST, "/api/v1/namespaces/default/pods?dryRun=All");
    *create.body_mut() = br#"{"kind": "Secret", "apiVersion": "v1"}"#.to_vec();
    let route = router.route(&create).unwrap();
    assert!(route.params::<CreateParams>().unwrap().dry_run);
    let refusal = route.body::<Pod>().unwrap_err();
    assert_eq!(refusal.code, StatusCode::BAD_REQUEST);
    assert!(refusal.to_string().contains("Secret"), "{refusal}");
    let list = request(Method::GET, "/api/v1/pods?limit=many");
    let refusal = router.route(&list).unwrap().params::<ListParams>().unwrap_err();
    assert_eq!(refusal.status.reason.as_deref(), Some("BadRequest"));
}

#[test]
fn unacceptable_responses_are_refused() {
    use openshift_api::route::{Form, MediaType};
    let router = router();
    let mut list = request(Method::GET, "/api/v1/pods");
    list.headers_mut().insert("accept", "text/html".parse().unwrap());
    let refusal = router.route(&list).unwrap().accept(&[MediaType::Json]).unwrap_err();
    assert_eq!(refusal.code, StatusCode::NOT_ACCEPTABLE);
    list.headers_mut()
        .insert("accept", "application/json;as=Table;v=v1;g=meta.k8s.io".parse().unwrap());
    assert_eq!(router.route(&list).unwrap().accept(&[MediaType::Json]).unwrap().form, Form::Table);
}

/// Every kind is in the list.
#[test]
fn kinds_are_reachable_as_data() {
    let pod = API.kind("", "v1", "Pod").expect("pods");
    assert_eq!((pod.group, pod.version, pod.kind), ("", "v1", "Pod"));
    let names: BTreeSet<_> =
        API.kinds.iter().map(|kind| (kind.group, kind.version, kind.kind)).collect();
    assert_eq!(names.len(), API.kinds.len(), "each once");
    for operation in API.operations.iter().filter(|operation| operation.verb == Verb::Create) {
        let known = API.kinds.iter().any(|kind| kind.kind == operation.kind);
        assert!(
            known || operation.kind.is_empty() || operation.path.contains("proxy"),
            "{}",
            operation.id
        );
    }
}
