//! `fieldValidation`: unknown and repeated members.

use crate::testing::{request, server, time, whole};
use http::{Method, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

const PODS: &str = "/api/v1/namespaces/default/pods";
const WIDGETS: &str = "/apis/example.com/v1/namespaces/default/widgets";

/// A pod with one label twice, an unknown member twice, and another one in a container.
const ODD_POD: &str = r#"{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "a", "labels": {"x": "1", "x": "2"}},
    "spec": {"nope": 1, "nope": 2, "containers": [{"name": "main", "image": "a", "image": "b", "no": {}}]}}"#;

fn widgets() -> Server {
    let server = server();
    let names = json!({"plural": "widgets", "kind": "Widget"});
    let spec = json!({"type": "object", "properties": {"size": {"type": "integer"}}});
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}});
    let versions = json!([{"name": "v1", "served": true, "schema": schema}]);
    let spec = json!({"group": "example.com", "scope": "Namespaced", "names": names, "versions": versions});
    server.add_definition(&json!({"spec": spec})).expect("a definition");
    server
}

/// Sends a request, and returns status code, body, and the texts of the warnings.
fn send(
    server: &Server,
    method: Method,
    path: &str,
    media_type: &str,
    body: &str,
) -> (StatusCode, Value, Vec<String>) {
    let mut request = request(method, path, &Value::Null);
    *request.body_mut() = body.as_bytes().to_vec();
    request.headers_mut().insert("content-type", media_type.parse().expect("a media type"));
    let reply = server.handle(request, time(0));
    let warnings = reply.response.headers().get_all("warning").iter();
    let text = |warning: &str| {
        serde_json::from_str(warning.strip_prefix("299 - ").expect("a code")).expect("a string")
    };
    let warnings =
        warnings.map(|warning| text(str::from_utf8(warning.as_bytes()).expect("UTF-8"))).collect();
    let (code, body) = whole(reply);
    (code, body, warnings)
}

const JSON: &str = "application/json";

#[test]
fn odd_members_are_warned_of() {
    let server = server();
    server.built_in_rules(false);
    let expected = [
        "duplicate field \"metadata.labels.x\"",
        "unknown field \"spec.nope\"",
        "duplicate field \"spec.containers[0].image\"",
        "unknown field \"spec.containers[0].no\"",
    ];
    for query in ["dryRun=All", "dryRun=All&fieldValidation=Warn", ""] {
        let (code, body, warnings) =
            send(&server, Method::POST, &format!("{PODS}?{query}"), JSON, ODD_POD);
        assert_eq!(code, StatusCode::CREATED, "{body}");
        assert_eq!(warnings, expected, "{query}");
        // The last one counts.
        assert_eq!(body["metadata"]["labels"]["x"], "2");
        assert_eq!(body["spec"]["containers"][0]["image"], "b");
    }
    let (code, _, warnings) = send(&server, Method::PUT, &format!("{PODS}/a"), JSON, ODD_POD);
    assert_eq!((code, warnings), (StatusCode::OK, expected.map(str::to_owned).to_vec()));
}

