//! From a request to its reply: injected failures, and streams.

use super::faults::{self, Action};
use super::reply::{Body, Reply};
use super::shared::{Inner, Shared};
use super::stream::{Events, Source};
use crate::http::{Content, Target, refused, respond};
use crate::request::{Incoming, Verb};
use bytes::Bytes;
use kapigen_runtime::jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;

/// Handles a request of a client, to which injected failures apply.
pub(super) fn handle(inner: &mut Inner, request: &http::Request<Bytes>, now: Timestamp, shared: &Arc<Shared>) -> Reply {
    let incoming = Incoming::new(request);
    let target = Target::of(&incoming.path);
    let verb = target.as_ref().and_then(|target| target.verb(&incoming)).map_or("", Verb::as_str);
    let plural = target.as_ref().map_or("", |target| target.plural);
    let mut delay = Duration::ZERO;
    let mut left = None;
    let mut refusal = None;
    for action in faults::take(&mut inner.faults, verb, plural) {
        match action {
            // The first refusal counts.
            Action::Refuse(code, retry_after) => _ = refusal.get_or_insert((code, retry_after)),
            Action::Delay(time) => delay = delay.saturating_add(time),
            Action::CutAfter(events) => left = Some(events),
            Action::Compact => inner.state.store.compact(),
        }
    }
    let response = match refusal {
        Some((code, retry_after)) => refused(&incoming, code, retry_after),
        None => respond(&mut inner.state, &inner.documents, &incoming, target.as_ref(), now),
    };
    Reply { response: response.map(|content| body(content, left, inner.cuts, shared)), delay }
}

fn body(content: Content, left: Option<usize>, cuts: u64, shared: &Arc<Shared>) -> Body {
    let source = match content {
        Content::Whole(bytes) => return Body::Whole(bytes),
        Content::Watch(plan, rendering) => Source::Watch(plan, rendering),
        Content::Log(reading) => Source::Log(reading),
    };
    Body::Stream(Box::new(Events::new(shared.clone(), source, left, cuts)))
}
