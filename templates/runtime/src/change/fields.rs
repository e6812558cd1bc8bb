//! Sets of fields, as `managedFields` has them.

use super::ChangeError;
use crate::codec::path::{KEY, shortened, shortened_path};
use crate::codec::schema::{ListRule, Node};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A set of fields of an object: those that a manager owns.
///
/// It is a tree with the parts of paths as its branches: the format `FieldsV1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet {
    /// Whether the path that leads here is in the set, and not only paths below it.
    pub(super) is_member: bool,
    pub(super) children: BTreeMap<Part, FieldSet>,
}

/// A part of a path. Values are JSON texts with sorted members.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// `f:`, a member.
    Field(String),
    /// `k:`, the element of a list with this key.
    Key(String),
    /// `v:`, the element of a set.
    Value(String),
    /// `i:`, the element with this index.
    Index(usize),
}

/// An error in `fieldsV1`, and the parts of its path from the last to the first. The path is built only for an error.
struct Mistake {
    parts: Vec<Part>,
    message: String,
}

impl FieldSet {
    /// The set that `fieldsV1` describes.
    ///
    /// # Errors
    /// When it is not of this format. The error has the path in it.
    pub fn from_fields_v1(fields: &Value) -> Result<Self, ChangeError> {
        let mut set = Self::parse(fields).map_err(|Mistake { parts, message }| {
            let mut path = String::new();
            parts.iter().rev().for_each(|part| part.write(&mut path));
            ChangeError::at(path, message)
        })?;
        // Nothing owns the whole object.
        set.is_member = false;
        Ok(set)
    }

    fn parse(fields: &Value) -> Result<Self, Mistake> {
        let mistake = |message: String| Mistake { parts: Vec::new(), message };
        let fields = fields.as_object().ok_or_else(|| mistake("expected an object of fields".to_owned()))?;
        let mut set = Self { is_member: fields.is_empty(), ..Self::default() };
        for (text, below) in fields {
            if text == "." {
                set.is_member = true;
                continue;
            }
            let part = Part::parse(text).ok_or_else(|| {
                let text = shortened(text, KEY);
                mistake(format!("`{text}` is no part of a path: it begins with f:, k:, v: or i:"))
            })?;
            match Self::parse(below) {
                Ok(below) => _ = set.children.insert(part, below),
                Err(mut mistake) => {
                    mistake.parts.push(part);
                    return Err(mistake);
                }
            }
        }
        Ok(set)
    }

    /// The set as `fieldsV1`.
    #[must_use]
    pub fn to_fields_v1(&self) -> Value {
        let own = self.is_member && !self.children.is_empty();
        let own = own.then(|| (".".to_owned(), Value::Object(Map::new())));
        let children = self.children.iter().map(|(part, set)| (part.encode(), set.to_fields_v1()));
        Value::Object(own.into_iter().chain(children).collect())
    }

