//! The index of a crate: its types and parameters, for crates that are generated over it.
//!
//! It is a file beside the sources of every generated crate, and of the runtime, as
//! `src/index.json`.

use crate::error::{Error, Location};
use crate::input::{Source, parse};
use crate::model::StandardParams;
use crate::model::json_type::JsonType;
use crate::names;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The path of the index below the folder of a crate.
pub const PATH: &str = "src/index.json";

/// Another crate that a run takes types from.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternCrate {
    /// The name of its package.
    pub package: String,
    /// Its index.
    pub index: Index,
    /// The documents that describe its listed types.
    pub documents: Vec<Source>,
}

/// The types and parameters that a crate offers to crates over it.
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
    /// The module. It is also the Cargo feature, except for the module of the shared types.
    pub module: String,
    /// The Cargo feature, if that is not the one of the module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// The name of the type.
    pub name: String,
    /// JSON types of the properties of a struct, by their names; absent for an enum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<BTreeMap<String, JsonType>>,
    /// Whether its objects state an `apiVersion` and a `kind`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kind: bool,
    /// The schema of the items, if this is the list of a kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<String>,
}

impl Index {
    /// Reads an index.
    ///
    /// # Errors
    /// When the file is not an index.
    pub fn parse(source: &Source) -> Result<Self, Error> {
        let index: Self =
            parse::file(source).map_err(|error| not_an_index(error.location, &error.message))?;
        let invalid = index
            .types
            .iter()
            .find(|(_, ty)| !names::is_identifier(&ty.module) || !names::is_identifier(&ty.name));
        match invalid {
            Some((schema, IndexedType { module, name, .. })) => {
                let message = format!("`{module}::{name}`, of `{schema}`, is no path of a type");
                Err(not_an_index(Some(Location::document(&source.name)), &message))
            }
            None => Ok(index),
        }
    }
}

fn not_an_index(location: Option<Location>, why: &str) -> Error {
    let error = Error::new(format!("this is not an index of a generated crate: {why}"));
    Error { location, ..error }.help("generate that crate again with this version of kapigen")
}
