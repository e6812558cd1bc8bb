//! Server-side apply.

use super::configured::{merged, prune};
use super::fields::{Changes, UNOWNED_SET, fields_of};
use super::managers::{
    FieldConflict, FieldWriter, Operation, managers_of, take_over, without_managers, write_managers,
};
use crate::schema::{Schema, typed};
use kapigen_runtime::change::ChangeError;
use serde_json::{Value, json};
use std::fmt;

/// The manager that a server records for fields from before managers were tracked.
const BEFORE: &str = "before-first-apply";

/// An error of applying a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApplyError {
    /// Other managers own fields that the configuration sets to another value.
    Conflicts(Vec<FieldConflict>),
    /// The object or the configuration is invalid.
    Invalid(ChangeError),
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplyError::Conflicts(conflicts) => {
                write!(f, "{} fields have other managers", conflicts.len())?;
                conflicts.iter().try_for_each(|conflict| write!(f, "; {conflict}"))
            }
            ApplyError::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ApplyError {}

impl From<ChangeError> for ApplyError {
    fn from(error: ChangeError) -> Self {
        ApplyError::Invalid(error)
    }
}

/// Applies a configuration to an object, as a server does: merges it, removes the fields that this
/// manager applied before but no longer does, and writes the owners of fields into
/// `metadata.managedFields`.
///
/// The object is `null` if there is none. With `force`, the manager takes over fields that others
/// own.
///
/// ```
/// use kapigen_fake::change::{ApplyError, FieldWriter, Schema, apply_configuration};
/// use serde_json::{Value, json};
///
/// let schema = Schema::from_definition(&json!({"type": "object"}));
/// let writer = |name| FieldWriter { name, subresource: "", api_version: "v1", time: None };
/// let labels = |tier| json!({"metadata": {"name": "web", "labels": {"tier": tier}}});
/// let live = apply_configuration(&Value::Null, &labels("front"), &schema, &writer("first"), false)?;
/// let refused = apply_configuration(&live, &labels("back"), &schema, &writer("second"), false);
/// assert!(matches!(refused, Err(ApplyError::Conflicts(conflicts)) if conflicts[0].path == ".metadata.labels.tier"));
/// let live = apply_configuration(&live, &labels("back"), &schema, &writer("second"), true)?;
/// assert_eq!(live["metadata"]["labels"]["tier"], "back");
/// # Ok::<(), ApplyError>(())
/// ```
///
/// # Errors
/// When other managers own fields of the configuration, and their values would change. When the
/// configuration has `managedFields`, elements of lists without their keys or with the same ones,
/// or `managedFields` of the object cannot be read.
pub fn apply_configuration(
    live: &Value,
    configuration: &Value,
    schema: &Schema,
    writer: &FieldWriter<'_>,
    force: bool,
) -> Result<Value, ApplyError> {
    let node = schema.root();
    if !configuration["metadata"]["managedFields"].is_null() {
        let message = "must be absent: the server keeps it";
        return Err(ChangeError::new("metadata.managedFields", message).into());
    }
    typed::check_elements(node, configuration)
        .map_err(|mistyped| ChangeError::new("", mistyped.to_string()))?;
    let mut managers = managers_of(live)?;
    let before = without_managers(live);
    if managers.is_empty() && !live.is_null() {
        let first = FieldWriter { name: BEFORE, ..*writer };
        let all = Changes::of_update(&json!({}), &before, node).set;
        managers.push(first.manager(Operation::Update, all));
    }
    let all = fields_of(configuration, node);
    let mut own = writer.manager(Operation::Apply, all.difference(&UNOWNED_SET));
    let former = managers.iter().position(|manager| manager.is_same(&own));
    let former = former.map(|at| managers.remove(at));
    let mut after = merged(&before, configuration, node);
    if let Some(former) = &former {
        own.time = former.time;
        let others = managers.iter().map(|manager| &manager.fields);
        prune(&mut after, node, &former.fields, &all, others);
    }
    let changes = Changes::of_apply(&before, &after, node);
    let conflicts = take_over(&mut managers, &changes);
    if !force && !conflicts.is_empty() {
        return Err(ApplyError::Conflicts(conflicts));
    }
    if before != after {
        own.time = writer.time;
    }
    managers.push(own);
    write_managers(&mut after, managers);
    Ok(after)
}
