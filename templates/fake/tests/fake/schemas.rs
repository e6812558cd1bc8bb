//! Schemas of definitions, as servers check them when a definition is made.

use crate::definitions::{DEFINITIONS, definition, with_definitions};
use crate::testing::send;
use http::{Method, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

/// Where a server has the schema that all versions share.
const ROOT: &str = "spec.validation.openAPIV3Schema";

/// The causes for which a definition with this schema is refused, each as its field and message.
fn causes_of(server: &Server, schema: &Value) -> Vec<String> {
    let mut definition = definition("Cluster");
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema.clone();
    let (code, body) =
        send(server, Method::POST, &format!("{DEFINITIONS}?dryRun=All"), &definition);
    let causes = body["details"]["causes"].as_array().cloned().unwrap_or_default();
    let expected =
        if causes.is_empty() { StatusCode::CREATED } else { StatusCode::UNPROCESSABLE_ENTITY };
    assert_eq!(code, expected, "{body}");
    let text = |cause: &Value, key: &str| cause[key].as_str().expect("a text").to_owned();
    let shown = |cause: &Value| {
        let field = text(cause, "field");
        let field = field.strip_prefix(ROOT).unwrap_or(&field);
        format!("{field}: {}", text(cause, "message"))
    };
    causes.iter().map(shown).collect()
}

/// As [`causes_of`], for a schema with this member.
fn causes(server: &Server, member: &Value) -> Vec<String> {
    causes_of(server, &json!({"type": "object", "properties": {"a": member}}))
}

#[test]
fn patterns_that_are_none_are_refused() {
    let server = with_definitions();
    let refused = |pattern: &str, why: &str| {
        format!(
            ".properties[a].pattern: Invalid value: {}: must be a valid regular expression, but \
             isn't: error parsing regexp: {why}",
            json!(pattern)
        )
    };
    for (pattern, why) in [
        (r"^\pL[-_[a-z]\Q.\E$", ""),
        ("[", "missing closing ]: `[`"),
        ("^(?!x)a", "invalid or unsupported Perl syntax: `(?!`"),
        ("a{1,1001}", "invalid repeat count: `{1,1001}`"),
    ] {
        let found = causes(&server, &json!({"type": "string", "pattern": pattern}));
        let expected = if why.is_empty() { vec![] } else { vec![refused(pattern, why)] };
        assert_eq!(found, expected);
    }
    // They are refused wherever they are, and the causes are sorted.
    let odd = json!({"type": "string", "pattern": "(a"});
    let schema = json!({"type": "object", "additionalProperties": odd, "anyOf": [{"properties": {}, "not": odd}]});
    let found = causes(&server, &schema);
    assert!(found.len() == 3 && found.is_sorted(), "{found:?}");
    // Servers take classes of Unicode, which are large here, wherever they are.
    let of_copies = |pattern: &str| {
        let copy = json!({"type": "string", "pattern": pattern});
        let list =
            json!({"type": "array", "items": copy, "allOf": [{"items": {"pattern": pattern}}]});
        causes_of(&server, &json!({"type": "object", "properties": {"b": copy, "c": list}}))
    };
    let domain = r"^([\pL0-9]([\pL0-9-]{0,61}[\pL0-9])?\.)+\pL{2,63}$|^(\pL{1,63}\.)?\pL{63}$";
    assert_eq!(of_copies(domain), Vec::<String>::new());
    assert!(of_copies(r"^(\pL{500}\pN{500}){2}$")[0].contains("expression too large"));
}

#[test]
fn defaults_are_values_of_their_schemas() {
    let server = with_definitions();
    let object = json!({"type": "object", "properties": {"b": {"type": "string"}}});
    let with = |schema: &Value, default: Value| {
        let mut schema = schema.clone();
        schema["default"] = default;
        schema
    };
    let of = |kind: &str, more: Value| {
        let mut schema = more;
        schema["type"] = json!(kind);
        schema
    };
    for (schema, why) in [
        (with(&object, json!({"b": "x"})), ""),
        (with(&object, json!({"c": "x"})), "must not have unknown fields"),
        (
            with(&object, json!({"b": 1})),
            ".b: Invalid value: \"integer\": b in body must be of type string: \"integer\"",
        ),
        (
            of("integer", json!({"default": "x"})),
            ": Invalid value: \"string\":  in body must be of type integer: \"string\"",
        ),
        (
            of("string", json!({"default": "x", "enum": ["a"]})),
            ": Unsupported value: \"x\": supported values: \"a\"",
        ),
        (
            of("string", json!({"default": "x", "pattern": "^a"})),
            ": Invalid value: \"x\":  in body should match '^a'",
        ),
        (
            of("integer", json!({"default": 1, "maximum": 0})),
            ": Invalid value: 1:  in body should be less than or equal to 0",
        ),
        (
            of("string", json!({"default": "x", "not": {"enum": ["x"]}})),
            "must not validate the schema (not)",
        ),
        (
            of(
                "integer",
                json!({"default": 1, "x-kubernetes-validations": [{"rule": "self > 1"}]}),
            ),
            ": Invalid value: 1: failed rule: self > 1",
        ),
        (of("array", json!({"items": of("string", json!({"default": 1}))})), ""),
    ] {
        let found = causes(&server, &schema);
        if why.is_empty() && schema["type"] == "object" {
            assert_eq!(found, Vec::<String>::new(), "{schema}");
        } else {
            let start = if schema["type"] == "array" {
                ".properties[a].items.default"
            } else {
                ".properties[a].default"
            };
            assert!(found.len() == 1 && found[0].starts_with(start), "{schema} {found:?}");
            assert!(found[0].contains(why), "{schema} {found:?}");
        }
    }
    let metadata =
        json!({"type": "object", "properties": {"metadata": {"type": "object", "default": {}}}});
    assert_eq!(
        causes_of(&server, &metadata),
        [".properties[metadata].default: Forbidden: must not be set in top-level metadata"]
    );
}

#[test]
fn embedded_resources_and_their_defaults_have_a_type_and_metadata() {
    let server = with_definitions();
    let embedded = |default: Value| {
        json!({
            "type": "object", "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true, "default": default,
        })
    };
    let whole = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}});
    assert_eq!(causes(&server, &embedded(whole.clone())), Vec::<String>::new());
    let found =
        causes(&server, &embedded(json!({"kind": "p o d", "metadata": {"labels": {"/": "x"}}})));
    let expected = [
        ".properties[a].default.apiVersion: Required value",
        ".properties[a].default.kind: Invalid value: \"p o d\": may have mixed case",
        ".properties[a].default.metadata.labels: Invalid value: \"/\": prefix part",
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
    let mut schema = embedded(whole);
    schema["properties"] = json!({"metadata": {"type": "object", "default": {"name": 1}}});
    let found = causes(&server, &schema);
    assert!(found.len() == 1 && found[0].contains("must result in valid metadata"), "{found:?}");
}

