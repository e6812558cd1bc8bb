//! Two typed values, side by side.

use crate::codec::MemberSet;
use crate::codec::table::{ListType, Merge, PatchStrategy};
use crate::codec::{List, Map, Object, View, json, visit_known, visit_unknown};
use crate::values::RawJson;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

/// A member or entry of two objects. On a side that does not have it, it is absent.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    /// The index in the table. `None` if only a key names it.
    pub(super) member: Option<usize>,
    pub(super) key: &'a str,
    pub(super) old: View<'a>,
    pub(super) new: View<'a>,
}

impl Pair<'_> {
    /// Whether the value of a side is absent.
    pub(super) fn lacks(&self, view: View<'_>) -> bool {
        matches!(view, View::Absent) || self.member.is_some() && view.is_absent()
    }
}

/// The pairs of all objects that a walk is in, on one stack: a list for each object would cost more
/// than to compare them. Members that are the same scalar on both sides are left out.
pub(super) struct Pairs<'a> {
    stack: Vec<Pair<'a>>,
    /// The members of the last object on the old side.
    members: Side<'a, usize>,
    /// The entries of the last map on the old side.
    entries: Side<'a, &'a str>,
}

/// The pairs of two objects or maps: their positions on the stack. Visited pairs are cut off.
#[derive(Clone, Copy)]
pub(super) struct Span {
    start: usize,
    end: usize,
}

/// The old side of two objects or maps, in the order of the keys.
struct Side<'a, K> {
    values: Vec<(K, View<'a>)>,
    /// The number of paired ones.
    paired: usize,
}

impl<'a, K: Copy + Ord> Side<'a, K> {
    fn clear(&mut self) {
        self.values.clear();
        self.paired = 0;
    }

    /// Pairs a value of the new side with its own, and the ones before it with nothing.
    #[inline]
    fn pair(&mut self, key: K, new: View<'a>, mut visit: impl FnMut(K, View<'a>, View<'a>)) {
        match self.values.get(self.paired) {
            Some((at, old)) if *at == key => {
                self.paired += 1;
                visit(key, *old, new);
            }
            _ => self.pair_later(key, new, &mut visit),
        }
    }

    /// Not inlined: nearly always both sides have the same keys.
    #[inline(never)]
    fn pair_later(&mut self, key: K, new: View<'a>, visit: &mut dyn FnMut(K, View<'a>, View<'a>)) {
        while let Some((at, old)) = self.values.get(self.paired).filter(|(at, _)| *at <= key) {
            self.paired += 1;
            if *at == key {
                return visit(key, *old, new);
            }
            visit(*at, *old, View::Absent);
        }
        visit(key, View::Absent, new);
    }

    /// Pairs all others with nothing.
    fn pair_rest(&mut self, mut visit: impl FnMut(K, View<'a>, View<'a>)) {
        for (key, old) in &self.values[self.paired..] {
            visit(*key, *old, View::Absent);
        }
    }
}

impl<'a> Pairs<'a> {
    pub(super) fn new() -> Self {
        // Enough for most objects.
        let members = Vec::with_capacity(64);
        let entries = Vec::with_capacity(16);
        Self {
            stack: Vec::with_capacity(64),
            members: Side { values: members, paired: 0 },
            entries: Side { values: entries, paired: 0 },
        }
    }

    /// The size of the stack, to cut it to.
    pub(super) fn len(&self) -> usize {
        self.stack.len()
    }

    /// Forgets the pairs that were added since the stack had this size.
    pub(super) fn truncate(&mut self, length: usize) {
        self.stack.truncate(length);
    }

    /// Adds the encoded members of two objects.
    pub(super) fn members(&mut self, old: &'a dyn Object, new: &'a dyn Object) -> Span {
        let start = self.len();
        let names = old.table().keys.names();
        let Self { stack, members, .. } = self;
        members.clear();
        let old_unknown = visit_known(old, |index, view| members.values.push((index, view)));
        let mut push = |index: usize, old, new| push(stack, Some(index), || names[index], old, new);
        let new_unknown = visit_known(new, |index, view| members.pair(index, view, &mut push));
        members.pair_rest(&mut push);
        if old_unknown.is_some() || new_unknown.is_some() {
            self.pair_entries(
                &mut |visit| _ = old_unknown.map(|unknown| visit_unknown(old, unknown, visit)),
                &mut |visit| _ = new_unknown.map(|unknown| visit_unknown(new, unknown, visit)),
            );
        }
        Span { start, end: self.len() }
    }

