//! The fields of a struct.

use super::SchemaId;
use crate::prefix::prefix;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};

/// The fields of a struct by name, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldTable {
    fields: Vec<Field>,
    /// The field that was last found at the beginning of an object.
    first: Follower,
    /// The index of a field behind its hash, or else in one of the next slots: made on first use. Bodies name fields
    /// more often than anything else, and a search among sorted names takes five times as long. Empty where too many
    /// names collide.
    slots: OnceLock<Box<[u16]>>,
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Its step of a path in `fieldsV1`, with the name in it: `"f:name":`.
    step: Box<str>,
    /// The [`prefix`] of the name.
    pub(crate) prefix: u64,
    pub(crate) schema: SchemaId,
    index: u16,
    /// The field that was last found behind this one.
    follower: Follower,
}

/// The index of a field that is likely to come next. Bodies of one origin have their members in one order.
///
/// A field is only here once it was found in a body, so that its name needs no escapes.
#[derive(Debug)]
struct Follower(AtomicU16);

impl Default for Follower {
    fn default() -> Self {
        Self(AtomicU16::new(FREE))
    }
}

impl Clone for Follower {
    fn clone(&self) -> Self {
        Self(AtomicU16::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Field {
    fn new(name: &str, schema: SchemaId, index: usize) -> Self {
        let index = u16::try_from(index).unwrap_or(FREE);
        let (step, prefix) = (["\"f:", name, "\":"].concat().into(), prefix(name.as_bytes()));
        Self { step, prefix, schema, index, follower: Follower::default() }
    }

    #[inline]
    pub(crate) fn name(&self) -> &str {
        &self.step["\"f:".len()..self.step.len() - "\":".len()]
    }

    /// Its step of a path in `fieldsV1`, as JSON, with a colon behind it.
    #[inline]
    pub(crate) fn step(&self) -> &str {
        &self.step
    }

    /// The name as it stands in a body behind its first quote, up to the value: `name":`.
    #[inline]
    pub(crate) fn rest_of_name(&self) -> &str {
        &self.step["\"f:".len()..]
    }
}

/// The most slots that a search looks at. Where more names collide, a search among the sorted names is used.
const PROBES: usize = 16;
/// A slot without a field.
const FREE: u16 = u16::MAX;

impl FieldTable {
    /// The schema of a field.
    #[inline]
    pub(crate) fn get(&self, name: &str) -> Option<&SchemaId> {
        self.find(name).map(|field| &field.schema)
    }

    /// The field with this name.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<&Field> {
        let slots = self.slots.get_or_init(|| self.slots());
        if slots.is_empty() {
            let index = self.fields.binary_search_by(|field| field.name().cmp(name)).ok()?;
            return Some(&self.fields[index]);
        }
        let first = hash(name);
        for slot in first..first + PROBES {
            let index = *slots.get(slot & (slots.len() - 1))?;
            let field = self.fields.get(usize::from(index))?;
            if field.name() == name {
                return Some(field);
            }
        }
        None
    }

    /// The field that is likely to stand behind another one, or at the beginning.
    #[inline]
    pub(crate) fn likely_after(&self, last: Option<&Field>) -> Option<&Field> {
        let follower = last.map_or(&self.first, |field| &field.follower);
        self.fields.get(usize::from(follower.0.load(Ordering::Relaxed)))
    }

    /// Remembers that a body has this field behind another one, or at its beginning.
    pub(crate) fn learn_follower(&self, last: Option<&Field>, field: &Field) {
        let follower = last.map_or(&self.first, |field| &field.follower);
        follower.0.store(field.index, Ordering::Relaxed);
    }

    /// The slots, of which half or more are free. None if too many names collide: making them then takes no longer than
    /// for other names.
    fn slots(&self) -> Box<[u16]> {
        let mut slots = vec![FREE; (self.fields.len() * 2).next_power_of_two()].into_boxed_slice();
        let mask = slots.len() - 1;
        for (index, field) in self.fields.iter().enumerate() {
            let first = hash(field.name());
            let free = (0..PROBES).map(|step| (first + step) & mask).find(|slot| slots[*slot] == FREE);
            let Some(slot) = free else { return Box::default() };
            slots[slot] = u16::try_from(index).unwrap_or(FREE);
        }
        slots
    }

    /// The field at an index of the sorted names.
    pub(crate) fn at(&self, index: usize) -> Option<(&str, SchemaId)> {
        self.fields.get(index).map(|field| (field.name(), field.schema))
    }

    /// The fields in the order of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, SchemaId)> {
        self.fields.iter().map(|field| (field.name(), field.schema))
    }

    /// The same fields, and these in place of those with their names.
    pub(crate) fn with(&self, more: &[(&str, SchemaId)]) -> Self {
        let own = self.fields.iter().map(|field| (field.name().to_owned(), field.schema));
        own.chain(more.iter().map(|(name, id)| ((*name).to_owned(), *id))).collect()
    }
}

/// Mixes the length and four bytes of a name, which differ among the names of nearly every struct.
fn hash(name: &str) -> usize {
    let bytes = name.as_bytes();
    let at = |index: usize| bytes.get(index).map_or(0, |byte| usize::from(*byte));
    let length = bytes.len();
    let [first, third, middle, last] = [at(0), at(2), at(length / 2), at(length.wrapping_sub(1))];
    let mixed = length ^ (first << 3) ^ (third << 7) ^ (middle << 11) ^ (last << 15);
    mixed.wrapping_mul(0x9e37_79b1) >> 13
}

impl FromIterator<(String, SchemaId)> for FieldTable {
    fn from_iter<I: IntoIterator<Item = (String, SchemaId)>>(fields: I) -> Self {
        // The number of fields is bounded, so that it fits into a slot. No server has a struct with more.
        let sorted: BTreeMap<_, _> = fields.into_iter().collect();
        let sorted = sorted.into_iter().take(usize::from(FREE)).enumerate();
        Self {
            fields: sorted.map(|(index, (name, schema))| Field::new(&name, schema, index)).collect(),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Schema, Schemas};
    use super::FieldTable;

    #[test]
    fn fields_are_found_by_name() {
        let mut schemas = Schemas::default();
        let usual = |index: usize| format!("{}{index}", ["", "a", "\u{e9}"][index % 3]);
        // These differ in nothing that counts for their hash.
        let colliding = |index: usize| format!("abc{index:05}defghijklmno");
        let cases = [0, 1, 2, 3, 100, 1000].map(|count| (count, usual as fn(usize) -> String));
        for (count, name) in
            cases.into_iter().chain([(16, colliding as _), (17, colliding as _), (1000, colliding as _)])
        {
            let table: FieldTable = (0..count).map(|index| (name(index), schemas.add(Schema::default()))).collect();
            for index in 0..count {
                let id = table.get(&name(index)).copied();
                assert!(id.is_some() && table.iter().any(|(known, found)| known == name(index) && Some(found) == id));
            }
            assert_eq!((table.get(""), table.get("b"), table.get(&name(count))), (None, None, None));
            let has_slots = table.slots.get().is_some_and(|slots| !slots.is_empty());
            assert_eq!(has_slots, count < 17 || name(1) != colliding(1), "{count}");
        }
    }

    #[test]
    fn fields_follow_each_other_as_in_the_last_body() {
        let [one, two] = [1, 2].map(super::SchemaId);
        let table: FieldTable = [("a".to_owned(), one), ("b".to_owned(), two)].into_iter().collect();
        let [a, b] = ["a", "b"].map(|name| table.find(name).expect("a field"));
        assert!(table.likely_after(None).is_none() && table.likely_after(Some(b)).is_none());
        table.learn_follower(None, b);
        table.learn_follower(Some(b), a);
        let likely = |last| table.likely_after(last).map(|field| (field.name(), field.rest_of_name(), field.step()));
        assert_eq!(likely(None), Some(("b", "b\":", "\"f:b\":")));
        assert_eq!(likely(Some(b)), Some(("a", "a\":", "\"f:a\":")));
        table.learn_follower(None, a);
        assert_eq!((likely(None).map(|likely| likely.0), likely(Some(a))), (Some("a"), None));
    }

    #[test]
    fn fields_are_replaced_by_name() {
        let [one, two, three] = [1, 2, 3].map(super::SchemaId);
        let table: FieldTable = [("b".to_owned(), one), ("a".to_owned(), two)].into_iter().collect();
        let table = table.with(&[("c", three), ("b", three)]);
        let found: Vec<_> = (0..4).map_while(|index| table.at(index)).collect();
        assert_eq!(found, [("a", two), ("b", three), ("c", three)]);
    }
}
