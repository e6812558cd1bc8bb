//! Keeps the interface of a crate that exists, whatever newer documents say.
//!
//! A crate has the documents that it was made of, and beside them what it held then. Newer
//! documents are changed before they are lowered, so that they describe the interface of the crate:
//! members stay optional or required, strings stay strings, and what the newer documents lack stays
//! as well, marked. The crate publishes the newer documents as they are.

mod documents;
mod interface;
mod names;
mod operations;
mod schema;

pub use documents::{group_versions, hold, leave_out, schema_names, unite_equal};
pub use interface::{Interface, PATH};
pub use names::{Equal, Names, differing, equal, missing_types, united};

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The extension of what newer documents lack: the release of the first ones without it.
pub const MISSING_EXTENSION: &str = "x-kapigen-missing-since";

/// The extension of a query parameter that is optional in the interface, and that servers require.
pub const DEMANDED_EXTENSION: &str = "x-kapigen-demanded";

/// The extension of a query parameter that functions cannot take without other arguments.
pub const LEFT_OUT_EXTENSION: &str = "x-kapigen-left-out";

/// The places that a run held or kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Members and parameters that have the form of the crate and not of the documents: the place,
    /// and the difference.
    pub held: BTreeSet<(String, String)>,
    /// What the documents lack: schemas, members, values, parameters and operations.
    pub kept: BTreeSet<String>,
}

/// Schemas, members and operations that take their new form: `Schema`, `Schema.property`, or
/// `METHOD /path`.
pub type Accepted = BTreeSet<String>;

/// Query parameters by their operation, `METHOD /path`.
pub type Parameters = BTreeMap<String, BTreeSet<String>>;

/// Marks a schema, a parameter or an operation that newer documents lack. One that was marked
/// before keeps its release.
fn mark(value: &mut Value, release: &str) {
    let Some(object) = value.as_object_mut() else { return };
    if let Some(reference) = object.remove("$ref") {
        // Nothing counts beside a reference.
        object.insert("allOf".to_owned(), json!([{ "$ref": reference }]));
    }
    let release = object.entry(MISSING_EXTENSION).or_insert_with(|| release.into());
    let text = match release.as_str().unwrap_or_default() {
        "" => "It is not in the documents any more.".to_owned(),
        release => format!("It is not in the documents since {release}."),
    };
    object.insert("deprecated".to_owned(), true.into());
    object.insert("description".to_owned(), text.into());
}
