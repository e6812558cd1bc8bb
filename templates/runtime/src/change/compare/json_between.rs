//! JSON patches (RFC 6902) that turn one value into another.

use super::pairs::{self, Pair, Pairs, Span};
use super::pairs::{Alignment, Keys};
use super::path::Path;
use super::raw_tree::RawTree;
use crate::codec::table::{ListType, Merge};
use crate::codec::{List, Table, Value, View, json};
use std::cell::Cell;
use std::mem;

/// The operations that turn the old value into the new one.
pub(crate) struct JsonBetween {
    /// The operations as JSON. If the old value has a version, the first one makes the server
    /// reject all others for an object that has changed in the meantime.
    pub(crate) body: Vec<u8>,
    /// The operations without the version.
    pub(crate) unversioned: Option<Box<Unversioned>>,
}

/// The operations of a patch that is for a version, for use without it.
#[derive(Clone)]
pub(crate) struct Unversioned {
    /// Where the operations begin in the body, after the operation with the version.
    start: usize,
    /// Tests that an element is still at its index, each with its position relative to the start.
    tests: Vec<(usize, Vec<u8>)>,
}

/// The protection of a patch from changing another element of a list than it was computed for.
#[derive(Clone, Copy, PartialEq)]
enum Guarding {
    /// It begins with the version of the old object. Tests of elements are kept for patches without
    /// it.
    Version,
    /// Operations within an element follow tests that it is still at its index.
    Elements,
    /// It is applied to the old object, and no other.
    #[cfg_attr(not(feature = "admission"), allow(dead_code))] // only webhooks know that
    Nothing,
}

/// The operations that turn the old value into the new one, for the version that the old value
/// states.
pub(crate) fn between<'a>(old: View<'a>, new: View<'a>) -> JsonBetween {
    let version = pairs::version(old);
    let guarding = if version.is_some() { Guarding::Version } else { Guarding::Elements };
    let operations = Operations::between(old, new, guarding);
    let mut body = vec![b'['];
    let mut unversioned = None;
    if let Some(version) = version.filter(|_| !operations.text.is_empty()) {
        let metadata = Path::ROOT.key("metadata");
        write_operation(
            &mut body,
            "replace",
            &metadata.key("resourceVersion"),
            Some(View::Str(version)),
        );
        body.push(b',');
        unversioned = Some(Box::new(Unversioned { start: body.len(), tests: operations.tests }));
    }
    body.extend(&operations.text);
    body.push(b']');
    JsonBetween { body, unversioned }
}

/// The operations that turn this very old object into the new one, as JSON: no one else changes it
/// in between.
#[cfg(feature = "admission")]
pub(crate) fn of_same<'a>(old: View<'a>, new: View<'a>) -> Vec<u8> {
    let operations = Operations::between(old, new, Guarding::Nothing);
    [b"[", &*operations.text, b"]"].concat()
}

impl Unversioned {
    /// The body without the version, and with the tests in its place.
    pub(crate) fn apply_to(&self, body: &[u8]) -> Vec<u8> {
        let operations = &body[self.start..];
        let mut text = vec![b'['];
        let mut done = 0;
        for (at, tests) in &self.tests {
            text.extend_from_slice(&operations[done..*at]);
            text.extend_from_slice(if *at == 0 { b"" } else { b"," });
            text.extend_from_slice(tests);
            text.extend_from_slice(if *at == 0 { b"," } else { b"" });
            done = *at;
        }
        text.extend_from_slice(&operations[done..]);
        text
    }
}

struct Operations<'a> {
    pairs: Pairs<'a>,
    text: Vec<u8>,
    guarding: Guarding,
    /// See [`Unversioned::tests`].
    tests: Vec<(usize, Vec<u8>)>,
    /// Whether the values are parts of free JSON already.
    is_raw: bool,
}

/// The path of a value, and the elements of lists on the way to it that another writer may have
/// moved.
#[derive(Clone, Copy)]
struct GuardedPath<'p> {
    path: Path<'p>,
    guard: Option<&'p Guard<'p>>,
}

/// An element of a list that must still be at its index when an operation changes a part of it.
struct Guard<'p> {
    outer: Option<&'p Guard<'p>>,
    path: Path<'p>,
    keys: Keys,
    old: View<'p>,
    /// Whether an operation follows its tests already.
    is_tested: Cell<bool>,
}

impl<'p> GuardedPath<'p> {
    fn key(&'p self, key: &'p str) -> GuardedPath<'p> {
        GuardedPath { path: self.path.key(key), guard: self.guard }
    }
}

impl<'a> Operations<'a> {
    fn between(old: View<'a>, new: View<'a>, guarding: Guarding) -> Self {
        let mut operations = Operations {
            pairs: Pairs::new(),
            text: Vec::new(),
            guarding,
            tests: Vec::new(),
            is_raw: false,
        };
        operations.value(&GuardedPath { path: Path::ROOT, guard: None }, &Merge::USUAL, old, new);
        operations
    }

    fn add(&mut self, op: &str, place: &GuardedPath<'_>, value: Option<View<'_>>) {
        match place.guard {
            Some(guard) if self.guarding == Guarding::Version => {
                let mut tests = Vec::new();
                guard.write(&mut tests);
                if !tests.is_empty() {
                    self.tests.push((self.text.len(), tests));
                }
            }
            Some(guard) => _ = guard.write(&mut self.text),
            None => {}
        }
        separate(&mut self.text);
        write_operation(&mut self.text, op, &place.path, value);
    }

