//! The items of lists, page by page.

use crate::{Error, Run, Transport};
use kapigen_runtime::machine::Failure;
use kapigen_runtime::pages::Event;
use kapigen_runtime::{Kind, Pages};
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// All items of a list, one by one while the bytes arrive, and page by page.
///
/// An item that cannot be decoded is an error, after which others may follow. After all other errors there are none.
pub struct Items<T, S: Transport<B>, B> {
    pages: Run<Pages<T>, S, B>,
}

impl<T: Kind, S: Transport<B>, B: From<Vec<u8>>> Items<T, S, B> {
    pub(crate) fn new(pages: Run<Pages<T>, S, B>) -> Self {
        Self { pages }
    }

    /// The next item, or `None` at the end of the list. It can be cancelled without losing one.
    pub async fn next(&mut self) -> Option<Result<Box<T>, Error>> {
        poll_fn(|context| self.poll_item(context)).await
    }

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Box<T>, Error>>> {
        Poll::Ready(match ready!(self.pages.poll_event(context)) {
            Some(Event::Item(item)) => Some(Ok(item)),
            Some(Event::Undecodable(error)) => Some(Err(Failure::Decode(error).into())),
            Some(Event::Failed(failure)) => Some(Err(failure.into())),
            // The end of the list is the last event.
            Some(_) | None => None,
        })
    }
}

impl<T: Kind, S: Transport<B>, B: From<Vec<u8>>> futures_core::Stream for Items<T, S, B> {
    type Item = Result<Box<T>, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_item(context)
    }
}

impl<T, S: Transport<B>, B> fmt::Debug for Items<T, S, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}
