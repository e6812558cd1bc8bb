//! The rules by which values are merged, and the members that take part.

use super::kept::is_kept;
use super::pairs::member;
use crate::codec::merge::{ListType, Merge};
use crate::codec::presence::{is_empty, is_omitted};
use crate::codec::{Object, Unknown, View, json};

/// The merge rule of a value.
#[derive(Clone, Copy)]
pub(super) enum Rule<'a> {
    /// That of the member that holds it.
    Member(&'a Merge),
    /// That of the list in which it is an element.
    Element(&'a Merge),
}

impl Rule<'_> {
    pub(super) const USUAL: Self = Rule::Member(&Merge::USUAL);

    /// The rule of the list's elements.
    pub(super) fn of_elements(self) -> Self {
        match self {
            Rule::Member(merge) => Rule::Element(merge),
            Rule::Element(_) => Rule::Element(&Merge::USUAL),
        }
    }

    pub(super) fn list(self) -> ListType {
        match self {
            Rule::Member(merge) => merge.list,
            Rule::Element(_) => ListType::Usual,
        }
    }

    /// Whether a member with this name identifies the value among the elements of its list.
    fn is_key(self, name: &str) -> bool {
        matches!(self, Rule::Element(merge) if merge.keys().any(|key| key == name))
    }
}

/// Whether the value replaces another one as a whole.
pub(super) fn is_atomic(rule: Rule<'_>, view: View<'_>) -> bool {
    match view {
        View::List(_) => !matches!(rule.list(), ListType::Set | ListType::Map(_)),
        View::Object(object) if object.table().is_atomic => true,
        _ => rule.list() == ListType::Atomic,
    }
}

/// The values that identify an element of a list: those of its keys, or the element itself in a set. None if it has no
/// key.
pub(super) fn key_of(element: View<'_>, rule: Rule<'_>) -> Option<Vec<u8>> {
    let ListType::Map(keys) = rule.list() else { return Some(json::write(&element)) };
    let (mut text, mut has_any) = (Vec::with_capacity(32), false);
    for (name, default) in keys {
        let value = member(element, name);
        if value.is_absent() {
            text.extend_from_slice(default.as_bytes());
        } else {
            json::append(&mut text, &value);
        }
        has_any |= text.last().is_some_and(|byte| *byte != b',');
        text.push(b',');
    }
    has_any.then_some(text)
}

/// Visits the members of an object that are set, with their indices: those that are encoded, without required ones that
/// are empty. Empty ones count if they identify an element, or were [extracted](super::extract), or if a server
/// distinguishes them from absent ones. Returns the unknown members, if any.
///
/// The [schema](crate::codec::schema::Schema::of) of the type must have been made before.
pub(super) fn visit_set<'a>(
    object: &'a dyn Object,
    rule: Rule<'_>,
    visit: &mut dyn FnMut(usize, View<'a>),
) -> Option<&'a Unknown> {
    let (table, names) = (object.table(), object.table().keys.names());
    let unset = table.keys.index().unset(object);
    let mut unknown: Option<&Unknown> = None;
    object.visit_members(&mut |index, view| {
        let Some(name) = names.get(index) else {
            if let View::Unknown(members) = view {
                unknown = Some(members);
            }
            return;
        };
        let is_unset = || {
            unset.contains(index)
                && is_unset(view)
                && !unknown.is_some_and(Unknown::is_exact)
                && !rule.is_key(name)
                && !is_kept(table.name, name)
        };
        if !view.is_absent() && !is_omitted(unknown, index, &view) && !is_unset() {
            visit(index, view);
        }
    });
    unknown
}

/// Whether a required member with this value is not set.
fn is_unset(view: View<'_>) -> bool {
    match view {
        View::Raw(text) => matches!(text, "{}" | "[]"),
        View::Object(object) => {
            let mut is_unset = true;
            let unknown = visit_set(object, Rule::USUAL, &mut |_, _| is_unset = false);
            is_unset && unknown.is_none_or(Unknown::is_empty)
        }
        view => is_empty(&view),
    }
}
