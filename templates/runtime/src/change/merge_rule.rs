//! The rules by which values are merged, and the members that take part.

use super::kept::is_kept;
use super::pairs::member;
use crate::codec::merge::{ListType, Merge};
use crate::codec::number::{self, whole};
use crate::codec::presence::{is_empty, is_omitted};
use crate::codec::{Object, Unknown, View, json};
use std::borrow::Cow;

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

/// The values that identify an element of a list: those of its keys, or the element itself in a set. They are compared
/// where they stand: most are strings.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key<'a> {
    first: Part<'a>,
    /// Few lists have elements with several keys.
    rest: Vec<Part<'a>>,
}

/// One of the values that identify an element.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    Absent,
    Int(i64),
    Str(Cow<'a, str>),
    /// Any other JSON.
    Other(Cow<'a, [u8]>),
}

impl<'a> Part<'a> {
    fn of(view: View<'a>) -> Self {
        match view {
            View::Int(value) => Part::Int(value),
            View::Double(value) => whole(value).map_or_else(|| Part::Other(json::write(&view).into()), Part::Int),
            View::Str(text) | View::Zero(text) => Part::Str(text.into()),
            View::Display(value) => Part::Str(value.to_string().into()),
            View::Raw(text) => Part::of_json(text),
            view => Part::Other(json::write(&view).into()),
        }
    }

    /// The part that JSON is, such as a default: the same as [`of`](Self::of) a value with this encoding, of whichever
    /// type. The empty string is no value.
    fn of_json(text: &'a str) -> Self {
        let inside = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let known = match (inside, text.as_bytes().first()) {
            (_, None) => Some(Part::Absent),
            (Some(inside), _) if !inside.contains('\\') => Some(Part::Str(inside.into())),
            // Half of a surrogate pair is no string, and stays as it is.
            (Some(_), _) => json::from_str(text).ok().map(|text: String| Part::Str(text.into())),
            (None, Some(b'-' | b'0'..=b'9')) => whole_number(text).map(Part::Int),
            _ => None,
        };
        known.unwrap_or(Part::Other(text.as_bytes().into()))
    }
}

/// The integer that a JSON number is, which may be spelled `5.0`.
fn whole_number(literal: &str) -> Option<i64> {
    number::integer(literal).or_else(|| whole(number::float(literal).ok()?))
}

/// The values that identify an element of a list. None if it has no key.
pub(super) fn key_of<'a>(element: View<'a>, rule: Rule<'_>) -> Option<Key<'a>> {
    let ListType::Map(keys) = rule.list() else { return Some(Key { first: Part::of(element), rest: Vec::new() }) };
    let mut parts = keys.iter().map(|(name, default)| {
        let value = member(element, name);
        if value.is_absent() { Part::of_json(default) } else { Part::of(value) }
    });
    let first = parts.next()?;
    let rest: Vec<_> = parts.collect();
    let has_any = first != Part::Absent || rest.iter().any(|part| *part != Part::Absent);
    has_any.then_some(Key { first, rest })
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
    let table = object.table();
    let names = object.table().keys.names();
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

#[cfg(test)]
mod tests {
    use super::Part;
    use crate::codec::{Value, View};
    use crate::meta_v1::{ByteString, Time};

    #[test]
    fn a_default_equals_the_same_value_of_any_type() {
        let bytes = ByteString(b"a".to_vec());
        let time = "2024-05-01T12:00:00Z".parse::<Time>().unwrap();
        let same = [
            ("5", View::Int(5)),
            ("5", View::Double(5.0)),
            ("5.0", View::Int(5)),
            ("5.0", View::Double(5.0)),
            ("0.5", View::Double(0.5)),
            ("-0.0", View::Double(-0.0)),
            ("1e+300", View::Double(1e300)),
            ("true", View::Bool(true)),
            ("\"a b\"", View::Str("a b")),
            (r#""a\"\\b""#, View::Str("a\"\\b")),
            (r#""\u00e4""#, View::Raw("\"ä\"")),
            (r#""YQ==""#, bytes.view()),
            (r#""2024-05-01T12:00:00Z""#, time.view()),
        ];
        for (default, view) in same {
            assert!(Part::of_json(default) == Part::of(view), "{default}");
        }
        let different = [
            ("5", View::Str("5")),
            ("-0.0", View::Int(0)),
            ("9007199254740993", View::Double(9_007_199_254_740_992.0)),
            ("\"true\"", View::Bool(true)),
            ("", View::Str("")),
            (r#""\ud800""#, View::Str(r"\ud800")),
        ];
        for (default, view) in different {
            assert!(Part::of_json(default) != Part::of(view), "{default}");
        }
    }
}
