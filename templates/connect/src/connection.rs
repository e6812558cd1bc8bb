//! The service that sends requests to a cluster.

use crate::config::Config;
use crate::credentials::{Credentials, Current};
use crate::dial::{Dialer, chain};
use crate::error::Error;
use crate::tls::Material;
use bytes::Bytes;
use http::header::{AUTHORIZATION, USER_AGENT};
use http::uri::{PathAndQuery, Scheme};
use http::{HeaderValue, Request, Response, StatusCode, Uri, request};
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::crypto::CryptoProvider;
use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Instant;
use tower_service::Service;

/// The age at which the files of certificates are read again.
const AGE: Duration = Duration::from_secs(300);
/// The time for which a connection waits for its next request.
const IDLE: Duration = Duration::from_secs(90);

/// Sends requests to the cluster of a [`Config`], as its user: a service for
/// `kapigen_client::Client::new`. Clones share connections and credentials.
///
/// Each request in flight, such as a watch, has a connection of its own; idle connections wait for
/// the next request. Credentials are renewed before they expire, and after a 401, when the request
/// is repeated once. Certificate files are read again every five minutes; after a change there are
/// new connections.
///
/// The path of a request gets the prefix of the server's URL, unless the request names a host. All
/// requests go to the server of the configuration, whatever the host is.
///
/// It needs a tokio runtime with I/O and time.
#[derive(Clone)]
pub struct Connection(Arc<Shared>);

struct Shared {
    config: Config,
    credentials: Credentials,
    provider: Arc<CryptoProvider>,
    pool: Mutex<Option<Pool>>,
}

/// The connections of one certificate and authority.
struct Pool {
    client: Hyper<Dialer, Full<Bytes>>,
    material: Material,
    /// The time at which the files were read.
    read: Instant,
}

impl Connection {
    /// A connection to the cluster of a configuration. Nothing is sent yet. The provider of
    /// cryptography is aws-lc-rs with the feature `aws-lc-rs`, or else ring.
    ///
    /// # Errors
    /// When certificates, keys, proxies or values of headers cannot be used, and without a feature
    /// that has a provider.
    pub fn new(config: Config) -> Result<Self, Error> {
        Self::with_provider(config, provider().map_err(Error::new)?)
    }

    /// The same with another provider of cryptography. It is for this connection alone: no provider
    /// of the process is read or set.
    ///
    /// # Errors
    /// As [`Connection::new`].
    pub fn with_provider(config: Config, provider: CryptoProvider) -> Result<Self, Error> {
        let credentials = Credentials::new(&config)?;
        let provider = Arc::new(provider);
        let shared = Shared { config, credentials, provider, pool: Mutex::default() };
        shared.client(None)?;
        Ok(Self(Arc::new(shared)))
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.0.config
    }
}

/// The provider of the features. `ring` is a default, so that the other one is somebody's choice.
#[allow(clippy::unnecessary_wraps)] // without a feature there is none
fn provider() -> Result<CryptoProvider, &'static str> {
    #[cfg(feature = "aws-lc-rs")]
    return Ok(rustls::crypto::aws_lc_rs::default_provider());
    #[cfg(all(feature = "ring", not(feature = "aws-lc-rs")))]
    return Ok(rustls::crypto::ring::default_provider());
    #[cfg(not(any(feature = "ring", feature = "aws-lc-rs")))]
    Err("there is no provider of cryptography: enable the feature `ring` or `aws-lc-rs` of \
         kapigen-connect, or give one to `Connection::with_provider`")
}

impl Shared {
    /// The client for the certificates of now.
    fn client(&self, current: Option<&Current>) -> Result<Hyper<Dialer, Full<Bytes>>, Error> {
        let issued = current.and_then(|current| current.issued.as_deref());
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*pool
            && known.read.elapsed() < AGE
            && known.material.is_of(issued)
        {
            return Ok(known.client.clone());
        }
        match (self.renewed(pool.as_ref(), issued), &mut *pool) {
            (Ok(new), _) => Ok(pool.insert(new).client.clone()),
            // A file may be missing while it is replaced.
            (Err(error), Some(known)) if known.material.is_of(issued) => {
                tracing::warn!(%error, "certificates could not be read again");
                known.read = Instant::now();
                Ok(known.client.clone())
            }
            (Err(error), _) => Err(error),
        }
    }

