//! The names of a crate's types and fields, for schemas that would have others now.

use crate::input::selection::rename_key;
use crate::model::{Api, TypeDef, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Names as entries of `rename` in groups.yaml.
pub type Names = BTreeMap<String, String>;

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
/// those with the type of the first one, each with the schema of its older type.
#[must_use]
pub fn united(old: &Api, new: &Api) -> BTreeMap<String, String> {
    let before = groups(old);
    let is_apart = |(label, now): &(&str, &str)| {
        before.get(label).is_some_and(|group| before.get(now).is_some_and(|other| group != other))
    };
    let apart = groups(new).into_iter().filter(is_apart);
    apart.map(|(label, _)| (label.to_owned(), before[label].to_owned())).collect()
}

/// The nested schemas that share a type.
#[must_use]
pub fn equal(api: &Api) -> Vec<Vec<&str>> {
    let mut equal = BTreeMap::<_, Vec<_>>::new();
    for (label, group) in groups(api) {
        equal.entry(group).or_default().push(label);
    }
    equal.into_values().filter(|labels| labels.len() > 1).collect()
}

/// The schemas that have names, each with the one that its type is made of.
fn groups(api: &Api) -> BTreeMap<&str, &str> {
    let types = api.types().map(|(_, def)| (def.schema.as_str(), def.schema.as_str()));
    let aliases = api.modules.values().flat_map(|module| module.aliases.values());
    let aliases = aliases
        .filter_map(|alias| Some((alias.schema.as_str(), api.get(&alias.target)?.schema.as_str())));
    types.chain(aliases).collect()
}

/// The named schemas that are types of the older interface alone.
#[must_use]
pub fn missing_types(old: &Api, new: &Api) -> BTreeSet<String> {
    let by_schema = by_schema(new);
    let is_missing =
        |def: &&TypeDef| def.is_named() && !by_schema.contains_key(def.schema.as_str());
    old.types().map(|(_, def)| def).filter(is_missing).map(|def| def.schema.clone()).collect()
}

fn by_schema(api: &Api) -> BTreeMap<&str, (TypeId, &TypeDef)> {
    api.types().map(|(id, def)| (def.schema.as_str(), (id, def))).collect()
}
