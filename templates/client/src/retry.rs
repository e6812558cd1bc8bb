//! The attempts of a request.

use crate::body::Times;
use crate::error::{Error, ErrorKind, NotRepeated};
use crate::random::random;
use kapigen_runtime::Request;
use kapigen_runtime::request::RequestLine;
use kapigen_runtime::retry::{Budget, Failed, Next, Policy, Retry};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The policy of a client, and the state that it shares with its clones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Retries {
    pub(crate) policy: Policy,
    budget: Arc<Mutex<Budget>>,
}

impl Retries {
    fn budget(&self) -> MutexGuard<'_, Budget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The attempts of a request.
pub(crate) struct Attempts<'a, T> {
    retries: &'a Retries,
    request: &'a Request<T>,
    times: &'a Times,
    /// `None` before the first failure.
    retry: Option<Retry>,
}

impl<'a, T> Attempts<'a, T> {
    pub(crate) fn new(retries: &'a Retries, request: &'a Request<T>, times: &'a Times) -> Self {
        Self { retries, request, times, retry: None }
    }

    pub(crate) fn on_success(&self) {
        self.retries.budget().on_success();
    }

    /// Waits until the next attempt.
    ///
    /// # Errors
    /// When there is none: the error of the last one, for the request of `line`.
    pub(crate) async fn again(
        &mut self,
        error: Error,
        line: impl FnOnce() -> RequestLine,
    ) -> Result<(), Error> {
        let retry = self
            .retry
            .get_or_insert_with(|| Retry::new(self.retries.policy, self.request, random()));
        let failed = match &error.kind {
            ErrorKind::Transport(_) => Failed::Disconnected,
            ErrorKind::Response(kapigen_runtime::Error::Api(refusal)) => Failed::Refused(refusal),
            _ => Failed::Final,
        };
        let attempts = retry.attempts();
        let last = match retry.failed(failed) {
            Next::After(pause) if !self.times.allow(pause) => {
                error.not_repeated_for(NotRepeated::Deadline)
            }
            Next::After(_) if !self.retries.budget().withdraw() => {
                error.not_repeated_for(NotRepeated::Budget)
            }
            Next::After(pause) => {
                tracing::debug!(%error, attempts, ?pause, "request failed, will be sent again");
                tokio::time::sleep(pause).await;
                return Ok(());
            }
            Next::Uncertain => ErrorKind::Uncertain { attempts, last: Box::new(error) }.into(),
            Next::Stop => error,
        };
        Err(last.for_request(line))
    }
}
