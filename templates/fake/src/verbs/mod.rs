//! The operations on resources, each a function over the state and a request.
//!
//! Writes have two phases: they are prepared, which may refuse the request, and then committed.

mod apply;
mod bind;
mod body;
mod commit;
mod convert;
mod create;
mod defaults;
mod definition;
mod delete;
mod embedded;
mod evict;
mod get;
mod list;
mod log;
mod namespace;
mod options;
mod ownership;
mod parts;
mod patch;
mod patch_form;
mod prepared;
mod replace;
mod review;
mod scale;
pub(crate) mod seed;
mod stream;
#[cfg(test)]
mod tests;
pub(crate) mod token;
mod update;
mod watch;

pub(crate) use log::Reading;
pub(crate) use stream::Target;
pub(crate) use watch::{Event, Plan};

use crate::failure::Failure;
use crate::registry::Resource;
use crate::request::Request;
use crate::state::State;
use crate::store::Stored;
use commit::{Uncommitted, commit};
use kapigen_runtime::Verb;
use parts::ObjectPart;
use prepared::Prepared;
use serde_json::Value;
use std::sync::Arc;

/// The outcome of a request that was not refused.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// An object as it is stored.
    Stored {
        code: u16,
        object: Arc<Stored>,
    },
    Object {
        code: u16,
        object: Value,
        /// The same object, if it was stored just now.
        stored: Option<Arc<Stored>>,
    },
    List {
        items: Vec<Arc<Stored>>,
        metadata: Value,
    },
    /// A `Status`, or another object that has no representation as a table.
    Plain {
        code: u16,
        body: Value,
    },
    /// 204 without a body.
    Nothing,
    Text(Vec<u8>),
    Watch(Plan),
    /// The lines of a log, as they are written.
    Follow(Reading),
    /// A stream of a pod.
    Connect(Box<Target>),
}

/// The end of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Over;

/// The warnings of a response, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Warnings(Vec<String>);

impl Outcome {
    fn ok(object: Value) -> Self {
        Self::Object { code: 200, object, stored: None }
    }

    fn stored(object: Arc<Stored>) -> Self {
        Self::Stored { code: 200, object }
    }
}

impl Warnings {
    fn add(&mut self, message: impl Into<String>) {
        let message = message.into();
        if !self.0.contains(&message) {
            self.0.push(message);
        }
    }
}

/// Handles a request to a resource. Returns warnings, too.
pub(crate) fn handle(
    state: &mut State,
    request: &Request<'_>,
) -> (Result<Outcome, Failure>, Vec<String>) {
    handle_between(state, request, |_| ())
}

/// Handles a request, and lets the state change between its two phases. An overtaken write is
/// prepared again, from the current object.
fn handle_between(
    state: &mut State,
    request: &Request<'_>,
    mut between: impl FnMut(&mut State),
) -> (Result<Outcome, Failure>, Vec<String>) {
    loop {
        let mut warnings =
            Warnings(request.resource.warning().map(str::to_owned).into_iter().collect());
        let prepared = match prepare(state, request, &mut warnings) {
            Ok(prepared) => prepared,
            Err(failure) => return (Err(failure), warnings.0),
        };
        between(state);
        match commit(state, request, prepared) {
            Ok(outcome) => return (Ok(outcome), warnings.0),
            Err(Uncommitted::Refused(failure)) => return (Err(failure), warnings.0),
            Err(Uncommitted::Overtaken) => {}
        }
    }
}

/// The first phase of a request: the whole of a read, the candidates of a write.
fn prepare(
    state: &mut State,
    request: &Request<'_>,
    warnings: &mut Warnings,
) -> Result<Prepared, Failure> {
    body::check_media_type(request)?;
    match (request.subresource, request.verb) {
        ("", _) if request.is_of("", "bindings") => bind::prepare_by_collection(state, request),
        ("", Verb::Watch) => watch::watch(state, request).map(Prepared::ready),
        ("" | "status" | "finalize" | "ephemeralcontainers" | "resize", Verb::Get) => {
            get::get(state, request).map(Prepared::ready)
        }
        ("", Verb::List) => list::list(state, request).map(Prepared::ready),
        ("", Verb::Create) => create::prepare(state, request, warnings),
        ("", Verb::Delete) => delete::prepare(state, request),
        ("", Verb::DeleteCollection) => delete::prepare_collection(state, request),
        ("scale", Verb::Get) => scale::get(state, request).map(Prepared::ready),
        ("scale", _) => scale::prepare(state, request, warnings),
        ("binding", _) => bind::prepare(state, request),
        ("eviction", _) => evict::prepare(state, request),
        ("exec" | "attach" | "portforward", _) => {
            stream::stream(state, request).map(Prepared::ready)
        }
        ("token", _) => token::prepare(state, request),
        ("log", _) => log::log(state, request).map(Prepared::ready),
        (other, verb) => {
            let Some(part) = ObjectPart::from_subresource(other) else {
                let message = format!("the fake server has no subresource {other}");
                return Err(Failure::new(501, message));
            };
            match verb {
                Verb::Replace => update::prepare(state, request, part, warnings),
                Verb::Patch => patch::prepare(state, request, part, warnings),
                _ => Err(Failure::method_not_allowed()),
            }
        }
    }
}

/// The object in the path, as it is stored. Refuses one that cannot be converted to the version of
/// the request.
fn stored(state: &State, request: &Request<'_>) -> Result<Arc<Stored>, Failure> {
    let found = state.store.get(&request.key(request.name)).cloned();
    let found = found.ok_or_else(|| Failure::missing(&request.resource, request.name))?;
    convert::check_stored(&request.resource)?;
    Ok(found)
}

/// A stored object in the version of the request.
fn live(request: &Request<'_>, found: &Stored) -> Value {
    let mut object = found.tree();
    request.resource.convert(&mut object);
    object
}

/// Whether the server still serves a resource. A resource ends with its definition.
fn is_served(state: &State, resource: &Resource) -> bool {
    state.registry.get(&resource.group, &resource.version, &resource.plural).is_some()
}
