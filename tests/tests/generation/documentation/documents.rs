//! Documents with strings in each position that gets into documentation, and the expected words.

use super::expected::Piece::{self, Code, Own, Prose, Rest};
use kapigen::input::Source;
use kapigen::{Output, Sources};
use kapigen_tests::places;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The expected words by item, with the name of the position.
pub(crate) type Expected = BTreeMap<String, (&'static str, Vec<Piece>)>;

/// A crate with everything that the documents have.
pub(crate) fn generate(documents: &[Value]) -> Output {
    let meta = places::text(&places::root().join("spec/meta/v1.yaml"));
    let meta = Source::new("meta/v1.yaml", meta);
    let named = |(index, document): (usize, &Value)| {
        Source::new(format!("{index}.yaml"), document.to_string())
    };
    let documents = documents.iter().enumerate().map(named).chain([meta]).collect();
    let sources = Sources { documents, ..Sources::default() };
    kapigen::generate(&sources).unwrap_or_else(|errors| panic!("{errors}"))
}

const WIDGET: &str = "com.example.v1.Widget";

/// Strings in schemas: names, descriptions, patterns, rules and keys of fields, names and
/// descriptions of types, values.
pub(crate) fn schemas(strings: &[String]) -> (Value, Expected) {
    let mut expected = Expected::new();
    let mut fields = Map::new();
    let mut types = Map::new();
    for (index, string) in strings.iter().enumerate() {
        let name = format!("f{index}x{}", short(string));
        fields.insert(name.clone(), json!({"type": "string"}));
        expect(
            &mut expected,
            &format!("types/widget.rs: pub f{index}"),
            "field name",
            vec![Code(name), Own(".")],
        );
        fields.insert(format!("d{index}x"), field(string));
        expect(
            &mut expected,
            &format!("types/widget.rs: pub d{index}"),
            "field",
            field_pieces(string),
        );
        let schema =
            format!("com.example.v1.T{index}x{}", short(string).replace(['.', '/', '~', '%'], " "));
        let reference = format!("#/components/schemas/{schema}");
        fields.insert(format!("t{index}x"), json!({"$ref": reference}));
        let pieces = vec![Prose(string.clone()), Own("Schema "), Code(schema.clone()), Own(".")];
        expect(&mut expected, &format!("types/t{index}: pub struct T{index}"), "type", pieces);
        types.insert(schema, json!({"type": "object", "description": string, "properties": {}}));
        let value = format!("types/widget_choice.rs: value {index}");
        expect(&mut expected, &value, "value", vec![Code(string.clone())]);
    }
    fields.insert("choice".to_owned(), json!({"type": "string", "enum": strings}));
    let widget = json!({"$ref": format!("#/components/schemas/{WIDGET}")});
    types.insert(WIDGET.to_owned(), json!({"type": "object", "properties": fields}));
    (
        document(
            &json!({"/apis/example.com/v1/widgets/{name}": path(&json!([]), "", &widget)}),
            &types.into(),
        ),
        expected,
    )
}

/// The beginning of a string: names have a limit.
fn short(string: &str) -> String {
    string.chars().take(90).collect()
}

/// Whether the generator allows a character in a path, outside of parameters.
fn may_stand_in_a_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@".contains(c)
}

fn field(string: &str) -> Value {
    json!({
        "type": "array",
        "items": {"type": "string"},
        "description": string,
        "pattern": string,
        "default": string,
        "not": {"required": [string]},
        "x-kubernetes-validations": [{"rule": string, "message": string}],
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": [string],
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-patch-merge-key": string,
    })
}

/// The longest default that is shown.
const LONGEST_DEFAULT: usize = 200;

fn field_pieces(string: &str) -> Vec<Piece> {
    let code = || Code(string.to_owned());
    let line = string.split_whitespace().collect::<Vec<_>>().join(" ");
    // Within a line, the sign of a list item begins none.
    let message = Prose(format!(": {line}"));
    let default = if string.len() > LONGEST_DEFAULT {
        vec![Own("Has a default.")]
    } else {
        vec![Own("Default "), code(), Own(".")]
    };
    let before = vec![Prose(string.to_owned()), Own("Matches "), code(), Own(".")];
    let after = vec![
        Own("Has no "),
        code(),
        Own(".Rule "),
        Code(line),
        message,
        Own("Apply merges the elements by "),
        code(),
        Own(". A strategic merge patch merges the elements by "),
        code(),
        Own("."),
    ];
    [before, default, after].concat()
}

/// Strings in paths and below them: groups, versions, plurals, subresources, parameters,
/// descriptions.
pub(crate) fn operations(strings: &[String]) -> (Value, Expected) {
    let mut expected = Expected::new();
    // The most frequent parameters have a struct that all resources share.
    let shared = path(
        &json!([{"name": "p", "in": "query", "schema": {"type": "string"}}]),
        "",
        &json!({"type": "string"}),
    );
    let paths = ["a", "b"]
        .map(|plural| (format!("/apis/example.com/v1/{plural}/{{name}}"), shared.clone()));
    let mut paths: Map<String, Value> = paths.into_iter().collect();
    for (index, string) in strings.iter().enumerate() {
        let segment: String = short(string).chars().filter(|c| may_stand_in_a_path(*c)).collect();
        let group = format!("g{index}x{segment}");
        let version = format!("v{segment}");
        let plural = format!("p{index}x{segment}");
        let subresource = format!("s{segment}");
        let template = format!("/apis/{group}/{version}/{plural}/{{name}}/{subresource}");
        let parameter = format!("q{index}x{string}");
        let parameters = json!([{"name": parameter, "in": "query", "description": string, "schema": {"type": "string"}}]);
        paths.insert(template.clone(), path(&parameters, string, &json!({"type": "string"})));
        let module = format!("src/g{index}: ");
        let pieces = vec![
            Prose(string.clone()),
            Code(format!("GET {template}")),
            Own(". Responses: 200. RBAC: "),
            Code("get".to_owned()),
            Own(" on "),
            Code(format!("{plural}/{subresource}")),
            Own("."),
            Rest,
        ];
        expect(&mut expected, &format!("{module}pub fn get"), "operation", pieces);
        let pieces =
            vec![Prose(string.clone()), Own("Query parameter "), Code(parameter.clone()), Own(".")];
        expect(&mut expected, &format!("{module}pub q{index}"), "parameter", pieces);
        let pieces = vec![Own("Sets "), Code(parameter), Own(".")];
        expect(&mut expected, &format!("{module}pub fn q{index}"), "setter", pieces);
    }
    (document(&paths.into(), &json!({})), expected)
}

fn path(parameters: &Value, description: &str, schema: &Value) -> Value {
    json!({
        "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}],
        "get": {
            "description": description,
            "x-kubernetes-action": "get",
            "parameters": parameters,
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}},
        },
    })
}

fn document(paths: &Value, schemas: &Value) -> Value {
    json!({
        "openapi": "3.0.0",
        "info": {"title": "hostile", "version": "v1"},
        "paths": paths,
        "components": {"schemas": schemas},
    })
}

fn expect(expected: &mut Expected, item: &str, position: &'static str, pieces: Vec<Piece>) {
    expected.insert(item.to_owned(), (position, pieces));
}
