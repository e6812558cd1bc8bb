//! Malicious requests: none panics, and each costs a small multiple of its size.

use crate::testing::{pod, request, send, server, time, whole};
use http::{Method, Request, StatusCode};
use kapigen_fake::{ReplyBody, Server};
use proptest::prelude::*;
use serde_json::{Value, json};

const PODS: &str = "/api/v1/namespaces/default/pods";

const SEGMENTS: &[&str] = &[
    "api",
    "apis",
    "v1",
    "apps",
    "namespaces",
    "default",
    "pods",
    "a",
    "status",
    "log",
    "eviction",
    "binding",
    "scale",
    "watch",
    "events",
    "apiextensions.k8s.io",
    "customresourcedefinitions",
    "a.io",
    "gears",
    "v3",
    "",
    ".",
    "..",
    "%2F",
    "%2e%2e",
    "%00",
    "%ff",
    "%",
    "openapi",
];
const QUERIES: &[&str] = &[
    "watch=true",
    "watch=0",
    "limit=-1",
    "limit=9223372036854775807",
    "limit=x",
    "continue=e30",
    "continue=%ff",
    "resourceVersion=18446744073709551615",
    "resourceVersion=-1",
    "labelSelector=a%20in%20(",
    "labelSelector=!!",
    "fieldSelector=metadata.name%3D",
    "timeoutSeconds=-9223372036854775808",
    "timeoutSeconds=9223372036854775807",
    "sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
    "fieldManager=%00",
    "tailLines=-1&follow=1",
    "sinceSeconds=9223372036854775807",
    "gracePeriodSeconds=9223372036854775807",
    "dryRun=All",
];
const BODIES: &[&str] = &[
    "",
    "{",
    "[]",
    "null",
    "1e999",
    "\"x\"",
    "{\"metadata\":[]}",
    "{\"metadata\":{\"name\":1}}",
    "{\"metadata\":{\"name\":\"a\",\"labels\":[]}}",
    "[{\"op\":\"add\",\"path\":\"/metadata\",\"value\":[]}]",
    "[{\"op\":\"replace\",\"path\":\"\",\"value\":1}]",
    "{\"metadata\":{\"finalizers\":{}}}",
    "&a [*a, *a]",
    "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"managedFields\":[{}]},\
     \"spec\":{}}",
];
const TYPES: &[&str] = &[
    "application/json",
    "application/yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
    "text/html",
];
/// Forms of responses, including some that no server has.
const FORMS: &[&str] = &[
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=Table;v=v9;g=meta.k8s.io,application/json;q=0",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io",
    "application/json;drop=metadata.managedFields",
    "application/json;drop=,;drop;=;;",
    "application/yaml;q=1e999;a=\"",
    ",,;q=9",
];
const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "BREW"];

/// Existing paths below the collection.
const PATHS: &[&str] =
    &["", "/a", "/a/status", "/a/log", "/a/eviction", "/a/binding", "/a/ephemeralcontainers"];

fn hostile_request() -> impl Strategy<Value = Request<Vec<u8>>> {
    let choose = |words: &'static [&'static str]| proptest::sample::select(words);
    let path = proptest::collection::vec(choose(SEGMENTS), 0..9);
    let query = proptest::collection::vec(choose(QUERIES), 0..3);
    let body = prop_oneof![
        choose(BODIES).prop_map(|body| body.as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 0..40),
    ];
    let accept = prop_oneof![choose(TYPES), choose(FORMS)];
    (choose(METHODS), path, query, choose(TYPES), accept, body).prop_map(
        |(method, path, query, content_type, accept, body)| {
            let uri = format!("/{}?{}", path.join("/"), query.join("&"));
            let built =
                Request::builder().method(method).uri(uri).header("content-type", content_type);
            built.header("accept", format!("{accept},*/*;q=0.1")).body(body).expect("a request")
        },
    )
}

