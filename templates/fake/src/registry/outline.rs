//! Documents, parsed without what says nothing of resources.
//!
//! More than half of a document of Kubernetes is parameters and responses of operations. A server
//! parses the largest one for its first request.

use super::document::METHODS;
use kapigen_definitions::schema_keywords::KINDS;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Parses a document. One that is no OpenAPI document is parsed as a whole.
pub(super) fn parse(text: &str) -> Value {
    let outline = Level::Document.deserialize(&mut serde_json::Deserializer::from_str(text));
    outline.or_else(|_| serde_json::from_str(text)).unwrap_or_default()
}

/// An object of a document of which some members are left out.
#[derive(Clone, Copy)]
enum Level {
    Document,
    Paths,
    Path,
    Operation,
    Responses,
}

/// A member of such an object.
enum Member {
    Whole,
    Level(Level),
    Ignored,
}

impl Level {
    fn member(self, name: &str) -> Member {
        match (self, name) {
            (Self::Document, "paths") => Member::Level(Self::Paths),
            (Self::Paths, _) => Member::Level(Self::Path),
            (Self::Path, method) if METHODS.contains(&method) => Member::Level(Self::Operation),
            (Self::Operation, "responses") => Member::Level(Self::Responses),
            (Self::Document, _)
            | (Self::Operation, KINDS | "requestBody")
            | (Self::Responses, "200") => Member::Whole,
            _ => Member::Ignored,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = match self.member(&name) {
                Member::Whole => map.next_value()?,
                Member::Level(level) => map.next_value_seed(level)?,
                Member::Ignored => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            members.insert(name, value);
        }
        Ok(Value::Object(members))
    }
}
