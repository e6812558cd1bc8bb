//! Responses that are decoded while they arrive.

use crate::body::{Body, Deadline, poll_bytes};
use crate::error::{Error, ErrorKind};
use kapigen_runtime::request::RequestLine;
use kapigen_runtime::response::{Response, StreamDecoder, Warning};
use std::fmt;
use std::future::poll_fn;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The items of a response: events of a watch, or items of a list. After an error of the transport
/// there are no more.
pub struct Stream<T> {
    /// `None` when it has ended.
    response: Option<Response<T>>,
    warnings: Vec<Warning>,
    body: Body,
    /// The maximum number of bytes of an item.
    largest: usize,
    /// The bytes since the last item.
    pending: usize,
    deadline: Option<Deadline>,
    /// The request, for messages.
    request: RequestLine,
}

impl<T: StreamDecoder> Stream<T> {
    pub(crate) fn new(
        mut response: Response<T>,
        body: Body,
        largest: usize,
        deadline: Option<Deadline>,
        request: RequestLine,
    ) -> Self {
        let warnings = mem::take(&mut response.warnings);
        Self { response: Some(response), warnings, body, largest, pending: 0, deadline, request }
    }

    /// The warnings of the server, such as of a deprecated version.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The next item, or `None` at the end. It can be cancelled without losing one.
    pub async fn next(&mut self) -> Option<Result<T::Item, Error>> {
        poll_fn(|context| self.poll_item(context)).await
    }

    /// The next item. The error names the request.
    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T::Item, Error>>> {
        let item = ready!(self.poll_unnamed(context));
        Poll::Ready(
            item.map(|item| item.map_err(|error| error.for_request(|| self.request.clone()))),
        )
    }

    fn poll_unnamed(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T::Item, Error>>> {
        loop {
            let Some(response) = &mut self.response else { return Poll::Ready(None) };
            if let Some(item) = response.body.next_item() {
                self.pending = 0;
                return Poll::Ready(Some(item.map_err(Error::from)));
            }
            if self.pending > self.largest {
                self.response = None;
                return Poll::Ready(Some(Err(ErrorKind::TooLarge(self.largest).into())));
            }
            let polled = poll_bytes(&mut self.body, context, &mut |chunk| {
                self.pending += chunk.len();
                response.body.push(chunk);
            });
            let polled = match (polled, &mut self.deadline) {
                (Poll::Pending, Some(deadline)) => deadline.poll(context).map(Err),
                (polled, _) => polled,
            };
            let end = match ready!(polled) {
                Ok(true) => continue,
                Ok(false) => self
                    .response
                    .take()
                    .and_then(|response| response.body.finish().err())
                    .map(Error::from),
                Err(error) => {
                    self.response = None;
                    Some(error.into())
                }
            };
            return Poll::Ready(end.map(Err));
        }
    }
}

impl<T: StreamDecoder + Unpin> futures_core::Stream for Stream<T> {
    type Item = Result<T::Item, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_item(context)
    }
}

impl<T> fmt::Debug for Stream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("has_ended", &self.response.is_none())
            .finish_non_exhaustive()
    }
}
