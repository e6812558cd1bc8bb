//! Metadata, moved between generated kinds and kube.
//!
//! The metadata of a generated kind keeps the parts that kube's cannot hold: unknown members,
//! managed fields, which are not parsed, the unknown members of owner references, and times that
//! are out of range. So nothing is lost on the way.

use k8s_openapi::apimachinery::pkg::apis::meta::v1 as kube;
use kapigen_runtime::meta_v1::{FieldsV1, ManagedFieldsEntry, ObjectMeta, OwnerReference, Time};

/// Moves metadata to kube.
pub(crate) fn take(from: &mut ObjectMeta) -> kube::ObjectMeta {
    kube::ObjectMeta {
        annotations: from.annotations.take(),
        creation_timestamp: take_time(&mut from.creation_timestamp),
        deletion_grace_period_seconds: from.deletion_grace_period_seconds.take(),
        deletion_timestamp: take_time(&mut from.deletion_timestamp),
        finalizers: from.finalizers.take(),
        generate_name: from.generate_name.take(),
        generation: from.generation.take(),
        labels: from.labels.take(),
        managed_fields: None,
        name: from.name.take(),
        namespace: from.namespace.take(),
        owner_references: take_owners(&mut from.owner_references),
        resource_version: from.resource_version.take(),
        self_link: from.self_link.take(),
        uid: from.uid.take(),
    }
}

/// Moves metadata back.
pub(crate) fn restore(from: kube::ObjectMeta, to: &mut ObjectMeta) {
    to.annotations = from.annotations;
    restore_time(from.creation_timestamp, &mut to.creation_timestamp);
    to.deletion_grace_period_seconds = from.deletion_grace_period_seconds;
    restore_time(from.deletion_timestamp, &mut to.deletion_timestamp);
    to.finalizers = from.finalizers;
    to.generate_name = from.generate_name;
    to.generation = from.generation;
    to.labels = from.labels;
    if let Some(entries) = from.managed_fields {
        to.managed_fields = Some(entries.into_iter().map(managed_fields).collect());
    }
    to.name = from.name;
    to.namespace = from.namespace;
    to.owner_references = restore_owners(from.owner_references, to.owner_references.take());
    to.resource_version = from.resource_version;
    to.self_link = from.self_link;
    to.uid = from.uid;
}

/// Moves a time. A time in the last hours of the year 9999, which kube cuts, stays behind.
fn take_time(from: &mut Option<Time>) -> Option<kube::Time> {
    let timestamp = (*from)?.timestamp();
    if Some(timestamp.into()) == *from {
        *from = None;
    }
    Some(kube::Time(timestamp))
}

/// Moves a time back, unless it is still the one that stayed behind.
fn restore_time(from: Option<kube::Time>, to: &mut Option<Time>) {
    let kept = to.filter(|kept| from.as_ref().is_some_and(|time| time.0 == kept.timestamp()));
    *to = kept.or_else(|| from.map(|time| time.0.into()));
}

/// Converts an entry that a program has set. Entries of servers do not come here.
fn managed_fields(entry: kube::ManagedFieldsEntry) -> ManagedFieldsEntry {
    ManagedFieldsEntry {
        api_version: entry.api_version,
        fields_type: entry.fields_type,
        fields_v1: entry.fields_v1.map(|fields| FieldsV1::from_value(&fields.0)),
        manager: entry.manager,
        operation: entry.operation,
        subresource: entry.subresource,
        time: entry.time.map(|time| time.0.into()),
        ..ManagedFieldsEntry::default()
    }
}

/// Moves owner references. Owner references with unknown members leave these behind, with the UID.
fn take_owners(from: &mut Option<Vec<OwnerReference>>) -> Option<Vec<kube::OwnerReference>> {
    let mut owners = Vec::new();
    let mut rest = Vec::new();
    for owner in from.take()? {
        if !owner.unknown_.is_empty() {
            rest.push(OwnerReference {
                uid: owner.uid.clone(),
                unknown_: owner.unknown_,
                ..OwnerReference::default()
            });
        }
        owners.push(kube::OwnerReference {
            api_version: owner.api_version,
            block_owner_deletion: owner.block_owner_deletion,
            controller: owner.controller,
            kind: owner.kind,
            name: owner.name,
            uid: owner.uid,
        });
    }
    *from = (!rest.is_empty()).then_some(rest);
    Some(owners)
}

/// Moves owner references back, to the unknown members that they have left behind.
fn restore_owners(
    from: Option<Vec<kube::OwnerReference>>,
    rest: Option<Vec<OwnerReference>>,
) -> Option<Vec<OwnerReference>> {
    let mut rest = rest.unwrap_or_default();
    let owners = from?.into_iter().map(|owner| {
        let known = rest.iter_mut().find(|known| known.uid == owner.uid);
        OwnerReference {
            api_version: owner.api_version,
            block_owner_deletion: owner.block_owner_deletion,
            controller: owner.controller,
            kind: owner.kind,
            name: owner.name,
            unknown_: known.map(|known| std::mem::take(&mut known.unknown_)).unwrap_or_default(),
            uid: owner.uid,
        }
    });
    Some(owners.collect())
}