    fn renewed(
        &self,
        known: Option<&Pool>,
        issued: Option<&crate::exec::Issued>,
    ) -> Result<Pool, Error> {
        let material = Material::read(&self.config, issued)?;
        let client = if let Some(known) = known.filter(|known| known.material == material) {
            known.client.clone()
        } else {
            let tls = material.client(&self.config, &self.provider)?;
            let authority = material.authority(&self.config);
            let dialer = Dialer::new(&self.config, tls, authority, Arc::clone(&self.provider))?;
            let mut builder = Hyper::builder(TokioExecutor::new());
            builder.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE);
            builder.build(dialer)
        };
        Ok(Pool { client, material, read: Instant::now() })
    }

    async fn send(&self, parts: request::Parts, body: Bytes) -> Result<Response<Body>, Error> {
        let current = self.credentials.current().await?;
        let response = self.attempt(&parts, body.clone(), &current).await?;
        if response.status() != StatusCode::UNAUTHORIZED || !self.credentials.are_renewable() {
            return Ok(response);
        }
        let renewed = self.credentials.renew(current.number).await?;
        if renewed.number == current.number {
            return Ok(response);
        }
        self.attempt(&parts, body, &renewed).await
    }

    async fn attempt(
        &self,
        parts: &request::Parts,
        body: Bytes,
        current: &Current,
    ) -> Result<Response<Body>, Error> {
        let client = self.client(Some(current))?;
        let mut parts = parts.clone();
        parts.uri = join(&self.config.server, &parts.uri)?;
        for (name, value) in &current.headers {
            // A request may have its own.
            if name != AUTHORIZATION || !parts.headers.contains_key(name) {
                parts.headers.append(name.clone(), value.clone());
            }
        }
        let agent = HeaderValue::from_str(&self.config.user_agent);
        if let (false, Ok(agent)) = (parts.headers.contains_key(USER_AGENT), agent) {
            parts.headers.insert(USER_AGENT, agent);
        }
        let error = match client.request(Request::from_parts(parts, Full::new(body))).await {
            Ok(response) => return Ok(response.map(Body)),
            Err(error) => error,
        };
        let server = self.config.server.authority();
        let server = server.map_or("the server", |authority| authority.as_str());
        let is_plain = self.config.server.scheme() == Some(&Scheme::HTTP);
        let hint = if is_plain && is_not_http(&error) { NOT_HTTP } else { "" };
        Err(Error::new(format!("cannot reach {server}: {}{hint}", chain(&error))))
    }
}

/// The remedy where a server by `http` does not respond in HTTP.
const NOT_HTTP: &str = ": if the server speaks TLS, its scheme is `https`";

fn is_not_http(error: &(dyn StdError + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&error| error.source());
    causes.any(|cause| cause.downcast_ref().is_some_and(hyper::Error::is_parse))
}

/// The URL of a request at a server with a prefix, which a request with a host has already.
fn join(server: &Uri, request: &Uri) -> Result<Uri, Error> {
    let is_whole = request.host().is_some();
    let prefix = if is_whole { "" } else { server.path().trim_end_matches('/') };
    let path = request.path_and_query().map_or("/", PathAndQuery::as_str);
    let mut parts = server.clone().into_parts();
    let joined = format!("{prefix}{path}").parse();
    parts.path_and_query = Some(joined.map_err(|_| Error::new("path and query are too long"))?);
    Uri::from_parts(parts).map_err(|error| Error::new(error.to_string()))
}

type BoxError = Box<dyn StdError + Send + Sync>;

impl<B> Service<Request<B>> for Connection
where
    B: HttpBody<Data: Send, Error: Into<BoxError>> + Send + 'static,
{
    type Response = Response<Body>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            // In memory, so that it can be sent once more.
            let body = body.collect().await;
            let body = body.map_err(|error| Error::new(chain(&*error.into())))?.to_bytes();
            shared.send(parts, body).await
        })
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("config", &self.0.config).finish_non_exhaustive()
    }
}

/// The body of a response, which arrives.
#[derive(Debug)]
pub struct Body(Incoming);

impl HttpBody for Body {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.0).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}
