//! Sets of fields.

use super::Typed;
use crate::schema::{Schemas, Shape};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// A step of a path: to a member, or to an element of a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Field(String),
    /// The element with these keys, by name, each with its value as JSON.
    Keys(Vec<(String, String)>),
    /// The element with this value, as JSON.
    Value(String),
    Index(usize),
}

/// A set of fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set {
    children: BTreeMap<Step, Node>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Node {
    is_member: bool,
    below: Set,
}

impl Set {
    pub(crate) fn is_empty(&self) -> bool {
        self.children.values().all(|node| !node.is_member && node.below.is_empty())
    }

    pub(crate) fn insert(&mut self, path: &[Step]) {
        let Some((first, others)) = path.split_first() else { return };
        let node = self.children.entry(first.clone()).or_default();
        if others.is_empty() { node.is_member = true } else { node.below.insert(others) }
    }

    pub(crate) fn insert_all(&mut self, other: &Self) {
        for (step, node) in &other.children {
            let own = self.children.entry(step.clone()).or_default();
            own.is_member |= node.is_member;
            own.below.insert_all(&node.below);
        }
    }

    /// Whether the step itself is in the set, and what is in it below.
    pub(crate) fn at(&self, step: &Step) -> (bool, Option<&Self>) {
        let node = self.children.get(step);
        (node.is_some_and(|node| node.is_member), node.map(|node| &node.below).filter(|below| !below.is_empty()))
    }

    pub(crate) fn difference(&self, other: &Self) -> Self {
        self.combined(other, |own, other| own && !other)
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        self.combined(other, |own, other| own && other)
    }

    fn combined(&self, other: &Self, keep: fn(bool, bool) -> bool) -> Self {
        let nothing = Node::default();
        let combine = |(step, node): (&Step, &Node)| {
            let other = other.children.get(step).unwrap_or(&nothing);
            let is_member = keep(node.is_member, other.is_member);
            let below = node.below.combined(&other.below, keep);
            (is_member || !below.is_empty()).then(|| (step.clone(), Node { is_member, below }))
        };
        Self { children: self.children.iter().filter_map(combine).collect() }
    }

    /// Without what the server alone decides on: identity, version and the record itself.
    pub(crate) fn without_identity(mut self) -> Self {
        let field = |name: &str| Step::Field(name.to_owned());
        for name in ["apiVersion", "kind"] {
            self.children.remove(&field(name));
        }
        if let Some(node) = self.children.get_mut(&field("metadata")) {
            node.is_member = false;
            for name in [
                "name",
                "namespace",
                "creationTimestamp",
                "selfLink",
                "uid",
                "clusterName",
                "generation",
                "managedFields",
                "resourceVersion",
            ] {
                node.below.children.remove(&field(name));
            }
        }
        self.difference(&Self::default())
    }

    /// With the fields of structs on the way to others.
    pub(crate) fn with_named_fields(&self, typed: Typed<'_>) -> Self {
        let Typed { schemas, schema } = typed;
        let add = |(step, node): (&Step, &Node)| {
            let (child, is_known) = match step {
                Step::Field(name) => schemas.member(schema, name),
                _ => (schemas.element(schema), false),
            };
            let is_known = is_known && matches!(schemas.shape(schema), Shape::Struct { .. });
            let below = node.below.with_named_fields(typed.at(child));
            (step.clone(), Node { is_member: node.is_member || is_known && !below.is_empty(), below })
        };
        Self { children: self.children.iter().map(add).collect() }
    }

