//! Paths of resources, and the methods that they have.

use crate::failure::Failure;
use crate::registry::{Registry, Resource, split};
use crate::request::{Incoming, Verb};
use serde_json::json;
use std::sync::Arc;

/// The resource that a path names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Target<'a> {
    pub(crate) group: &'a str,
    pub(crate) version: &'a str,
    pub(crate) namespace: Option<&'a str>,
    pub(crate) plural: &'a str,
    pub(crate) name: Option<&'a str>,
    pub(crate) subresource: Option<&'a str>,
    /// Whether the path is a deprecated one for watches.
    pub(crate) is_legacy_watch: bool,
}

impl<'a> Target<'a> {
    /// The resource that a path names, if it is one of a resource.
    pub(crate) fn of(path: &'a str) -> Option<Self> {
        let (group, version, rest) = split(path)?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.is_empty() {
            return None;
        }
        let mut target = Self { group, version, ..Self::default() };
        let behind_watch = rest.strip_prefix("watch/");
        target.is_legacy_watch = behind_watch.is_some();
        let mut segments = behind_watch.unwrap_or(rest).split('/');
        let is_of_namespace = |name: &str| matches!(name, "status" | "finalize");
        let mut ahead = segments.clone();
        if let (Some("namespaces"), Some(namespace), Some(third)) = (ahead.next(), ahead.next(), ahead.next())
            && !(ahead.next().is_none() && is_of_namespace(third))
        {
            target.namespace = Some(namespace);
            segments.nth(1);
        }
        target.plural = segments.next()?;
        target.name = segments.next();
        target.subresource = segments.next();
        Some(target)
    }

    /// The verb of a request to it. `None` for methods that no resource has.
    pub(crate) fn verb(&self, request: &Incoming<'_>) -> Option<Verb> {
        let is_one = self.name.is_some();
        Some(match request.method {
            "GET" if self.is_legacy_watch || !is_one && request.is_set("watch") => Verb::Watch,
            "GET" if is_one => Verb::Get,
            "GET" => Verb::List,
            "POST" => Verb::Create,
            "PUT" => Verb::Update,
            "PATCH" => Verb::Patch,
            "DELETE" if is_one => Verb::Delete,
            "DELETE" => Verb::DeleteCollection,
            _ => return None,
        })
    }
}

/// The refusal of a path that is not one of a resource.
pub(super) fn unknown(registry: &Registry, path: &str) -> Failure {
    let group = match path.strip_prefix("/apis/") {
        Some(rest) => rest.split('/').next().unwrap_or_default(),
        None if path.starts_with("/api/") => "",
        None => return Failure::no_page(),
    };
    let versions = registry.groups().remove(group).unwrap_or_default();
    let mut resources = versions.into_iter().flat_map(|version| registry.of_version(group, version));
    if resources.any(|resource| resource.custom.is_none()) { Failure::no_such_path() } else { Failure::no_page() }
}

/// The resource of a path. The refusal of one that the server does not have depends on what serves its group.
pub(super) fn resource(registry: &Registry, target: &Target<'_>) -> Result<Arc<Resource>, Failure> {
    let Some(resource) = registry.get(target.group, target.version, target.plural) else {
        let mut others = registry.of_version(target.group, target.version);
        let is_built_in = others.any(|other| other.custom.is_none());
        return Err(if is_built_in { Failure::no_such_path() } else { Failure::no_page() });
    };
    match target.subresource {
        Some(name) if resource.subresources.contains_key(name) => Ok(resource.clone()),
        Some(_) if resource.custom.is_some() => Err(Failure::missing(resource, target.name.unwrap_or_default())),
        Some(_) => Err(Failure::no_such_path()),
        None => Ok(resource.clone()),
    }
}

/// Refuses methods that the path does not have.
pub(super) fn check_method(resource: &Resource, target: &Target<'_>, method: &str) -> Result<(), Failure> {
    let is_everywhere = resource.namespaced && target.namespace.is_none();
    let methods = match (target.name, target.subresource) {
        (Some(_), Some(name)) => resource.subresources.get(name).map(|subresource| &subresource.methods),
        (Some(_), None) => Some(&resource.object),
        _ => Some(&resource.collection),
    };
    if let (Some(_), Some(_)) = (&resource.custom, &target.subresource)
        && !methods.is_some_and(|methods| methods.contains(method))
    {
        return Err(unsupported(resource, method));
    }
    if resource.custom.is_some() && target.subresource.is_none() {
        match (method, &target.name) {
            ("PUT" | "PATCH", None) => return Err(Failure::bad_request("name must be provided")),
            ("POST", None) if is_everywhere => return Err(Failure::no_page()),
            // A server decodes the body before it refuses the name.
            ("POST", Some(_)) => return Ok(()),
            _ => {}
        }
    }
    let has_method = methods.is_some_and(|methods| methods.contains(method));
    let is_refused = is_everywhere && (method != "GET" || target.name.is_some());
    if has_method && !is_refused { Ok(()) } else { Err(Failure::method_not_allowed()) }
}

/// 405, as custom resources word it.
fn unsupported(resource: &Resource, method: &str) -> Failure {
    let message =
        format!("{} is not supported on resources of kind \"{}\"", method.to_lowercase(), resource.qualified());
    let details = json!({"group": resource.group, "kind": resource.plural});
    Failure::new(405, message).with_details(details)
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn paths_name_resources() {
        let target = |path| {
            let target = Target::of(path)?;
            Some((target.namespace, target.plural, target.name, target.subresource))
        };
        assert_eq!(target("/api/v1/pods"), Some((None, "pods", None, None)));
        assert_eq!(target("/api/v1/namespaces/a/pods/"), Some((Some("a"), "pods", None, None)));
        assert_eq!(target("/api/v1/namespaces/a/pods/b/log"), Some((Some("a"), "pods", Some("b"), Some("log"))));
        assert_eq!(target("/api/v1/namespaces/a"), Some((None, "namespaces", Some("a"), None)));
        assert_eq!(target("/api/v1/namespaces/a/status"), Some((None, "namespaces", Some("a"), Some("status"))));
        assert!(Target::of("/api/v1/watch/namespaces/a/pods/b").is_some_and(|target| target.is_legacy_watch));
        assert_eq!(target("/apis/apps/v1"), None);
        assert_eq!(target("/version"), None);
    }
}
