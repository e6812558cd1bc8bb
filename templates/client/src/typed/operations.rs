//! The operations on objects whose names are arguments.

use kapigen_runtime::{Operation, Verb};

/// The operations on one path.
pub(super) struct Operations {
    pub(super) list: &'static Operation,
    pub(super) create: &'static Operation,
    pub(super) get: &'static Operation,
    pub(super) replace: &'static Operation,
    pub(super) patch: &'static Operation,
    pub(super) delete: &'static Operation,
}

const JSON: &[&str] = &["application/json"];
const PATCHES: &[&str] =
    &["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];
const READING: &[&str] = &["resourceVersion"];
const WRITING: &[&str] = &["dryRun", "fieldManager", "fieldValidation"];
const PATCHING: &[&str] = &["dryRun", "fieldManager", "fieldValidation", "force"];
const DELETING: &[&str] = &[
    "dryRun",
    "gracePeriodSeconds",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "orphanDependents",
    "propagationPolicy",
];
const LISTING: &[&str] = &[
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "timeoutSeconds",
    "watch",
];

/// The operations on a path. Its arguments are group, version, namespace, plural and name, as far as it has them.
macro_rules! operations {
    ($path:literal) => {{
        const OBJECT: &str = concat!($path, "/{name}");
        static LIST: Operation = Operation::new(Verb::List, "listTyped", "GET", $path).parameters(LISTING);
        static CREATE: Operation =
            Operation::new(Verb::Create, "createTyped", "POST", $path).parameters(WRITING).media_types(JSON);
        static GET: Operation = Operation::new(Verb::Get, "readTyped", "GET", OBJECT).parameters(READING);
        static REPLACE: Operation =
            Operation::new(Verb::Replace, "replaceTyped", "PUT", OBJECT).parameters(WRITING).media_types(JSON);
        static PATCH: Operation =
            Operation::new(Verb::Patch, "patchTyped", "PATCH", OBJECT).parameters(PATCHING).media_types(PATCHES);
        static DELETE: Operation =
            Operation::new(Verb::Delete, "deleteTyped", "DELETE", OBJECT).parameters(DELETING).media_types(JSON);
        static ALL: Operations =
            Operations { list: &LIST, create: &CREATE, get: &GET, replace: &REPLACE, patch: &PATCH, delete: &DELETE };
        &ALL
    }};
}

/// The operations of a group or of core, in a namespace or everywhere.
pub(super) fn of(has_group: bool, has_namespace: bool) -> &'static Operations {
    match (has_group, has_namespace) {
        (true, true) => operations!("/apis/{group}/{version}/namespaces/{namespace}/{plural}"),
        (true, false) => operations!("/apis/{group}/{version}/{plural}"),
        (false, true) => operations!("/api/{version}/namespaces/{namespace}/{plural}"),
        (false, false) => operations!("/api/{version}/{plural}"),
    }
}