#[test]
fn odd_members_can_be_ignored_or_refused() {
    let server = server();
    let target = |validation| format!("{PODS}?fieldValidation={validation}");
    let (code, body, _) = send(&server, Method::POST, &target("Strict"), JSON, ODD_POD);
    assert_eq!(code, StatusCode::BAD_REQUEST);
    let problems = "strict decoding error: duplicate field \"metadata.labels.x\", unknown field \
                    \"spec.nope\", duplicate field \"spec.containers[0].image\", unknown field \
                    \"spec.containers[0].no\"";
    assert_eq!(
        body["message"],
        format!("Pod in version \"v1\" cannot be handled as a Pod: {problems}")
    );
    let (code, body, _) = send(&server, Method::POST, &target("Sometimes"), JSON, ODD_POD);
    assert_eq!((code, &body["reason"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("Invalid")));
    let (code, _, warnings) = send(&server, Method::POST, &target("Ignore"), JSON, ODD_POD);
    assert_eq!((code, warnings), (StatusCode::CREATED, Vec::new()));
}

#[test]
fn members_of_custom_resources_are_reported_twice_if_they_are_unknown_and_repeated() {
    let server = widgets();
    let odd = r#"{"kind": "Widget", "apiVersion": "example.com/v1", "metadata": {"name": "a"},
        "spec": {"size": 1, "size": 2, "nope": 1, "nope": 2}}"#;
    let (code, body, warnings) = send(&server, Method::POST, WIDGETS, JSON, odd);
    assert_eq!((code, &body["spec"]), (StatusCode::CREATED, &json!({"size": 2})));
    assert_eq!(
        warnings,
        [
            "duplicate field \"spec.size\"",
            "duplicate field \"spec.nope\"",
            "unknown field \"spec.nope\""
        ]
    );
}

#[test]
fn patches_are_validated_too() {
    let server = widgets();
    let widget =
        json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}});
    server.create(&widget).expect("a widget");
    let merge = "application/merge-patch+json";
    let odd = r#"{"spec": {"size": 1, "size": 2, "nope": 1}}"#;
    let strict = format!("{WIDGETS}/a?fieldValidation=Strict");
    let (code, body, _) = send(&server, Method::PATCH, &strict, merge, odd);
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    let message = body["message"].as_str().unwrap_or_default();
    let problems =
        "strict decoding error: duplicate field \"spec.size\", unknown field \"spec.nope\"";
    assert!(message.ends_with(problems), "{message}");
    let (code, body, warnings) = send(&server, Method::PATCH, &format!("{WIDGETS}/a"), merge, odd);
    assert_eq!((code, &body["spec"]), (StatusCode::OK, &json!({"size": 2})));
    assert_eq!(warnings, ["duplicate field \"spec.size\"", "unknown field \"spec.nope\""]);
}

#[test]
fn configurations_report_keys_with_their_lines() {
    let server = widgets();
    let config = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n  size: \
                  1\n  size: 2\n";
    let apply = "application/apply-patch+yaml";
    let target = |validation| format!("{WIDGETS}/a?fieldManager=m&fieldValidation={validation}");
    let (code, body, _) = send(&server, Method::PATCH, &target("Strict"), apply, config);
    assert_eq!(code, StatusCode::BAD_REQUEST);
    let what = "yaml: unmarshal errors:\n  line 6: key \"size\" already set in map";
    assert_eq!(body["message"], format!("error strict decoding YAML: {what}"));
    let (code, body, warnings) = send(&server, Method::PATCH, &target("Warn"), apply, config);
    assert_eq!((code, &body["spec"]), (StatusCode::CREATED, &json!({"size": 2})));
    assert_eq!(warnings, ["line 6: key \"size\" already set in map"]);
}

#[test]
fn configurations_of_objects_that_exist_need_no_name() {
    let server = widgets();
    let widget =
        json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}});
    server.create(&widget).expect("a widget");
    let stated = [json!(null), json!({}), json!({"name": ""}), json!({"name": null})];
    for (size, metadata) in stated.into_iter().enumerate() {
        let mut config = widget.clone();
        config["metadata"] = metadata;
        config["spec"] = json!({"size": size});
        let target = format!("{WIDGETS}/a?fieldManager=m");
        let (code, body, _) = send(
            &server,
            Method::PATCH,
            &target,
            "application/apply-patch+yaml",
            &config.to_string(),
        );
        assert_eq!(
            (code, &body["spec"]["size"]),
            (StatusCode::OK, &json!(size)),
            "{config}: {body}"
        );
        assert_eq!(body["metadata"]["name"], "a", "{config}");
        // It does without a name only where there is one.
        let target = format!("{WIDGETS}/other?fieldManager=m");
        let (code, body, _) = send(
            &server,
            Method::PATCH,
            &target,
            "application/apply-patch+yaml",
            &config.to_string(),
        );
        assert_eq!(code, StatusCode::BAD_REQUEST, "{config}: {body}");
    }
}

