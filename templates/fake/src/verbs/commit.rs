//! The second phase of writes: stores the prepared objects, unless another write came first.
//!
//! The state need not be locked between the phases. An overtaken write is prepared again, from the
//! current object.

use super::prepared::{Candidate, Effect, Prepared, Response};
use super::{Outcome, scale};
use crate::encode::encode;
use crate::failure::Failure;
use crate::kinds::events;
use crate::object::Tree;
use crate::request::{MediaType, Request};
use crate::state::{DEFINITIONS, State};
use crate::{lifecycle, names};
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;

/// A write that did not happen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Uncommitted {
    /// The object has changed since the write was prepared.
    Overtaken,
    Refused(Failure),
}

/// Writes the prepared objects: all of them, or none.
pub(crate) fn commit(
    state: &mut State,
    request: &Request<'_>,
    prepared: Prepared,
) -> Result<Outcome, Uncommitted> {
    let Prepared { candidates, response } = prepared;
    if !candidates.iter().all(|candidate| is_current(state, candidate)) {
        return Err(Uncommitted::Overtaken);
    }
    state.store.keep_as(&request.resource);
    for candidate in &candidates {
        check_size(request, candidate).map_err(Uncommitted::Refused)?;
    }
    let mut last = Value::Null;
    let mut stored = None;
    let is_event = request.resource.is_event_of_core();
    for mut candidate in candidates {
        if is_event {
            let core = state.registry.events().cloned();
            let schema = core.as_ref().map(|core| core.schema.root());
            events::to_core(&mut candidate.object, schema);
        }
        let is_stored = candidate.effect == Effect::Store;
        let key = is_stored.then(|| candidate.key.clone());
        last = write(state, candidate, request.now).map_err(Uncommitted::Refused)?;
        // The server itself writes a definition again.
        stored = key
            .filter(|key| &*key.resource != DEFINITIONS)
            .and_then(|key| state.store.get(&key).cloned());
    }
    if is_event {
        request.resource.convert(&mut last);
    }
    match response {
        Response::Object(code) => Ok(Outcome::Object { code, object: last, stored }),
        Response::Scale => {
            scale::from_object(request, &last).map(Outcome::ok).map_err(Uncommitted::Refused)
        }
        Response::Ready(outcome) => Ok(outcome),
    }
}

/// The maximum number of bytes of a write that etcd takes, and of one that a server sends to it.
const MOST_STORED: usize = 3 << 19;
const MOST_SENT: usize = 2 << 20;

/// Refuses objects that are too large for etcd. Measures them only if the request, the stored
/// object or the defaults are large.
fn check_size(request: &Request<'_>, candidate: &Candidate) -> Result<(), Failure> {
    let known = candidate.found.as_ref().map_or(0, |found| found.json().len());
    // The names of members are not in protobuf.
    let is_measured = request.incoming.media_type() == MediaType::Protobuf
        || request.incoming.body.len() + known + candidate.filled >= MOST_STORED / 4;
    if candidate.effect != Effect::Store || !is_measured {
        return Ok(());
    }
    match encode(&candidate.object).len() {
        size if size > MOST_SENT => Err(Failure::internal(format!(
            "rpc error: code = ResourceExhausted desc = trying to send message larger than max \
             ({size} vs. {MOST_SENT})"
        ))),
        size if size > MOST_STORED => Err(Failure::too_large_to_store()),
        _ => Ok(()),
    }
}

fn is_current(state: &State, candidate: &Candidate) -> bool {
    match (state.store.get(&candidate.key), &candidate.found) {
        (Some(now), Some(found)) => Arc::ptr_eq(now, found),
        (None, None) => true,
        _ => false,
    }
}

/// Writes an object, and returns it as stored.
fn write(state: &mut State, candidate: Candidate, now: Timestamp) -> Result<Value, Failure> {
    let Candidate { key, found, mut object, effect, .. } = candidate;
    let time = names::time(now);
    match &effect {
        Effect::Nothing => {}
        Effect::Store => {
            let is_changed = &*key.resource == DEFINITIONS
                && found
                    .as_ref()
                    .is_none_or(|found| found.tree().get("spec") != object.get("spec"));
            if is_changed {
                state.registry.check_definition(&object).map_err(Failure::bad_request)?;
            }
            object = state.store.put(key.clone(), object);
            if is_changed {
                // The definition was checked above.
                drop(lifecycle::accept(state, &key, &object, &time));
            }
        }
        Effect::Remove => lifecycle::remove(state, &key),
        Effect::RemoveAsOfNow | Effect::StoreAndRemove => {
            if effect == Effect::StoreAndRemove {
                object = state.store.put(key.clone(), object);
            }
            lifecycle::remove(state, &key);
            object.set_metadata("resourceVersion", json!(state.store.version().to_string()));
        }
        Effect::EndDefinition(time) => {
            let live = found.map(|found| found.tree()).unwrap_or_default();
            object = lifecycle::end_definition(state, &key, &live, time);
        }
    }
    Ok(object)
}
