//! Bodies as trees. Members that a body has twice are found on the way.

use crate::schema::Path;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt;

/// The most members that are reported. A server accumulates no more either.
pub(crate) const MOST_REPORTED: usize = 100;

/// A body as a tree, of which the last one of several equal members counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Body {
    pub(crate) tree: Value,
    /// The paths of members that are there more than once.
    pub(crate) duplicates: Vec<String>,
}

/// Parses JSON.
pub(crate) fn from_json(bytes: &[u8]) -> Result<Body, serde_json::Error> {
    let duplicates = RefCell::default();
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let tree = Seed { path: Path::Root, duplicates: &duplicates }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(Body { tree, duplicates: duplicates.into_inner() })
}

/// Parses YAML.
pub(crate) fn from_yaml(bytes: &[u8]) -> Result<Body, serde_yaml::Error> {
    let duplicates = RefCell::default();
    let deserializer = serde_yaml::Deserializer::from_slice(bytes);
    let tree = Seed { path: Path::Root, duplicates: &duplicates }.deserialize(deserializer)?;
    Ok(Body { tree, duplicates: duplicates.into_inner() })
}

/// Reads a value at a path.
#[derive(Clone, Copy)]
struct Seed<'a> {
    path: Path<'a>,
    duplicates: &'a RefCell<Vec<String>>,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) =
            elements.next_element_seed(Seed { path: Path::Element(&self.path, list.len()), ..self })?
        {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            let path = Path::Member(&self.path, &name);
            let value = entries.next_value_seed(Seed { path, ..self })?;
            let mut duplicates = self.duplicates.borrow_mut();
            if members.contains_key(&name) && duplicates.len() < MOST_REPORTED {
                let path = path.to_string();
                if !duplicates.contains(&path) {
                    duplicates.push(path);
                }
            }
            members.insert(name, value);
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_REPORTED, from_json, from_yaml};
    use serde_json::{Value, json};

    #[test]
    fn bodies_are_what_they_are_without_duplicates() {
        let text = r#"{"a": [1, -1, 1.5, "x", true, null, {"b": {}}], "c": 18446744073709551615}"#;
        let body = from_json(text.as_bytes()).unwrap();
        assert_eq!(body.tree, serde_json::from_str::<Value>(text).unwrap());
        assert!(body.duplicates.is_empty());
        assert_eq!(from_yaml(b"a: [1, x]\nb: {c: null}").unwrap().tree, json!({"a": [1, "x"], "b": {"c": null}}));
        for bad in ["", "{", "{} {}", "[1,]", "nul"] {
            assert!(from_json(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_of_several_members_counts() {
        let body = from_json(br#"{"a": 1, "b": [{"c": 1, "c": 2, "c": 3}], "a": 2}"#).unwrap();
        assert_eq!(body.tree, json!({"a": 2, "b": [{"c": 3}]}));
        assert_eq!(body.duplicates, ["b[0].c", "a"]);
        assert_eq!(from_yaml(b"a: {b: 1, b: 2}").unwrap().duplicates, ["a.b"]);
    }

    #[test]
    fn few_duplicates_are_reported_of_many() {
        let members: Vec<_> = (0..1000).map(|index| format!("\"{index}\": 1, \"{index}\": 2,")).collect();
        let text = format!("{{{}\"a\": 1}}", members.concat());
        assert_eq!(from_json(text.as_bytes()).unwrap().duplicates.len(), MOST_REPORTED);
    }
}
