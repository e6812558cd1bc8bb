//! Differences between two values.

use super::align::Alignment;
use super::pairs::{self, Pair, same};
use super::path::Path;
use crate::codec::merge::Merge;
use crate::codec::path::{MESSAGE, shortened};
use crate::codec::{List, Value, View, json};
use crate::meta_v1::RawJson;
use std::fmt;

/// A value that differs between two objects.
///
/// `Display` shows `spec.containers[name="app"].image: "web:1" → "web:2"`, and cuts long values. It shows the data of
/// a `Secret`, too; `Debug` shows paths only.
#[derive(Clone, PartialEq)]
pub struct Difference {
    /// The path, such as `spec.containers[name="app"].image`.
    pub path: String,
    /// The value in the first object. None: absent.
    pub old: Option<RawJson>,
    /// The value in the second object. None: absent.
    pub new: Option<RawJson>,
}

/// The values in which two objects differ, in the order of their members.
///
/// Elements of lists belong together by the members that tell them apart, or else by their order. The order of members
/// does not count, and neither does `null`, which means absent.
#[must_use]
pub fn differences<T: Value>(old: &T, new: &T) -> Vec<Difference> {
    between(old.view(), new.view())
}

fn between(old: View<'_>, new: View<'_>) -> Vec<Difference> {
    let mut found = Vec::new();
    walk(&Path::ROOT, &Merge::USUAL, old, new, &mut found);
    found
}

fn walk(path: &Path<'_>, merge: &Merge, old: View<'_>, new: View<'_>, found: &mut Vec<Difference>) {
    match (old, new) {
        (View::Object(old), View::Object(new)) => {
            for Pair { member, key, old: from, new: to } in pairs::members(old, new) {
                let merge = member.map_or(&Merge::USUAL, |index| old.table().merge_of(index));
                walk(&path.key(key), merge, from, to, found);
            }
        }
        (View::Map(old), View::Map(new)) => {
            for Pair { key, old, new, .. } in pairs::entries(old, new) {
                walk(&path.key(key), &Merge::USUAL, old, new, found);
            }
        }
        (View::List(old), View::List(new)) => walk_list(path, merge, old, new, found),
        _ if same(old, new) => {}
        _ => found.push(Difference { path: path.to_string(), old: text(old), new: text(new) }),
    }
}

fn walk_list(path: &Path<'_>, merge: &Merge, old: &dyn List, new: &dyn List, found: &mut Vec<Difference>) {
    let alignment = Alignment::of(old, new, merge);
    for index in alignment.removed(old) {
        let key = key_text(old.element(index), &alignment.keys);
        walk(&path.element(index, &key), &Merge::USUAL, old.element(index), View::Absent, found);
    }
    for &(from, to) in &alignment.kept {
        let (old, new) = (old.element(from), new.element(to));
        walk(&path.element(to, &key_text(new, &alignment.keys)), &Merge::USUAL, old, new, found);
    }
    for index in alignment.added(new) {
        let key = key_text(new.element(index), &alignment.keys);
        walk(&path.element(index, &key), &Merge::USUAL, View::Absent, new.element(index), found);
    }
}

/// `containerPort=80,protocol="TCP"`.
fn key_text(element: View<'_>, keys: &[&str]) -> String {
    let values = keys.iter().map(|key| (key, pairs::member(element, key))).filter(|(_, value)| !value.is_absent());
    let texts = values.map(|(key, value)| format!("{key}={}", String::from_utf8_lossy(&json::write(&value))));
    texts.collect::<Vec<_>>().join(",")
}

fn text(value: View<'_>) -> Option<RawJson> {
    if value.is_absent() {
        return None;
    }
    Some(RawJson::of_encoded(json::write(&value)))
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = MESSAGE / 8;
        let show = |value: &Option<RawJson>| match value {
            Some(value) => shortened(value.as_str(), LONGEST).into_owned(),
            None => "absent".to_owned(),
        };
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "{} → {}", show(&self.old), show(&self.new))
    }
}

impl fmt::Debug for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Difference").field("path", &self.path).finish_non_exhaustive()
    }
}