/// A request with a body that the server reads.
fn aimed_request() -> impl Strategy<Value = Request<Vec<u8>>> {
    (hostile_request(), proptest::sample::select(PATHS)).prop_map(|(mut request, path)| {
        let uri = format!("{PODS}{path}?{}", request.uri().query().unwrap_or_default());
        *request.uri_mut() = uri.parse().expect("a URI");
        request
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_request_has_a_response(
        requests in proptest::collection::vec(prop_oneof![hostile_request(), aimed_request()], 1..20),
    ) {
        let server = server();
        server.create(&pod("a")).expect("a pod");
        for request in requests {
            let response = server.handle(request, time(0)).response;
            prop_assert!((200..600).contains(&response.status().as_u16()));
            if let ReplyBody::Stream(mut events) = response.into_body() {
                let _ = events.next(time(i64::from(u32::MAX)));
            }
        }
        // It still does its work.
        server.create(&pod("after")).expect("a pod");
    }
}

#[test]
fn bodies_over_the_limit_are_refused() {
    let server = server();
    let mut large = pod("a");
    large["metadata"]["annotations"] = json!({"a": "x".repeat(3 << 20)});
    let (code, status) = send(&server, Method::POST, PODS, &large);
    assert_eq!(
        (code, &status["reason"]),
        (StatusCode::PAYLOAD_TOO_LARGE, &json!("RequestEntityTooLarge"))
    );
    large["metadata"]["annotations"] = json!({"a": "x".repeat(3 << 17)});
    let (code, status) = send(&server, Method::POST, PODS, &large);
    let message =
        "Pod \"a\" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes";
    assert_eq!((code, &status["message"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!(message)));
    large["metadata"]["annotations"] = json!({"a": "x".repeat(1 << 17)});
    assert_eq!(send(&server, Method::POST, PODS, &large).0, StatusCode::CREATED);
}

/// All that is stored can be read again.
#[test]
fn deep_objects_are_refused() {
    let server = Server::default();
    let names = json!({"plural": "widgets", "kind": "Widget"});
    let schema = json!({"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let versions = json!([{"name": "v1", "served": true, "schema": schema}]);
    let spec = json!({"group": "example.com", "scope": "Namespaced", "names": names, "versions": versions});
    server.add_definition(&json!({"spec": spec})).expect("a definition");
    let path = "/apis/example.com/v1/namespaces/default/widgets";
    for depth in [90, 99, 100, 110, 126, 5000] {
        let text = format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"a{depth}"}},"x":{}{}}}"#,
            r#"{"a":"#.repeat(depth) + "1",
            "}".repeat(depth)
        );
        let mut create = request(Method::POST, path, &Value::Null);
        *create.body_mut() = text.into_bytes();
        let (code, body) = whole(server.handle(create, time(0)));
        assert_eq!(
            code,
            if depth < 100 { StatusCode::CREATED } else { StatusCode::BAD_REQUEST },
            "{depth}: {body}"
        );
        let (found, body) = send(&server, Method::GET, &format!("{path}/a{depth}"), &Value::Null);
        assert_eq!(
            (found == StatusCode::OK, body["kind"] == "Widget"),
            (depth < 100, depth < 100),
            "{depth}"
        );
    }
}

/// A definition states any schema. One that is not structural is published without members.
#[test]
fn schemas_whose_properties_are_no_object_are_published() {
    for properties in [json!("x"), json!([]), json!(1), json!(true)] {
        let server = Server::default();
        let schema = json!({"openAPIV3Schema": {"type": "object", "properties": properties}});
        let versions = json!([{"name": "v1", "served": true, "schema": schema}]);
        let names = json!({"plural": "widgets", "kind": "Widget"});
        let spec =
            json!({"group": "a.io", "scope": "Namespaced", "names": names, "versions": versions});
        server.add_definition(&json!({"spec": spec})).expect("a definition");
        let (code, document) = send(&server, Method::GET, "/openapi/v3/apis/a.io/v1", &Value::Null);
        assert_eq!(code, StatusCode::OK, "{properties}");
        let published = &document["components"]["schemas"]["io.a.v1.Widget"];
        assert_eq!(
            (&published["type"], published.get("properties")),
            (&json!("object"), None),
            "{properties}"
        );
    }
}

/// Anything quadratic would take hours.
#[test]
fn large_bodies_cost_a_multiple_of_their_size() {
    let server = server();
    let many = 30_000;
    let mut odd = pod("unknown");
    (0..many).for_each(|index| odd["spec"][format!("unknown-{index}")] = json!(1));
    let reply = server.handle(request(Method::POST, PODS, &odd), time(0));
    assert_eq!(
        (reply.response.status(), reply.response.headers().get_all("warning").iter().count()),
        (StatusCode::CREATED, 100)
    );
    let mut owned = pod("owned");
    let reference = |index: usize| json!({"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": format!("{index}")});
    owned["metadata"]["ownerReferences"] = (0..many).map(reference).collect();
    // It is too large for etcd, which is checked last.
    let (code, refusal) = send(&server, Method::POST, PODS, &owned);
    assert_eq!(
        (code, refusal.get("reason")),
        (StatusCode::INTERNAL_SERVER_ERROR, None),
        "{refusal}"
    );
    let text = format!(
        "{{{}\"kind\": \"Pod\"}}",
        (0..many)
            .map(|index| format!("\"{index}\": 1, \"{index}\": 2,"))
            .collect::<Vec<_>>()
            .concat()
    );
    let mut twice = request(Method::POST, PODS, &Value::Null);
    *twice.body_mut() = text.into_bytes();
    let _ = server.handle(twice, time(0));
    let mut bad = pod("bad");
    bad["metadata"]["labels"] = (0..many).map(|index| (format!("/{index}"), json!("/"))).collect();
    assert_eq!(send(&server, Method::POST, PODS, &bad).0, StatusCode::UNPROCESSABLE_ENTITY);
}

