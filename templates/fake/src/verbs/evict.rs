//! The subresource `eviction` of pods: a delete that disruption budgets may refuse.

use super::delete::{self, Options};
use super::ownership::record_fields;
use super::prepared::{Candidate, Effect, Prepared, Response};
use super::{Outcome, body, options, stored};
use crate::change::FieldWriter;
use crate::failure::Failure;
use crate::key::Key;
use crate::names;
use crate::object::{Tree, is_terminating};
use crate::request::Request;
use crate::select::selects_labels;
use crate::state::State;
use crate::store::Stored;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The manager of fields that the server itself writes.
const MANAGER: &str = "kube-apiserver";
/// The maximum number of evictions of a budget that its controller has not seen yet.
const MOST_DISRUPTED: usize = 2000;

/// POST on `eviction`.
pub(super) fn prepare(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    options::check(request)?;
    let eviction = body::decode_part(request, "Eviction", "policy")?;
    if eviction.metadata_text("name") != request.name {
        return Err(Failure::bad_request("name in URL does not match name in Eviction object"));
    }
    let found = stored(state, request)?;
    let mut options =
        eviction.get("deleteOptions").map_or_else(|| Ok(Options::default()), Options::of_body)?;
    options.is_dry_run |= request.is_dry_run();
    let pod = found.tree();
    let mut candidates = Vec::new();
    if !is_over(&pod) {
        let budget = budget(state, request, &pod)?;
        candidates
            .extend(budget.map(|budget| disrupted(state, request, &budget, &options)).transpose()?);
    }
    let (mut candidate, _) = delete::prepare_object(request, found, &options)?;
    if candidate.effect == Effect::Store {
        mark_evicted(&mut candidate.object, &names::time(request.now));
    }
    candidates.push(candidate);
    let body = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201});
    Ok(Prepared { candidates, response: Response::Ready(Outcome::Plain { code: 201, body }) })
}

/// Whether the eviction of a pod disrupts nothing.
fn is_over(pod: &Value) -> bool {
    let phase = pod.at("status.phase").and_then(Value::as_str).unwrap_or_default();
    is_terminating(pod) || matches!(phase, "" | "Pending" | "Succeeded" | "Failed")
}

/// The condition of a pod that is evicted, which no manager owns.
fn mark_evicted(pod: &mut Value, time: &str) {
    let condition = json!({
        "type": "DisruptionTarget", "status": "True", "lastProbeTime": null, "lastTransitionTime": time,
        "reason": "EvictionByEvictionAPI", "message": "Eviction API: evicting",
    });
    let mut conditions = pod.list("status.conditions").to_vec();
    conditions.retain(|known| known["type"] != "DisruptionTarget");
    conditions.push(condition);
    pod.put("status.conditions", Value::Array(conditions));
}

/// The disruption budget that the eviction of a pod counts against, if any. No budget covers a pod
/// without labels.
fn budget(
    state: &State,
    request: &Request<'_>,
    pod: &Value,
) -> Result<Option<(Key, Arc<Stored>)>, Failure> {
    if pod.metadata("labels").and_then(Value::as_object).is_none_or(Map::is_empty) {
        return Ok(None);
    }
    let resource: Arc<str> = "poddisruptionbudgets.policy".into();
    let budgets = state.store.list(&resource, request.namespace).into_iter();
    let mut covering = budgets.filter(|(_, budget)| {
        let tree = budget.tree();
        tree.at("spec.selector").is_some_and(|selector| selects_labels(selector, pod))
    });
    let first = covering.next();
    if covering.next().is_some() {
        let why = "This pod has more than one PodDisruptionBudget, which the eviction subresource \
                   does not support.";
        return Err(Failure::internal(why));
    }
    let Some((path, budget)) = first else { return Ok(None) };
    let tree = budget.tree();
    let healthy = count(&tree["status"], "currentHealthy");
    let desired = count(&tree["status"], "desiredHealthy");
    let is_free = tree.at("spec.unhealthyPodEvictionPolicy") == Some(&json!("AlwaysAllow"));
    // A pod that is not ready counts for nothing, if enough others are healthy.
    if !is_ready(pod) && (is_free || healthy >= desired && desired > 0) {
        return Ok(None);
    }
    Ok(Some((Key { resource, path }, budget)))
}

/// A number of pods in the status of a budget.
fn count(status: &Value, name: &str) -> i64 {
    status.get(name).and_then(Value::as_i64).unwrap_or_default()
}

