//! Bodies of any type, read within limits.

use crate::error::{BoxError, ErrorKind};
use bytes::{Buf, Bytes};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::fmt;
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep, timeout_at};

/// The body of a request, and of a response of any service.
///
/// ```
/// use kapigen_client::{Body, Client, Transport};
///
/// /// A client over a service that takes bodies of any type.
/// fn connect(service: impl Transport<Body>) -> Client {
///     Client::new(service)
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

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
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

/// A body with converted data and errors. Data that is [`Bytes`] is not copied.
struct Converted<R>(Pin<Box<R>>);

impl<R: HttpBody<Error: Into<BoxError>>> HttpBody for Converted<R> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = self.0.as_mut().poll_frame(context);
        frame
            .map_ok(|frame| frame.map_data(|mut data| data.copy_to_bytes(data.remaining())))
            .map_err(Into::into)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

/// Passes the next bytes of a body to a function. Returns false at the end.
pub(crate) fn poll_bytes(
    body: &mut Body,
    context: &mut Context<'_>,
    take: &mut dyn FnMut(&[u8]),
) -> Poll<Result<bool, ErrorKind>> {
    let frame = match ready!(Pin::new(body).poll_frame(context)) {
        None => return Poll::Ready(Ok(false)),
        Some(frame) => frame.map_err(ErrorKind::Transport)?,
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

/// Limits of responses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The longest silence.
    pub(crate) timeout: Duration,
    /// The longest time from the request to the end of its response.
    pub(crate) deadline: Option<Duration>,
    /// The maximum number of bytes.
    pub(crate) largest: usize,
}

/// The number of bytes that are kept of a refusal. A `Status` is far smaller.
const LARGEST_REFUSAL: usize = 1 << 20;

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(60), deadline: None, largest: 128 << 20 }
    }
}

impl Limits {
    /// The limits of a refusal, which is reported as far as it arrives: its status code alone is
    /// worth more than the error of a limit.
    pub(crate) fn of_refusal(self) -> Self {
        Self { largest: self.largest.min(LARGEST_REFUSAL), ..self }
    }

    /// The times of a request that begins now. An open-ended one has no deadline.
    pub(crate) fn start(&self, is_open_ended: bool) -> Times {
        let deadline = self.deadline.filter(|_| !is_open_ended);
        // A deadline beyond the clock's range means no deadline.
        let end =
            deadline.and_then(|deadline| Some((Instant::now().checked_add(deadline)?, deadline)));
        Times { silence: self.timeout, end }
    }
}

/// The times of a request that is under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// The longest silence.
    silence: Duration,
    /// The deadline, as an instant and as it was set.
    end: Option<(Instant, Duration)>,
}

impl Times {
    /// The output of a future that ends a silence.
    ///
    /// # Errors
    /// When it is too late.
    pub(crate) async fn within<F: Future>(&self, future: F) -> Result<F::Output, ErrorKind> {
        match self.end {
            Some((end, deadline))
                if end.saturating_duration_since(Instant::now()) < self.silence =>
            {
                timeout_at(end, future).await.map_err(|_| ErrorKind::Deadline(deadline))
            }
            _ => tokio::time::timeout(self.silence, future)
                .await
                .map_err(|_| ErrorKind::TimedOut(self.silence)),
        }
    }

    /// Whether a pause ends before the deadline.
    pub(crate) fn allow(&self, pause: Duration) -> bool {
        self.end.is_none_or(|(end, _)| pause < end.saturating_duration_since(Instant::now()))
    }

    /// The deadline as a timer.
    pub(crate) fn deadline(&self) -> Option<Deadline> {
        let (end, deadline) = self.end?;
        Some(Deadline { sleep: Box::pin(tokio::time::sleep_until(end)), deadline })
    }
}

/// The deadline of a response.
#[derive(Debug)]
pub(crate) struct Deadline {
    sleep: Pin<Box<Sleep>>,
    deadline: Duration,
}

impl Deadline {
    /// The error of a response that has more to come, once it is too late. Poll it only while no
    /// more of the body is buffered, so that a slow consumer of buffered data does not lose the
    /// rest.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<ErrorKind> {
        ready!(self.sleep.as_mut().poll(context));
        Poll::Ready(ErrorKind::Deadline(self.deadline))
    }
}

/// The bytes of a body as far as they arrive, and the error that ended it: the connection broke, or
/// the body was silent for too long, came too late or was too large.
pub(crate) async fn collect(
    mut body: Body,
    largest: usize,
    times: &Times,
) -> (Vec<u8>, Result<(), ErrorKind>) {
    let mut bytes = Vec::new();
    loop {
        let next = poll_fn(|context| {
            poll_bytes(&mut body, context, &mut |chunk| bytes.extend_from_slice(chunk))
        });
        let has_more = times.within(next).await.and_then(|next| next);
        if bytes.len() > largest {
            bytes.truncate(largest);
            return (bytes, Err(ErrorKind::TooLarge(largest)));
        }
        match has_more {
            Ok(true) => {}
            Ok(false) => return (bytes, Ok(())),
            Err(error) => return (bytes, Err(error)),
        }
    }
}
