//! Two typed values, side by side.

use crate::codec::{List, Map, Object, View, json, visit_known, visit_unknown};
use crate::values::RawJson;
use std::cmp::Ordering;
use std::fmt::{self, Write};

/// A member or entry of two objects. On a side that does not have it, it is absent.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    /// The index in the table. None for what only a key names.
    pub(super) member: Option<usize>,
    pub(super) key: &'a str,
    pub(super) old: View<'a>,
    pub(super) new: View<'a>,
}

/// The members of all objects that a walk is in, on one stack: a list for each object would cost more than to compare
/// them.
pub(super) struct Pairs<'a> {
    stack: Vec<Entry<'a>>,
}

#[derive(Clone, Copy)]
struct Entry<'a> {
    /// The index in the table, or [`KEYED`].
    index: usize,
    key: &'a str,
    view: View<'a>,
}

/// The index of what only a key names. Such entries come last, in the order of their keys.
const KEYED: usize = usize::MAX;

/// The members of an object, or the entries of a map: their positions on the stack.
pub(super) type Members = (usize, usize);

/// The members of two objects. Those that were visited are cut off.
#[derive(Clone, Copy)]
pub(super) struct Span {
    old: Members,
    new: Members,
}

impl<'a> Pairs<'a> {
    pub(super) fn new() -> Self {
        // Enough for most objects.
        Self { stack: Vec::with_capacity(256) }
    }

    /// The size of the stack, to cut it to.
    pub(super) fn len(&self) -> usize {
        self.stack.len()
    }

    /// Forgets what was added since the stack had this size.
    pub(super) fn truncate(&mut self, length: usize) {
        self.stack.truncate(length);
    }

    /// Adds the members of two objects: those that are encoded.
    pub(super) fn members(&mut self, old: &'a dyn Object, new: &'a dyn Object) -> Span {
        Span { old: self.add(old), new: self.add(new) }
    }

    /// Adds the entries of two maps.
    pub(super) fn entries(&mut self, old: &'a dyn Map, new: &'a dyn Map) -> Span {
        Span { old: self.add_map(old), new: self.add_map(new) }
    }

    /// Adds the members of an object.
    pub(super) fn add(&mut self, object: &'a dyn Object) -> Members {
        let (start, names) = (self.len(), object.table().keys.names());
        let stack = &mut self.stack;
        let unknown = visit_known(object, |index, view| stack.push(Entry { index, key: names[index], view }));
        if let Some(unknown) = unknown {
            visit_unknown(object, unknown, &mut |key, view| self.stack.push(Entry { index: KEYED, key, view }));
        }
        (start, self.len())
    }

    /// Adds the entries of a map.
    pub(super) fn add_map(&mut self, map: &'a dyn Map) -> Members {
        let start = self.len();
        map.visit_entries(&mut |key, view| self.stack.push(Entry { index: KEYED, key, view }));
        (start, self.len())
    }

