//! The client: requests that are sent, and their responses.

use crate::body::{Body, Limits, Times, collect};
use crate::error::{BoxError, Error, ErrorKind};
use crate::metrics::{End, Measured, trace};
use crate::retry::{Attempts, Retries};
use crate::stream::Stream;
use crate::transport::{Bodies, Responding, Sender, Transport};
use http::uri::{Parts, PathAndQuery};
use http::{StatusCode, Uri};
use kapigen_runtime::request::RequestLine;
use kapigen_runtime::response::{Requested, RequestedStream, Response};
use kapigen_runtime::retry::Policy;
use kapigen_runtime::{Request, Watch};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tracing::Instrument;

/// Sends requests through a service, which its clones share. Pass `&Client` to functions, and keep
/// a clone in each struct that sends requests.
///
/// ```
/// use kapigen_client::{Client, Error};
/// use kapigen_runtime::{Kind, Request};
///
/// /// The state that the tasks of an operator share.
/// #[derive(Clone)]
/// struct Operator {
///     client: Client,
/// }
///
/// impl Operator {
///     /// Reads an object of any kind.
///     async fn read<T: Kind>(&self, get: Request<T>) -> Result<T, Error> {
///         Ok(self.client.send(get).await?.body)
///     }
/// }
/// ```
#[derive(Clone)]
pub struct Client {
    service: Arc<dyn Sender>,
    base: Uri,
    pub(crate) limits: Limits,
    pub(crate) retries: Retries,
    /// Whether the server refused a request that allows it to leave members out.
    refuses_drop: Arc<AtomicBool>,
}

impl Client {
    /// Creates a client over a service that accepts any body type, such as hyper-util's client or
    /// kapigen-fake's service. Requests have only a path and a query, so most services need a
    /// [`base`](Self::base).
    ///
    /// The service, its futures and the bodies of its responses must be `Send`. If yours are not,
    /// run the machines of [`kapigen_runtime`] yourself: they do no I/O.
    ///
    /// An address is not a service:
    ///
    /// ```compile_fail,E0277
    /// kapigen_client::Client::new("http://127.0.0.1:8001");
    /// ```
    pub fn new(service: impl Transport<Body>) -> Self {
        Self::with_bodies(service)
    }

