//! Which elements of two lists belong together.

use super::pairs::{Pairs, Span, member};
use crate::codec::member_set::MemberSet;
use crate::codec::merge::{ListType, Merge, PatchStrategy};
use crate::codec::{List, View, json};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

/// The elements of two lists that stay, in ascending order on both sides. All others are removed or added.
pub(super) struct Alignment {
    pub(super) kept: Kept,
    /// The members that identify elements. Empty where there are none.
    pub(super) keys: Keys,
}

/// The elements that stay.
pub(super) enum Kept {
    /// All of them, so many.
    All(usize),
    /// All of them, with their members.
    Visited(Vec<Span>),
    /// Those with these indices in the old list, and in the new one.
    Some(Vec<(usize, usize)>),
}

/// The names of the members that identify the elements of a list.
#[derive(Clone, Copy)]
pub(super) enum Keys {
    None,
    One(&'static str),
    /// Each with its default.
    Several(&'static [(&'static str, &'static str)]),
}

impl Alignment {
    /// Aligns two lists. Members of their elements may stay on the stack, for their spans.
    pub(super) fn of<'a>(pairs: &mut Pairs<'a>, old: &'a dyn List, new: &'a dyn List, merge: &Merge) -> Self {
        let keys = Keys::of(merge);
        if !keys.is_empty() {
            let base = pairs.len();
            if let Some(kept) = in_place(pairs, old, new, keys) {
                return Self { kept: Kept::Visited(kept), keys };
            }
            pairs.truncate(base);
            if let (Some(old), Some(new)) = (indices(old, keys), indices(new, keys)) {
                let mut moved: Vec<_> = new.iter().filter_map(|(key, at)| Some((*old.get(key)?, *at))).collect();
                moved.sort_unstable_by_key(|(_, new)| *new);
                return Self { kept: Kept::Some(increasing(&moved)), keys };
            }
        }
        let is_as_long = old.count() == new.count();
        let kept = if is_as_long { Kept::All(old.count()) } else { Kept::Some(ends(pairs, old, new)) };
        Self { kept, keys: Keys::None }
    }

    /// The indices of the old list that do not stay.
    pub(super) fn removed(&self, old: &dyn List) -> Vec<usize> {
        self.kept.others(old.count(), |(old, _)| old)
    }

    /// The indices of the new list that were not there before.
    pub(super) fn added(&self, new: &dyn List) -> Vec<usize> {
        self.kept.others(new.count(), |(_, new)| new)
    }
}

impl Kept {
    pub(super) fn len(&self) -> usize {
        match self {
            Kept::All(count) => *count,
            Kept::Visited(members) => members.len(),
            Kept::Some(indices) => indices.len(),
        }
    }

    /// An element that stays: its index in the old list, and in the new one, and its members if they were visited.
    pub(super) fn get(&self, at: usize) -> (usize, usize, Option<Span>) {
        match self {
            Kept::All(_) => (at, at, None),
            Kept::Visited(members) => (at, at, Some(members[at])),
            Kept::Some(indices) => (indices[at].0, indices[at].1, None),
        }
    }

    /// The indices below this number that do not stay on one side.
    fn others(&self, count: usize, side: fn((usize, usize)) -> usize) -> Vec<usize> {
        let Kept::Some(indices) = self else { return Vec::new() };
        let mut kept = indices.iter().map(|pair| side(*pair)).peekable();
        (0..count).filter(|index| kept.next_if_eq(index).is_none()).collect()
    }
}

impl Keys {
    fn of(merge: &Merge) -> Self {
        match (merge.list, merge.patch) {
            (ListType::Map(keys), _) => Keys::Several(keys),
            (_, PatchStrategy::Merge(key)) if !key.is_empty() => Keys::One(key),
            _ => Keys::None,
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.names().next().is_none()
    }

    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        let (one, several) = match self {
            Keys::None => (None, &[][..]),
            Keys::One(name) => (Some(name), &[][..]),
            Keys::Several(names) => (None, names),
        };
        one.into_iter().chain(several.iter().map(|(name, _)| *name))
    }

    /// The members of an element that identify it, as far as it has them.
    pub(super) fn members(self, element: View<'_>) -> impl Iterator<Item = (&'static str, View<'_>)> {
        let members = self.names().map(move |name| (name, member(element, name)));
        members.filter(|(_, value)| !value.is_absent())
    }

    /// Writes an element's step of a path: `[name="app"]`, or its index if it has no key.
    pub(super) fn write(self, f: &mut fmt::Formatter<'_>, index: usize, element: View<'_>) -> fmt::Result {
        let mut members = self.members(element).peekable();
        if members.peek().is_none() {
            return write!(f, "[{index}]");
        }
        for (number, (name, value)) in members.enumerate() {
            let text = json::write(&value);
            write!(f, "{}{name}={}", if number == 0 { "[" } else { "," }, String::from_utf8_lossy(&text))?;
        }
        f.write_str("]")
    }
}

/// The members of all elements, if these stay where they are, as in most changes.
fn in_place<'a>(pairs: &mut Pairs<'a>, old: &'a dyn List, new: &'a dyn List, keys: Keys) -> Option<Vec<Span>> {
    if old.count() != new.count() {
        return None;
    }
    let mut kept = Vec::with_capacity(old.count());
    let mut identifying = MemberSet::default();
    for at in 0..old.count() {
        let (View::Object(old), View::Object(new)) = (old.element(at), new.element(at)) else { return None };
        if at == 0 {
            let index = old.table().keys.index();
            identifying = keys.names().filter_map(|name| index.find(name)).collect();
        }
        let members = pairs.members(old, new);
        if !pairs.same_members(members, &identifying) {
            return None;
        }
        kept.push(members);
    }
    Some(kept)
}

/// The index of each element by its key. None if elements have no keys, or share one.
fn indices(list: &dyn List, keys: Keys) -> Option<BTreeMap<Vec<u8>, usize>> {
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
fn key_of(element: View<'_>, keys: Keys) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for (name, value) in keys.members(element) {
        text.extend(json::write(&View::Str(name)));
        text.extend(json::write(&value));
    }
    (!text.is_empty()).then_some(text)
}

/// The longest selection of pairs that ascends on both sides. It takes `n log n` steps.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair that ends such a selection with the least index; for each pair, the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    for (at, (old, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].0 < *old);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut chain: Vec<_> = std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    chain.reverse();
    chain
}

/// Elements without keys belong together from both ends as far as they are the same. Lists that are as long as each
/// other change in place.
fn ends<'a>(pairs: &mut Pairs<'a>, old: &'a dyn List, new: &'a dyn List) -> Vec<(usize, usize)> {
    let olds = old.count();
    let news = new.count();
    let shorter = olds.min(news);
    let mut is_same = |at: usize, other: usize| pairs.same(old.element(at), new.element(other));
    let head = (0..shorter).take_while(|at| is_same(*at, *at)).count();
    let tail = (1..=shorter - head).take_while(|back| is_same(olds - back, news - back)).count();
    let ends = (1..=tail).rev().map(|back| (olds - back, news - back));
    (0..head).map(|at| (at, at)).chain(ends).collect()
}
