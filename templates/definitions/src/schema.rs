//! Structural schemas as servers publish them.

use crate::schema_keywords::{
    self, Allowed, EMBEDDED, INT_OR_STRING, RULE, Takes, VALIDATIONS, is_absent,
    is_any_of_int_or_string, of_definitions,
};
use crate::shared;
use crate::structural::{is_all_of_int_or_string, is_set};
use serde_json::{Map, Number, Value, json};

/// The schema with the keywords that servers keep and the ones that they add. `schema` was checked:
/// each value has its type.
pub(crate) fn published(schema: &Map<String, Value>) -> Value {
    let mut result = Map::new();
    for keyword in of_definitions().filter(|keyword| keyword.allowed != Allowed::Never) {
        let Some(value) = schema.get(keyword.name).filter(|value| !is_absent(keyword.takes, value))
        else {
            continue;
        };
        // No server takes a list of schemas there.
        if keyword.takes == Takes::Items && value.is_array() {
            continue;
        }
        let value = if keyword.name == VALIDATIONS {
            rules(value)
        } else {
            published_value(keyword.takes, value)
        };
        result.insert(keyword.name.to_owned(), value);
    }
    if is_set(schema, INT_OR_STRING) {
        add_int_or_string(schema, &mut result);
    }
    schema_keywords::sort(&mut result);
    Value::Object(result)
}

fn published_value(takes: Takes, value: &Value) -> Value {
    match (takes, value) {
        (Takes::Schema | Takes::Items | Takes::SchemaOrFlag, Value::Object(schema)) => {
            published(schema)
        }
        (Takes::Schemas, Value::Array(schemas)) => schemas.iter().map(published_schema).collect(),
        (Takes::SchemaMap, Value::Object(schemas)) => {
            let mut names: Vec<_> = schemas.iter().collect();
            names.sort_by_key(|(name, _)| *name);
            let schemas =
                names.into_iter().map(|(name, schema)| (name.clone(), published_schema(schema)));
            Value::Object(schemas.collect())
        }
        (Takes::Strings, Value::Array(strings)) => {
            strings.iter().map(|text| Value::from(text.as_str().unwrap_or_default())).collect()
        }
        _ => as_in_go(value),
    }
}

fn published_schema(schema: &Value) -> Value {
    schema.as_object().map_or_else(|| json!({}), published)
}

fn rules(rules: &Value) -> Value {
    rules.as_array().into_iter().flatten().map(rule).collect()
}

/// A validation rule (CEL), with the members that servers know, in their order.
fn rule(rule: &Value) -> Value {
    let members = RULE.iter().filter(|name| !rule[**name].is_null());
    Value::Object(members.map(|name| ((*name).to_owned(), rule[*name].clone())).collect())
}

/// A value after Go decoded and encoded it: a number without a fraction is an integer, and members
/// are sorted.
fn as_in_go(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(whole(number).unwrap_or_else(|| number.clone())),
        Value::Array(elements) => elements.iter().map(as_in_go).collect(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), as_in_go(value)));
            let mut members: Map<_, _> = members.collect();
            members.sort_keys();
            Value::Object(members)
        }
        value => value.clone(),
    }
}

/// The integer that a number with a fraction of zero is.
fn whole(number: &Number) -> Option<Number> {
    /// From here on Go prints an exponent.
    const MOST: f64 = 1e18;
    let value = number
        .as_f64()
        .filter(|value| number.is_f64() && value.fract() == 0.0 && value.abs() < MOST)?;
    format!("{value:.0}").parse::<i64>().ok().map(Number::from)
}

/// Adds the alternatives of an integer or a string, unless the schema already has them.
fn add_int_or_string(schema: &Map<String, Value>, result: &mut Map<String, Value>) {
    if !adds_int_or_string(schema) {
        return;
    }
    let choice = json!([{"type": "integer"}, {"type": "string"}]);
    if !result.contains_key("anyOf") {
        result.insert("anyOf".to_owned(), choice);
        return;
    }
    let all = result.entry("allOf").or_insert_with(|| json!([]));
    if let Value::Array(all) = all {
        all.insert(0, json!({"anyOf": choice}));
    }
}

/// Whether a server adds alternatives to a schema.
fn adds_int_or_string(schema: &Map<String, Value>) -> bool {
    is_set(schema, INT_OR_STRING)
        && !is_any_of_int_or_string(schema)
        && !is_all_of_int_or_string(schema)
}

/// Whether a server adds a schema at the beginning of `allOf`.
pub(crate) fn shifts_all_of(schema: &Map<String, Value>) -> bool {
    adds_int_or_string(schema)
        && schema.get("anyOf").and_then(Value::as_array).is_some_and(|any| !any.is_empty())
}

/// Adds the members of each resource to the schemas of embedded ones.
pub(crate) fn add_embedded(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    for name in ["items", "additionalProperties"] {
        members.get_mut(name).into_iter().for_each(add_embedded);
    }
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        properties.values_mut().for_each(add_embedded);
    }
    if !is_set(members, EMBEDDED) {
        return;
    }
    add_identity(members, &shared::OBJECT_META);
    let required = members.entry("required").or_insert_with(|| json!([]));
    if let Value::Array(required) = required {
        for name in ["kind", "apiVersion"] {
            if !required.iter().any(|known| known == name) {
                required.push(name.into());
            }
        }
    }
    schema_keywords::sort(members);
}

/// Sets `apiVersion`, `kind` and `metadata`, and replaces existing ones. Properties stay sorted.
pub(crate) fn add_identity(schema: &mut Map<String, Value>, metadata: &shared::Metadata) {
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        for (name, property) in shared::identity(metadata) {
            properties.insert(name.to_owned(), property);
        }
        properties.sort_keys();
    }
}
