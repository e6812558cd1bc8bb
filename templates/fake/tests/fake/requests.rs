//! Probes, media types of watches, and reviews.

use crate::testing::{PODS, get, pod, request, send, server, time, types, watch, whole};
use http::{Method, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

#[test]
fn probes_of_the_server_can_be_head_requests() {
    let server = server();
    for (method, expected) in [(Method::GET, "ok"), (Method::HEAD, "")] {
        let (head, body) =
            server.handle(request(method, "/readyz", &Value::Null), time(0)).response.into_parts();
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
        (
            "authorization.k8s.io",
            "subjectaccessreviews",
            "SubjectAccessReview",
            "/status/allowed",
            json!(true),
        ),
        (
            "authorization.k8s.io",
            "selfsubjectrulesreviews",
            "SelfSubjectRulesReview",
            "/status/resourceRules/0/verbs",
            json!(["*"]),
        ),
        (
            "authentication.k8s.io",
            "tokenreviews",
            "TokenReview",
            "/status/error",
            json!("invalid bearer token"),
        ),
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
        let review =
            json!({"apiVersion": format!("{group}/v1"), "kind": kind, "spec": {"token": "a"}});
        let (code, reviewed) =
            send(&server, Method::POST, &format!("/apis/{group}/v1/{plural}"), &review);
        let found = reviewed.pointer(pointer).unwrap_or(&Value::Null);
        assert_eq!((code, found), (StatusCode::CREATED, &expected), "{reviewed}");
    }
}

#[test]
fn reviews_have_the_namespace_of_their_path() {
    let server = server();
    let group = "authorization.k8s.io";
    let kind = "LocalSubjectAccessReview";
    let path = |namespace: &str| {
        format!("/apis/{group}/v1/namespaces/{namespace}/localsubjectaccessreviews")
    };
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
        assert_eq!(
            (code, &reviewed["metadata"]["namespace"]),
            (StatusCode::CREATED, &json!("default")),
            "{reviewed}"
        );
        assert_eq!(reviewed["status"], json!({"allowed": true}));
    }
    let (code, refusal) = review(&json!({"namespace": "other"}), &json!({}));
    let message =
        "the namespace of the provided object does not match the namespace sent on the request";
    assert_eq!((code, &refusal["message"]), (StatusCode::BAD_REQUEST, &json!(message)));
    let deep = (0..110).fold(json!({}), |inner, _| json!({"a": inner}));
    assert_eq!(review(&json!({}), &deep).0, StatusCode::BAD_REQUEST);
}

