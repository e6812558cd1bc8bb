//! A resource: the path of a kind, and the operations there.

use super::Custom;
use crate::key::Key;
use crate::kinds::{Facts, events};
use crate::schema::{Schema, conform, structural};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// A resource.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) plural: String,
    pub(crate) singular: String,
    pub(crate) kind: String,
    pub(crate) namespaced: bool,
    /// Methods on the collection and on an object, each with its path, such as `GET` and `POST`.
    pub(crate) collection: BTreeSet<String>,
    pub(crate) object: BTreeSet<String>,
    /// Whether the objects of the collection can be watched.
    pub(crate) is_watched: bool,
    /// Subresources by name, such as `status`.
    pub(crate) subresources: BTreeMap<String, Subresource>,
    pub(crate) schema: Schema,
    pub(crate) facts: Facts,
    /// The settings of a custom resource. `None` for built-in kinds.
    pub(crate) custom: Option<Arc<Custom>>,
    derived: Derived,
}

/// Values that are derived from a resource on demand.
#[derive(Clone, Debug, Default)]
struct Derived {
    api_version: OnceLock<String>,
    blank: OnceLock<Value>,
    head: OnceLock<String>,
    key: OnceLock<Arc<str>>,
}

/// A subresource: its kind, and its methods.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subresource {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) methods: BTreeSet<String>,
}

impl Resource {
    /// A resource without operations.
    pub(super) fn empty(group: &str, version: &str, plural: &str) -> Self {
        Self {
            group: group.to_owned(),
            version: version.to_owned(),
            plural: plural.to_owned(),
            singular: String::new(),
            kind: String::new(),
            namespaced: false,
            collection: BTreeSet::new(),
            object: BTreeSet::new(),
            is_watched: false,
            subresources: BTreeMap::new(),
            schema: Schema::any(),
            facts: Facts::default(),
            custom: None,
            derived: Derived::default(),
        }
    }

    /// `apps/v1`, or `v1` for the core group.
    pub(crate) fn api_version(&self) -> &str {
        self.derived.api_version.get_or_init(|| api_version(&self.group, &self.version))
    }

    /// `deployments.apps`, as errors name the resource.
    pub(crate) fn qualified(&self) -> String {
        qualified(&self.plural, &self.group)
    }

    /// The package of the internal type of a built-in kind, as errors name it.
    pub(crate) fn package(&self) -> &str {
        match self.group.split('.').next() {
            None | Some("" | "events") => "core",
            Some(package) => package,
        }
    }

    pub(crate) fn has_status(&self) -> bool {
        self.subresources.contains_key("status")
    }

    /// Whether its objects are stored as events of the core group.
    pub(crate) fn is_event_of_core(&self) -> bool {
        self.custom.is_none() && events::are_of_core(&self.group, &self.plural)
    }

    /// Whether a stored object, as JSON, is in the version of the resource. Objects of built-in
    /// kinds always are, except events.
    pub(crate) fn serves(&self, json: &[u8]) -> bool {
        if self.is_event_of_core() {
            return false;
        }
        let rest = json
            .strip_prefix(br#"{"apiVersion":""#)
            .and_then(|rest| rest.strip_prefix(self.api_version().as_bytes()));
        self.custom.is_none() || rest.is_some_and(|rest| rest.starts_with(b"\""))
    }

    /// Converts a stored custom resource to the version of the resource: removes its unknown
    /// members, and fills in its defaults. Events are converted from the core group.
    pub(crate) fn convert(&self, object: &mut Value) {
        if self.is_event_of_core() && object["apiVersion"] == "v1" {
            return events::from_core(object, self.api_version(), self.schema.root());
        }
        if self.custom.is_none() || object["apiVersion"] == *self.api_version() {
            return;
        }
        object["apiVersion"] = json!(self.api_version());
        conform::prune(self.schema.root(), object);
        structural::drop_nulls(self.schema.root(), object);
        // Defaults beyond the size limit of stored objects are left out.
        _ = structural::fill_defaults(self.schema.root(), object);
        object.sort_all_objects();
    }

    /// The warning with every response, if there is one.
    pub(crate) fn warning(&self) -> Option<&str> {
        self.custom.as_ref().map_or(self.facts.warning, |custom| custom.warning.as_deref())
    }

    /// The beginning of an object as JSON: its kind and version, each followed by a comma.
    pub(crate) fn head(&self) -> &str {
        self.derived.head.get_or_init(|| {
            // Documents can name kinds as they like.
            let [kind, version] = [&*self.kind, self.api_version()].map(|text| json!(text));
            format!("{{\"kind\":{kind},\"apiVersion\":{version},")
        })
    }

    /// The name by which the store knows its objects, which all versions share.
    pub(crate) fn key(&self) -> &Arc<str> {
        let group = if self.is_event_of_core() { "" } else { &self.group };
        self.derived.key.get_or_init(|| key(group, &self.plural))
    }

    /// An object without content. In built-in kinds it still has the structs that are not pointers
    /// in Go, which no manager owns.
    pub(crate) fn blank(&self) -> &Value {
        self.derived.blank.get_or_init(|| {
            let mut blank =
                json!({"apiVersion": self.api_version(), "kind": self.kind, "metadata": {}});
            if self.custom.is_none() {
                conform::fill(self.schema.root(), &mut blank);
            }
            blank
        })
    }
}

/// A name, a dot and the group.
pub(crate) fn qualified(name: &str, group: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{name}.{group}") }
}

pub(crate) fn api_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

/// The name by which the store knows the objects of a resource, which all versions share.
pub(super) fn key(group: &str, plural: &str) -> Arc<str> {
    Key::new(group, plural, None, "").resource
}
