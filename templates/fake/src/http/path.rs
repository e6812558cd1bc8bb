//! Paths of resources, and their methods.

use crate::failure::Failure;
use crate::registry::{Registry, Resource};
use crate::request::Incoming;
use kapigen_runtime::__private::ResourcePath;
use kapigen_runtime::Verb;
use serde_json::json;
use std::sync::Arc;

/// The verb of a request to a resource. `None` for methods that no resource has.
pub(crate) fn verb(path: &ResourcePath<'_>, request: &Incoming<'_>) -> Option<Verb> {
    path.verb(request.method, request.is_set("watch"))
}

/// The refusal of a path that belongs to no resource.
pub(super) fn unknown(registry: &Registry, path: &str) -> Failure {
    let group = match path.strip_prefix("/apis/") {
        Some(rest) => rest.split('/').next().unwrap_or_default(),
        None if path.starts_with("/api/") => "",
        None => return Failure::no_page(),
    };
    let versions = registry.groups().remove(group).unwrap_or_default();
    let mut resources =
        versions.into_iter().flat_map(|version| registry.of_version(group, version));
    if resources.any(|resource| resource.custom.is_none()) {
        Failure::no_such_path()
    } else {
        Failure::no_page()
    }
}

/// The resource of a path. The refusal of one that the server does not have depends on what serves
/// its group.
pub(super) fn resource(
    registry: &Registry,
    path: &ResourcePath<'_>,
) -> Result<Arc<Resource>, Failure> {
    let Some(resource) = registry.get(path.group, path.version, path.plural) else {
        let mut others = registry.of_version(path.group, path.version);
        let is_built_in = others.any(|other| other.custom.is_none());
        return Err(if is_built_in { Failure::no_such_path() } else { Failure::no_page() });
    };
    match path.subresource {
        // Custom resources share a handler, which ignores the path after the subresource.
        Some(name) if name != "proxy" && resource.custom.is_none() && path.rest.is_some() => {
            Err(Failure::no_such_path())
        }
        Some(name) if resource.subresources.contains_key(name) => Ok(resource.clone()),
        Some(_) if resource.custom.is_some() => {
            Err(Failure::missing(resource, path.name.unwrap_or_default()))
        }
        Some(_) => Err(Failure::no_such_path()),
        None => Ok(resource.clone()),
    }
}

/// Refuses methods that the path does not have.
pub(super) fn check_method(
    resource: &Resource,
    path: &ResourcePath<'_>,
    method: &str,
) -> Result<(), Failure> {
    let is_everywhere = resource.namespaced && path.namespace.is_none();
    let methods = match (path.name, path.subresource) {
        (Some(_), Some(name)) => {
            resource.subresources.get(name).map(|subresource| &subresource.methods)
        }
        (Some(_), None) => Some(&resource.object),
        _ => Some(&resource.collection),
    };
    if let (Some(_), Some(_)) = (&resource.custom, &path.subresource)
        && !methods.is_some_and(|methods| methods.contains(method))
    {
        return Err(unsupported(resource, method));
    }
    if resource.custom.is_some() && path.subresource.is_none() {
        match (method, &path.name) {
            ("PUT" | "PATCH", None) => return Err(Failure::bad_request("name must be provided")),
            ("POST", None) if is_everywhere => return Err(Failure::no_page()),
            // A server decodes the body before it refuses the name.
            ("POST", Some(_)) => return Ok(()),
            _ => {}
        }
    }
    let has_method = methods.is_some_and(|methods| methods.contains(method));
    let is_refused = is_everywhere && (method != "GET" || path.name.is_some());
    if has_method && !is_refused { Ok(()) } else { Err(Failure::method_not_allowed()) }
}

/// 405, as custom resources word it.
fn unsupported(resource: &Resource, method: &str) -> Failure {
    let message = format!(
        "{} is not supported on resources of kind \"{}\"",
        method.to_lowercase(),
        resource.qualified()
    );
    let details = json!({"group": resource.group, "kind": resource.plural});
    Failure::new(405, message).with_details(details)
}
