//! Which elements of two lists belong together.

use super::pairs::{member, same};
use crate::codec::merge::{ListType, Merge, PatchStrategy};
use crate::codec::{List, View, json};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The elements of two lists that stay, in ascending order on both sides. All others are removed or added.
pub(super) struct Alignment {
    /// The index in the old list, and in the new one.
    pub(super) kept: Vec<(usize, usize)>,
    /// The members that identify elements. Empty where there are none.
    pub(super) keys: Vec<&'static str>,
}

impl Alignment {
    pub(super) fn of(old: &dyn List, new: &dyn List, merge: &Merge) -> Self {
        let keys = key_names(merge);
        if !keys.is_empty() && stay(old, new, &keys) {
            return Self { kept: (0..old.count()).map(|at| (at, at)).collect(), keys };
        }
        if !keys.is_empty()
            && let (Some(old), Some(new)) = (indices(old, &keys), indices(new, &keys))
        {
            let mut pairs: Vec<_> = new.iter().filter_map(|(key, at)| Some((*old.get(key)?, *at))).collect();
            pairs.sort_unstable_by_key(|(_, new)| *new);
            return Self { kept: increasing(&pairs), keys };
        }
        Self { kept: by_position(old, new), keys: Vec::new() }
    }

    /// The indices of the old list that do not stay.
    pub(super) fn removed(&self, old: &dyn List) -> Vec<usize> {
        others(old.count(), self.kept.iter().map(|(old, _)| *old))
    }

    /// The indices of the new list that were not there before.
    pub(super) fn added(&self, new: &dyn List) -> Vec<usize> {
        others(new.count(), self.kept.iter().map(|(_, new)| *new))
    }
}

fn others(count: usize, kept: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut kept = kept.peekable();
    (0..count).filter(|index| kept.next_if_eq(index).is_none()).collect()
}

fn key_names(merge: &Merge) -> Vec<&'static str> {
    match (merge.list, merge.patch) {
        (ListType::Map(keys), _) => keys.iter().map(|(name, _)| *name).collect(),
        (_, PatchStrategy::Merge(key)) if !key.is_empty() => vec![key],
        _ => Vec::new(),
    }
}

/// Whether all elements stay where they are, as in most changes.
fn stay(old: &dyn List, new: &dyn List, keys: &[&str]) -> bool {
    old.count() == new.count()
        && (0..old.count()).all(|at| {
            let values = keys.iter().map(|key| (member(old.element(at), key), member(new.element(at), key)));
            let (mut is_same, mut has_key) = (true, false);
            for (old, new) in values {
                is_same &= same(old, new);
                has_key |= !old.is_absent();
            }
            is_same && has_key
        })
}

/// The index of each element by its key. None if elements have no keys, or share one.
fn indices(list: &dyn List, keys: &[&str]) -> Option<BTreeMap<Vec<u8>, usize>> {
    let mut indices = BTreeMap::new();
    for index in 0..list.count() {
        match indices.entry(key_of(list.element(index), keys)?) {
            Entry::Vacant(entry) => _ = entry.insert(index),
            Entry::Occupied(_) => return None,
        }
    }
    Some(indices)
}

/// The values of the members that identify an element. None if it has none of them.
fn key_of(element: View<'_>, keys: &[&str]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for key in keys {
        let value = member(element, key);
        if !value.is_absent() {
            text.extend(json::write(&View::Str(key)));
            text.extend(json::write(&value));
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The longest selection of pairs that ascends on both sides. It takes `n log n` steps.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair that ends such a selection with the least index; for each pair, the one before it.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (at, (old, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].0 < *old);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut chain: Vec<_> = std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    chain.reverse();
    chain
}

/// Elements without keys belong together from both ends as far as they are the same; between these ends, by their order
/// if there are as many on both sides.
fn by_position(old: &dyn List, new: &dyn List) -> Vec<(usize, usize)> {
    let (olds, news) = (old.count(), new.count());
    let shorter = olds.min(news);
    let is_same = |at: usize, other: usize| same(old.element(at), new.element(other));
    let head = if olds == news { shorter } else { (0..shorter).take_while(|at| is_same(*at, *at)).count() };
    let tail = (1..=shorter - head).take_while(|back| is_same(olds - back, news - back)).count();
    let ends = (1..=tail).rev().map(|back| (olds - back, news - back));
    (0..head).map(|at| (at, at)).chain(ends).collect()
}
