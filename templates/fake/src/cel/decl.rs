// not vendored
//! The types that a schema declares, with the sizes of their values.

use super::names::{escape, is_nameable};
use super::types::{Object, Type};
use crate::object::Tree;
use kapigen_definitions::schema_keywords::{EMBEDDED, INT_OR_STRING};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The bytes of the largest request.
pub(super) const LARGEST_REQUEST: u64 = 3 << 20;

/// The declaration of a value.
#[derive(Clone, Debug)]
pub(super) struct Decl {
    pub(super) kind: DeclKind,
    /// The most elements, entries, characters or bytes. Zero for other values.
    pub(super) longest: u64,
    /// The bytes of the shortest JSON.
    pub(super) smallest: u64,
}

#[derive(Clone, Debug)]
pub(super) enum DeclKind {
    Plain(Type),
    List(Arc<Decl>),
    Map(Arc<Decl>),
    /// The members, by the names that expressions have for them.
    Object(BTreeMap<String, Arc<Decl>>),
}

impl Decl {
    /// The declaration of a schema. `None` if expressions do not see its values.
    pub(super) fn of(schema: &Value, is_resource: bool) -> Option<Arc<Self>> {
        let longest = limit(schema, "maxLength");
        if schema.get(INT_OR_STRING) == Some(&Value::Bool(true)) {
            let longest = longest.map_or(LARGEST_REQUEST - 2, |most| most * 4);
            return Some(Arc::new(Self::plain(Type::Dyn, longest, 1)));
        }
        Some(Arc::new(match (schema.text("type"), schema.text("format")) {
            ("array", _) => {
                let items = subschema(schema, "items")?;
                let items = Self::of(items, is_embedded(items))?;
                let room = (LARGEST_REQUEST - 2) / (items.smallest + 1);
                let longest = limit(schema, "maxItems").unwrap_or(room);
                Self { kind: DeclKind::List(items), longest, smallest: 2 }
            }
            ("object", _) => match subschema(schema, "additionalProperties") {
                Some(entries) => {
                    let entries = Self::of(entries, is_embedded(entries))?;
                    let room = (LARGEST_REQUEST - 2) / (entries.smallest + 6);
                    let longest = limit(schema, "maxProperties").unwrap_or(room);
                    Self { kind: DeclKind::Map(entries), longest, smallest: 2 }
                }
                None => Self::object(schema, is_resource),
            },
            ("string", "byte") => {
                Self::plain(Type::Bytes, longest.unwrap_or(LARGEST_REQUEST - 2), 2)
            }
            ("string", "duration") => Self::plain(Type::Duration, 32, 3),
            ("string", "date") => Self::plain(Type::Timestamp, 12, 12),
            ("string", "date-time") => Self::plain(Type::Timestamp, 32, 21),
            ("string", _) => {
                let values = schema.get("enum").and_then(Value::as_array);
                let lengths = values.into_iter().flatten().filter_map(Value::as_str).map(str::len);
                let of_values = values.filter(|values| !values.is_empty());
                let of_values = of_values.map(|_| lengths.max().unwrap_or_default() as u64);
                let longest = longest.map(|most| most * 4).or(of_values);
                Self::plain(Type::String, longest.unwrap_or(LARGEST_REQUEST - 2), 2)
            }
            ("boolean", _) => Self::plain(Type::Bool, 0, 4),
            ("number", _) => Self::plain(Type::Double, 0, 1),
            ("integer", _) => Self::plain(Type::Int, 0, 1),
            _ => return None,
        }))
    }

    fn plain(own: Type, longest: u64, smallest: u64) -> Self {
        Self { kind: DeclKind::Plain(own), longest, smallest }
    }

    /// The declaration of values of which no schema states the type.
    pub(super) fn unknown() -> Arc<Self> {
        let longest = LARGEST_REQUEST - 2;
        Arc::new(Self { kind: DeclKind::Plain(Type::Dyn), longest, smallest: 1 })
    }

    /// The declaration of keys of maps, which servers take for empty strings.
    pub(super) fn key() -> Arc<Self> {
        Arc::new(Self { kind: DeclKind::Plain(Type::String), longest: 0, smallest: 2 })
    }

    fn object(schema: &Value, is_resource: bool) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut properties = properties.cloned().unwrap_or_default();
        if is_resource && !has_identity(schema) {
            let text = json!({"type": "string"});
            let metadata =
                json!({"type": "object", "properties": {"name": text, "generateName": text}});
            properties.extend([
                ("apiVersion".to_owned(), text.clone()),
                ("kind".to_owned(), text.clone()),
                ("metadata".to_owned(), metadata),
            ]);
        }
        let required = schema.get("required").and_then(Value::as_array);
        let mut smallest = 2;
        let mut fields = BTreeMap::new();
        for (name, property) in &properties {
            let Some(decl) = Self::of(property, is_embedded(property)) else { continue };
            let is_required = required.is_some_and(|all| all.iter().any(|known| known == name));
            if is_required && property.get("default").is_none_or(Value::is_null) {
                smallest += name.len() as u64 + decl.smallest + 4;
            }
            if is_nameable(name) {
                fields.insert(escape(name), decl);
            }
        }
        Self { kind: DeclKind::Object(fields), longest: 0, smallest }
    }

    /// The type of the values. Types of objects are named by their place.
    pub(super) fn to_type(self: &Arc<Self>, name: &str) -> Type {
        match &self.kind {
            DeclKind::Plain(own) => own.clone(),
            DeclKind::List(items) => Type::list(items.to_type(&format!("{name}.@idx"))),
            DeclKind::Map(entries) => {
                Type::map(Type::String, entries.to_type(&format!("{name}.@elem")))
            }
            DeclKind::Object(_) => Type::Object(Object { name: name.into(), decl: self.clone() }),
        }
    }

    /// The declaration of a member of an object.
    pub(super) fn field(&self, name: &str) -> Option<&Arc<Self>> {
        let DeclKind::Object(fields) = &self.kind else { return None };
        fields.get(name)
    }

    /// The declaration of elements or entries.
    pub(super) fn element(&self) -> Option<&Arc<Self>> {
        match &self.kind {
            DeclKind::List(of) | DeclKind::Map(of) => Some(of),
            _ => None,
        }
    }
}

pub(super) fn is_embedded(schema: &Value) -> bool {
    schema.get(EMBEDDED) == Some(&Value::Bool(true))
}

/// A schema in another one.
pub(super) fn subschema<'a>(schema: &'a Value, key: &str) -> Option<&'a Value> {
    schema.get(key).filter(|below| below.is_object())
}

/// The number at a keyword, such as `maxItems`.
pub(super) fn limit(schema: &Value, key: &str) -> Option<u64> {
    schema.get(key)?.as_u64()
}

/// Whether a schema of resources has all members that expressions see of each resource.
fn has_identity(schema: &Value) -> bool {
    let members = [
        ("metadata", "object"),
        ("kind", "string"),
        ("apiVersion", "string"),
        ("metadata/properties/name", "string"),
        ("metadata/properties/generateName", "string"),
    ];
    members.iter().all(|(path, kind)| {
        schema.pointer(&format!("/properties/{path}/type")).is_some_and(|found| found == kind)
    })
}
