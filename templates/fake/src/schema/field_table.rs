//! The fields of a struct.

use super::SchemaId;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The fields of a struct by name, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldTable {
    fields: Vec<(String, SchemaId)>,
    /// The index of a field behind its hash, or else behind the next slot that is free: made on first use. Bodies name
    /// fields more often than anything else, and a search among sorted names takes five times as long.
    slots: OnceLock<Box<[u16]>>,
}

/// A slot without a field.
const FREE: u16 = u16::MAX;

impl FieldTable {
    #[inline]
    pub(crate) fn get(&self, name: &str) -> Option<&SchemaId> {
        let slots = self.slots.get_or_init(|| self.slots());
        let mut slot = hash(name);
        loop {
            let index = *slots.get(slot & (slots.len() - 1))?;
            let (known, id) = self.fields.get(usize::from(index))?;
            if known == name {
                return Some(id);
            }
            slot += 1;
        }
    }

    /// Half of the slots or more are free, so that each search ends.
    fn slots(&self) -> Box<[u16]> {
        let mut slots = vec![FREE; (self.fields.len() * 2).next_power_of_two()].into_boxed_slice();
        let mask = slots.len() - 1;
        for (index, (name, _)) in self.fields.iter().enumerate() {
            let mut slot = hash(name);
            while slots[slot & mask] != FREE {
                slot += 1;
            }
            slots[slot & mask] = u16::try_from(index).unwrap_or(FREE);
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
        for count in [0, 1, 2, 3, 100, 1000] {
            let name = |index: usize| format!("{}{index}", ["", "a", "\u{e9}"][index % 3]);
            let table: FieldTable = (0..count).map(|index| (name(index), schemas.add(Schema::default()))).collect();
            for index in 0..count {
                let id = table.get(&name(index)).copied();
                assert!(id.is_some() && table.iter().any(|(known, found)| *known == name(index) && Some(*found) == id));
            }
            assert_eq!((table.get(""), table.get("b"), table.get(&name(count))), (None, None, None));
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
