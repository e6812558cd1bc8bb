//! From a request to the handler of its operation.

use crate::call::{Call, Outcome, State};
use crate::failure::Failure;
use crate::registry::Resource;
use crate::request::{Incoming, Target};
use crate::write::Part;
use kapigen_runtime::jiff::Timestamp;
use std::sync::Arc;

/// The resource of a path.
pub(crate) fn resource(state: &State, target: &Target<'_>) -> Option<Arc<Resource>> {
    let resource = state.registry.get(target.group, target.version, target.plural)?;
    match target.subresource {
        Some(name) if !resource.subresources.contains_key(name) => None,
        _ => Some(resource.clone()),
    }
}

/// The verb of a request, as RBAC spells it.
pub(crate) fn verb(request: &Incoming<'_>, target: &Target<'_>) -> &'static str {
    let is_one = target.name.is_some();
    match request.method {
        "GET" if target.is_watch(request) => "watch",
        "GET" if is_one => "get",
        "GET" => "list",
        "POST" => "create",
        "PUT" => "update",
        "PATCH" => "patch",
        "DELETE" if is_one => "delete",
        "DELETE" => "deletecollection",
        _ => "",
    }
}

/// Refuses methods that the path does not have.
pub(crate) fn check_method(resource: &Resource, target: &Target<'_>, method: &str) -> Result<(), Failure> {
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
    let details = serde_json::json!({"group": resource.group, "kind": resource.plural});
    Failure::new(405, "MethodNotAllowed", message).with_details(details)
}

/// Handles a request to a resource. Returns warnings, too.
pub(crate) fn handle(
    state: &mut State,
    request: &Incoming<'_>,
    target: &Target<'_>,
    resource: Arc<Resource>,
    now: Timestamp,
) -> (Result<Outcome, Failure>, Vec<String>) {
    let warnings = resource.facts.warning.map(str::to_owned).into_iter().collect();
    let mut call = Call { state, request, target, resource, now, warnings };
    let result = call.run();
    (result, call.warnings)
}

impl Call<'_> {
    /// Refuses bodies that are neither JSON nor YAML: above all protobuf, in which some commands of kubectl encode.
    fn check_media_type(&self) -> Result<(), Failure> {
        let has_object = matches!(self.request.method, "POST" | "PUT") && !self.request.body.is_empty();
        if !has_object || matches!(self.request.content_type(), "" | "application/json" | "application/yaml") {
            return Ok(());
        }
        let accepted = "accepted media types include: application/json, application/yaml";
        let message = format!("the body of the request was in an unknown format - {accepted}");
        Err(Failure::new(415, "UnsupportedMediaType", message))
    }

    fn run(&mut self) -> Result<Outcome, Failure> {
        self.check_media_type()?;
        let is_core = self.resource.group.is_empty();
        if let Some(subresource) = self.target.subresource {
            return match subresource {
                "scale" => self.scale(),
                "status" => self.part(Part::Status),
                "finalize" => self.part(Part::Finalize),
                "binding" => self.bind(),
                "eviction" => self.evict(),
                "ephemeralcontainers" => self.part(Part::EphemeralContainers),
                "resize" => self.part(Part::Resize),
                "log" => self.log(),
                other => Err(Failure::new(501, "", format!("the fake server has no subresource {other}"))),
            };
        }
        if is_core && self.resource.plural == "bindings" {
            return self.bind_by_collection();
        }
        match verb(self.request, self.target) {
            "watch" => self.watch(),
            "get" => self.get(),
            "list" => self.list(),
            "create" => self.create(),
            "update" => self.update(Part::Main),
            "patch" => self.patch(Part::Main),
            "delete" => self.delete(),
            "deletecollection" => self.delete_collection(),
            _ => Err(Failure::method_not_allowed()),
        }
    }

    /// POST on the collection of bindings binds the pod of the same name.
    fn bind_by_collection(&mut self) -> Result<Outcome, Failure> {
        let pods = self.state.registry.get("", "v1", "pods").cloned().ok_or_else(Failure::no_such_path)?;
        self.resource = pods;
        self.bind()
    }
}
