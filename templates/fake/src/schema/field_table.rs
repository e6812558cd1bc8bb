//! The fields of a struct.

use super::SchemaId;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The fields of a struct by name, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldTable {
    fields: Vec<(String, SchemaId)>,
    /// The index of a field behind its hash, or else in one of the next slots: made on first use. Bodies name fields
    /// more often than anything else, and a search among sorted names takes five times as long. Empty where too many
    /// names collide.
    slots: OnceLock<Box<[u16]>>,
}

/// The most slots that a search looks at. Where more names collide, a search among the sorted names is used.
const PROBES: usize = 16;
/// A slot without a field.
const FREE: u16 = u16::MAX;

impl FieldTable {
    #[inline]
    pub(crate) fn get(&self, name: &str) -> Option<&SchemaId> {
        let slots = self.slots.get_or_init(|| self.slots());
        if slots.is_empty() {
            let index = self.fields.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
            return Some(&self.fields[index].1);
        }
        let first = hash(name);
        for slot in first..first + PROBES {
            let index = *slots.get(slot & (slots.len() - 1))?;
            let (known, id) = self.fields.get(usize::from(index))?;
            if known == name {
                return Some(id);
            }
        }
        None
    }

    /// The slots, of which half or more are free. None if too many names collide: making them then takes no longer than
    /// for other names.
    fn slots(&self) -> Box<[u16]> {
        let mut slots = vec![FREE; (self.fields.len() * 2).next_power_of_two()].into_boxed_slice();
        let mask = slots.len() - 1;
        for (index, (name, _)) in self.fields.iter().enumerate() {
            let free = (0..PROBES).map(|step| (hash(name) + step) & mask).find(|slot| slots[*slot] == FREE);
            let Some(slot) = free else { return Box::default() };
            slots[slot] = u16::try_from(index).unwrap_or(FREE);
        }
        slots
    }

    /// The field at an index of the sorted names.
    pub(crate) fn at(&self, index: usize) -> Option<(&str, SchemaId)> {
        self.fields.get(index).map(|(name, id)| (name.as_str(), *id))
    }

    /// The fields in the order of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &SchemaId)> {
        self.fields.iter().map(|(name, id)| (name, id))
    }

    /// The same fields, and these in place of those with their names.
    pub(crate) fn with(&self, more: &[(&str, SchemaId)]) -> Self {
        let own = self.fields.iter().cloned();
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
        Self { fields: sorted.into_iter().take(usize::from(FREE)).collect(), slots: OnceLock::new() }
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
                assert!(id.is_some() && table.iter().any(|(known, found)| *known == name(index) && Some(*found) == id));
            }
            assert_eq!((table.get(""), table.get("b"), table.get(&name(count))), (None, None, None));
            let has_slots = table.slots.get().is_some_and(|slots| !slots.is_empty());
            assert_eq!(has_slots, count < 17 || name(1) != colliding(1), "{count}");
        }
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
