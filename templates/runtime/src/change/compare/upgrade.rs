//! Ownership of fields, moved from managers that update to one that applies.

use super::managers::{self, Manager};
use crate::change::{ChangeError, PatchOperation};
use crate::meta_v1::{ManagedFieldsEntry, ObjectMeta, RawJson};

/// The operations that move ownership, see
/// [`Patch::upgrade_managers`](crate::Patch::upgrade_managers). `None` if there is nothing to move.
pub(crate) fn operations(
    metadata: &ObjectMeta,
    from: &[&str],
    to: &str,
    subresource: &str,
) -> Result<Vec<PatchOperation>, ChangeError> {
    let entries = metadata.managed_fields.iter().flatten().cloned();
    let mut owners: Vec<_> = managers::of_metadata(metadata)?.into_iter().zip(entries).collect();
    let mut is_changed = false;
    for from in from {
        is_changed |= upgrade(&mut owners, from, to, subresource);
    }
    if !is_changed {
        return Ok(Vec::new());
    }
    let Some(version) = &metadata.resource_version else {
        return Err(ChangeError::new(
            "metadata.resourceVersion",
            "the object has no version: read it from a server",
        ));
    };
    let entries: Vec<ManagedFieldsEntry> = owners.into_iter().map(|(_, entry)| entry).collect();
    Ok(vec![
        PatchOperation::replace("/metadata/managedFields", &entries),
        PatchOperation::replace("/metadata/resourceVersion", version),
    ])
}

/// Moves the fields that one manager owns by updates. Returns whether it owned anything.
fn upgrade(
    owners: &mut Vec<(Manager, ManagedFieldsEntry)>,
    from: &str,
    to: &str,
    subresource: &str,
) -> bool {
    let is = |owner: &Manager, name: &str, operation: &str| {
        (&*owner.name, &*owner.operation, &*owner.subresource) == (name, operation, subresource)
    };
    // Servers sort them by operation and time: the last one is the newest.
    let Some(last) = owners.iter().rposition(|(owner, _)| is(owner, from, UPDATE)) else {
        return false;
    };
    let target = owners.iter().position(|(owner, _)| is(owner, to, APPLY)).unwrap_or(last);
    let version = owners[target].0.api_version.clone();
    let moved =
        owners.iter().find(|(owner, _)| is(owner, from, UPDATE) && owner.api_version == version);
    let fields = moved.map(|(owner, _)| owners[target].0.fields.union(&owner.fields));
    let (owner, entry) = &mut owners[target];
    if let Some(fields) = fields {
        entry.fields_v1 = Some(RawJson::from_value(&fields.to_fields_v1()));
        owner.fields = fields;
    }
    to.clone_into(&mut owner.name);
    APPLY.clone_into(&mut owner.operation);
    entry.manager = Some(to.to_owned());
    entry.operation = Some(APPLY.to_owned());
    owners.retain(|(owner, _)| !is(owner, from, UPDATE));
    true
}

const APPLY: &str = "Apply";
const UPDATE: &str = "Update";
