//! Removing fields from an object.

use super::Typed;
use super::set::{Set, Step};
use super::typed::steps;
use crate::schema::ListType;
use serde_json::{Map, Value};

/// The object without these fields. What is atomic is never cut.
pub(super) fn remove(typed: Typed<'_>, value: &Value, fields: &Set) -> Value {
    let Typed { schemas, schema } = typed;
    if schemas.is_atomic(schema) {
        return value.clone();
    }
    match value {
        Value::Object(members) => {
            let mut kept = Map::new();
            for (name, value) in members {
                let child = typed.at(schemas.member(schema, name).0);
                if let Some(value) = rest(child, value, fields, &Step::Field(name.clone())) {
                    kept.insert(name.clone(), value);
                }
            }
            if kept.is_empty() && !members.is_empty() { Value::Null } else { Value::Object(kept) }
        }
        Value::Array(elements) if *schemas.list_type(schema) != ListType::Atomic => {
            let element = typed.at(schemas.element(schema));
            let steps = steps(typed, elements);
            let kept: Vec<_> =
                elements.iter().zip(&steps).filter_map(|(value, step)| rest(element, value, fields, step)).collect();
            if kept.is_empty() && !elements.is_empty() { Value::Null } else { Value::Array(kept) }
        }
        other => other.clone(),
    }
}

fn rest(typed: Typed<'_>, value: &Value, fields: &Set, step: &Step) -> Option<Value> {
    match fields.at(step) {
        (true, _) => None,
        (false, Some(below)) => Some(remove(typed, value, below)),
        (false, None) => Some(value.clone()),
    }
}
