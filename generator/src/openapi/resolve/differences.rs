//! Compares two copies of a schema by their effect on types: servers that are built with different
//! libraries publish the same schema with other descriptions, defaults, limits and merge
//! strategies, or a reference inside of `allOf`.

use crate::pointer::escape;
use kapigen_definitions::schema_keywords::{EMBEDDED, INT_OR_STRING, KINDS, PRESERVE};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A difference between two copies of a schema.
#[derive(Debug, PartialEq)]
pub(super) struct Difference<'a> {
    /// JSON pointer of the schema where it is, below the first copy.
    pub(super) held: String,
    /// The same below the other copy.
    pub(super) copy: String,
    pub(super) kind: DifferenceKind<'a>,
}

/// A kind of difference.
#[derive(Debug, PartialEq)]
pub(super) enum DifferenceKind<'a> {
    /// No type can be both.
    Contradiction(String),
    /// Schemas of different names, which may be copies.
    References(&'a str, &'a str),
    /// A property that only the first copy has, and that may be absent.
    Missing(&'a str),
    /// A property that only the other copy has, and that may be absent.
    Added(&'a str, &'a Value),
    /// A property that one of the copies requires, and that has a default when absent.
    Optional(&'a str),
    /// The enums differ: values that only the other copy has.
    Values(Vec<&'a Value>),
    /// Kinds that only the other copy serves.
    Kinds(Vec<&'a Value>),
}

/// The differences between two copies of a named schema.
pub(super) fn differences<'a>(held: &'a Value, copy: &'a Value) -> Vec<Difference<'a>> {
    let mut comparison = Comparison::default();
    // Copies are mostly equal to the last character.
    if held != copy {
        comparison.schema(held, copy, true);
        let served = added(kinds(held), kinds(copy));
        if !served.is_empty() {
            comparison.note(DifferenceKind::Kinds(served));
        }
    }
    comparison.found
}

#[derive(Debug, Default)]
struct Comparison<'a> {
    held: Vec<Cow<'a, str>>,
    copy: Vec<Cow<'a, str>>,
    found: Vec<Difference<'a>>,
}

impl<'a> Comparison<'a> {
    fn note(&mut self, kind: DifferenceKind<'a>) {
        let [held, copy] = [&self.held, &self.copy].map(|path| {
            path.iter().fold(String::new(), |pointer, segment| pointer + "/" + &escape(segment))
        });
        self.found.push(Difference { held, copy, kind });
    }

    fn contradiction(&mut self, message: String) {
        self.note(DifferenceKind::Contradiction(message));
    }

    /// Compares two nested schemas.
    fn below(
        &mut self,
        keyword: &'a str,
        segment: Option<Cow<'a, str>>,
        compare: impl FnOnce(&mut Self),
    ) {
        let held = self.held.len();
        let copy = self.copy.len();
        for segment in [Some(Cow::Borrowed(keyword)), segment].into_iter().flatten() {
            self.held.push(segment.clone());
            self.copy.push(segment);
        }
        compare(self);
        self.held.truncate(held);
        self.copy.truncate(copy);
    }

    fn schema(&mut self, held: &'a Value, copy: &'a Value, named: bool) {
        let ((held, held_path), (copy, copy_path)) = (Shape::peel(held), Shape::peel(copy));
        let held_length = self.held.len();
        let copy_length = self.copy.len();
        self.held.extend(held_path.into_iter().map(Cow::Borrowed));
        self.copy.extend(copy_path.into_iter().map(Cow::Borrowed));
        self.shapes(held, copy, named);
        self.held.truncate(held_length);
        self.copy.truncate(copy_length);
    }

    fn shapes(&mut self, held: &'a Value, copy: &'a Value, named: bool) {
        match (Shape::new(held, named), Shape::new(copy, named)) {
            (Shape::Reference(held), Shape::Reference(copy)) if held != copy => {
                self.note(DifferenceKind::References(held, copy));
            }
            (Shape::String(held), Shape::String(copy)) => {
                let values = added(held.iter(), copy.iter());
                if !values.is_empty() || !added(copy.iter(), held.iter()).is_empty() {
                    self.note(DifferenceKind::Values(values));
                }
            }
            (Shape::List(held), Shape::List(copy)) => self.elements("items", held, copy),
            (Shape::Map(held), Shape::Map(copy)) => {
                self.elements("additionalProperties", held, copy);
            }
            (Shape::Object(held_members), Shape::Object(copy_members)) => {
                let is_kind = named && (states_kind(held) || states_kind(copy));
                self.members(&held_members, &copy_members, is_kind);
            }
            (Shape::Choice(keyword, held), Shape::Choice(other, copy))
                if keyword == other && held.len() == copy.len() =>
            {
                for (index, (held, copy)) in held.iter().zip(copy).enumerate() {
                    let index = Cow::Owned(index.to_string());
                    self.below(keyword, Some(index), |below| below.schema(held, copy, false));
                }
            }
            (held, copy) if held.word() != copy.word() => {
                self.contradiction(format!(
                    "it is {} here, and {} there",
                    copy.word(),
                    held.word()
                ));
            }
            _ => {}
        }
    }

    /// The elements of a list, or the values of a map. Only among them does `null` decide on the
    /// type.
    fn elements(&mut self, keyword: &'a str, held: Option<&'a Value>, copy: Option<&'a Value>) {
        let (Some(held), Some(copy)) = (held, copy) else {
            if held.is_some() != copy.is_some() {
                self.contradiction(format!("only one of them has `{keyword}`"));
            }
            return;
        };
        self.below(keyword, None, |below| {
            if nullable(held) != nullable(copy) {
                return below.contradiction("it may be null in one of them only".to_owned());
            }
            below.schema(held, copy, false);
        });
    }

    fn members(&mut self, held: &Members<'a>, copy: &Members<'a>, is_kind: bool) {
        for (key, value) in copy.iter() {
            let is_optional = is_kind && OF_ALL_KINDS.contains(&key);
            let [there, here] = [held, copy].map(|one| one.requires(key) && !is_optional);
            match held.get(key) {
                Some(other) => {
                    if here != there {
                        self.presence(key, here, default(other) || default(value));
                    }
                    self.below("properties", Some(key.into()), |below| {
                        below.schema(other, value, false);
                    });
                }
                None if here && !default(value) => {
                    self.contradiction(lacks(key, "here", "there"));
                }
                None => self.note(DifferenceKind::Added(key, value)),
            }
        }
        for (key, value) in held.iter().filter(|(key, _)| copy.get(key).is_none()) {
            match (held.requires(key), default(value)) {
                (false, _) => self.note(DifferenceKind::Missing(key)),
                (true, true) => {
                    self.note(DifferenceKind::Missing(key));
                    self.note(DifferenceKind::Optional(key));
                }
                (true, false) => self.contradiction(lacks(key, "there", "here")),
            }
        }
    }

    fn presence(&mut self, key: &'a str, by_copy: bool, has_default: bool) {
        if has_default {
            return self.note(DifferenceKind::Optional(key));
        }
        let (one, other) = if by_copy { ("here", "there") } else { ("there", "here") };
        self.contradiction(format!(
            "`{key}` is required {one}, optional {other}, and has no default"
        ));
    }
}

/// The elements of a list that another list lacks.
fn added<'a>(
    held: impl Iterator<Item = &'a Value>,
    copy: impl Iterator<Item = &'a Value>,
) -> Vec<&'a Value> {
    let held: BTreeSet<String> = held.map(Value::to_string).collect();
    copy.filter(|value| !held.contains(&value.to_string())).collect()
}

