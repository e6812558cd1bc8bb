//! Services that send requests.

use crate::body::Body;
use crate::error::BoxError;
use http::{Request, Response};
use http_body::Body as HttpBody;
use std::future::{Future, poll_fn};
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use tower_service::Service;

/// A service that sends requests with bodies of type `B`. Each [`Service`] with fitting types is
/// one, so there is nothing to implement.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a service that sends requests with bodies of the type `{B}`",
    label = "not such a service",
    note = "give a `tower_service::Service` that can be cloned and sent to other threads, as can its futures and the \
            bodies of its responses",
    note = "`Client::new` takes a service of any body, such as hyper-util's client; `Client::with_bodies` takes one of a \
            body of its own, such as kube's client",
    note = "an address is the base of a client: `Client::new(service).base(\"http://127.0.0.1:8001\")?`"
)]
pub trait Transport<B>:
    Service<
        Request<B>,
        Response = Response<<Self as Transport<B>>::ResponseBody>,
        Error: Into<BoxError>,
        Future: Send + 'static,
    > + Clone
    + Send
    + 'static
{
    /// The type of the bodies of responses.
    type ResponseBody: HttpBody<Error: Into<BoxError>> + Send + 'static;
}

#[diagnostic::do_not_recommend] // errors are about the transport, not about the traits that make one
impl<S, B, R> Transport<B> for S
where
    S: Service<Request<B>, Response = Response<R>, Error: Into<BoxError>, Future: Send + 'static>
        + Clone
        + Send
        + 'static,
    R: HttpBody<Error: Into<BoxError>> + Send + 'static,
{
    type ResponseBody = R;
}

/// A future of a response.
pub(crate) type Responding = Pin<Box<dyn Future<Output = Result<Response<Body>, BoxError>> + Send>>;

/// A service without its types.
pub(crate) trait Sender: Send + Sync {
    /// Sends a request as soon as the service is ready for it.
    fn send(&self, request: Request<Vec<u8>>) -> Responding;
}

/// A service that takes bodies of the type `B`. Each request has a clone of it. The lock is held to
/// clone it only, and makes it `Sync`: many services are not.
pub(crate) struct Bodies<S, B>(Mutex<S>, PhantomData<fn(B)>);

impl<S, B> Bodies<S, B> {
    pub(crate) fn new(service: S) -> Self {
        Self(Mutex::new(service), PhantomData)
    }
}

impl<S: Transport<B>, B: From<Vec<u8>> + 'static> Sender for Bodies<S, B> {
    fn send(&self, request: Request<Vec<u8>>) -> Responding {
        let mut service = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Box::pin(async move {
            poll_fn(|context| service.poll_ready(context)).await.map_err(Into::into)?;
            let response = service.call(request.map(B::from)).await.map_err(Into::into)?;
            Ok(response.map(Body::new))
        })
    }
}
