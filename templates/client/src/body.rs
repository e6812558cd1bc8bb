//! Bodies of responses, as bytes.

use crate::client::Limits;
use crate::{BoxError, Error};
use bytes::Buf;
use http_body::Body;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// Passes the next bytes of a body to a function. Returns false at the end.
pub(crate) fn poll_bytes<R: Body<Error: Into<BoxError>>>(
    mut body: Pin<&mut R>,
    context: &mut Context<'_>,
    take: &mut dyn FnMut(&[u8]),
) -> Poll<Result<bool, Error>> {
    let frame = match ready!(body.as_mut().poll_frame(context)) {
        None => return Poll::Ready(Ok(false)),
        Some(frame) => frame.map_err(Error::transport)?,
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

/// All bytes of a body.
///
/// # Errors
/// When the connection breaks, or the body is silent for too long or too large.
pub(crate) async fn collect<R: Body<Error: Into<BoxError>>>(body: R, limits: Limits) -> Result<Vec<u8>, Error> {
    let (mut body, mut bytes) = (pin!(body), Vec::new());
    loop {
        let mut take = |chunk: &[u8]| bytes.extend_from_slice(chunk);
        let next = poll_fn(|context| poll_bytes(body.as_mut(), context, &mut take));
        if !within(limits.timeout, next).await?? {
            return Ok(bytes);
        }
        if bytes.len() > limits.largest {
            return Err(Error::TooLarge(limits.largest));
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
