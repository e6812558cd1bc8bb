//! The ways of an informer to go on after a failure.

use super::change::Change;
use super::core::{Core, Next, Raw, Stage};
use super::requests::{Purpose, Start};
use crate::machine::Failure;
use crate::request::InvalidRequest;
use crate::response::ApiError;
use http::StatusCode;
use std::time::Duration;

/// The number of failures after which a version or a token is given up.
const PATIENCE: u32 = 5;
/// A watch that was as long as this was no failure, even if nothing happened.
const HEALTHY: Duration = Duration::from_secs(5);
/// The shortest time between two watches.
const PAUSE: Duration = Duration::from_secs(1);

impl Core {
    /// Tries again after a while: the same request, or all objects anew where that has failed too often.
    pub(super) fn retry(&mut self, failure: Failure, retry_after: Option<Duration>, now: Duration) {
        self.failures += 1;
        let is_new = self.failures >= PATIENCE;
        let next = match self.purpose() {
            Some(Purpose::Watch) if !is_new => Next::Ask(Purpose::Watch),
            // Without a token it is another list: what the first one had may be gone by now.
            Some(Purpose::List { token }) if !is_new && !token.is_empty() => {
                Next::Ask(Purpose::List { token: token.clone() })
            }
            Some(Purpose::Stream) => {
                self.ways.cut_streams += u32::from(!is_unrelated(&failure));
                Next::Init
            }
            _ => Next::Init,
        };
        if next == Next::Init && is_new {
            self.failures = 0;
            self.from = Start::Latest;
        }
        self.wait_after(failure, retry_after, next, now);
    }

    fn wait_after(&mut self, failure: Failure, retry_after: Option<Duration>, next: Next, now: Duration) {
        let until = now + self.backoff.on_failure(now, retry_after);
        self.report(Raw::Failed(failure));
        self.wait(until, next);
    }

    fn purpose(&self) -> Option<&Purpose> {
        match &self.stage {
            Stage::Open(open) => Some(&open.purpose),
            Stage::Waiting { .. } | Stage::Done => None,
        }
    }

    /// Ends with a failure that no other attempt would mend.
    pub(super) fn give_up(&mut self, failure: Failure) {
        self.report(Raw::Failed(failure));
        self.stage = Stage::Done;
    }

    /// Goes on without the token or the version that made a request too long, or ends if it is too long without them.
    pub(super) fn on_invalid(&mut self, error: InvalidRequest, purpose: &Purpose, now: Duration) {
        let own = match purpose {
            Purpose::List { .. } => Purpose::List { token: String::new() },
            other => other.clone(),
        };
        if self.requests.build(&own, &Start::Latest, self.ways.is_whole, self.watch_timeout * 2).is_err() {
            return self.give_up(Failure::Invalid(error));
        }
        self.from = Start::Latest;
        self.wait_after(Failure::Invalid(error), None, Next::Init, now);
    }

    /// Goes on after the end of a response, which is complete or broke off for this cause.
    pub(super) fn on_end(&mut self, broken: Option<String>, now: Duration) {
        let Stage::Open(open) = &mut self.stage else { return };
        let is_complete = broken.is_none();
        let is_within = is_complete && !open.exchange.rest().is_empty();
        let lived = now.saturating_sub(open.exchange.sent);
        let least = if is_complete { PAUSE } else { HEALTHY };
        let is_healthy = open.exchange.has_head() && (open.has_progress || lived >= least);
        let (is_watch, pause) = (open.purpose == Purpose::Watch, open.exchange.sent + PAUSE);
        let failure = match (broken, is_within) {
            (None, false) => Failure::Ended,
            (None, true) => Failure::Truncated,
            (Some(cause), _) => Failure::Disconnected(cause),
        };
        if !is_watch || !is_healthy {
            return self.retry(failure, None, now);
        }
        // Every watch ends some day: that is no failure.
        if !matches!(failure, Failure::Ended) {
            self.report(Raw::Failed(failure));
        }
        self.wait(pause.max(now), Next::Ask(Purpose::Watch));
    }

