//! The JSON of `fieldsV1`, written while an object is read.

use super::scratch::Buffers;
use crate::prefix::prefix;
use crate::schema::Field;
use std::ops::Range;

/// The fields of an object, as `fieldsV1` has them, in the order of a server: sorted in each level.
///
/// The entries of a level are written one behind the other, each with its comma, and are brought into order when the
/// level ends.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    json: Vec<u8>,
    /// The entries of all levels that are open.
    entries: Vec<Entry<'a>>,
    /// Parts of paths that name elements, of all levels that are open.
    pub(super) parts: Vec<u8>,
    /// Memory for entries that are moved.
    spare: Vec<u8>,
}

/// A member or an element, and the position of its JSON.
#[derive(Debug)]
struct Entry<'a> {
    name: Name<'a>,
    /// The [`prefix`] of the name.
    prefix: u64,
    start: usize,
    end: usize,
}

#[derive(Debug)]
enum Name<'a> {
    Member(&'a str),
    /// The keys or the value of an element: a range of `parts`.
    Part(Range<usize>),
}

impl Name<'_> {
    fn bytes<'x>(&'x self, parts: &'x [u8]) -> &'x [u8] {
        match self {
            Self::Member(name) => name.as_bytes(),
            Self::Part(range) => &parts[range.clone()],
        }
    }
}

/// A level that is open: an object, or a list whose elements are fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    start: usize,
    /// Where the entries begin.
    inner: usize,
    entries: usize,
    parts: usize,
    is_member: bool,
}

/// Two entries of a level have one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repeated;

impl<'a> Fields<'a> {
    pub(super) fn new(buffers: Buffers) -> Self {
        let Buffers { json, parts, spare } = buffers;
        Self { json, entries: Vec::with_capacity(64), parts, spare }
    }

    /// Begins a level. With `is_member` it is a field itself, and not only a path to others.
    #[inline]
    pub(super) fn open(&mut self, is_member: bool) -> Level {
        let start = self.json.len();
        self.json.extend_from_slice(if is_member { b"{\".\":{}," } else { b"{" });
        Level { start, inner: self.json.len(), entries: self.entries.len(), parts: self.parts.len(), is_member }
    }

    /// Begins the entry of a member, which [`Self::end`] ends.
    #[inline]
    pub(super) fn member(&mut self, name: &'a str) {
        self.unlisted(name);
        self.json.extend_from_slice(b"\"f:");
        self.json.extend_from_slice(name.as_bytes());
        self.json.extend_from_slice(b"\":");
    }

    /// Begins the entry of a member that is a field of its struct.
    #[inline]
    pub(super) fn field(&mut self, field: &'a Field) {
        self.push(field.name(), field.prefix);
        self.json.extend_from_slice(field.step().as_bytes());
    }

    /// Notes a member that is not listed, so that it is noticed if it is repeated.
    #[inline]
    pub(super) fn unlisted(&mut self, name: &'a str) {
        self.push(name, prefix(name.as_bytes()));
    }

    #[inline]
    fn push(&mut self, name: &'a str, prefix: u64) {
        let start = self.json.len();
        self.entries.push(Entry { name: Name::Member(name), prefix, start, end: start });
    }

    /// The position at which the entry of an element begins.
    pub(super) fn position(&self) -> usize {
        self.json.len()
    }

    /// Ends the entry of an element, which begins at a position. Its part of the path is `k` with its keys, or `v` with
    /// its value, as JSON: all of `parts` from a position on.
    pub(super) fn element(&mut self, start: usize, kind: u8, part: usize) {
        let step = &mut self.spare;
        step.clear();
        step.reserve(2 * (self.parts.len() - part) + 8);
        step.extend_from_slice(&[b'"', kind, b':']);
        // It is JSON, and has no control characters.
        for byte in &self.parts[part..] {
            if matches!(byte, b'"' | b'\\') {
                step.push(b'\\');
            }
            step.push(*byte);
        }
        step.extend_from_slice(b"\":");
        // Behind the entry, and then in front of it.
        let end = self.json.len();
        self.json.extend_from_slice(step);
        self.json.copy_within(start..end, start + step.len());
        self.json[start..start + step.len()].copy_from_slice(step);
        self.json.push(b',');
        let (name, end) = (Name::Part(part..self.parts.len()), self.json.len());
        self.entries.push(Entry { prefix: prefix(&self.parts[part..]), name, start, end });
    }

    /// Ends the last entry of a member. It is dropped if it has no field.
    #[inline]
    pub(super) fn end(&mut self, has_field: bool) {
        let Some(entry) = self.entries.last_mut() else { return };
        if has_field {
            self.json.push(b',');
            entry.end = self.json.len();
        } else {
            self.json.truncate(entry.start);
        }
    }

