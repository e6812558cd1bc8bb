//! Arrays: their elements, and the keys by which these are known.

use super::fields::Repeated;
use super::members::is_plain_name;
use super::scan::{MOST_KEYS, Nulls, Scan, Scanned, Seed, begin_member, close, decline};
use crate::schema::{ListType, SchemaId, Schemas, Shape};
use serde::de::SeqAccess;
use serde_json::Value;
use std::borrow::Cow;

impl<'b> Seed<'_, '_, 'b> {
    pub(super) fn elements<A: SeqAccess<'b>>(self, mut elements: A) -> Result<Scanned, A::Error> {
        let is_new = match self.blank {
            None => true,
            Some(Value::Array(elements)) if elements.is_empty() => false,
            Some(_) => return Err(decline()),
        };
        let schemas = self.scan.schemas;
        let element = match self.shape() {
            Shape::List(element, _) => *element,
            Shape::Any => Schemas::ANY,
            _ => return Err(decline()),
        };
        let list_type = schemas.list_type(self.schema);
        let keys = if let ListType::Map(keys) = list_type { &keys[..] } else { &[] };
        if self.depth == 0 || keys.len() > MOST_KEYS {
            return Err(decline());
        }
        let level = (self.is_listed && *list_type != ListType::Atomic).then(|| self.scan.fields.open(is_new));
        let scan = self.scan;
        scan.json.push(b'[');
        loop {
            let (start, field) = (scan.json.len(), scan.fields.position());
            let seed = Seed {
                scan: &mut *scan,
                schema: element,
                blank: None,
                is_listed: level.is_some(),
                unowned: &[],
                keys,
                nulls: Nulls::Declined,
                depth: self.depth - 1,
            };
            let Some(found) = elements.next_element_seed(seed)? else { break };
            if level.is_some() {
                let part = match list_type {
                    // The members of an object are sorted where they identify it.
                    ListType::Set if matches!(scan.json[start], b'{' | b'[') => None,
                    ListType::Set => Some((b'v', scan.json[start..].to_vec())),
                    _ => scan.part(element, keys, &found).map(|part| (b'k', part)),
                };
                let (kind, part) = part.ok_or_else(decline)?;
                scan.fields.element(field, kind, part);
            }
            scan.json.push(b',');
        }
        if !close(&mut scan.json, b']') {
            if let Some(level) = level {
                scan.fields.abandon(level);
            }
            return self.nulls.absent();
        }
        let Some(level) = level else {
            if self.is_listed {
                scan.fields.leaf();
            }
            return Ok(Scanned { has_field: true, ..Scanned::default() });
        };
        let has_field = scan.fields.close(level).map_err(|Repeated| decline())?;
        Ok(Scanned { has_field, ..Scanned::default() })
    }
}

impl Scan<'_, '_> {
    /// The keys of an element, as JSON.
    fn part(&self, element: SchemaId, keys: &[String], found: &Scanned) -> Option<Vec<u8>> {
        let mut part = Vec::with_capacity(64);
        part.push(b'{');
        for (key, value) in keys.iter().zip(found.keys) {
            let default = || self.schemas.get(self.schemas.member(element, key).0).default.as_ref();
            let value = match value {
                Some((start, end)) => Cow::Borrowed(&self.json[start..end]),
                None => match default() {
                    Some(default) => Cow::Owned(default.to_string().into_bytes()),
                    None => continue,
                },
            };
            if value.starts_with(b"{") || value.starts_with(b"[") || !is_plain_name(key) {
                return None;
            }
            if part.len() > 1 {
                part.push(b',');
            }
            begin_member(&mut part, key);
            part.extend_from_slice(&value);
        }
        part.push(b'}');
        Some(part)
    }
}
