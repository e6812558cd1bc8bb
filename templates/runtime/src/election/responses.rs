//! The consequences of responses for a candidate.

use super::record::Record;
use super::{Election, Event, Observed, Purpose, Stage};
use crate::machine::Failure;
use crate::response::ApiError;
use http::StatusCode;
use std::time::Duration;

impl Election {
    /// Takes the record that the server has: as it was read, or as it was written.
    pub(super) fn on_record(&mut self, purpose: Purpose, record: Record, sent: Duration, now: Duration) {
        let holder = record.holder().to_owned();
        let last = self.observed.take().filter(|last| record.is_unchanged_since(&last.record));
        let changed = last.map_or(now, |last| last.changed);
        let lease = record.seconds().map_or(self.timing.lease, Duration::from_secs);
        let (is_own, is_over) = (holder == self.identity, now >= changed.saturating_add(lease));
        self.observed = Some(Observed { record, changed });
        if self.is_released {
            let is_to_empty = purpose == Purpose::Read && is_own;
            self.stage = if is_to_empty { Stage::Waiting(now, Purpose::Claim) } else { Stage::Done };
            return;
        }
        if holder != self.leader {
            self.leader.clone_from(&holder);
            if !holder.is_empty() && !is_own {
                self.events.push_back(Event::Leader(holder.clone()));
            }
        }
        if purpose != Purpose::Read {
            self.on_claimed(is_own, sent, now);
        } else if is_own || is_over || holder.is_empty() {
            self.stage = Stage::Waiting(now, Purpose::Claim);
        } else {
            self.lose();
            self.wait(now);
        }
    }

    /// Takes the response to a claim. Leadership counts from when the claim was sent.
    fn on_claimed(&mut self, is_own: bool, sent: Duration, now: Duration) {
        let until = self.would_lead_until;
        if !is_own || now >= until {
            return self.wait(now);
        }
        if self.leads_until.replace(until).is_none() {
            self.events.push_back(Event::Leading);
        }
        self.stage = Stage::Waiting((sent + self.timing.retry).max(now), Purpose::Claim);
    }

    /// Takes a refusal.
    pub(super) fn on_refusal(&mut self, purpose: Purpose, error: Box<ApiError>, now: Duration) {
        if purpose == Purpose::Read && error.code == StatusCode::NOT_FOUND {
            self.observed = None;
            self.lose();
            self.stage = if self.is_released { Stage::Done } else { Stage::Waiting(now, Purpose::Create) };
        } else if purpose != Purpose::Read && error.code == StatusCode::CONFLICT {
            // There was a write in the meantime: by another candidate, or by this one, with a response that was lost.
            self.stage = Stage::Waiting(now + self.timing.retry / 10, Purpose::Read);
        } else {
            let retry_after = error.retry_after;
            self.fail(Failure::Api(error), retry_after, now);
        }
    }

    /// Takes a request without a usable response: it may have had its effect or not.
    pub(super) fn fail(&mut self, failure: Failure, retry_after: Option<Duration>, now: Duration) {
        self.events.push_back(Event::Failed(failure));
        if self.is_released {
            self.stage = Stage::Done;
            return;
        }
        self.wait(now + retry_after.unwrap_or_default().saturating_sub(self.timing.retry));
    }

    /// Ends with a failure that no other attempt would mend.
    pub(super) fn give_up(&mut self, failure: Failure) {
        self.events.push_back(Event::Failed(failure));
        self.lose();
        self.stage = Stage::Done;
    }

    /// Reads the record again after a while.
    fn wait(&mut self, now: Duration) {
        let retry = self.timing.retry;
        self.stage = Stage::Waiting(now + self.jitter.between(retry, retry + retry / 5), Purpose::Read);
    }
}
