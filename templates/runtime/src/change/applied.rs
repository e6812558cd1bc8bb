//! What server-side apply gets: an object without the members that nobody has set.

use super::kept::{is_custom, is_kept};
use super::{ChangeError, tree};
use crate::codec::schema::{ListRule, Node, ObjectSchema, PatchRule, Schema, Shape};
use crate::codec::View;
use crate::kind::Kind;
use serde_json::{Map, Value};

/// An object that can be applied: any kind of a generated crate, or a [`serde_json::Value`], which is sent as it is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be applied",
    label = "not a kind",
    note = "server-side apply takes an object with `apiVersion` and `kind`: a kind of a generated crate, or a \
            `serde_json::Value`"
)]
pub trait Applicable {
    /// Prepares it for [`Patch::apply`](crate::Patch::apply).
    #[doc(hidden)]
    fn configuration(&self) -> Result<Configuration, ChangeError>;
}

impl<T: Kind> Applicable for T {
    fn configuration(&self) -> Result<Configuration, ChangeError> {
        Configuration::of(View::Object(self), &Schema::of::<T>(), [T::GROUP, T::API_VERSION, T::KIND])
    }
}

impl Applicable for Value {
    fn configuration(&self) -> Result<Configuration, ChangeError> {
        Ok(Configuration { object: self.clone(), schema: None, is_custom: true, keep: Vec::new(), omit: Vec::new() })
    }
}

/// An object to apply, and which of its empty members are left out.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Configuration {
    object: Value,
    /// None: nothing is left out.
    schema: Option<Schema>,
    /// Whether the schema of a custom resource tells an empty string from an absent one. Types of Go cannot.
    is_custom: bool,
    keep: Vec<Vec<String>>,
    omit: Vec<Vec<String>>,
}

impl Configuration {
    fn of(view: View<'_>, schema: &Schema, [group, api_version, kind]: [&str; 3]) -> Result<Self, ChangeError> {
        let mut object = tree::object(view, schema.root())?;
        // The items of a list do not state what they are.
        for (key, value) in [("apiVersion", api_version), ("kind", kind)] {
            object.entry(key).or_insert_with(|| value.into());
        }
        if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
            metadata.remove("managedFields");
        }
        let schema = Some(schema.clone());
        Ok(Self {
            object: object.into(),
            schema,
            is_custom: is_custom(group),
            keep: Vec::new(),
            omit: Vec::new(),
        })
    }

    /// Keeps a required member although it is empty.
    pub(crate) fn keep(&mut self, path: &str) -> Result<(), ChangeError> {
        let path = self.selector(path)?;
        self.keep.push(path);
        Ok(())
    }

    /// Leaves out a required member as long as it is empty.
    pub(crate) fn omit(&mut self, path: &str) -> Result<(), ChangeError> {
        let path = self.selector(path)?;
        self.omit.push(path);
        Ok(())
    }

    /// The object as it is sent.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut object = self.object.clone();
        if let (Some(schema), Value::Object(members)) = (&self.schema, &mut object) {
            self.prune(&mut Vec::new(), schema.root(), members, &[]);
        }
        object.to_string().into_bytes()
    }

    /// The names of a path, which must be that of a required member. Lists and maps on the way are passed.
    fn selector(&self, path: &str) -> Result<Vec<String>, ChangeError> {
        let fault = |message: String| ChangeError::at(path.to_owned(), message);
        let Some(schema) = &self.schema else {
            return Err(fault("nothing is left out of free JSON, so that nothing can be kept or omitted".to_owned()));
        };
        let (mut node, mut names) = (schema.root(), Vec::new());
        let mut is_required = false;
        for name in path.split('.') {
            let name = name.trim_end_matches("[]");
            while matches!(node.shape, Shape::List(_) | Shape::Map(_)) {
                node = if matches!(node.shape, Shape::List(_)) { node.element() } else { node.member("") };
            }
            let member = node.object().and_then(|object| object.members.get(name));
            let Some(member) = member else { return Err(fault(format!("there is no member `{name}`"))) };
            is_required = member.empty.is_some();
            node = node.member(name);
            names.push(name.to_owned());
        }
        if !is_required {
            let message = "the member is optional: it is sent if it is `Some`, and left out if it is `None`";
            return Err(fault(message.to_owned()));
        }
        Ok(names)
    }

    /// Removes required members that are empty, from the inside out. Those with these keys stay.
    fn prune(&self, names: &mut Vec<String>, node: Node<'_>, members: &mut Map<String, Value>, keys: &[&str]) {
        let Some(object) = node.object() else { return };
        let all: Vec<String> = members.keys().cloned().collect();
        for key in all {
            let Some(value) = members.get_mut(&key) else { continue };
            names.push(key.clone());
            self.prune_value(names, node.member(&key), value);
            if !keys.contains(&key.as_str()) && self.is_left_out(names, object, &key, value) {
                members.remove(&key);
            }
            names.pop();
        }
    }

    fn prune_value(&self, names: &mut Vec<String>, node: Node<'_>, value: &mut Value) {
        match (node.shape, value) {
            (Shape::Object(_), Value::Object(members)) => self.prune(names, node, members, &[]),
            (Shape::Map(_), Value::Object(entries)) => {
                entries.iter_mut().for_each(|(key, value)| self.prune_value(names, node.member(key), value));
            }
            (Shape::List(_), Value::Array(elements)) => {
                let keys = merge_keys(node);
                for element in elements {
                    match element {
                        Value::Object(members) => self.prune(names, node.element(), members, &keys),
                        element => self.prune_value(names, node.element(), element),
                    }
                }
            }
            _ => {}
        }
    }

    fn is_left_out(&self, names: &[String], object: &ObjectSchema, key: &str, value: &Value) -> bool {
        let Some(member) = object.members.get(key) else { return false };
        let Some(empty) = &member.empty else { return false };
        if self.keep.iter().any(|path| path == names) || is_kept(object.name, key) {
            return false;
        }
        let is_empty = match value {
            Value::Array(elements) => elements.is_empty(),
            Value::Object(members) => members.is_empty(),
            value => value == empty,
        };
        let is_omitted = self.omit.iter().any(|path| path == names);
        is_empty && (is_omitted || value.is_array() || value.is_object() || value.is_string() && !self.is_custom)
    }
}

/// The members that tell the elements of a list apart.
fn merge_keys<'a>(node: Node<'a>) -> Vec<&'a str> {
    let mut keys: Vec<&'a str> = match &node.merge.list {
        ListRule::Map(keys) => keys.iter().map(|(key, _)| &**key).collect(),
        _ => Vec::new(),
    };
    if let PatchRule::MergeBy(key) = &node.merge.patch {
        keys.push(key);
    }
    keys
}
