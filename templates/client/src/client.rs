//! The client: requests that are sent, and their responses.

use crate::base::{check, join};
use crate::body::{Limits, Times, collect};
use crate::{Error, Run, Stream, Transport};
use http::header::WARNING;
use http::{HeaderMap, StatusCode, Uri};
use kapigen_runtime::request::is_open_ended;
use kapigen_runtime::response::{FromResponse, FromStream, Response};
use kapigen_runtime::{Kind, Machine, Request, Watch};
use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::time::Duration;

/// Sends requests through a service. A clone has a clone of the service.
///
/// `B` is the type of the bodies that the service takes. It follows from the service, unless that takes several: then
/// name one, such as [`Body`](crate::Body). [`boxed`](Self::boxed) makes a client of a type without parameters.
pub struct Client<S, B> {
    pub(crate) service: S,
    base: Uri,
    pub(crate) limits: Limits,
    body: PhantomData<fn(B)>,
}

impl<S, B> Client<S, B> {
    /// Puts scheme, host and path in front of the path of each request, such as `https://10.0.0.1:6443`. A base of a
    /// path alone is for services that add the rest.
    ///
    /// ```
    /// use kapigen_client::{Client, Error};
    ///
    /// /// Sends the requests of a client through `kubectl proxy`.
    /// fn proxied<S, B>(client: Client<S, B>) -> Result<Client<S, B>, Error> {
    ///     client.base("http://127.0.0.1:8001")
    /// }
    /// ```
    ///
    /// # Errors
    /// When it is no URL, has a host and no scheme, or has a query or credentials.
    pub fn base<U>(mut self, base: U) -> Result<Self, Error>
    where
        Uri: TryFrom<U, Error: Into<http::Error>>,
    {
        let invalid = |error: http::Error| Error::Unsendable(format!("the base is no URL: {error}"));
        self.base = check(Uri::try_from(base).map_err(|error| invalid(error.into()))?)?;
        Ok(self)
    }

    /// Sets how long to wait for the status code of a response, and then for each part of a whole one. The default is
    /// one minute. Streams of `open` and followed logs may be silent for longer. Elections have times of their own, and so
    /// has a machine that is passed to [`run`](Self::run).
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = timeout;
        self
    }

    /// Sets the longest time from a request to the end of its response. There is no such limit by default: then a server
    /// that sends a byte each second is waited for as long as it does. Watches and logs that are followed have no
    /// deadline, and what a task such as [`items`](Self::items) sends has one for each request.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.limits.deadline = Some(deadline);
        self
    }

    /// Sets the most bytes of a whole response, and of one item of a stream. The default is 128 MiB. Machines take at
    /// most 64 MiB for one object, and elections 3 MiB.
    ///
    /// An object takes about twice as many bytes in memory as in JSON, but a hostile server can send a list of empty
    /// objects, which are up to 200 times as large in memory. [`items`](Self::items) and informers hold one item at a
    /// time.
    #[must_use]
    pub fn largest_response(mut self, bytes: usize) -> Self {
        self.limits.largest = bytes;
        self
    }

    /// The same client over another service.
    pub(crate) fn map<T, C>(self, map: impl FnOnce(S) -> T) -> Client<T, C> {
        Client { service: map(self.service), base: self.base, limits: self.limits, body: PhantomData }
    }
}

impl<S: Transport<B>, B: From<Vec<u8>>> Client<S, B> {
    /// A client that sends requests with a path and a query only. Services of kube complete them; others need a
    /// [`base`](Self::base).
    pub fn new(service: S) -> Self {
        Self { service, base: Uri::default(), limits: Limits::default(), body: PhantomData }
    }

    /// Sends a request and decodes its response.
    ///
    /// # Errors
    /// When the transport fails, the server refuses, the response is not the requested one, or a limit is exceeded.
    pub async fn send<T: FromResponse>(&self, request: Request<T>) -> Result<Response<T>, Error> {
        let request = request.into_http();
        let times = self.limits.start(is_open_ended(&request));
        let (head, body) = self.call(request, &times).await?.into_parts();
        let is_success = head.status.is_success();
        let limits = if is_success { self.limits } else { self.limits.of_refusal() };
        let (body, end) = collect(body, limits.largest, &times).await;
        if is_success {
            end?;
        }
        Ok(Response::decode_parts(head.status, &head.headers, &body)?)
    }

    /// Sends a request and decodes its response while it arrives: a watch, or the items of a list.
    ///
    /// # Errors
    /// When the transport fails, the server refuses, or it does not respond in time.
    pub async fn open<T: FromStream>(&self, request: Request<T>) -> Result<Stream<T, S::ResponseBody>, Error> {
        let request = request.into_http();
        let times = self.limits.start(is_open_ended(&request));
        let (head, body) = self.call(request, &times).await?.into_parts();
        match Response::open(head.status, &head.headers) {
            Ok(response) => Ok(Stream::new(response, body, self.limits.largest, times.deadline())),
            Err(refusal) => {
                let (body, _) = collect(body, self.limits.of_refusal().largest, &times).await;
                Err(refusal.decode(&body).into())
            }
        }
    }

    /// Opens one watch. It ends when the server ends it, after some minutes at the latest; an
    /// [informer](Self::informer) goes on.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn watch<T: Kind>(&self, watch: Request<Watch<T>>) -> Result<Stream<Watch<T>, S::ResponseBody>, Error> {
        self.open(watch).await
    }

    /// Runs a machine, such as an informer or a followed log. Its events are a stream.
    pub fn run<M: Machine>(&self, machine: M) -> Run<M, S, B> {
        Run::new(machine, self.clone())
    }

    /// Sends a request. The response may still arrive.
    async fn call(
        &self,
        request: http::Request<Vec<u8>>,
        times: &Times,
    ) -> Result<http::Response<S::ResponseBody>, Error> {
        let request = self.complete(request)?;
        let mut service = self.service.clone();
        let response = async {
            poll_fn(|context| service.poll_ready(context)).await?;
            service.call(request).await
        };
        let response = times.within(response).await?.map_err(Error::transport)?;
        trace(response.status(), response.headers());
        Ok(response)
    }

    /// The request as the service takes it.
    pub(crate) fn complete(&self, request: http::Request<Vec<u8>>) -> Result<http::Request<B>, Error> {
        let (mut parts, body) = request.into_parts();
        tracing::debug!(method = %parts.method, uri = %parts.uri, "request");
        parts.uri = join(&self.base, &parts.uri)?;
        Ok(http::Request::from_parts(parts, body.into()))
    }
}

/// Traces a response and its warnings, such as that of a deprecated version.
pub(crate) fn trace(status: StatusCode, headers: &HeaderMap) {
    tracing::debug!(status = status.as_u16(), "response");
    for warning in headers.get_all(WARNING) {
        tracing::warn!(?warning, "the server warns");
    }
}

impl<S: Clone, B> Clone for Client<S, B> {
    fn clone(&self) -> Self {
        Self { service: self.service.clone(), base: self.base.clone(), limits: self.limits, body: PhantomData }
    }
}

impl<S, B> fmt::Debug for Client<S, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("base", &self.base).field("limits", &self.limits).finish_non_exhaustive()
    }
}