fn lacks(key: &str, one: &str, other: &str) -> String {
    format!("`{key}` is required {one}, absent {other}, and has no default")
}

/// The shape of the values of a schema.
#[derive(Debug)]
enum Shape<'a> {
    /// Another schema, by its name in `components/schemas`, or else by the whole reference.
    Reference(&'a str),
    /// A string, and its known values.
    String(&'a [Value]),
    List(Option<&'a Value>),
    Map(Option<&'a Value>),
    Object(Members<'a>),
    /// A shape that depends on its branches.
    Choice(&'a str, &'a [Value]),
    /// Anything else, in words.
    Plain(&'a str),
}

/// The properties of an object.
#[derive(Debug)]
struct Members<'a> {
    properties: Option<&'a Map<String, Value>>,
    required: BTreeSet<&'a str>,
}

/// A path of a few segments.
type Path = Vec<&'static str>;

impl<'a> Shape<'a> {
    /// The schema behind `allOf` with one branch, and the path to it.
    fn peel(mut schema: &'a Value) -> (&'a Value, Path) {
        const TYPED: [&str; 6] =
            ["$ref", "properties", "additionalProperties", "items", "oneOf", "anyOf"];
        let mut path = Path::new();
        while let Some([only]) = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
            let typed = schema.get("type").is_some_and(|typ| typ != "object");
            if typed || TYPED.iter().any(|keyword| schema.get(keyword).is_some()) {
                break;
            }
            path.extend(["allOf", "0"]);
            schema = only;
        }
        (schema, path)
    }

    /// The shape of a schema, which may have a name of its own.
    pub(super) fn new(schema: &'a Value, named: bool) -> Self {
        if let Some(reference) = schema["$ref"].as_str() {
            let name =
                reference.split_once("#/components/schemas/").map_or(reference, |(_, name)| name);
            return Self::Reference(name);
        }
        if schema[INT_OR_STRING] == true {
            return Self::Plain("an integer of 64 bits or a string");
        }
        let format = schema["format"].as_str();
        if format == Some("int-or-string") {
            return Self::Plain("an integer of 32 bits or a string");
        }
        let values =
            schema.get("enum").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let strings = !values.is_empty() && values.iter().all(Value::is_string);
        match (schema["type"].as_str().or(strings.then_some("string")), format) {
            (Some("string"), Some("byte")) if values.is_empty() => {
                Self::Plain("a string of base64")
            }
            (Some("string"), _) => Self::String(values),
            (Some("integer"), Some("int32")) => Self::Plain("an integer of 32 bits"),
            (Some("integer"), _) => Self::Plain("an integer of 64 bits"),
            (Some("number"), _) => Self::Plain("a number"),
            (Some("boolean"), _) => Self::Plain("a boolean"),
            (Some("array"), _) => Self::List(schema.get("items")),
            (None | Some("object"), _) => Self::object(schema, named),
            (Some(other), _) => Self::Plain(other),
        }
    }

    fn object(schema: &'a Value, named: bool) -> Self {
        let members = Members::new(schema);
        let has_members = members.iter().next().is_some();
        let additional = schema
            .get("additionalProperties")
            .filter(|additional| **additional != Value::Bool(false));
        let kind = schema[EMBEDDED] == true || schema.get(KINDS).is_some();
        if schema[PRESERVE] == true || (kind && !has_members) {
            return FREE;
        }
        match additional {
            Some(_) if has_members => FREE,
            Some(Value::Bool(_)) => Self::Map(None),
            Some(Value::Object(values)) if values.is_empty() => Self::Map(None),
            Some(values) => Self::Map(Some(values)),
            None if has_members || (named && schema.get("type").is_some()) => Self::Object(members),
            None => Self::choice(schema).unwrap_or(FREE),
        }
    }

    fn choice(schema: &'a Value) -> Option<Self> {
        ["allOf", "oneOf", "anyOf"].into_iter().find_map(|keyword| {
            let branches = schema.get(keyword)?.as_array()?;
            // Branches that only constrain leave it free.
            let are_free = branches.iter().all(
                |branch| matches!(Self::new(branch, false), Self::Plain(word) if word == FREE_JSON),
            );
            (!are_free).then_some(Self::Choice(keyword, branches))
        })
    }

    /// The shape in a sentence.
    fn word(&self) -> String {
        match self {
            Self::Reference(name) => format!("`{name}`"),
            Self::String(_) => "a string".to_owned(),
            Self::List(_) => "an array".to_owned(),
            Self::Map(_) => "a map".to_owned(),
            Self::Object(_) => "an object".to_owned(),
            Self::Choice(keyword, branches) => {
                format!("`{keyword}` with {} branches", branches.len())
            }
            Self::Plain(word) => (*word).to_owned(),
        }
    }
}

const FREE_JSON: &str = "free JSON";
const FREE: Shape<'static> = Shape::Plain(FREE_JSON);

impl<'a> Members<'a> {
    fn new(schema: &'a Value) -> Self {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        Self {
            properties: schema.get("properties").and_then(Value::as_object),
            required: required.filter_map(Value::as_str).collect(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        self.properties.into_iter().flatten().map(|(key, value)| (key.as_str(), value))
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.properties?.get(key)
    }

    /// Whether a property is always present and never null.
    pub(super) fn requires(&self, key: &str) -> bool {
        self.required.contains(key) && !self.get(key).is_some_and(nullable)
    }
}

/// Whether a value may be null. Beside a reference, `nullable` has no effect.
fn nullable(schema: &Value) -> bool {
    schema.get("$ref").is_none() && schema.get("nullable") == Some(&Value::Bool(true))
}

/// Whether the absence of a property means something.
pub(super) fn default(schema: &Value) -> bool {
    schema.get("default").is_some()
}

/// Properties of a kind that are present or absent regardless of its schema.
const OF_ALL_KINDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The kinds of a schema.
pub(super) fn kinds(schema: &Value) -> impl Iterator<Item = &Value> {
    schema.get(KINDS).and_then(Value::as_array).into_iter().flatten()
}

/// Whether the objects of a schema state their kind.
fn states_kind(schema: &Value) -> bool {
    let members = &schema["properties"];
    kinds(schema).next().is_some()
        && members.get("apiVersion").is_some()
        && members.get("kind").is_some()
}

#[cfg(test)]
mod tests {
    use super::differences;
    use serde_json::{Value, json};

    fn described(held: &Value, copy: &Value) -> Vec<String> {
        differences(held, copy)
            .iter()
            .map(|difference| format!("{} {:?}", difference.held, difference.kind))
            .collect()
    }

    fn of(property: &Value) -> Value {
        json!({"type": "object", "properties": {"a": property}})
    }

    #[test]
    fn ignores_keywords_without_effect_on_types() {
        let same = [
            (
                json!({"type": "string", "description": "a", "default": "", "maxLength": 1}),
                json!({"type": "string"}),
            ),
            (
                json!({"$ref": "#/components/schemas/A"}),
                json!({"allOf": [{"$ref": "x.yaml#/components/schemas/A"}]}),
            ),
            (
                json!({"$ref": "#/components/schemas/A", "nullable": true}),
                json!({"$ref": "#/components/schemas/A"}),
            ),
            (
                json!({"type": "array", "items": {"$ref": "#/components/schemas/A", "nullable": true}}),
                json!({"type": "array", "items": {"$ref": "#/components/schemas/A"}}),
            ),
            (
                json!({"type": "string", "format": "date-time"}),
                json!({"type": "string", "pattern": "x"}),
            ),
            (
                json!({"type": "array", "items": {}, "x-kubernetes-list-type": "set"}),
                json!({"type": "array", "items": {}}),
            ),
            (
                json!({"type": "object", "additionalProperties": {}}),
                json!({"type": "object", "additionalProperties": true}),
            ),
            (
                json!({"format": "int-or-string", "oneOf": [{"type": "integer"}, {"type": "string"}]}),
                json!({"type": "string", "format": "int-or-string"}),
            ),
            (json!({"anyOf": [{"required": ["a"]}]}), json!({})),
            (
                of(&json!({"type": "string"})),
                json!({"properties": {"a": {"type": "string"}}, "required": ["b"]}),
            ),
        ];
        for (held, copy) in same {
            assert_eq!(described(&of(&held), &of(&copy)), Vec::<String>::new());
        }
    }

    #[test]
    fn differences_of_types_have_a_pointer() {
        let different = [
            (
                json!({"type": "string"}),
                json!({"type": "string", "format": "byte"}),
                "Contradiction",
            ),
            (
                json!({"type": "integer", "format": "int32"}),
                json!({"type": "integer"}),
                "Contradiction",
            ),
            (
                json!({"x-kubernetes-int-or-string": true}),
                json!({"type": "string", "format": "int-or-string"}),
                "Contradiction",
            ),
            (json!({"type": "object"}), of(&json!({"type": "string"})), "Contradiction"),
            (json!({"type": "string"}), json!({"type": "string", "enum": ["A"]}), "Values"),
            (
                json!({"$ref": "#/components/schemas/A"}),
                json!({"$ref": "#/components/schemas/B"}),
                "References",
            ),
        ];
        for (held, copy, kind) in different {
            let found = described(&of(&held), &of(&copy));
            let expected = format!("/properties/a {kind}");
            assert!(
                matches!(found.as_slice(), [only] if only.starts_with(&expected)),
                "{expected}: {found:?}"
            );
        }
    }
}
