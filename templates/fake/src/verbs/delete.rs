//! Deletes one object, or all selected ones.

use super::list::{self, PageBounds};
use super::prepared::{Candidate, Effect, Prepared, Response};
use super::{Outcome, definition, live, namespace, options, stored};
use crate::failure::{self, Cause, Failure};
use crate::lifecycle::ending;
use crate::names;
use crate::object::{Tree, finalizers, is_terminating, mark_deleted};
use crate::request::Request;
use crate::schema::conform::type_name;
use crate::select::Selection;
use crate::state::State;
use crate::store::Stored;
use crate::tree::identity;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;

/// The options of a delete, from the body or the query.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    grace: Option<i64>,
    propagation: Option<String>,
    orphan: Option<bool>,
    uid: Option<String>,
    version: Option<String>,
    pub(super) is_dry_run: bool,
}

/// Whether the object remains after a delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Gone,
    /// It waits for finalizers, or for the end of its grace period.
    Waits,
}

/// DELETE on an object.
pub(super) fn prepare(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    let options = Options::from_request(request)?;
    let found = stored(state, request)?;
    let (candidate, fate) = prepare_object(request, found, &options)?;
    // Only a client that does not orphan dependents sees that the object is still there.
    let code = if fate == Fate::Waits && options.orphan == Some(false) { 202 } else { 200 };
    let response = match fate {
        Fate::Gone if !request.resource.facts.returns_deleted => {
            let body = failure::deleted(
                &request.resource,
                request.name,
                candidate.object.metadata_text("uid"),
            );
            Response::Ready(Outcome::Plain { code: 200, body })
        }
        Fate::Gone | Fate::Waits => Response::Object(code),
    };
    Ok(Prepared::write(candidate, response))
}

/// Deletes an object, or marks it as deleted.
pub(super) fn prepare_object(
    request: &Request<'_>,
    found: Arc<Stored>,
    options: &Options,
) -> Result<(Candidate, Fate), Failure> {
    let live = live(request, &found);
    check_preconditions(request, &live, options)?;
    if request.is_of("", "namespaces") {
        namespace::check_mortal(&live)?;
    }
    let (object, effect, fate) = if definition::is_definition(request) && !is_over(&live) {
        let time = names::time(request.now);
        (ending(&live, &time), Effect::EndDefinition(time), Fate::Waits)
    } else {
        deleted(request, &live, options)
    };
    let effect = if options.is_dry_run { Effect::Nothing } else { effect };
    let object = if options.is_dry_run && fate == Fate::Gone { live } else { object };
    let key = request.key(object.metadata_text("name"));
    Ok((Candidate { key, found: Some(found), object, filled: 0, effect }, fate))
}

/// Whether a terminating definition has nothing left to wait for.
fn is_over(live: &Value) -> bool {
    is_terminating(live) && finalizers(live).is_empty()
}

/// The object after a delete, the effect on the store, and its fate.
fn deleted(request: &Request<'_>, live: &Value, options: &Options) -> (Value, Effect, Fate) {
    if request.is_of("", "namespaces") {
        if !is_terminating(live) {
            return deleted_namespace(request, live, options);
        }
        if namespace::is_held(request, live) {
            return (live.clone(), Effect::Nothing, Fate::Waits);
        }
    }
    let mut object = live.clone();
    let graceful = match end(request, live, options) {
        // Nothing can be changed while the end is pending, finalizers included.
        End::Pending => return (object, Effect::Nothing, Fate::Waits),
        End::At(time, grace) => {
            if is_terminating(live) {
                object.set_metadata("deletionTimestamp", json!(time));
                object.set_metadata("deletionGracePeriodSeconds", json!(grace));
            } else {
                mark_deleted(&mut object, &time, grace);
            }
            Some(grace)
        }
        End::Now => None,
    };
    set_propagation(request, &mut object, options);
    let is_held = !finalizers(&object).is_empty();
    match graceful {
        Some(0) if !is_held => (object, Effect::StoreAndRemove, Fate::Gone),
        Some(_) => (object, Effect::Store, Fate::Waits),
        None if !is_held => (object, Effect::RemoveAsOfNow, Fate::Gone),
        None => {
            if !is_terminating(live) {
                mark_deleted(&mut object, &names::time(request.now), 0);
            }
            let effect = if object == *live { Effect::Nothing } else { Effect::Store };
            (object, effect, Fate::Waits)
        }
    }
}

/// A terminating namespace. It has no grace period, and the first delete never removes it.
fn deleted_namespace(
    request: &Request<'_>,
    live: &Value,
    options: &Options,
) -> (Value, Effect, Fate) {
    let mut object = live.clone();
    object.set_metadata("deletionTimestamp", json!(names::time(request.now)));
    object.put("status.phase", json!("Terminating"));
    set_propagation(request, &mut object, options);
    (object, Effect::Store, Fate::Waits)
}

