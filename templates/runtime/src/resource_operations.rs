//! The operations that servers have for every resource, with all their parameters: for resources
//! that are known at run time only, and for kinds that are written in Rust.

use crate::operation::{Operation, Verb};
use crate::patch_type::PatchType;

const JSON: &[&str] = &["application/json"];
const PATCHES: &[&str] = &[
    PatchType::Json.media_type(),
    PatchType::Merge.media_type(),
    PatchType::Strategic.media_type(),
    PatchType::Apply.media_type(),
];

/// The patches that servers take for custom resources.
const CUSTOM_PATCHES: &[&str] =
    &[PatchType::Json.media_type(), PatchType::Merge.media_type(), PatchType::Apply.media_type()];

const READING: &[&str] = &["pretty", "resourceVersion"];
const WRITING: &[&str] = &["dryRun", "fieldManager", "fieldValidation", "pretty"];
const PATCHING: &[&str] = &["dryRun", "fieldManager", "fieldValidation", "force", "pretty"];
const DELETING: &[&str] = &[
    "dryRun",
    "gracePeriodSeconds",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "orphanDependents",
    "pretty",
    "propagationPolicy",
];
const DELETING_COLLECTION: &[&str] = &[
    "continue",
    "dryRun",
    "fieldSelector",
    "gracePeriodSeconds",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "labelSelector",
    "limit",
    "orphanDependents",
    "pretty",
    "propagationPolicy",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "shardSelector",
    "timeoutSeconds",
];
const LISTING: &[&str] = &[
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "pretty",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "shardSelector",
    "timeoutSeconds",
    "watch",
];

/// Lists the objects below a path.
#[must_use]
pub const fn list(id: &'static str, path: &'static str) -> Operation {
    Operation::new(Verb::List, id, "GET", path).parameters(LISTING)
}

/// Creates an object below a path.
#[must_use]
pub const fn create(id: &'static str, path: &'static str) -> Operation {
    Operation::new(Verb::Create, id, "POST", path).parameters(WRITING).media_types(JSON)
}

/// Deletes the objects below a path.
#[must_use]
pub const fn delete_collection(id: &'static str, path: &'static str) -> Operation {
    Operation::new(Verb::DeleteCollection, id, "DELETE", path)
        .parameters(DELETING_COLLECTION)
        .media_types(JSON)
}

/// Reads the object at a path.
#[must_use]
pub const fn get(id: &'static str, path: &'static str) -> Operation {
    Operation::new(Verb::Get, id, "GET", path).parameters(READING)
}

/// Replaces the object at a path.
#[must_use]
pub const fn replace(id: &'static str, path: &'static str) -> Operation {
    Operation::new(Verb::Replace, id, "PUT", path).parameters(WRITING).media_types(JSON)
}

/// Patches the object at a path.
#[must_use]
pub const fn patch(id: &'static str, path: &'static str) -> Operation {
    Operation::new(Verb::Patch, id, "PATCH", path).parameters(PATCHING).media_types(PATCHES)
}

/// Deletes the object at a path.
#[must_use]
pub const fn delete(id: &'static str, path: &'static str) -> Operation {
    Operation::new(Verb::Delete, id, "DELETE", path).parameters(DELETING).media_types(JSON)
}

/// Patches the custom resource at a path, for which servers refuse strategic patches.
#[must_use]
pub const fn patch_custom(id: &'static str, path: &'static str) -> Operation {
    patch(id, path).media_types(CUSTOM_PATCHES)
}
