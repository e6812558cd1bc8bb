//! JSON patches (RFC 6902) that turn one value into another.

use super::align::Alignment;
use super::pairs::{self, Pair, same};
use super::path::Path;
use crate::codec::merge::Merge;
use crate::codec::{List, View, json};

/// The steps that turn the old value into the new one, as JSON.
pub(crate) fn between(old: View<'_>, new: View<'_>) -> Vec<u8> {
    let version = pairs::member(pairs::member(old, "metadata"), "resourceVersion");
    let is_versioned = matches!(version, View::Str(version) if !version.is_empty());
    let mut steps = Steps { text: Vec::new(), tests: Vec::new(), is_versioned };
    steps.value(&Path::ROOT, &Merge::USUAL, old, new);
    let mut text = vec![b'['];
    if steps.is_versioned && !steps.text.is_empty() {
        let metadata = Path::ROOT.key("metadata");
        text.extend(step("replace", &metadata.key("resourceVersion").pointer(), Some(version)));
        text.push(b',');
    }
    text.extend(&steps.text);
    text.push(b']');
    text
}

struct Steps {
    text: Vec<u8>,
    /// Tests that the next step needs: it changes a part of an element that another writer may have moved.
    tests: Vec<Vec<u8>>,
    /// Whether the server rejects the patch if the object has changed in the meantime.
    is_versioned: bool,
}

impl Steps {
    fn add(&mut self, op: &str, path: &str, value: Option<View<'_>>) {
        let tests = std::mem::take(&mut self.tests);
        for step in tests.into_iter().chain([step(op, path, value)]) {
            if !self.text.is_empty() {
                self.text.push(b',');
            }
            self.text.extend(step);
        }
    }

    fn value(&mut self, path: &Path<'_>, merge: &Merge, old: View<'_>, new: View<'_>) {
        match (old, new) {
            (View::Object(old), View::Object(new)) => {
                for pair in pairs::members(old, new) {
                    self.pair(path, pair.member.map_or(&Merge::USUAL, |index| old.table().merge_of(index)), &pair);
                }
            }
            (View::Map(old), View::Map(new)) => {
                for pair in &pairs::entries(old, new) {
                    self.pair(path, &Merge::USUAL, pair);
                }
            }
            (View::List(old), View::List(new)) => self.list(path, merge, old, new),
            _ if same(old, new) => {}
            _ => self.add("replace", &path.pointer(), Some(new)),
        }
    }

    fn pair(&mut self, path: &Path<'_>, merge: &Merge, pair: &Pair<'_>) {
        let path = path.key(pair.key);
        // Every write changes it, and it stands at the front as the version that this patch is for.
        if path.is_metadata("resourceVersion") {
            return;
        }
        match (pair.old, pair.new) {
            (_, View::Absent | View::Null) if pair.old.is_absent() => {}
            (_, new) if new.is_absent() => self.add("remove", &path.pointer(), None),
            // Where there is an empty list or map here, the server may have none.
            (old, new) if old.is_absent() || is_empty(old) && !is_empty(new) => {
                self.add("add", &path.pointer(), Some(new));
            }
            (old, new) => self.value(&path, merge, old, new),
        }
    }

    fn list(&mut self, path: &Path<'_>, merge: &Merge, old: &dyn List, new: &dyn List) {
        let alignment = Alignment::of(old, new, merge);
        for index in alignment.removed(old).into_iter().rev() {
            self.element(&path.index(index), &alignment.keys, old.element(index), |steps, path| {
                steps.add("remove", &path.pointer(), None);
            });
        }
        for (index, length) in alignment.added(new).into_iter().zip(alignment.kept.len()..) {
            let element = if index == length { path.key("-") } else { path.index(index) };
            self.add("add", &element.pointer(), Some(new.element(index)));
        }
        for &(from, to) in &alignment.kept {
            let (old, new) = (old.element(from), new.element(to));
            self.element(&path.index(to), &alignment.keys, old, |steps, path| {
                steps.value(path, &Merge::USUAL, old, new);
            });
        }
    }

    /// Changes an element of a list. If nothing else makes sure that it is still at its index, tests do.
    fn element(&mut self, path: &Path<'_>, keys: &[&str], old: View<'_>, change: impl FnOnce(&mut Self, &Path<'_>)) {
        if self.is_versioned {
            return change(self, path);
        }
        let before = self.tests.len();
        if keys.is_empty() {
            self.tests.push(step("test", &path.pointer(), Some(old)));
        }
        for key in keys {
            let value = pairs::member(old, key);
            if !value.is_absent() {
                self.tests.push(step("test", &path.key(key).pointer(), Some(value)));
            }
        }
        change(self, path);
        // Those that no step has used.
        self.tests.truncate(before);
    }
}

fn is_empty(value: View<'_>) -> bool {
    match value {
        View::List(list) => list.count() == 0,
        View::Map(map) => {
            let mut is_empty = true;
            map.visit_entries(&mut |_, _| is_empty = false);
            is_empty
        }
        value => value.is_absent(),
    }
}

fn step(op: &str, path: &str, value: Option<View<'_>>) -> Vec<u8> {
    let mut text = format!("{{\"op\":\"{op}\",\"path\":").into_bytes();
    text.extend(json::write(&View::Str(path)));
    if let Some(value) = value {
        text.extend(b",\"value\":");
        text.extend(json::write(&value));
    }
    text.push(b'}');
    text
}
