//! Probes, media types of watches, and reviews.

use crate::testing::{PODS, get, pod, request, send, server, time};
use http::{Method, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

#[test]
fn probes_of_the_server_can_be_head_requests() {
    let server = server();
    for (method, expected) in [(Method::GET, "ok"), (Method::HEAD, "")] {
        let (head, body) = server.handle(request(method, "/readyz", &Value::Null), time(0)).response.into_parts();
        let body = body.into_whole().expect("no stream");
        assert_eq!((head.status, &*body), (StatusCode::OK, expected.as_bytes()));
    }
    let post = server.handle(request(Method::POST, "/readyz", &Value::Null), time(0)).response;
    assert_eq!(post.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[test]
fn watches_are_not_in_yaml() {
    let server = server();
    for (query, accept, expected) in [
        ("", "application/yaml", StatusCode::OK),
        ("?watch=true", "application/yaml", StatusCode::NOT_ACCEPTABLE),
        ("?watch=true", "application/yaml, application/json;q=0.1", StatusCode::OK),
    ] {
        let mut request = request(Method::GET, &format!("{PODS}{query}"), &Value::Null);
        request.headers_mut().insert("accept", accept.parse().expect("a header"));
        assert_eq!(server.handle(request, time(0)).response.status(), expected, "{query} {accept}");
    }
}

#[test]
fn subresources_have_no_paths_below_them() {
    let server = server();
    send(&server, Method::POST, PODS, &pod("a"));
    for (path, expected) in [
        ("/api/v1/namespaces/default/pods/a/", StatusCode::OK),
        ("/api/v1/namespaces/default/pods/a/status", StatusCode::OK),
        ("/api/v1/namespaces/default/pods/a/status/", StatusCode::OK),
        ("/api/v1/namespaces/default/pods/a/status/x", StatusCode::NOT_FOUND),
    ] {
        assert_eq!(get(&server, path).0, expected, "{path}");
    }
}

/// A server with the kinds of reviews, as documents have them.
fn server_of_reviews(group: &str, plural: &str, kind: &str) -> Server {
    let server = server();
    let named = json!({"group": group, "version": "v1", "kind": kind});
    let any = json!({"type": "object"});
    server.add_document(&json!({
        "paths": {
            format!("/apis/{group}/v1/{plural}"): {"post": {"x-kubernetes-group-version-kind": named}},
        },
        "components": {"schemas": {kind: {
            "type": "object", "x-kubernetes-group-version-kind": [named],
            "properties": {"spec": any, "status": any, "metadata": any},
        }}},
    }));
    server
}

#[test]
fn reviews_allow_everything_and_accept_no_token() {
    for (group, plural, kind, pointer, expected) in [
        ("authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview", "/status/allowed", json!(true)),
        (
            "authorization.k8s.io",
            "selfsubjectrulesreviews",
            "SelfSubjectRulesReview",
            "/status/resourceRules/0/verbs",
            json!(["*"]),
        ),
        ("authentication.k8s.io", "tokenreviews", "TokenReview", "/status/error", json!("invalid bearer token")),
        (
            "authentication.k8s.io",
            "selfsubjectreviews",
            "SelfSubjectReview",
            "/status/userInfo/username",
            json!("admin"),
        ),
        (
            "authentication.k8s.io",
            "selfsubjectreviews",
            "SelfSubjectReview",
            "/metadata/creationTimestamp",
            json!("2023-11-14T22:13:20Z"),
        ),
        ("authentication.k8s.io", "otherreviews", "OtherReview", "/status", Value::Null),
    ] {
        let server = server_of_reviews(group, plural, kind);
        let review = json!({"apiVersion": format!("{group}/v1"), "kind": kind, "spec": {}});
        let (code, reviewed) = send(&server, Method::POST, &format!("/apis/{group}/v1/{plural}"), &review);
        let found = reviewed.pointer(pointer).unwrap_or(&Value::Null);
        assert_eq!((code, found), (StatusCode::CREATED, &expected), "{reviewed}");
    }
}

#[test]
fn reviews_have_the_namespace_of_their_path() {
    let server = server();
    let (group, kind) = ("authorization.k8s.io", "LocalSubjectAccessReview");
    let path = |namespace: &str| format!("/apis/{group}/v1/namespaces/{namespace}/localsubjectaccessreviews");
    let named = json!({"group": group, "version": "v1", "kind": kind});
    let any = json!({"type": "object"});
    server.add_document(&json!({
        "paths": {path("{namespace}"): {"post": {"x-kubernetes-group-version-kind": named}}},
        "components": {"schemas": {kind: {
            "type": "object", "x-kubernetes-group-version-kind": [named],
            "properties": {"spec": any, "status": any, "metadata": any},
        }}},
    }));
    let review = |metadata: &Value, spec: &Value| {
        let review = json!({"apiVersion": format!("{group}/v1"), "kind": kind, "metadata": metadata, "spec": spec});
        send(&server, Method::POST, &path("default"), &review)
    };
    for metadata in [json!({}), json!({"namespace": "default"})] {
        let (code, reviewed) = review(&metadata, &json!({}));
        assert_eq!((code, &reviewed["metadata"]["namespace"]), (StatusCode::CREATED, &json!("default")), "{reviewed}");
        assert_eq!(reviewed["status"], json!({"allowed": true}));
    }
    let (code, refusal) = review(&json!({"namespace": "other"}), &json!({}));
    let message = "the namespace of the provided object does not match the namespace sent on the request";
    assert_eq!((code, &refusal["message"]), (StatusCode::BAD_REQUEST, &json!(message)));
    let deep = (0..110).fold(json!({}), |inner, _| json!({"a": inner}));
    assert_eq!(review(&json!({}), &deep).0, StatusCode::BAD_REQUEST);
}

#[test]
fn discovery_has_the_media_types_of_servers() {
    let server = server();
    let ask = |path: &str, accept: &str| {
        let request = http::Request::get(path).header("accept", accept).body(Vec::new()).expect("a request");
        let response = server.handle(request, time(0)).response;
        let content_type = response.headers()["content-type"].to_str().expect("text").to_owned();
        (response.status().as_u16(), content_type)
    };
    for path in ["/apis", "/api/v1", "/apis/coordination.k8s.io"] {
        for (accept, code, form) in [
            ("application/json", 200, "application/json"),
            ("application/yaml", 200, "application/yaml"),
            ("text/html, */*;q=0.1", 200, "application/json"),
            ("application/json;as=Table;v=v1;g=meta.k8s.io", 406, "application/json"),
            ("application/json;as=Table;v=v1;g=meta.k8s.io, application/json", 200, "application/json"),
            ("text/html", 406, "application/json"),
        ] {
            assert_eq!(ask(path, accept), (code, form.to_owned()), "{path} {accept}");
        }
    }
}

#[test]
fn options_that_contradict_each_other_are_refused_at_once() {
    let server = server();
    for (query, expected) in [
        ("resourceVersionMatch=Exact&continue=x&sendInitialEvents=true", 3),
        ("resourceVersionMatch=Nope&resourceVersion=0", 1),
        ("watch=true&resourceVersionMatch=Exact", 2),
        ("watch=true&resourceVersionMatch=Exact&sendInitialEvents=true&continue=x", 3),
    ] {
        let request = request(Method::GET, &format!("{PODS}?{query}"), &Value::Null);
        let (head, body) = server.handle(request, time(0)).response.into_parts();
        let refusal: Value = serde_json::from_slice(&body.into_whole().expect("no stream")).expect("JSON");
        let causes = refusal["details"]["causes"].as_array().map(Vec::len);
        assert_eq!((head.status, causes), (StatusCode::UNPROCESSABLE_ENTITY, Some(expected)), "{query}: {refusal}");
    }
}

#[test]
fn objects_that_etcd_does_not_take_are_refused() {
    let server = server();
    let annotated = |size: usize| {
        let mut pod = crate::testing::pod("large");
        pod["spec"]["containers"] = json!([{"name": "a", "image": "x".repeat(size)}]);
        pod
    };
    for (size, expected) in [(2_200_000, "larger than max"), (1_700_000, "etcdserver: request is too large")] {
        let (code, refusal) = send(&server, Method::POST, PODS, &annotated(size));
        assert_eq!(code, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(refusal["message"].as_str().is_some_and(|message| message.contains(expected)), "{refusal}");
    }
    assert_eq!(send(&server, Method::POST, PODS, &annotated(1_400_000)).0, StatusCode::CREATED);
}
