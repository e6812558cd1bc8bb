//! The rules of structural schemas.

use crate::cause::{Cause, Causes};
use crate::path::Path;
use crate::schema_keywords::{
    Allowed, EMBEDDED, INT_OR_STRING, KEYWORDS, PRESERVE, Takes, find_in_definitions, is_absent,
    is_any_of_int_or_string, is_choice_of_int_or_string,
};
use serde_json::{Map, Value, json};
use std::fmt;

/// The greatest number of schemas in one another. JSON is nested at most twice as deep.
const DEEPEST: usize = 200;

/// The types that a schema may have.
pub(crate) const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// The position of a schema in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Root,
    Field,
    Item,
}

/// Returns the keywords of a schema if all of their values have the right types. Otherwise no
/// server decodes the definition, and the other rules make no sense.
///
/// # Errors
/// The values of other types, and a schema that is nested too deeply.
pub(crate) fn decoded<'a>(
    schema: &'a Value,
    path: &Path<'_>,
) -> Result<&'a Map<String, Value>, Vec<Cause>> {
    let Some(members) = schema.as_object() else {
        return Err(vec![Cause::mistyped(path, schema, "a schema")]);
    };
    let mut causes = Causes::default();
    check_values(members, path, 0, &mut causes);
    if causes.is_empty() { Ok(members) } else { Err(causes.into_list()) }
}

/// The keywords of a schema without those that [`decoded`] refuses. A schema that is not an object
/// allows any value.
pub(crate) fn mended(schema: &Value) -> Map<String, Value> {
    mended_to(schema, DEEPEST)
}

fn mended_to(schema: &Value, depth: usize) -> Map<String, Value> {
    let known = members(schema)
        .iter()
        .filter_map(|(name, value)| Some((name, value, find_in_definitions(name)?)));
    let kept = known.filter(|(_, value, keyword)| keyword.takes.mismatch(value).is_none());
    let mended = kept.map(|(name, value, keyword)| {
        let value = match (keyword.takes, value) {
            (Takes::Schema | Takes::Items | Takes::SchemaOrFlag, Value::Object(_)) => {
                mended_below(value, depth)
            }
            (Takes::Schemas, Value::Array(list)) => {
                list.iter().map(|schema| mended_below(schema, depth)).collect()
            }
            (Takes::SchemaMap, Value::Object(map)) => {
                map.iter().map(|(key, schema)| (key.clone(), mended_below(schema, depth))).collect()
            }
            (_, value) => value.clone(),
        };
        (name.clone(), value)
    });
    mended.collect()
}

/// A schema in another one, below which `depth` more may be nested.
fn mended_below(schema: &Value, depth: usize) -> Value {
    match depth.checked_sub(1) {
        Some(depth) => Value::Object(mended_to(schema, depth)),
        None => json!({}),
    }
}

/// Adds the causes for which a schema is not structural.
pub(crate) fn check(schema: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    check_invariants(schema, Level::Root, path, causes);
    check_completeness(schema, path, causes);
}

/// The string of a keyword. Empty if it is absent, as in Go.
pub(crate) fn text<'a>(schema: &'a Map<String, Value>, name: &str) -> &'a str {
    schema.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Whether a flag is set.
pub(crate) fn is_set(schema: &Map<String, Value>, name: &str) -> bool {
    schema.get(name) == Some(&Value::Bool(true))
}

/// The schema of a keyword.
pub(crate) fn schema<'a>(
    schema: &'a Map<String, Value>,
    name: &str,
) -> Option<&'a Map<String, Value>> {
    schema.get(name)?.as_object()
}

/// The schemas of a keyword that takes a list. A schema that is `null` is empty.
pub(crate) fn schemas<'a>(
    schema: &'a Map<String, Value>,
    name: &str,
) -> impl Iterator<Item = &'a Map<String, Value>> {
    schema.get(name).and_then(Value::as_array).into_iter().flatten().map(members)
}

/// The properties in the order of their names.
pub(crate) fn properties(schema: &Map<String, Value>) -> Vec<(&str, &Map<String, Value>)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut properties: Vec<_> = properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| (name.as_str(), members(schema)))
        .collect();
    properties.sort_by_key(|(name, _)| *name);
    properties
}

/// The members of an object, such as the keywords of a schema. Other values, such as `null`, have
/// none.
pub(crate) fn members(value: &Value) -> &Map<String, Value> {
    static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    value.as_object().unwrap_or(&NONE)
}