    fn value(&mut self, place: &GuardedPath<'_>, merge: &Merge, old: View<'a>, new: View<'a>) {
        let base = self.pairs.len();
        match (old, new) {
            (View::Object(old), View::Object(new)) => {
                let members = self.pairs.members(old, new);
                self.members(place, Some(old.table()), &Merge::USUAL, members);
            }
            (View::Map(old), View::Map(new)) => {
                let entries = self.pairs.entries(old, new);
                self.members(place, None, merge.of_values(), entries);
            }
            (View::List(old), View::List(new)) => self.list(place, merge, old, new),
            _ if self.pairs.same(old, new) => {}
            _ if self.is_raw || merge.list == ListType::Atomic => {
                self.add("replace", place, Some(new));
            }
            _ => match (old.free_json(), new.free_json()) {
                (Some(old), Some(new)) => self.raw(place, &old, &new),
                _ => self.add("replace", place, Some(new)),
            },
        }
        self.pairs.truncate(base);
    }

    /// Free JSON that differs and that servers merge: arrays and objects part by part, all else as
    /// a whole.
    fn raw(&mut self, place: &GuardedPath<'_>, old: &str, new: &str) {
        match (RawTree::from_text(old), RawTree::from_text(new)) {
            (Some(old), Some(new)) => {
                let mut parts = Operations {
                    pairs: Pairs::new(),
                    text: mem::take(&mut self.text),
                    guarding: self.guarding,
                    tests: mem::take(&mut self.tests),
                    is_raw: true,
                };
                parts.value(place, &Merge::USUAL, old.view(), new.view());
                self.text = parts.text;
                self.tests = parts.tests;
            }
            _ => self.add("replace", place, Some(View::Raw(new))),
        }
    }

    /// Members of objects with this table, or entries of maps with values that are merged by this
    /// rule.
    fn members(
        &mut self,
        place: &GuardedPath<'_>,
        table: Option<&Table>,
        values: &Merge,
        mut members: Span,
    ) {
        while let Some(pair) = self.pairs.next(&mut members) {
            let Pair { member, key, old, new } = pair;
            let place = place.key(key);
            // Every write changes it, and it comes first as the version that this patch is for.
            if place.path.is_metadata("resourceVersion") {
                continue;
            }
            let merge = table.zip(member).map_or(values, |(table, index)| table.merge_of(index));
            if pair.lacks(new) {
                self.add("remove", &place, None);
            } else if pair.lacks(old) || is_empty(old) && !is_empty(new) {
                // Where there is an empty list or map here, the server may have none.
                self.add("add", &place, Some(new));
            } else {
                self.value(&place, merge, old, new);
            }
        }
    }

    fn list(
        &mut self,
        place: &GuardedPath<'_>,
        merge: &Merge,
        old: &'a dyn List,
        new: &'a dyn List,
    ) {
        let alignment = Alignment::of(&mut self.pairs, old, new, merge);
        let keys = alignment.keys;
        for index in alignment.removed(old).into_iter().rev() {
            self.element(place, index, (keys, old.element(index)), |operations, place| {
                operations.add("remove", place, None);
            });
        }
        for (index, length) in alignment.added(new).into_iter().zip(alignment.kept.len()..) {
            let path = if index == length { place.path.key("-") } else { place.path.index(index) };
            self.add("add", &GuardedPath { path, ..*place }, Some(new.element(index)));
        }
        for at in 0..alignment.kept.len() {
            let (from, to, members) = alignment.kept.get(at);
            let old = old.element(from);
            let new = new.element(to);
            self.element(place, to, (keys, old), |operations, place| match (old, members) {
                (View::Object(old), Some(members)) => {
                    operations.members(place, Some(old.table()), &Merge::USUAL, members);
                }
                _ => operations.value(place, &Merge::USUAL, old, new),
            });
        }
    }

    /// Changes an element of a list. If nothing else makes sure that it is still at its index,
    /// tests do.
    fn element(
        &mut self,
        list: &GuardedPath<'_>,
        index: usize,
        (keys, old): (Keys, View<'_>),
        change: impl FnOnce(&mut Self, &GuardedPath<'_>),
    ) {
        let path = list.path.index(index);
        if self.guarding == Guarding::Nothing {
            change(self, &GuardedPath { path, guard: None });
        } else {
            let guard = Guard { outer: list.guard, path, keys, old, is_tested: Cell::new(false) };
            change(self, &GuardedPath { path, guard: Some(&guard) });
        }
    }
}

impl Guard<'_> {
    /// Writes the tests that no operation follows yet, from the outside in. Returns whether the
    /// element is tested as a whole, or one that it is in: then all elements inside are tested,
    /// too.
    fn write(&self, text: &mut Vec<u8>) -> bool {
        if self.outer.is_some_and(|outer| outer.write(text)) {
            return true;
        }
        let is_whole = self.keys.is_empty();
        if self.is_tested.replace(true) {
            return is_whole;
        }
        if is_whole {
            separate(text);
            write_operation(text, "test", &self.path, Some(self.old));
        }
        for (name, value) in self.keys.members(self.old) {
            separate(text);
            write_operation(text, "test", &self.path.key(name), Some(value));
        }
        is_whole
    }
}

fn separate(text: &mut Vec<u8>) {
    if !text.is_empty() {
        text.push(b',');
    }
}

fn is_empty(value: View<'_>) -> bool {
    match value {
        View::List(list) => list.count() == 0,
        View::Map(map) => map.is_empty(),
        value => value.is_absent(),
    }
}

fn write_operation(text: &mut Vec<u8>, op: &str, path: &Path<'_>, value: Option<View<'_>>) {
    text.extend_from_slice(b"{\"op\":\"");
    text.extend_from_slice(op.as_bytes());
    text.extend_from_slice(b"\",\"path\":");
    json::append(text, &View::Str(&path.pointer()));
    if let Some(value) = value {
        text.extend_from_slice(b",\"value\":");
        json::append(text, &value);
    }
    text.push(b'}');
}