/// A definition in which a test changes values at random.
fn definition() -> Value {
    let schema = json!({
        "type": "object", "required": ["spec"],
        "properties": {"spec": {"type": "object", "properties": {
            "size": {"type": "integer", "default": 1, "minimum": 0},
            "list": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"],
                "items": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}},
        }}},
    });
    let scale = json!({"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"});
    let version = json!({
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}, "scale": scale}, "selectableFields": [{"jsonPath": ".spec.size"}],
        "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}],
    });
    let names =
        json!({"plural": "gears", "kind": "Gear", "shortNames": ["g"], "categories": ["all"]});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gears.a.io"},
        "spec": {"group": "a.io", "scope": "Cluster", "names": names, "versions": [version]},
    })
}

/// All values within a value, each by its pointer.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    let below: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), value)).collect()
        }
        Value::Array(elements) => {
            elements.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    for (name, value) in below {
        pointers(value, &format!("{at}/{name}"), found);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whether it is refused or not, the server still responds to all later requests.
    #[test]
    fn definitions_that_were_changed_do_no_harm(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), 0..ODD.len()), 1..4),
    ) {
        let server = server();
        let mut definition = definition();
        for (at, odd) in changes {
            let mut all = Vec::new();
            pointers(&definition, "", &mut all);
            let odd: Value = serde_json::from_str(ODD[odd]).expect("JSON");
            *definition.pointer_mut(at.get::<String>(&all)).expect("a value") = odd;
        }
        // Errors are as good as kinds.
        let _ = server.add_definition(&definition);
        let gear = json!({"apiVersion": "a.io/v1", "kind": "Gear", "metadata": {"name": "a"}, "spec": {"list": [{"a": "b"}]}});
        let table = FORMS[0];
        for (method, path, body, accept) in [
            ("POST", "/apis/a.io/v1/gears", &gear, ""),
            ("GET", "/apis/a.io/v1/gears", &Value::Null, table),
            ("GET", "/apis/a.io/v1/gears?fieldSelector=spec.size%3D1", &Value::Null, ""),
            ("GET", "/apis/a.io/v1/gears/a/scale", &Value::Null, ""),
            ("GET", "/apis/a.io/v1", &Value::Null, ""),
            ("GET", "/apis", &Value::Null, FORMS[3]),
            ("GET", "/openapi/v3/apis/a.io/v1", &Value::Null, ""),
        ] {
            let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
            let request = Request::builder().method(method).uri(path).header("accept", accept);
            let response = server.handle(request.body(body).expect("a request"), time(0)).response;
            prop_assert!((200..600).contains(&response.status().as_u16()), "{method} {path}: {}", response.status());
        }
    }
}

/// Values in positions where others are expected.
const ODD: &[&str] = &[
    "null",
    "true",
    "-1",
    "1e300",
    "\"\"",
    "\"/~\\u0000\"",
    "\"..\"",
    "[]",
    "[null,1,{}]",
    "{}",
    "{\"$ref\":\"#\"}",
    "{\"type\":\"object\",\"properties\":{\"\":{}}}",
];

/// Anything quadratic would take hours.
#[test]
fn large_heads_cost_a_multiple_of_their_size() {
    let server = server();
    server.seed((0..1000).map(|index| pod(&format!("p{index}")))).expect("pods");
    let clauses =
        "application/json;as=Table;v=v9;g=meta.k8s.io;drop=metadata.managedFields,".repeat(5_000);
    for [condition, none] in [["!k", "z"], ["k", "!%3Da"], ["tier%20notin%20(k", ")"]] {
        let all: Vec<_> = (0..2_000)
            .map(|index| format!("{condition}{index}{}", none.trim_matches('z')))
            .collect();
        let path = format!("{PODS}?labelSelector={},z", all.join(","));
        let (code, list) = send(&server, Method::GET, &path, &Value::Null);
        assert_eq!((code, &list["items"]), (StatusCode::OK, &json!([])), "{condition}");
    }
    let selectors = [
        "labelSelector=a%20in%20(",
        "labelSelector=a%20notin%20(",
        "fieldSelector=metadata.name!=a,",
    ];
    for selector in selectors {
        let values: String =
            (0..8_000).map(|index| format!("b{index},")).collect::<Vec<_>>().concat();
        let end = if selector.contains('(') { "c)" } else { "" };
        let values = if end.is_empty() { "metadata.name!=a,".repeat(3_000) } else { values };
        let request = Request::get(format!("{PODS}?{selector}{values}{end}"))
            .header("accept", format!("{clauses}*/*"));
        let response =
            server.handle(request.body(Vec::new()).expect("a request"), time(0)).response;
        assert_eq!(response.status(), StatusCode::OK, "{selector}");
    }
}