    /// Adds the entries of two maps.
    pub(super) fn entries(&mut self, old: &'a dyn Map, new: &'a dyn Map) -> Span {
        let start = self.len();
        self.pair_entries(&mut |visit| old.visit_entries(visit), &mut |visit| {
            new.visit_entries(visit);
        });
        Span { start, end: self.len() }
    }

    fn pair_entries(&mut self, old: Visit<'_, 'a>, new: Visit<'_, 'a>) {
        let Self { stack, entries, .. } = self;
        entries.clear();
        old(&mut |key, view| entries.values.push((key, view)));
        let mut push = |key, old, new| push(stack, None, || key, old, new);
        new(&mut |key, view| entries.pair(key, view, &mut push));
        entries.pair_rest(&mut push);
    }

    /// The next pair.
    pub(super) fn next(&self, span: &mut Span) -> Option<Pair<'a>> {
        let pair = *self.stack[..span.end].get(span.start)?;
        span.start += 1;
        Some(pair)
    }

    /// Whether the two objects that were added last have the same scalars as these members, and at
    /// least one of them.
    fn same_members(&self, span: Span, wanted: &MemberSet) -> bool {
        let mut members = self.stack[span.start..span.end].iter().filter_map(|pair| pair.member);
        !members.any(|index| wanted.contains(index))
            && self.members.values.iter().any(|(index, _)| wanted.contains(*index))
    }

    /// Whether two values are the same JSON.
    pub(super) fn same(&mut self, old: View<'a>, new: View<'a>) -> bool {
        if let Some(is_same) = same_leaf(old, new) {
            return is_same;
        }
        let base = self.len();
        let is_same = match (old, new) {
            (View::Object(old), View::Object(new)) => {
                let span = self.members(old, new);
                self.all_same(span)
            }
            (View::Map(old), View::Map(new)) => {
                let span = self.entries(old, new);
                self.all_same(span)
            }
            (View::List(old), View::List(new)) => self.same_elements(old, new),
            _ => false,
        };
        self.truncate(base);
        is_same
    }

    fn all_same(&mut self, mut span: Span) -> bool {
        while let Some(pair) = self.next(&mut span) {
            if is_lone(pair.member, pair.old, pair.new) || !self.same(pair.old, pair.new) {
                return false;
            }
        }
        true
    }

    fn same_elements(&mut self, old: &'a dyn List, new: &'a dyn List) -> bool {
        old.count() == new.count()
            && (0..old.count()).all(|at| self.same(old.element(at), new.element(at)))
    }
}

/// Visits the entries of a map in the order of their keys.
type Visit<'v, 'a> = &'v mut dyn FnMut(&mut dyn FnMut(&'a str, View<'a>));

/// Adds a pair that is not the same scalar on both sides.
#[inline]
fn push<'a>(
    stack: &mut Vec<Pair<'a>>,
    member: Option<usize>,
    key: impl Fn() -> &'a str,
    old: View<'a>,
    new: View<'a>,
) {
    let is_same = match (old, new) {
        // Most members.
        (View::Str(old), View::Str(new)) => old == new,
        (View::Int(old), View::Int(new)) => old == new,
        (View::Object(_), View::Object(_)) | (View::List(_), View::List(_)) => false,
        (old, new) => !is_lone(member, old, new) && same_leaf(old, new) == Some(true),
    };
    if !is_same {
        stack.push(Pair { member, key: key(), old, new });
    }
}

/// Whether only one side has a value, and any `null` would be one there: it may mean absent for
/// known members alone.
fn is_lone(member: Option<usize>, old: View<'_>, new: View<'_>) -> bool {
    member.is_none() && (matches!(old, View::Absent) || matches!(new, View::Absent))
}

/// The member with this key of an object, unless it is `null`.
pub(super) fn member<'a>(value: View<'a>, key: &str) -> View<'a> {
    let View::Object(object) = value else { return View::Absent };
    let mut found = View::Absent;
    if let Some(wanted) = object.table().keys.index().find(key) {
        visit_known(object, |index, view| {
            if index == wanted && !matches!(view, View::Null) {
                found = view;
            }
        });
    }
    found
}

/// The resource version of an object, if it has one.
pub(super) fn version(object: View<'_>) -> Option<&str> {
    match member(member(object, "metadata"), "resourceVersion") {
        View::Str(version) if !version.is_empty() => Some(version),
        _ => None,
    }
}

