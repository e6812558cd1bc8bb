//! Subresources of pods that are kinds of their own: `binding` and `eviction`.

use crate::call::{Call, Outcome};
use crate::failure::Failure;
use crate::object::Tree;
use serde_json::{Value, json};
use std::sync::Arc;

impl Call<'_> {
    /// POST on `binding`, or on the collection of bindings.
    pub(crate) fn bind(&mut self) -> Result<Outcome, Failure> {
        self.check_options()?;
        let binding = self.request.tree()?;
        let name = if self.name().is_empty() { binding.text("name").to_owned() } else { self.name().to_owned() };
        if binding.text("name") != name {
            return Err(Failure::bad_request("name in URL does not match name in Binding object"));
        }
        let kind = binding.at("target.kind").and_then(Value::as_str).unwrap_or_default();
        if !matches!(kind, "" | "Node") {
            let message =
                format!("target.kind: Unsupported value: \"{kind}\": supported values: \"Node\", \"<empty>\"");
            return Err(Failure::internal(message));
        }
        let node = binding.at("target.name").and_then(Value::as_str).unwrap_or_default();
        if node.is_empty() {
            return Err(Failure::internal("target.name: Required value"));
        }
        let live = self.state.store.tree(&self.key(&name));
        let live = live.ok_or_else(|| Failure::missing(&self.resource, &name))?;
        self.check_bindable(&live, &binding, &name)?;
        self.assign(&live, &binding, &name, node);
        let body = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201});
        Ok(Outcome::Plain { code: 201, body })
    }

    fn check_bindable(&self, live: &Value, binding: &Value, name: &str) -> Result<(), Failure> {
        let stated = binding.text("uid");
        if !stated.is_empty() && stated != live.text("uid") {
            let why = format!(
                "StorageError: invalid object, Code: 4, Key: /registry/pods/{}/{name}, ResourceVersion: 0, \
                 AdditionalErrorMsg: Precondition failed: UID in precondition: {stated}, UID in object meta: {}",
                self.namespace().unwrap_or_default(),
                live.text("uid")
            );
            return Err(Failure::conflict("", "pods", name, &why));
        }
        let refuse = |why: String| Err(Failure::conflict("", "pods/binding", name, &why));
        if crate::object::is_terminating(live) {
            return refuse(format!("pod {name} is being deleted, cannot be assigned to a host"));
        }
        if live.at("spec.schedulingGates").and_then(Value::as_array).is_some_and(|gates| !gates.is_empty()) {
            return refuse(format!("pod {name} has non-empty .spec.schedulingGates"));
        }
        match live.at("spec.nodeName").and_then(Value::as_str) {
            Some(node) if !node.is_empty() => refuse(format!("pod {name} is already assigned to node \"{node}\"")),
            _ => Ok(()),
        }
    }

    fn assign(&mut self, live: &Value, binding: &Value, name: &str, node: &str) {
        let mut pod = live.clone();
        pod.put("spec.nodeName", json!(node));
        for list in ["annotations", "labels"] {
            let mut merged = pod.metadata(list).cloned().unwrap_or_else(|| json!({}));
            for (key, value) in binding.metadata(list).and_then(Value::as_object).into_iter().flatten() {
                merged[key] = value.clone();
            }
            if merged.as_object().is_some_and(|map| !map.is_empty()) {
                pod.set_metadata(list, merged);
            }
        }
        let scheduled = json!({
            "type": "PodScheduled", "status": "True", "lastProbeTime": null,
            "lastTransitionTime": crate::names::time(self.now),
        });
        let conditions = pod.at("status.conditions").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut conditions: Vec<_> = conditions.into_iter().filter(|known| known["type"] != "PodScheduled").collect();
        conditions.push(scheduled);
        pod.put("status.conditions", Value::Array(conditions));
        if !self.is_dry_run() {
            self.state.store.put(self.key(name), pod);
        }
    }

    /// POST on `eviction`: a delete that disruption budgets may refuse.
    pub(crate) fn evict(&mut self) -> Result<Outcome, Failure> {
        let eviction = self.request.tree()?;
        let live = self.live()?;
        self.check_budgets(&live)?;
        let options = eviction.get("deleteOptions").cloned().unwrap_or_else(|| json!({}));
        let body = options.to_string().into_bytes();
        let request = self.request.with_body(&body);
        let mut call = Call {
            state: self.state,
            request: &request,
            target: self.target,
            resource: self.resource.clone(),
            now: self.now,
            warnings: Vec::new(),
        };
        call.delete()?;
        let body = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201});
        Ok(Outcome::Plain { code: 201, body })
    }

    /// A budget that allows no more disruptions refuses the eviction of a pod that it covers.
    fn check_budgets(&self, pod: &Value) -> Result<(), Failure> {
        let resource: Arc<str> = "poddisruptionbudgets.policy".into();
        let budgets = self.state.store.list(&resource, self.namespace());
        let covers = |budget: &Value| {
            let labels = budget.at("spec.selector.matchLabels").and_then(Value::as_object);
            labels.is_some_and(|labels| {
                labels
                    .iter()
                    .all(|(key, value)| pod.metadata("labels").and_then(|labels| labels.get(key)) == Some(value))
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
}
