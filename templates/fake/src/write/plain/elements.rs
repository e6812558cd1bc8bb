//! Arrays: their elements, and the keys by which these are known.

use super::fields::Repeated;
use super::members::is_plain_name;
use super::scan::{Next, Nulls, Scan, Scanned};
use crate::schema::{ListType, SchemaId, Schemas, Shape};
use std::borrow::Cow;

impl<'a> Scan<'a> {
    pub(super) fn elements(&mut self, next: &Next<'a>) -> Option<Scanned> {
        let is_new = match &next.blank {
            None => true,
            Some(blank) if blank.as_array().is_some_and(Vec::is_empty) => false,
            Some(_) => return None,
        };
        let element = match self.schemas.shape(next.schema) {
            Shape::List(element, _) => *element,
            Shape::Any => Schemas::ANY,
            _ => return None,
        };
        let list_type = self.schemas.list_type(next.schema);
        let keys = if let ListType::Map(keys) = list_type { &keys[..] } else { &[] };
        let depth = next.depth.checked_sub(1)?;
        let level = (next.is_listed && *list_type != ListType::Atomic).then(|| self.fields.open(is_new));
        let is_listed = level.is_some();
        let inner =
            Next { schema: element, blank: None, is_listed, is_metadata: false, keys, nulls: Nulls::Declined, depth };
        let start = self.input.length();
        let mut has_next = self.input.open(b'[', b']')?;
        while has_next {
            self.element(&inner, list_type)?;
            has_next = self.input.has_next(b']')?;
        }
        if self.input.length() == start + "[]".len() {
            if let Some(level) = level {
                self.fields.abandon(level);
            }
            return next.nulls.absent();
        }
        let Some(level) = level else {
            if next.is_listed {
                self.fields.leaf();
            }
            return Some(Scanned { has_field: true, ..Scanned::default() });
        };
        let has_field = self.fields.close(level).map_err(|Repeated| ()).ok()?;
        Some(Scanned { has_field, ..Scanned::default() })
    }

    fn element(&mut self, next: &Next<'a>, list_type: &ListType) -> Option<()> {
        let (start, field, first_key) = (self.input.length(), self.fields.position(), self.keys.len());
        self.keys.resize(first_key + next.keys.len(), None);
        self.value(next)?;
        if next.is_listed {
            let part = self.fields.parts.len();
            let kind = if *list_type == ListType::Set {
                // The members of an object are sorted where they identify it.
                let element = &self.input.copied()[start..];
                if matches!(element, [b'{' | b'[', ..]) {
                    return None;
                }
                self.fields.parts.extend_from_slice(element);
                b'v'
            } else {
                self.write_keys(next.schema, next.keys, first_key)?;
                b'k'
            };
            self.fields.element(field, kind, part);
        }
        self.keys.truncate(first_key);
        Some(())
    }

    /// Writes the keys of an element as a part of a path.
    fn write_keys(&mut self, element: SchemaId, keys: &[String], first_key: usize) -> Option<()> {
        let Self { schemas, input, fields, keys: values, .. } = self;
        let (json, part) = (input.copied(), &mut fields.parts);
        part.push(b'{');
        for (key, value) in keys.iter().zip(&values[first_key..]) {
            let value = match value {
                Some(range) => Cow::Borrowed(&json[range.clone()]),
                None => match &schemas.get(schemas.member(element, key).0).default {
                    Some(default) => Cow::Owned(default.to_string().into_bytes()),
                    None => continue,
                },
            };
            if value.starts_with(b"{") || value.starts_with(b"[") || !is_plain_name(key) {
                return None;
            }
            for piece in [b"\"", key.as_bytes(), b"\":", &value, b","] {
                part.extend_from_slice(piece);
            }
        }
        if part.ends_with(b",") {
            part.pop();
        }
        part.push(b'}');
        Some(())
    }
}
