//! Services that send requests.

use crate::body::Body;
use crate::error::BoxError;
use http::{Request, Response};
use http_body::Body as HttpBody;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use tower_service::Service;

/// A service that sends requests with bodies of type `B`. Each [`Service`] with fitting types is
/// one, so there is nothing to implement.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a service that sends requests with bodies of the type `{B}`",
    label = "not a service",
    note = "give a `tower_service::Service` that can be cloned, such as hyper-util's client; an address is the base of a \
            client: `Client::new(service).base(\"http://127.0.0.1:8001\")?`"
)]
pub trait Transport<B>:
    Service<
        Request<B>,
        Response = Response<<Self as Transport<B>>::ResponseBody>,
        Error: Into<BoxError>,
    > + Clone
{
    /// The type of the bodies of responses.
    type ResponseBody: HttpBody<Error: Into<BoxError>>;
}

#[diagnostic::do_not_recommend] // errors are about the transport, not about the traits that make one
impl<S, B, R> Transport<B> for S
where
    S: Service<Request<B>, Response = Response<R>, Error: Into<BoxError>> + Clone,
    R: HttpBody<Error: Into<BoxError>>,
{
    type ResponseBody = R;
}

/// A service of any type, see [`BoxClient`](crate::BoxClient).
pub struct BoxService(Box<dyn AnyService>);

impl BoxService {
    pub(crate) fn new<S, B>(service: S) -> Self
    where
        S: Transport<B, Future: Send + 'static, ResponseBody: Send + 'static> + Send + 'static,
        B: From<Vec<u8>> + 'static,
    {
        Self(Box::new(Erased::new(service)))
    }
}

/// A future of a response.
type Responding = Pin<Box<dyn Future<Output = Result<Response<Body>, BoxError>> + Send>>;

/// A boxed service.
trait AnyService: Send + Sync {
    fn duplicate(&self) -> Box<dyn AnyService>;
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>>;
    fn call(&mut self, request: Request<Vec<u8>>) -> Responding;
}

/// A service that takes bodies of the type `B`. The lock, which no request takes, makes it `Sync`:
/// many services are not.
struct Erased<S, B>(Mutex<S>, PhantomData<fn(B)>);

impl<S, B> Erased<S, B> {
    fn new(service: S) -> Self {
        Self(Mutex::new(service), PhantomData)
    }

    fn service(&mut self) -> &mut S {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S, B> AnyService for Erased<S, B>
where
    S: Transport<B, Future: Send + 'static, ResponseBody: Send + 'static> + Send + 'static,
    B: From<Vec<u8>> + 'static,
{
    fn duplicate(&self) -> Box<dyn AnyService> {
        Box::new(Self::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.service().poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, request: Request<Vec<u8>>) -> Responding {
        let response = self.service().call(request.map(B::from));
        Box::pin(async move { Ok(response.await.map_err(Into::into)?.map(Body::new)) })
    }
}

impl Clone for BoxService {
    fn clone(&self) -> Self {
        Self(self.0.duplicate())
    }
}

impl Service<Request<Vec<u8>>> for BoxService {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Responding;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<Vec<u8>>) -> Self::Future {
        self.0.call(request)
    }
}

impl fmt::Debug for BoxService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoxService").finish_non_exhaustive()
    }
}