/// Checks the types of values, and how deep schemas are nested.
fn check_values(members: &Map<String, Value>, path: &Path<'_>, depth: usize, causes: &mut Causes) {
    if depth > DEEPEST {
        causes.forbidden(path, &format!("schemas may not be nested deeper than {DEEPEST}"));
        return;
    }
    for (name, value) in members {
        let Some(keyword) = find_in_definitions(name) else { continue };
        let path = path.member(name);
        if let Some(wanted) = keyword.takes.mismatch(value) {
            causes.push(|| Cause::mistyped(&path, value, wanted));
            continue;
        }
        match (keyword.takes, value) {
            (Takes::Schema | Takes::Items | Takes::SchemaOrFlag, Value::Object(members)) => {
                check_values(members, &path, depth + 1, causes);
            }
            (Takes::Schemas, Value::Array(list)) => {
                for (index, schema) in list.iter().enumerate() {
                    check_element(schema, &path.index(index), depth + 1, causes);
                }
            }
            (Takes::SchemaMap, Value::Object(map)) => {
                for (key, schema) in map {
                    check_element(schema, &path.key(key), depth + 1, causes);
                }
            }
            _ => {}
        }
    }
}

/// Checks a value of a list or map of schemas.
fn check_element(schema: &Value, path: &Path<'_>, depth: usize, causes: &mut Causes) {
    match schema {
        Value::Object(members) => check_values(members, path, depth, causes),
        Value::Null => {}
        schema => causes.push(|| Cause::mistyped(path, schema, "a schema")),
    }
}

/// Whether the first schema of `allOf` already states that a value is an integer or a string.
pub(crate) fn is_all_of_int_or_string(schema: &Map<String, Value>) -> bool {
    let first = schema.get("allOf").and_then(|all| all.get(0));
    is_set(schema, INT_OR_STRING)
        && first.and_then(|first| first.get("anyOf")).is_some_and(is_choice_of_int_or_string)
}

fn check_invariants(
    schema: &Map<String, Value>,
    level: Level,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    let kind = text(schema, "type");
    let items = self::schema(schema, "items");
    if kind == "array" && items.is_none() {
        causes.required(&path.member("items"), "must be specified");
    }
    if let Some(items) = items {
        check_invariants(items, Level::Item, &path.member("items"), causes);
    }
    for (name, property) in properties(schema) {
        check_invariants(property, Level::Field, &path.member("properties").key(name), causes);
    }
    check_additional_properties(schema, level, path, causes);
    check_extensions(schema, path, causes);
    check_validation(
        schema,
        is_any_of_int_or_string(schema),
        is_all_of_int_or_string(schema),
        path,
        causes,
    );
    check_type(schema, level, path, causes);
    check_identity(schema, level, path, causes);
}

fn check_additional_properties(
    schema: &Map<String, Value>,
    level: Level,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    let Some(additional) = schema.get("additionalProperties").filter(|value| !value.is_null())
    else {
        return;
    };
    let path = path.member("additionalProperties");
    if level == Level::Root {
        causes.forbidden(&path, "must not be used at the root");
    }
    if let Some(additional) = additional.as_object() {
        check_invariants(additional, Level::Field, &path, causes);
    }
    if is_set(schema, EMBEDDED) {
        causes.forbidden(&path, "must not be used if x-kubernetes-embedded-resource is set");
    }
}

fn check_extensions(schema: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    for name in [PRESERVE, EMBEDDED] {
        if is_set(schema, INT_OR_STRING) && is_set(schema, name) {
            let why = "must be false if x-kubernetes-int-or-string is true";
            causes.invalid(&path.member(name), true, why);
        }
    }
}

/// Checks that a schema has a type, and the right one.
fn check_type(schema: &Map<String, Value>, level: Level, path: &Path<'_>, causes: &mut Causes) {
    let kind = text(schema, "type");
    let place = &path.member("type");
    if is_set(schema, EMBEDDED) && kind != "object" {
        causes.push(|| {
            wrong_type(place, kind, "must be object if x-kubernetes-embedded-resource is true")
        });
    } else if kind.is_empty() && !is_set(schema, INT_OR_STRING) && !is_set(schema, PRESERVE) {
        let why = match level {
            Level::Root => "must not be empty at the root",
            Level::Item => "must not be empty for specified array items",
            Level::Field => "must not be empty for specified object fields",
        };
        causes.required(place, why);
    }
    if level == Level::Root && !kind.is_empty() && kind != "object" {
        causes.invalid(place, kind, "must be object at the root");
    }
}

/// The refusal of a type that is absent or another one.
pub(crate) fn wrong_type(place: &Path<'_>, kind: &str, why: &str) -> Cause {
    if kind.is_empty() {
        Cause::required(place, why)
    } else {
        Cause::invalid(place, &kind.into(), why)
    }
}

