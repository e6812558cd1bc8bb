//! The subresource `eviction` of pods: a delete that disruption budgets may refuse.

use super::commit::{Prepared, Response};
use super::delete::{self, Options};
use super::{Outcome, stored};
use crate::failure::Failure;
use crate::object::Tree;
use crate::request::Request;
use crate::state::State;
use serde_json::{Value, json};
use std::sync::Arc;

/// POST on `eviction`.
pub(super) fn prepare(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    let eviction = request.incoming.tree()?;
    let found = stored(state, request)?;
    check_budgets(state, request, &found.tree())?;
    let options = eviction.get("deleteOptions").map_or_else(|| Ok(Options::default()), Options::of_body)?;
    let (candidate, _) = delete::prepare_object(request, found, &options)?;
    let body = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201});
    Ok(Prepared::write(candidate, Response::Ready(Outcome::Plain { code: 201, body })))
}

/// A budget that allows no more disruptions refuses the eviction of a pod that it covers.
fn check_budgets(state: &State, request: &Request<'_>, pod: &Value) -> Result<(), Failure> {
    let resource: Arc<str> = "poddisruptionbudgets.policy".into();
    let budgets = state.store.list(&resource, request.namespace);
    let covers = |budget: &Value| {
        let labels = budget.at("spec.selector.matchLabels").and_then(Value::as_object);
        labels.is_some_and(|labels| {
            labels.iter().all(|(key, value)| pod.metadata("labels").and_then(|labels| labels.get(key)) == Some(value))
        })
    };
    let covering: Vec<_> =
        budgets.into_iter().map(|(_, budget)| budget.tree()).filter(|budget| covers(budget)).collect();
    match &covering[..] {
        [] => Ok(()),
        [budget] => {
            let allowed = budget.at("status.disruptionsAllowed").and_then(Value::as_i64).unwrap_or_default();
            if allowed > 0 {
                return Ok(());
            }
            let name = budget.text("name");
            let message = "Cannot evict pod as it would violate the pod's disruption budget.";
            let why = format!("The disruption budget {name} does not allow evicting pods currently");
            let cause = json!({"reason": "DisruptionBudget", "message": why});
            Err(Failure::new(429, "TooManyRequests", message).with_details(json!({"causes": [cause]})))
        }
        _ => Err(Failure::internal(
            "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
        )),
    }
}
