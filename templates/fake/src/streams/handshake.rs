//! From a request to a WebSocket.

use super::{Pump, Run, Serve, forward, process};
use crate::failure::Failure;
use crate::verbs::Target;
use http::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use kapigen_runtime::streams::{Protocol, accept_key};

/// The most ports of a forward: each has two channels.
const MOST_PORTS: usize = 64;

/// The refusal of a client that speaks the protocol before WebSockets, or falls back to it.
const NO_SPDY: &str = "the fake server speaks v5.channel.k8s.io and v4.channel.k8s.io over \
                       WebSockets, forwards v4.channel.k8s.io alone, and no SPDY";

/// What a test runs.
#[derive(Clone)]
pub(crate) enum Handler {
    Process(Run),
    Forward(Serve),
}

/// A stream that was accepted and has not started.
pub(crate) struct Accepted {
    target: Target,
    handler: Handler,
    protocol: Protocol,
    /// Empty for a process.
    ports: Vec<u16>,
}

impl Accepted {
    /// Starts the work of the test.
    pub(crate) fn start(self) -> Pump {
        match self.handler {
            Handler::Process(run) => process::start(self.target, &run, self.protocol),
            Handler::Forward(serve) => forward::start(&self.target, &self.ports, &serve),
        }
    }
}

/// Accepts a WebSocket. Returns the headers of the response, too.
pub(crate) fn accept(
    target: Target,
    handler: Handler,
    headers: &HeaderMap,
) -> Result<(HeaderMap, Accepted), Failure> {
    if has_word(headers, &UPGRADE, "SPDY/3.1") {
        return Err(Failure::bad_request(NO_SPDY));
    }
    if !has_word(headers, &CONNECTION, "upgrade") || !has_word(headers, &UPGRADE, "websocket") {
        return Err(Failure::bad_request("Upgrade request required"));
    }
    let is_version_13 = has_word(headers, &SEC_WEBSOCKET_VERSION, "13");
    let key = headers.get(SEC_WEBSOCKET_KEY).filter(|_| is_version_13);
    let key = key.ok_or_else(|| {
        Failure::bad_request("a WebSocket needs a key and the version 13 of its protocol")
    })?;
    let (protocol, ports) = match handler {
        Handler::Process(_) => (choose(&Protocol::ALL, headers)?, Vec::new()),
        Handler::Forward(_) => (choose(&[Protocol::V4], headers)?, ports(&target)?),
    };
    let accept = accept_key(key.as_bytes());
    let accept =
        HeaderValue::try_from(accept).map_err(|error| Failure::internal(error.to_string()))?;
    let headers = [
        (CONNECTION, HeaderValue::from_static("Upgrade")),
        (UPGRADE, HeaderValue::from_static("websocket")),
        (SEC_WEBSOCKET_ACCEPT, accept),
        (SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(protocol.as_str())),
    ];
    Ok((headers.into_iter().collect(), Accepted { target, handler, protocol, ports }))
}

/// The first subprotocol of the client that the server knows. A server refuses others without a
/// word.
fn choose(known: &[Protocol], headers: &HeaderMap) -> Result<Protocol, Failure> {
    words(headers, &SEC_WEBSOCKET_PROTOCOL)
        .find_map(|name| known.iter().find(|protocol| protocol.as_str() == name).copied())
        .ok_or_else(|| Failure::text(403, String::new()))
}

fn has_word(headers: &HeaderMap, name: &HeaderName, wanted: &str) -> bool {
    words(headers, name).any(|word| word.eq_ignore_ascii_case(wanted))
}

/// The words in all values of a header, which commas separate.
fn words<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|words| words.split(',')).map(str::trim)
}

/// The ports of a forward.
fn ports(target: &Target) -> Result<Vec<u16>, Failure> {
    let texts = target.ports.iter().flat_map(|ports| ports.split(','));
    let parsed = texts.map(|port| {
        let number = port.parse().ok().filter(|number| *number > 0);
        number.ok_or_else(|| Failure::text(400, format!("unable to parse \"{port}\" as a port\n")))
    });
    let ports = parsed.collect::<Result<Vec<_>, _>>()?;
    match ports.len() {
        0 => Err(Failure::text(400, "query parameter \"port\" is required\n".to_owned())),
        1..=MOST_PORTS => Ok(ports),
        _ => Err(Failure::text(400, format!("at most {MOST_PORTS} ports can be forwarded\n"))),
    }
}