    /// The paths, as errors show them.
    pub(crate) fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.collect("", &mut paths);
        paths
    }

    fn collect(&self, prefix: &str, paths: &mut Vec<String>) {
        // Members of a level come before what is below others.
        for (step, node) in &self.children {
            if node.is_member {
                paths.push(format!("{prefix}{step}"));
            }
        }
        for (step, node) in &self.children {
            node.below.collect(&format!("{prefix}{step}"), paths);
        }
    }

    /// As `fieldsV1`.
    pub(crate) fn to_fields(&self) -> Value {
        Value::Object(self.to_map(false))
    }

    fn to_map(&self, is_member: bool) -> Map<String, Value> {
        let mut map = Map::new();
        if is_member && !self.is_empty() {
            map.insert(".".to_owned(), json!({}));
        }
        for (step, node) in &self.children {
            if node.is_member || !node.below.is_empty() {
                map.insert(step.to_key(), Value::Object(node.below.to_map(node.is_member)));
            }
        }
        map
    }

    /// Of `fieldsV1`. `None` if a key is malformed.
    pub(crate) fn of_fields(fields: &Value) -> Option<Self> {
        let mut set = Self::default();
        for (key, below) in fields.as_object()?.iter().filter(|(key, _)| *key != ".") {
            let inner = below.as_object()?;
            let is_member = inner.is_empty() || inner.contains_key(".");
            set.children.insert(Step::of_key(key)?, Node { is_member, below: Self::of_fields(below)? });
        }
        Some(set)
    }
}

impl Step {
    /// The step to an element of a list, by its keys. A key that is absent has the default of its schema.
    pub(crate) fn of_keys(schemas: &Schemas, element: &Value, typed: Typed<'_>, keys: &[String]) -> Option<Self> {
        let mut found = Vec::new();
        for key in keys {
            let default = || schemas.get(schemas.member(typed.schema, key).0).default.clone();
            if let Some(value) = element.get(key).cloned().or_else(default) {
                found.push((key.clone(), value.to_string()));
            }
        }
        (!found.is_empty()).then_some(Self::Keys(found))
    }

    fn to_key(&self) -> String {
        match self {
            Self::Field(name) => format!("f:{name}"),
            Self::Value(value) => format!("v:{value}"),
            Self::Index(index) => format!("i:{index}"),
            Self::Keys(keys) => {
                let keys: Vec<_> = keys.iter().map(|(name, value)| format!("{}:{value}", json!(name))).collect();
                format!("k:{{{}}}", keys.join(","))
            }
        }
    }

    fn of_key(key: &str) -> Option<Self> {
        let (form, rest) = key.split_once(':')?;
        match form {
            "f" => Some(Self::Field(rest.to_owned())),
            "v" => serde_json::from_str::<Value>(rest).ok().map(|value| Self::Value(value.to_string())),
            "i" => rest.parse().ok().map(Self::Index),
            "k" => {
                let keys: Map<String, Value> = serde_json::from_str(rest).ok()?;
                let mut keys: Vec<_> = keys.into_iter().map(|(name, value)| (name, value.to_string())).collect();
                keys.sort();
                Some(Self::Keys(keys))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Value(value) => write!(f, "[={value}]"),
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Keys(keys) => {
                let keys: Vec<_> = keys.iter().map(|(name, value)| format!("{name}={value}")).collect();
                write!(f, "[{}]", keys.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Set;
    use serde_json::json;

    #[test]
    fn fields_survive_decoding_and_encoding() {
        let fields = json!({
            "f:metadata": {"f:finalizers": {".": {}, "v:\"x.io/a\"": {}}},
            "f:spec": {"f:ports": {"k:{\"port\":80,\"protocol\":\"TCP\"}": {".": {}, "f:port": {}}}, "f:l": {"i:3": {}}},
        });
        assert_eq!(Set::of_fields(&fields).unwrap().to_fields(), fields);
        for bad in [json!({"x:a": {}}), json!({"f:a": 1}), json!({"k:[": {}}), json!([])] {
            assert_eq!(Set::of_fields(&bad), None, "{bad}");
        }
    }

    #[test]
    fn sets_combine() {
        let of = |fields| Set::of_fields(&fields).unwrap();
        let a = of(json!({"f:a": {".": {}, "f:x": {}}, "f:b": {}}));
        let b = of(json!({"f:a": {"f:x": {}}, "f:c": {}}));
        assert_eq!(a.difference(&b).to_fields(), json!({"f:a": {}, "f:b": {}}));
        assert_eq!(a.intersection(&b).to_fields(), json!({"f:a": {"f:x": {}}}));
        assert_eq!(a.paths(), [".a", ".b", ".a.x"]);
        assert!(a.difference(&a).is_empty());
    }
}
