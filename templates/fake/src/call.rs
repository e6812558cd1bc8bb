//! A request to a resource, and the state that it reads and changes.

use crate::failure::Failure;
use crate::logs::Logs;
use crate::names::Names;
use crate::read::Reading;
use crate::registry::{Registry, Resource};
use crate::request::{Incoming, Target};
use crate::schema::Typed;
use crate::store::{Key, Store, Stored};
use crate::watch::Plan;
use kapigen_runtime::jiff::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// All that a server remembers of its objects.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) registry: Registry,
    pub(crate) store: Store,
    pub(crate) names: Names,
    pub(crate) logs: Logs,
}

/// The resource of definitions of custom resources.
pub(crate) const DEFINITIONS: &str = "customresourcedefinitions.apiextensions.k8s.io";

impl State {
    /// Removes an object. With a definition go its kinds, and all their objects; with the last object of a definition
    /// that is deleted goes that.
    pub(crate) fn remove(&mut self, key: &Key) {
        self.store.remove(key);
        if &*key.resource == DEFINITIONS {
            self.remove_kinds(&key.path);
        } else {
            self.finish_definition_of(key);
        }
    }

    /// Removes the kinds of a definition, which has the name of their resource, and all their objects.
    fn remove_kinds(&mut self, resource: &Arc<str>) {
        self.registry.remove_definition(resource);
        for (path, _) in self.store.list(resource, None) {
            self.store.remove(&Key { resource: resource.clone(), path });
        }
    }

    /// Whether the server still has a resource. One whose definition is gone is not there any more.
    pub(crate) fn has(&self, resource: &Resource) -> bool {
        self.registry.get(&resource.group, &resource.version, &resource.plural).is_some()
    }
}

/// A request to a resource.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) request: &'a Incoming<'a>,
    pub(crate) target: &'a Target<'a>,
    pub(crate) resource: Arc<Resource>,
    pub(crate) now: Timestamp,
    pub(crate) warnings: Vec<String>,
}

/// The outcome of a request that was not refused.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// An object as it is stored.
    Stored {
        code: u16,
        object: Arc<Stored>,
    },
    Object {
        code: u16,
        object: Value,
    },
    List {
        items: Vec<Arc<Stored>>,
        metadata: Value,
    },
    /// A `Status`, or another object that has no representation as a table.
    Plain {
        code: u16,
        body: Value,
    },
    Text(Vec<u8>),
    Watch(Plan),
    /// The lines of a log, as they are written.
    Follow(Reading),
}

impl Outcome {
    pub(crate) fn ok(object: Value) -> Self {
        Self::Object { code: 200, object }
    }

    pub(crate) fn stored(object: Arc<Stored>) -> Self {
        Self::Stored { code: 200, object }
    }
}

impl<'a> Call<'a> {
    /// The schema of the kind.
    pub(crate) fn typed(&self) -> Typed<'_> {
        Typed { schemas: &self.state.registry.schemas, schema: self.resource.schema }
    }

    /// The name in the path.
    pub(crate) fn name(&self) -> &str {
        self.target.name.unwrap_or_default()
    }

    pub(crate) fn namespace(&self) -> Option<&'a str> {
        self.target.namespace.filter(|_| self.resource.namespaced)
    }

    /// The key of an object of this resource and namespace.
    pub(crate) fn key(&self, name: &str) -> Key {
        Key::of(self.resource.key().clone(), self.namespace(), name)
    }

    /// The object in the path.
    pub(crate) fn live(&self) -> Result<Value, Failure> {
        self.stored().map(|object| object.tree())
    }

    /// The object in the path, as it is stored.
    pub(crate) fn stored(&self) -> Result<Arc<Stored>, Failure> {
        let found = self.state.store.get(&self.key(self.name())).cloned();
        found.ok_or_else(|| Failure::missing(&self.resource, self.name()))
    }

    pub(crate) fn is_dry_run(&self) -> bool {
        self.request.has("dryRun")
    }

    /// The namespace of the path, if the server has the kind of namespaces. Without that kind every namespace exists.
    pub(crate) fn check_namespace(&self) -> Result<(), Failure> {
        let Some(namespace) = self.namespace() else { return Ok(()) };
        let Some(namespaces) = self.state.registry.get("", "v1", "namespaces") else { return Ok(()) };
        let Some(found) = self.state.store.get(&Key::of(namespaces.key().clone(), None, namespace)) else {
            return Err(Failure::not_found("", "namespaces", namespace));
        };
        if !found.is_terminating() {
            return Ok(());
        }
        Err(self.in_terminating_namespace(namespace))
    }

    fn in_terminating_namespace(&self, namespace: &str) -> Failure {
        let (resource, name) = (&self.resource, self.name());
        let why = format!("unable to create new content in namespace {namespace} because it is being terminated");
        let message = format!("{} \"{name}\" is forbidden: {why}", resource.qualified());
        let cause = serde_json::json!({
            "reason": "NamespaceTerminating", "message": format!("namespace {namespace} is being terminated"), "field": "metadata.namespace",
        });
        let mut details = serde_json::json!({"name": name, "kind": resource.plural, "causes": [cause]});
        if !resource.group.is_empty() {
            details["group"] = serde_json::json!(resource.group);
        }
        Failure::new(403, "Forbidden", message).with_details(details)
    }

    pub(crate) fn warn(&mut self, message: impl Into<String>) {
        let message = message.into();
        if !self.warnings.contains(&message) {
            self.warnings.push(message);
        }
    }
}
