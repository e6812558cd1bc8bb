//! The session after a request that became a stream of a pod.

use super::shared::Shared;
use crate::streams::Accepted;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite};

/// The session after a response that switches protocols. Dropped, it has not begun.
pub struct Session {
    accepted: Accepted,
    cut: Cut,
}

/// The end of a session that the server brings about.
struct Cut {
    shared: Arc<Shared>,
    /// The ID among the streams that wait.
    stream: u64,
    /// Sessions that began before the last cut are over.
    generation: u64,
}

impl Session {
    pub(super) fn new(accepted: Accepted, shared: &Arc<Shared>, generation: u64) -> Self {
        let stream = shared.wakers.register();
        Self { accepted, cut: Cut { shared: shared.clone(), stream, generation } }
    }

    /// Runs it over a connection until its end, in a runtime of tokio with timers.
    pub async fn run(self, connection: impl AsyncRead + AsyncWrite + Unpin) {
        let Self { accepted, cut } = self;
        let mut running = pin!(accepted.start().run(connection));
        poll_fn(|context| {
            if cut.poll(context).is_ready() {
                return Poll::Ready(());
            }
            running.as_mut().poll(context)
        })
        .await;
    }
}

impl Cut {
    fn poll(&self, context: &Context<'_>) -> Poll<()> {
        self.shared.wakers.set(self.stream, context.waker());
        if self.shared.lock().cuts == self.generation { Poll::Pending } else { Poll::Ready(()) }
    }
}

impl Drop for Cut {
    fn drop(&mut self) {
        self.shared.wakers.remove(self.stream);
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}
