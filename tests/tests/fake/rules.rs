//! Rules of custom resources: what a real server takes and refuses.

use crate::testing::{send, time};
use http::Method;
use kapigen_fake::Server;
use kapigen_tests::places;
use kapigen_tests::probes::{changed, lines};
use serde_json::{Value, json};

const PROBES: &str = "/apis/rules.example.com/v1/namespaces/probe/probes";

/// The messages of rules that are expressions, which are not evaluated.
const EXPRESSIONS: [&str; 3] =
    ["Forbidden: fixed is immutable", "Invalid value: min is above max", "Invalid value: too long"];

/// Pointers of probes that differ, and the reason.
const DIFFERENCES: [(&str, &str); 1] = [("/spec/emb", "metadata and kind of embedded resources are not checked")];

/// The status code, and the causes or the message of a refusal.
fn outcome(status: u64, message: &Value, causes: &Value) -> Value {
    let is_expression = |cause: &&Value| EXPRESSIONS.iter().any(|known| cause["message"] == *known);
    let others: Vec<_> =
        causes.as_array().into_iter().flatten().filter(|cause| !is_expression(cause)).cloned().collect();
    match status {
        422 if others.is_empty() => json!("taken"),
        422 => json!(others),
        200 | 201 => json!("taken"),
        _ => json!([status, message]),
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "needs ../shared")]
fn custom_resources_are_refused_as_by_a_server() {
    let server = Server::default();
    server.set_time(time(0));
    let definition = places::text(&places::shared("testdata/rules/crd.json"));
    server.add_definition(&serde_json::from_str(&definition).expect("a definition")).expect("a kind");
    let objects = lines("testdata/rules/objects.jsonl");
    let sent = &objects.iter().find(|object| object["sent"]["kind"] == "Probe").expect("a probe")["sent"];
    let mut own = sent.clone();
    own["metadata"]["namespace"] = json!("probe");
    let stored = server.create(&own).expect("a probe");
    let mut failures = Vec::new();
    let mut differing = 0;
    let probes = lines("testdata/rules/rules.jsonl").into_iter().filter(|probe| probe["kind"] == "Probe");
    for probe in probes {
        let is_create = probe["verb"] == "create";
        let mut object = changed(if is_create { sent } else { &stored }, &probe);
        let is_named = object["metadata"]["name"] == "x";
        if is_create && is_named {
            object["metadata"]["name"] = json!("y");
        }
        let (method, path) = if is_create { (Method::POST, "") } else { (Method::PUT, "/x") };
        let (code, body) = send(&server, method, &format!("{PROBES}{path}?dryRun=All"), &object);
        let found = outcome(u64::from(code.as_u16()), &body["message"], &body["details"]["causes"]);
        let recorded = outcome(probe["status"].as_u64().expect("a code"), &probe["message"], &probe["causes"]);
        let at = probe["at"].as_str().expect("a pointer");
        let is_known = DIFFERENCES.iter().any(|(known, _)| at.starts_with(known));
        if found != recorded && is_known {
            differing += 1;
        } else if found != recorded {
            failures.push(format!(
                "{} {at} {} {}\n  found    {found}\n  recorded {recorded}",
                probe["verb"], probe["op"], probe["with"]
            ));
        }
    }
    assert!(failures.is_empty(), "{}:\n{}", failures.len(), failures.join("\n"));
    assert!(differing > 0, "all probes agree: remove the known differences");
}

/// A definition with this schema of `spec.value`.
fn server_of(schema: &Value) -> Server {
    let spec = json!({"type": "object", "properties": {"value": schema}});
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}});
    let server = Server::default();
    let names = json!({"plural": "things", "kind": "Thing"});
    let versions = json!([{"name": "v1", "served": true, "storage": true, "schema": schema}]);
    let spec = json!({"group": "a.io", "scope": "Cluster", "names": names, "versions": versions});
    server.add_definition(&json!({"spec": spec})).expect("a definition");
    server
}

