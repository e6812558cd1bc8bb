//! The labels and selectable fields of objects, as an index has them.

use super::fields;
use crate::object::Tree;
use serde_json::Value;
use std::sync::Arc;

/// The labels and selectable fields of an object, each with its value. Fields without a value are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms(Box<[Arc<str>]>);

/// The term of a label.
pub(super) fn of_label(key: &str, value: &str) -> String {
    ["label ", key, "=", value].concat()
}

/// The term of a field.
pub(super) fn of_field(path: &str, value: &str) -> String {
    ["field ", path, "=", value].concat()
}

impl Terms {
    /// The terms of an object, of which these fields are selectable. Equal terms of several objects are shared by
    /// `intern`.
    pub(crate) fn of(object: &Value, selectable: &[String], intern: impl Fn(String) -> Arc<str>) -> Self {
        let labels = object.metadata("labels").and_then(Value::as_object).into_iter().flatten();
        let labels = labels.filter_map(|(key, value)| Some(of_label(key, value.as_str()?)));
        let fields = selectable.iter().filter_map(|path| {
            let value = fields::value(object, path);
            (!value.is_empty()).then(|| of_field(path, &value))
        });
        Self(labels.chain(fields).map(intern).collect())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.iter()
    }

    /// The value of a label.
    pub(super) fn label(&self, key: &str) -> Option<&str> {
        self.value("label ", key)
    }

    /// The value of a field. Empty if it is absent.
    pub(super) fn field(&self, path: &str) -> &str {
        self.value("field ", path).unwrap_or_default()
    }

    fn value(&self, kind: &str, name: &str) -> Option<&str> {
        self.0.iter().find_map(|term| term.strip_prefix(kind)?.strip_prefix(name)?.strip_prefix('='))
    }
}
