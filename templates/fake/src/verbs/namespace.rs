//! The checks of namespaces on behalf of their objects.

use crate::failure::Failure;
use crate::key::Key;
use crate::object::{Tree, is_terminating};
use crate::request::Request;
use crate::state::State;
use serde_json::{Value, json};

/// Refuses a new object in a namespace that does not exist or is being terminated. Without the kind
/// of namespaces every namespace exists, and with it those that a cluster always has.
pub(super) fn check(state: &State, request: &Request<'_>, name: &str) -> Result<(), Failure> {
    let Some(namespace) = request.namespace else { return Ok(()) };
    let Some(namespaces) = state.registry.get("", "v1", "namespaces") else { return Ok(()) };
    let Some(found) =
        state.store.get(&Key::for_resource(namespaces.key().clone(), None, namespace))
    else {
        if IMMORTAL.contains(&namespace) {
            return Ok(());
        }
        return Err(Failure::not_found("", "namespaces", namespace));
    };
    if found.is_terminating() { Err(terminating(request, namespace, name)) } else { Ok(()) }
}

/// The namespaces that cannot be deleted.
const IMMORTAL: [&str; 3] = ["default", "kube-public", "kube-system"];

/// Refuses to delete the namespaces that a cluster needs.
pub(super) fn check_mortal(namespace: &Value) -> Result<(), Failure> {
    let name = namespace.metadata_text("name");
    if is_terminating(namespace) || !IMMORTAL.contains(&name) {
        return Ok(());
    }
    let message = format!("namespaces \"{name}\" is forbidden: this namespace may not be deleted");
    let details = json!({"name": name, "kind": "namespaces"});
    Err(Failure::new(403, message).with_details(details))
}

fn terminating(request: &Request<'_>, namespace: &str, name: &str) -> Failure {
    let resource = &request.resource;
    let why = format!(
        "unable to create new content in namespace {namespace} because it is being terminated"
    );
    let message = format!("{} \"{name}\" is forbidden: {why}", resource.qualified());
    let cause = json!({
        "reason": "NamespaceTerminating", "message": format!("namespace {namespace} is being terminated"), "field": "metadata.namespace",
    });
    let mut details =
        json!({"name": name, "group": resource.group, "kind": resource.plural, "causes": [cause]});
    if let Value::Object(members) = &mut details {
        members.retain(|_, value| value != "");
    }
    Failure::new(403, message).with_details(details)
}

/// Takes the namespace of an object from the path, unless the object states another one, which is
/// refused.
pub(super) fn set(request: &Request<'_>, object: &mut Value) -> Result<(), Failure> {
    let Some(namespace) = request.namespace else {
        object.remove_metadata("namespace");
        return Ok(());
    };
    check_stated(request, object)?;
    object.set_metadata("namespace", json!(namespace));
    Ok(())
}

/// Refuses an object with another namespace than the path.
pub(super) fn check_stated(request: &Request<'_>, object: &Value) -> Result<(), Failure> {
    let stated = object.metadata_text("namespace");
    if request.namespace.is_some_and(|namespace| !stated.is_empty() && stated != namespace) {
        let message =
            "the namespace of the provided object does not match the namespace sent on the request";
        return Err(Failure::bad_request(message));
    }
    Ok(())
}

/// Whether finalizers of its own hold a namespace.
pub(super) fn is_held(request: &Request<'_>, object: &Value) -> bool {
    request.is_of("", "namespaces") && !object.list("spec.finalizers").is_empty()
}
