//! The index of an emitted crate, from its model.

use crate::input::index::{Index, IndexedType};
use crate::model::features::Features;
use crate::model::json_type::JsonType;
use crate::model::{Api, Role, Shape, TypeId};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

impl Index {
    /// The index of the types of an API.
    #[must_use]
    pub fn for_api(api: &Api) -> Self {
        let features = Features::new(api);
        let types = api.types().filter(|(_, def)| def.is_named()).map(|(id, def)| {
            let gate = features.gate(&id.module, &id.name);
            let feature = gate.and_then(|gate| feature(&id.module, gate));
            (def.schema.clone(), IndexedType { feature, ..indexed(api, &id, &def.shape) })
        });
        Self { types: types.collect(), ..Self::default() }
    }

    /// The content of the file: JSON with one line for each type.
    ///
    /// # Panics
    /// Never: strings, lists and maps can be written.
    #[must_use]
    pub fn text(&self) -> String {
        let mut parts = vec![format!("\"types\": {}", lines(&self.types))];
        if !self.params.is_empty() {
            parts.push(format!("\"params\": {}", lines(&self.params)));
        }
        format!("{{\n{}\n}}\n", parts.join(",\n"))
    }
}

/// A JSON object with one line for each member.
fn lines<T: Serialize>(map: &BTreeMap<String, T>) -> String {
    let lines = map.iter().map(|(key, value)| format!("{}: {}", json(key), json(value)));
    format!("{{\n{}\n}}", lines.collect::<Vec<_>>().join(",\n"))
}

fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("strings, lists and maps can be written")
}

/// The feature with which other crates get a type: one of its module before others.
fn feature(module: &str, gate: &BTreeSet<&str>) -> Option<String> {
    let own = gate.iter().find(|feature| feature.starts_with(module));
    own.or(gate.first()).map(|feature| (*feature).to_owned())
}

fn indexed(api: &Api, id: &TypeId, shape: &Shape) -> IndexedType {
    let TypeId { module, name, .. } = id.clone();
    let properties = match shape {
        Shape::Struct(fields) => Some(
            fields
                .iter()
                .map(|field| (field.wire.clone(), JsonType::for_type(&field.ty)))
                .collect(),
        ),
        Shape::Enum(_) => None,
    };
    let kind = api.get(id).is_some_and(|def| def.kind.is_some());
    let items = match api.get(id).and_then(|def| Some(&def.kind.as_ref()?.role)) {
        Some(Role::List { item }) => api.get(item).map(|item| item.schema.clone()),
        _ => None,
    };
    IndexedType { module, feature: None, name, properties, kind, items }
}