/// Whether two values are the same JSON. None: their parts decide.
fn same_leaf(old: View<'_>, new: View<'_>) -> Option<bool> {
    Some(match (old, new) {
        (View::Str(old) | View::Zero(old), View::Str(new) | View::Zero(new)) => old == new,
        (View::Object(_), View::Object(_))
        | (View::Map(_), View::Map(_))
        | (View::List(_), View::List(_)) => {
            return None;
        }
        (View::Bool(old), View::Bool(new)) => old == new,
        (View::Int(old), View::Int(new)) => old == new,
        (View::Double(old), View::Double(new)) => {
            json::write(&View::Double(old)) == json::write(&View::Double(new))
        }
        (View::Display(old), View::Display(new)) => old.equals(new),
        (View::Raw(old), View::Raw(new)) => old == new || same_json(old, new),
        (View::BySerde(_), View::BySerde(_)) => {
            matches!((old.free_json(), new.free_json()), (Some(old), Some(new)) if old == new || same_json(&old, &new))
        }
        (View::Null, View::Null) => true,
        (old, new) => old.is_absent() && new.is_absent(),
    })
}

/// Whether two texts are the same JSON. Values that no tree can hold are compared as text.
///
/// Trees distinguish `1` from `1.0`, as receivers may, and canonical forms the digits that no tree
/// holds.
fn same_json(old: &str, new: &str) -> bool {
    let trees = [old, new].map(serde_json::from_str::<serde_json::Value>);
    matches!(&trees, [Ok(old), Ok(new)] if old == new)
        && RawJson::of_encoded(old.into()) == RawJson::of_encoded(new.into())
}

/// The elements of two lists that stay, in ascending order on both sides. All others are removed or
/// added.
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
    /// The elements with these indices in the old list, and in the new one.
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
    pub(super) fn of<'a>(
        pairs: &mut Pairs<'a>,
        old: &'a dyn List,
        new: &'a dyn List,
        merge: &Merge,
    ) -> Self {
        let keys = Keys::new(merge);
        if !keys.is_empty() {
            let base = pairs.len();
            if let Some(kept) = in_place(pairs, old, new, keys) {
                return Self { kept: Kept::Visited(kept), keys };
            }
            pairs.truncate(base);
            if let (Some(old), Some(new)) = (indices(old, keys), indices(new, keys)) {
                let mut moved: Vec<_> =
                    new.iter().filter_map(|(key, at)| Some((*old.get(key)?, *at))).collect();
                moved.sort_unstable_by_key(|(_, new)| *new);
                return Self { kept: Kept::Some(increasing(&moved)), keys };
            }
        }
        let is_as_long = old.count() == new.count();
        let kept =
            if is_as_long { Kept::All(old.count()) } else { Kept::Some(ends(pairs, old, new)) };
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

    /// An element that stays: its index in the old list, and in the new one, and its members if
    /// they were visited.
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
    fn new(merge: &Merge) -> Self {
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
    pub(super) fn members(
        self,
        element: View<'_>,
    ) -> impl Iterator<Item = (&'static str, View<'_>)> {
        let members = self.names().map(move |name| (name, member(element, name)));
        members.filter(|(_, value)| !value.is_absent())
    }

    /// Writes an element's step of a path: `[name="app"]`, or its index if it has no key.
    pub(super) fn write(
        self,
        f: &mut fmt::Formatter<'_>,
        index: usize,
        element: View<'_>,
    ) -> fmt::Result {
        let mut members = self.members(element).peekable();
        if members.peek().is_none() {
            return write!(f, "[{index}]");
        }
        for (number, (name, value)) in members.enumerate() {
            let text = json::write(&value);
            write!(
                f,
                "{}{name}={}",
                if number == 0 { "[" } else { "," },
                String::from_utf8_lossy(&text)
            )?;
        }
        f.write_str("]")
    }
}

/// The members of all elements, if these stay where they are, as in most changes.
fn in_place<'a>(
    pairs: &mut Pairs<'a>,
    old: &'a dyn List,
    new: &'a dyn List,
    keys: Keys,
) -> Option<Vec<Span>> {
    if old.count() != new.count() {
        return None;
    }
    let mut kept = Vec::with_capacity(old.count());
    let mut identifying = MemberSet::default();
    for at in 0..old.count() {
        let (View::Object(old), View::Object(new)) = (old.element(at), new.element(at)) else {
            return None;
        };
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

/// The index of each element by its key. `None` if elements have no keys, or share one.
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

/// The values of the members that identify an element. `None` if it has none of them.
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
    // For each length, the pair that ends such a selection with the least index; for each pair, the
    // one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    for (at, (old, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].0 < *old);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut chain: Vec<_> =
        std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    chain.reverse();
    chain
}

/// Pairs elements without keys from both ends, as long as they are the same. Lists that are as long
/// as each other change in place.
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
