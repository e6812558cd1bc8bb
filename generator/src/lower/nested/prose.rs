//! The documentation of a type that is generated for several schemas.

use super::Nested;
use crate::model::{Api, Field, Rule, TypeDef, Words};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::iter;

/// The label of a nested schema, and a field of its type.
type SchemaField<'a> = (&'a str, &'a Field);

/// The type of a class: that of the first schema, with the descriptions and rules of the others.
///
/// Fields have descriptions of their own, so the type itself is described only where all schemas that are described
/// agree.
pub(super) fn unite(class: &[&Nested<'_>], api: &Api) -> TypeDef {
    let defs: Vec<&TypeDef> = class.iter().filter_map(|nested| api.get(nested.type_id)).collect();
    let mut fields: BTreeMap<&str, Vec<SchemaField<'_>>> = BTreeMap::new();
    for def in &defs {
        for field in def.fields() {
            fields.entry(&field.wire).or_default().push((&def.schema, field));
        }
    }
    let mut united = defs[0].clone();
    let descriptions: BTreeSet<&str> = defs.iter().filter_map(|def| def.description.as_deref()).collect();
    united.description = descriptions.first().filter(|_| descriptions.len() == 1).map(|only| (*only).to_owned());
    united.copies = defs.len() - 1;
    for field in united.fields_mut() {
        let all = &fields[field.wire.as_str()];
        field.description = description(all);
        field.rules = rules(all);
    }
    united
}

/// The most descriptions of a field. More would not be read.
const MOST_DESCRIPTIONS: usize = 4;

/// The first description, and others with the schema that has them.
fn description(fields: &[SchemaField<'_>]) -> Option<String> {
    let described = fields.iter().filter_map(|(schema, field)| Some((*schema, field.description.as_deref()?)));
    let holders = holders(described);
    let first = (*holders.first()?.0).to_owned();
    let others = holders.iter().take(MOST_DESCRIPTIONS).skip(1);
    let others = others.map(|(text, schemas)| format!("{}: {text}", attribution(schemas)));
    let left_out = holders.len().saturating_sub(MOST_DESCRIPTIONS);
    let left_out = (left_out > 0).then(|| format!("Descriptions in other schemas: {left_out} more."));
    Some(iter::once(first).chain(others).chain(left_out).collect::<Vec<_>>().join("\n\n"))
}

/// The rules of all schemas, and those of some schemas only.
fn rules(fields: &[SchemaField<'_>]) -> Vec<Rule> {
    let rules = fields.iter().flat_map(|(schema, field)| field.rules.iter().map(|rule| (*schema, rule)));
    let all = |(rule, schemas): (&Rule, Vec<&str>)| {
        let everywhere = schemas.len() == fields.len();
        let words = if everywhere { Vec::new() } else { vec![Words::Prose(format!("{}: ", attribution(&schemas)))] };
        words.into_iter().chain(rule.iter().cloned()).collect()
    };
    holders(rules).into_iter().map(all).collect()
}

/// The schemas that have something, for each of them, in the order in which they come.
fn holders<'a, T: Eq + Hash>(all: impl Iterator<Item = (&'a str, T)>) -> IndexMap<T, Vec<&'a str>> {
    let mut holders: IndexMap<T, Vec<&str>> = IndexMap::new();
    for (schema, one) in all {
        let schemas = holders.entry(one).or_default();
        // One schema may have the same twice.
        if schemas.last() != Some(&schema) {
            schemas.push(schema);
        }
    }
    holders
}

/// ``In `a` and 2 other schemas``: where something holds.
fn attribution(schemas: &[&str]) -> String {
    let first = schemas.first().copied().unwrap_or_default();
    match schemas.len() {
        1 => format!("In `{first}`"),
        2 => format!("In `{first}` and one other schema"),
        many => format!("In `{first}` and {} other schemas", many - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{description, rules};
    use crate::model::{Field, Merge, Presence, Type, Words};

    fn field(description: Option<&str>, rules: &[&str]) -> Field {
        Field {
            wire: "a".to_owned(),
            name: "a".to_owned(),
            description: description.map(str::to_owned),
            rules: rules.iter().map(|rule| vec![Words::Code((*rule).to_owned())]).collect(),
            deprecated: false,
            ty: Type::String,
            presence: Presence::Optional,
            merge: Merge::default(),
        }
    }

    #[test]
    fn descriptions_are_those_of_the_schemas_that_have_one() {
        let described = |all: &[Option<&str>]| {
            let fields: Vec<Field> = all.iter().map(|text| field(*text, &[])).collect();
            description(&["A", "B", "C", "D", "E", "F"].into_iter().zip(&fields).collect::<Vec<_>>())
        };
        assert_eq!(described(&[None, None]), None);
        assert_eq!(described(&[None, Some("x"), Some("x")]).as_deref(), Some("x"));
        let two = described(&[Some("x"), Some("y"), Some("y"), None]);
        assert_eq!(two.as_deref(), Some("x\n\nIn `B` and one other schema: y"));
        let many = described(&["u", "v", "w", "x", "y", "z"].map(Some)).expect("there are descriptions");
        assert!(many.ends_with("In `D`: x\n\nDescriptions in other schemas: 2 more."), "{many}");
    }

    #[test]
    fn rules_of_some_schemas_name_them() {
        let fields = [field(None, &["x", "x", "y"]), field(None, &["x"]), field(None, &["z", "x"])];
        let all = rules(&["A", "B", "C"].into_iter().zip(&fields).collect::<Vec<_>>());
        let (prose, code) = (|words: &str| Words::Prose(words.to_owned()), |words: &str| Words::Code(words.to_owned()));
        let expected = [vec![code("x")], vec![prose("In `A`: "), code("y")], vec![prose("In `C`: "), code("z")]];
        assert_eq!(all, expected);
    }
}
