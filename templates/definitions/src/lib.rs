//! Custom resource definitions, as Kubernetes API servers accept and publish them.
//!
//! [`documents`] makes the OpenAPI documents that a server publishes for definitions,
//! [`Version::published`] the structural schema of a version, [`refusals`] lists the reasons why a
//! server refuses a definition, and [`manifests`] makes manifests to install. [`Document::source`]
//! maps a pointer in a document to one in a manifest.
//!
//! ```
//! use kapigen_definitions::{Definition, documents};
//! use serde_json::json;
//!
//! let manifest = json!({"spec": {
//!     "group": "example.com",
//!     "scope": "Cluster",
//!     "names": {"plural": "widgets", "kind": "Widget"},
//!     "versions": [{"name": "v1", "served": true, "storage": true}],
//! }});
//! let definitions = [Definition::read(&manifest).unwrap()];
//! let document = &documents(&definitions)[0];
//! // Without a schema there are no members.
//! let schema = &document.value()["components"]["schemas"]["com.example.v1.Widget"];
//! assert_eq!((&schema["type"], schema.get("properties")), (&json!("object"), None));
//! ```

mod cause;
mod checks;
mod conversion;
mod definition;
mod document;
mod fields;
mod manifest;
mod merge_rules;
mod names;
mod operations;
mod path;
mod priority;
mod refusals;
mod rules;
mod schema;
pub mod schema_keywords;
mod shared;
mod structural;

pub use cause::Cause;
#[doc(hidden)] // For kapigen-fake, which refuses objects of any kind.
pub use cause::{is_printable, quoted, type_name};
#[doc(hidden)]
pub use checks::Checks;
pub use definition::{
    Column, Conversion, Definition, Incomplete, MOST_VERSIONS, Scale, Version, is_definition,
};
pub use document::{Document, ManifestPlace, documents, documents_with_all_members};
pub use fields::{UnknownField, unknown_fields};
pub use manifest::{clean, manifests};
#[doc(hidden)] // For kapigen-fake.
pub use names::bad_label;
pub use names::{label_errors, subdomain_errors};
#[doc(hidden)]
pub use path::Path;
pub use priority::version_priority;
pub use refusals::{refusals, refusals_of_change, refusals_of_names};
#[doc(hidden)]
pub use refusals::{refusals_of_change_with, refusals_with};

// The README. Its examples are tests. // not vendored
#[cfg(doc)] // not vendored
#[doc = include_str!("../README.md")] // not vendored
pub mod _documentation {} // not vendored
