//! Watches: the existing objects, and then events.

use super::get::{check_not_too_new, version};
use super::list::{self, MATCH};
use super::{Outcome, Over, is_served, options};
use crate::failure::{Cause, Failure};
use crate::object::Tree;
use crate::registry::Resource;
use crate::request::Request;
use crate::select::Selection;
use crate::state::State;
use crate::store::{Change, Query, Store, Stored};
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;

/// Seconds between bookmarks.
const BOOKMARK_EVERY: i64 = 60;
/// Seconds before the end of a watch at which it sends a last bookmark.
const BOOKMARK_BEFORE_END: i64 = 2;
/// Seconds after which a watch without a stated timeout ends.
const DEFAULT_TIMEOUT: i64 = 1800;

/// A watch: its selection and its position.
#[derive(Debug)]
pub(crate) struct Plan {
    resource: Arc<Resource>,
    key: Arc<str>,
    namespace: Option<String>,
    selection: Selection,
    /// The version of the last event that was read.
    position: u64,
    due: VecDeque<Event>,
    bookmarks: bool,
    next_bookmark: i64,
    end: i64,
    is_over: bool,
}

/// An event: its kind, and its object.
#[derive(Debug)]
pub(crate) enum Event {
    /// An object as it is stored.
    Stored(&'static str, Arc<Stored>),
    /// Anything else.
    Tree(&'static str, Value),
}

/// GET on a collection with `watch=true`, or on a path for watches only.
pub(super) fn watch(state: &State, request: &Request<'_>) -> Result<Outcome, Failure> {
    let mut selection = Selection::from_request(request.incoming, &request.resource)?;
    if !request.name.is_empty() {
        selection = selection.and_field("metadata.name", request.name);
    }
    let stated = check_options(request)?;
    let sends_initial = stated == Some(true);
    let text = request.get("resourceVersion");
    let wanted = if text.is_empty() {
        0
    } else {
        version(text)
            .map_err(|why| Failure::bad_request(format!("invalid resource version: {why}")))?
    };
    if sends_initial {
        check_not_too_new(state, wanted)?;
    }
    list::check_convertible(state, request)?;
    let timeout = request
        .incoming
        .number("timeoutSeconds")?
        .filter(|seconds| *seconds > 0)
        .unwrap_or(DEFAULT_TIMEOUT);
    let bookmarks = request.incoming.is_set("allowWatchBookmarks");
    let now = request.now.as_second();
    let end = now.saturating_add(timeout);
    let mut plan = Plan {
        resource: request.resource.clone(),
        key: request.resource.key().clone(),
        namespace: request.namespace.map(str::to_owned),
        selection,
        position: wanted,
        due: VecDeque::new(),
        bookmarks,
        next_bookmark: i64::MAX,
        end,
        is_over: false,
    };
    // The end of the initial objects is due at once, and the next bookmark with it.
    if sends_initial {
        plan.next_bookmark = now + 1;
    } else if now < end - BOOKMARK_BEFORE_END {
        plan.next_bookmark = plan.bookmark_after(now);
    }
    let store = &state.store;
    if wanted == 0 && stated == Some(false) {
        plan.position = store.version();
    } else if sends_initial || wanted == 0 {
        plan.begin_with_all(store, sends_initial && bookmarks);
    } else if wanted < store.compacted() {
        plan.fail(wanted, store.compacted());
    }
    Ok(Outcome::Watch(plan))
}

/// Refuses options that contradict each other. Returns whether the request wants the existing
/// objects, if it states that.
fn check_options(request: &Request<'_>) -> Result<Option<bool>, Failure> {
    let matching = request.get(MATCH);
    let states_initial = request.incoming.has("sendInitialEvents");
    let mut causes = Vec::new();
    if states_initial && matching != "NotOlderThan" {
        let why = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
        causes.push(Cause::forbidden(MATCH, why));
    }
    if !matching.is_empty() {
        if !states_initial {
            let why =
                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
            causes.push(Cause::forbidden(MATCH, why));
        }
        if matching != "NotOlderThan" {
            causes.push(Cause::unsupported(MATCH, &json!(matching), &["NotOlderThan"]));
        }
        if !request.get("continue").is_empty() {
            let why = "resourceVersionMatch is forbidden when continue is provided";
            causes.push(Cause::forbidden(MATCH, why));
        }
    } else if !request.get("continue").is_empty() {
        causes.push(Cause::forbidden("continue", "continue is forbidden for watch"));
    }
    options::refuse("ListOptions", &causes)?;
    Ok(states_initial.then(|| request.incoming.is_set("sendInitialEvents")))
}

impl Plan {
    /// The resource that is watched.
    pub(crate) fn resource(&self) -> &Arc<Resource> {
        &self.resource
    }

    fn begin_with_all(&mut self, store: &Store, with_bookmark: bool) {
        let namespace = self.namespace.as_deref();
        let query = Query { resource: &self.key, namespace, start: "", selection: &self.selection };
        let selected = store.query(&query, store.version());
        self.due.extend(selected.map(|(_, object)| Event::Stored("ADDED", object)));
        self.position = self.position.max(store.version());
        if with_bookmark {
            let mut bookmark = self.bookmark(self.position);
            bookmark.set_metadata("annotations", json!({"k8s.io/initial-events-end": "true"}));
            self.due.push_back(Event::Tree("BOOKMARK", bookmark));
        }
    }

    /// The time of the next bookmark after a bookmark at this time: a minute later, but at the
    /// latest two seconds before the end. Servers check once a second which watches are due, so the
    /// last bookmark is repeated one second before the end.
    fn bookmark_after(&self, time: i64) -> i64 {
        let next = (time + BOOKMARK_EVERY).min(self.end - BOOKMARK_BEFORE_END);
        if next < time { i64::MAX } else { next.max(time + 1) }
    }

    fn fail(&mut self, wanted: u64, oldest: u64) {
        let failure = Failure::expired(format!("too old resource version: {wanted} ({oldest})"));
        self.due.push_back(Event::Tree("ERROR", failure.status));
        self.is_over = true;
    }

    fn bookmark(&self, version: u64) -> Value {
        json!({
            "kind": self.resource.kind,
            "apiVersion": self.resource.api_version(),
            "metadata": {"resourceVersion": version.to_string()},
        })
    }

    /// The next event, if there is one already. `Err` when the watch is over.
    pub(crate) fn next(&mut self, state: &State, now: Timestamp) -> Result<Option<Event>, Over> {
        if self.due.is_empty() && !self.is_over {
            self.collect(&state.store, now);
            // The last events are the deletions of objects that went with their definition.
            self.is_over |= !is_served(state, &self.resource);
        }
        match self.due.pop_front() {
            Some(event) => Ok(Some(event)),
            None if self.is_over || now.as_second() >= self.end => Err(Over),
            None => Ok(None),
        }
    }

    fn collect(&mut self, store: &Store, now: Timestamp) {
        if self.position < store.compacted() {
            self.fail(self.position, store.compacted());
            return;
        }
        for change in store.changes_after(self.position) {
            self.position = change.version;
            if let Some(event) = self.event(change) {
                self.due.push_back(event);
            }
        }
        if self.due.is_empty()
            && self.bookmarks
            && (self.next_bookmark..self.end).contains(&now.as_second())
        {
            self.next_bookmark = self.bookmark_after(now.as_second());
            let bookmark = self.bookmark(self.position.max(store.version()));
            self.due.push_back(Event::Tree("BOOKMARK", bookmark));
        }
    }

    /// The event of a change for this watch. An object that leaves the selection is deleted for it:
    /// as it was, with the version of the change.
    fn event(&self, change: &Change) -> Option<Event> {
        let is_here =
            self.namespace.is_none() || change.key.namespace() == self.namespace.as_deref();
        if change.key.resource != self.key || !is_here {
            return None;
        }
        let selected = [&change.old, &change.new].map(|object| {
            let object = object.as_ref();
            object.filter(|object| self.selection.selects(&change.key.path, object.terms()))
        });
        match selected {
            [None, None] => None,
            [None, Some(new)] => Some(Event::Stored("ADDED", new.clone())),
            [Some(_), Some(new)] => Some(Event::Stored("MODIFIED", new.clone())),
            [Some(old), None] => {
                let mut last = old.tree();
                self.resource.convert(&mut last);
                last.set_metadata("resourceVersion", json!(change.version.to_string()));
                Some(Event::Tree("DELETED", last))
            }
        }
    }

    /// The next time at which something happens without a write.
    pub(crate) fn due_at(&self) -> Timestamp {
        let next = if self.bookmarks { self.next_bookmark.min(self.end) } else { self.end };
        Timestamp::from_second(next).unwrap_or(Timestamp::MAX)
    }
}
