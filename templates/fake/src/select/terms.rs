//! The terms by which objects are found: their labels, selectable fields and owners.

use crate::object::{Tree, owners};
use serde_json::Value;
use std::sync::Arc;

/// A fact about objects, by which they are indexed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Term {
    Label { key: Box<str>, value: Box<str> },
    Field { path: Box<str>, value: Box<str> },
    Owner { uid: Box<str>, blocks_deletion: bool },
}

impl Term {
    pub(super) fn label(key: &str, value: &str) -> Self {
        Self::Label { key: key.into(), value: value.into() }
    }

    pub(super) fn field(path: &str, value: &str) -> Self {
        Self::Field { path: path.into(), value: value.into() }
    }

    /// An owner by its ID, and whether the object blocks its deletion.
    pub(crate) fn owner(uid: &str, blocks_deletion: bool) -> Self {
        Self::Owner { uid: uid.into(), blocks_deletion }
    }
}

/// The terms of an object. Fields without a value are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms(Box<[Arc<Term>]>);

impl Terms {
    /// The terms of an object with these selectable fields. Equal terms of several objects are
    /// shared by `intern`.
    pub(crate) fn new(
        object: &Value,
        selectable: &[String],
        intern: impl Fn(Term) -> Arc<Term>,
    ) -> Self {
        let labels = object.metadata("labels").and_then(Value::as_object).into_iter().flatten();
        let labels = labels.filter_map(|(key, value)| Some(Term::label(key, value.as_str()?)));
        let fields = selectable.iter().filter_map(|path| {
            let value = field_value(object, path);
            (!value.is_empty()).then(|| Term::field(path, &value))
        });
        let owners = owners(object).map(|owner| {
            let uid = owner.text("uid");
            Term::owner(uid, owner["blockOwnerDeletion"] == true)
        });
        Self(labels.chain(fields).chain(owners).map(intern).collect())
    }

    /// Whether the object has owners.
    pub(crate) fn has_owners(&self) -> bool {
        self.iter().any(|term| matches!(**term, Term::Owner { .. }))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Term>> {
        self.0.iter()
    }

    /// The labels, each with its value.
    pub(super) fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.iter().filter_map(|term| match &**term {
            Term::Label { key, value } => Some((&**key, &**value)),
            _ => None,
        })
    }

    /// The value of a label.
    pub(super) fn label(&self, name: &str) -> Option<&str> {
        self.labels().find_map(|(key, value)| (key == name).then_some(value))
    }

    /// The value of a field. Empty if it is absent.
    pub(super) fn field(&self, name: &str) -> &str {
        let value = self.iter().find_map(|term| match &**term {
            Term::Field { path, value } if **path == *name => Some(&**value),
            _ => None,
        });
        value.unwrap_or_default()
    }
}

/// The component that an event is from, in the group `events.k8s.io` or in the core group.
fn source(event: &Value) -> String {
    let paths = [
        "source.component",
        "deprecatedSource.component",
        "reportingComponent",
        "reportingController",
    ];
    let mut components = paths.iter().filter_map(|path| event.at(path).and_then(Value::as_str));
    components.find(|component| !component.is_empty()).unwrap_or_default().to_owned()
}

/// A field as a string. Absent fields have the zero values of Go.
fn field_value(object: &Value, path: &str) -> String {
    match (object.at(path), path) {
        (Some(Value::String(text)), _) => text.clone(),
        (_, "source") => source(object),
        (None | Some(Value::Null), "spec.hostNetwork" | "spec.unschedulable") => "false".to_owned(),
        (None | Some(Value::Null), "spec.schedulerName") => "default-scheduler".to_owned(),
        // Servers know the label of the list, and no pod has the field.
        (_, "status.podIPs") | (None | Some(Value::Null), _) => String::new(),
        (Some(other), _) => other.to_string(),
    }
}
