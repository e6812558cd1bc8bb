//! Objects: their members, and those that have defaults.

use super::fields::Repeated;
use super::scan::{Name, Nulls, Scan, Scanned, Seed, begin_member, close, decline};
use crate::schema::{SchemaId, Shape};
use crate::write::conform;
use serde::de::MapAccess;
use serde_json::{Map, Value};
use std::borrow::Cow;

impl<'b> Seed<'_, '_, 'b> {
    pub(super) fn members<A: MapAccess<'b>>(self, mut entries: A) -> Result<Scanned, A::Error> {
        let blank = self.blank_members()?;
        let (schemas, shape) = (self.scan.schemas, self.shape());
        let nulls = match shape {
            Shape::Struct { .. } if self.is_metadata() => Nulls::Kept,
            Shape::Struct { .. } => Nulls::Dropped,
            Shape::Map(_) | Shape::Any => Nulls::Declined,
            _ => return Err(decline()),
        };
        let has_levels = self.is_listed && !schemas.is_atomic(self.schema);
        if self.depth == 0 || self.is_listed && !has_levels && blank.is_some() {
            return Err(decline());
        }
        let first = self.scan.fields.count();
        let level = has_levels.then(|| self.scan.fields.open(blank.is_none()));
        let mut object = Members { found: Scanned::default(), keys: self.keys, stated: Vec::new() };
        let scan = self.scan;
        scan.json.push(b'{');
        while let Some(name) = entries.next_key_seed(Name)? {
            let (schema, is_known) = schemas.member(self.schema, name);
            if !is_known && matches!(shape, Shape::Struct { open: false, .. }) {
                return Err(decline());
            }
            let is_listed = has_levels && !self.unowned.contains(&name);
            let before = scan.begin_member(name.as_bytes().into(), is_listed);
            let start = scan.json.len();
            let (blank, depth) = (blank.and_then(|blank| blank.get(name)), self.depth - 1);
            let seed = Seed { scan: &mut *scan, schema, blank, is_listed, unowned: &[], keys: &[], nulls, depth };
            let Scanned { has_field, is_dropped, .. } = entries.next_value_seed(seed)?;
            if is_listed {
                scan.fields.end(has_field);
            }
            if is_dropped {
                scan.json.truncate(before);
                continue;
            }
            object.note(name, start, scan, is_known && schemas.is_always_present(schema));
        }
        scan.add_defaults(self.schema, blank, has_levels, &mut object).ok_or_else(decline)?;
        if !close(&mut scan.json, b'}') && matches!(shape, Shape::Map(_)) {
            if let Some(level) = level {
                scan.fields.abandon(level);
            }
            return self.nulls.absent();
        }
        let Members { found, .. } = object;
        if let Some(level) = level {
            let has_field = scan.fields.close(level).map_err(|Repeated| decline())?;
            return Ok(Scanned { has_field, ..found });
        }
        scan.fields.close_unlisted(first).map_err(|Repeated| decline())?;
        if self.is_listed {
            scan.fields.leaf();
        }
        Ok(Scanned { has_field: true, ..found })
    }

    fn is_metadata(&self) -> bool {
        !self.unowned.is_empty()
    }
}

/// The members of an object that have been read.
pub(super) struct Members<'s, 'b> {
    found: Scanned,
    /// The members whose values are to be noted.
    keys: &'s [String],
    /// Those that are never absent.
    stated: Vec<&'b str>,
}

impl<'b> Members<'_, 'b> {
    /// Ends a member, whose value begins at a position.
    fn note(&mut self, name: &'b str, start: usize, scan: &mut Scan<'_, '_>, is_always_present: bool) {
        if is_always_present {
            self.stated.push(name);
        }
        self.note_key(name, start, scan);
    }

    fn note_key(&mut self, name: &str, start: usize, scan: &mut Scan<'_, '_>) {
        if let Some(index) = self.keys.iter().position(|key| key == name) {
            self.found.keys[index] = Some((start, scan.json.len()));
        }
        scan.json.push(b',');
    }
}

/// Whether a name of a schema is the same as JSON, between quotes.
pub(super) fn is_plain_name(name: &str) -> bool {
    name.bytes().all(|byte| byte >= b' ' && !matches!(byte, b'"' | b'\\'))
}

impl<'b> Scan<'_, 'b> {
    /// Begins a member. Returns where it begins; its value is next.
    pub(super) fn begin_member(&mut self, name: Cow<'b, [u8]>, is_listed: bool) -> usize {
        let before = self.json.len();
        begin_member(&mut self.json, &name);
        if is_listed {
            self.fields.member(name);
        } else {
            self.fields.unlisted(name);
        }
        before
    }

    /// Adds the members that are never absent. `None` if their defaults are not plain.
    fn add_defaults(
        &mut self,
        schema: SchemaId,
        blank: Option<&Map<String, Value>>,
        has_levels: bool,
        object: &mut Members<'_, '_>,
    ) -> Option<()> {
        let schemas = self.schemas;
        let Shape::Struct { fields, .. } = schemas.shape(schema) else { return Some(()) };
        if object.stated.len() >= schemas.count_always_present(schema) {
            return Some(());
        }
        for (name, field) in fields.iter().filter(|(_, field)| schemas.is_always_present(**field)) {
            if object.stated.contains(&name.as_str()) {
                continue;
            }
            let default = conform::default(schemas, *field);
            if matches!(schemas.shape(*field), Shape::Map(_)) {
                return None;
            }
            let blank = blank.and_then(|blank| blank.get(name));
            let is_single = default.as_object().is_none_or(Map::is_empty);
            if !is_single || !is_plain_name(name) || blank.is_some_and(|blank| *blank != default) {
                return None;
            }
            self.begin_member(name.clone().into_bytes().into(), has_levels);
            let start = self.json.len();
            self.json.extend_from_slice(default.to_string().as_bytes());
            if has_levels {
                self.fields.leaf();
                self.fields.end(blank.is_none());
            }
            object.note_key(name, start, self);
        }
        Some(())
    }
}