#[test]
fn discovery_has_the_media_types_of_servers() {
    let server = server();
    let ask = |path: &str, accept: &str| {
        let request =
            http::Request::get(path).header("accept", accept).body(Vec::new()).expect("a request");
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
            (
                "application/json;as=Table;v=v1;g=meta.k8s.io, application/json",
                200,
                "application/json",
            ),
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
        let refusal: Value =
            serde_json::from_slice(&body.into_whole().expect("no stream")).expect("JSON");
        let causes = refusal["details"]["causes"].as_array().map(Vec::len);
        assert_eq!(
            (head.status, causes),
            (StatusCode::UNPROCESSABLE_ENTITY, Some(expected)),
            "{query}: {refusal}"
        );
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
    for (size, expected) in
        [(2_200_000, "larger than max"), (1_700_000, "etcdserver: request is too large")]
    {
        let (code, refusal) = send(&server, Method::POST, PODS, &annotated(size));
        assert_eq!(code, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(
            refusal["message"].as_str().is_some_and(|message| message.contains(expected)),
            "{refusal}"
        );
    }
    assert_eq!(send(&server, Method::POST, PODS, &annotated(1_400_000)).0, StatusCode::CREATED);
}

#[test]
fn field_managers_are_short_and_printable() {
    let server = server();
    server.built_in_rules(false);
    let refusal = |manager: &str| {
        let path = format!("{PODS}?fieldManager={manager}");
        let object = json!({"metadata": {"generateName": "a"}});
        let (code, refusal) = send(&server, Method::POST, &path, &object);
        let causes = refusal["details"]["causes"].as_array().cloned().unwrap_or_default();
        let messages: Vec<_> = causes
            .iter()
            .map(|cause| cause["message"].as_str().unwrap_or_default().to_owned())
            .collect();
        (code, messages)
    };
    let odd = |value: &str, position: usize| {
        format!(
            "Invalid value: \"{value}\": should only contain printable characters (at position \
             {position})"
        )
    };
    // A tab, a soft hyphen, a private and an unassigned character, and a space outside of ASCII.
    for (manager, shown, positions) in [
        ("a%09b%09", r"a\tb\t", vec![1, 3]),
        ("a%C2%ADb", r"a\u00adb", vec![1]),
        ("%EE%80%80", r"\ue000", vec![0]),
        ("%CD%B8%CD%B8", r"\u0378\u0378", vec![0, 2]),
        ("a%C2%A0b", r"a\u00a0b", vec![1]),
        ("%F0%9F%98%80%F3%A0%80%81", "\u{1f600}\\U000e0001", vec![4]),
    ] {
        let expected: Vec<_> = positions.iter().map(|position| odd(shown, *position)).collect();
        assert_eq!(refusal(manager), (StatusCode::UNPROCESSABLE_ENTITY, expected), "{manager}");
    }
    // Printable are letters of any script, marks, quotes, and the space of ASCII.
    for manager in ["e%CC%81", "%CC%81", "%E4%B8%AD", "a+b", "%22%27%5C"] {
        assert_eq!(refusal(manager).0, StatusCode::CREATED, "{manager}");
    }
    let long = "a".repeat(128);
    let expected = vec![
        "Too long: may not be more than 128 bytes".to_owned(),
        odd(&format!(r"{long}\t"), 128),
    ];
    assert_eq!(refusal(&format!("{long}%09")).1, expected);
    // The value is shown with each position: in a name that is far too long, not all of them are
    // reported.
    assert_eq!(refusal(&"%09".repeat(16_000)).1.len(), 3);
}

#[test]
fn wrong_options_are_refused_at_once_before_the_body_is_decoded() {
    let server = server();
    let fields = |method: Method, path: &str, media_type: &str, body: &str| {
        let request = http::Request::builder().method(method).uri(format!("{PODS}{path}"));
        let request =
            request.header("content-type", media_type).body(body.to_owned()).expect("a request");
        let (code, refusal) = whole(server.handle(request, time(0)));
        assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{path}: {refusal}");
        let causes = refusal["details"]["causes"].as_array().expect("causes");
        causes
            .iter()
            .map(|cause| cause["field"].as_str().expect("a field").to_owned())
            .collect::<Vec<_>>()
    };
    let odd = "dryRun=All&dryRun=x&fieldManager=%09&fieldValidation=x";
    let json = "application/json";
    for (method, path) in [(Method::POST, ""), (Method::PUT, "/a")] {
        let found = fields(method, &format!("{path}?{odd}"), json, "{");
        assert_eq!(found, ["fieldManager", "dryRun", "fieldValidation"]);
    }
    let merge = "application/merge-patch+json";
    let found = fields(Method::PATCH, &format!("/a?{odd}&force=false"), merge, "{");
    assert_eq!(found, ["force", "fieldManager", "dryRun", "fieldValidation"]);
    let apply = "application/apply-patch+yaml";
    assert_eq!(
        fields(Method::PATCH, "/a?force=true&dryRun=", apply, "{"),
        ["fieldManager", "dryRun"]
    );
    // A delete has no manager, and the options of the body replace the query.
    let odd = "?propagationPolicy=x&orphanDependents=1&dryRun=x&fieldManager=%09";
    let expected = ["propagationPolicy", "propagationPolicy", "dryRun"];
    assert_eq!(fields(Method::DELETE, &format!("/a{odd}"), json, ""), expected);
    let body = r#"{"propagationPolicy": "x", "orphanDependents": true, "dryRun": ["All", "x"]}"#;
    assert_eq!(fields(Method::DELETE, "/a?dryRun=All", json, body), expected);
}

/// Sends a patch in this form.
fn patched(server: &Server, path: &str, form: &str, change: &Value) -> (StatusCode, Value) {
    let mut request = request(Method::PATCH, path, change);
    let form = format!("application/{form}-patch+json");
    request.headers_mut().insert("content-type", form.parse().expect("a media type"));
    whole(server.handle(request, time(0)))
}

#[test]
fn patches_change_neither_kind_nor_version() {
    let server = server();
    let names = json!({"plural": "gears", "kind": "Gear"});
    let version = |name: &str| json!({"name": name, "served": true, "storage": name == "v1", "schema": {"openAPIV3Schema": {"type": "object"}}});
    let spec = json!({"group": "a.io", "scope": "Cluster", "names": names, "versions": [version("v1"), version("v2")]});
    server.add_definition(&json!({"spec": spec})).expect("a definition");
    let gear = json!({"apiVersion": "a.io/v1", "kind": "Gear", "metadata": {"name": "a"}});
    server.create(&gear).expect("a gear");
    server.create(&pod("a")).expect("a pod");
    for (path, form, patch, expected) in [
        (
            "/apis/a.io/v1/gears/a",
            "merge",
            json!({"kind": "X"}),
            "kind: Invalid value: \"X\": must be Gear",
        ),
        (
            "/apis/a.io/v1/gears/a",
            "merge",
            json!({"apiVersion": "a.io/v2"}),
            "apiVersion: Invalid value: \"a.io/v2\": must be a.io/v1",
        ),
        (
            "/apis/a.io/v1/gears/a",
            "json",
            json!([{"op": "replace", "path": "/apiVersion", "value": "b.io/v1"}]),
            "apiVersion: Invalid value: \"b.io/v1\": must be a.io/v1",
        ),
        (
            "/api/v1/namespaces/default/pods/a",
            "merge",
            json!({"kind": "Endpoints"}),
            "converting (v1.Endpoints) to (core.Pod): unknown conversion",
        ),
    ] {
        let (code, refusal) = patched(&server, path, form, &patch);
        assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{patch}: {refusal}");
        let message = refusal["message"].as_str().expect("a message");
        assert!(message.contains(expected), "{message}");
    }
    // A strategic patch is merged into the struct, and nothing changes its kind.
    let path = "/api/v1/namespaces/default/pods/a";
    let change = json!({"kind": "Endpoints", "spec": {"activeDeadlineSeconds": 2.0}});
    let (code, pod) = patched(&server, path, "strategic-merge", &change);
    let seconds = &pod["spec"]["activeDeadlineSeconds"];
    assert_eq!((code, &pod["kind"], seconds), (StatusCode::OK, &json!("Pod"), &json!(2)), "{pod}");
}

#[test]
fn values_of_field_selectors_are_escaped() {
    let server = server();
    let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string"}}}}});
    let version = json!({
        "name": "v1", "served": true, "schema": {"openAPIV3Schema": schema},
        "selectableFields": [{"jsonPath": ".spec.a"}],
    });
    let names = json!({"plural": "gears", "kind": "Gear"});
    let spec = json!({"group": "a.io", "scope": "Cluster", "names": names, "versions": [version]});
    server.add_definition(&json!({"spec": spec})).expect("a definition");
    for (name, value) in [("comma", "x,y"), ("equal", "x=y"), ("slash", r"x\y"), ("end", r"x\")] {
        let gear = json!({"apiVersion": "a.io/v1", "kind": "Gear", "metadata": {"name": name}, "spec": {"a": value}});
        server.create(&gear).expect("a gear");
    }
    let list = |selector: &str| {
        let selector = selector.replace('=', "%3D").replace('\\', "%5C");
        get(&server, &format!("/apis/a.io/v1/gears?fieldSelector={selector}"))
    };
    for (selector, expected) in [
        (r"spec.a=x\,y", vec!["comma"]),
        (r"spec.a==x\=y,metadata.name=equal", vec!["equal"]),
        (r"spec.a=x\\y", vec!["slash"]),
        (r"spec.a=x\\,metadata.name!=comma", vec!["end"]),
        (r"spec.a!=x\,y,spec.a!=x\\", vec!["equal", "slash"]),
    ] {
        let (code, found) = list(selector);
        assert_eq!(code, StatusCode::OK, "{selector}: {found}");
        let items = found["items"].as_array().expect("items").iter();
        let found: Vec<_> =
            items.map(|item| item["metadata"]["name"].as_str().expect("a name")).collect();
        assert_eq!(found, expected, "{selector}");
    }
    for (selector, expected) in [
        (r"spec.a=x\y", r"invalid field selector: invalid escape sequence: \y"),
        (r"spec.a=x\", r"invalid field selector: invalid escape sequence: \"),
        ("spec.a=x=y", "invalid field selector: unescaped character in value: 61"),
        ("spec.a=x,y", "invalid selector: 'spec.a=x,y'; can't understand 'y'"),
    ] {
        let (code, refusal) = list(selector);
        assert_eq!((code, &refusal["message"]), (StatusCode::BAD_REQUEST, &json!(expected)));
    }
}

#[test]
fn watches_begin_where_they_are_told() {
    let server = server();
    server.create(&pod("a")).expect("a pod");
    for version in ["", "&resourceVersion=0"] {
        let options = "sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
        let mut events = watch(&server, &format!("{options}{version}"));
        assert_eq!(types(&mut events, time(0)).0, [""; 0]);
        server.create(&pod(&format!("b{}", version.len()))).expect("a pod");
        assert_eq!(types(&mut events, time(0)).0, ["ADDED"]);
    }
    let (code, refusal) = get(&server, &format!("{PODS}?watch=true&continue=a"));
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{refusal}");
    assert_eq!(refusal["details"]["causes"][0]["field"], "continue");
}
