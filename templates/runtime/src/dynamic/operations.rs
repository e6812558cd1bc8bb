//! The operations on resources that are known at run time only.

use crate::operation::{Operation, Verb};
use crate::patch_type::PatchType;

/// The operations on the objects below one path.
pub(super) struct Operations {
    pub(super) list: Operation,
    pub(super) create: Operation,
    pub(super) delete_collection: Operation,
    pub(super) get: Operation,
    pub(super) replace: Operation,
    pub(super) patch: Operation,
    pub(super) delete: Operation,
    pub(super) get_subresource: Operation,
    pub(super) create_subresource: Operation,
    pub(super) replace_subresource: Operation,
    pub(super) patch_subresource: Operation,
}

const JSON: &[&str] = &["application/json"];
/// All patches. For custom resources, servers refuse strategic ones.
const PATCHES: &[&str] = &[
    PatchType::Json.media_type(),
    PatchType::Merge.media_type(),
    PatchType::Strategic.media_type(),
    PatchType::Apply.media_type(),
];

// The parameters of all servers, since none is known: the fields of the structs in `params`.
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

/// The operations below a path. Its arguments are group, version, namespace, plural, name and
/// subresource, as far as it has them.
macro_rules! operations {
    ($path:literal) => {{
        const OBJECT: &str = concat!($path, "/{name}");
        const SUBRESOURCE: &str = concat!($path, "/{name}/{subresource}");
        static OPERATIONS: Operations = Operations {
            list: Operation::new(Verb::List, "list", "GET", $path).parameters(LISTING),
            create: Operation::new(Verb::Create, "create", "POST", $path)
                .parameters(WRITING)
                .media_types(JSON),
            delete_collection: Operation::new(
                Verb::DeleteCollection,
                "deletecollection",
                "DELETE",
                $path,
            )
            .parameters(DELETING_COLLECTION)
            .media_types(JSON),
            get: Operation::new(Verb::Get, "get", "GET", OBJECT).parameters(READING),
            replace: Operation::new(Verb::Replace, "update", "PUT", OBJECT)
                .parameters(WRITING)
                .media_types(JSON),
            patch: Operation::new(Verb::Patch, "patch", "PATCH", OBJECT)
                .parameters(PATCHING)
                .media_types(PATCHES),
            delete: Operation::new(Verb::Delete, "delete", "DELETE", OBJECT)
                .parameters(DELETING)
                .media_types(JSON),
            get_subresource: Operation::new(Verb::Get, "get", "GET", SUBRESOURCE)
                .parameters(READING),
            create_subresource: Operation::new(Verb::Create, "create", "POST", SUBRESOURCE)
                .parameters(WRITING)
                .media_types(JSON),
            replace_subresource: Operation::new(Verb::Replace, "update", "PUT", SUBRESOURCE)
                .parameters(WRITING)
                .media_types(JSON),
            patch_subresource: Operation::new(Verb::Patch, "patch", "PATCH", SUBRESOURCE)
                .parameters(PATCHING)
                .media_types(PATCHES),
        };
        &OPERATIONS
    }};
}

/// The operations of a group, or of core if it is empty, in a namespace or not.
pub(super) fn operations(group: &str, has_namespace: bool) -> &'static Operations {
    match (group.is_empty(), has_namespace) {
        (true, true) => operations!("/api/{version}/namespaces/{namespace}/{plural}"),
        (true, false) => operations!("/api/{version}/{plural}"),
        (false, true) => operations!("/apis/{group}/{version}/namespaces/{namespace}/{plural}"),
        (false, false) => operations!("/apis/{group}/{version}/{plural}"),
    }
}
