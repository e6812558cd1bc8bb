//! Watches and lists, compared with the model.

use super::clients::PATH;
use super::state::{Event, Model, Object};
use crate::testing::{request, send, time};
use http::{Method, StatusCode};
use kapigen_fake::{Events, NextEvent, ReplyBody, Server};
use serde_json::Value;

/// A watch, and its position in the history.
pub(super) struct Watch {
    events: Events,
    label: Option<String>,
    /// Events of the initial objects.
    initial: Vec<Event>,
    /// The index of the next change.
    seen: usize,
    /// The version up to which it has seen everything.
    version: u64,
}

impl Watch {
    pub(super) fn open(
        server: &Server,
        model: &Model,
        label: Option<String>,
        is_initial: bool,
    ) -> Self {
        let mut path = format!("{PATH}?watch=true");
        if let Some(label) = &label {
            path = format!("{path}&labelSelector=group%3D{label}");
        }
        if !is_initial {
            path = format!("{path}&resourceVersion={}", model.version);
        }
        let reply = server.handle(request(Method::GET, &path, &Value::Null), time(0));
        let ReplyBody::Stream(events) = reply.response.into_body() else {
            panic!("{path} is not a stream")
        };
        let existing = model.selected(label.as_deref()).into_iter().filter(|_| is_initial);
        let initial =
            existing.map(|(name, object)| Event { kind: "ADDED", name, object }).collect();
        Self { events: *events, label, initial, seen: model.history.len(), version: model.version }
    }

    /// Compares all events so far. Returns whether the watch continues.
    pub(super) fn poll(&mut self, model: &Model) -> bool {
        let mut found = Vec::new();
        let (is_over, error) = loop {
            match self.events.next(time(0)) {
                NextEvent::Event(line) => {
                    let event: Value = serde_json::from_slice(&line).expect("an event");
                    match kind(&event) {
                        Some(kind) => found.push(Event {
                            kind,
                            name: event["object"]["metadata"]["name"]
                                .as_str()
                                .expect("a name")
                                .to_owned(),
                            object: Object::parse(&event["object"]),
                        }),
                        None => break (true, event["object"]["code"].as_u64()),
                    }
                }
                NextEvent::Wait(_) => break (false, None),
                NextEvent::End => break (true, None),
            }
        };
        let mut expected = std::mem::take(&mut self.initial);
        let is_lost = self.version < model.compacted;
        if !is_lost {
            expected.extend(model.events(self.seen, self.label.as_deref()));
        }
        assert_eq!(found, expected);
        assert_eq!((is_over, error), (is_lost, is_lost.then_some(410)));
        (self.seen, self.version) = (model.history.len(), model.version);
        !is_over
    }
}

/// The type of an event with an object. `None` for an error.
fn kind(event: &Value) -> Option<&'static str> {
    ["ADDED", "MODIFIED", "DELETED"].into_iter().find(|kind| event["type"] == *kind)
}

/// A list that is read page by page.
pub(super) struct Pages {
    limit: usize,
    token: String,
    /// The remaining objects, at the version of the first page.
    rest: Vec<(String, Object)>,
    version: u64,
}

impl Pages {
    pub(super) fn new(model: &Model, limit: usize) -> Self {
        Self { limit, token: String::new(), rest: model.selected(None), version: model.version }
    }

    /// Reads and compares the next page. Returns whether there is another one.
    pub(super) fn next(&mut self, server: &Server, model: &Model) -> bool {
        if self.token.is_empty() {
            // The first page shows the state at its request.
            *self = Self::new(model, self.limit);
        }
        let path = format!("{PATH}?limit={}&continue={}", self.limit, self.token);
        let (code, body) = send(server, Method::GET, &path, &Value::Null);
        if self.version < model.compacted {
            assert_eq!(code, StatusCode::GONE, "{body}");
            return false;
        }
        assert_eq!(code, StatusCode::OK, "{body}");
        assert_eq!(body["metadata"]["resourceVersion"], self.version.to_string());
        let items = body["items"].as_array().expect("items");
        let name = |item: &Value| item["metadata"]["name"].as_str().expect("a name").to_owned();
        let found: Vec<_> = items.iter().map(|item| (name(item), Object::parse(item))).collect();
        let rest = self.rest.split_off(self.limit.min(self.rest.len()));
        assert_eq!(found, std::mem::replace(&mut self.rest, rest));
        body["metadata"]["continue"].as_str().unwrap_or_default().clone_into(&mut self.token);
        assert_eq!(self.token.is_empty(), self.rest.is_empty());
        !self.token.is_empty()
    }
}
