//! Resources of generated crates.

use super::paths::{self, Listed};
use super::{Facts, Resource};
use crate::schema;
use kapigen_runtime::Api;

pub(super) fn resources(api: &Api) -> Vec<Resource> {
    let listed = api.operations.iter().map(|operation| {
        let known = api.kinds.iter().find(|kind| kind.kind == operation.kind);
        let (group, version) = known.map_or((operation.group, operation.version), |kind| (kind.group, kind.version));
        let kind = (group.to_owned(), version.to_owned(), operation.kind.to_owned());
        Listed { method: operation.method.to_owned(), path: operation.path, kind }
    });
    let mut resources = paths::resources(listed);
    for resource in &mut resources {
        if let Some(kind) = api.kind(&resource.group, &resource.version, &resource.kind) {
            resource.schema = schema::of_kind(kind);
        }
        resource.singular = resource.kind.to_lowercase();
        resource.facts = Facts::of(resource);
    }
    resources
}
