//! The operations on resources that are known at run time only.

use crate::operation::Operation;
use crate::resource_operations::{create, delete, delete_collection, get, list, patch, replace};

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

/// The operations below a path. Its arguments are group, version, namespace, plural, name and
/// subresource, as far as it has them.
macro_rules! operations {
    ($path:literal) => {{
        const OBJECT: &str = concat!($path, "/{name}");
        const SUBRESOURCE: &str = concat!($path, "/{name}/{subresource}");
        static OPERATIONS: Operations = Operations {
            list: list("list", $path),
            create: create("create", $path),
            delete_collection: delete_collection("deletecollection", $path),
            get: get("get", OBJECT),
            replace: replace("update", OBJECT),
            patch: patch("patch", OBJECT),
            delete: delete("delete", OBJECT),
            get_subresource: get("get", SUBRESOURCE),
            create_subresource: create("create", SUBRESOURCE),
            replace_subresource: replace("update", SUBRESOURCE),
            patch_subresource: patch("patch", SUBRESOURCE),
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
