//! Checks objects of built-in kinds by a table of rules, and fills in their defaults.

mod fill;
mod parse;
mod special;
mod syntax;
mod table;
mod walk;

pub(crate) use fill::fill;
pub(crate) use special::defaults::admit;

use kapigen_definitions::Cause;
use serde_json::Value;
use walk::Walk;

/// The causes for which an object of a resource, by its group and plural name, is refused. If it
/// replaces another, only what it changes is.
pub(crate) fn causes(named: (&str, &str), object: &Value, live: Option<&Value>) -> Vec<Cause> {
    let found = walk(named, object, live);
    // What a server has stored is valid. A test may have stored anything.
    let known = live.filter(|_| !found.is_empty()).map(|live| walk(named, live, Some(live)));
    let known = known.unwrap_or_default();
    found.into_iter().filter(|cause| !known.contains(cause)).collect()
}

fn walk(named: (&str, &str), object: &Value, live: Option<&Value>) -> Vec<Cause> {
    let rules = parse::rules();
    let Some(rows) = rules.resource(named) else { return Vec::new() };
    let path = String::new();
    let mut walk =
        Walk { rules, object, live, above: vec![object], path, causes: Vec::new(), bytes: 0 };
    walk.rows(rows, object);
    walk.causes
}