/// The messages for which a value is refused, each with its field.
fn refusals(server: &Server, value: &Value) -> Vec<String> {
    let object = json!({"apiVersion": "a.io/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"value": value}});
    let (_, body) = send(server, Method::POST, "/apis/a.io/v1/things?dryRun=All", &object);
    let causes = body["details"]["causes"].as_array().into_iter().flatten();
    let text = |cause: &Value, key: &str| cause[key].as_str().expect("a text").to_owned();
    let all = causes.map(|cause| format!("{}: {}", text(cause, "field"), text(cause, "message")));
    all.filter(|line| !line.contains("some validation rules were not checked")).collect()
}

#[test]
fn combined_schemas_restrict_values() {
    let any = |causes: &[&str]| causes.iter().map(|cause| (*cause).to_owned()).collect::<Vec<_>>();
    let own = |why: &str| format!("<nil>: Invalid value: \"\": \"spec.value\" must {why}");
    let object = |more: Value| {
        let mut schema = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}});
        schema.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        schema
    };
    let small = json!({"properties": {"a": {"maximum": 3}}});
    let named = json!({"required": ["b"], "properties": {"b": {"minLength": 2}}});
    let least = "spec.value.b: Invalid value: \"x\": spec.value.b in body should be at least 2 chars long";
    let most = "spec.value.a: Invalid value: 9: spec.value.a in body should be less than or equal to 3";

    let server = server_of(&object(json!({"anyOf": [small, named]})));
    assert_eq!(refusals(&server, &json!({"a": 9, "b": "xx"})), any(&[]));
    assert_eq!(
        refusals(&server, &json!({"a": 9, "b": "x"})),
        any(&[&own("validate at least one schema (anyOf)"), most])
    );
    let server = server_of(&object(json!({"allOf": [small, named]})));
    assert_eq!(refusals(&server, &json!({"a": 1, "b": "x"})), any(&[least, &own("validate all the schemas (allOf)")]));
    assert_eq!(
        refusals(&server, &json!({"a": 9, "b": "x"})),
        any(&[most, least, &own("validate all the schemas (allOf). None validated")])
    );
    let server = server_of(&object(json!({"oneOf": [small, named]})));
    assert_eq!(
        refusals(&server, &json!({"a": 1, "b": "xx"})),
        any(&[&own("validate one and only one schema (oneOf). Found 2 valid alternatives")])
    );
    let server = server_of(&object(json!({"not": named})));
    assert_eq!(refusals(&server, &json!({"b": "x"})), any(&[]));
    assert_eq!(refusals(&server, &json!({"b": "xx"})), any(&[&own("not validate the schema (not)")]));
}

/// Numbers with units are often written as one or the other, of which the string has a pattern.
#[test]
fn integers_or_strings_have_patterns_of_strings() {
    let server = server_of(&json!({
        "x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}],
        "pattern": "^([0-9]+(\\.[0-9]*)?)(Ki|Mi|m)?$",
    }));
    for value in [json!(1), json!("1.5Gi"), json!("1.5Mi"), json!(true)] {
        let expected = match &value {
            Value::String(text) if text == "1.5Gi" => {
                "spec.value: Invalid value: \"1.5Gi\": spec.value in body should match '^([0-9]+(\\.[0-9]*)?)(Ki|Mi|m)?$'"
            }
            Value::Bool(_) => {
                "spec.value: Invalid value: \"boolean\": spec.value in body must be of type integer,string: \"boolean\""
            }
            _ => "",
        };
        assert_eq!(refusals(&server, &value).concat(), expected, "{value}");
    }
}

/// All causes name the path. Anything quadratic would take hours.
#[test]
fn long_paths_cost_a_multiple_of_their_size() {
    let entries = json!({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}});
    let server = server_of(&entries);
    let value = json!({"x".repeat(1 << 20): vec![0; 300_000]});
    assert!(refusals(&server, &value).len() < 100);
    let server = server_of(&json!({"type": "string", "pattern": "^(a{0,999}){0,999}$"}));
    assert_eq!(refusals(&server, &json!("b".repeat(1 << 20))), Vec::<String>::new());
}