#[test]
fn elements_of_sets_are_compared_as_a_whole() {
    let server = with_definitions();
    let set =
        |items: Value| json!({"type": "array", "x-kubernetes-list-type": "set", "items": items});
    let why =
        "Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set";
    let object = json!({"type": "object", "properties": {"b": {"type": "string"}}});
    assert_eq!(
        causes(&server, &set(object.clone())),
        [format!(".properties[a].items.x-kubernetes-map-type: {why}")]
    );
    let mut atomic = object;
    atomic["x-kubernetes-map-type"] = json!("atomic");
    assert_eq!(causes(&server, &set(atomic)), Vec::<String>::new());
}

#[test]
fn null_is_no_choice() {
    let choice = json!({"type": "string", "nullable": true, "enum": ["a", null]});
    let server = with_definitions();
    let mut definition = definition("Cluster");
    let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": choice}}}});
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema;
    server.create(&definition).expect("a definition");
    let create = |value: Value| {
        let object = json!({"apiVersion": "a.io/v1", "kind": "Gear", "metadata": {"name": "a"}, "spec": {"a": value}});
        send(&server, Method::POST, "/apis/a.io/v1/gears?dryRun=All", &object)
    };
    assert_eq!(create(json!("a")).0, StatusCode::CREATED);
    let (code, body) = create(Value::Null);
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
    let cause = "Unsupported value: null: supported values: \"a\", \"null\"";
    assert_eq!(body["details"]["causes"][0]["message"], cause);
}