    /// Whether there is no field in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.is_member && self.children.values().all(Self::is_empty)
    }

    /// The paths of the fields, such as `.spec.containers[name="app"].image`.
    ///
    /// Paths have at most 1000 characters; longer ones are cut in the middle, which `…` shows.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.add_paths(&mut String::new(), &mut paths);
        paths
    }

    fn add_paths(&self, path: &mut String, paths: &mut Vec<String>) {
        if self.is_member {
            paths.push(shortened_path(path).into_owned());
        }
        for (part, set) in &self.children {
            let length = path.len();
            part.write(path);
            set.add_paths(path, paths);
            path.truncate(length);
        }
    }

    /// The fields of a value: its scalars and what is replaced as a whole, the elements of lists that are merged, and
    /// empty objects.
    pub(super) fn of(value: &Value, node: Node<'_>) -> Self {
        let mut set = Self::default();
        match value {
            Value::Object(members) if !node.is_atomic() => {
                for (key, value) in members {
                    let mut below = Self::of(value, node.member(key));
                    let is_known = node.object().is_some_and(|object| object.members.contains_key(key.as_str()));
                    let is_empty = value.is_null() || value.as_object().is_some_and(Map::is_empty);
                    below.is_member |= is_empty || !is_known;
                    set.children.insert(Part::Field(key.clone()), below);
                }
            }
            Value::Array(elements) if !node.is_atomic() && node.merge.list != ListRule::Atomic => {
                for (index, element) in elements.iter().enumerate() {
                    let mut below = Self::of(element, node.element());
                    below.is_member = true;
                    set.children.insert(Part::of(element, index, node), below);
                }
            }
            _ => set.is_member = true,
        }
        set
    }

    pub(super) fn child(&self, part: &Part) -> Option<&Self> {
        self.children.get(part)
    }

    /// Adds the fields of another set.
    pub(super) fn extend(&mut self, other: &Self) {
        self.is_member |= other.is_member;
        for (part, below) in &other.children {
            match self.children.get_mut(part) {
                Some(own) => own.extend(below),
                None => _ = self.children.insert(part.clone(), below.clone()),
            }
        }
    }

    /// The fields that are in this set, but not in the other one.
    pub(super) fn difference(&self, other: &Self) -> Self {
        self.filter(other, |own, other| own && !other)
    }

    /// The fields that are in both sets.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        self.filter(other, |own, other| own && other)
    }

    fn filter(&self, other: &Self, keep: fn(bool, bool) -> bool) -> Self {
        let none = Self::default();
        let children = self.children.iter().filter_map(|(part, below)| {
            let below = below.filter(other.child(part).unwrap_or(&none), keep);
            (!below.is_empty()).then(|| (part.clone(), below))
        });
        Self { is_member: keep(self.is_member, other.is_member), children: children.collect() }
    }

    /// Adds a path of members.
    pub(super) fn insert(&mut self, names: &[&str]) {
        match names {
            [] => self.is_member = true,
            [name, rest @ ..] => self.children.entry(Part::Field((*name).to_owned())).or_default().insert(rest),
        }
    }
}

impl Part {
    /// The part that leads to an element of a list.
    pub(super) fn of(element: &Value, index: usize, node: Node<'_>) -> Self {
        match &node.merge.list {
            ListRule::Atomic => Part::Index(index),
            ListRule::Set => Part::Value(canonical(element)),
            ListRule::Map(keys) => {
                let values = keys.iter().filter_map(|(key, default)| {
                    let value = element.get(&**key).filter(|value| !value.is_null()).or(default.as_ref())?;
                    Some((key.clone().into_owned(), value.clone()))
                });
                Part::Key(canonical(&Value::Object(values.collect())))
            }
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_at_checked(2)?;
        let value = || serde_json::from_str::<Value>(rest).ok();
        match kind {
            "f:" => Some(Part::Field(rest.to_owned())),
            "k:" => value().filter(Value::is_object).map(|value| Part::Key(canonical(&value))),
            "v:" => value().map(|value| Part::Value(canonical(&value))),
            "i:" => rest.parse().ok().map(Part::Index),
            _ => None,
        }
    }

    fn encode(&self) -> String {
        match self {
            Part::Field(name) => format!("f:{name}"),
            Part::Key(key) => format!("k:{key}"),
            Part::Value(value) => format!("v:{value}"),
            Part::Index(index) => format!("i:{index}"),
        }
    }

    /// Writes it behind a path, as servers do.
    fn write(&self, path: &mut String) {
        match self {
            Part::Field(name) => path.extend([".", name]),
            Part::Key(key) => {
                let members: BTreeMap<String, Value> = serde_json::from_str(key).unwrap_or_default();
                let members: Vec<_> = members.iter().map(|(key, value)| format!("{key}={value}")).collect();
                path.extend(["[", &members.join(","), "]"]);
            }
            Part::Value(value) => path.extend(["[=", value, "]"]),
            Part::Index(index) => write!(path, "[{index}]").expect("a string takes everything"),
        }
    }
}

/// The parts that lead to the elements of a list.
pub(super) fn parts(elements: &[Value], node: Node<'_>) -> Vec<Part> {
    elements.iter().enumerate().map(|(index, element)| Part::of(element, index, node)).collect()
}

/// The text of a value, with the members of objects sorted.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let sorted: BTreeMap<_, _> = members.iter().collect();
            let texts = sorted.iter().map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)));
            format!("{{{}}}", texts.collect::<Vec<_>>().join(","))
        }
        Value::Array(elements) => format!("[{}]", elements.iter().map(canonical).collect::<Vec<_>>().join(",")),
        value => value.to_string(),
    }
}
