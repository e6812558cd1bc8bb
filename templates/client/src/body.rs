//! Bodies: of any type, and as bytes.

use crate::client::Limits;
use crate::{BoxError, Error};
use bytes::{Buf, Bytes};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::fmt;
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// A body of a request or response, for services that take bodies of several types: name it where the compiler asks for
/// the `B` of a [`Client`](crate::Client).
///
/// ```
/// use kapigen_client::{Body, BoxClient, Client, Transport};
///
/// /// A client over a service that takes bodies of any type, such as one of hyper-util or of kapigen-fake.
/// fn connect<S>(service: S) -> BoxClient
/// where
///     S: Transport<Body, Future: Send + 'static, ResponseBody: Send + 'static> + Send + 'static,
/// {
///     Client::<_, Body>::new(service).boxed()
/// }
/// ```
pub struct Body(Content);

enum Content {
    /// The rest of a body that is in memory.
    Bytes(Bytes),
    Any(Pin<Box<dyn HttpBody<Data = Bytes, Error = BoxError> + Send>>),
}

impl Body {
    /// A body of another type.
    pub(crate) fn new(body: impl HttpBody<Error: Into<BoxError>> + Send + 'static) -> Self {
        Self(Content::Any(Box::pin(Converted(Box::pin(body)))))
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Content::Bytes(bytes.into()))
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match &mut self.0 {
            Content::Bytes(bytes) if bytes.is_empty() => Poll::Ready(None),
            Content::Bytes(bytes) => Poll::Ready(Some(Ok(Frame::data(mem::take(bytes))))),
            Content::Any(body) => body.as_mut().poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Content::Bytes(bytes) => bytes.is_empty(),
            Content::Any(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Content::Bytes(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Content::Any(body) => body.size_hint(),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").finish_non_exhaustive()
    }
}

/// A body whose data and errors are converted. Data that is [`Bytes`] is not copied.
struct Converted<R>(Pin<Box<R>>);

impl<R: HttpBody<Error: Into<BoxError>>> HttpBody for Converted<R> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = ready!(self.0.as_mut().poll_frame(context));
        let convert = |frame: Frame<R::Data>| frame.map_data(|mut data| data.copy_to_bytes(data.remaining()));
        Poll::Ready(frame.map(|frame| frame.map(convert).map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

/// Passes the next bytes of a body to a function. Returns false at the end.
pub(crate) fn poll_bytes<R: HttpBody<Error: Into<BoxError>>>(
    mut body: Pin<&mut R>,
    context: &mut Context<'_>,
    take: &mut dyn FnMut(&[u8]),
) -> Poll<Result<bool, Error>> {
    let frame = match ready!(body.as_mut().poll_frame(context)) {
        None => return Poll::Ready(Ok(false)),
        Some(frame) => frame.map_err(|error| Error::Transport(error.into()))?,
    };
    if let Ok(mut data) = frame.into_data() {
        while data.has_remaining() {
            let length = data.chunk().len();
            take(data.chunk());
            data.advance(length);
        }
    }
    Poll::Ready(Ok(true))
}

/// The bytes of a body as far as they arrive, and the error that ended it: the connection broke, or the body was silent
/// for too long or too large.
pub(crate) async fn collect<R: HttpBody<Error: Into<BoxError>>>(
    body: R,
    limits: Limits,
) -> (Vec<u8>, Result<(), Error>) {
    let (mut body, mut bytes) = (pin!(body), Vec::new());
    loop {
        let mut take = |chunk: &[u8]| bytes.extend_from_slice(chunk);
        let next = poll_fn(|context| poll_bytes(body.as_mut(), context, &mut take));
        let has_more = within(limits.timeout, next).await.and_then(|next| next);
        if bytes.len() > limits.largest {
            bytes.truncate(limits.largest);
            return (bytes, Err(Error::TooLarge(limits.largest)));
        }
        match has_more {
            Ok(true) => {}
            Ok(false) => return (bytes, Ok(())),
            Err(error) => return (bytes, Err(error)),
        }
    }
}

/// The output of a future.
///
/// # Errors
/// When it takes longer than this.
pub(crate) async fn within<F: Future>(time: Duration, future: F) -> Result<F::Output, Error> {
    tokio::time::timeout(time, future).await.map_err(|_| Error::TimedOut(time))
}