    /// Creates a client over a service with a body type of its own, such as reqwest's, or kube's
    /// within a closure. The compiler infers the type.
    pub fn with_bodies<B: From<Vec<u8>> + 'static>(service: impl Transport<B>) -> Self {
        Self {
            service: Arc::new(Bodies::new(service)),
            base: Uri::default(),
            limits: Limits::default(),
            retries: Retries::default(),
            refuses_drop: Arc::default(),
        }
    }

    /// Puts scheme, host and path in front of the path of each request, such as
    /// `https://10.0.0.1:6443`. The base may be only a path, for services that add scheme and host
    /// themselves.
    ///
    /// ```
    /// use kapigen_client::{Body, Client, Error, Transport};
    ///
    /// /// A client that sends its requests through `kubectl proxy`.
    /// fn proxied(service: impl Transport<Body>) -> Result<Client, Error> {
    ///     Client::new(service).base("http://127.0.0.1:8001")
    /// }
    /// ```
    ///
    /// # Errors
    /// When it is not a URL, has a host and no scheme, or has a query or credentials.
    pub fn base<U>(mut self, base: U) -> Result<Self, Error>
    where
        Uri: TryFrom<U, Error: Into<http::Error>>,
    {
        let base = Uri::try_from(base).map_err(|error| {
            ErrorKind::Unsendable(format!("the base is not a URL: {}", error.into()))
        })?;
        self.base = check_base(base)?;
        Ok(self)
    }

    /// Sets the idle timeout: how long to wait for the status code of a response, and then for each
    /// part of a whole response. The default is one minute. Streams of `open` and followed logs may
    /// be idle for longer. Elections, and machines that you pass to [`run`](Self::run), have their
    /// own times.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = timeout;
        self
    }

    /// Sets the deadline: the longest time from a request to the end of its response. There is no
    /// limit by default, so a server that sends one byte per second can keep a request open
    /// indefinitely. Watches and followed logs have no deadline; a task such as
    /// [`items`](Self::items) has one for each request.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.limits.deadline = Some(deadline);
        self
    }

    /// Sets the maximum size of a whole response, and of one item of a stream, in bytes. The
    /// default is 128 MiB. Machines take at most 64 MiB for one object, and elections 3 MiB.
    ///
    /// An object takes about twice as much memory as its JSON, but a hostile server can send a list
    /// of empty objects, which take up to 200 times as much. [`items`](Self::items) and informers
    /// hold one item at a time.
    #[must_use]
    pub fn largest_response(mut self, bytes: usize) -> Self {
        self.limits.largest = bytes;
        self
    }

    /// Sets how often and when requests of [`send`](Self::send) and [`open`](Self::open) are
    /// repeated after a failure. A request that could act twice is not repeated under any policy:
    /// [`kapigen_runtime::retry`] has the rules. All clones of a client share a
    /// [budget](kapigen_runtime::retry::Budget), so that repeats do not multiply the load of a
    /// server that fails: [`Error::not_repeated`] shows that it is used up. A
    /// [`deadline`](Self::deadline) covers all attempts together.
    ///
    /// The policy also applies to the requests of [`update`](Self::update) and of discovery, which
    /// are not charged to the budget.
    #[must_use]
    pub fn retry(mut self, policy: Policy) -> Self {
        self.retries.policy = policy;
        self
    }

    /// Sends a request and decodes its response. After a failure it repeats the request if that can
    /// do no harm: see [`retry`](Self::retry).
    ///
    /// # Errors
    /// When the transport fails, the server refuses, the response is not the requested one, or a
    /// limit is exceeded.
    pub async fn send<T: Requested>(&self, request: Request<T>) -> Result<Response<T>, Error> {
        let times = self.limits.start(request.is_open_ended());
        let mut attempts = Attempts::new(&self.retries, &request, &times);
        loop {
            match self.attempt(&request, &times).await {
                Ok(response) => {
                    attempts.on_success();
                    return Ok(response);
                }
                Err(error) => attempts.again(error, || self.line(&request)).await?,
            }
        }
    }

    /// Sends a request and decodes its response while it arrives: a watch, or the items of a list.
    /// Until the response begins, it fails as [`send`](Self::send) does.
    ///
    /// # Errors
    /// When the transport fails, the server refuses, or it does not respond in time.
    pub async fn open<T: RequestedStream>(&self, request: Request<T>) -> Result<Stream<T>, Error> {
        let times = self.limits.start(request.is_open_ended());
        let mut attempts = Attempts::new(&self.retries, &request, &times);
        loop {
            match self.attempt_open(&request, &times).await {
                Ok(stream) => {
                    attempts.on_success();
                    return Ok(stream);
                }
                Err(error) => attempts.again(error, || self.line(&request)).await?,
            }
        }
    }

    /// A request, for messages.
    pub(crate) fn line<T>(&self, request: &Request<T>) -> RequestLine {
        let line = request.line();
        match join_base(&self.base, request.uri()) {
            Ok(uri) => line.at(&uri),
            Err(_) => line,
        }
    }

    async fn attempt<T: Requested>(
        &self,
        request: &Request<T>,
        times: &Times,
    ) -> Result<Response<T>, Error> {
        let (sent, fallback) = self.with_fallback(request.clone());
        let (head, body) = self.call(sent, fallback, times).await?.into_parts();
        let is_success = head.status.is_success();
        let limits = if is_success { self.limits } else { self.limits.of_refusal() };
        let (body, end) = collect(body, limits.largest, times).await;
        if is_success {
            end?;
        }
        Ok(request.decoder().decode_parts(head.status, &head.headers, &body)?)
    }

    async fn attempt_open<T: RequestedStream>(
        &self,
        request: &Request<T>,
        times: &Times,
    ) -> Result<Stream<T>, Error> {
        let (sent, fallback) = self.with_fallback(request.clone());
        let (head, body) = self.call(sent, fallback, times).await?.into_parts();
        match request.decoder().open(head.status, &head.headers) {
            Ok(response) => Ok(Stream::new(
                response,
                body,
                self.limits.largest,
                times.deadline(),
                self.line(request),
            )),
            Err(head) => {
                let (body, _) = collect(body, self.limits.of_refusal().largest, times).await;
                Err(head.decode(&body).into())
            }
        }
    }

    /// Opens one watch. It ends when the server ends it, after some minutes at the latest; an
    /// [informer](Self::informer) resumes.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn watch<T>(&self, watch: Request<Watch<T>>) -> Result<Stream<Watch<T>>, Error>
    where
        Watch<T>: RequestedStream,
    {
        self.open(watch).await
    }

    /// The request, and the one to send if the server refuses that members are left out.
    fn with_fallback<T>(
        &self,
        request: Request<T>,
    ) -> (http::Request<Vec<u8>>, Option<http::Request<Vec<u8>>>) {
        match request.fallback(StatusCode::NOT_ACCEPTABLE).map(Request::into_http) {
            Some(fallback) if self.refuses_drop.load(Relaxed) => (fallback, None),
            fallback => (request.into_http(), fallback),
        }
    }

    /// Sends a request, or its fallback if the server refuses it. The response may still arrive.
    async fn call(
        &self,
        request: http::Request<Vec<u8>>,
        fallback: Option<http::Request<Vec<u8>>>,
        times: &Times,
    ) -> Result<http::Response<Body>, Error> {
        let response = self.call_once(request, times).await?;
        let Some(fallback) = fallback.filter(|_| response.status() == StatusCode::NOT_ACCEPTABLE)
        else {
            return Ok(response);
        };
        self.refuses_drop.store(true, Relaxed);
        self.call_once(fallback, times).await
    }

    pub(crate) async fn call_once(
        &self,
        request: http::Request<Vec<u8>>,
        times: &Times,
    ) -> Result<http::Response<Body>, Error> {
        let measured = Measured::begin(&request);
        let response = async {
            let request = self.complete(request)?;
            self.dispatch(request).await.map_err(ErrorKind::transport)
        };
        let response =
            times.within(response).instrument(measured.span().clone()).await.unwrap_or_else(Err);
        measured.end(match &response {
            Ok(response) => End::Head(response.status()),
            Err(error) => End::Failed(error.code()),
        });
        let response = response?;
        trace(response.status(), response.headers());
        Ok(response)
    }

    /// The request with the base.
    pub(crate) fn complete(
        &self,
        mut request: http::Request<Vec<u8>>,
    ) -> Result<http::Request<Vec<u8>>, ErrorKind> {
        // Without the query, which may be a secret.
        tracing::debug!(method = %request.method(), path = request.uri().path(), "request");
        *request.uri_mut() = join_base(&self.base, request.uri())?;
        Ok(request)
    }

    /// Sends a complete request.
    pub(crate) fn dispatch(&self, request: http::Request<Vec<u8>>) -> Responding {
        self.service.send(request)
    }

    /// Whether a request for this URL is too long even without what a server has stated: a token or
    /// a version.
    pub(crate) fn is_too_long(&self, uri: &Uri) -> bool {
        let pairs = uri.query().into_iter().flat_map(|query| query.split('&'));
        let own: Vec<&str> = pairs.filter(|pair| !is_of_server(pair)).collect();
        let query = if own.is_empty() { String::new() } else { format!("?{}", own.join("&")) };
        let own = Uri::try_from(format!("{}{query}", uri.path()));
        own.is_ok_and(|own| join_base(&self.base, &own).is_err())
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base", &self.base)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Whether a server has stated the value of a parameter before.
fn is_of_server(pair: &str) -> bool {
    ["continue=", "resourceVersion="].iter().any(|key| pair.starts_with(key))
}

/// Checks a base.
///
/// # Errors
/// When requests to it could not be sent, or something of it would be ignored.
fn check_base(base: Uri) -> Result<Uri, ErrorKind> {
    // Neither is quoted: it may be a secret.
    if base.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return unsendable("the base has credentials, which the service adds to requests instead");
    }
    if base.query().is_some() {
        return unsendable("the base has a query, which belongs to requests");
    }
    let problem = match base.authority() {
        Some(authority) if base.scheme().is_none() => {
            format!("has no scheme: is it `http://{authority}`?")
        }
        Some(authority) if authority.host().is_empty() => "has no host".to_owned(),
        Some(authority)
            if authority.as_str().len() > authority.host().len() && authority.port().is_none() =>
        {
            "has no valid port".to_owned()
        }
        _ if base.path() == "*" => "is not a URL".to_owned(),
        _ => return Ok(base),
    };
    unsendable(format!("the base `{base}` {problem}"))
}

