//! Configurations for server-side apply: objects without the required members that are not set.

use super::kept::{is_custom, is_kept};
use super::path::{Path, escaped};
use super::{ChangeError, tree};
use crate::codec::schema::{ListRule, Node, ObjectSchema, PatchRule, Schema, Shape};
use crate::codec::{View, visit_encoded};
use crate::kind::Kind;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

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
        Ok(Configuration::new(self.clone(), None))
    }
}

/// Removes the required members that are not set from a tree, as [`Patch::apply`](crate::Patch::apply) does with a
/// typed object of a built-in kind.
///
/// ```
/// use kapigen_runtime::change::{Schema, drop_unset};
/// use kapigen_runtime::meta_v1::Condition;
///
/// let mut condition = serde_json::json!({"type": "Ready", "status": "True", "reason": "", "message": ""});
/// drop_unset(&mut condition, &Schema::of::<Condition>());
/// assert_eq!(condition, serde_json::json!({"type": "Ready", "status": "True"}));
/// ```
#[cfg(feature = "change")]
pub fn drop_unset(object: &mut Value, schema: &Schema) {
    tree::drop_nulls(object, schema.root());
    Configuration::new(Value::Null, Some(schema.clone())).prune_value(&mut Place::default(), schema.root(), object);
}

/// An object to apply, and which of its empty members are left out.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Configuration {
    object: Value,
    /// None: nothing is left out.
    schema: Option<Schema>,
    /// Whether it is a custom resource, whose schema distinguishes an empty string from an absent one. Go types cannot.
    is_custom: bool,
    keep: Vec<Vec<String>>,
    omit: Vec<Vec<String>>,
    /// Pointers to the objects whose empty members are intended, see [`extract`](super::extract).
    exact: BTreeSet<String>,
}

impl Configuration {
    fn of(view: View<'_>, schema: &Schema, [group, api_version, kind]: [&str; 3]) -> Result<Self, ChangeError> {
        let mut object = tree::object(view, schema.root())?;
        // The items of a list do not state their kind.
        for (key, value) in [("apiVersion", api_version), ("kind", kind)] {
            object.entry(key).or_insert_with(|| value.into());
        }
        if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
            metadata.remove("managedFields");
        }
        let mut exact = BTreeSet::new();
        find_exact(&Path::ROOT, view, &mut exact);
        Ok(Self { is_custom: is_custom(group), exact, ..Self::new(object.into(), Some(schema.clone())) })
    }

    fn new(object: Value, schema: Option<Schema>) -> Self {
        let (keep, omit, exact) = (Vec::new(), Vec::new(), BTreeSet::new());
        Self { object, schema, is_custom: false, keep, omit, exact }
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
        self.pruned().to_string().into_bytes()
    }

    fn pruned(&self) -> Value {
        let mut object = self.object.clone();
        if let Some(schema) = &self.schema {
            self.prune_value(&mut Place::default(), schema.root(), &mut object);
        }
        object
    }

    /// The names of a path, which must be that of a required member. Lists and maps on the way are passed.
    fn selector(&self, path: &str) -> Result<Vec<String>, ChangeError> {
        let fault = |message: String| ChangeError::at(path, message);
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
    fn prune(&self, at: &mut Place, node: Node<'_>, members: &mut Map<String, Value>, keys: &[&str]) {
        let Some(object) = node.object() else { return };
        let is_exact = self.exact.contains(&at.pointer);
        members.retain(|key, value| {
            at.enter(key, true);
            self.prune_value(at, node.member(key), value);
            let stays = keys.contains(&key.as_str()) || is_exact || !self.is_left_out(&at.names, object, key, value);
            at.leave(true);
            stays
        });
    }

    fn prune_value(&self, at: &mut Place, node: Node<'_>, value: &mut Value) {
        match (node.shape, value) {
            (Shape::Object(_), Value::Object(members)) => self.prune(at, node, members, &[]),
            (Shape::Map(_), Value::Object(entries)) => {
                for (key, value) in entries {
                    at.enter(key, false);
                    self.prune_value(at, node.member(key), value);
                    at.leave(false);
                }
            }
            (Shape::List(_), Value::Array(elements)) => {
                let keys = merge_keys(node);
                for (index, element) in elements.iter_mut().enumerate() {
                    at.enter(&index.to_string(), false);
                    match element {
                        Value::Object(members) => self.prune(at, node.element(), members, &keys),
                        element => self.prune_value(at, node.element(), element),
                    }
                    at.leave(false);
                }
            }
            _ => {}
        }
    }

    fn is_left_out(&self, names: &[String], object: &ObjectSchema, key: &str, value: &Value) -> bool {
        let Some(member) = object.members.get(key) else { return false };
        let Some(empty) = &member.empty else { return false };
        if self.keep.iter().any(|path| path == names) || is_kept(&object.name, key) {
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

/// A place in an object: the names of members that lead to it, and the pointer.
#[derive(Default)]
struct Place {
    names: Vec<String>,
    pointer: String,
    lengths: Vec<usize>,
}

impl Place {
    fn enter(&mut self, key: &str, is_member: bool) {
        self.lengths.push(self.pointer.len());
        self.pointer.push('/');
        self.pointer.push_str(&escaped(key));
        if is_member {
            self.names.push(key.to_owned());
        }
    }

    fn leave(&mut self, is_member: bool) {
        self.pointer.truncate(self.lengths.pop().unwrap_or_default());
        if is_member {
            self.names.pop();
        }
    }
}

/// Finds the objects whose empty members are intended.
fn find_exact(path: &Path<'_>, view: View<'_>, found: &mut BTreeSet<String>) {
    match view {
        View::Object(object) => {
            object.visit_members(&mut |_, view| {
                if matches!(view, View::Unknown(unknown) if unknown.is_exact()) {
                    found.insert(path.pointer());
                }
            });
            visit_encoded(object, &mut |key, view| find_exact(&path.key(key), view, found));
        }
        View::List(list) => (0..list.count()).for_each(|at| find_exact(&path.index(at), list.element(at), found)),
        View::Map(map) => map.visit_entries(&mut |key, view| find_exact(&path.key(key), view, found)),
        _ => {}
    }
}

/// The members that identify the elements of a list.
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
