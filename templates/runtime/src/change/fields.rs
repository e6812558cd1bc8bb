//! Sets of fields, as `managedFields` has them.

use super::ChangeError;
use crate::codec::path::{KEY, shortened, shortened_path};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A set of fields of an object that a manager owns.
///
/// It is a tree with the parts of paths as its branches: the format `FieldsV1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSet {
    /// Whether the path that leads here is in the set, and not only paths below it.
    pub is_member: bool,
    /// The fields below it, by the next part of their paths.
    pub children: BTreeMap<FieldPart, FieldSet>,
}

/// A part of a path in a [`FieldSet`]. Keys and values are JSON with sorted members.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldPart {
    /// `f:`, a member.
    Field(String),
    /// `k:`, the element of a list with this key.
    Key(String),
    /// `v:`, the element of a set.
    Value(String),
    /// `i:`, the element with this index.
    Index(usize),
}

/// An error in `fieldsV1`, and the parts of its path from the last to the first. The path is built
/// only for an error.
struct Mistake {
    parts: Vec<FieldPart>,
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
            ChangeError::new(path, message)
        })?;
        // Nothing owns the whole object.
        set.is_member = false;
        Ok(set)
    }

    fn parse(fields: &Value) -> Result<Self, Mistake> {
        let mistake = |message: String| Mistake { parts: Vec::new(), message };
        let fields =
            fields.as_object().ok_or_else(|| mistake("expected an object of fields".to_owned()))?;
        let mut set = Self { is_member: fields.is_empty(), ..Self::default() };
        for (text, below) in fields {
            if text == "." {
                set.is_member = true;
                continue;
            }
            let part = FieldPart::parse(text).ok_or_else(|| {
                let text = shortened(text, KEY);
                mistake(format!("`{text}` is not part of a path: it begins with f:, k:, v: or i:"))
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
        self.clone().into_fields_v1()
    }

    /// As [`to_fields_v1`](Self::to_fields_v1), of a set that is no longer needed: large sets and
    /// their trees are not in memory at once.
    #[must_use]
    pub fn into_fields_v1(self) -> Value {
        let own = self.is_member && !self.children.is_empty();
        let own = own.then(|| (".".to_owned(), Value::Object(Map::new())));
        let children =
            self.children.into_iter().map(|(part, set)| (part.encode(), set.into_fields_v1()));
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

    /// Whether the field with this path is in the set, written as [`paths`](Self::paths) does.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        if path.is_empty() {
            return self.is_member;
        }
        let mut step = String::new();
        self.children.iter().any(|(part, below)| {
            step.clear();
            part.write(&mut step);
            path.strip_prefix(&*step).is_some_and(|rest| below.contains(rest))
        })
    }

    /// The fields that are in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut all = self.clone();
        all.add(other);
        all
    }

    fn add(&mut self, other: &Self) {
        self.is_member |= other.is_member;
        for (part, below) in &other.children {
            match self.children.get_mut(part) {
                Some(own) => own.add(below),
                None => _ = self.children.insert(part.clone(), below.clone()),
            }
        }
    }

    /// The fields that are in this set, but not in the other one.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.filter(other, |own, other| own && !other)
    }

    /// As [`difference`](Self::difference), in place, of a set without empty ones below it.
    pub fn subtract(&mut self, other: &Self) {
        self.is_member &= !other.is_member;
        for (part, others) in &other.children {
            let Some(own) = self.children.get_mut(part) else { continue };
            own.subtract(others);
            if !own.is_member && own.children.is_empty() {
                self.children.remove(part);
            }
        }
    }

    /// The fields that are in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.filter(other, |own, other| own && other)
    }

    /// Whether all fields of this set are in the other one.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }

    fn filter(&self, other: &Self, keep: fn(bool, bool) -> bool) -> Self {
        let none = Self::default();
        let children = self.children.iter().filter_map(|(part, below)| {
            let below = below.filter(other.children.get(part).unwrap_or(&none), keep);
            // Members below it are filtered already.
            (below.is_member || !below.children.is_empty()).then(|| (part.clone(), below))
        });
        Self { is_member: keep(self.is_member, other.is_member), children: children.collect() }
    }
}

