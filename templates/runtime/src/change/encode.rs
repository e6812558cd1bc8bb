//! Encoding of configurations for server-side apply.

use super::applied::Names;
use super::kept::is_kept;
use super::omissible::Omissible;
use crate::codec::{self, List, Map, Merge, Object, Slot, Table, View, json};
use crate::codec::{VisitEmpty, visit_known, visit_unknown};
use std::mem;

/// The required members of an empty object, each with the JSON of its empty value if it is a scalar.
pub(super) fn required(empty: &dyn Object) -> Vec<(usize, Vec<u8>)> {
    let mut required = Vec::new();
    visit_known(empty, |index, view| {
        let is_scalar = !matches!(view, View::Object(_) | View::List(_) | View::Map(_));
        required.push((index, if is_scalar { json::write(&view) } else { Vec::new() }));
    });
    required
}

/// Encodes an object, and finds the required members that may be left out. It walks through an empty object of the same
/// type beside it, which shows the members that are required.
pub(super) struct Encoder {
    text: Vec<u8>,
    /// The members that may be left out, by their positions.
    omissible: Vec<Omissible>,
    /// The names of members that lead to the current value.
    names: Names,
}

/// An object that is being encoded.
struct Level<'a> {
    table: &'static Table,
    required: Vec<(usize, Vec<u8>)>,
    /// The members that stay, since they identify the object in a list.
    keys: &'a [&'static str],
    /// Whether its empty members are intended, see [`extract`](super::extract).
    is_exact: bool,
    separator: u8,
}

impl Encoder {
    pub(super) fn encode(object: &dyn Object, visit_empty: VisitEmpty) -> (Vec<u8>, Vec<Omissible>) {
        let mut encoder = Self { text: Vec::new(), omissible: Vec::new(), names: Names::new() };
        visit_empty(&mut |empty| {
            if let Slot::Object(empty) = empty {
                encoder.object(object, empty, &[]);
            }
        });
        (encoder.text, encoder.omissible)
    }

    /// Encodes an object. Resets the optional members of the empty one; its lists and maps may keep an empty element.
    fn object(&mut self, object: &dyn Object, empty: &mut dyn Object, keys: &[&'static str]) {
        let required = required(empty);
        let is_exact = codec::is_exact(object);
        let mut level = Level { table: object.table(), required, keys, is_exact, separator: b'{' };
        let unknown = visit_known(object, |index, view| self.member(&mut level, empty, index, view));
        if let Some(unknown) = unknown {
            visit_unknown(object, unknown, &mut |name, view| {
                if !self.is_managed_fields(name) {
                    self.key(&mut level, name);
                    json::append(&mut self.text, &view);
                }
            });
        }
        self.close(level.separator, b'{', b'}');
    }

    fn member(&mut self, level: &mut Level<'_>, empty: &mut dyn Object, index: usize, view: View<'_>) {
        let name = level.table.keys.names()[index];
        if view.is_absent() || self.is_managed_fields(name) {
            return;
        }
        let start = self.text.len();
        let inner = self.omissible.len();
        self.names.push(name);
        self.key(level, name);
        let value = self.text.len();
        self.value(view, empty.member_mut(index, true), level.table.merge_of(index));
        empty.member_mut(index, false);
        if !level.keys.contains(&name) && !level.is_exact && !is_kept(level.table.name, name) {
            self.note_omissible(level, index, [start, value], inner);
        }
        self.names.pop();
    }

    /// Notes the current member, which has just been encoded, if it may be left out: if it is required, and is empty or
    /// has members that have been noted, without which it may be empty.
    fn note_omissible(&mut self, level: &Level<'_>, index: usize, [start, value]: [usize; 2], inner: usize) {
        let Some((_, empty)) = level.required.iter().find(|(required, _)| *required == index) else { return };
        let text = &self.text[value..];
        let position = start..self.text.len();
        let is_empty_scalar = text == empty;
        if is_empty_scalar || matches!(text, b"{}" | b"[]") || inner < self.omissible.len() {
            let member = Omissible { names: self.names.clone(), position, value, is_empty_scalar };
            self.omissible.insert(inner, member);
        }
    }

    fn value(&mut self, view: View<'_>, empty: Slot<'_>, merge: &Merge) {
        match (view, empty) {
            (View::Object(object), Slot::Object(empty)) => self.object(object, empty, &[]),
            (View::List(list), Slot::List(empty)) => self.list(list, empty, merge),
            (View::Map(map), Slot::Map(empty)) => self.map(map, empty),
            (view, _) => json::append(&mut self.text, &view),
        }
    }

    fn list(&mut self, list: &dyn List, empty: &mut dyn List, merge: &Merge) {
        let keys = merge.keys().collect::<Names>();
        let mut separator = b'[';
        for index in 0..list.count() {
            self.text.push(mem::replace(&mut separator, b','));
            let empty = if empty.count() == 0 { empty.push(true) } else { empty.element_mut(0, true) };
            match (list.element(index), empty) {
                (View::Object(object), Slot::Object(empty)) => self.object(object, empty, &keys),
                (view, empty) => self.value(view, empty, &Merge::USUAL),
            }
        }
        self.close(separator, b'[', b']');
    }

    fn map(&mut self, map: &dyn Map, empty: &mut dyn Map) {
        let mut separator = b'{';
        map.visit_entries(&mut |key, view| {
            self.text.push(mem::replace(&mut separator, b','));
            json::append(&mut self.text, &View::Str(key));
            self.text.push(b':');
            self.value(view, empty.insert(String::new(), true), &Merge::USUAL);
        });
        self.close(separator, b'{', b'}');
    }

    fn key(&mut self, level: &mut Level<'_>, name: &str) {
        self.text.push(mem::replace(&mut level.separator, b','));
        json::append(&mut self.text, &View::Str(name));
        self.text.push(b':');
    }

    /// Ends an object or array. If there was no separator, then it has not begun either.
    fn close(&mut self, separator: u8, opener: u8, closer: u8) {
        if separator == opener {
            self.text.push(opener);
        }
        self.text.push(closer);
    }

    /// Whether this member of the current object belongs to the server alone.
    fn is_managed_fields(&self, name: &str) -> bool {
        name == "managedFields" && self.names == ["metadata"]
    }
}
