//! Keys that a mapping has twice, as servers report them for configurations: with their lines.

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt;

/// The most keys that are reported. The body is read once more for each of them.
const MOST_REPORTED: usize = 10;

/// The lines and names of keys that a mapping of YAML or JSON has already.
pub(crate) fn repeated_keys(body: &[u8]) -> Vec<(usize, String)> {
    // Not all JSON is YAML: that has no tabs between its tokens, and no surrogates.
    let is_json = serde_json::from_slice::<IgnoredAny>(body).is_ok();
    let mut found = Vec::new();
    while found.len() < MOST_REPORTED {
        let search = Search { left: Cell::new(found.len()), key: RefCell::default() };
        let line = if is_json {
            let result = Any(&search).deserialize(&mut serde_json::Deserializer::from_slice(body));
            result.err().map(|error| error.line())
        } else {
            let result = Any(&search).deserialize(serde_yaml::Deserializer::from_slice(body));
            result.err().and_then(|error| Some(error.location()?.line()))
        };
        let Some(next) = line.zip(search.key.into_inner()) else { break };
        found.push(next);
    }
    found
}

/// A search for one key. It ends as an error, which has the position.
#[derive(Debug)]
struct Search {
    /// The number of keys that were found before.
    left: Cell<usize>,
    key: RefCell<Option<String>>,
}

/// Any value.
struct Any<'a>(&'a Search);

/// The key of a mapping, and those before it.
struct Key<'a>(&'a Search, &'a mut BTreeSet<String>);

impl<'de> DeserializeSeed<'de> for Any<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<(), E> {
        let Self(search, known) = self;
        if known.insert(key.to_owned()) {
            return Ok(());
        }
        if let Some(left) = search.left.get().checked_sub(1) {
            search.left.set(left);
            return Ok(());
        }
        *search.key.borrow_mut() = Some(key.to_owned());
        Err(E::custom("a key is repeated"))
    }
}

macro_rules! ignore {
    ($($method:ident: $type:ty),*) => {
        $(fn $method<E>(self, _: $type) -> Result<(), E> {
            Ok(())
        })*
    };
}

impl<'de> Visitor<'de> for Any<'_> {
    type Value = ();

    ignore!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while elements.next_element_seed(Any(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut known = BTreeSet::new();
        while entries.next_key_seed(Key(self.0, &mut known))?.is_some() {
            entries.next_value_seed(Any(self.0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::repeated_keys;

    #[test]
    fn keys_are_found_with_their_lines() {
        let yaml = b"a: 1\nb:\n  k: v\n  k: w\nc:\n- {x: 1, x: 2}\na: 3\n";
        let found = repeated_keys(yaml);
        assert_eq!(found, [(4, "k".to_owned()), (6, "x".to_owned()), (7, "a".to_owned())]);
        assert!(repeated_keys(b"a: {b: 1}\nc: {b: 1}").is_empty());
        assert!(repeated_keys(b"a: [").is_empty());
    }

    #[test]
    fn json_that_is_no_yaml_is_searched_too() {
        let json = b"{\t\"a\": \"\\ud83d\\ude00\",\n\t\"b\": {\"k\": 1,\n\"k\": 2},\n\"a\": 3}";
        assert_eq!(repeated_keys(json), [(3, "k".to_owned()), (4, "a".to_owned())]);
    }
}
