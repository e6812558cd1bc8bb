//! JSON schemas of all types, made from their tables: `schemars::JsonSchema`, with the feature
//! `schemars`.
//!
//! Their main use is an own custom resource that embeds a type of Kubernetes, such as a
//! `PodTemplateSpec`. So they are structural schemas: each value has a type, nothing refers to
//! another schema, and `x-kubernetes-` keywords state how lists merge. They accept what the types
//! encode:
//!
//! * Enums are open, so their schemas accept any string.
//! * Free JSON may be anything, and an object inside of another one of its type any object:
//!   structural schemas are finite.
//! * Nullable members, elements and values may be `null`, but for the keys of lists.
//! * Keys of a list have their defaults. A list with a key that is optional and has none stays
//!   atomic, since servers refuse such a definition.
//! * There are no descriptions: tables have none, and a pod's alone are too long for a definition.

#[cfg(test)]
mod tests;

use crate::codec::{ListType, Merge, Object, ScalarType, Slot, Table, Value, View};
use crate::values::{ByteString, Int64OrString, IntOrString, MicroTime, Quantity, RawJson, Time};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;

/// The schema of an empty value. Not generic, so that it is compiled once.
pub fn schema(value: &mut dyn Value) -> schemars::Schema {
    let schema = Reader::default().schema(value.slot(true), &Merge::USUAL);
    schemars::Schema::try_from(schema).unwrap_or_default() // which an object always is
}

/// Reads schemas from empty values.
#[derive(Default)]
struct Reader {
    /// The tables of the objects that are around the current one.
    around: Vec<*const Table>,
}

impl Reader {
    /// The schema of a value that is merged by this rule.
    fn schema(&mut self, slot: Slot<'_>, merge: &Merge) -> Json {
        let is_atomic = merge.list == ListType::Atomic;
        match slot {
            Slot::Bool(_) => json!({"type": "boolean"}),
            Slot::Int32(_) => json!({"type": "integer", "format": "int32"}),
            Slot::Int64(_) => json!({"type": "integer", "format": "int64"}),
            Slot::Double(_) => json!({"type": "number", "format": "double"}),
            Slot::String(_) => json!({"type": "string"}),
            Slot::Scalar(scalar) => scalar_schema(scalar.scalar_type()),
            Slot::Raw(_) | Slot::BySerde(_) | Slot::Absent | Slot::Unknown(_) => {
                json!({"x-kubernetes-preserve-unknown-fields": true})
            }
            Slot::Object(object) => self.object(object, is_atomic),
            Slot::Map(map) => {
                let mut values = self.schema(map.insert(String::new(), true), &Merge::USUAL);
                map.insert(String::new(), false);
                map.visit_entries(&mut |_, view| set_nullable(&mut values, is_null(view)));
                object_schema(json!({"additionalProperties": values}), is_atomic)
            }
            Slot::List(list) => {
                let mut items = self.schema(list.push(true), &Merge::USUAL);
                list.push(false);
                set_nullable(&mut items, is_null(list.element(list.count() - 1)));
                list_schema(items, &merge.list)
            }
        }
    }

    fn object(&mut self, object: &mut dyn Object, is_atomic: bool) -> Json {
        let table = object.table();
        let is_atomic = is_atomic || table.is_atomic();
        if self.around.iter().any(|other| std::ptr::eq(*other, table)) {
            return object_schema(json!({"x-kubernetes-preserve-unknown-fields": true}), is_atomic);
        }
        let required = required(object);
        self.around.push(table);
        let mut properties = Map::new();
        for (index, name) in table.keys.names().iter().enumerate() {
            let mut schema = self.schema(object.member_mut(index, true), table.merge_of(index));
            set_nullable(&mut schema, table.keys.index().nullable.contains(index));
            properties.insert((*name).to_owned(), schema);
        }
        self.around.pop();
        let mut schema = json!({"properties": properties});
        if !required.is_empty() {
            schema["required"] = required.into_iter().collect();
        }
        object_schema(schema, is_atomic)
    }
}

/// The names of the members that an empty object encodes, in order. A kind has metadata, but need
/// not state it.
fn required(object: &dyn Object) -> BTreeSet<&'static str> {
    let table = object.table();
    let mut names = BTreeSet::new();
    object.visit_members(&mut |index, view| {
        let name = table.keys.names().get(index).filter(|_| !matches!(view, View::Absent));
        names.extend(name);
    });
    if !table.identities.is_empty() {
        names.remove("metadata");
    }
    names
}

fn is_null(view: View<'_>) -> bool {
    matches!(view, View::Null)
}

fn set_nullable(schema: &mut Json, is_nullable: bool) {
    if is_nullable {
        schema["nullable"] = json!(true);
    }
}

fn scalar_schema(scalar: ScalarType) -> Json {
    match scalar {
        ScalarType::String => json!({"type": "string"}),
        ScalarType::Format(format) => json!({"type": "string", "format": format}),
        ScalarType::IntOrString => json!({"x-kubernetes-int-or-string": true}),
        // Servers take numbers of 64 bits there.
        ScalarType::Int32OrString => json!({
            "x-kubernetes-int-or-string": true,
            "minimum": i32::MIN,
            "maximum": i32::MAX,
        }),
    }
}

fn object_schema(mut schema: Json, is_atomic: bool) -> Json {
    schema["type"] = json!("object");
    if is_atomic {
        schema["x-kubernetes-map-type"] = json!("atomic");
    }
    schema
}

fn list_schema(mut items: Json, list: &ListType) -> Json {
    let mut schema = json!({"type": "array"});
    match list {
        ListType::Usual | ListType::AtomicValues => {}
        ListType::Set => schema["x-kubernetes-list-type"] = json!("set"),
        ListType::Map(keys)
            if keys.iter().all(|(key, default)| has_value(&items, key, default)) =>
        {
            for (key, default) in *keys {
                if let Some(property) = items["properties"][key].as_object_mut() {
                    property.remove("nullable");
                }
                if let Ok(default) = serde_json::from_str::<Json>(default) {
                    items["properties"][key]["default"] = default;
                }
            }
            let keys: Json = keys.iter().map(|(key, _)| *key).collect();
            schema["x-kubernetes-list-type"] = json!("map");
            schema["x-kubernetes-list-map-keys"] = keys;
        }
        ListType::Atomic | ListType::Map(_) => schema["x-kubernetes-list-type"] = json!("atomic"),
    }
    schema["items"] = items;
    schema
}

/// Whether each element has this key: it is required, or has a default.
fn has_value(items: &Json, key: &str, default: &str) -> bool {
    let mut required = items["required"].as_array().into_iter().flatten();
    items["properties"].get(key).is_some()
        && (!default.is_empty() || required.any(|name| name == key))
}

__json_schema!(inline Time);
__json_schema!(inline MicroTime);
__json_schema!(inline Quantity);
__json_schema!(inline IntOrString);
__json_schema!(inline Int64OrString);
__json_schema!(inline ByteString);
__json_schema!(inline RawJson);
