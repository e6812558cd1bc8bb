//! Combinations of schemas: `allOf`, `anyOf`, `oneOf` and `not`.

use super::{Findings, Rules, Subschema, check};
use kapigen_definitions::Path;
use serde_json::Value;

/// Checks the combinations of schemas. They are undecided if the budget runs out. Returns the number
/// of checks that held.
pub(super) fn combined(
    rules: &Rules,
    value: &Value,
    path: Path<'_>,
    found: &mut Findings,
) -> usize {
    let held = 1
        + any_of(&rules.any_of, value, path, found)
        + one_of(&rules.one_of, value, path, found)
        + all_of(&rules.all_of, value, path, found);
    if let Some(not) = &rules.not
        && results(std::slice::from_ref(&**not), value, path, found).iter().all(Findings::is_valid)
        && !found.is_full()
    {
        found.refuse(path, "not validate the schema (not)");
    }
    held
}

fn any_of(schemas: &[Subschema], value: &Value, path: Path<'_>, found: &mut Findings) -> usize {
    let results = results(schemas, value, path, found);
    if results.is_empty() || found.is_full() {
        return 0;
    }
    if !results.iter().any(Findings::is_valid) {
        found.refuse(path, "validate at least one schema (anyOf)");
    }
    found.merge(best(results))
}

fn one_of(schemas: &[Subschema], value: &Value, path: Path<'_>, found: &mut Findings) -> usize {
    let results = results(schemas, value, path, found);
    if results.is_empty() || found.is_full() {
        return 0;
    }
    let only = "validate one and only one schema (oneOf). Found";
    match results.iter().filter(|result| result.is_valid()).count() {
        0 => found.refuse(path, &format!("{only} none valid")),
        1 => {}
        count => {
            found.refuse(path, &format!("{only} {count} valid alternatives"));
            return 0;
        }
    }
    found.merge(best(results))
}

fn all_of(schemas: &[Subschema], value: &Value, path: Path<'_>, found: &mut Findings) -> usize {
    let results = results(schemas, value, path, found);
    if results.is_empty() || found.is_full() {
        return 0;
    }
    let count = results.iter().filter(|result| result.is_valid()).count();
    let held = results.into_iter().map(|result| found.merge(result)).sum();
    match count {
        _ if count == schemas.len() => {}
        0 => found.refuse(path, "validate all the schemas (allOf). None validated"),
        _ => found.refuse(path, "validate all the schemas (allOf)"),
    }
    held
}

/// The results of some schemas.
fn results(
    schemas: &[Subschema],
    value: &Value,
    path: Path<'_>,
    found: &mut Findings,
) -> Vec<Findings> {
    let mut results = Vec::with_capacity(schemas.len());
    for schema in schemas {
        let mut result = Findings { budget: found.budget, ..Findings::default() };
        result.held = check(schema, value, None, path, &mut result);
        found.budget = result.budget;
        results.push(result);
    }
    results
}

/// The first valid result, or else the first one with the most checks that held.
fn best(mut results: Vec<Findings>) -> Findings {
    let most = results.iter().map(|result| result.held).max();
    let index = results.iter().position(Findings::is_valid);
    let index = index.or_else(|| results.iter().position(|result| Some(result.held) == most));
    results.swap_remove(index.unwrap_or_default())
}
