//! Merging one value into another.

use super::arrange::arrange;
use super::pairs::member;
use super::path::Path;
use crate::change::{ChangeError, list_order};
use crate::codec::builtin::{float, integer, whole};
use crate::codec::by_serde::BySerde;
use crate::codec::presence::{self, is_empty, visit_beside_unknown};
use crate::codec::table::{ListType, Merge};
use crate::codec::{
    Expected, List, Map, MemberSet, Object, Scalar, Slot, Unknown, Value, View, identity, json,
    unknown_of, visit_known, visit_unknown,
};
use crate::values::RawJson;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Merges a value into another one of its type, as server-side apply does.
///
/// Values that are set in `other` replace the values in `target`: objects and maps member by
/// member, lists by the keys of their elements where the documentation of a field states them, or
/// as sets, and otherwise as a whole. Required members of `other` that are empty strings, lists,
/// maps, times or quantities are not set unless it was decoded with them; numbers and booleans are.
/// Free JSON of custom resources is merged as well, except an object with a name that has a lone
/// surrogate. Such an object is replaced as a whole, and so is other free JSON, as by servers: a
/// [`RawExtension`](crate::meta_v1::RawExtension), and a value that has no type in its document.
///
/// ```
/// use kapigen_runtime::change::merge;
/// use kapigen_runtime::meta_v1::ObjectMeta;
///
/// let labels = |text: &str| Some([(text.to_owned(), "yes".to_owned())].into());
/// let mut target = ObjectMeta { name: Some("web".to_owned()), labels: labels("old"), ..Default::default() };
/// merge(&mut target, &ObjectMeta { labels: labels("new"), ..Default::default() })?;
/// assert_eq!(target.name.as_deref(), Some("web"));
/// assert_eq!(target.labels.unwrap().len(), 2);
/// # Ok::<(), kapigen_runtime::change::ChangeError>(())
/// ```
///
/// # Errors
/// When elements of a list in `other` have the same key or none, when `other` states another kind,
/// or when it has free JSON that is nested more than 64 levels deep. The target is left as it was.
#[inline]
pub fn merge<T: Value>(target: &mut T, other: &T) -> Result<(), ChangeError> {
    for value in [target.view(), other.view()] {
        if let View::Object(object) = value {
            ChangeError::check_whole(object)?;
        }
    }
    let other = other.view();
    if matches!(other, View::Absent) {
        return Ok(());
    }
    check(&Path::ROOT, Rule::USUAL, other)?;
    let is_new = matches!(target.view(), View::Absent);
    put(target.slot(true), other, Rule::USUAL, is_new);
    Ok(())
}

// None of these is generic, so that they are compiled once.

/// Merges a value into the one of a slot. If that is new, it is empty.
fn put(slot: Slot<'_>, view: View<'_>, rule: Rule<'_>, is_new: bool) {
    match (slot, view) {
        (Slot::Object(target), View::Object(other)) => {
            let replaces = !is_new && is_atomic(rule, view);
            if replaces {
                presence::reset(target);
            }
            put_object(target, other, rule, is_new || replaces);
        }
        (Slot::Map(target), View::Map(other)) => {
            let replaces = !is_new && is_atomic(rule, view);
            if replaces {
                target.clear();
            }
            put_map(target, other, rule, is_new || replaces);
        }
        (Slot::List(target), View::List(other)) if is_new || is_atomic(rule, view) => {
            if !is_new {
                target.truncate(0);
            }
            (0..other.count()).for_each(|at| push(target, other.element(at), rule));
            target.finish();
        }
        (Slot::List(target), View::List(other)) => put_list(target, other, rule),
        (Slot::Raw(target), View::Raw(other)) => {
            let replaces = is_new || is_atomic(rule, view);
            *target = if replaces { other.into() } else { merged(target, other).into_text() };
        }
        (Slot::BySerde(target), View::BySerde(other)) => put_by_serde(target, other, is_new),
        (slot, view) => put_scalar(slot, view),
    }
}

