//! The model: objects and their history.

use serde_json::Value;
use std::collections::BTreeMap;

/// An object, as far as the operations change it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Object {
    pub(super) version: u64,
    pub(super) uid: String,
    pub(super) count: u64,
    pub(super) label: String,
    pub(super) is_held: bool,
    pub(super) is_terminating: bool,
}

/// A change of an object.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) name: String,
    pub(super) old: Option<Object>,
    pub(super) new: Option<Object>,
    pub(super) version: u64,
}

/// An event of a watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) kind: &'static str,
    pub(super) name: String,
    pub(super) object: Object,
}

#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) objects: BTreeMap<String, Object>,
    pub(super) history: Vec<Change>,
    /// The version of the last change.
    pub(super) version: u64,
    /// Versions up to this one are forgotten.
    pub(super) compacted: u64,
}

impl Object {
    /// The object that a response shows.
    pub(super) fn parse(value: &Value) -> Self {
        let metadata = &value["metadata"];
        let text = |value: &Value| value.as_str().expect("a string").to_owned();
        Self {
            version: text(&metadata["resourceVersion"]).parse().expect("a number"),
            uid: text(&metadata["uid"]),
            count: value["spec"]["count"].as_u64().expect("a number"),
            label: text(&metadata["labels"]["group"]),
            is_held: metadata["finalizers"].is_array(),
            is_terminating: metadata["deletionTimestamp"].is_string(),
        }
    }

    fn is_selected(&self, label: Option<&str>) -> bool {
        label.is_none_or(|label| self.label == label)
    }
}

impl Model {
    /// Records a change at a version, which has to be greater than all earlier ones.
    pub(super) fn record(&mut self, name: &str, new: Option<Object>, version: u64) {
        assert!(version > self.version, "{version} comes after {}", self.version);
        self.version = version;
        let name = name.to_owned();
        let old = match &new {
            Some(object) => self.objects.insert(name.clone(), object.clone()),
            None => self.objects.remove(&name),
        };
        self.history.push(Change { name, old, new, version });
    }

    /// The events for a selection from an index of the history on.
    pub(super) fn events(&self, start: usize, label: Option<&str>) -> Vec<Event> {
        self.history[start..].iter().filter_map(|change| change.event(label)).collect()
    }

    /// The objects with a label, or all.
    pub(super) fn selected(&self, label: Option<&str>) -> Vec<(String, Object)> {
        let all = self.objects.iter().filter(|(_, object)| object.is_selected(label));
        all.map(|(name, object)| (name.clone(), object.clone())).collect()
    }
}

impl Change {
    fn event(&self, label: Option<&str>) -> Option<Event> {
        let selected =
            |object: &Option<Object>| object.clone().filter(|object| object.is_selected(label));
        let (kind, object) = match (selected(&self.old), selected(&self.new)) {
            (None, None) => return None,
            (None, Some(new)) => ("ADDED", new),
            (Some(_), Some(new)) => ("MODIFIED", new),
            // The last state that was selected, with the version of the change.
            (Some(old), None) => ("DELETED", Object { version: self.version, ..old }),
        };
        Some(Event { kind, name: self.name.clone(), object })
    }
}
