//! Services that send requests.

use crate::BoxError;
use http::{Request, Response};
use http_body::Body;
use tower_service::Service;

/// A service that sends requests whose bodies are a `B`. Each [`Service`] with fitting types is one, so there is nothing
/// to implement.
pub trait Transport<B>:
    Service<Request<B>, Response = Response<<Self as Transport<B>>::ResponseBody>, Error: Into<BoxError>> + Clone
{
    /// The type of the bodies of responses.
    type ResponseBody: Body<Error: Into<BoxError>>;
}

impl<S, B, R> Transport<B> for S
where
    S: Service<Request<B>, Response = Response<R>, Error: Into<BoxError>> + Clone,
    R: Body<Error: Into<BoxError>>,
{
    type ResponseBody = R;
}