/// Merges as JSON. Where that is no such value, such as two variants of an enum, or cannot be
/// encoded, the other value replaces the target.
fn put_by_serde(target: &mut dyn BySerde, other: &dyn BySerde, is_new: bool) {
    let Ok(other) = other.text() else { return };
    let merged = target.text().ok().filter(|_| !is_new).map(|target| merged(&target, &other));
    let is_read = merged.is_some_and(|merged| target.read(merged.as_str()).is_ok());
    if !is_read {
        let read = target.read(&other);
        debug_assert!(read.is_ok(), "a value decodes from what it encodes");
    }
}

fn put_object(target: &mut dyn Object, other: &dyn Object, rule: Rule<'_>, is_new: bool) {
    let table = other.table();
    let mut present = MemberSet::default();
    let mut nulls = MemberSet::default();
    if !is_new {
        visit_known(target, |index, view| {
            if matches!(view, View::Null) {
                nulls.replace(index);
            } else {
                present.replace(index);
            }
        });
    }
    let mut assigned = MemberSet::default();
    let unknown = visit_assigned(other, rule, &mut |index, view| {
        assigned.replace(index);
        if matches!(view, View::Null) {
            presence::set_null(target, index);
            return;
        }
        if nulls.contains(index) {
            presence::clear(target, index);
        }
        let rule = Rule::Member(table.merge_of(index));
        put(target.member_mut(index, true), view, rule, !present.contains(index));
    });
    if is_new {
        presence::record_absent(target, &table.keys.index().required, &assigned);
    }
    let Some(own) = unknown_of(target) else { return };
    if is_new && unknown.is_some_and(Unknown::is_exact) {
        own.set_exact();
    }
    if own.has_absent() {
        assigned.iter().for_each(|index| own.set_present(index));
    }
    if let Some(unknown) = unknown {
        put_unknown(own, other, unknown);
    }
}

fn put_unknown(target: &mut Unknown, other: &dyn Object, unknown: &Unknown) {
    visit_unknown(other, unknown, &mut |name, view| {
        let View::Raw(new) = view else { return };
        let old = target.get(name).unwrap_or_default();
        let merged = merged(old.as_str(), new);
        target.insert(name, merged);
    });
}

fn put_map(target: &mut dyn Map, other: &dyn Map, rule: Rule<'_>, is_new: bool) {
    let rule = rule.of_values();
    other.visit_entries(&mut |key, view| {
        if !is_new
            && !is_null(view)
            && let Some(slot) = target.get_mut(key)
        {
            return put(slot, view, rule, false);
        }
        put(target.insert(key.to_owned(), !is_null(view)), view, rule, true);
    });
}

/// Merges elements by their keys. Elements that only the other list has are added.
fn put_list(target: &mut dyn List, other: &dyn List, rule: Rule<'_>) {
    let pairs = list_order::merged(&keys(target, rule), &keys(other, rule));
    let mut order = Vec::with_capacity(pairs.len());
    for (old, new) in pairs {
        order.push(old.unwrap_or(target.count()));
        match (old, new) {
            (Some(old), Some(new)) => {
                let new = other.element(new);
                put(target.element_mut(old, !is_null(new)), new, rule.of_elements(), false);
            }
            (None, Some(new)) => push(target, other.element(new), rule),
            _ => {}
        }
    }
    arrange(target, &order);
    target.finish();
}

fn keys<'a>(list: &'a dyn List, rule: Rule<'_>) -> Vec<Option<Key<'a>>> {
    (0..list.count()).map(|at| key_of(list.element(at), rule)).collect()
}

fn push(target: &mut dyn List, view: View<'_>, rule: Rule<'_>) {
    put(target.push(!is_null(view)), view, rule.of_elements(), true);
}

/// Whether an element or entry is `null`, for which its slot must be requested as such.
fn is_null(view: View<'_>) -> bool {
    matches!(view, View::Null | View::Raw("null"))
}

