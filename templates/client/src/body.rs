//! Bodies of responses, as bytes.

use crate::{BoxError, Error};
use bytes::Buf;
use http_body::Body;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

/// Passes the next bytes of a body to a function. Returns false at the end.
pub(crate) fn poll_bytes<R: Body>(
    mut body: Pin<&mut R>,
    context: &mut Context<'_>,
    take: &mut dyn FnMut(&[u8]),
) -> Poll<Result<bool, Error>>
where
    R::Error: Into<BoxError>,
{
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
pub(crate) async fn collect<R: Body>(body: R) -> Result<Vec<u8>, Error>
where
    R::Error: Into<BoxError>,
{
    let (mut body, mut bytes) = (pin!(body), Vec::new());
    while poll_fn(|context| poll_bytes(body.as_mut(), context, &mut |chunk| bytes.extend_from_slice(chunk))).await? {}
    Ok(bytes)
}
