//! The shape of the values of a schema, as far as it is determined without resolving references.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The shape of the values of a schema.
#[derive(Debug)]
pub(super) enum Shape<'a> {
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
pub(super) struct Members<'a> {
    properties: Option<&'a Map<String, Value>>,
    required: BTreeSet<&'a str>,
}

/// A path of a few segments.
type Path = Vec<&'static str>;

impl<'a> Shape<'a> {
    /// The schema behind `allOf` with one branch, and the path to it.
    pub(super) fn peel(mut schema: &'a Value) -> (&'a Value, Path) {
        const TYPED: [&str; 6] = ["$ref", "properties", "additionalProperties", "items", "oneOf", "anyOf"];
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
    pub(super) fn of(schema: &'a Value, named: bool) -> Self {
        let text = |key| schema.get(key).and_then(Value::as_str);
        let flag = |key| schema.get(key) == Some(&Value::Bool(true));
        if let Some(reference) = text("$ref") {
            let name = reference.split_once("#/components/schemas/").map_or(reference, |(_, name)| name);
            return Self::Reference(name);
        }
        if flag("x-kubernetes-int-or-string") || text("format") == Some("int-or-string") {
            return Self::Plain("an integer or a string");
        }
        let values = schema.get("enum").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let strings = !values.is_empty() && values.iter().all(Value::is_string);
        match (text("type").or(strings.then_some("string")), text("format")) {
            (Some("string"), Some("byte")) if values.is_empty() => Self::Plain("a string of base64"),
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
        let flag = |key| schema.get(key) == Some(&Value::Bool(true));
        let members = Members::of(schema);
        let has_members = members.iter().next().is_some();
        let additional = schema.get("additionalProperties").filter(|additional| **additional != Value::Bool(false));
        let kind = flag("x-kubernetes-embedded-resource") || schema.get("x-kubernetes-group-version-kind").is_some();
        if flag("x-kubernetes-preserve-unknown-fields") || (kind && !has_members) {
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
            let free = |branch| matches!(Self::of(branch, false), Self::Plain(word) if word == FREE_JSON);
            (!branches.iter().all(free)).then_some(Self::Choice(keyword, branches))
        })
    }

    /// The shape in a sentence.
    pub(super) fn word(&self) -> String {
        match self {
            Self::Reference(name) => format!("`{name}`"),
            Self::String(_) => "a string".to_owned(),
            Self::List(_) => "an array".to_owned(),
            Self::Map(_) => "a map".to_owned(),
            Self::Object(_) => "an object".to_owned(),
            Self::Choice(keyword, branches) => format!("`{keyword}` with {} branches", branches.len()),
            Self::Plain(word) => (*word).to_owned(),
        }
    }
}

const FREE_JSON: &str = "free JSON";
const FREE: Shape<'static> = Shape::Plain(FREE_JSON);

impl<'a> Members<'a> {
    fn of(schema: &'a Value) -> Self {
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

/// Whether a value may be null. Beside a reference, `nullable` means nothing.
pub(super) fn nullable(schema: &Value) -> bool {
    schema.get("$ref").is_none() && schema.get("nullable") == Some(&Value::Bool(true))
}

/// Whether the absence of a property means something.
pub(super) fn default(schema: &Value) -> bool {
    schema.get("default").is_some()
}