fn put_scalar(slot: Slot<'_>, view: View<'_>) {
    match (slot, view) {
        (Slot::Bool(target), View::Bool(value)) => *target = value,
        (Slot::Int32(target), View::Int(value)) => {
            *target = i32::try_from(value).unwrap_or(*target);
        }
        (Slot::Int64(target), View::Int(value)) => *target = value,
        (Slot::Double(target), View::Double(value)) => *target = value,
        (Slot::String(target), View::Str(value)) => value.clone_into(target),
        (Slot::Scalar(target), view) if !is_null(view) => {
            let read = read_scalar(target, view);
            debug_assert!(read.is_ok(), "a scalar decodes the value that it encodes");
        }
        (Slot::List(target), _) => target.truncate(0),
        (slot, _) => slot.clear(),
    }
}

fn read_scalar(target: &mut dyn Scalar, view: View<'_>) -> Result<(), Expected> {
    match view {
        View::Str(text) | View::Zero(text) => target.read_text(text),
        View::Display(value) => target.read_text(&value.to_string()),
        View::Int(number) => target.read_int(number),
        View::Double(number) => target.read_float(number),
        _ => Ok(()),
    }
}

/// The merge rule of a value.
#[derive(Clone, Copy)]
enum Rule<'a> {
    /// The rule of the member that holds it.
    Member(&'a Merge),
    /// The rule of the list in which it is an element.
    Element(&'a Merge),
}

impl Rule<'_> {
    const USUAL: Self = Rule::Member(&Merge::USUAL);

    /// The rule of the list's elements.
    fn of_elements(self) -> Self {
        match self {
            Rule::Member(merge) => Rule::Element(merge),
            Rule::Element(_) => Rule::Element(&Merge::USUAL),
        }
    }

    /// The rule of the map's values.
    fn of_values(self) -> Self {
        match self {
            Rule::Member(merge) => Rule::Member(merge.of_values()),
            Rule::Element(_) => Rule::USUAL,
        }
    }

    fn list(self) -> ListType {
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
fn is_atomic(rule: Rule<'_>, view: View<'_>) -> bool {
    match view {
        View::List(_) => !matches!(rule.list(), ListType::Set | ListType::Map(_)),
        View::Object(object) if object.table().is_atomic => true,
        _ => rule.list() == ListType::Atomic,
    }
}

/// The values that identify an element of a list: the values of its keys, or the element itself in
/// a set. They are compared in place: most are strings.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    first: KeyPart<'a>,
    /// Few lists have elements with several keys.
    rest: Vec<KeyPart<'a>>,
}

/// One of the values that identify an element.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum KeyPart<'a> {
    Absent,
    Int(i64),
    Str(Cow<'a, str>),
    /// Any other JSON.
    Other(Cow<'a, [u8]>),
}

impl<'a> KeyPart<'a> {
    fn new(view: View<'a>) -> Self {
        match view {
            View::Int(value) => KeyPart::Int(value),
            View::Double(value) => {
                whole(value).map_or_else(|| KeyPart::Other(json::write(&view).into()), KeyPart::Int)
            }
            View::Str(text) | View::Zero(text) => KeyPart::Str(text.into()),
            View::Display(value) => KeyPart::Str(value.to_string().into()),
            View::Raw(text) => KeyPart::of_json(text),
            view => KeyPart::Other(json::write(&view).into()),
        }
    }

    /// The part that JSON is, such as a default: the same as [`new`](Self::new) a value with this
    /// encoding, of whichever type. The empty string is not a value.
    fn of_json(text: &'a str) -> Self {
        let inside = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let known = match (inside, text.as_bytes().first()) {
            (_, None) => Some(KeyPart::Absent),
            (Some(inside), _) if !inside.contains('\\') => Some(KeyPart::Str(inside.into())),
            // A lone surrogate is not a string, and stays as it is.
            (Some(_), _) => json::from_str(text).ok().map(|text: String| KeyPart::Str(text.into())),
            (None, Some(b'-' | b'0'..=b'9')) => whole_number(text).map(KeyPart::Int),
            _ => None,
        };
        known.unwrap_or(KeyPart::Other(text.as_bytes().into()))
    }
}

/// The integer value of a JSON number, which may be written as `5.0`.
fn whole_number(literal: &str) -> Option<i64> {
    integer(literal).or_else(|| whole(float(literal).ok()?))
}

/// The values that identify an element of a list. `None` if it has no key.
fn key_of<'a>(element: View<'a>, rule: Rule<'_>) -> Option<Key<'a>> {
    let ListType::Map(keys) = rule.list() else {
        return Some(Key { first: KeyPart::new(element), rest: Vec::new() });
    };
    let mut parts = keys.iter().map(|(name, default)| {
        let value = member(element, name);
        if value.is_absent() { KeyPart::of_json(default) } else { KeyPart::new(value) }
    });
    let first = parts.next()?;
    let rest: Vec<_> = parts.collect();
    let has_any = first != KeyPart::Absent || rest.iter().any(|part| *part != KeyPart::Absent);
    has_any.then_some(Key { first, rest })
}

/// Visits the set members of an object, with their indices: all encoded members except required
/// ones that are empty. Empty ones count if they identify an element, or were decoded or
/// [extracted](managers()). Returns the unknown members, if any.
fn visit_assigned<'a>(
    object: &'a dyn Object,
    rule: Rule<'_>,
    visit: &mut dyn FnMut(usize, View<'a>),
) -> Option<&'a Unknown> {
    let names = object.table().keys.names();
    let required = &object.table().keys.index().required;
    visit_beside_unknown(object, &mut |unknown, index, view| {
        let is_unassigned = || {
            required.contains(index)
                && is_unassigned(view)
                && !unknown.is_some_and(Unknown::is_exact)
                && !rule.is_key(names[index])
        };
        if !view.is_absent() && !is_unassigned() {
            visit(index, view);
        }
    })
}

/// Whether a required member with this value is not set: it is empty, and neither a number nor a
/// boolean.
fn is_unassigned(view: View<'_>) -> bool {
    match view {
        View::Bool(_) | View::Int(_) | View::Double(_) => false,
        View::Raw(text) => matches!(text, "{}" | "[]"),
        View::Object(object) => {
            let mut is_unassigned = true;
            let unknown = visit_assigned(object, Rule::USUAL, &mut |_, _| is_unassigned = false);
            is_unassigned && unknown.is_none_or(Unknown::is_empty)
        }
        view => is_empty(&view),
    }
}

type Result<T = (), E = ChangeError> = std::result::Result<T, E>;

/// Rejects a value that cannot be merged into another one: lists with missing or duplicate keys,
/// objects that state another kind, and deep free JSON.
fn check(path: &Path<'_>, rule: Rule<'_>, view: View<'_>) -> Result {
    match view {
        View::Raw(_) | View::BySerde(_) if view.free_json().is_some_and(|text| is_deep(&text)) => {
            Err(ChangeError::new(path, format!("free JSON nested more than {DEEPEST} levels deep")))
        }
        view if is_atomic(rule, view) => Ok(()),
        View::Object(object) => check_members(path, object),
        View::Map(map) => check_entries(path, map),
        View::List(list) => check_elements(path, rule, list),
        _ => Ok(()),
    }
}

fn check_members(path: &Path<'_>, object: &dyn Object) -> Result {
    let table = object.table();
    let mut result =
        identity::check(object, table).map_err(|mismatch| ChangeError::new(path, mismatch));
    let mut visit = |name: &str, rule: Rule<'_>, view: View<'_>| {
        if result.is_ok() {
            result = check(&path.key(name), rule, view);
        }
    };
    let names = table.keys.names();
    let unknown = visit_known(object, |index, view| {
        visit(names[index], Rule::Member(table.merge_of(index)), view);
    });
    if let Some(unknown) = unknown {
        visit_unknown(object, unknown, &mut |name, view| visit(name, Rule::USUAL, view));
    }
    result
}

fn check_entries(path: &Path<'_>, map: &dyn Map) -> Result {
    let mut result = Ok(());
    map.visit_entries(&mut |key, view| {
        if result.is_ok() {
            result = check(&path.key(key), Rule::USUAL, view);
        }
    });
    result
}

fn check_elements(path: &Path<'_>, rule: Rule<'_>, list: &dyn List) -> Result {
    let mut seen = BTreeSet::new();
    for index in 0..list.count() {
        let path = path.index(index);
        let element = list.element(index);
        let Some(key) = key_of(element, rule) else {
            return Err(ChangeError::new(path, "has none of the members that identify elements"));
        };
        if !seen.insert(key) {
            return Err(ChangeError::new(path, "another element has the same key"));
        }
        check(&path, rule.of_elements(), element)?;
    }
    Ok(())
}

/// The maximum nesting depth of free JSON that is merged.
const DEEPEST: usize = 64;

/// The first value with the members of the second: objects are merged at any depth, all else is
/// replaced.
///
/// Numbers and strings keep their spelling. Neither value may be deep, or else nothing is merged
/// below the limit.
fn merged(old: &str, new: &str) -> RawJson {
    merged_to(DEEPEST, old, new)
}

fn merged_to(levels: usize, old: &str, new: &str) -> RawJson {
    let (Some(mut all), Some(new), 1..) = (members(old), members(new), levels) else {
        return RawJson::of_encoded(new.into());
    };
    for (name, new) in new {
        let value = match all.get(&name) {
            Some(old) => merged_to(levels - 1, old.as_str(), new.as_str()),
            None => new,
        };
        all.insert(name, value);
    }
    RawJson::of_encoded(json::write(&View::Map(&all)))
}

/// The members of an object. `None` for other JSON, or if a name is not a string in Rust, because
/// it has a lone surrogate.
fn members(text: &str) -> Option<BTreeMap<String, RawJson>> {
    text.starts_with('{').then(|| json::from_str(text).ok()).flatten()
}

/// Whether a value is nested more than [`DEEPEST`] levels deep.
fn is_deep(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut is_in_string = false;
    let mut is_escaped = false;
    text.bytes().any(|byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_in_string = !is_in_string,
            b'{' | b'[' if !is_in_string => depth += 1,
            b'}' | b']' if !is_in_string => depth -= 1,
            _ => {}
        }
        depth > DEEPEST
    })
}

#[cfg(test)]
mod tests {
    use super::{KeyPart, is_deep, merged};
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
            assert!(KeyPart::of_json(default) == KeyPart::new(view), "{default}");
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
            assert!(KeyPart::of_json(default) != KeyPart::new(view), "{default}");
        }
    }

    #[test]
    fn objects_are_merged_and_all_else_is_replaced() {
        let merge = |old: &str, new: &str| merged(old, new).as_str().to_owned();
        assert_eq!(
            merge(r#"{"a":{"b":1.50},"c":[1]}"#, r#"{"a":{"d":1e3},"c":[2]}"#),
            r#"{"a":{"b":1.50,"d":1e3},"c":[2]}"#
        );
        assert_eq!(merge(r#"{"a":1}"#, "null"), "null");
        assert_eq!(merge("[1]", r#"{"a":1}"#), r#"{"a":1}"#);
    }

    #[test]
    fn brackets_in_strings_do_not_nest() {
        assert!(!is_deep(&format!(r#"["\"{}"]"#, "[".repeat(99))));
        assert!(!is_deep(&format!("{}{}", "[".repeat(64), "]".repeat(64))));
        assert!(is_deep(&format!("{}{}", "[".repeat(65), "]".repeat(65))));
    }
}