/// The time at which a deleted object is removed. Some kinds have a grace period.
enum End {
    /// At once: the kind has no grace period.
    Now,
    /// At this time, after this many seconds.
    At(String, i64),
    /// It is being deleted already, and not later than the delete demands.
    Pending,
}

impl End {
    /// The end of a grace period that began then; its beginning, if the end is no time.
    fn after(start: Timestamp, grace: i64) -> Self {
        let end = Timestamp::from_second(start.as_second().saturating_add(grace)).unwrap_or(start);
        Self::At(names::time(end), grace)
    }
}

fn end(request: &Request<'_>, live: &Value, options: &Options) -> End {
    let Some(default) = request.resource.facts.grace else { return End::Now };
    if !is_terminating(live) {
        return End::after(request.now, first_grace(live, options).unwrap_or(default));
    }
    let known = live.metadata("deletionGracePeriodSeconds").and_then(Value::as_i64);
    let Some(known) = known.filter(|known| *known != 0) else { return End::Now };
    match (options.grace, live.metadata_text("deletionTimestamp").parse::<Timestamp>()) {
        // The grace period can only be shortened, and counts from its beginning.
        (Some(grace), Ok(end)) if grace < known => {
            let start =
                Timestamp::from_second(end.as_second().saturating_sub(known)).unwrap_or(end);
            End::after(start, grace)
        }
        _ => End::Pending,
    }
}

/// The grace period of a delete in seconds, if the delete or the object states one. A pod that runs
/// nowhere needs none.
fn first_grace(live: &Value, options: &Options) -> Option<i64> {
    let is_unbound =
        live.at("spec.nodeName").and_then(Value::as_str).unwrap_or_default().is_empty();
    let is_done =
        matches!(live.at("status.phase").and_then(Value::as_str), Some("Succeeded" | "Failed"));
    if is_unbound || is_done {
        return Some(0);
    }
    let own = live.at("spec.terminationGracePeriodSeconds").and_then(Value::as_i64);
    // Negative ones mean the shortest.
    options.grace.or(own).map(|grace| if grace < 0 { 1 } else { grace })
}

fn check_preconditions(
    request: &Request<'_>,
    live: &Value,
    options: &Options,
) -> Result<(), Failure> {
    let resource = &request.resource;
    let name = live.metadata_text("name");
    let uid = live.metadata_text("uid");
    let version = live.metadata_text("resourceVersion");
    let is_namespace = request.is_of("", "namespaces");
    let why = match (&options.uid, &options.version) {
        (Some(wanted), _) if wanted != uid && is_namespace => {
            format!("Precondition failed: UID in precondition: {wanted}, UID in object meta: {uid}")
        }
        (_, Some(wanted)) if wanted != version && is_namespace => format!(
            "Precondition failed: ResourceVersion in precondition: {wanted}, ResourceVersion in \
             object meta: {version}"
        ),
        (Some(wanted), _) if wanted != uid => format!(
            "the UID in the precondition ({wanted}) does not match the UID in record ({uid}). The \
             object might have been deleted and then recreated"
        ),
        (_, Some(wanted)) if wanted != version => format!(
            "the ResourceVersion in the precondition ({wanted}) does not match the \
             ResourceVersion in record ({version}). The object might have been modified"
        ),
        _ => return Ok(()),
    };
    Err(Failure::conflict(&resource.group, noun(request), name, &why))
}

/// The word by which a failed precondition names the object: its kind or, for namespaces, its
/// resource.
fn noun<'a>(request: &'a Request<'_>) -> &'a str {
    if request.is_of("", "namespaces") { &request.resource.plural } else { &request.resource.kind }
}

/// Turns the policy into a finalizer, for the garbage collector to act on.
fn set_propagation(request: &Request<'_>, object: &mut Value, options: &Options) {
    if !request.resource.facts.has_dependents {
        return;
    }
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
    let mut kept: Vec<_> = known
        .into_iter()
        .filter(|name| !matches!(*name, "orphan" | "foregroundDeletion"))
        .collect();
    kept.extend(own);
    let kept = json!(kept);
    match kept.as_array() {
        Some(list) if list.is_empty() => _ = object.remove_metadata("finalizers"),
        _ => object.set_metadata("finalizers", kept),
    }
}

/// The policies of propagation, and the absence of one, as errors list them.
const POLICIES: [&str; 4] = ["Foreground", "Background", "Orphan", "nil"];

