//! Arrays: their elements, and the keys by which these are known.

use super::fields::Repeated;
use super::scan::{Found, MOST_KEYS, Nulls, Scan, Seed, close, decline};
use crate::schema::{ListType, SchemaId, Schemas, Shape};
use serde::de::SeqAccess;
use serde_json::Value;

impl<'b> Seed<'_, '_, 'b> {
    pub(super) fn elements<A: SeqAccess<'b>>(self, mut elements: A) -> Result<Found, A::Error> {
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
            match list_type {
                _ if level.is_none() => {}
                ListType::Set => scan.fields.element(field, 'v', text(&scan.json[start..])),
                _ => {
                    let part = scan.part(element, keys, &found).ok_or_else(decline)?;
                    scan.fields.element(field, 'k', part);
                }
            }
            scan.json.push(b',');
        }
        // `null` and empty lists are left out of objects.
        if !close(&mut scan.json, b']') {
            return Err(decline());
        }
        let Some(level) = level else {
            if self.is_listed {
                scan.fields.leaf();
            }
            return Ok(Found { has_field: true, ..Found::default() });
        };
        let has_field = scan.fields.close(level).map_err(|Repeated| decline())?;
        Ok(Found { has_field, ..Found::default() })
    }
}

impl Scan<'_, '_> {
    /// The keys of an element, as JSON.
    fn part(&self, element: SchemaId, keys: &[String], found: &Found) -> Option<String> {
        let mut part = String::from("{");
        for (key, value) in keys.iter().zip(found.keys) {
            let default = self.schemas.get(self.schemas.member(element, key).0).default.as_ref();
            let value = match value {
                Some((start, end)) => text(&self.json[start..end]),
                None => match default {
                    Some(default) => default.to_string(),
                    None => continue,
                },
            };
            if value.starts_with(['{', '[']) {
                return None;
            }
            if part.len() > 1 {
                part.push(',');
            }
            part.extend([Value::from(key.as_str()).to_string().as_str(), ":", &value]);
        }
        part.push('}');
        Some(part)
    }
}

fn text(json: &[u8]) -> String {
    String::from_utf8_lossy(json).into_owned()
}
