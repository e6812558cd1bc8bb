//! The subresource `binding` of pods.

use super::prepared::{Candidate, Effect, Prepared, Response};
use super::{Outcome, body, options};
use crate::failure::Failure;
use crate::names;
use crate::object::{Tree, is_terminating};
use crate::request::Request;
use crate::state::State;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};

/// POST on the collection of bindings, which binds the pod of the same name.
pub(super) fn prepare_by_collection(
    state: &State,
    request: &Request<'_>,
) -> Result<Prepared, Failure> {
    let resource =
        state.registry.get("", "v1", "pods").cloned().ok_or_else(Failure::no_such_path)?;
    prepare(state, &Request { resource, ..request.clone() })
}

/// POST on `binding`.
pub(super) fn prepare(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    options::check(request)?;
    let binding = body::decode_part(request, "Binding", "core")?;
    let name = if request.name.is_empty() { binding.metadata_text("name") } else { request.name };
    if binding.metadata_text("name") != name {
        return Err(Failure::bad_request("name in URL does not match name in Binding object"));
    }
    let kind = binding.at("target.kind").and_then(Value::as_str).unwrap_or_default();
    if !matches!(kind, "" | "Node") {
        let message = format!(
            "target.kind: Unsupported value: \"{kind}\": supported values: \"Node\", \"<empty>\""
        );
        return Err(Failure::internal(message));
    }
    let node = binding.at("target.name").and_then(Value::as_str).unwrap_or_default();
    if node.is_empty() {
        return Err(Failure::internal("target.name: Required value"));
    }
    let key = request.key(name);
    let found =
        state.store.get(&key).cloned().ok_or_else(|| Failure::missing(&request.resource, name))?;
    let live = found.tree();
    check_bindable(request, &live, &binding, name)?;
    let object = assigned(live, &binding, node, request.now);
    let effect = if request.is_dry_run() { Effect::Nothing } else { Effect::Store };
    let body = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201});
    let response = Response::Ready(Outcome::Plain { code: 201, body });
    Ok(Prepared::write(Candidate { key, found: Some(found), object, filled: 0, effect }, response))
}

fn check_bindable(
    request: &Request<'_>,
    live: &Value,
    binding: &Value,
    name: &str,
) -> Result<(), Failure> {
    let stated = binding.metadata_text("uid");
    if !stated.is_empty() && stated != live.metadata_text("uid") {
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: /registry/pods/{}/{name}, \
             ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: \
             {stated}, UID in object meta: {}",
            request.namespace.unwrap_or_default(),
            live.metadata_text("uid")
        );
        return Err(Failure::conflict("", "pods", name, &why));
    }
    let why = if is_terminating(live) {
        format!("pod {name} is being deleted, cannot be assigned to a host")
    } else if !live.list("spec.schedulingGates").is_empty() {
        format!("pod {name} has non-empty .spec.schedulingGates")
    } else {
        match live.at("spec.nodeName").and_then(Value::as_str) {
            None | Some("") => return Ok(()),
            Some(node) => format!("pod {name} is already assigned to node \"{node}\""),
        }
    };
    Err(Failure::conflict("", "pods/binding", name, &why))
}

/// The pod on a node.
fn assigned(mut pod: Value, binding: &Value, node: &str, now: Timestamp) -> Value {
    pod.put("spec.nodeName", json!(node));
    for list in ["annotations", "labels"] {
        let mut merged = pod.metadata(list).cloned().unwrap_or_else(|| json!({}));
        for (key, value) in binding.metadata(list).and_then(Value::as_object).into_iter().flatten()
        {
            merged[key] = value.clone();
        }
        if merged.as_object().is_some_and(|map| !map.is_empty()) {
            pod.set_metadata(list, merged);
        }
    }
    let scheduled = json!({
        "type": "PodScheduled", "status": "True", "lastProbeTime": null,
        "lastTransitionTime": names::time(now),
    });
    let mut conditions = pod.list("status.conditions").to_vec();
    conditions.retain(|known| known["type"] != "PodScheduled");
    conditions.push(scheduled);
    pod.put("status.conditions", Value::Array(conditions));
    pod
}