    /// The known member with this index.
    pub(super) fn member(&self, members: Members, index: usize) -> View<'a> {
        self.find(members, |entry| entry.index.cmp(&index))
    }

    /// The entry with this key, or the unknown member.
    pub(super) fn entry(&self, members: Members, key: &str) -> View<'a> {
        self.find(members, |entry| entry.index.cmp(&KEYED).then_with(|| entry.key.cmp(key)))
    }

    fn find(&self, (start, end): Members, order: impl FnMut(&Entry<'a>) -> Ordering) -> View<'a> {
        let entries = &self.stack[start..end];
        entries.binary_search_by(order).map_or(View::Absent, |at| entries[at].view)
    }

    /// The next pair that may differ: it is no scalar that is the same on both sides.
    pub(super) fn next(&self, span: &mut Span) -> Option<Pair<'a>> {
        loop {
            let old = self.stack[span.old.0..span.old.1].first();
            let new = self.stack[span.new.0..span.new.1].first();
            let order = match (old, new) {
                (Some(old), Some(new)) => old.cmp(new),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return None,
            };
            let old = old.filter(|_| order.is_le());
            let new = new.filter(|_| order.is_ge());
            span.old.0 += usize::from(old.is_some());
            span.new.0 += usize::from(new.is_some());
            let view = |entry: Option<&Entry<'a>>| entry.map_or(View::Absent, |entry| entry.view);
            let (from, to) = (view(old), view(new));
            if same_leaf(from, to) != Some(true)
                && let Some(Entry { index, key, .. }) = old.or(new)
            {
                return Some(Pair { member: (*index != KEYED).then_some(*index), key, old: from, new: to });
            }
        }
    }

    /// Whether two objects have the same values as the members with these names, and at least one of them.
    pub(super) fn same_members(
        &mut self,
        object: &dyn Object,
        span: Span,
        names: impl Iterator<Item = &'static str>,
    ) -> bool {
        let (mut is_same, mut has_any) = (true, false);
        for name in names {
            let index = object.table().keys.index().find(name);
            let [old, new] =
                [span.old, span.new].map(|members| index.map_or(View::Absent, |index| self.member(members, index)));
            is_same &= self.same(old, new);
            has_any |= !old.is_absent();
        }
        is_same && has_any
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
            if !self.same(pair.old, pair.new) {
                return false;
            }
        }
        true
    }

    fn same_elements(&mut self, old: &'a dyn List, new: &'a dyn List) -> bool {
        old.count() == new.count() && (0..old.count()).all(|at| self.same(old.element(at), new.element(at)))
    }
}

impl Entry<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match self.index.cmp(&other.index) {
            Ordering::Equal if self.index == KEYED => self.key.cmp(other.key),
            order => order,
        }
    }
}

/// The member with this key of an object.
pub(super) fn member<'a>(value: View<'a>, key: &str) -> View<'a> {
    let View::Object(object) = value else { return View::Absent };
    let mut found = View::Absent;
    if let Some(wanted) = object.table().keys.index().find(key) {
        visit_known(object, |index, view| {
            if index == wanted {
                found = view;
            }
        });
    }
    found
}

/// Whether two values are the same JSON. None: their parts decide.
fn same_leaf(old: View<'_>, new: View<'_>) -> Option<bool> {
    Some(match (old, new) {
        (View::Str(old) | View::Zero(old), View::Str(new) | View::Zero(new)) => old == new,
        (View::Object(_), View::Object(_)) | (View::Map(_), View::Map(_)) | (View::List(_), View::List(_)) => {
            return None;
        }
        (View::Bool(old), View::Bool(new)) => old == new,
        (View::Int(old), View::Int(new)) => old == new,
        (View::Double(old), View::Double(new)) => json::write(&View::Double(old)) == json::write(&View::Double(new)),
        (View::Display(old), View::Display(new)) => same_text(old, new),
        (View::Raw(old), View::Raw(new)) => old == new || same_json(old, new),
        (old, new) => old.is_absent() && new.is_absent(),
    })
}

/// Whether two values are formatted alike.
fn same_text(old: &dyn fmt::Display, new: &dyn fmt::Display) -> bool {
    /// The part of the text that has not been compared yet.
    struct Rest<'a>(&'a str);
    impl Write for Rest<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    let mut text = String::with_capacity(64);
    write!(text, "{old}").expect("a string takes everything");
    let mut rest = Rest(&text);
    write!(rest, "{new}").is_ok() && rest.0.is_empty()
}

/// Whether two texts are the same JSON. What no tree can hold is compared as text.
///
/// Trees distinguish `1` from `1.0`, as receivers may, and canonical forms the digits that no tree holds.
fn same_json(old: &str, new: &str) -> bool {
    let tree = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    let exact = |text: &str| RawJson::of_encoded(text.into());
    matches!((tree(old), tree(new)), (Some(old), Some(new)) if old == new) && exact(old) == exact(new)
}
