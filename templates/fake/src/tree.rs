//! Bodies as trees, and the members that a body has more than once, in the words of servers.

use crate::schema::Path;
use kapigen_yaml::{Document, Error, Format, Reader, Repeated, Step};
use serde_json::{Value, json};

/// The most keys that are reported for a configuration.
const MOST_LINES: usize = 10;

/// A body as a tree, of which the last one of several equal members counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Body {
    pub(crate) tree: Value,
    /// The paths of members that are there more than once.
    pub(crate) duplicates: Vec<String>,
    /// Each key that a mapping has already, with its line.
    pub(crate) repeated_keys: Vec<String>,
}

/// Parses JSON.
pub(crate) fn from_json(bytes: &[u8]) -> Result<Body, Error> {
    Reader::new().format(Format::Json).document(bytes).map(Body::new)
}

/// Parses YAML. Servers read the first of several documents, and nothing is null.
pub(crate) fn from_yaml(bytes: &[u8]) -> Result<Body, Error> {
    let first = Reader::new().format(Format::Yaml).documents(bytes).next().transpose()?;
    Ok(first.map(Body::new).unwrap_or_default())
}

impl Body {
    fn new(document: Document) -> Self {
        let mut duplicates: Vec<String> = Vec::new();
        for repeated in &document.repeated {
            let path = path(&repeated.path, Path::Root, &repeated.name);
            if !duplicates.contains(&path) {
                duplicates.push(path);
            }
        }
        let line = |Repeated { name, place, .. }: &Repeated| {
            format!("line {}: key {} already set in map", place.value.line, json!(name))
        };
        let repeated_keys = document.repeated.iter().take(MOST_LINES).map(line).collect();
        Self { tree: document.value, duplicates, repeated_keys }
    }
}

/// The path of a member as servers write it.
fn path(steps: &[Step], around: Path<'_>, name: &str) -> String {
    match steps {
        [] => Path::Member(&around, name).to_string(),
        [Step::Member(step), rest @ ..] => path(rest, Path::Member(&around, step), name),
        [Step::Element(index), rest @ ..] => path(rest, Path::Element(&around, *index), name),
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
        assert_eq!(body.duplicates, ["b[0].c", "a"]);
        assert_eq!(from_yaml(b"a: {b: 1, b: 2}").unwrap().duplicates, ["a.b"]);
    }

    #[test]
    fn as_many_duplicates_are_reported_as_by_servers() {
        let members: Vec<_> = (0..1000).map(|index| format!("\"{index}\": 1, \"{index}\": 2,")).collect();
        let text = format!("{{{}\"a\": 1}}", members.concat());
        assert_eq!(from_json(text.as_bytes()).unwrap().duplicates.len(), MOST_REPORTED);
    }

    #[test]
    fn repeated_keys_are_named_with_their_lines() {
        let body = from_yaml(b"a: 1\nb:\n  k: v\n  k: w\nc:\n- {x: 1, x: 2}\na:\n  d: 3\n").unwrap();
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
