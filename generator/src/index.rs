//! The index of a crate: what other crates that are generated over it need to know of its types and parameters.
//!
//! It stands beside the sources of every generated crate, and of the runtime, as `src/index.json`.

use crate::error::{Error, Location};
use crate::load::Source;
use crate::model::{Api, Role, Shape, StandardParams, Type, TypeId};
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
    /// The types by schema name.
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
        Self {
            types: api.types().map(|(id, def)| (def.schema.clone(), indexed(api, &id, &def.shape))).collect(),
            ..Self::default()
        }
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

    /// The text of the file.
    ///
    /// # Panics
    /// Never: strings, lists and maps can be written.
    #[must_use]
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("strings, lists and maps can be written");
        format!("{text}\n")
    }
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

/// Whether values of the one JSON type can be values of the other.
#[must_use]
pub fn is_compatible(one: &str, other: &str) -> bool {
    let inner = |start| Some((one.strip_prefix(start)?, other.strip_prefix(start)?));
    let inner = inner(ARRAY).or_else(|| inner(MAP));
    one == other || one == ANY || other == ANY || inner.is_some_and(|(one, other)| is_compatible(one, other))
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
        ];
        for (one, other, expected) in cases {
            assert_eq!(is_compatible(one, other), expected, "{one} and {other}");
            assert_eq!(is_compatible(other, one), expected, "{other} and {one}");
        }
    }
}
