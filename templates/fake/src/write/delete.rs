//! Deleting one object.

use super::definition::ending;
use crate::call::{Call, Outcome};
use crate::failure::{self, Cause, Failure};
use crate::names;
use crate::object::{Tree, finalizers, is_terminating, mark_deleted};
use crate::store::Key;
use serde_json::{Value, json};

/// The options of a delete, of the body or the query.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    grace: Option<i64>,
    propagation: Option<String>,
    orphan: Option<bool>,
    uid: Option<String>,
    version: Option<String>,
    is_dry_run: bool,
}

/// The outcome of the deletion of an object.
#[derive(Clone, Debug)]
pub(super) enum Fate {
    /// It is gone.
    Gone(Value),
    /// It waits for finalizers, or for its end.
    Waits(Value),
}

impl Call<'_> {
    /// DELETE on an object.
    pub(crate) fn delete(&mut self) -> Result<Outcome, Failure> {
        let options = self.delete_options()?;
        let live = self.live()?;
        let fate = self.delete_object(&live, &options)?;
        let code = 200;
        match fate {
            Fate::Gone(object) if self.resource.facts.returns_deleted => Ok(Outcome::Object { code, object }),
            Fate::Gone(object) => {
                let body = failure::deleted(&self.resource, self.name(), object.text("uid"));
                Ok(Outcome::Plain { code, body })
            }
            Fate::Waits(object) => Ok(Outcome::Object { code, object }),
        }
    }

    /// A body, if there is one, counts alone.
    pub(super) fn delete_options(&self) -> Result<Options, Failure> {
        if self.request.body.is_empty() {
            self.check_options()?;
            let text = |name: &str| Some(self.request.get(name).to_owned()).filter(|text| !text.is_empty());
            let options = Options {
                grace: self.request.number("gracePeriodSeconds")?,
                propagation: text("propagationPolicy"),
                orphan: self.request.has("orphanDependents").then(|| self.request.is_set("orphanDependents")),
                is_dry_run: self.request.has("dryRun"),
                ..Options::default()
            };
            return options.checked();
        }
        let body = self.request.tree()?;
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let dry_run = body.get("dryRun").and_then(Value::as_array).cloned().unwrap_or_default();
        if dry_run.iter().any(|value| value != "All") {
            let cause = Cause::unsupported("dryRun", &json!(dry_run), &["All"]);
            return Err(Failure::invalid_options("DeleteOptions", cause));
        }
        let options = Options {
            grace: body.get("gracePeriodSeconds").and_then(Value::as_i64),
            propagation: text("/propagationPolicy"),
            orphan: body.get("orphanDependents").and_then(Value::as_bool),
            uid: text("/preconditions/uid"),
            version: text("/preconditions/resourceVersion"),
            is_dry_run: !dry_run.is_empty(),
        };
        options.checked()
    }

    /// Deletes an object, or marks it as waiting for its end.
    pub(super) fn delete_object(&mut self, live: &Value, options: &Options) -> Result<Fate, Failure> {
        self.check_preconditions(live, options)?;
        if self.is_definition() && (!is_terminating(live) || !finalizers(live).is_empty()) {
            let (key, time) = (self.key(live.text("name")), names::time(self.now));
            let object =
                if options.is_dry_run { ending(live, &time) } else { self.state.end_definition(&key, live, &time) };
            return Ok(Fate::Waits(object));
        }
        let key = self.key(live.text("name"));
        let mut object = live.clone();
        Self::set_propagation(&mut object, options);
        let grace = self.grace(live, options);
        let was_terminating = is_terminating(live);
        let is_held = !finalizers(&object).is_empty() || self.holds_contents(live);
        let is_shortened =
            was_terminating && live.metadata("deletionGracePeriodSeconds").and_then(Value::as_i64) > Some(grace);
        if grace == 0 && !is_held {
            if options.is_dry_run {
                return Ok(Fate::Gone(live.clone()));
            }
            return Ok(Fate::Gone(self.remove(&key, object)));
        }
        if was_terminating && !is_shortened && object == *live {
            return Ok(Fate::Waits(object));
        }
        if !was_terminating || is_shortened {
            self.set_deletion(&mut object, grace);
            if self.is_namespace() {
                object.put("status.phase", json!("Terminating"));
            }
        }
        if options.is_dry_run {
            return Ok(Fate::Waits(object));
        }
        Ok(Fate::Waits(self.state.store.put(key, object)))
    }

    /// Removes an object. A kind with grace is marked before, even if there is none.
    fn remove(&mut self, key: &Key, mut object: Value) -> Value {
        if self.resource.facts.grace.is_some() && !is_terminating(&object) {
            self.set_deletion(&mut object, 0);
            object = self.state.store.put(key.clone(), object);
        }
        self.state.remove(key);
        if self.resource.facts.grace.is_some() {
            object.set_metadata("resourceVersion", json!(self.state.store.version().to_string()));
        }
        object
    }

    fn check_preconditions(&self, live: &Value, options: &Options) -> Result<(), Failure> {
        let (group, kind, name) = (&self.resource.group, &self.resource.kind, live.text("name"));
        let refuse = |why: String| Err(Failure::conflict(group, kind, name, &why));
        let (uid, version) = (live.text("uid"), live.text("resourceVersion"));
        match (&options.uid, &options.version) {
            (Some(wanted), _) if wanted != uid => refuse(format!(
                "the UID in the precondition ({wanted}) does not match the UID in record ({uid}). The object might have \
                 been deleted and then recreated"
            )),
            (_, Some(wanted)) if wanted != version => refuse(format!(
                "the ResourceVersion in the precondition ({wanted}) does not match the ResourceVersion in record \
                 ({version}). The object might have been modified"
            )),
            _ => Ok(()),
        }
    }

    /// The policy becomes a finalizer, for the garbage collector to act on.
    fn set_propagation(object: &mut Value, options: &Options) {
        let policy = match (options.propagation.as_deref(), options.orphan) {
            (Some(policy), _) => policy,
            (None, Some(true)) => "Orphan",
            (None, Some(false)) => "Background",
            (None, None) => return,
        };
        let own = match policy {
            "Orphan" => Some("orphan"),
            "Foreground" => Some("foregroundDeletion"),
            _ => None,
        };
        let known = finalizers(object);
        let mut kept: Vec<_> =
            known.into_iter().filter(|name| !matches!(*name, "orphan" | "foregroundDeletion")).collect();
        kept.extend(own);
        let kept = json!(kept);
        match kept.as_array() {
            Some(list) if list.is_empty() => _ = object.remove_metadata("finalizers"),
            _ => object.set_metadata("finalizers", kept),
        }
    }

    /// The seconds that an object may take for its end. A pod that runs nowhere needs none.
    fn grace(&self, live: &Value, options: &Options) -> i64 {
        let Some(default) = self.resource.facts.grace else { return 0 };
        let is_unbound = live.at("spec.nodeName").and_then(Value::as_str).unwrap_or_default().is_empty();
        let is_done = matches!(live.at("status.phase").and_then(Value::as_str), Some("Succeeded" | "Failed"));
        if is_unbound || is_done {
            return 0;
        }
        let own = live.at("spec.terminationGracePeriodSeconds").and_then(Value::as_i64);
        options.grace.unwrap_or_else(|| own.unwrap_or(default)).max(0)
    }

    /// A namespace waits until its finalizers are gone.
    fn holds_contents(&self, live: &Value) -> bool {
        let held = live.at("spec.finalizers").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
        self.is_namespace() && held
    }

    fn set_deletion(&self, object: &mut Value, grace: i64) {
        let end = self.now.as_second().saturating_add(grace);
        let end = kapigen_runtime::jiff::Timestamp::from_second(end).unwrap_or(self.now);
        mark_deleted(object, &names::time(end), grace);
    }
}

impl Options {
    fn checked(self) -> Result<Self, Failure> {
        let refuse = |cause| Err(Failure::invalid_options("DeleteOptions", cause));
        if self.propagation.is_some() && self.orphan.is_some() {
            let why = "orphanDependents and deletionPropagation cannot be both set";
            return refuse(Cause::invalid("propagationPolicy", &json!(self.propagation), why));
        }
        let policies = ["Background", "Foreground", "Orphan"];
        match self.propagation.as_deref() {
            Some(policy) if !policies.contains(&policy) => {
                let message = format!(
                    "Unsupported value: {}: supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"",
                    json!(policy)
                );
                refuse(Cause { reason: "FieldValueNotSupported", field: "propagationPolicy".to_owned(), message })
            }
            _ => Ok(self),
        }
    }
}
