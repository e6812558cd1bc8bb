//! Two typed values, side by side.

use crate::codec::{Map, Object, View};

/// A member or entry of two objects. On a side that does not have it, it is absent.
pub(super) struct Pair<'a> {
    /// The index in the table. None for what only a key names.
    pub(super) member: Option<usize>,
    pub(super) key: &'a str,
    pub(super) old: View<'a>,
    pub(super) new: View<'a>,
}

/// The members that at least one side has.
pub(super) fn members<'a>(old: &'a dyn Object, new: &'a dyn Object) -> Vec<Pair<'a>> {
    let names = old.table().keys.names();
    let mut pairs: Vec<Pair<'a>> = Vec::with_capacity(names.len());
    old.visit_members(&mut |index, old| {
        pairs.push(Pair { member: Some(index), key: names[index], old, new: View::Absent });
    });
    let mut at = 0;
    new.visit_members(&mut |index, new| {
        // Members come in their order, so that what is behind was passed.
        while pairs.get(at).is_some_and(|pair| pair.member < Some(index)) {
            at += 1;
        }
        match pairs.get_mut(at) {
            Some(pair) if pair.member == Some(index) => pair.new = new,
            _ => pairs.insert(at, Pair { member: Some(index), key: names[index], old: View::Absent, new }),
        }
    });
    pairs.retain(|pair| !pair.old.is_absent() || !pair.new.is_absent());
    pairs
}

/// The entries that at least one side has.
pub(super) fn entries<'a>(old: &'a dyn Map, new: &'a dyn Map) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    let mut olds = listed(old).into_iter().peekable();
    for (key, new) in listed(new) {
        while let Some((key, old)) = olds.next_if(|(old, _)| *old < key) {
            pairs.push(Pair { member: None, key, old, new: View::Absent });
        }
        let old = olds.next_if(|(old, _)| *old == key).map_or(View::Absent, |(_, old)| old);
        pairs.push(Pair { member: None, key, old, new });
    }
    pairs.extend(olds.map(|(key, old)| Pair { member: None, key, old, new: View::Absent }));
    pairs
}

fn listed(map: &dyn Map) -> Vec<(&str, View<'_>)> {
    let mut entries = Vec::new();
    map.visit_entries(&mut |key, view| entries.push((key, view)));
    entries
}

/// The member with this key of an object.
pub(super) fn member<'a>(value: View<'a>, key: &str) -> View<'a> {
    let View::Object(object) = value else { return View::Absent };
    let mut found = View::Absent;
    let names = object.table().keys.names();
    object.visit_members(&mut |index, view| {
        if names[index] == key {
            found = view;
        }
    });
    found
}

/// Whether two values are the same JSON.
pub(super) fn same(old: View<'_>, new: View<'_>) -> bool {
    match (old, new) {
        (View::Absent | View::Null, View::Absent | View::Null) => true,
        (View::Bool(old), View::Bool(new)) => old == new,
        (View::Int(old), View::Int(new)) => old == new,
        (View::Double(old), View::Double(new)) => old.to_bits() == new.to_bits() || old == new,
        (View::Str(old), View::Str(new)) => old == new,
        (View::Display(old), View::Display(new)) => old.to_string() == new.to_string(),
        (View::Raw(old), View::Raw(new)) => old == new || same_json(old, new),
        (View::Object(old), View::Object(new)) => members(old, new).iter().all(Pair::is_same),
        (View::Map(old), View::Map(new)) => entries(old, new).iter().all(Pair::is_same),
        (View::List(old), View::List(new)) => {
            old.count() == new.count() && (0..old.count()).all(|at| same(old.element(at), new.element(at)))
        }
        _ => false,
    }
}

impl Pair<'_> {
    fn is_same(&self) -> bool {
        same(self.old, self.new)
    }
}

/// Whether two texts are the same JSON. What no tree can hold is compared as text.
fn same_json(old: &str, new: &str) -> bool {
    let tree = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    matches!((tree(old), tree(new)), (Some(old), Some(new)) if old == new)
}
