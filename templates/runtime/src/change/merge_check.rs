//! Values that cannot be merged.

use super::merge_rule::{Rule, is_atomic, key_of};
use super::path::Path;
use super::{ChangeError, free_json};
use crate::codec::{List, Map, Object, View, identity, visit_known, visit_unknown};
use std::collections::BTreeSet;

type Result = std::result::Result<(), ChangeError>;

/// Rejects a value that cannot be merged into another one: lists whose elements have no keys or duplicate ones, objects
/// that state another kind, and deep free JSON.
pub(super) fn check(path: &Path<'_>, rule: Rule<'_>, view: View<'_>) -> Result {
    match view {
        View::Raw(text) if free_json::is_deep(text) => {
            Err(ChangeError::new(path, format!("free JSON nested more than {} levels deep", free_json::DEEPEST)))
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
    let mut result = identity::check(object, table).map_err(|mismatch| ChangeError::new(path, mismatch));
    let mut visit = |name: &str, rule: Rule<'_>, view: View<'_>| {
        if result.is_ok() {
            result = check(&path.key(name), rule, view);
        }
    };
    let names = table.keys.names();
    let unknown = visit_known(object, |index, view| visit(names[index], Rule::Member(table.merge_of(index)), view));
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
