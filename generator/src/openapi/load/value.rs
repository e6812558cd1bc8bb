//! Any YAML or JSON as plain data, within bounds.
//!
//! A few lines of YAML can unfold to gigabytes when aliases hold aliases, and of a key that is twice in an
//! object one value is lost. Both are refused.

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Value};
use std::fmt;

/// The number of bytes of values that are still allowed. Every value is at least one, so that empty ones count too.
pub(super) struct Budget {
    limit: usize,
    left: usize,
}

impl Budget {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, left: limit }
    }

    fn take<E: Error>(&mut self, bytes: usize) -> Result<(), E> {
        let Some(left) = self.left.checked_sub(bytes) else {
            return Err(E::custom(format!("aliases unfold the document to more than {} bytes", self.limit)));
        };
        self.left = left;
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for &mut Budget {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.take(1)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Budget {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    /// A number beyond 64 bits, as JSON has it: the nearest one with a fraction.
    #[allow(clippy::cast_precision_loss)] // such numbers are limits for documentation
    fn visit_i128<E: Error>(self, value: i128) -> Result<Value, E> {
        Ok((value as f64).into())
    }

    #[allow(clippy::cast_precision_loss)] // as above
    fn visit_u128<E: Error>(self, value: u128) -> Result<Value, E> {
        Ok((value as f64).into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.take(value.len())?;
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        self.take(value.len())?;
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = access.next_element_seed(&mut *self)? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            self.take(key.len())?;
            match map.entry(key) {
                Entry::Vacant(place) => drop(place.insert(access.next_value_seed(&mut *self)?)),
                Entry::Occupied(place) => {
                    return Err(A::Error::custom(format!("the key `{}` is in one object twice", place.key())));
                }
            }
        }
        Ok(Value::Object(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Value, A::Error> {
        Err(A::Error::custom("a value with a tag of YAML, such as `!name`, is no JSON; remove the tag"))
    }
}
