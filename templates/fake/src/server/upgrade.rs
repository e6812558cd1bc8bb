//! Requests that become streams of pods.

use crate::http::{Content, failed};
use crate::request::Incoming;
#[cfg(feature = "streams")]
use crate::streams::{Accepted, Handler, accept};
use bytes::Bytes;
use http::header::UPGRADE;
use http::{HeaderMap, Response, StatusCode};
use std::collections::VecDeque;
use std::fmt;

/// The most refusals that are remembered.
const MOST_REFUSED: usize = 16;

/// A stream that was accepted. There is none without the feature.
#[cfg(not(feature = "streams"))]
pub(super) type Accepted = std::convert::Infallible;

/// What a test runs, and refusals that are not over.
#[derive(Default)]
pub(crate) struct Upgrades {
    /// By subresource.
    #[cfg(feature = "streams")]
    handlers: std::collections::BTreeMap<&'static str, Handler>,
    /// Refusals of WebSockets, by path and query. Clients such as kubectl ask once more then, by
    /// SPDY, and show the second refusal only.
    refused: VecDeque<(String, Response<Bytes>)>,
}

impl Upgrades {
    /// Sets what runs for a subresource.
    #[cfg(feature = "streams")]
    pub(super) fn set(&mut self, subresource: &'static str, handler: Handler) {
        self.handlers.insert(subresource, handler);
    }

    /// Accepts a stream, or refuses it.
    #[cfg_attr(not(feature = "streams"), allow(clippy::unused_self))]
    pub(super) fn complete(
        &self,
        response: Response<Content>,
        request: &Incoming<'_>,
    ) -> (Response<Content>, Option<Accepted>) {
        let target = match response.into_parts() {
            (_, Content::Stream(target)) => target,
            (head, body) => return (Response::from_parts(head, body), None),
        };
        #[cfg(feature = "streams")]
        let refusal = match self.handlers.get(&*target.subresource) {
            Some(handler) => match accept(*target, handler.clone(), request.headers) {
                Ok((headers, accepted)) => {
                    let mut switched = Response::new(Content::Whole(Bytes::new()));
                    *switched.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
                    *switched.headers_mut() = headers;
                    return (switched, Some(accepted));
                }
                Err(failure) => failure,
            },
            None => target.refusal(),
        };
        #[cfg(not(feature = "streams"))]
        let refusal = target.refusal();
        (failed(request, &refusal), None)
    }

    /// Remembers the refusal of a WebSocket.
    pub(super) fn remember(
        &mut self,
        request: &http::Request<Bytes>,
        response: &Response<Content>,
    ) {
        // An empty one says nothing.
        let Content::Whole(body) = response.body() else { return };
        let is_refused = response.status() != StatusCode::SWITCHING_PROTOCOLS && !body.is_empty();
        if is_refused && is_to(request.headers(), "websocket") {
            let mut copy = Response::new(body.clone());
            *copy.status_mut() = response.status();
            *copy.headers_mut() = response.headers().clone();
            self.refused.push_back((target(request), copy));
            if self.refused.len() > MOST_REFUSED {
                self.refused.pop_front();
            }
        }
    }

    /// The refusal of the WebSocket that the client asked for before.
    pub(super) fn repeated(&mut self, request: &http::Request<Bytes>) -> Option<Response<Bytes>> {
        if !is_to(request.headers(), "SPDY/3.1") {
            return None;
        }
        let target = target(request);
        let index = self.refused.iter().position(|(refused, _)| *refused == target)?;
        self.refused.remove(index).map(|(_, response)| response)
    }
}

/// Whether a request asks for this protocol.
fn is_to(headers: &HeaderMap, protocol: &str) -> bool {
    let value = headers.get(UPGRADE).map(http::HeaderValue::as_bytes).unwrap_or_default();
    value.eq_ignore_ascii_case(protocol.as_bytes())
}

fn target(request: &http::Request<Bytes>) -> String {
    request.uri().path_and_query().map(ToString::to_string).unwrap_or_default()
}

impl fmt::Debug for Upgrades {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upgrades").field("refused", &self.refused.len()).finish_non_exhaustive()
    }
}
