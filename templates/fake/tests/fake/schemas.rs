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
    // Each of them could be taken alone.
    let large = json!({"type": "string", "pattern": r"^\pL{253}$"});
    let schema = json!({"type": "array", "items": large, "allOf": [{"items": large}]});
    let schema = json!({"type": "object", "properties": {"b": large, "c": schema}});
    assert!(causes(&server, &schema)[0].contains("expression too large"));
}
