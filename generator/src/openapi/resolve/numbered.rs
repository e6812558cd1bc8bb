//! Schemas with several names. Where a server merges the documents of others, a schema whose name is taken
//! gets a number: `ObjectMeta_v2`. Where it is equivalent to the one without a number, it is a copy of that.

use super::copies::schemas;
use super::differences::{DifferenceKind, differences};
use crate::openapi::load::Raw;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The original of each copy.
pub(super) type Originals = BTreeMap<String, String>;

/// References that a copy has in the place of those of its original.
type References<'a> = BTreeSet<(&'a str, &'a str)>;

/// The copies in all documents. Every document that has one must agree that it is one.
pub(super) fn originals(raws: &[Raw]) -> Originals {
    let mut first: BTreeMap<&str, &Value> = BTreeMap::new();
    for (name, schema) in raws.iter().flat_map(schemas) {
        first.entry(name).or_insert(schema);
    }
    let mut conditions: BTreeMap<&str, Option<References<'_>>> = BTreeMap::new();
    for raw in raws {
        let own = |name: &str| raw.value.get("components")?.get("schemas")?.get(name);
        for (name, schema) in schemas(raw) {
            let Some(original) = without_number(name) else { continue };
            let Some(original) = own(original).or_else(|| first.get(original).copied()) else { continue };
            let all = conditions.entry(name).or_insert_with(|| Some(References::new()));
            *all = all.take().zip(references(original, schema)).map(|(mut all, more)| {
                all.extend(more);
                all
            });
        }
    }
    settle(&conditions)
}

/// The references in which a copy and its original differ, if they differ in nothing else.
fn references<'a>(original: &'a Value, copy: &'a Value) -> Option<References<'a>> {
    let differences = differences(original, copy).into_iter();
    let differences = differences.filter(|difference| !matches!(difference.kind, DifferenceKind::Kinds(_)));
    let reference = |kind| if let DifferenceKind::References(held, copy) = kind { Some((held, copy)) } else { None };
    differences.map(|difference| reference(difference.kind)).collect()
}

/// Finds the copies, which refer to copies: assumes that all are, and drops those that refer to others, until all that
/// remain agree.
fn settle(conditions: &BTreeMap<&str, Option<References<'_>>>) -> Originals {
    let mut originals = Originals::new();
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut open = Vec::new();
    for (name, references) in conditions {
        let (Some(references), Some(original)) = (references, without_number(name)) else { continue };
        originals.insert((*name).to_owned(), original.to_owned());
        for reference in references.iter().flat_map(|(held, copy)| [held, copy]) {
            users.entry(reference).or_default().push(name);
        }
        open.push(*name);
    }
    while let Some(name) = open.pop() {
        let references = conditions.get(name).and_then(Option::as_ref);
        let agrees = |(held, copy): &(&str, &str)| canonical_name(held, &originals) == canonical_name(copy, &originals);
        if originals.contains_key(name) && !references.into_iter().flatten().all(agrees) {
            originals.remove(name);
            open.extend(users.get(name).into_iter().flatten());
        }
    }
    originals
}

/// The original of a copy, or the schema itself.
pub(super) fn canonical_name<'a>(name: &'a str, originals: &'a Originals) -> &'a str {
    originals.get(name).map_or(name, String::as_str)
}

/// `ObjectMeta` of `ObjectMeta_v2`.
fn without_number(name: &str) -> Option<&str> {
    let (original, number) = name.rsplit_once("_v")?;
    number.parse::<u32>().is_ok().then_some(original)
}

#[cfg(test)]
mod tests {
    use super::originals;
    use crate::openapi::load::Raw;
    use serde_json::json;

    #[test]
    fn numbered_schemas_that_mean_the_same_are_copies() {
        let reference = |name: &str| json!({"allOf": [{"$ref": format!("#/components/schemas/{name}")}]});
        let schemas = json!({
            "A": {"description": "a"}, "A_v2": {"description": "b"}, "A_v3": {"type": "string"}, "A_vx": {}, "Z_v2": {},
            "B": reference("A"), "B_v2": reference("A_v2"), "B_v3": reference("A_v3"),
            "C": reference("B"), "C_v2": reference("B_v3"),
        });
        let raw = Raw { name: "v1.yaml".to_owned(), value: json!({"components": {"schemas": schemas}}) };
        let originals = originals(&[raw]);
        assert_eq!(originals.keys().collect::<Vec<_>>(), ["A_v2", "B_v2"]);
    }
}
