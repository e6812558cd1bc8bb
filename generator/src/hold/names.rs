//! The names of a crate's types and fields, for schemas that would have others now.

use crate::input::selection::rename_key;
use crate::model::{Api, TypeDef, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Names as entries of `rename` in groups.yaml.
pub type Names = BTreeMap<String, String>;

/// Nested schemas, each with the one that its type is made of.
pub type Equal = BTreeMap<String, String>;

/// The names of the older interface that the newer one does not have.
#[must_use]
pub fn differing(old: &Api, new: &Api) -> Names {
    let mut names = Names::new();
    let by_schema = by_schema(new);
    for (id, def) in old.types() {
        let Some((now, new)) = by_schema.get(def.schema.as_str()) else { continue };
        if now.module != id.module {
            continue;
        }
        if now.name != id.name {
            names.insert(rename_key(&def.schema, None), id.name.clone());
        }
        let fields: BTreeMap<&str, &str> =
            new.fields().iter().map(|field| (field.wire.as_str(), field.name.as_str())).collect();
        for field in def.fields() {
            if fields.get(field.wire.as_str()).is_some_and(|now| *now != field.name) {
                let key = rename_key(&def.schema, Some(&field.wire));
                names.insert(key, field.name.clone());
            }
        }
    }
    names
}

/// The nested schemas that shared no type in the older interface, and do in the newer one: all but
/// those with one of the older types, each with the schema of its older type.
#[must_use]
pub fn united(before: &Equal, now: &Equal) -> Equal {
    let mut kept = BTreeMap::new();
    for (label, first) in now {
        if let Some(old) = before.get(first).or(before.get(label)) {
            kept.entry(first).or_insert(old);
        }
    }
    let apart = now.iter().filter_map(|(label, first)| {
        let old = before.get(label).filter(|old| kept[first] != *old)?;
        Some((label.clone(), old.clone()))
    });
    apart.collect()
}

/// The nested schemas that share a type, those that others contain before these.
#[must_use]
pub fn equal(types: &Equal) -> Vec<Vec<&str>> {
    let mut equal = BTreeMap::<_, Vec<&str>>::new();
    for (label, first) in types {
        equal.entry(first).or_default().push(label);
    }
    let mut equal: Vec<_> = equal.into_values().filter(|labels| labels.len() > 1).collect();
    equal.sort_by_key(|labels| {
        let longest = labels.iter().map(|label| label.len()).max();
        std::cmp::Reverse(longest)
    });
    equal
}

/// The named schemas that are types of the older interface alone.
#[must_use]
pub fn missing_types(old: &Api, new: &Api) -> BTreeSet<String> {
    let by_schema = by_schema(new);
    let named = old.types().map(|(_, def)| def).filter(|def| def.is_named());
    let missing = named.filter(|def| !by_schema.contains_key(def.schema.as_str()));
    missing.map(|def| def.schema.clone()).collect()
}

fn by_schema(api: &Api) -> BTreeMap<&str, (TypeId, &TypeDef)> {
    api.types().map(|(id, def)| (def.schema.as_str(), (id, def))).collect()
}