/// A member of the options: its path, its owner and its type in Go, and whether a value is of that
/// type.
pub(super) type Member = (&'static str, &'static str, &'static str, fn(&Value) -> bool);

const MEMBERS: &[Member] = &[
    ("gracePeriodSeconds", "DeleteOptions", "int64", Value::is_i64),
    ("preconditions", "DeleteOptions", "v1.Preconditions", Value::is_object),
    ("preconditions.uid", "Preconditions", "types.UID", Value::is_string),
    ("preconditions.resourceVersion", "Preconditions", "string", Value::is_string),
    ("orphanDependents", "DeleteOptions", "bool", Value::is_boolean),
    ("propagationPolicy", "DeleteOptions", "v1.DeletionPropagation", Value::is_string),
    ("dryRun", "DeleteOptions", "[]string", Value::is_array),
];

/// Checks the types of the members that a body states.
pub(super) fn check_types(body: &Value, members: &[Member]) -> Result<(), String> {
    for (path, owner, wanted, fits) in members {
        let Some(value) = body.at(path).filter(|value| !value.is_null() && !fits(value)) else {
            continue;
        };
        let found = match value {
            Value::Number(number) if *wanted == "int64" => format!("number {number}"),
            _ => type_name(value).to_owned(),
        };
        return Err(format!(
            "json: cannot unmarshal {found} into Go struct field {owner}.{path} of type {wanted}"
        ));
    }
    Ok(())
}

impl Options {
    /// The options of a request. If there is a body, only the body counts.
    pub(super) fn from_request(request: &Request<'_>) -> Result<Self, Failure> {
        if !request.incoming.body.is_empty() {
            let body = request.body().map_err(Failure::bad_request)?.tree;
            let [version, kind] = identity(&body).map_err(Failure::bad_request)?;
            if !matches!(kind, "" | "DeleteOptions") {
                let scheme =
                    "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27";
                let message = format!(
                    "no kind \"{kind}\" is registered for version \"{version}\" in scheme \
                     \"{scheme}\""
                );
                return Err(Failure::bad_request(message));
            }
            return Self::of_body(&body);
        }
        let [propagation, uid, version] = ["propagationPolicy", "uid", "resourceVersion"]
            .map(|name| Some(request.get(name).to_owned()).filter(|text| !text.is_empty()));
        let is_stated = request.incoming.has("orphanDependents");
        let options = Self {
            grace: request.incoming.number("gracePeriodSeconds")?,
            propagation,
            orphan: is_stated.then(|| request.incoming.is_set("orphanDependents")),
            uid,
            version,
            is_dry_run: request.is_dry_run(),
        };
        options.checked(&json!(request.incoming.all("dryRun")))
    }

    /// The options that a body states.
    pub(super) fn of_body(body: &Value) -> Result<Self, Failure> {
        check_types(body, MEMBERS).map_err(Failure::bad_request)?;
        let dry_run = &body["dryRun"];
        let preconditions = &body["preconditions"];
        let options = Self {
            grace: body.get("gracePeriodSeconds").and_then(Value::as_i64),
            propagation: body["propagationPolicy"].as_str().map(str::to_owned),
            orphan: body.get("orphanDependents").and_then(Value::as_bool),
            uid: preconditions["uid"].as_str().map(str::to_owned),
            version: preconditions["resourceVersion"].as_str().map(str::to_owned),
            is_dry_run: dry_run.as_array().is_some_and(|values| !values.is_empty()),
        };
        options.checked(dry_run)
    }

    /// Refuses invalid options, all at once.
    fn checked(self, dry_run: &Value) -> Result<Self, Failure> {
        let mut causes = Vec::new();
        if let Some(policy) = &self.propagation {
            if self.orphan.is_some() {
                let why = "orphanDependents and deletionPropagation cannot be both set";
                causes.push(Cause::invalid("propagationPolicy", &json!(policy), why));
            }
            if !POLICIES[..3].contains(&&**policy) {
                causes.push(Cause::unsupported("propagationPolicy", &json!(policy), &POLICIES));
            }
        }
        causes.extend(options::wrong_dry_run(dry_run));
        options::refuse("DeleteOptions", &causes)?;
        Ok(self)
    }
}

/// DELETE on a collection. The response lists the objects as they were.
pub(super) fn prepare_collection(
    state: &State,
    request: &Request<'_>,
) -> Result<Prepared, Failure> {
    list::check_options(request)?;
    let selection = Selection::from_request(request.incoming, &request.resource)?;
    let options = Options::from_request(request)?;
    let bounds = PageBounds { version: state.store.version(), start: "", limit: request.limit()? };
    let (items, metadata) = list::page(state, request, &selection, bounds)?;
    let candidates =
        items.iter().map(|live| Ok(prepare_object(request, live.clone(), &options)?.0));
    let candidates = candidates.collect::<Result<_, Failure>>()?;
    Ok(Prepared { candidates, response: Response::Ready(Outcome::List { items, metadata }) })
}
