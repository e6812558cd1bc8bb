//! Everything in the list of documented groups is in `spec/`.

use super::documents::{Documents, REFERENCE};
use super::intended::{Intended, assert_only};
use kapigen_tests::places::{self, log};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use test_support::compare::{Difference, differences};

const INTENDED: &[Intended] = &[Intended {
    place: "images[\"\"].required*",
    reason: "the list requires the layers of an Image; servers publish, and send, images without",
}];

#[test]
fn every_documented_operation_is_there() {
    let groups = groups();
    let paths = Value::from(Documents::ours().operations(|_| true));
    let mut expected = Map::new();
    let mut found = Map::new();
    for operation in
        groups.values().flat_map(|group| group["operations"].as_array().into_iter().flatten())
    {
        let method = text(operation, "method");
        let path = text(operation, "path");
        let mut wanted = operation.clone();
        let wanted_object = wanted.as_object_mut().expect("an operation is an object");
        wanted_object.retain(|key, _| !matches!(key.as_str(), "method" | "path"));
        wanted["path_params"] = sorted(&wanted["path_params"]);
        expected.insert(format!("{method} {path}"), wanted);
        if let Some(ours) = paths[path].get(method.to_lowercase()) {
            found.insert(format!("{method} {path}"), operation_as_documented(ours));
        }
    }
    let queries = |all: &Map<String, Value>| {
        all.values().map(|op| op["query_params"].as_object().map_or(0, Map::len)).sum::<usize>()
    };
    let operations = expected.len();
    let uses = queries(&expected);
    let (missing, more) = sides(&expected.into(), &found.into());
    assert_only(&[], &missing);
    assert_eq!((operations, uses), (60, 429), "the list has changed");
    log(&format!(
        "documented: {operations}/{operations} operations, {uses}/{uses} uses of query \
         parameters; {} parameters and responses beyond",
        more.len()
    ));
}

#[test]
fn every_documented_field_is_there() {
    let groups = groups();
    let schemas = Documents::ours().schemas();
    let mut expected = Map::new();
    let mut found = Map::new();
    let mut fields = 0;
    for (plural, group) in &groups {
        let root = root(&schemas, group);
        let entries = group["schemas"].as_array().expect("a group has schemas");
        let by_pointer = |convert: &dyn Fn(&Value) -> Value| -> Value {
            entries
                .iter()
                .map(|entry| (text(entry, "pointer").to_owned(), convert(entry)))
                .collect()
        };
        fields += entries.iter().map(|entry| documented_fields(entry).len()).sum::<usize>();
        expected.insert(plural.clone(), by_pointer(&schema_of_list));
        found.insert(
            plural.clone(),
            by_pointer(&|entry| {
                schema_as_documented(&schemas, entry, at(&schemas, root, text(entry, "pointer")))
            }),
        );
    }
    let lines = assert_only(INTENDED, &differences(&expected.into(), &found.into()));
    assert_eq!(fields, 107, "the list has changed");
    log(&format!("documented: {fields}/{fields} fields. Meant to differ:\n{}", lines.join("\n")));
}

/// An entry of the list, brought into order.
fn schema_of_list(entry: &Value) -> Value {
    if entry["type"] == "array" {
        return json!({ "type": "array" });
    }
    let fields = documented_fields(entry).iter().map(|field| {
        let members = field
            .as_object()
            .expect("a field is an object")
            .iter()
            .filter(|(key, _)| *key != "name");
        (
            text(field, "name"),
            members.map(|(key, value)| (key.clone(), value.clone())).collect::<Value>(),
        )
    });
    json!({ "type": entry["type"], "required": sorted(&entry["required"]), "fields": fields.collect::<Value>() })
}

/// Our schema in the form of an entry of the list. Fields beyond are left out.
fn schema_as_documented(schemas: &BTreeMap<String, Value>, entry: &Value, ours: &Value) -> Value {
    if ours["type"] == "array" {
        return json!({ "type": "array" });
    }
    let fields = documented_fields(entry).iter().filter_map(|field| {
        let name = text(field, "name");
        Some((name, field_as_documented(schemas, field, ours["properties"].get(name)?)))
    });
    json!({ "type": ours["type"], "required": sorted(&ours["required"]), "fields": fields.collect::<Value>() })
}

