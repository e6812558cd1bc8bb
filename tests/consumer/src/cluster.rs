//! A cluster, as a blocking client sees it.

use openshift_api::codec::{Object, Value};
use openshift_api::response::FromResponse;
use openshift_api::{Request, Response, Watch, WatchEvent};
use std::fmt;
use std::io::Read;
use ureq::{Agent, Body, BodyReader, http};

/// The longest response that is accepted, in bytes. A list of thousands of pods has tens of
/// millions.
const LONGEST: u64 = 1 << 30;

/// An API server: its URL, and the client to reach it.
pub struct Cluster {
    base: String,
    agent: Agent,
}

/// Why there is no response.
#[derive(Debug)]
pub enum Failure {
    /// The server refused, or its response cannot be decoded.
    Api(openshift_api::Error),
    /// Nothing came, or not all.
    Transport(ureq::Error),
}

impl Cluster {
    /// A server below a URL without a slash at its end, such as `http://127.0.0.1:8001`.
    pub fn new(base: &str) -> Self {
        // A refusal is a response like others, and a redirect leads to some page to log in.
        let config =
            Agent::config_builder().http_status_as_error(false).max_redirects(0).proxy(None);
        Self { base: base.to_owned(), agent: config.build().into() }
    }

    /// Sends a request and decodes the response.
    pub fn send<T: FromResponse>(&self, request: &Request<T>) -> Result<Response<T>, Failure> {
        let (head, mut body) = self.exchange(request.to_http())?.into_parts();
        Ok(request.decode_parts(head.status, &head.headers, &read(&mut body)?)?)
    }

    /// Begins to watch. Events are read as they come.
    pub fn watch<T: Object + Value>(
        &self,
        request: &Request<Watch<T>>,
    ) -> Result<Events<T>, Failure> {
        let (head, mut body) = self.exchange(request.to_http())?.into_parts();
        match request.open(head.status, &head.headers) {
            Ok(response) => Ok(Events { watch: response.body, stream: Some(body.into_reader()) }),
            Err(refusal) => Err(refusal.decode(&read(&mut body)?).into()),
        }
    }

    /// Sends any request, and leaves the body of the response unread.
    pub fn exchange(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Body>, ureq::Error> {
        let (mut parts, body) = request.into_parts();
        parts.uri = format!("{}{}", self.base, parts.uri).parse().map_err(http::Error::from)?;
        self.agent.run(http::Request::from_parts(parts, body))
    }
}

fn read(body: &mut Body) -> Result<Vec<u8>, ureq::Error> {
    body.with_config().limit(LONGEST).read_to_vec()
}

/// Events of a watch, until the server ends it or the connection breaks.
pub struct Events<T> {
    watch: Watch<T>,
    stream: Option<BodyReader<'static>>,
}

impl<T: Object + Value> Iterator for Events<T> {
    type Item = Result<WatchEvent<T>, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut buffer = [0; 16 * 1024];
        loop {
            if let Some(event) = self.watch.next_event() {
                return Some(event.map_err(Failure::Api));
            }
            match self.stream.as_mut()?.read(&mut buffer) {
                Ok(0) => {
                    self.stream = None;
                    return std::mem::take(&mut self.watch)
                        .finish()
                        .err()
                        .map(|error| Err(error.into()));
                }
                Ok(count) => self.watch.push(&buffer[..count]),
                Err(error) => {
                    self.stream = None;
                    return Some(Err(Failure::Transport(error.into())));
                }
            }
        }
    }
}

impl Failure {
    /// The error of openshift-api, if the transport did its work.
    pub fn api(&self) -> Option<&openshift_api::Error> {
        match self {
            Failure::Api(error) => Some(error),
            Failure::Transport(_) => None,
        }
    }
}

impl From<openshift_api::Error> for Failure {
    fn from(error: openshift_api::Error) -> Self {
        Failure::Api(error)
    }
}

impl From<ureq::Error> for Failure {
    fn from(error: ureq::Error) -> Self {
        Failure::Transport(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Api(error) => error.fmt(f),
            Failure::Transport(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}