    /// Goes on after a silence that is too long.
    pub(super) fn on_silence(&mut self, now: Duration) {
        let Stage::Open(open) = &mut self.stage else { return };
        if let Some(error) = open.exchange.refusal() {
            return self.on_refusal(error, now);
        }
        let has_head = open.exchange.has_head();
        let silent = Failure::Silent(now.saturating_sub(open.exchange.heard));
        match open.purpose {
            Purpose::Watch if has_head => {
                self.report(Raw::Failed(silent));
                self.wait(now, Next::Ask(Purpose::Watch));
            }
            // A server that does not support streams sends nothing before the first change.
            Purpose::Stream if has_head => {
                self.ways.refuse_streams(now);
                self.wait_after(silent, None, Next::Init, now);
            }
            _ => self.retry(silent, None, now),
        }
    }

    /// Goes on after an event that ends a watch.
    pub(super) fn on_setback(&mut self, change: Change, now: Duration) {
        if let Change::Error(error) = change {
            return self.on_refusal(error, now);
        }
        self.ways.jumps += 1;
        self.from = Start::Latest;
        self.wait_after(Failure::JumpedBack, None, Next::Init, now);
    }

    /// Whether a stream with this code will not succeed soon. A server with an etcd that is too old responds with 500.
    fn is_stream_refused(&mut self, code: StatusCode) -> bool {
        let Stage::Open(open) = &self.stage else { return false };
        match code.as_u16() {
            _ if open.purpose != Purpose::Stream => false,
            400 | 404 | 405 | 406 | 415 | 422 => true,
            500 if open.follows_error => true,
            500 => {
                self.ways.has_stream_error = true;
                false
            }
            _ => false,
        }
    }

    /// Goes on after a refusal, be it a response or an event.
    pub(super) fn on_refusal(&mut self, error: Box<ApiError>, now: Duration) {
        let is_stale = error.is_gone() || is_too_large(&error);
        let is_rejected = matches!(error.code, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY);
        let has_version = matches!(self.from, Start::Version(_));
        let is_paged = !self.ways.is_whole;
        let is_stream_refused = self.is_stream_refused(error.code);
        match self.purpose() {
            Some(Purpose::Stream) if is_stream_refused => self.ways.refuse_streams(now),
            // A list of several pages is forgotten after some minutes; one page cannot be.
            Some(Purpose::List { token }) if !token.is_empty() && (is_stale || is_rejected) && is_paged => {
                self.ways.is_whole = true;
                self.from = Start::Latest;
            }
            Some(Purpose::Stream | Purpose::List { .. }) if (is_stale || is_rejected) && has_version => {
                self.from = Start::Latest;
            }
            Some(Purpose::Watch) if is_stale || is_rejected => {
                self.from = Start::Latest;
                let is_usual = self.initialized.is_some_and(|time| now.saturating_sub(time) >= HEALTHY);
                if !is_usual || is_rejected {
                    let retry_after = error.retry_after;
                    return self.wait_after(Failure::Api(error), retry_after, Next::Init, now);
                }
            }
            _ => {
                let retry_after = error.retry_after;
                return self.retry(Failure::Api(error), retry_after, now);
            }
        }
        self.wait(now, Next::Init);
    }
}

/// Whether a failure is no sign that the server cannot stream: a list would have been refused as well.
fn is_unrelated(failure: &Failure) -> bool {
    matches!(failure, Failure::Api(error) if matches!(error.code.as_u16(), 401 | 403 | 502 | 504))
}

/// Whether the server does not have the version yet: it is behind another one, or was restored from a backup.
fn is_too_large(error: &ApiError) -> bool {
    let is_cause = |reason: Option<&str>| reason == Some("ResourceVersionTooLarge");
    error.causes().iter().any(|cause| is_cause(cause.reason.as_deref()))
        || error.message().contains("Too large resource version")
}
