//! The JSON of `fieldsV1`, written while an object is read.

use std::borrow::Cow;

/// The fields of an object, as `fieldsV1` has them, in the order of a server: sorted in each level.
///
/// The entries of a level are written one behind the other, each with its comma, and are brought into order when the
/// level ends.
#[derive(Debug, Default)]
pub(super) struct Fields<'b> {
    json: Vec<u8>,
    /// The entries of all levels that are open, and where their JSON begins.
    entries: Vec<(Cow<'b, str>, usize)>,
    /// Memory for an entry that is moved.
    spare: Vec<u8>,
}

/// A level that is open: an object, or a list whose elements are fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    start: usize,
    /// Where the entries begin.
    inner: usize,
    entries: usize,
    is_member: bool,
}

/// Two entries of a level have one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repeated;

impl<'b> Fields<'b> {
    /// Begins a level. With `is_member` it is a field itself, and not only a path to others.
    pub(super) fn open(&mut self, is_member: bool) -> Level {
        let start = self.json.len();
        self.json.extend_from_slice(if is_member { b"{\".\":{}," } else { b"{" });
        Level { start, inner: self.json.len(), entries: self.entries.len(), is_member }
    }

    /// Begins the entry of a member, which [`Self::end`] ends.
    pub(super) fn member(&mut self, name: Cow<'b, str>) {
        let start = self.json.len();
        self.json.extend_from_slice(b"\"f:");
        self.json.extend_from_slice(name.as_bytes());
        self.json.extend_from_slice(b"\":");
        self.entries.push((name, start));
    }

    /// Notes a member that is no field, so that it is noticed if it is there twice.
    pub(super) fn unlisted(&mut self, name: Cow<'b, str>) {
        self.entries.push((name, self.json.len()));
    }

    /// The position at which the entry of an element begins.
    pub(super) fn position(&self) -> usize {
        self.json.len()
    }

    /// Ends the entry of an element, which begins at a position. Its part of the path is `k` with its keys, or `v` with
    /// its value, as JSON.
    pub(super) fn element(&mut self, start: usize, kind: char, part: String) {
        let step = serde_json::Value::from(format!("{kind}:{part}")).to_string() + ":";
        self.json.splice(start..start, step.into_bytes());
        self.json.push(b',');
        self.entries.push((Cow::Owned(part), start));
    }

    /// Ends the last entry of a member. It is dropped if it has no field.
    pub(super) fn end(&mut self, has_field: bool) {
        let Some((_, start)) = self.entries.last() else { return };
        if has_field {
            self.json.push(b',');
        } else {
            self.json.truncate(*start);
        }
    }

    /// Writes a field without fields below it.
    pub(super) fn leaf(&mut self) {
        self.json.extend_from_slice(b"{}");
    }

    /// Ends a level. Returns whether it has a field, or is one.
    pub(super) fn close(&mut self, level: Level) -> Result<bool, Repeated> {
        self.sort(level)?;
        self.entries.truncate(level.entries);
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

    /// Ends a level whose members are no fields. Refuses those that are there twice.
    pub(super) fn close_unlisted(&mut self, first: usize) -> Result<(), Repeated> {
        let entries = &mut self.entries[first..];
        if !is_sorted(entries) {
            entries.sort_unstable();
            if !is_sorted(entries) {
                return Err(Repeated);
            }
        }
        self.entries.truncate(first);
        Ok(())
    }

    /// The number of entries of all open levels.
    pub(super) fn count(&self) -> usize {
        self.entries.len()
    }

    /// Brings the entries of a level into order.
    fn sort(&mut self, level: Level) -> Result<(), Repeated> {
        let entries = &mut self.entries[level.entries..];
        if is_sorted(entries) {
            return Ok(());
        }
        let ends = entries.iter().skip(1).map(|(_, start)| *start).chain([self.json.len()]);
        let ends: Vec<_> = ends.collect();
        let mut pieces: Vec<_> = entries.iter().zip(ends).map(|((name, start), end)| (name, *start..end)).collect();
        pieces.sort_unstable_by_key(|(name, _)| *name);
        if pieces.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(Repeated);
        }
        self.spare.clear();
        for (_, range) in pieces {
            self.spare.extend_from_slice(&self.json[range]);
        }
        self.json[level.inner..].copy_from_slice(&self.spare);
        Ok(())
    }

    pub(super) fn into_json(self) -> Vec<u8> {
        self.json
    }
}

/// Whether the names rise, so that none is there twice.
fn is_sorted(entries: &[(Cow<'_, str>, usize)]) -> bool {
    entries.is_sorted_by(|(one, _), (other, _)| one < other)
}

#[cfg(test)]
mod tests {
    use super::{Fields, Repeated};

    fn field(fields: &mut Fields<'static>, name: &'static str) {
        fields.member(name.into());
        fields.leaf();
        fields.end(true);
    }

    #[test]
    fn levels_are_sorted_and_empty_ones_are_dropped() {
        let mut fields = Fields::default();
        let root = fields.open(false);
        fields.member("spec".into());
        let spec = fields.open(true);
        field(&mut fields, "b");
        field(&mut fields, "a");
        assert_eq!(fields.close(spec), Ok(true));
        fields.end(true);
        fields.member("none".into());
        let none = fields.open(false);
        assert_eq!(fields.close(none), Ok(false));
        fields.end(false);
        fields.member("list".into());
        let list = fields.open(false);
        for name in ["b", "a.b"] {
            let start = fields.position();
            fields.leaf();
            fields.element(start, 'v', format!("\"{name}\""));
        }
        assert_eq!(fields.close(list), Ok(true));
        fields.end(true);
        assert_eq!(fields.close(root), Ok(true));
        let expected = r#"{"f:list":{"v:\"a.b\"":{},"v:\"b\"":{}},"f:spec":{".":{},"f:a":{},"f:b":{}}}"#;
        assert_eq!(String::from_utf8(fields.into_json()).unwrap(), expected);
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
            fields.unlisted(name.into());
        }
        assert_eq!(fields.close_unlisted(0), Err(Repeated));
    }
}
