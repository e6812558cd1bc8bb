//! The clients: each operation is sent to the server, and its response compared with the model.

use super::Operation;
use super::reads::{Pages, Watch};
use super::state::{Model, Object};
use crate::testing::{request, send, time};
use http::{Method, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) const PATH: &str = "/apis/example.com/v1/namespaces/default/widgets";

pub(super) struct Clients {
    pub(super) server: Server,
    pub(super) model: Model,
    /// The objects that clients have read, by client and name.
    read: BTreeMap<(usize, String), Value>,
    watches: Vec<Watch>,
    lists: Vec<Pages>,
}

fn name(index: u8) -> String {
    format!("object-{index}")
}

pub(super) fn label(index: u8) -> String {
    format!("label-{index}")
}

impl Clients {
    pub(super) fn new() -> Self {
        let server = Server::default();
        let names = json!({"plural": "widgets", "kind": "Widget"});
        let spec = json!({"type": "object", "properties": {"count": {"type": "integer"}}});
        let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}});
        let versions = json!([{"name": "v1", "served": true, "schema": schema}]);
        let spec = json!({"group": "example.com", "scope": "Namespaced", "names": names, "versions": versions});
        server.add_definition(&json!({"spec": spec})).expect("a definition");
        let version = server.version();
        let model = Model { version, compacted: version, ..Model::default() };
        Self { server, model, read: BTreeMap::new(), watches: Vec::new(), lists: Vec::new() }
    }

    pub(super) fn perform(&mut self, operation: &Operation) {
        match operation {
            Operation::Create { name: index, label: group } => {
                self.create(&name(*index), &label(*group));
            }
            Operation::Read { client, name: index } => self.read(*client, name(*index)),
            Operation::Increment { client, name: index } => self.increment(*client, name(*index)),
            Operation::Label { name: index, label: group } => {
                self.set_label(&name(*index), &label(*group));
            }
            Operation::Hold { name: index, is_held } => self.hold(&name(*index), *is_held),
            Operation::Touch { name: index } => _ = self.patch(&name(*index), &json!({})),
            Operation::Delete { name: index } => self.delete(&name(*index)),
            Operation::Watch { label: group, is_initial } => {
                let watch = Watch::open(&self.server, &self.model, group.map(label), *is_initial);
                self.watches.push(watch);
            }
            Operation::Poll { watch } => self.poll(*watch),
            Operation::Leave { watch } => _ = choose(&mut self.watches, *watch),
            Operation::List { limit } => self.lists.push(Pages::new(&self.model, *limit)),
            Operation::NextPage { list } => {
                if let Some(mut pages) = choose(&mut self.lists, *list)
                    && pages.next(&self.server, &self.model)
                {
                    self.lists.push(pages);
                }
            }
            Operation::Compact => {
                self.server.compact();
                self.model.compacted = self.model.version;
            }
        }
    }

    fn poll(&mut self, watch: usize) {
        if let Some(mut watch) = choose(&mut self.watches, watch)
            && watch.poll(&self.model)
        {
            self.watches.push(watch);
        }
    }

    fn send(&self, method: Method, name: &str, body: &Value) -> (StatusCode, Value) {
        send(&self.server, method, &format!("{PATH}/{name}"), body)
    }

    fn create(&mut self, name: &str, label: &str) {
        let object = json!({
            "apiVersion": "example.com/v1", "kind": "Widget",
            "metadata": {"name": name, "labels": {"group": label}}, "spec": {"count": 0},
        });
        let (code, body) = send(&self.server, Method::POST, PATH, &object);
        if self.model.objects.contains_key(name) {
            assert_eq!(code, StatusCode::CONFLICT, "{body}");
        } else {
            assert_eq!(code, StatusCode::CREATED, "{body}");
            self.written(name, &body);
        }
    }

    fn read(&mut self, client: usize, name: String) {
        let (code, body) = self.send(Method::GET, &name, &Value::Null);
        match self.model.objects.get(&name) {
            Some(known) => {
                assert_eq!((code, &Object::parse(&body)), (StatusCode::OK, known));
                self.read.insert((client, name), body);
            }
            None => assert_eq!(code, StatusCode::NOT_FOUND),
        }
    }

    /// Succeeds if nobody wrote since the client read.
    fn increment(&mut self, client: usize, name: String) {
        let Some(mut object) = self.read.get(&(client, name.clone())).cloned() else { return };
        let read = Object::parse(&object);
        object["spec"]["count"] = json!(read.count + 1);
        let (code, body) = self.send(Method::PUT, &name, &object);
        match self.model.objects.get(&name) {
            None => assert_eq!(code, StatusCode::NOT_FOUND, "{body}"),
            Some(known) if *known != read => assert_eq!(code, StatusCode::CONFLICT, "{body}"),
            Some(_) => {
                assert_eq!(code, StatusCode::OK, "{body}");
                let version = Object::parse(&body).version;
                assert_eq!(Object::parse(&body), Object { count: read.count + 1, version, ..read });
                self.written(&name, &body);
                self.read.insert((client, name), body);
            }
        }
    }

    /// Patches an object. Returns the object before, and the response.
    fn patch(&self, name: &str, patch: &Value) -> Option<(Object, StatusCode, Value)> {
        let mut request = request(Method::PATCH, &format!("{PATH}/{name}"), patch);
        request
            .headers_mut()
            .insert("content-type", "application/merge-patch+json".parse().expect("a media type"));
        let (code, body) = crate::testing::whole(self.server.handle(request, time(0)));
        let before = self.model.objects.get(name).cloned();
        if before.is_none() {
            assert_eq!(code, StatusCode::NOT_FOUND, "{body}");
        }
        before.map(|before| (before, code, body))
    }

    fn set_label(&mut self, name: &str, label: &str) {
        let patch = json!({"metadata": {"labels": {"group": label}}});
        let Some((before, code, body)) = self.patch(name, &patch) else { return };
        assert_eq!(code, StatusCode::OK, "{body}");
        let version = Object::parse(&body).version;
        assert_eq!(
            Object::parse(&body),
            Object { label: label.to_owned(), version, ..before.clone() }
        );
        if before.label != label {
            self.written(name, &body);
        }
    }

    fn hold(&mut self, name: &str, is_held: bool) {
        let finalizers = if is_held { json!(["example.com/hold"]) } else { Value::Null };
        let Some((before, code, body)) =
            self.patch(name, &json!({"metadata": {"finalizers": finalizers}}))
        else {
            return;
        };
        // A terminating object refuses new finalizers, and is removed with its last one.
        assert_eq!(code, StatusCode::OK, "{body}");
        if before.is_terminating && !is_held {
            self.model.record(name, None, self.server.version());
        } else if before.is_held != is_held {
            self.written(name, &body);
        }
    }

    fn delete(&mut self, name: &str) {
        let (code, body) = self.send(Method::DELETE, name, &Value::Null);
        match self.model.objects.get(name).cloned() {
            None => assert_eq!(code, StatusCode::NOT_FOUND),
            Some(before) if before.is_held => {
                assert_eq!(
                    (code, Object::parse(&body).is_terminating),
                    (StatusCode::OK, true),
                    "{body}"
                );
                if !before.is_terminating {
                    self.written(name, &body);
                }
            }
            Some(_) => {
                assert_eq!(code, StatusCode::OK, "{body}");
                self.model.record(name, None, self.server.version());
            }
        }
    }

    fn written(&mut self, name: &str, body: &Value) {
        let object = Object::parse(body);
        let version = object.version;
        self.model.record(name, Some(object), version);
    }

    /// Compares the server with the model: writes that were refused or changed nothing took no
    /// version.
    pub(super) fn check_state(&self) {
        assert_eq!(self.server.version(), self.model.version);
        for index in 0..4 {
            let found = self.server.get_json("example.com/v1", "Widget", "default", &name(index));
            assert_eq!(
                found.as_ref().map(Object::parse),
                self.model.objects.get(&name(index)).cloned()
            );
        }
    }

    /// Reads all watches and lists to their ends.
    pub(super) fn finish(mut self) {
        for mut watch in self.watches.drain(..) {
            watch.poll(&self.model);
        }
        for mut pages in self.lists.drain(..) {
            while pages.next(&self.server, &self.model) {}
        }
    }
}

/// Takes one of several, if there are any.
fn choose<T>(all: &mut Vec<T>, index: usize) -> Option<T> {
    if all.is_empty() { None } else { Some(all.swap_remove(index % all.len())) }
}
