//! Bodies as trees, and the duplicate members of a body, in the words of servers.

use crate::object::{Tree, normalize_numbers};
use crate::schema::conform::{Unknown, type_name};
use crate::syntax;
use kapigen_definitions::{Path, quoted};
use kapigen_yaml::{Document, Format, Position, Reader, Repeated, Step};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The maximum number of keys that are reported for a configuration.
const MOST_LINES: usize = 10;

/// A body as a tree. The last one of duplicate members counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Body {
    pub(crate) tree: Value,
    /// The duplicate members.
    pub(crate) duplicates: Vec<Duplicate>,
    /// Each repeated key of a mapping, with its line.
    pub(crate) repeated_keys: Vec<String>,
}

/// A duplicate member of a body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Duplicate {
    pub(crate) path: String,
    position: Position,
}

/// Parses JSON. Errors are worded as by a server.
pub(crate) fn from_json(bytes: &[u8]) -> Result<Body, String> {
    let bytes = &*valid(bytes);
    let parsed = Reader::new().format(Format::Json).document(bytes);
    parsed
        .map(Body::new)
        .map_err(|error| syntax::error(bytes).unwrap_or_else(|| error.message().to_owned()))
}

/// Text in which U+FFFD replaces each byte that is not UTF-8, as Go decodes JSON.
fn valid(bytes: &[u8]) -> Cow<'_, [u8]> {
    if std::str::from_utf8(bytes).is_ok() {
        return Cow::Borrowed(bytes);
    }
    let parts = bytes.utf8_chunks().flat_map(|chunk| {
        let odd = std::iter::repeat_n("\u{fffd}", chunk.invalid().len());
        std::iter::once(chunk.valid()).chain(odd)
    });
    Cow::Owned(parts.collect::<String>().into_bytes())
}

/// Parses YAML. As in servers, the first of several documents counts, and an empty body is `null`.
pub(crate) fn from_yaml(bytes: &[u8]) -> Result<Body, String> {
    let first = Reader::new().format(Format::Yaml).documents(bytes).next().transpose();
    let first = first
        .map_err(|error| format!("error converting YAML to JSON: yaml: {}", error.message()))?;
    let mut body = first.map(Body::new).unwrap_or_default();
    // Servers convert it to JSON, with numbers in the shortest form.
    normalize_numbers(&mut body.tree);
    Ok(body)
}

/// The type into which servers decode the version and kind of any object.
const IDENTITY: &str = r#"struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }"#;

/// The `apiVersion` and the `kind` of an object, each empty if it is absent. Errors are worded as
/// by a server.
pub(crate) fn identity(tree: &Value) -> Result<[&str; 2], String> {
    if !matches!(tree, Value::Object(_) | Value::Null) {
        return Err(not_decoded(tree, &format!("Go value of type {IDENTITY}")));
    }
    for key in ["apiVersion", "kind"] {
        if let Some(other) = tree.get(key).filter(|value| !value.is_string() && !value.is_null()) {
            return Err(not_decoded(other, &format!("Go struct field .{key} of type string")));
        }
    }
    Ok(["apiVersion", "kind"].map(|key| tree.text(key)))
}

fn not_decoded(value: &Value, into: &str) -> String {
    let found = type_name(value);
    format!(
        "couldn't get version/kind; json parse error: json: cannot unmarshal {found} into {into}"
    )
}

/// The maximum number of bytes of a body that an error shows.
const MOST_SHOWN: usize = 30;

/// A body as errors show it: its beginning, as hexadecimal digits if it does not begin as an
/// object.
pub(crate) fn summary(body: &[u8]) -> String {
    if body.is_empty() {
        return "<empty>".to_owned();
    }
    let shown = &body[..body.len().min(MOST_SHOWN)];
    let end = if body.len() > MOST_SHOWN { " ..." } else { "" };
    let text = if body[0] == b'{' {
        String::from_utf8_lossy(shown).into_owned()
    } else {
        shown.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    };
    text + end
}

