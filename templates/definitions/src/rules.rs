//! The rules that servers have for every schema of a definition, structural or not.

use crate::cause::{Cause, Causes};
use crate::checks::Checks;
use crate::path::Path;
use crate::schema_keywords::{
    Allowed, EMBEDDED, KEYWORDS, LIST_KEYS, LIST_TYPE, ListType, MAP_TYPE, MapType, PRESERVE,
    VALIDATIONS,
};
use crate::structural::{self, TYPES, is_set, members, properties, schemas, text, wrong_type};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The number of keys of a list that are checked.
const MOST_KEYS: usize = 16;

/// Adds the types and keywords that servers cannot check.
pub(crate) fn check_keywords_and_types(
    schema: &Map<String, Value>,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    check_keywords_and_type(schema, path, causes);
    for_each_subschema(schema, path, &mut |schema, path| {
        check_keywords_and_types(schema, path, causes);
    });
}

/// Adds the patterns that are none.
pub(crate) fn check_patterns(
    schema: &Map<String, Value>,
    path: &Path<'_>,
    checks: &dyn Checks,
    causes: &mut Causes,
) {
    let pattern = text(schema, "pattern");
    if let Some(why) = Some(pattern)
        .filter(|pattern| !pattern.is_empty())
        .and_then(|pattern| checks.pattern(pattern))
    {
        let why = format!("must be a valid regular expression, but isn't: {why}");
        causes.invalid(&path.member("pattern"), pattern, &why);
    }
    for_each_subschema(schema, path, &mut |schema, path| {
        check_patterns(schema, path, checks, causes);
    });
}

/// The part of an object that a schema describes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SchemaContext {
    pub(crate) is_root: bool,
    /// Whether it describes the type or the metadata of a resource.
    is_of_meta: bool,
    /// The reason for which it cannot have a default.
    no_default: Option<&'static str>,
}

impl SchemaContext {
    pub(crate) const ROOT: Self = Self { is_root: true, is_of_meta: false, no_default: None };

    /// The context of a property, or of another schema in a schema.
    fn within(self, schema: &Map<String, Value>, token: &Path<'_>) -> Self {
        let mut context = Self { is_root: false, ..self };
        let Path::Key(outer, name) = token else {
            if self.is_of_meta && matches!(token, Path::Member(_, "additionalProperties")) {
                context.no_default =
                    Some("inside additionalProperties applying to object metadata");
            }
            return context;
        };
        let top = match *name {
            "apiVersion" => "in top-level apiVersion",
            "kind" => "in top-level kind",
            "metadata" => "in top-level metadata",
            _ => return context,
        };
        let is_property = matches!(outer, Path::Member(_, "properties"));
        if is_property && (self.is_root || is_set(schema, EMBEDDED)) {
            context.is_of_meta = true;
            context.no_default = Some(top).filter(|_| self.is_root).or(self.no_default);
        }
        context
    }
}

/// Adds the causes for which a server refuses a schema, apart from the rules of structural schemas.
pub(crate) fn check(
    schema: &Map<String, Value>,
    context: SchemaContext,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    check_keywords_and_type(schema, path, causes);
    if let Some(why) =
        context.no_default.filter(|_| schema.get("default").is_some_and(|d| !d.is_null()))
    {
        causes.forbidden(&path.member("default"), &format!("must not be set {why}"));
    }
    if context.is_of_meta && is_set(schema, EMBEDDED) {
        let why = "must not be used inside of resource meta";
        causes.forbidden(&path.member(EMBEDDED), why);
    }
    if is_set(schema, "uniqueItems") {
        let why =
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
        causes.forbidden(&path.member("uniqueItems"), why);
    }
    check_additional_properties(schema, path, causes);
    for_each_subschema(schema, path, &mut |inner, path| {
        check(inner, context.within(schema, path), path, causes);
    });
    if schema.get(PRESERVE) == Some(&Value::Bool(false)) {
        causes.invalid(&path.member(PRESERVE), false, "must be true or undefined");
    }
    check_map_type(schema, path, causes);
    check_list_type(schema, path, causes);
    check_validations(schema, path, causes);
}

