//! Documents with a hostile string somewhere.

use kapigen::input::Source;
use kapigen::{Output, Sources};
use kapigen_tests::places;
use kapigen_yaml::pointer::escape;
use serde_json::{Value, json};

/// The string where nothing is tried. It is not a name, so that names that are made of it differ
/// from it.
pub(crate) const HARMLESS: &str = "harmless words";

/// Strings that would become code, if any string did. The code that they try to smuggle in is
/// called `pwned`.
pub(crate) const HOSTILE: [&str; 24] = [
    "\"; fn pwned() {} //",
    "\"] fn pwned() {} #[doc = \"",
    "x\"# fn pwned() {} r#\"",
    "*/ fn pwned() {} /*",
    "\nfn pwned() {}\n",
    "\r\nfn pwned() {}",
    "\u{2028}fn pwned() {}\u{85}fn pwned() {}",
    "/// x\n}\nfn pwned() {}",
    "#![feature(pwned)] a",
    "#[derive(pwned)] a",
    "pwned!() a",
    "} pub mod pwned { a",
    "a { b: pwned } c",
    "`` ``` a ```\n```rust\npwned()\n```",
    "```\npwned();\n``` a",
    "[a](javascript:pwned) <script>pwned()</script>",
    "\u{202e}} nwp nf\u{2066} a \u{200b}\u{feff}",
    "\\\" \\u{22} \\x22 \\n a",
    "\0\u{1}\u{7f} a",
    "{} {0} {pwned} %s $a ${pwned} $crate",
    "include!(\"/etc/passwd\") a",
    "'a' b'x' c\"x\" r\"x\"",
    "日本 a",
    "r#type self crate super Self unsafe extern",
];

/// Positions of strings that never become names.
const PROSE: [&str; 15] = [
    "/info/title",
    "/paths/~1apis~1example.com~1v1~1widgets~1{name}/get/description",
    "/paths/~1apis~1example.com~1v1~1widgets~1{name}/get/tags/0",
    "/paths/~1apis~1example.com~1v1~1widgets~1{name}/get/parameters/0/description",
    "/paths/~1apis~1example.com~1v1~1widgets~1{name}/get/responses/200/description",
    "/paths/~1apis~1example.com~1v1~1widgets~1{name}/parameters/0/description",
    "/components/schemas/com.example.v1.Widget/description",
    "/components/schemas/com.example.v1.Widget/x-kubernetes-validations/0/rule",
    "/components/schemas/com.example.v1.Widget/x-kubernetes-validations/0/message",
    "/components/schemas/com.example.v1.Widget/properties/size/description",
    "/components/schemas/com.example.v1.Widget/properties/size/default",
    "/components/schemas/com.example.v1.Widget/properties/size/format",
    "/components/schemas/com.example.v1.Widget/properties/size/pattern",
    "/components/schemas/com.example.v1.Widget/properties/list/x-kubernetes-list-map-keys/0",
    "/components/schemas/com.example.v1.Widget/properties/list/x-kubernetes-patch-merge-key",
];

/// Positions of strings that become names, or are names on the wire.
pub(crate) const NAMES: [&str; 7] =
    ["member", "value", "schema", "parameter", "operation", "kind", "media type"];

/// Positions of strings that become literals.
pub(crate) const WRITTEN: [&str; 5] = ["member", "value", "parameter", "operation", "kind"];

/// A document with one string in all of the prose and, where something is named, another.
pub(crate) fn document(prose: &str, named: Option<(&str, &str)>) -> Value {
    let name = |place: &str, otherwise: &str| match named {
        Some((there, text)) if there == place => text.to_owned(),
        _ => otherwise.to_owned(),
    };
    let schema = format!("com.example.v1.{}", name("schema", HARMLESS));
    let gvk = json!({"group": "example.com", "version": "v1", "kind": "Widget"});
    let other = json!({"group": "example.com", "version": "v1", "kind": name("kind", HARMLESS)});
    let widget = json!({"$ref": "#/components/schemas/com.example.v1.Widget"});
    let text = || json!({"type": "string"});
    let mut document = json!({
        "openapi": "3.0.0",
        "info": {"title": "", "version": "v1"},
        "paths": {"/apis/example.com/v1/widgets/{name}": {
            "parameters": [{"name": "name", "in": "path", "required": true, "schema": text()}],
            "get": {
                "operationId": name("operation", HARMLESS),
                "tags": [""],
                "x-kubernetes-action": "get",
                "x-kubernetes-group-version-kind": gvk,
                "parameters": [{"name": name("parameter", HARMLESS), "in": "query", "schema": text()}],
                "responses": {"200": {"content": {(name("media type", HARMLESS)): {"schema": widget}}}},
            },
        }},
        "components": {"schemas": {
            "com.example.v1.Widget": {
                "type": "object",
                "properties": {
                    "apiVersion": text(),
                    "kind": text(),
                    "metadata": {"$ref": "meta/v1.yaml#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"},
                    (name("member", HARMLESS)): text(),
                    "size": text(),
                    "list": {"type": "array", "items": text(), "x-kubernetes-list-type": "map",
                        "x-kubernetes-list-map-keys": [""], "x-kubernetes-patch-strategy": "merge"},
                    "choice": {"type": "string", "enum": ["plain", name("value", HARMLESS)]},
                    "other": {"$ref": format!("#/components/schemas/{}", escape(&schema))},
                },
                "x-kubernetes-validations": [{"rule": "", "message": ""}],
                "x-kubernetes-group-version-kind": [gvk, other],
            },
            (schema): {"type": "object", "properties": {"a": text()}},
        }},
    });
    for pointer in PROSE {
        put(&mut document, pointer, prose);
    }
    document
}

/// Puts a string at a pointer. The last token may be new.
fn put(document: &mut Value, pointer: &str, text: &str) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer has steps");
    match document.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}")) {
        Value::Array(list) => list[key.parse::<usize>().expect("an index")] = text.into(),
        parent => parent[key] = text.into(),
    }
}

pub(crate) fn generate(name: &str, document: &Value) -> Result<Output, kapigen::error::Errors> {
    let meta = places::text(&places::root().join("spec/meta/v1.yaml"));
    let documents =
        vec![Source::new(name, document.to_string()), Source::new("meta/v1.yaml", meta)];
    kapigen::generate(&Sources { documents, ..Sources::default() })
}
