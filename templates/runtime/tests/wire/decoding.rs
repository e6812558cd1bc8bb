//! Exact results and messages of decoding, at a few members that represent all others.

use openshift_api::codec::serde::deserialize_strict;
use openshift_api::coordination_v1::Lease;
use openshift_api::core_v1::{Pod, PodList};
use openshift_api::image_v1::Image;
use openshift_api::meta_v1::{DeleteOptions, ObjectMeta, RawJson, WatchEvent};
use openshift_api::{Kind, drop_unknown};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn error<T: DeserializeOwned>(text: &str) -> serde_json::Error {
    match serde_json::from_str::<T>(text) {
        Ok(_) => panic!("{text} was read"),
        Err(error) => error,
    }
}

fn back<T: DeserializeOwned + Serialize>(text: &str) -> Value {
    let value: T = serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    serde_json::to_value(value).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn errors_start_with_the_path() {
    let in_spec = [
        (
            r#"{"containers":[{"name":"a"},{"ports":[{"containerPort":"80"}]}]}"#,
            r#".containers[1].ports[0].containerPort: invalid type: string "80", expected i32 at line 1 column 67"#,
        ),
        (
            r#"{"containers":[{"ports":[{"containerPort":2147483648}]}]}"#,
            ".containers[0].ports[0].containerPort: invalid value: integer `2147483648`, expected \
             i32 at line 1 column 60",
        ),
        (
            r#"{"containers":[{"ports":[{"containerPort":80.0}]}]}"#,
            ".containers[0].ports[0].containerPort: invalid type: floating point `80.0`, expected \
             i32 at line 1 column 54",
        ),
        (
            r#"{"activeDeadlineSeconds":9223372036854775808}"#,
            ".activeDeadlineSeconds: invalid value: integer `9223372036854775808`, expected i64 \
             at line 1 column 52",
        ),
        (
            r#"{"containers":[{"ports":{"containerPort":1}}]}"#,
            ".containers[0].ports: invalid type: map, expected an array at line 1 column 32",
        ),
        (
            r#"{"containers":[{"args":["a",1]}]}"#,
            ".containers[0].args[1]: invalid type: integer `1`, expected a string at line 1 \
             column 37",
        ),
        (
            r#"{"containers":[7]}"#,
            ".containers[0]: invalid type: integer `7`, expected an object (Container) at line 1 \
             column 24",
        ),
        ("[]", ": invalid type: sequence, expected an object (PodSpec) at line 1 column 10"),
        (
            r#"{"hostNetwork":"true"}"#,
            r#".hostNetwork: invalid type: string "true", expected a boolean at line 1 column 29"#,
        ),
        (
            r#"{"containers":[{"resources":{"limits":{"cpu":"1","memory":"1 GB"}}}]}"#,
            ".containers[0].resources.limits.memory: invalid value: string \"1 GB\", expected a \
             quantity such as 500m, 2Gi or 1e3 at line 1 column 73",
        ),
        (
            r#"{"containers":[{"livenessProbe":{"httpGet":{"port":1.5}}}]}"#,
            ".containers[0].livenessProbe.httpGet.port: invalid value: floating point `1.5`, \
             expected a number of 32 bits or a string at line 1 column 62",
        ),
    ];
    for (text, message) in in_spec {
        assert_eq!(
            error::<Pod>(&format!(r#"{{"spec":{text}}}"#)).to_string(),
            format!("spec{message}")
        );
    }
}

#[test]
fn errors_quote_keys_of_maps_and_have_no_path_at_the_root() {
    let cases = [
        (
            r#"{"labels":{"app.kubernetes.io/name":1}}"#,
            r#"labels["app.kubernetes.io/name"]: invalid type: integer `1`, expected a string at line 1 column 37"#,
        ),
        (
            r#"{"labels":{"app":1}}"#,
            "labels.app: invalid type: integer `1`, expected a string at line 1 column 18",
        ),
        (
            r#"{"labels":{"":true}}"#,
            r#"labels[""]: invalid type: boolean `true`, expected a string at line 1 column 18"#,
        ),
        (
            r#"{"annotations":{"a \"b\"\n":{}}}"#,
            r#"annotations["a \"b\"\n"]: invalid type: map, expected a string at line 1 column 28"#,
        ),
        (
            r#"{"labels":["a"]}"#,
            "labels: invalid type: sequence, expected an object at line 1 column 10",
        ),
        (
            r#"{"creationTimestamp":"yesterday"}"#,
            "creationTimestamp: invalid value: string \"yesterday\", expected a time in the form \
             of RFC 3339 such as 2024-05-01T12:00:00Z at line 1 column 32",
        ),
        ("[]", "invalid type: sequence, expected an object (ObjectMeta) at line 1 column 2"),
        ("7", "invalid type: integer `7`, expected an object (ObjectMeta) at line 1 column 1"),
    ];
    for (text, message) in cases {
        assert_eq!(error::<ObjectMeta>(text).to_string(), message);
    }
    let message = error::<Image>(r#"{"signatures":[{"content":"A"}]}"#).to_string();
    assert_eq!(
        message,
        "signatures[0].content: invalid value: a string, expected base64 text with padding at \
         line 1 column 29"
    );
}

#[test]
fn errors_of_syntax_keep_their_line_and_column() {
    let cases = [
        ("", "EOF while parsing a value", 1, 0),
        ("{\n} {}", "trailing characters", 2, 3),
        ("{\"metadata\":{\"name\":\"a\",", "metadata: EOF while parsing a value", 1, 24),
        ("{\"metadata\":{\n\"name\" \"a\"}}", "metadata.name: expected `:`", 2, 8),
        (
            "{\"spec\":{\"containers\":[{}\n\n {}]}}",
            "spec.containers[1]: expected `,` or `]`",
            3,
            2,
        ),
        ("{\"spec\":{\"hostNetwork\":tru}}", "spec.hostNetwork: expected ident", 1, 27),
        ("{\"unknown\":[1,2,}", "unknown: expected value", 1, 17),
        (
            "{\"metadata\":{\"managedFields\":[{\"fieldsV1\":{\"a\":}}]}}",
            "metadata.managedFields[0].fieldsV1: expected value",
            1,
            48,
        ),
    ];
    for (text, message, line, column) in cases {
        let error = error::<Pod>(text);
        assert_eq!(
            error.to_string(),
            format!("{message} at line {line} column {column}"),
            "{text}"
        );
        assert_eq!((error.line(), error.column()), (line, column), "{text}");
    }
}

#[test]
fn errors_of_trees_and_of_yaml_start_with_the_path_once() {
    let tree = json!({"spec": {"containers": [{"ports": [{"containerPort": "http"}]}]}});
    let message =
        r#"spec.containers[0].ports[0].containerPort: invalid type: string "http", expected i32"#;
    assert_eq!(serde_json::from_value::<Pod>(tree.clone()).unwrap_err().to_string(), message);
    let yaml = serde_yaml::to_string(&tree).unwrap();
    assert_eq!(
        serde_yaml::from_str::<Pod>(&yaml).unwrap_err().to_string(),
        format!("{message} at line 4 column 22")
    );
    let wrong_kind =
        serde_yaml::from_str::<PodList>("items:\n- kind: Lease\n").unwrap_err().to_string();
    assert_eq!(
        wrong_kind,
        "items[0]: expected kind `Pod` of `v1`, found kind `Lease` at line 2 column 3"
    );
}

#[test]
fn an_object_of_another_kind_is_refused() {
    let pod = r#"{"apiVersion":"v1","kind":"Pod"}"#;
    assert_eq!(
        error::<Lease>(pod).to_string(),
        "expected kind `Lease` of `coordination.k8s.io/v1`, found kind `Pod` of `v1` at line 1 \
         column 32"
    );
    // The second half counts as well, at any position.
    assert_eq!(
        error::<Lease>(r#"{"kind":"Lease","spec":{},"apiVersion":"v1"}"#).to_string(),
        "expected kind `Lease` of `coordination.k8s.io/v1`, found kind `Lease` of `v1` at line 1 \
         column 44"
    );
    assert_eq!(
        error::<PodList>(r#"{"items":[{"kind":"PodList"}]}"#).to_string(),
        "items[0]: expected kind `Pod` of `v1`, found kind `PodList` at line 1 column 28"
    );
    // An older name of the group is the same kind.
    assert_eq!(
        error::<Image>(r#"{"apiVersion":"image.openshift.io/v2"}"#).to_string(),
        "expected kind `Image` of `v1` or kind `Image` of `image.openshift.io/v1`, found \
         apiVersion `image.openshift.io/v2` at line 1 column 38"
    );
    back::<Image>(r#"{"apiVersion":"v1","kind":"Image"}"#);
    // Every group has its own name for these.
    back::<DeleteOptions>(r#"{"apiVersion":"example.com/v1","kind":"DeleteOptions"}"#);
}

#[test]
fn a_kind_that_is_absent_stays_absent() {
    for text in ["{}", r#"{"kind":null,"apiVersion":null}"#] {
        assert_eq!(back::<Pod>(text), json!({}));
    }
    assert_eq!(
        back::<Pod>(r#"{"kind":"","apiVersion":""}"#),
        json!({"apiVersion": "", "kind": ""})
    );
    let list =
        json!({"apiVersion": "v1", "kind": "PodList", "metadata": {}, "items": [{"metadata": {}}]});
    assert_eq!(back::<PodList>(&list.to_string()), list);
    // Values that are made in Rust state it.
    assert_eq!(
        serde_json::to_value(Pod::default()).unwrap(),
        json!({"apiVersion": "v1", "kind": Pod::KIND, "metadata": {}})
    );
}

#[test]
fn null_keeps_its_place_in_lists_and_maps() {
    let sent = r#"{"metadata":{"labels":{"a":null},"finalizers":[null,"b"]},"spec":{"containers":[null],"overhead":{"cpu":null}}}"#;
    let found = json!({
        "metadata": {"labels": {"a": ""}, "finalizers": ["", "b"]},
        "spec": {"containers": [{}], "overhead": {"cpu": "0"}},
    });
    assert_eq!(back::<Pod>(sent), found);
}

#[test]
fn the_last_of_two_entries_of_a_map_counts() {
    assert_eq!(
        back::<ObjectMeta>(r#"{"labels":{"a":"1","b":"2","a":"3"}}"#),
        json!({"labels": {"a": "3", "b": "2"}})
    );
}

#[test]
fn free_json_keeps_its_text() {
    let text = r#"{"type":"ADDED","object":{"z":1.10,"a":1e400,"z":[0.0,-0,12345678901234567890123],"s":"\u003c"}}"#;
    let event: WatchEvent = serde_json::from_str(text).unwrap();
    assert_eq!(event.object.as_str(), &text[25..text.len() - 1]);
    let written = serde_json::to_string(&event).unwrap();
    assert!(written.contains(event.object.as_str()), "{written}");
}

#[test]
fn unknown_members_are_kept_and_listed() {
    let text = r#"{
        "kind": "Pod", "new": {"kind": 1},
        "metadata": {"labels": {"any": "key"}, "clusterName": null, "managedFields": [{"fieldsV1": {"any": {}}}]},
        "spec": {"containers": [{"name": "a"}, {"Name": "b", "env": [{"name": "c", "a/b": 1, "a/b": 2}]}], "x-y": []}
    }"#;
    let mut json = serde_json::Deserializer::from_str(text);
    let (mut pod, unknown): (Pod, _) = deserialize_strict(&mut json).unwrap();
    assert_eq!(
        unknown.paths,
        [
            "new",
            "metadata.clusterName",
            "spec.containers[1].Name",
            r#"spec.containers[1].env[0]["a/b"]"#,
            r#"spec.containers[1].env[0]["a/b"]"#,
            "spec.x-y",
        ]
    );
    assert_eq!(pod, serde_json::from_str(text).unwrap());
    let mut expected: Value = serde_json::from_str(text).unwrap();
    let containers = &pod.spec.as_ref().unwrap().containers;
    assert_eq!(containers[1].unknown_.get("Name").as_ref().map(RawJson::as_str), Some("\"b\""));
    assert_eq!(serde_json::to_value(&pod).unwrap(), expected);
    drop_unknown(&mut pod);
    for (path, key) in [
        ("", "new"),
        ("/metadata", "clusterName"),
        ("/spec", "x-y"),
        ("/spec/containers/1", "Name"),
    ] {
        expected.pointer_mut(path).and_then(Value::as_object_mut).unwrap().remove(key);
    }
    expected["spec"]["containers"][1]["env"] = json!([{"name": "c"}]);
    assert_eq!(serde_json::to_value(&pod).unwrap(), expected);
    let mut json = serde_json::Deserializer::from_str(r#"{"spec":{"new":1,"hostNetwork":1}}"#);
    let error = deserialize_strict::<Pod, _>(&mut json).unwrap_err().to_string();
    assert_eq!(
        error,
        "spec.hostNetwork: invalid type: integer `1`, expected a boolean at line 1 column 32"
    );
}
