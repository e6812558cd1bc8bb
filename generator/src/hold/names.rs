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
