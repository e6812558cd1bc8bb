//! Streams of events, pulled by their carrier.

use crate::output::Rendering;
use crate::server::Shared;
use crate::watch::{Over, Plan};
use kapigen_runtime::jiff::Timestamp;
use std::fmt;
use std::sync::Arc;
use std::task::Waker;

/// The events of a watch. The carrier asks for the next one whenever the server changed, or the time has come.
pub struct Events {
    shared: Arc<Shared>,
    plan: Plan,
    rendering: Rendering,
    /// Events until the stream is cut.
    left: Option<usize>,
    /// Streams that began before the last cut are over.
    generation: u64,
}

/// The next step of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// An event, a line of JSON.
    Event(Vec<u8>),
    /// Nothing, before the server changes or this time has come.
    Wait(Timestamp),
    /// The stream is over.
    End,
}

impl Events {
    pub(crate) fn new(
        shared: Arc<Shared>,
        plan: Plan,
        rendering: Rendering,
        left: Option<usize>,
        generation: u64,
    ) -> Self {
        Self { shared, plan, rendering, left, generation }
    }

    /// The next event, if there is one by now.
    pub fn next(&mut self, now: Timestamp) -> Next {
        let inner = self.shared.lock();
        if self.left == Some(0) || inner.cuts != self.generation {
            return Next::End;
        }
        match self.plan.next(&inner.state.store, now, &mut self.rendering) {
            Ok(Some(event)) => {
                self.left = self.left.map(|left| left - 1);
                Next::Event(event)
            }
            Ok(None) => Next::Wait(self.plan.due_at()),
            Err(Over) => Next::End,
        }
    }

    /// As [`next`](Self::next). When there is nothing, `waker` is woken once the server changes.
    pub fn poll_next(&mut self, now: Timestamp, waker: &Waker) -> Next {
        // Registered first: a change in between wakes it at once.
        self.shared.wake_on_change(waker);
        self.next(now)
    }

    /// Blocks until the server changes, at most for this long.
    pub fn wait(&self, at_most: std::time::Duration) {
        self.shared.wait(at_most);
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("plan", &self.plan).field("left", &self.left).finish_non_exhaustive()
    }
}
