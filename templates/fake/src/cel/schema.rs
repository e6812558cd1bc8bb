// not vendored
//! The facts of a schema that expressions depend on, and its rules.

use super::decl::{Decl, is_embedded, subschema};
use super::names::escape;
use super::rule::Rule;
use crate::object::Tree;
use kapigen_definitions::schema_keywords::{LIST_KEYS, LIST_TYPE, MAP_TYPE, VALIDATIONS};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A schema of a custom resource, as expressions see it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schema {
    /// The schemas of members, by their names.
    pub(super) properties: BTreeMap<String, Schema>,
    /// The names of members by the names that expressions have for them, where these differ.
    pub(super) escaped: BTreeMap<String, String>,
    pub(super) entries: Option<Box<Schema>>,
    pub(super) items: Option<Box<Schema>>,
    pub(super) list: ListKind,
    pub(super) scalar: Scalar,
    /// Whether the entries of an object have no history of their own.
    pub(super) is_atomic: bool,
    /// The type in the words of OpenAPI.
    pub(super) kind: String,
    pub(super) rules: Vec<Rule>,
    /// Whether it or a schema below it has rules.
    pub(super) has_rules: bool,
}

/// How elements of a list are compared and merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum ListKind {
    #[default]
    Plain,
    Set,
    /// By these members of an element.
    Map(Vec<String>),
}

/// The values of scalars that are not the ones of JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Scalar {
    #[default]
    Plain,
    Bytes,
    Double,
    Duration,
    /// A date or a time.
    Timestamp,
}

impl Schema {
    /// Reads the schema of a kind, and compiles its rules. `None` if it has none.
    pub(crate) fn of_kind(schema: &Value) -> Option<Self> {
        let mut read = Self::read(schema, None, true);
        read.add_identity();
        read.has_rules.then_some(read)
    }

    /// Reads a schema. Within a schema with rules, its declaration is a part of theirs.
    pub(super) fn read(schema: &Value, around: Option<&Arc<Decl>>, is_resource: bool) -> Self {
        let none = Map::new();
        let members = schema.as_object().unwrap_or(&none);
        let rules = members.get(VALIDATIONS).and_then(Value::as_array);
        let rules = rules.filter(|rules| !rules.is_empty());
        let decl = around.cloned();
        let decl = decl.or_else(|| Decl::of(schema, is_resource).filter(|_| rules.is_some()));
        let decl = decl.as_ref();
        let [entries, items] = ["additionalProperties", "items"].map(|key| {
            let element = decl.and_then(|decl| decl.element());
            let below = subschema(schema, key)?;
            Some(Box::new(Self::read(below, element, is_embedded(below))))
        });
        let properties = members.get("properties").and_then(Value::as_object).into_iter().flatten();
        let properties: BTreeMap<_, _> = properties
            .map(|(name, below)| {
                let decl = decl.and_then(|decl| decl.field(&escape(name)));
                (name.clone(), Self::read(below, decl, is_embedded(below)))
            })
            .collect();
        let decl = decl.cloned().unwrap_or_else(Decl::unknown);
        let rules = rules.into_iter().flatten();
        let rules: Vec<_> = rules.map(|rule| Rule::read(rule, schema, &decl)).collect();
        let mut read = Self {
            escaped: properties.keys().map(|name| (escape(name), name.clone())).collect(),
            properties,
            entries,
            items,
            list: list_kind(members),
            scalar: match (schema.text("type"), schema.text("format")) {
                ("string", "byte") => Scalar::Bytes,
                ("string", "date" | "date-time") => Scalar::Timestamp,
                ("string", "duration") => Scalar::Duration,
                ("number", _) => Scalar::Double,
                _ => Scalar::Plain,
            },
            is_atomic: schema.text(MAP_TYPE) == "atomic",
            kind: schema.text("type").to_owned(),
            rules,
            has_rules: false,
        };
        if is_embedded(schema) {
            read.add_identity();
        }
        read.has_rules = !read.rules.is_empty() || read.below().any(|below| below.has_rules);
        read
    }

    /// The schema of a property.
    pub(crate) fn property(&self, name: &str) -> Option<&Self> {
        self.properties.get(name)
    }

    /// The schema of elements.
    pub(crate) fn items(&self) -> Option<&Self> {
        self.items.as_deref()
    }

    fn below(&self) -> impl Iterator<Item = &Self> {
        self.properties.values().chain(self.entries.as_deref()).chain(self.items.as_deref())
    }

    /// Adds the members that expressions see of each object: its type and its name.
    fn add_identity(&mut self) {
        for name in ["apiVersion", "kind", "metadata"] {
            self.add_member(name);
        }
        if let Some(metadata) = self.properties.get_mut("metadata") {
            for name in ["name", "generateName"] {
                metadata.add_member(name);
            }
        }
    }

    fn add_member(&mut self, name: &str) {
        self.escaped.insert(name.to_owned(), name.to_owned());
        self.properties.entry(name.to_owned()).or_default();
    }

    /// The name of the member that an expression has this name for. `None` if there is no such
    /// member.
    pub(super) fn member<'a, 'n>(&'a self, name: &'n str) -> Option<(&'n str, Option<&'a Self>)>
    where
        'a: 'n,
    {
        if let Some(entries) = &self.entries {
            return Some((name, Some(entries)));
        }
        if self.properties.is_empty() {
            return Some((name, None));
        }
        let (name, below) = self.properties.get_key_value(self.escaped.get(name)?)?;
        Some((name, Some(below)))
    }
}

fn list_kind(schema: &Map<String, Value>) -> ListKind {
    match schema.get(LIST_TYPE).and_then(Value::as_str) {
        Some("set") => ListKind::Set,
        Some("map") => {
            let keys = schema.get(LIST_KEYS).and_then(Value::as_array);
            let keys = keys.into_iter().flatten().filter_map(Value::as_str);
            ListKind::Map(keys.map(str::to_owned).collect())
        }
        _ => ListKind::Plain,
    }
}
