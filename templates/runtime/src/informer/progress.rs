//! The ways of an informer to go on after a success.

use super::change::Change;
use super::core::{Core, Next, Raw, Stage};
use super::requests::{Purpose, Start};
use crate::codec::Target;
use crate::codec::json::DecodeError;
use crate::machine::{Failure, Page};
use std::time::Duration;

impl Core {
    /// Takes a change, and reports it.
    pub(super) fn on_change(&mut self, change: Change, version: String, now: Duration) {
        let Stage::Open(open) = &mut self.stage else { return };
        if matches!(change, Change::Error(_) | Change::JumpedBack) {
            return self.on_setback(change, now);
        }
        self.backoff.on_success(now);
        if open.purpose == Purpose::Stream {
            open.follows_error = false;
            self.backoff.reset();
        }
        let is_end = matches!(change, Change::InitialEnd);
        match open.purpose {
            Purpose::Stream if is_end => {
                open.purpose = Purpose::Watch;
                self.adopt(version);
                self.finish_init(now);
            }
            // A server that does not support streams sends all objects, too, and never their end.
            Purpose::Stream if matches!(change, Change::Bookmark) => {
                self.ways.refuse_streams(now);
                return self.wait(now, Next::Init);
            }
            Purpose::Watch => self.adopt(version),
            Purpose::Stream | Purpose::List { .. } => {}
        }
        match change {
            Change::Applied(key) => self.report(Raw::Applied(key)),
            Change::Deleted { key, is_decoded } => self.report(Raw::Deleted { key, is_decoded }),
            Change::Undecodable { key, error } => self.report(Raw::Undecodable { key, error }),
            _ => {}
        }
    }

    /// Continues from this version.
    fn adopt(&mut self, version: String) {
        let Stage::Open(open) = &mut self.stage else { return };
        let from = Start::Version(version);
        if from != Start::Version(String::new()) && from != self.from {
            open.has_progress = true;
            self.failures = 0;
            self.from = from;
        }
    }

    /// Handles the end of a page, and continues with the next one, or with a watch.
    pub(super) fn finish_page(&mut self, now: Duration) {
        let Stage::Open(open) = &mut self.stage else { return };
        let list = open.exchange.take_list();
        let read = list.finish(Target::Object(&mut open.page)).and_then(|()| open.page.check_end(self.list));
        let version = open.page.metadata.resource_version.take().unwrap_or_default();
        let token = open.page.metadata.continue_.take().unwrap_or_default();
        let has_new = self.known.seen() > open.seen;
        let is_repeated = !token.is_empty() && open.purpose == Purpose::List { token: token.clone() };
        match read {
            Err(error) => return self.retry(Failure::Decode(error), None, now),
            Ok(()) if version.is_empty() => {
                let error = DecodeError::new("metadata.resourceVersion: a list without it cannot be watched");
                return self.retry(Failure::Decode(error), None, now);
            }
            Ok(()) if is_repeated => return self.retry(Failure::Decode(Page::repeated_token()), None, now),
            Ok(()) if !token.is_empty() && !has_new => {
                let error = DecodeError::new("metadata.continue: a page that goes on without having a new item");
                return self.retry(Failure::Decode(error), None, now);
            }
            Ok(()) => {}
        }
        // Pages of another version than the first one may lack what changed in between, and a watch from the first
        // version brings it.
        if self.list_version.is_empty() {
            self.list_version = version;
        }
        self.backoff.on_success(now);
        if token.is_empty() {
            self.from = Start::Version(std::mem::take(&mut self.list_version));
            self.finish_init(now);
            self.wait(now, Next::Ask(Purpose::Watch));
        } else {
            self.wait(now, Next::Ask(Purpose::List { token }));
        }
    }

    /// Reports the objects that vanished, and then that all objects were reported.
    fn finish_init(&mut self, now: Duration) {
        self.vanished = self.known.finish();
        self.ends_init = true;
        self.is_initializing = false;
        self.initialized = Some(now);
        self.failures = 0;
        self.ways.is_whole = false;
        self.ways.cut_streams = 0;
    }
}
