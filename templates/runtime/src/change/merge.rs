//! Merging one value into another.

use super::merge_check::check;
use super::merge_rule::{Key, Rule, is_atomic, key_of, visit_set};
use super::path::Path;
use super::{ChangeError, free_json, list_order};
use crate::codec::member_set::MemberSet;
use crate::codec::presence::{end, reset};
use crate::codec::schema::Schema;
use crate::codec::{
    Expected, List, Map, Object, Scalar, Slot, Table, Unknown, Value, View, unknown_of, visit_known, visit_unknown,
};

/// Merges a value into another one of its type, as server-side apply does.
///
/// Values that are set in `other` replace those in `target`: objects and maps member by member, lists by the keys of
/// their elements where the documentation of a field states them, or as sets, and else as a whole. Required members of
/// `other` that are empty strings, lists, maps, times or quantities are not set; numbers and booleans are. Free JSON is
/// merged as well, but for an object with a name that is half a surrogate pair, which is replaced as a whole.
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
/// When elements of a list in `other` have the same key or none, when `other` states another kind, or when it has free
/// JSON that is nested more than 64 levels deep. The target is left as it was.
#[inline]
pub fn merge<T: Value>(target: &mut T, other: &T) -> Result<(), ChangeError> {
    // Tables learn their required members from an empty object.
    let _ = Schema::of::<T>();
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
                reset(target);
            }
            put_object(target, other, rule, is_new || replaces);
        }
        (Slot::Map(target), View::Map(other)) => {
            let replaces = !is_new && is_atomic(rule, view);
            if replaces {
                target.clear();
            }
            put_map(target, other, is_new || replaces);
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
            *target = if replaces { other.into() } else { free_json::merged(target, other).into_text() };
        }
        (slot, view) => put_scalar(slot, view),
    }
}

fn put_object(target: &mut dyn Object, other: &dyn Object, rule: Rule<'_>, is_new: bool) {
    let table = other.table();
    let mut present = MemberSet::default();
    if !is_new {
        visit_known(target, |index, _| _ = present.replace(index));
    }
    let mut set = MemberSet::default();
    let unknown = visit_set(other, rule, &mut |index, view| {
        set.replace(index);
        let rule = Rule::Member(table.merge_of(index));
        put(target.member_mut(index, true), view, rule, !present.contains(index));
    });
    if is_new {
        record_absent(target, table, &set);
    }
    let Some(own) = unknown_of(target) else { return };
    if own.has_absent() {
        set.iter().for_each(|index| own.set_present(index));
    }
    if let Some(unknown) = unknown {
        put_unknown(own, other, unknown);
    }
}

/// Records the required members that a new object has not been given.
fn record_absent(object: &mut dyn Object, table: &Table, set: &MemberSet) {
    if let Some(required) = table.keys.index().known_required() {
        end(object, required, set);
    }
}

fn put_unknown(target: &mut Unknown, other: &dyn Object, unknown: &Unknown) {
    visit_unknown(other, unknown, &mut |name, view| {
        let View::Raw(new) = view else { return };
        let old = target.get(name).unwrap_or_default();
        let merged = free_json::merged(old.as_str(), new);
        target.insert(name, merged);
    });
}

fn put_map(target: &mut dyn Map, other: &dyn Map, is_new: bool) {
    other.visit_entries(&mut |key, view| {
        if let Some(slot) = target.get_mut(key).filter(|_| !is_new) {
            return put(slot, view, Rule::USUAL, false);
        }
        put(target.insert(key.to_owned(), !view.is_absent()), view, Rule::USUAL, true);
    });
}

/// Merges elements by their keys. Those that only the other list has are added.
fn put_list(target: &mut dyn List, other: &dyn List, rule: Rule<'_>) {
    let pairs = list_order::merged(&keys(target, rule), &keys(other, rule));
    let mut order = Vec::with_capacity(pairs.len());
    for (old, new) in pairs {
        order.push(old.unwrap_or(target.count()));
        match (old, new) {
            (Some(old), Some(new)) => {
                put(target.element_mut(old, true), other.element(new), rule.of_elements(), false);
            }
            (None, Some(new)) => push(target, other.element(new), rule),
            _ => {}
        }
    }
    list_order::arrange(target, &order);
    target.finish();
}

fn keys<'a>(list: &'a dyn List, rule: Rule<'_>) -> Vec<Option<Key<'a>>> {
    (0..list.count()).map(|at| key_of(list.element(at), rule)).collect()
}

fn push(target: &mut dyn List, view: View<'_>, rule: Rule<'_>) {
    put(target.push(!view.is_absent()), view, rule.of_elements(), true);
}

fn put_scalar(slot: Slot<'_>, view: View<'_>) {
    match (slot, view) {
        (Slot::Bool(target), View::Bool(value)) => *target = value,
        (Slot::Int32(target), View::Int(value)) => *target = i32::try_from(value).unwrap_or(*target),
        (Slot::Int64(target), View::Int(value)) => *target = value,
        (Slot::Double(target), View::Double(value)) => *target = value,
        (Slot::String(target), View::Str(value)) => value.clone_into(target),
        (Slot::Scalar(target), view) if !view.is_absent() => {
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
