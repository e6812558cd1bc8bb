//! Merging a configuration into an object.

use super::Typed;
use super::set::Step;
use super::typed::steps;
use crate::schema::ListType;
use serde_json::Value;

/// Merges a configuration into an object: members and elements that it has not stay as they are.
pub(super) fn merge(typed: Typed<'_>, live: &Value, config: &Value) -> Value {
    let Typed { schemas, schema } = typed;
    if schemas.is_atomic(schema) {
        return config.clone();
    }
    match (live, config) {
        (Value::Object(live), Value::Object(config)) => {
            let mut merged = live.clone();
            for (name, config) in config {
                let child = typed.at(schemas.member(schema, name).0);
                let value = live.get(name).map_or_else(|| config.clone(), |live| merge(child, live, config));
                merged.insert(name.clone(), value);
            }
            Value::Object(merged)
        }
        (Value::Array(live), Value::Array(config)) if *schemas.list_type(schema) != ListType::Atomic => {
            Value::Array(merge_lists(typed, live, config))
        }
        _ => config.clone(),
    }
}

/// Merges two lists. Elements that both have come in the order of the configuration; those that only the object has
/// keep their places between them.
fn merge_lists(typed: Typed<'_>, live: &[Value], config: &[Value]) -> Vec<Value> {
    let (live_steps, config_steps) = (steps(typed, live), steps(typed, config));
    let element = typed.at(typed.schemas.element(typed.schema));
    let merged = |index: usize| {
        let old = live_steps.iter().position(|step| *step == config_steps[index]).map(|index| &live[index]);
        old.map_or_else(|| config[index].clone(), |old| merge(element, old, &config[index]))
    };
    let mut shared = config_steps.iter().filter(|step| live_steps.contains(step));
    let mut next = shared.next();
    let mut done: Vec<&Step> = Vec::new();
    let mut out = Vec::new();
    let (mut l, mut c) = (0, 0);
    while l < live.len() || c < config.len() {
        if let (Some(old), Some(new)) = (live_steps.get(l), config_steps.get(c)) {
            if old == new {
                done.push(new);
                out.push(merged(c));
                (l, c) = (l + 1, c + 1);
                next = shared.next();
                continue;
            }
            if config_steps.contains(old) && next.is_some_and(|next| next != old) {
                l += 1;
                continue;
            }
        }
        if let Some(old) = live_steps.get(l) {
            if !config_steps.contains(old) {
                out.push(live[l].clone());
                l += 1;
                continue;
            } else if done.contains(&old) {
                l += 1;
            }
        }
        if let Some(new) = config_steps.get(c) {
            done.push(new);
            out.push(merged(c));
            c += 1;
            if next == Some(new) {
                next = shared.next();
            }
        }
    }
    out
}