#[test]
fn configurations_in_json_report_keys_with_their_lines() {
    let server = widgets();
    // No YAML: it has tabs between its tokens.
    let config = "{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\",\n\t\"metadata\": \
                  {\"name\": \"a\"},\n\t\"spec\": {\"size\": 1, \"size\": 2}}";
    let strict = format!("{WIDGETS}/a?fieldManager=m&fieldValidation=Strict");
    let (code, body, _) =
        send(&server, Method::PATCH, &strict, "application/apply-patch+yaml", config);
    assert_eq!(code, StatusCode::BAD_REQUEST);
    let what = "yaml: unmarshal errors:\n  line 3: key \"size\" already set in map";
    assert_eq!(body["message"], format!("error strict decoding YAML: {what}"));
}

#[test]
fn warnings_are_utf_8() {
    let server = server();
    server.built_in_rules(false);
    let odd =
        r#"{"metadata": {"name": "a"}, "spec": {"gr\u00f6\u00dfe\\": 1, "a\"b": 2, "\u0001": 3}}"#;
    let (code, _, warnings) = send(&server, Method::POST, PODS, JSON, odd);
    assert_eq!(code, StatusCode::CREATED);
    let expected = [
        "unknown field \"spec.gr\u{f6}\u{df}e\\\\\"",
        "unknown field \"spec.a\\\"b\"",
        "unknown field \"spec.\\x01\"",
    ];
    assert_eq!(warnings, expected);
}

#[test]
fn warnings_are_as_long_as_those_of_servers() {
    let server = widgets();
    let warnings = |lengths: &[usize]| {
        let members: Vec<_> = lengths
            .iter()
            .enumerate()
            .map(|(index, length)| format!("\"{}{index:03}\": 1", "x".repeat(*length - 3)))
            .collect();
        let body = format!(
            r#"{{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {{"name": "a"}}, {}}}"#,
            members.join(", ")
        );
        let target = format!("{WIDGETS}?dryRun=All");
        let (code, body, warnings) = send(&server, Method::POST, &target, JSON, &body);
        assert_eq!(code, StatusCode::CREATED, "{body}");
        warnings.iter().map(String::len).collect::<Vec<_>>()
    };
    // `unknown field` and quotes are 16 characters.
    assert_eq!(warnings(&[1000, 1000, 1000, 1000]), [1016; 4]);
    // One character too many.
    assert_eq!(warnings(&[1000, 1000, 1000, 1033]), [256; 4]);
    assert_eq!(warnings(&[5000; 100]), [256; 16]);
    assert_eq!(warnings(&[20; 100]), [36; 100]);
}

#[test]
fn finalizers_without_a_prefix_are_warned_of() {
    let server = widgets();
    let text = r#"{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a", "finalizers": ["b.io", "a", "orphan", "c.io/d"]}}"#;
    let (code, _, warnings) = send(&server, Method::POST, WIDGETS, JSON, text);
    let advice = |name: &str, path: &str| {
        format!(
            "metadata.finalizers: \"{name}\": prefer a domain-qualified finalizer name{path} to \
             avoid accidental conflicts with other finalizer writers"
        )
    };
    let expected = [advice("a", ""), advice("b.io", " including a path (/)")];
    assert_eq!((code, warnings), (StatusCode::CREATED, expected.to_vec()));
    let patch = r#"{"metadata": {"finalizers": ["a", "e", "c.io/d"]}}"#;
    let form = "application/merge-patch+json";
    let (code, _, warnings) = send(&server, Method::PATCH, &format!("{WIDGETS}/a"), form, patch);
    assert_eq!((code, warnings), (StatusCode::OK, vec![advice("e", "")]));
}
