//! Two typed values, side by side.

use crate::codec::{Map, Object, Unknown, View, visit_encoded, visit_known, visit_unknown};

/// A member or entry of two objects. On a side that does not have it, it is absent.
pub(super) struct Pair<'a> {
    /// The index in the table. None for what only a key names.
    pub(super) member: Option<usize>,
    pub(super) key: &'a str,
    pub(super) old: View<'a>,
    pub(super) new: View<'a>,
}

/// The members that at least one side encodes: those that the type knows, in their order, and then the others by name.
pub(super) fn members<'a>(old: &'a dyn Object, new: &'a dyn Object) -> Vec<Pair<'a>> {
    let names = old.table().keys.names();
    let mut known: Vec<(usize, View<'a>)> = Vec::new();
    let olds = visit_known(old, &mut |index, view| known.push((index, view)));
    let mut pairs = Vec::with_capacity(known.len());
    let mut known = known.into_iter().peekable();
    let pair = |index: usize, old, new| Pair { member: Some(index), key: names[index], old, new };
    let news = visit_known(new, &mut |index, new| {
        while let Some((index, old)) = known.next_if(|(old, _)| *old < index) {
            pairs.push(pair(index, old, View::Absent));
        }
        let old = known.next_if(|(old, _)| *old == index).map_or(View::Absent, |(_, old)| old);
        pairs.push(pair(index, old, new));
    });
    pairs.extend(known.map(|(index, old)| pair(index, old, View::Absent)));
    pairs.retain(|pair| !pair.old.is_absent() || !pair.new.is_absent());
    if olds.is_some() || news.is_some() {
        join(unknown(old, olds), unknown(new, news), &mut pairs);
    }
    pairs
}

fn unknown<'a>(object: &dyn Object, members: Option<&'a Unknown>) -> Vec<(&'a str, View<'a>)> {
    let mut listed = Vec::new();
    if let Some(members) = members {
        visit_unknown(object, members, &mut |key, view| listed.push((key, view)));
    }
    listed
}

/// The entries that at least one side has.
pub(super) fn entries<'a>(old: &'a dyn Map, new: &'a dyn Map) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    join(listed(old), listed(new), &mut pairs);
    pairs
}

fn listed(map: &dyn Map) -> Vec<(&str, View<'_>)> {
    let mut entries = Vec::new();
    map.visit_entries(&mut |key, view| entries.push((key, view)));
    entries
}

/// Adds the pairs of two lists in the order of their keys.
fn join<'a>(old: Vec<(&'a str, View<'a>)>, new: Vec<(&'a str, View<'a>)>, pairs: &mut Vec<Pair<'a>>) {
    let mut olds = old.into_iter().peekable();
    for (key, new) in new {
        while let Some((key, old)) = olds.next_if(|(old, _)| *old < key) {
            pairs.push(Pair { member: None, key, old, new: View::Absent });
        }
        let old = olds.next_if(|(old, _)| *old == key).map_or(View::Absent, |(_, old)| old);
        pairs.push(Pair { member: None, key, old, new });
    }
    pairs.extend(olds.map(|(key, old)| Pair { member: None, key, old, new: View::Absent }));
}

/// The member with this key of an object.
pub(super) fn member<'a>(value: View<'a>, key: &str) -> View<'a> {
    let View::Object(object) = value else { return View::Absent };
    let mut found = View::Absent;
    visit_encoded(object, &mut |name, view| {
        if name == key {
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
        (View::Str(old) | View::Zero(old), View::Str(new) | View::Zero(new)) => old == new,
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
