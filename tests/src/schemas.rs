//! The schemas of `spec/` as the fake server reads them, to change objects as a server does.

use kapigen_fake::change::Schema;
use openshift_api::Kind;
use serde_json::{Value, json};
use test_support::documents::DOCUMENT;

/// The schema of a name.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn schema(name: &str) -> Schema {
    Schema::from_document(&DOCUMENT, name).expect("a schema of spec/")
}

/// The schema of a kind.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn schema_of<T: Kind>() -> Schema {
    let kind = json!({"group": T::GROUP, "version": T::VERSION, "kind": T::KIND});
    let schemas = DOCUMENT["components"]["schemas"].as_object().expect("schemas");
    let is_kind = |schema: &Value| {
        schema["x-kubernetes-group-version-kind"]
            .as_array()
            .is_some_and(|kinds| kinds.contains(&kind))
    };
    let (name, _) = schemas.iter().find(|(_, schema)| is_kind(schema)).expect("a kind of spec/");
    schema(name)
}