/// Scheme, host and path of a base, and then path and query of a request.
///
/// # Errors
/// When that is too long for a URL.
fn join_base(base: &Uri, uri: &Uri) -> Result<Uri, ErrorKind> {
    let path = base.path().trim_end_matches('/');
    let rest = uri.path_and_query().map_or("/", PathAndQuery::as_str);
    let mut parts = Parts::default();
    parts.scheme = base.scheme().cloned();
    parts.authority = base.authority().cloned();
    parts.path_and_query = Some(format!("{path}{rest}").parse().map_err(too_long)?);
    Uri::from_parts(parts).map_err(too_long)
}

fn too_long(error: impl Into<BoxError>) -> ErrorKind {
    ErrorKind::Unsendable(format!("path and query with the base: {}", error.into()))
}

fn unsendable<T>(cause: impl Into<String>) -> Result<T, ErrorKind> {
    Err(ErrorKind::Unsendable(cause.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_bases_to_which_nothing_can_be_sent() {
        let refused =
            |base: &'static str| check_base(Uri::from_static(base)).unwrap_err().to_string();
        let cannot = "the request cannot be sent: the base";
        assert_eq!(
            refused("localhost:8001"),
            format!("{cannot} `localhost:8001` has no scheme: is it `http://localhost:8001`?")
        );
        assert_eq!(
            refused("http://a/k8s?token=y"),
            format!("{cannot} has a query, which belongs to requests")
        );
        assert_eq!(
            refused("http://10.0.0.1:80001"),
            format!("{cannot} `http://10.0.0.1:80001/` has no valid port")
        );
        assert_eq!(refused("http://:80/"), format!("{cannot} `http://:80/` has no host"));
        assert_eq!(refused("*"), format!("{cannot} `*` is not a URL"));
        assert!(!refused("https://user:secret@a").contains("secret"));
    }

    #[test]
    fn joins_paths_and_keeps_queries() {
        let join = |base: &'static str| {
            let base = check_base(Uri::from_static(base)).unwrap();
            join_base(&base, &Uri::from_static("/api/v1/pods?limit=5")).unwrap().to_string()
        };
        assert_eq!(join("https://a:6443/k8s/"), "https://a:6443/k8s/api/v1/pods?limit=5");
        assert_eq!(join("http://a"), "http://a/api/v1/pods?limit=5");
        assert_eq!(join("/k8s"), "/k8s/api/v1/pods?limit=5");
    }
}