impl FieldPart {
    /// The element of a list that is identified by these members.
    #[must_use]
    pub fn key<'a>(members: impl Iterator<Item = (&'a str, &'a Value)>) -> Self {
        let mut members: Vec<_> = members.collect();
        members.sort_unstable_by_key(|(name, _)| *name);
        let mut text = String::with_capacity(32);
        write_members(members, &mut text);
        FieldPart::Key(text)
    }

    /// An element of a set.
    #[must_use]
    pub fn value(element: &Value) -> Self {
        FieldPart::Value(canonical(element))
    }

    fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_at_checked(2)?;
        let value = || serde_json::from_str::<Value>(rest).ok();
        match kind {
            "f:" => Some(FieldPart::Field(rest.to_owned())),
            "k:" => value().filter(Value::is_object).map(|value| FieldPart::Key(canonical(&value))),
            "v:" => value().map(|value| FieldPart::Value(canonical(&value))),
            "i:" => rest.parse().ok().map(FieldPart::Index),
            _ => None,
        }
    }

    /// The part in the form of `fieldsV1`.
    #[must_use]
    pub fn encode(&self) -> String {
        match self {
            FieldPart::Field(name) => ["f:", name].concat(),
            FieldPart::Key(key) => ["k:", key].concat(),
            FieldPart::Value(value) => ["v:", value].concat(),
            FieldPart::Index(index) => format!("i:{index}"),
        }
    }

    /// Appends it to a path, as servers do.
    fn write(&self, path: &mut String) {
        match self {
            FieldPart::Field(name) => path.extend([".", name]),
            FieldPart::Key(key) => {
                let members: BTreeMap<String, Value> =
                    serde_json::from_str(key).unwrap_or_default();
                let members: Vec<_> =
                    members.iter().map(|(key, value)| format!("{key}={value}")).collect();
                path.extend(["[", &members.join(","), "]"]);
            }
            FieldPart::Value(value) => path.extend(["[=", value, "]"]),
            FieldPart::Index(index) => {
                write!(path, "[{index}]").expect("a string takes everything");
            }
        }
    }
}

/// The text of a value, with the members of objects sorted.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(value, &mut text);
    text
}

fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> =
                members.iter().map(|(name, value)| (name.as_str(), value)).collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            write_members(members, text);
        }
        Value::Array(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                write_canonical(element, text);
            }
            text.push(']');
        }
        Value::String(string) => write_string(string, text),
        value => write!(text, "{value}").expect("a string takes everything"),
    }
}

fn write_members<'a>(members: impl IntoIterator<Item = (&'a str, &'a Value)>, text: &mut String) {
    text.push('{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        text.push_str(if index > 0 { "," } else { "" });
        write_string(name, text);
        text.push(':');
        write_canonical(value, text);
    }
    text.push('}');
}

fn write_string(string: &str, text: &mut String) {
    if string.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        text.extend(["\"", string, "\""]);
    } else {
        write!(text, "{}", Value::from(string)).expect("a string takes everything");
    }
}

#[cfg(test)]
mod tests {
    use super::FieldSet;
    use serde_json::{Value, json};

    fn set(fields: &Value) -> FieldSet {
        FieldSet::from_fields_v1(fields).unwrap()
    }

    #[test]
    fn sets_are_combined_field_by_field() {
        let key = r#"k:{"name":"app"}"#;
        let one = set(
            &json!({"f:spec": {"f:replicas": {}, "f:containers": {key: {".": {}, "f:image": {}}}}}),
        );
        let other =
            set(&json!({"f:spec": {"f:paused": {}, "f:containers": {key: {"f:image": {}}}}}));
        let image = ".spec.containers[name=\"app\"].image";
        assert_eq!(one.intersection(&other).paths(), [image]);
        assert_eq!(
            one.difference(&other).paths(),
            [".spec.containers[name=\"app\"]", ".spec.replicas"]
        );
        let union = one.union(&other);
        assert_eq!(union.paths().len(), 4);
        assert!(
            one.is_subset(&union)
                && other.is_subset(&union)
                && !union.is_subset(&one)
                && one.is_subset(&one)
        );
        assert!(union.paths().iter().all(|path| union.contains(path)));
        assert!(
            one.contains(image)
                && !one.contains(".spec")
                && !one.contains(".spec.paused")
                && !one.contains("")
        );
    }

    #[test]
    fn paths_with_dots_in_names_are_found() {
        let labels = set(
            &json!({"f:metadata": {"f:labels": {"f:app": {}, "f:app.kubernetes.io/name": {}}}}),
        );
        assert!(labels.contains(".metadata.labels.app.kubernetes.io/name"));
        assert!(!labels.contains(".metadata.labels.app.kubernetes.io"));
    }
}