/// The repeated and the unknown members of a JSON body in the order in which it has them, each as
/// an error names it.
pub(crate) fn odd_members(
    body: &[u8],
    duplicates: &[Duplicate],
    unknown: &[Unknown],
) -> Vec<String> {
    let repeated = duplicates
        .iter()
        .map(|own| (own.position, format!("duplicate field {}", quoted(&own.path))));
    let mut odd: Vec<_> = repeated.collect();
    if odd.is_empty() {
        return unknown.iter().map(Unknown::to_string).collect();
    }
    let pointers: BTreeSet<&str> = unknown.iter().map(|own| own.pointer.as_str()).collect();
    let places = Reader::new().format(Format::Json).positions(&valid(body), 1, &pointers);
    let start = Position { line: 0, column: 0 };
    odd.extend(unknown.iter().map(|own| {
        let position = places.get(&own.pointer).map_or(start, |place| place.value);
        (position, own.to_string())
    }));
    odd.sort_by_key(|(position, _)| (position.line, position.column));
    odd.into_iter().map(|(_, text)| text).collect()
}

impl Body {
    fn new(document: Document) -> Self {
        let mut duplicates: Vec<Duplicate> = Vec::new();
        for repeated in &document.repeated {
            let path = path(&repeated.path, Path::ROOT, &repeated.name);
            if !duplicates.iter().any(|known| known.path == path) {
                duplicates.push(Duplicate { path, position: repeated.place.value });
            }
        }
        let lines =
            document.repeated.iter().take(MOST_LINES).map(|Repeated { name, place, .. }| {
                format!("line {}: key {} already set in map", place.value.line, quoted(name))
            });
        Self { repeated_keys: lines.collect(), tree: document.value, duplicates }
    }
}

/// The path of a member as servers write it.
fn path(steps: &[Step], around: Path<'_>, name: &str) -> String {
    match steps {
        [] => Path::Member(&around, name).to_string(),
        [Step::Member(step), rest @ ..] => path(rest, Path::Member(&around, step), name),
        [Step::Element(index), rest @ ..] => path(rest, Path::Index(&around, *index), name),
    }
}

#[cfg(test)]
mod tests {
    use super::{from_json, from_yaml};
    use crate::schema::conform::MOST_REPORTED;
    use serde_json::json;

    #[test]
    fn duplicates_are_named_by_their_paths() {
        let body = from_json(br#"{"a": 1, "b": [{"c": 1, "c": 2, "c": 3}], "a": 2}"#).unwrap();
        assert_eq!(body.tree, json!({"a": 2, "b": [{"c": 3}]}));
        let paths = |body: &super::Body| {
            body.duplicates.iter().map(|own| own.path.clone()).collect::<Vec<_>>()
        };
        assert_eq!(paths(&body), ["b[0].c", "a"]);
        assert_eq!(paths(&from_yaml(b"a: {b: 1, b: 2}").unwrap()), ["a.b"]);
    }

    #[test]
    fn as_many_duplicates_are_reported_as_by_servers() {
        let members: Vec<_> =
            (0..1000).map(|index| format!("\"{index}\": 1, \"{index}\": 2,")).collect();
        let text = format!("{{{}\"a\": 1}}", members.concat());
        assert_eq!(from_json(text.as_bytes()).unwrap().duplicates.len(), MOST_REPORTED);
    }

    #[test]
    fn repeated_keys_are_named_with_their_lines() {
        let body =
            from_yaml(b"a: 1\nb:\n  k: v\n  k: w\nc:\n- {x: 1, x: 2}\na:\n  d: 3\n").unwrap();
        let expected = [
            "line 4: key \"k\" already set in map",
            "line 6: key \"x\" already set in map",
            "line 8: key \"a\" already set in map",
        ];
        assert_eq!(body.repeated_keys, expected);
    }

    #[test]
    fn the_first_document_of_yaml_counts() {
        assert_eq!(from_yaml(b"a: 1\n---\nb: 2\n").unwrap().tree, json!({"a": 1}));
        assert_eq!(from_yaml(b"# nothing\n").unwrap().tree, json!(null));
        assert!(from_json(b"{} {}").is_err());
    }
}
