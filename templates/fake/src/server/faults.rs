//! Failures that a test injects.

use bytes::Bytes;
use http::StatusCode;
use std::fmt;
use std::sync::Arc;
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
/// let server = Server::default();
/// server.inject(Fault::new(refuse).verb("list").resource("pods").times(2));
/// // The second write of this lease, and every dry run.
/// let conflict = Fault::new(Action::Refuse(StatusCode::CONFLICT, None));
/// server.inject(conflict.clone().verb("update").resource("leases").name("default", "leader").after(1).times(1));
/// server.inject(conflict.when(|request| request.uri().query().is_some_and(|query| query.contains("dryRun"))));
/// ```
#[derive(Clone)]
pub struct Fault {
    verb: Option<String>,
    resource: Option<String>,
    /// Namespace and name.
    object: Option<(String, String)>,
    condition: Option<Condition>,
    /// The requests that it lets pass.
    passed: u32,
    times: Option<u32>,
    action: Action,
}

/// Whether a failure applies to a request.
type Condition = Arc<dyn Fn(&http::Request<Bytes>) -> bool + Send + Sync>;

/// The effect of an injected failure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Refuses the request with this status code, which must be an error. With seconds, the
    /// response has the header `Retry-After`.
    Refuse(StatusCode, Option<u32>),
    /// Serves the request, but makes the carrier wait before it sends the response.
    Delay(Duration),
    /// Serves the request, and ends the stream after this many events.
    CutAfter(usize),
    /// Serves the request, but makes the carrier wait this long before each piece of the body: an
    /// event, or 1,024 bytes.
    Trickle(Duration),
    /// Forgets all versions before it serves the request.
    Compact,
}

impl Fault {
    /// A failure of all requests.
    ///
    /// # Panics
    /// If the status code of a refusal is not an error.
    #[must_use]
    pub fn new(action: Action) -> Self {
        if let Action::Refuse(code, _) = action {
            assert!(
                code.is_client_error() || code.is_server_error(),
                "{code} does not refuse a request"
            );
        }
        Self {
            verb: None,
            resource: None,
            object: None,
            condition: None,
            passed: 0,
            times: None,
            action,
        }
    }

    /// Limits it to requests with this verb, as RBAC spells it: `get`, `list`, `watch`, `create`,
    /// `update`, `patch`, `delete` or `deletecollection`.
    #[must_use]
    pub fn verb(self, verb: impl Into<String>) -> Self {
        Self { verb: Some(verb.into()), ..self }
    }

    /// Limits it to the resource with this plural name.
    #[must_use]
    pub fn resource(self, plural: impl Into<String>) -> Self {
        Self { resource: Some(plural.into()), ..self }
    }

    /// Limits it to requests for the object with this namespace and name. The namespace is empty
    /// for kinds of the cluster.
    #[must_use]
    pub fn name(self, namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self { object: Some((namespace.into(), name.into())), ..self }
    }

    /// Limits it to requests for which this holds. It is called while the server is locked, and
    /// must not call it.
    #[must_use]
    pub fn when(
        self,
        condition: impl Fn(&http::Request<Bytes>) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { condition: Some(Arc::new(condition)), ..self }
    }

    /// Lets this many requests pass before it applies.
    #[must_use]
    pub fn after(self, requests: u32) -> Self {
        Self { passed: requests, ..self }
    }

    /// Limits the number of requests to which it applies.
    #[must_use]
    pub fn times(self, times: u32) -> Self {
        Self { times: Some(times), ..self }
    }

    fn is_for(&self, facts: &Facts<'_>) -> bool {
        let object = self.object.as_ref();
        self.verb.as_ref().is_none_or(|verb| verb == facts.verb)
            && self.resource.as_ref().is_none_or(|resource| resource == facts.plural)
            && object
                .is_none_or(|(namespace, name)| namespace == facts.namespace && name == facts.name)
            && self.condition.as_ref().is_none_or(|condition| condition(facts.request))
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verb, resource, object, condition: _, passed, times, action } = self;
        let mut fault = f.debug_struct("Fault");
        fault
            .field("verb", verb)
            .field("resource", resource)
            .field("object", object)
            .field("passed", passed);
        fault.field("times", times).field("action", action).finish_non_exhaustive()
    }
}

/// The properties of a request that failures depend on.
pub(super) struct Facts<'a> {
    pub(super) verb: &'a str,
    pub(super) plural: &'a str,
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) request: &'a http::Request<Bytes>,
}

/// Takes the actions for a request, and counts them.
pub(super) fn take(faults: &mut Vec<Fault>, facts: &Facts<'_>) -> Vec<Action> {
    let mut actions = Vec::new();
    faults.retain_mut(|fault| {
        if !fault.is_for(facts) {
            return true;
        }
        if fault.passed > 0 {
            fault.passed -= 1;
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
