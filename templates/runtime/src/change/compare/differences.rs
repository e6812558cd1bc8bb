//! Differences between two values.

use super::pairs::{Alignment, Pair, Pairs, Span};
use super::path::Path;
use crate::codec::path::{MESSAGE, shortened};
use crate::codec::table::Merge;
use crate::codec::{List, Table, Value, View, json};
use crate::meta_v1::RawJson;
use crate::visible::Visible;
use std::fmt::{self, Write};

/// A value that differs between two objects.
///
/// `Display` shows `spec.containers[name="app"].image: "web:1" → "web:2"`, and cuts long values. It
/// shows the data of a `Secret`, too; `Debug` shows paths only.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
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
/// Elements of lists belong together by the members that identify them, or else by their order. The
/// order of members does not count, and neither does `null`, which means absent, except for nullable
/// members.
///
/// ```
/// use kapigen_runtime::change::differences;
/// use kapigen_runtime::meta_v1::ObjectMeta;
///
/// let old = ObjectMeta { name: Some("web".to_owned()), ..Default::default() };
/// let new = ObjectMeta { labels: Some([("app".to_owned(), "web".to_owned())].into()), ..old.clone() };
/// let lines: Vec<String> = differences(&old, &new).iter().map(ToString::to_string).collect();
/// assert_eq!(lines, [r#"labels: absent → {"app":"web"}"#]);
/// ```
#[must_use]
#[inline]
pub fn differences<T: Value>(old: &T, new: &T) -> Vec<Difference> {
    between(old.view(), new.view())
}

fn between<'a>(old: View<'a>, new: View<'a>) -> Vec<Difference> {
    let mut walk = Walk { pairs: Pairs::new(), found: Vec::new() };
    walk.value(&Path::ROOT, &Merge::USUAL, old, new);
    walk.found
}

struct Walk<'a> {
    pairs: Pairs<'a>,
    found: Vec<Difference>,
}

impl<'a> Walk<'a> {
    fn value(&mut self, path: &Path<'_>, merge: &Merge, old: View<'a>, new: View<'a>) {
        let base = self.pairs.len();
        match (old, new) {
            (View::Object(old), View::Object(new)) => {
                let members = self.pairs.members(old, new);
                self.members(path, Some(old.table()), members);
            }
            (View::Map(old), View::Map(new)) => {
                let entries = self.pairs.entries(old, new);
                self.members(path, None, entries);
            }
            (View::List(old), View::List(new)) => self.list(path, merge, old, new),
            _ if self.pairs.same(old, new) => {}
            _ => self.found.push(Difference {
                path: path.to_string(),
                old: text(old),
                new: text(new),
            }),
        }
        self.pairs.truncate(base);
    }

    /// Members of objects with this table, or entries of maps.
    fn members(&mut self, path: &Path<'_>, table: Option<&Table>, mut members: Span) {
        while let Some(Pair { member, key, old, new }) = self.pairs.next(&mut members) {
            let merge =
                table.zip(member).map_or(&Merge::USUAL, |(table, index)| table.merge_of(index));
            self.value(&path.key(key), merge, old, new);
        }
    }

    fn list(&mut self, path: &Path<'_>, merge: &Merge, old: &'a dyn List, new: &'a dyn List) {
        let alignment = Alignment::of(&mut self.pairs, old, new, merge);
        let keys = alignment.keys;
        for index in alignment.removed(old) {
            let element = old.element(index);
            self.value(&path.element(index, keys, element), &Merge::USUAL, element, View::Absent);
        }
        for at in 0..alignment.kept.len() {
            let (from, to, members) = alignment.kept.get(at);
            let old = old.element(from);
            let new = new.element(to);
            let path = path.element(to, keys, new);
            match (old, members) {
                (View::Object(old), Some(members)) => {
                    self.members(&path, Some(old.table()), members);
                }
                _ => self.value(&path, &Merge::USUAL, old, new),
            }
        }
        for index in alignment.added(new) {
            let element = new.element(index);
            self.value(&path.element(index, keys, element), &Merge::USUAL, View::Absent, element);
        }
    }
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
        let f = &mut Visible(f);
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
