//! Keys: names of members, and those of maps.

use super::path::Path;
use crate::codec::table::{EncodedKey, Index};
use serde::de::{DeserializeSeed, Deserializer, Error, Unexpected, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Finds the index of a member by its wire name. An unknown member has only its name.
#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    pub(super) keys: &'a Index,
    /// The key before.
    pub(super) last: &'a EncodedKey,
    pub(super) path: &'a Path<'a>,
}

impl Key<'_> {
    #[inline]
    fn find(self, name: &str) -> Option<usize> {
        let likely = self.last.likely_follower();
        if self.keys.name(likely) == Some(name) {
            return Some(likely);
        }
        let index = self.keys.find(name)?;
        self.last.learn_follower(index);
        Some(index)
    }
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Result<usize, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_bytes<E: Error>(self, key: &[u8]) -> Result<Self::Value, E> {
        in_utf8(key).and_then(|key| self.visit_str(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        let index = self.find(key);
        if index.is_none() {
            self.path.unknown(key);
        }
        Ok(index.ok_or_else(|| key.to_owned()))
    }
}

/// The key of an entry, borrowed from the input if the format can lend it: so it is copied only once, into the map.
pub(super) struct EntryKey;

impl<'de> DeserializeSeed<'de> for EntryKey {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for EntryKey {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Self::Value, E> {
        Ok(key.into())
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(key.to_owned().into())
    }

    fn visit_bytes<E: Error>(self, key: &[u8]) -> Result<Self::Value, E> {
        in_utf8(key).and_then(|key| self.visit_str(key))
    }
}

/// The string of a format that has no other type for strings than bytes.
fn in_utf8<E: Error>(bytes: &[u8]) -> Result<&str, E> {
    str::from_utf8(bytes).map_err(|_| E::invalid_value(Unexpected::Bytes(bytes), &"a string"))
}
