//! JSON patches (RFC 6902) that turn one value into another.

use super::pairs::{self, Pair, Pairs, Span};
use super::pairs::{Alignment, Keys};
use super::path::Path;
use crate::codec::table::Merge;
use crate::codec::{List, Table, View, json};
use std::cell::Cell;

/// The operations that turn the old value into the new one, as JSON.
pub(crate) fn between<'a>(old: View<'a>, new: View<'a>) -> Vec<u8> {
    let version = pairs::version(old);
    let mut operations = Operations { pairs: Pairs::new(), text: Vec::new(), is_versioned: version.is_some() };
    operations.value(&Place { path: Path::ROOT, guard: None }, &Merge::USUAL, old, new);
    let mut text = vec![b'['];
    if let Some(version) = version.filter(|_| !operations.text.is_empty()) {
        let metadata = Path::ROOT.key("metadata");
        write_operation(&mut text, "replace", &metadata.key("resourceVersion"), Some(View::Str(version)));
        text.push(b',');
    }
    text.extend(&operations.text);
    text.push(b']');
    text
}

struct Operations<'a> {
    pairs: Pairs<'a>,
    text: Vec<u8>,
    /// Whether the server rejects the patch if the object has changed in the meantime.
    is_versioned: bool,
}

/// The path of a value, and the elements of lists on the way to it that another writer may have moved.
#[derive(Clone, Copy)]
struct Place<'p> {
    path: Path<'p>,
    guard: Option<&'p Guard<'p>>,
}

/// An element of a list that must still be at its index when an operation changes a part of it.
struct Guard<'p> {
    outer: Option<&'p Guard<'p>>,
    path: Path<'p>,
    keys: Keys,
    old: View<'p>,
    /// Whether an operation stands behind its tests already.
    is_tested: Cell<bool>,
}

impl<'p> Place<'p> {
    fn key(&'p self, key: &'p str) -> Place<'p> {
        Place { path: self.path.key(key), guard: self.guard }
    }
}

impl<'a> Operations<'a> {
    fn add(&mut self, op: &str, place: &Place<'_>, value: Option<View<'_>>) {
        if let Some(guard) = place.guard {
            guard.write(&mut self.text);
        }
        separate(&mut self.text);
        write_operation(&mut self.text, op, &place.path, value);
    }

    fn value(&mut self, place: &Place<'_>, merge: &Merge, old: View<'a>, new: View<'a>) {
        let base = self.pairs.len();
        match (old, new) {
            (View::Object(old), View::Object(new)) => {
                let members = self.pairs.members(old, new);
                self.members(place, Some(old.table()), members);
            }
            (View::Map(old), View::Map(new)) => {
                let entries = self.pairs.entries(old, new);
                self.members(place, None, entries);
            }
            (View::List(old), View::List(new)) => self.list(place, merge, old, new),
            _ if self.pairs.same(old, new) => {}
            _ => self.add("replace", place, Some(new)),
        }
        self.pairs.truncate(base);
    }

    /// Members of objects with this table, or entries of maps.
    fn members(&mut self, place: &Place<'_>, table: Option<&Table>, mut members: Span) {
        while let Some(pair) = self.pairs.next(&mut members) {
            let Pair { member, key, old, new } = pair;
            let place = place.key(key);
            // Every write changes it, and it stands at the front as the version that this patch is for.
            if place.path.is_metadata("resourceVersion") {
                continue;
            }
            let merge = table.zip(member).map_or(&Merge::USUAL, |(table, index)| table.merge_of(index));
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

    fn list(&mut self, place: &Place<'_>, merge: &Merge, old: &'a dyn List, new: &'a dyn List) {
        let alignment = Alignment::of(&mut self.pairs, old, new, merge);
        let keys = alignment.keys;
        for index in alignment.removed(old).into_iter().rev() {
            self.element(place, index, (keys, old.element(index)), |operations, place| {
                operations.add("remove", place, None);
            });
        }
        for (index, length) in alignment.added(new).into_iter().zip(alignment.kept.len()..) {
            let path = if index == length { place.path.key("-") } else { place.path.index(index) };
            self.add("add", &Place { path, ..*place }, Some(new.element(index)));
        }
        for at in 0..alignment.kept.len() {
            let (from, to, members) = alignment.kept.get(at);
            let old = old.element(from);
            let new = new.element(to);
            self.element(place, to, (keys, old), |operations, place| match (old, members) {
                (View::Object(old), Some(members)) => operations.members(place, Some(old.table()), members),
                _ => operations.value(place, &Merge::USUAL, old, new),
            });
        }
    }

    /// Changes an element of a list. If nothing else makes sure that it is still at its index, tests do.
    fn element(
        &mut self,
        list: &Place<'_>,
        index: usize,
        (keys, old): (Keys, View<'_>),
        change: impl FnOnce(&mut Self, &Place<'_>),
    ) {
        let path = list.path.index(index);
        if self.is_versioned {
            change(self, &Place { path, guard: None });
        } else {
            let guard = Guard { outer: list.guard, path, keys, old, is_tested: Cell::new(false) };
            change(self, &Place { path, guard: Some(&guard) });
        }
    }
}

impl Guard<'_> {
    /// Writes the tests that no operation stands behind yet, from the outside in.
    fn write(&self, text: &mut Vec<u8>) {
        if let Some(outer) = self.outer {
            outer.write(text);
        }
        if self.is_tested.replace(true) {
            return;
        }
        if self.keys.is_empty() {
            separate(text);
            write_operation(text, "test", &self.path, Some(self.old));
        }
        for (name, value) in self.keys.members(self.old) {
            separate(text);
            write_operation(text, "test", &self.path.key(name), Some(value));
        }
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