    /// Writes a field without fields below it.
    #[inline]
    pub(super) fn leaf(&mut self) {
        self.json.extend_from_slice(b"{}");
    }

    /// Ends a level. Returns whether it has a field, or is one.
    pub(super) fn close(&mut self, level: Level) -> Result<bool, Repeated> {
        if self.sort(level.entries)? {
            self.move_entries(level);
        }
        self.entries.truncate(level.entries);
        self.parts.truncate(level.parts);
        if self.json.len() > level.inner {
            self.json.pop();
            self.json.push(b'}');
            return Ok(true);
        }
        self.json.truncate(level.start);
        if level.is_member {
            self.leaf();
        }
        Ok(level.is_member)
    }

    /// Ends a level that is left out.
    pub(super) fn abandon(&mut self, level: Level) {
        self.json.truncate(level.start);
        self.entries.truncate(level.entries);
        self.parts.truncate(level.parts);
    }

    /// Ends a level whose members are no fields. Refuses repeated ones.
    pub(super) fn close_unlisted(&mut self, first: usize) -> Result<(), Repeated> {
        self.sort(first)?;
        self.entries.truncate(first);
        Ok(())
    }

    /// The number of entries of all open levels.
    pub(super) fn count(&self) -> usize {
        self.entries.len()
    }

    /// Whether one of the entries from an index on is of this member.
    pub(super) fn has_member(&self, first: usize, name: &str) -> bool {
        self.entries[first..].iter().any(|entry| matches!(entry.name, Name::Member(known) if known == name))
    }

    /// Sorts the entries from an index on. Returns whether they were in another order.
    fn sort(&mut self, first: usize) -> Result<bool, Repeated> {
        let Self { entries, parts, .. } = self;
        let entries = &mut entries[first..];
        let order = |one: &Entry<'_>, other: &Entry<'_>| {
            one.prefix.cmp(&other.prefix).then_with(|| one.name.bytes(parts).cmp(other.name.bytes(parts)))
        };
        let rise = |one: &Entry<'_>, other: &Entry<'_>| order(one, other).is_lt();
        if entries.is_sorted_by(rise) {
            return Ok(false);
        }
        entries.sort_unstable_by(order);
        if entries.is_sorted_by(rise) { Ok(true) } else { Err(Repeated) }
    }

    /// Writes the entries of a level in their order.
    fn move_entries(&mut self, level: Level) {
        self.spare.clear();
        for entry in &self.entries[level.entries..] {
            self.spare.extend_from_slice(&self.json[entry.start..entry.end]);
        }
        self.json[level.inner..].copy_from_slice(&self.spare);
    }

    pub(super) fn into_buffers(self) -> Buffers {
        Buffers { json: self.json, parts: self.parts, spare: self.spare }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, Repeated};

    fn field(fields: &mut Fields<'static>, name: &'static str) {
        fields.member(name);
        fields.leaf();
        fields.end(true);
    }

    #[test]
    fn levels_are_sorted_and_empty_ones_are_dropped() {
        let mut fields = Fields::default();
        let root = fields.open(false);
        fields.member("spec");
        let spec = fields.open(true);
        field(&mut fields, "b");
        field(&mut fields, "a");
        assert_eq!(fields.close(spec), Ok(true));
        fields.end(true);
        fields.member("none");
        let none = fields.open(false);
        assert_eq!(fields.close(none), Ok(false));
        fields.end(false);
        fields.member("list");
        let list = fields.open(false);
        for name in ["b", "a.b"] {
            let (start, part) = (fields.position(), fields.parts.len());
            fields.leaf();
            fields.parts.extend_from_slice(format!("\"{name}\"").as_bytes());
            fields.element(start, b'v', part);
        }
        assert_eq!(fields.close(list), Ok(true));
        fields.end(true);
        assert_eq!(fields.close(root), Ok(true));
        let expected = r#"{"f:list":{"v:\"a.b\"":{},"v:\"b\"":{}},"f:spec":{".":{},"f:a":{},"f:b":{}}}"#;
        assert_eq!(String::from_utf8(fields.into_buffers().json).unwrap(), expected);
    }

    #[test]
    fn repeated_entries_are_noticed() {
        let mut fields = Fields::default();
        let level = fields.open(false);
        for name in ["b", "a", "b"] {
            field(&mut fields, name);
        }
        assert_eq!(fields.close(level), Err(Repeated));
        let mut fields = Fields::default();
        for name in ["b", "a", "b"] {
            fields.unlisted(name);
        }
        assert_eq!(fields.close_unlisted(0), Err(Repeated));
    }
}
