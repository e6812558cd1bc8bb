//! The rule of `Patch::apply` against every required member of Kubernetes.

use kapigen_fake::change::{Schema, drop_unset};
use kapigen_tests::places;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

struct Schemas(BTreeMap<String, (Value, usize)>);

impl Schemas {
    fn get(&self, schema: &Value) -> (String, Value) {
        let target = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
        match target.and_then(|target| target.rsplit('/').next()) {
            Some(name) => (name.to_owned(), self.0[name].0.clone()),
            None => (String::new(), schema.clone()),
        }
    }

    /// The value that a typed struct sends for a member that is not set, and the part of it that is
    /// to be applied.
    fn unset(&self, schema: &Value) -> (Value, Option<Value>) {
        let (name, schema) = self.get(schema);
        if name.ends_with(".IntOrString") {
            return (json!(0), Some(json!(0)));
        }
        match schema["type"].as_str() {
            Some("integer" | "number") => (json!(0), Some(json!(0))),
            Some("boolean") => (json!(false), Some(json!(false))),
            Some("array") => (json!([]), None),
            Some("object") if schema["properties"].is_object() => {
                (self.unset_members(&schema).0.into(), None)
            }
            Some("object") => (json!({}), None),
            _ if name.ends_with(".Quantity") => (json!("0"), None),
            Some("string") if !name.is_empty() => (Value::Null, None), // a time
            Some("string") => (json!(""), None),
            _ => (Value::Null, None),
        }
    }

    fn unset_members(&self, schema: &Value) -> (Map<String, Value>, Map<String, Value>) {
        let mut sent = Map::new();
        let mut applied = Map::new();
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let (value, rest) = self.unset(&schema["properties"][key]);
            applied.extend(rest.map(|rest| (key.to_owned(), rest)));
            sent.insert(key.to_owned(), value);
        }
        (sent, applied)
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "needs ../shared")]
fn required_members_that_nobody_has_set_are_left_out() {
    let (members, numbers) = check("specs/kubernetes/1.34");
    // The others are numbers or strings: ports.
    assert_eq!((members, numbers), (652, 54 + 2));
}

#[test]
#[cfg_attr(not(shared), ignore = "needs ../shared")]
fn required_members_of_definitions_that_nobody_has_set_are_left_out() {
    let (members, numbers) = check("specs/manifests");
    assert!(members > 1000 && numbers > 10, "{members} members, {numbers} numbers");
}

/// Holds the rule for all schemas of the documents in a folder. Returns the number of their
/// required members, and of those that are sent though nobody has set them.
fn check(folder: &str) -> (usize, usize) {
    let files = places::files(&places::shared(folder), &["json"]);
    let documents: Vec<Value> = files
        .iter()
        .map(|path| serde_json::from_str(&places::text(path)).expect("a document is JSON"))
        .collect();
    let mut schemas = Schemas(BTreeMap::new());
    for (index, document) in documents.iter().enumerate() {
        let all = document["components"]["schemas"].as_object().into_iter().flatten();
        schemas.0.extend(all.map(|(name, schema)| (name.clone(), (schema.clone(), index))));
    }
    let mut members = 0;
    let mut stay = 0;
    let mut failures = Vec::new();
    // The objects within a schema of a definition have no names: each becomes a document of its
    // own.
    let mut parts = Vec::new();
    schemas.0.values().for_each(|(schema, _)| add_parts(schema, &mut parts));
    let parts: Vec<Value> =
        parts.into_iter().map(|part| json!({"components": {"schemas": {"Part": part}}})).collect();
    let named = schemas
        .0
        .iter()
        .map(|(name, (schema, document))| (name.as_str(), schema, &documents[*document]));
    let parts =
        parts.iter().map(|document| ("Part", &document["components"]["schemas"]["Part"], document));
    for (name, schema, document) in named.chain(parts) {
        let required = schema["required"].as_array().map_or(0, Vec::len);
        if required == 0 {
            continue;
        }
        let (sent, applied) = schemas.unset_members(schema);
        let types = Schema::from_document(document, name).expect("the schema is there");
        let mut found = Value::Object(sent);
        drop_unset(&mut found, &types);
        let scalars = |value: &&Value| value.is_number() || value.is_boolean();
        stay += found.as_object().into_iter().flat_map(Map::values).filter(scalars).count();
        members += required;
        if found != Value::Object(applied.clone()) {
            failures.push(format!("{name}: {found} instead of {}", Value::Object(applied)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    (members, stay)
}

/// Collects the objects within a schema that require members.
fn add_parts<'a>(schema: &'a Value, parts: &mut Vec<&'a Value>) {
    let properties = schema["properties"].as_object().into_iter().flat_map(Map::values);
    for part in properties.chain([&schema["items"], &schema["additionalProperties"]]) {
        if part["required"].is_array() {
            parts.push(part);
        }
        if part.is_object() {
            add_parts(part, parts);
        }
    }
}
