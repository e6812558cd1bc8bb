//! Requests and machines of [`kapigen_runtime`], run over any [`tower_service::Service`].
//!
//! A [`Client`] sends a request and decodes its response, opens a stream such as a watch, and runs a
//! [`Machine`] such as an informer. It needs a service that takes [`http`] requests and returns responses with an
//! [`http_body::Body`]: those of hyper-util, kube and reqwest do. TLS and credentials are the business of the service.
//!
//! ```
//! use kapigen_client::{BoxError, Client};
//! use kapigen_runtime::meta_v1::{PartialObjectMetadata, PartialObjectMetadataList};
//! use kapigen_runtime::{Informer, Request, Store, http};
//! use tower_service::Service;
//!
//! /// Keeps a store up to date, for ever.
//! async fn follow<S, B, R>(service: S, list: Request<PartialObjectMetadataList>, store: Store<PartialObjectMetadata>)
//! where
//!     S: Service<http::Request<B>, Response = http::Response<R>, Error: Into<BoxError>> + Clone,
//!     B: From<Vec<u8>>,
//!     R: http_body::Body<Error: Into<BoxError>>,
//! {
//!     let client = Client::new(service).base(http::Uri::from_static("https://10.0.0.1:6443"));
//!     let informer = Informer::new(list).expect("things can be watched");
//!     let mut events = client.run(informer);
//!     while let Some(event) = events.next().await {
//!         store.apply(&event);
//!     }
//! }
//! ```
//!
//! Waits and time limits use the timer of tokio.
#![forbid(unsafe_code)]

mod body;
mod error;
mod run;
mod stream;

pub use error::Error;
pub use run::Run;
pub use stream::Stream;

use http::Uri;
use http::uri::{Parts, PathAndQuery};
use http_body::Body;
use kapigen_runtime::response::{FromResponse, FromStream, Response};
use kapigen_runtime::{Machine, Request};
use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use tower_service::Service;

/// An error of a transport, of any type.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Sends requests through a service. A clone has a clone of the service.
///
/// `B` is the type of the bodies that the service takes. It follows from the service, unless that takes several.
pub struct Client<S, B> {
    service: S,
    base: Uri,
    body: PhantomData<fn(B)>,
}

impl<S, B, R> Client<S, B>
where
    S: Service<http::Request<B>, Response = http::Response<R>> + Clone,
    S::Error: Into<BoxError>,
    B: From<Vec<u8>>,
    R: Body,
    R::Error: Into<BoxError>,
{
    /// A client that sends requests with a path and a query only. Services of kube complete them.
    pub fn new(service: S) -> Self {
        Self { service, base: Uri::default(), body: PhantomData }
    }

    /// Puts scheme, host and path in front of the path of each request, such as `https://10.0.0.1:6443`.
    #[must_use]
    pub fn base(mut self, base: Uri) -> Self {
        self.base = base;
        self
    }

    /// Sends a request and decodes its response.
    ///
    /// # Errors
    /// When the transport fails, the server refuses, or the response is not the requested one.
    pub async fn send<T: FromResponse>(&self, request: Request<T>) -> Result<Response<T>, Error> {
        let response = self.call(request.into_http()).await?;
        let (head, body) = response.into_parts();
        let body = body::collect(body).await?;
        Ok(Response::decode_parts(head.status, &head.headers, &body)?)
    }

    /// Sends a request and decodes its response while it arrives: a watch, or the items of a list.
    ///
    /// # Errors
    /// When the transport fails, or the server refuses.
    pub async fn open<T: FromStream>(&self, request: Request<T>) -> Result<Stream<T, R>, Error> {
        let response = self.call(request.into_http()).await?;
        let (head, body) = response.into_parts();
        match Response::open(head.status, &head.headers) {
            Ok(response) => Ok(Stream::new(response, body)),
            Err(refusal) => Err(refusal.decode(&body::collect(body).await?).into()),
        }
    }

    /// Runs a machine, such as an informer or a followed log. Its events are a stream.
    pub fn run<M: Machine>(&self, machine: M) -> Run<M, S, B, R> {
        Run::new(machine, self.clone())
    }

    /// Sends a request. The response may still arrive.
    async fn call(&self, request: http::Request<Vec<u8>>) -> Result<http::Response<R>, Error> {
        let request = self.complete(request)?;
        let mut service = self.service.clone();
        poll_fn(|context| service.poll_ready(context)).await.map_err(Error::transport)?;
        service.call(request).await.map_err(Error::transport)
    }

    /// The request as the service takes it.
    fn complete(&self, request: http::Request<Vec<u8>>) -> Result<http::Request<B>, Error> {
        let (mut parts, body) = request.into_parts();
        tracing::debug!(method = %parts.method, uri = %parts.uri, "request");
        parts.uri = join(&self.base, &parts.uri)?;
        Ok(http::Request::from_parts(parts, body.into()))
    }
}

/// Scheme, host and path of a base, and then path and query of a request.
fn join(base: &Uri, uri: &Uri) -> Result<Uri, Error> {
    let path = base.path().trim_end_matches('/');
    let rest = uri.path_and_query().map_or("/", PathAndQuery::as_str);
    let mut parts = Parts::default();
    parts.scheme = base.scheme().cloned();
    parts.authority = base.authority().cloned();
    parts.path_and_query = Some(format!("{path}{rest}").parse().map_err(Error::transport)?);
    Uri::from_parts(parts).map_err(Error::transport)
}

impl<S: Clone, B> Clone for Client<S, B> {
    fn clone(&self) -> Self {
        Self { service: self.service.clone(), base: self.base.clone(), body: PhantomData }
    }
}

impl<S, B> fmt::Debug for Client<S, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("base", &self.base).finish_non_exhaustive()
    }
}