fn check_keywords_and_type(schema: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    for keyword in KEYWORDS.iter().filter(|keyword| keyword.allowed == Allowed::Never) {
        if keyword.is_in(schema) {
            let why = format!("{} is not supported", keyword.name);
            causes.forbidden(&path.member(keyword.name), &why);
        }
    }
    let kind = text(schema, "type");
    let place = path.member("type");
    if kind == "null" {
        let why = "type cannot be set to null, use nullable as an alternative";
        causes.forbidden(&place, why);
    }
    if schema.get("items").and_then(Value::as_array).is_some_and(|items| !items.is_empty()) {
        let why = "items must be a schema object and not an array";
        causes.forbidden(&path.member("items"), why);
    }
    if !kind.is_empty() && !TYPES.contains(&kind) {
        causes.unsupported(&place, kind, &TYPES);
    }
}

/// Visits the schemas directly in a schema.
fn for_each_subschema(
    schema: &Map<String, Value>,
    path: &Path<'_>,
    visit: &mut dyn FnMut(&Map<String, Value>, &Path<'_>),
) {
    if let Some(additional) = structural::schema(schema, "additionalProperties") {
        visit(additional, &path.member("additionalProperties"));
    }
    let place = path.member("properties");
    for (name, property) in properties(schema) {
        visit(property, &place.key(name));
    }
    if let Some(not) = structural::schema(schema, "not") {
        visit(not, &path.member("not"));
    }
    for name in ["allOf", "oneOf", "anyOf"] {
        let place = path.member(name);
        for (index, schema) in schemas(schema, name).enumerate() {
            visit(schema, &place.index(index));
        }
    }
    if let Some(items) = structural::schema(schema, "items") {
        visit(items, &path.member("items"));
    }
}

/// Checks `additionalProperties`: it must not be `false`, and it excludes `properties`.
fn check_additional_properties(schema: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    let place = path.member("additionalProperties");
    let has_properties =
        structural::schema(schema, "properties").is_some_and(|properties| !properties.is_empty());
    match schema.get("additionalProperties") {
        Some(Value::Bool(false)) => {
            causes.forbidden(&place, "additionalProperties cannot be set to false");
        }
        Some(Value::Object(_)) if has_properties => {
            let why = "additionalProperties and properties are mutual exclusive";
            causes.forbidden(&place, why);
        }
        _ => {}
    }
}

fn check_map_type(schema: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    let Some(map_type) = schema.get(MAP_TYPE).and_then(Value::as_str) else { return };
    if text(schema, "type") != "object" {
        let why = "must be object if x-kubernetes-map-type is specified";
        causes.push(|| wrong_type(&path.member("type"), text(schema, "type"), why));
    }
    if !MapType::NAMES.contains(&map_type) {
        causes.unsupported(&path.member(MAP_TYPE), map_type, &MapType::NAMES);
    }
}

fn check_list_type(schema: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    let list_type = schema.get(LIST_TYPE).and_then(Value::as_str);
    let keys = schema.get(LIST_KEYS).and_then(Value::as_array);
    let keys: Vec<&str> =
        keys.into_iter().flatten().map(|key| key.as_str().unwrap_or_default()).collect();
    let place = path.member(LIST_TYPE);
    if let Some(list_type) = list_type {
        if text(schema, "type") != "array" {
            let why = "must be array if x-kubernetes-list-type is specified";
            causes.push(|| wrong_type(&path.member("type"), text(schema, "type"), why));
        } else if list_type == "set" {
            check_set(schema, path, causes);
        } else if !ListType::NAMES.contains(&list_type) {
            causes.unsupported(&place, list_type, &ListType::NAMES);
        }
    }
    if !keys.is_empty() {
        let why = "must be map if x-kubernetes-list-map-keys is non-empty";
        match list_type {
            None => causes.required(&place, why),
            Some("map") => {}
            Some(list_type) => causes.invalid(&place, list_type, why),
        }
    }
    if list_type == Some("map") {
        check_list_map(schema, &keys, path, causes);
    }
    let items = structural::schema(schema, "items");
    if let (Some(items), Some(list_type @ ("map" | "set"))) = (items, list_type) {
        check_elements(items, list_type, &keys, &path.member("items"), causes);
    }
}

/// Checks that the elements of a set are compared as a whole.
fn check_set(schema: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    let Some(items) = structural::schema(schema, "items") else { return };
    let (name, is_atomic) = match text(items, "type") {
        "array" => (LIST_TYPE, ["", "atomic"].contains(&text(items, LIST_TYPE))),
        "object" => (MAP_TYPE, text(items, MAP_TYPE) == "atomic"),
        _ => return,
    };
    if !is_atomic {
        let shown = items.get(LIST_TYPE).unwrap_or(&Value::Null);
        let why = "must be atomic as item of a list with x-kubernetes-list-type=set";
        causes.push(|| Cause::invalid(&path.member("items").member(name), shown, why));
    }
}

/// Checks a list with keys for its elements.
fn check_list_map(
    schema: &Map<String, Value>,
    keys: &[&str],
    path: &Path<'_>,
    causes: &mut Causes,
) {
    let place = path.member(LIST_KEYS);
    if keys.is_empty() {
        causes.required(&place, "must not be empty if x-kubernetes-list-type is map");
    }
    let items_place = path.member("items");
    let Some(items) = structural::schema(schema, "items") else {
        causes.push(|| match schema.get("items").filter(|items| items.is_array()) {
            None => {
                Cause::required(&items_place, "must have a schema if x-kubernetes-list-type is map")
            }
            Some(items) => {
                let why = "must only have a single schema if x-kubernetes-list-type is map";
                Cause::invalid(&items_place, &json!({"Schema": null, "JSONSchemas": items}), why)
            }
        });
        return;
    };
    if text(items, "type") != "object" {
        let why = "must be object if parent array's x-kubernetes-list-type is map";
        causes.invalid(&items_place.member("type"), text(items, "type"), why);
        return;
    }
    let declared = structural::schema(items, "properties");
    let mut known = BTreeSet::new();
    // Each refusal shows all keys, so refusals for the first keys are enough.
    for key in keys.iter().take(MOST_KEYS) {
        match declared.and_then(|declared| declared.get(*key)).map(|property| &property["type"]) {
            None => causes.push(|| {
                Cause::invalid(&place, &json!(keys), "entries must all be names of item properties")
            }),
            Some(Value::String(kind)) if ["array", "object"].contains(&kind.as_str()) => {
                let properties = items_place.member("properties");
                let property = properties.key(key);
                let why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
                causes.invalid(&property.member("type"), "object", why);
            }
            Some(_) => {}
        }
        if !known.insert(key) {
            causes.push(|| {
                Cause::invalid(&place, &json!(keys), "must not contain duplicate entries")
            });
        }
    }
}

/// Checks the elements of a list that are identified by their values or keys.
fn check_elements(
    items: &Map<String, Value>,
    list_type: &str,
    keys: &[&str],
    path: &Path<'_>,
    causes: &mut Causes,
) {
    if is_set(items, "nullable") {
        let why = format!("cannot be nullable when x-kubernetes-list-type is {list_type}");
        causes.forbidden(&path.member("nullable"), &why);
    }
    if list_type == "set" {
        return;
    }
    let required = items.get("required").and_then(Value::as_array);
    let required: BTreeSet<&str> =
        required.into_iter().flatten().filter_map(Value::as_str).collect();
    let declared = structural::schema(items, "properties");
    let place = path.member("properties");
    for key in keys {
        let property = declared.and_then(|declared| declared.get(*key)).and_then(Value::as_object);
        let Some(property) = property else { continue };
        let place = place.key(key);
        let why = "this property is in x-kubernetes-list-map-keys, so it";
        if !required.contains(key) && property.get("default").is_none_or(Value::is_null) {
            let why = format!("{why} must have a default or be a required property");
            causes.required(&place.member("default"), &why);
        }
        if is_set(property, "nullable") {
            causes.forbidden(&place.member("nullable"), &format!("{why} cannot be nullable"));
        }
    }
}

/// Checks rules that are expressions, but not the expressions.
fn check_validations(schema: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    const REASONS: [&str; 4] =
        ["FieldValueRequired", "FieldValueForbidden", "FieldValueInvalid", "FieldValueDuplicate"];
    let rules = schema.get(VALIDATIONS).and_then(Value::as_array);
    let place = path.member(VALIDATIONS);
    for (index, rule) in rules.into_iter().flatten().enumerate() {
        let place = place.index(index);
        let [expression, message, reason] =
            ["rule", "message", "reason"].map(|name| text(members(rule), name));
        let message_place = place.member("message");
        if !message.is_empty() && message.trim().is_empty() {
            causes.invalid(&message_place, message, "message must be non-empty if specified");
        } else if message.contains(['\n', '\r']) {
            causes.invalid(&message_place, message, "message must not contain line breaks");
        }
        if expression.trim().is_empty() {
            causes.required(&place.member("rule"), "rule is not specified");
        } else if message.is_empty() && expression.contains(['\n', '\r']) {
            let why = "message must be specified if rule contains line breaks";
            causes.required(&message_place, why);
        }
        if !reason.is_empty() && !REASONS.contains(&reason) {
            causes.unsupported(&place.member("reason"), reason, &REASONS);
        }
    }
}
