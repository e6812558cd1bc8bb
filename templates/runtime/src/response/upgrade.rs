//! Connections that switch to another protocol.

use super::Head;
use http::StatusCode;
use http::header::SEC_WEBSOCKET_PROTOCOL;
use std::marker::PhantomData;

/// A connection that was switched to another protocol. The parameter is the stream that it carries:
/// [`Exec`], [`Attach`] or [`PortForward`] of a pod, or `()` where the protocol is up to the caller.
///
/// It is no body, so that nothing that collects one takes a request for it. A client that upgrades
/// connections adds the headers for that to the request, and decodes the head of the response by
/// [`Request::decode_upgrade`](crate::Request::decode_upgrade).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upgrade<S = ()> {
    /// The subprotocol of a WebSocket that the server chose, such as `v5.channel.k8s.io`.
    pub protocol: Option<String>,
    stream: PhantomData<fn() -> S>,
}

impl<S> Upgrade<S> {
    /// Reads the head of a response. `None` if the connection was not switched.
    pub(crate) fn of_head(head: &Head<'_>) -> Option<Self> {
        let protocol = head.headers.get(SEC_WEBSOCKET_PROTOCOL);
        let protocol = protocol.and_then(|value| value.to_str().ok()).map(str::to_owned);
        let is_switched = head.status == StatusCode::SWITCHING_PROTOCOLS;
        is_switched.then_some(Self { protocol, stream: PhantomData })
    }
}

/// The streams of a new process in a container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exec;

/// The streams of the process that a container runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attach;

/// Connections to ports of a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PortForward;
