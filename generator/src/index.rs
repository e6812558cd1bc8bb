//! The index of a crate: what other crates that are generated over it need to know of its types and parameters.
//!
//! It stands beside the sources of every generated crate, and of the runtime, as `src/index.json`.

use crate::error::{Error, Location, Place};
use crate::load::Source;
use crate::model::{Api, Role, Shape, StandardParams, Type, TypeDef, TypeId};
use crate::wellknown;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The path of the index below the folder of a crate.
pub const PATH: &str = "src/index.json";

/// Another crate whose types a run uses.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternCrate {
    /// The name of its package.
    pub package: String,
    /// Its index.
    pub index: Index,
}

/// What a crate offers to crates over it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    /// The types by schema name. Nested schemas have no names, and no other crate can have them.
    pub types: BTreeMap<String, IndexedType>,
    /// The standard parameter structs by name. Only the runtime has any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, StandardParams>,
}

/// A type of an index.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct IndexedType {
    /// The module, which is also the Cargo feature unless it is that of the shared types.
    pub module: String,
    /// The name of the type.
    pub name: String,
    /// JSON types of the properties of a struct, by their names; absent for an enum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<BTreeMap<String, String>>,
    /// Whether its objects state an `apiVersion` and a `kind`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kind: bool,
    /// The schema of the items, if this is the list of a kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<String>,
}

impl Index {
    /// The index of the types of an API.
    #[must_use]
    pub fn of(api: &Api) -> Self {
        let named = api.types().filter(|(_, def)| is_named(def));
        let types = named.map(|(id, def)| (def.schema.clone(), indexed(api, &id, &def.shape))).collect();
        Self { types, ..Self::default() }
    }

    /// Reads an index.
    ///
    /// # Errors
    /// When the text is no index.
    pub fn parse(source: &Source) -> Result<Self, Error> {
        serde_json::from_str(&source.text).map_err(|error| {
            Error::at(Location::pointer(&source.name, ""), format!("this is no index of a generated crate: {error}"))
                .help("generate that crate again with this version of kapigen")
        })
    }

    /// The text of the file: JSON with one line for each type.
    ///
    /// # Panics
    /// Never: strings, lists and maps can be written.
    #[must_use]
    pub fn text(&self) -> String {
        let mut parts = vec![format!("\"types\": {}", lines(&self.types))];
        if !self.params.is_empty() {
            parts.push(format!("\"params\": {}", lines(&self.params)));
        }
        format!("{{\n{}\n}}\n", parts.join(",\n"))
    }
}

/// A JSON object with one line for each member.
fn lines<T: Serialize>(map: &BTreeMap<String, T>) -> String {
    let line = |(key, value): (&String, &T)| format!("{}: {}", json(key), json(value));
    format!("{{\n{}\n}}", map.iter().map(line).collect::<Vec<_>>().join(",\n"))
}

fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("strings, lists and maps can be written")
}

/// Whether the schema of a type has a name.
fn is_named(def: &TypeDef) -> bool {
    let Place::Pointer(pointer) = &def.location.place else { return false };
    pointer.strip_prefix("/components/schemas/").is_some_and(|name| !name.contains('/'))
}

fn indexed(api: &Api, id: &TypeId, shape: &Shape) -> IndexedType {
    let TypeId { module, name, .. } = id.clone();
    let properties = match shape {
        Shape::Struct(fields) => Some(fields.iter().map(|field| (field.wire.clone(), json_type(&field.ty))).collect()),
        Shape::Enum(_) => None,
    };
    let kind = api.get(id).is_some_and(|def| def.kind.is_some());
    let items = match api.get(id).and_then(|def| Some(&def.kind.as_ref()?.role)) {
        Some(Role::List { item }) => api.get(item).map(|item| item.schema.clone()),
        _ => None,
    };
    IndexedType { module, name, properties, kind, items }
}

/// What JSON holds for a type, as far as it must be the same for two types to be exchangeable.
#[must_use]
pub fn json_type(ty: &Type) -> String {
    match ty {
        Type::Bool => "boolean".to_owned(),
        Type::Int32 | Type::Int64 => "integer".to_owned(),
        Type::Double => "number".to_owned(),
        Type::String => "string".to_owned(),
        Type::WellKnown(name) if *name == wellknown::ANY => ANY.to_owned(),
        Type::WellKnown(name) => (*name).to_owned(),
        Type::Named(_) => ANY.to_owned(),
        Type::List(inner) => format!("{ARRAY}{}", json_type(inner)),
        Type::Map(inner) => format!("{MAP}{}", json_type(inner)),
    }
}

/// The JSON type of free JSON, and of an object, whose properties are compared on their own.
const ANY: &str = "any";
const ARRAY: &str = "array of ";
const MAP: &str = "map of ";

/// Whether a type takes what a document says of its values, both given as JSON types. What is not known is taken.
#[must_use]
pub fn is_compatible(document: &str, known: &str) -> bool {
    let inner = |start| Some((document.strip_prefix(start)?, known.strip_prefix(start)?));
    if let Some((document, known)) = inner(ARRAY).or_else(|| inner(MAP)) {
        return is_compatible(document, known);
    }
    let is_open = |ty: &str| ty == ANY || OBJECTS.contains(&ty);
    document == known
        || document == ANY
        || known == ANY
        || (is_open(document) && is_free_object(known))
        || (is_open(known) && is_free_object(document))
        || forms(document)
            .zip(forms(known))
            .is_some_and(|(document, known)| document.iter().all(|form| known.contains(form)))
}

/// Well-known types that are free JSON objects.
const OBJECTS: [&str; 2] = ["FieldsV1", "RawExtension"];

/// Whether values may be objects with any members.
#[must_use]
pub fn is_free_object(ty: &str) -> bool {
    ty == ANY || OBJECTS.contains(&ty) || ty.strip_prefix(MAP) == Some(ANY)
}

/// Whether values may be strings.
#[must_use]
pub fn is_string(ty: &str) -> bool {
    ty == ANY || ty == "string"
}

/// The forms that values of a scalar type have in JSON.
fn forms(ty: &str) -> Option<&'static [&'static str]> {
    Some(match ty {
        "boolean" => &["boolean"],
        "integer" => &["integer"],
        "number" => &["integer", "number"],
        "string" | "ByteString" | "MicroTime" | "Time" => &["string"],
        wellknown::INT_OR_STRING => &["integer", "string"],
        "Quantity" => &["integer", "number", "string"],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::is_compatible;

    #[test]
    fn types_are_compared_as_far_as_both_are_known() {
        let cases = [
            ("string", "string", true),
            ("string", "integer", false),
            ("any", "map of string", true),
            ("array of any", "array of string", true),
            ("array of string", "map of string", false),
            ("map of array of any", "map of array of string", true),
            ("map of array of integer", "map of array of string", false),
            ("map of any", "RawExtension", true),
            ("string", "RawExtension", false),
            ("string", "Time", true),
        ];
        for (one, other, expected) in cases {
            assert_eq!(is_compatible(one, other), expected, "{one} and {other}");
            assert_eq!(is_compatible(other, one), expected, "{other} and {one}");
        }
    }

    #[test]
    fn types_may_take_more_than_documents_say() {
        for (document, known) in [("IntOrString", "Quantity"), ("string", "Quantity"), ("integer", "number")] {
            assert!(is_compatible(document, known), "{document} and {known}");
            assert!(!is_compatible(known, document), "{known} and {document}");
        }
    }
}
