//! Typed objects as programs write them: each member is set as a field, and none is decoded.

use openshift_api::codec::{Slot, Value as Coded};
use openshift_api::meta_v1::RawJson;
use serde_json::Value;

/// A new object with the members of a tree.
///
/// # Panics
/// When a value does not fit the type.
#[must_use]
pub fn literal<T: Coded + Default>(tree: &Value) -> T {
    let mut object = T::default();
    set(object.slot(true), tree);
    object
}

fn set(slot: Slot<'_>, tree: &Value) {
    let fits = "the value is one of the type";
    match slot {
        Slot::Absent => panic!("there is no field for {tree}"),
        Slot::Bool(field) => *field = tree.as_bool().expect(fits),
        Slot::Int32(field) => *field = tree.as_i64().expect(fits).try_into().expect(fits),
        Slot::Int64(field) => *field = tree.as_i64().expect(fits),
        Slot::Double(field) => *field = tree.as_f64().expect(fits),
        Slot::String(field) => tree.as_str().expect(fits).clone_into(field),
        Slot::Scalar(field) => match tree {
            Value::String(text) => field.read_text(text).expect(fits),
            number => field.read_number(&number.to_string()).expect(fits),
        },
        Slot::Raw(field) => *field = tree.to_string(),
        Slot::BySerde(field) => field.read(&tree.to_string()).expect(fits),
        Slot::Object(object) => {
            let names = object.table().keys.names();
            for (key, value) in tree.as_object().expect(fits).iter().filter(|(_, v)| !v.is_null()) {
                match names.iter().position(|name| name == key) {
                    Some(index) => set(object.member_mut(index, true), value),
                    None => set_unknown(object.member_mut(names.len(), true), key, value),
                }
            }
        }
        Slot::List(list) => {
            tree.as_array().expect(fits).iter().for_each(|element| set(list.push(true), element));
        }
        Slot::Map(map) => {
            let entries = tree.as_object().expect(fits);
            entries.iter().for_each(|(key, value)| set(map.insert(key.clone(), true), value));
        }
        Slot::Unknown(_) => panic!("unknown members are those of an object"),
    }
}

fn set_unknown(slot: Slot<'_>, key: &str, value: &Value) {
    if let Slot::Unknown(unknown) = slot {
        unknown.insert(key, RawJson::from_serialize(value).expect("a tree is JSON"));
    }
}