/// Our field in the form of the list: some objects it calls by their name, others `object`.
fn field_as_documented(
    schemas: &BTreeMap<String, Value>,
    documented: &Value,
    ours: &Value,
) -> Value {
    let convert = |documented: &Value, ours: &Value| match documented.as_str() {
        Some("object") => resolve(schemas, ours)["type"].clone(),
        _ => name_or_type(ours),
    };
    let own = Some(("type", convert(&documented["type"], ours)));
    let inner = ["items", "additionalProperties"]
        .map(|key| Some((key, convert(documented.get(key)?, &ours[key]))));
    own.into_iter()
        .chain(inner.into_iter().flatten())
        .map(|(key, ty)| (key.to_owned(), ty))
        .collect()
}

fn documented_fields(entry: &Value) -> &[Value] {
    entry["fields"].as_array().expect("an entry has fields")
}

/// The list of documented groups.
fn groups() -> BTreeMap<String, Value> {
    serde_json::from_str(&places::text(&places::data("documented/documented-groups.json")))
        .expect("the list is JSON")
}

/// Differences in entries of the list, and entries that only ours has.
fn sides(expected: &Value, found: &Value) -> (Vec<Difference>, Vec<Difference>) {
    differences(expected, found).into_iter().partition(|difference| difference.expected.is_some())
}

fn operation_as_documented(operation: &Value) -> Value {
    let parameters = operation["parameters"].as_object().expect("an operation has parameters");
    let of = |place: &str| {
        let place = format!("{place}:");
        parameters
            .iter()
            .filter_map(move |(key, value)| Some((key.strip_prefix(&place)?.to_owned(), value)))
    };
    let path: Value = of("path").map(|(name, _)| name).collect();
    let responses = operation["responses"].as_object().into_iter().flatten();
    json!({
        "deprecated": operation["deprecated"] == true,
        "path_params": sorted(&path),
        "query_params": of("query").map(|(name, value)| (name, value["schema"]["type"].clone())).collect::<Value>(),
        "body": holds(&operation["requestBody"]),
        "responses": responses.map(|(status, response)| (status.clone(), holds(response))).collect::<Value>(),
    })
}

/// The kind or type in a request or response body.
fn holds(content: &Value) -> Value {
    let first = content["content"].as_object().and_then(|content| content.values().next());
    first.map_or(Value::Null, |media| name_or_type(&media["schema"]))
}

fn name_or_type(schema: &Value) -> Value {
    match schema[REFERENCE].as_str() {
        Some(name) => name.rsplit('.').next().into(),
        None => schema["type"].clone(),
    }
}

/// The schema of the kind of a group.
fn root<'a>(schemas: &'a BTreeMap<String, Value>, group: &Value) -> &'a Value {
    let kind =
        json!({ "group": group["group"], "version": group["version"], "kind": group["kind"] });
    let states = |schema: &&Value| {
        schema["x-kubernetes-group-version-kind"]
            .as_array()
            .is_some_and(|kinds| kinds.contains(&kind))
    };
    schemas.values().find(states).unwrap_or_else(|| panic!("no schema has the kind {kind}"))
}

/// The schema at a pointer such as `.subsets[].ports`.
fn at<'a>(schemas: &'a BTreeMap<String, Value>, root: &'a Value, pointer: &str) -> &'a Value {
    let steps = pointer.split('.').filter(|step| !step.is_empty());
    steps.fold(root, |schema, step| {
        let (member, element) =
            step.strip_suffix("[]").map_or((step, false), |member| (member, true));
        let schema = resolve(schemas, &schema["properties"][member]);
        if element { resolve(schemas, &schema["items"]) } else { schema }
    })
}

fn resolve<'a>(schemas: &'a BTreeMap<String, Value>, schema: &'a Value) -> &'a Value {
    schema[REFERENCE].as_str().map_or(schema, |name| &schemas[name])
}

/// A list in order. None is an empty one.
fn sorted(list: &Value) -> Value {
    let mut list = list.as_array().cloned().unwrap_or_default();
    list.sort_by_key(Value::to_string);
    list.into()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{value} has no text {key}"))
}
