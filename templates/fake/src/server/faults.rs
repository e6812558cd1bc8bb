//! Failures that a test injects.

use http::StatusCode;
use std::time::Duration;

/// A failure that a test injects: its requests, its number of uses, and its effect.
///
/// Without conditions it applies to all requests, forever.
///
/// ```
/// use http::StatusCode;
/// use kapigen_fake::{Action, Fault, Server};
///
/// // The next two lists of pods are refused, and clients may try again after a second.
/// let refuse = Action::Refuse(StatusCode::TOO_MANY_REQUESTS, Some(1));
/// Server::default().inject(Fault::new(refuse).verb("list").resource("pods").times(2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    verb: Option<String>,
    resource: Option<String>,
    times: Option<u32>,
    action: Action,
}

/// The effect of an injected failure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Refuses the request with this status code, which must be that of an error. With seconds, the header `Retry-After` states them.
    Refuse(StatusCode, Option<u32>),
    /// Serves the request, but asks the carrier to wait before it sends the response.
    Delay(Duration),
    /// Serves the request, and ends the stream after this many events.
    CutAfter(usize),
    /// Forgets all versions before it serves the request.
    Compact,
}

impl Fault {
    /// A failure of all requests.
    ///
    /// # Panics
    /// If the status code of a refusal is not that of an error.
    #[must_use]
    pub fn new(action: Action) -> Self {
        if let Action::Refuse(code, _) = action {
            assert!(code.is_client_error() || code.is_server_error(), "{code} does not refuse a request");
        }
        Self { verb: None, resource: None, times: None, action }
    }

    /// Limits it to requests with this verb, as RBAC spells it: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`
    /// or `deletecollection`.
    #[must_use]
    pub fn verb(self, verb: impl Into<String>) -> Self {
        Self { verb: Some(verb.into()), ..self }
    }

    /// Limits it to the resource with this plural name.
    #[must_use]
    pub fn resource(self, plural: impl Into<String>) -> Self {
        Self { resource: Some(plural.into()), ..self }
    }

    /// Limits the number of requests to which it applies.
    #[must_use]
    pub fn times(self, times: u32) -> Self {
        Self { times: Some(times), ..self }
    }
}

/// Takes the actions for a request, and counts them.
pub(crate) fn take(faults: &mut Vec<Fault>, verb: &str, plural: &str) -> Vec<Action> {
    let mut actions = Vec::new();
    faults.retain_mut(|fault| {
        let is_other = |wanted: &Option<String>, found: &str| wanted.as_ref().is_some_and(|wanted| wanted != found);
        if is_other(&fault.verb, verb) || is_other(&fault.resource, plural) {
            return true;
        }
        if fault.times == Some(0) {
            return false;
        }
        actions.push(fault.action.clone());
        fault.times = fault.times.map(|times| times - 1);
        fault.times != Some(0)
    });
    actions
}