fn is_ready(pod: &Value) -> bool {
    pod.list("status.conditions")
        .iter()
        .any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
}

/// A budget with one disruption fewer. One that allows none refuses the eviction.
fn disrupted(
    state: &State,
    request: &Request<'_>,
    (key, found): &(Key, Arc<Stored>),
    options: &Options,
) -> Result<Candidate, Failure> {
    let live = found.tree();
    check_allowed(&live)?;
    let mut object = live.clone();
    let allowed =
        object.at("status.disruptionsAllowed").and_then(Value::as_i64).unwrap_or_default() - 1;
    object.put("status.disruptionsAllowed", json!(allowed));
    let time = names::time(request.now);
    let mut pods = object.at("status.disruptedPods").cloned().unwrap_or_else(|| json!({}));
    pods[request.name] = json!(time);
    object.put("status.disruptedPods", pods);
    if allowed == 0 {
        let generation = object.at("status.observedGeneration").cloned().unwrap_or_default();
        let condition = json!({
            "type": "DisruptionAllowed", "status": "False", "observedGeneration": generation,
            "lastTransitionTime": time, "reason": "InsufficientPods", "message": "",
        });
        let mut conditions = object.list("status.conditions").to_vec();
        conditions.retain(|known| known["type"] != "DisruptionAllowed");
        conditions.push(condition);
        object.put("status.conditions", Value::Array(conditions));
    }
    if let Some(resource) = state.registry.get("policy", "v1", "poddisruptionbudgets") {
        let now = names::whole_second(request.now).into();
        let api_version = resource.api_version();
        let writer =
            FieldWriter { name: MANAGER, subresource: "status", api_version, time: Some(now) };
        record_fields(resource, &live, &mut object, &writer);
    }
    let effect = if options.is_dry_run { Effect::Nothing } else { Effect::Store };
    Ok(Candidate { key: key.clone(), found: Some(found.clone()), object, filled: 0, effect })
}

/// Refuses the eviction of a pod if its budget allows no more disruptions.
fn check_allowed(budget: &Value) -> Result<(), Failure> {
    let name = budget.metadata_text("name");
    let status = budget.get("status").unwrap_or(&Value::Null);
    let generation = budget.metadata("generation").and_then(Value::as_i64).unwrap_or_default();
    if count(status, "observedGeneration") < generation {
        let why = format!("The disruption budget {name} is still being processed by the server.");
        return Err(too_many(&why, Some(10)));
    }
    let allowed = count(status, "disruptionsAllowed");
    if allowed < 0 {
        return Err(forbidden(name, "pdb disruptions allowed is negative"));
    }
    if status
        .get("disruptedPods")
        .and_then(Value::as_object)
        .is_some_and(|pods| pods.len() > MOST_DISRUPTED)
    {
        let why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
        return Err(forbidden(name, why));
    }
    if allowed > 0 { Ok(()) } else { Err(too_many(&why_none(name, status), None)) }
}

/// The reason for which a budget allows no disruption.
fn why_none(name: &str, status: &Value) -> String {
    let condition = status.list("conditions").iter().find(|known| {
        known["type"] == "DisruptionAllowed"
            && known["status"] == "False"
            && !known.text("message").is_empty()
    });
    let denies = format!("The disruption budget {name} does not allow evicting pods currently");
    let healthy = count(status, "currentHealthy");
    let desired = count(status, "desiredHealthy");
    match condition {
        Some(known) if known["reason"] == "SyncFailed" => {
            format!("{denies} because it failed sync: {}", known.text("message"))
        }
        _ if healthy <= desired => {
            format!(
                "The disruption budget {name} needs {desired} healthy pods and has {healthy} \
                 currently"
            )
        }
        Some(known) => format!("{denies} ({}): {}", known.text("reason"), known.text("message")),
        None => denies,
    }
}

fn too_many(why: &str, pause: Option<u32>) -> Failure {
    let message = "Cannot evict pod as it would violate the pod's disruption budget.";
    let mut details = json!({"causes": [{"reason": "DisruptionBudget", "message": why}]});
    if let Some(pause) = pause {
        details["retryAfterSeconds"] = json!(pause);
    }
    let failure = Failure::new(429, message).with_details(details);
    Failure { retry_after: pause, ..failure }
}

fn forbidden(name: &str, why: &str) -> Failure {
    let message = format!("poddisruptionbudget.policy \"{name}\" is forbidden: {why}");
    let details = json!({"name": name, "group": "policy", "kind": "poddisruptionbudget"});
    Failure::new(403, message).with_details(details)
}