/// Checks the members that each resource has.
fn check_identity(schema: &Map<String, Value>, level: Level, path: &Path<'_>, causes: &mut Causes) {
    let is_embedded = is_set(schema, EMBEDDED);
    let is_resource = level == Level::Root || is_embedded;
    let place = path.member("properties");
    let declared = members(schema.get("properties").unwrap_or(&Value::Null));
    for name in ["kind", "apiVersion"] {
        if let Some(kind) = declared.get(name).map(|property| text(members(property), "type"))
            && is_resource
            && kind != "string"
        {
            causes.invalid(&place.key(name).member("type"), kind, "must be string");
        }
    }
    if let Some(metadata) = declared.get("metadata").map(members) {
        let place = place.key("metadata");
        let kind = text(metadata, "type");
        if is_resource && kind != "object" {
            causes.invalid(&place.member("type"), kind, "must be object");
        }
        if level == Level::Root && restricts_metadata(metadata) {
            let why = "must not specify anything other than name and generateName, but metadata \
                       is implicitly specified";
            causes.forbidden(&place, why);
        }
    }
    if is_embedded && !is_set(schema, PRESERVE) && declared.is_empty() {
        let why = "must not be empty if x-kubernetes-embedded-resource is true without \
                   x-kubernetes-preserve-unknown-fields";
        causes.required(&place, why);
    }
}

/// Whether the schema of metadata has more than names and a type.
fn restricts_metadata(metadata: &Map<String, Value>) -> bool {
    metadata.iter().any(|(name, value)| {
        let absent =
            find_in_definitions(name).is_none_or(|keyword| is_absent(keyword.takes, value));
        let names = name == "properties"
            && value.as_object().is_some_and(|properties| {
                properties.keys().all(|name| ["name", "generateName"].contains(&name.as_str()))
            });
        !absent && !names && !["type", "default"].contains(&name.as_str())
    })
}

/// Checks the schemas that restrict values without declaring any.
fn check_validation(
    schema: &Map<String, Value>,
    skips_any_of: bool,
    skips_first_of_all: bool,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    for name in ["anyOf", "allOf", "oneOf"] {
        if name == "anyOf" && skips_any_of {
            continue;
        }
        let place = path.member(name);
        for (index, nested) in schemas(schema, name).enumerate() {
            let skips = name == "allOf" && index == 0 && skips_first_of_all;
            check_nested(nested, skips, &place.index(index), causes);
        }
    }
    if let Some(not) = self::schema(schema, "not") {
        check_nested(not, false, &path.member("not"), causes);
    }
}

fn check_nested(
    schema: &Map<String, Value>,
    skips_any_of: bool,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    check_validation(schema, skips_any_of, false, path, causes);
    if let Some(items) = self::schema(schema, "items") {
        check_nested(items, false, &path.member("items"), causes);
    }
    for (name, property) in properties(schema) {
        check_nested(property, false, &path.member("properties").key(name), causes);
    }
    for keyword in KEYWORDS {
        if let Allowed::Outside(why) = keyword.allowed
            && keyword.is_in(schema)
        {
            causes.forbidden(&path.member(keyword.name), why);
        }
    }
    if self::schema(schema, "properties")
        .is_some_and(|properties| properties.contains_key("metadata"))
    {
        let place = path.member("properties");
        causes.forbidden(&place.key("metadata"), "must not be specified in a nested context");
    }
}

/// Checks that everything which is restricted is declared, too.
fn check_completeness(schema: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    check_restrictions(schema, schema, path, path, causes);
    if let Some(items) = self::schema(schema, "items") {
        check_completeness(items, &path.member("items"), causes);
    }
    for (name, property) in properties(schema) {
        check_completeness(property, &path.member("properties").key(name), causes);
    }
    if let Some(additional) = self::schema(schema, "additionalProperties") {
        check_completeness(additional, &path.member("additionalProperties"), causes);
    }
}

/// Checks the restrictions at one place against the properties that are declared there.
fn check_restrictions(
    restricting: &Map<String, Value>,
    declared: &Map<String, Value>,
    at: &Path<'_>,
    from: &Path<'_>,
    causes: &mut Causes,
) {
    for name in ["allOf", "anyOf", "oneOf"] {
        let from = from.member(name);
        for (index, nested) in schemas(restricting, name).enumerate() {
            check_declared(nested, declared, at, &from.index(index), causes);
        }
    }
    if let Some(not) = schema(restricting, "not") {
        check_declared(not, declared, at, &from.member("not"), causes);
    }
}

/// Checks that a restricting schema names only declared properties.
fn check_declared(
    nested: &Map<String, Value>,
    declared: &Map<String, Value>,
    at: &Path<'_>,
    from: &Path<'_>,
    causes: &mut Causes,
) {
    check_restrictions(nested, declared, at, from, causes);
    if let Some(items) = schema(nested, "items") {
        let at = at.member("items");
        let from = from.member("items");
        match schema(declared, "items") {
            Some(declared) => check_declared(items, declared, &at, &from, causes),
            None => causes.push(|| missing(&at, &from)),
        }
    }
    let known = schema(declared, "properties");
    for (name, property) in properties(nested) {
        let at = at.member("properties");
        let from = from.member("properties");
        let at = at.key(name);
        let from = from.key(name);
        match known.and_then(|known| known.get(name)) {
            Some(declared) => check_declared(property, members(declared), &at, &from, causes),
            None => causes.push(|| missing(&at, &from)),
        }
    }
}

fn missing(at: &Path<'_>, from: &dyn fmt::Display) -> Cause {
    Cause::required(at, &format!("because it is defined in {from}"))
}
