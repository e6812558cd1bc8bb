//! Requests that switch the connection to a WebSocket.

use super::upgraded::{Connection, connection};
use crate::body::collect;
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use http::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use kapigen_runtime::streams::{accept_key, random_key};
use kapigen_runtime::{Request, Upgrade};

/// The right that servers ask for, for the error of a refusal.
const RIGHT: &str = " (since Kubernetes 1.35 a WebSocket needs the verb `create`, besides `get`)";

impl Client {
    /// Sends a request that switches its connection to a WebSocket, with the subprotocols that the
    /// caller speaks, best first. Returns the one that the server chose, and the connection: what
    /// comes and goes on it is up to the caller.
    ///
    /// The request is sent once, whatever the policy of [`retry`](Self::retry): it can start a
    /// process.
    ///
    /// # Errors
    /// When the server refuses, chooses another subprotocol, or does not respond in time, and when
    /// the service does not give the connection, see [`Upgraded`](crate::streams::Upgraded).
    pub async fn upgrade<S>(
        &self,
        request: Request<Upgrade<S>>,
        protocols: &[&str],
    ) -> Result<(Upgrade<S>, Connection), Error> {
        self.switch(&request, protocols)
            .await
            .map_err(|error| error.for_request(|| self.line(&request)))
    }

    async fn switch<S>(
        &self,
        request: &Request<Upgrade<S>>,
        protocols: &[&str],
    ) -> Result<(Upgrade<S>, Connection), Error> {
        let key = random_key();
        let mut sent = request.to_http();
        extend(sent.headers_mut(), &key, protocols)?;
        let times = self.limits.start(request.is_open_ended());
        let (mut head, body) = self.call_once(sent, &times).await?.into_parts();
        let body = if head.status == StatusCode::SWITCHING_PROTOCOLS {
            Vec::new()
        } else {
            collect(body, self.limits.of_refusal().largest, &times).await.0
        };
        let response = request.decode_upgrade(head.status, &head.headers, &body);
        let upgrade = response.map_err(|error| {
            let is_forbidden = error.is_forbidden();
            let error = Error::from(error);
            if is_forbidden { error.with_remedy(RIGHT) } else { error }
        })?;
        let upgrade = upgrade.body;
        check(&head.headers, &key, upgrade.protocol.as_deref(), protocols)?;
        let connection = times
            .within(connection(&mut head.extensions))
            .await?
            .ok_or_else(|| ErrorKind::Unsendable(NO_CONNECTION.to_owned()))?
            .map_err(ErrorKind::transport)?;
        Ok((upgrade, connection))
    }
}

/// The error of a service that drops connections.
const NO_CONNECTION: &str = "the service switched protocols and did not give the connection, \
    which takes a response with an extension of hyper or `kapigen_client::streams::Upgraded`";

/// Adds the headers of an upgrade.
///
/// # Errors
/// When a subprotocol is not a token of a header.
fn extend(headers: &mut HeaderMap, key: &str, protocols: &[&str]) -> Result<(), ErrorKind> {
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    headers.insert(SEC_WEBSOCKET_KEY, header_value(key)?);
    if !protocols.is_empty() {
        headers.insert(SEC_WEBSOCKET_PROTOCOL, header_value(&protocols.join(", "))?);
    }
    Ok(())
}

fn header_value(text: &str) -> Result<HeaderValue, ErrorKind> {
    HeaderValue::try_from(text)
        .map_err(|_| ErrorKind::Unsendable(format!("{text:?} cannot be in a header")))
}

/// Checks that a response switches to a WebSocket and one of the subprotocols.
///
/// # Errors
/// When it does not. Nothing that the connection carries could be understood.
fn check(
    headers: &HeaderMap,
    key: &str,
    chosen: Option<&str>,
    offered: &[&str],
) -> Result<(), ErrorKind> {
    let protocol = headers.get(UPGRADE).map_or(&[][..], HeaderValue::as_bytes);
    let problem = if !protocol.eq_ignore_ascii_case(b"websocket") {
        "the server switched to another protocol than a WebSocket".to_owned()
    } else if headers.get(SEC_WEBSOCKET_ACCEPT).map(HeaderValue::as_bytes)
        != Some(accept_key(key.as_bytes()).as_bytes())
    {
        "the server accepted a WebSocket that was not asked for".to_owned()
    } else {
        match chosen {
            Some(chosen) if offered.contains(&chosen) => return Ok(()),
            None if offered.is_empty() => return Ok(()),
            Some(chosen) => format!("the server chose the subprotocol {chosen:?} of {offered:?}"),
            None => format!("the server chose none of the subprotocols {offered:?}"),
        }
    };
    Err(ErrorKind::Transport(problem.into()))
}
