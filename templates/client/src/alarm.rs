//! A reusable timer.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// The timer of tokio for the time that it was set to last.
#[derive(Default)]
pub(crate) struct Alarm(Option<(Duration, Pin<Box<Sleep>>)>);

impl Alarm {
    /// Waits until this time after `start`.
    pub(crate) fn poll(
        &mut self,
        start: Instant,
        until: Duration,
        context: &mut Context<'_>,
    ) -> Poll<()> {
        if self.0.as_ref().is_none_or(|(time, _)| *time != until) {
            // The end of the clock is as good as never.
            let never = start + Duration::from_secs(30 * 365 * 86_400);
            let time = start.checked_add(until).unwrap_or(never).min(never);
            self.0 = Some((until, Box::pin(tokio::time::sleep_until(time))));
        }
        let Some((_, sleep)) = &mut self.0 else { return Poll::Ready(()) };
        ready!(sleep.as_mut().poll(context));
        self.0 = None;
        Poll::Ready(())
    }
}
