//! Deleting one object, or all that a selection selects.

use super::commit::{Candidate, Effect, Prepared, Response};
use super::list::{self, Place};
use super::{Outcome, body, definition, namespace, stored};
use crate::failure::{self, Cause, Failure};
use crate::lifecycle::ending;
use crate::names;
use crate::object::{Tree, finalizers, is_terminating, mark_deleted};
use crate::request::Request;
use crate::select::Selection;
use crate::state::State;
use crate::store::Stored;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;

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

/// Whether a delete leaves the object behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Gone,
    /// It waits for finalizers, or for its end.
    Waits,
}

/// DELETE on an object.
pub(super) fn prepare(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    let options = Options::of(request)?;
    let found = stored(state, request)?;
    let (candidate, fate) = prepare_object(request, found, &options)?;
    let response = match fate {
        Fate::Gone if !request.resource.facts.returns_deleted => {
            let body = failure::deleted(&request.resource, request.name, candidate.object.text("uid"));
            Response::Ready(Outcome::Plain { code: 200, body })
        }
        Fate::Gone | Fate::Waits => Response::Object(200),
    };
    Ok(Prepared::write(candidate, response))
}

/// Deletes an object, or marks it as waiting for its end.
pub(super) fn prepare_object(
    request: &Request<'_>,
    found: Arc<Stored>,
    options: &Options,
) -> Result<(Candidate, Fate), Failure> {
    let live = found.tree();
    check_preconditions(request, &live, options)?;
    let (object, effect, fate) = if definition::is_definition(request) && !is_over(&live) {
        let time = names::time(request.now);
        (ending(&live, &time), Effect::EndDefinition(time), Fate::Waits)
    } else {
        deleted(request, &live, options)
    };
    let effect = if options.is_dry_run { Effect::Nothing } else { effect };
    let object = if options.is_dry_run && fate == Fate::Gone { live } else { object };
    let key = request.key(object.text("name"));
    Ok((Candidate { key, found: Some(found), object, effect }, fate))
}

/// Whether a definition waited for its end, and nothing holds it any more.
fn is_over(live: &Value) -> bool {
    is_terminating(live) && finalizers(live).is_empty()
}

/// An object as a delete leaves it, and what becomes of it.
fn deleted(request: &Request<'_>, live: &Value, options: &Options) -> (Value, Effect, Fate) {
    let mut object = live.clone();
    set_propagation(&mut object, options);
    let grace = grace(request, live, options);
    let was_terminating = is_terminating(live);
    let is_held = !finalizers(&object).is_empty() || namespace::is_held(request, live);
    let is_shortened =
        was_terminating && live.metadata("deletionGracePeriodSeconds").and_then(Value::as_i64) > Some(grace);
    if grace == 0 && !is_held {
        // A kind with grace is marked before, even if there is none.
        if request.resource.facts.grace.is_none() {
            return (object, Effect::Remove, Fate::Gone);
        }
        if is_terminating(&object) {
            return (object, Effect::RemoveAsOfNow, Fate::Gone);
        }
        set_deletion(&mut object, 0, request.now);
        return (object, Effect::StoreAndRemove, Fate::Gone);
    }
    if was_terminating && !is_shortened && object == *live {
        return (object, Effect::Nothing, Fate::Waits);
    }
    if !was_terminating || is_shortened {
        set_deletion(&mut object, grace, request.now);
        if request.is_of("", "namespaces") {
            object.put("status.phase", json!("Terminating"));
        }
    }
    (object, Effect::Store, Fate::Waits)
}

fn check_preconditions(request: &Request<'_>, live: &Value, options: &Options) -> Result<(), Failure> {
    let (group, kind, name) = (&request.resource.group, &request.resource.kind, live.text("name"));
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
    let mut kept: Vec<_> = known.into_iter().filter(|name| !matches!(*name, "orphan" | "foregroundDeletion")).collect();
    kept.extend(own);
    let kept = json!(kept);
    match kept.as_array() {
        Some(list) if list.is_empty() => _ = object.remove_metadata("finalizers"),
        _ => object.set_metadata("finalizers", kept),
    }
}

/// The seconds that an object may take for its end. A pod that runs nowhere needs none.
fn grace(request: &Request<'_>, live: &Value, options: &Options) -> i64 {
    let Some(default) = request.resource.facts.grace else { return 0 };
    let is_unbound = live.at("spec.nodeName").and_then(Value::as_str).unwrap_or_default().is_empty();
    let is_done = matches!(live.at("status.phase").and_then(Value::as_str), Some("Succeeded" | "Failed"));
    if is_unbound || is_done {
        return 0;
    }
    let own = live.at("spec.terminationGracePeriodSeconds").and_then(Value::as_i64);
    options.grace.unwrap_or_else(|| own.unwrap_or(default)).max(0)
}

fn set_deletion(object: &mut Value, grace: i64, now: Timestamp) {
    let end = Timestamp::from_second(now.as_second().saturating_add(grace)).unwrap_or(now);
    mark_deleted(object, &names::time(end), grace);
}

impl Options {
    /// The options of a request. A body, if there is one, counts alone.
    pub(super) fn of(request: &Request<'_>) -> Result<Self, Failure> {
        if !request.incoming.body.is_empty() {
            return Self::of_body(&request.incoming.tree()?);
        }
        body::check_options(request)?;
        let text = |name: &str| Some(request.get(name).to_owned()).filter(|text| !text.is_empty());
        let is_stated = request.incoming.has("orphanDependents");
        let options = Self {
            grace: request.incoming.number("gracePeriodSeconds")?,
            propagation: text("propagationPolicy"),
            orphan: is_stated.then(|| request.incoming.is_set("orphanDependents")),
            is_dry_run: request.is_dry_run(),
            ..Self::default()
        };
        options.checked()
    }

    /// The options that a body states.
    pub(super) fn of_body(body: &Value) -> Result<Self, Failure> {
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let dry_run = body.get("dryRun").and_then(Value::as_array).cloned().unwrap_or_default();
        if dry_run.iter().any(|value| value != "All") {
            let cause = Cause::unsupported("dryRun", &json!(dry_run), &["All"]);
            return Err(Failure::invalid_options("DeleteOptions", cause));
        }
        let options = Self {
            grace: body.get("gracePeriodSeconds").and_then(Value::as_i64),
            propagation: text("/propagationPolicy"),
            orphan: body.get("orphanDependents").and_then(Value::as_bool),
            uid: text("/preconditions/uid"),
            version: text("/preconditions/resourceVersion"),
            is_dry_run: !dry_run.is_empty(),
        };
        options.checked()
    }

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

/// DELETE on a collection. The response lists the objects as they were.
pub(super) fn prepare_collection(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    let options = Options::of(request)?;
    let selection = Selection::of(request.incoming, &request.resource)?;
    let place = Place { version: state.store.version(), start: "", limit: request.limit()? };
    let (items, metadata) = list::page(state, request, &selection, place);
    let candidates = items.iter().map(|live| Ok(prepare_object(request, live.clone(), &options)?.0));
    let candidates = candidates.collect::<Result<_, Failure>>()?;
    Ok(Prepared { candidates, response: Response::Ready(Outcome::List { items, metadata }) })
}
