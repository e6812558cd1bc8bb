//! The rule of `Patch::apply` against every required member of Kubernetes.

use kapigen_fake::change::{Schema, drop_unset};
use kapigen_tests::places;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Required members of 1.34 that are applied even if they are empty.
const KEPT: [(&str, &str); 3] = [
    ("io.k8s.api.resource.v1.CapacityRequestPolicyRange", "min"),
    ("io.k8s.api.resource.v1beta1.CapacityRequestPolicyRange", "min"),
    ("io.k8s.api.resource.v1beta2.CapacityRequestPolicyRange", "min"),
];

struct Schemas(BTreeMap<String, (Value, usize)>);

impl Schemas {
    fn get(&self, schema: &Value) -> (String, Value) {
        let target = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
        match target.and_then(|target| target.rsplit('/').next()) {
            Some(name) => (name.to_owned(), self.0[name].0.clone()),
            None => (String::new(), schema.clone()),
        }
    }

    /// The value that a typed struct sends for a member that is not set, and the part of it that is to be applied.
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
                let (sent, applied) = self.unset_members(&name, &schema);
                let is_set = |(key, _): (&String, &Value)| KEPT.contains(&(&name, key));
                let applied = Some(applied).filter(|applied| applied.iter().any(is_set));
                (sent.into(), applied.map(Value::Object))
            }
            Some("object") => (json!({}), None),
            _ if name.ends_with(".Quantity") => (json!("0"), None),
            Some("string") if !name.is_empty() => (Value::Null, None), // a time
            Some("string") => (json!(""), None),
            _ => (Value::Null, None),
        }
    }

    fn unset_members(&self, name: &str, schema: &Value) -> (Map<String, Value>, Map<String, Value>) {
        let (mut sent, mut applied) = (Map::new(), Map::new());
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let (value, rest) = self.unset(&schema["properties"][key]);
            let rest = if KEPT.contains(&(name, key)) { Some(value.clone()) } else { rest };
            applied.extend(rest.map(|rest| (key.to_owned(), rest)));
            sent.insert(key.to_owned(), value);
        }
        (sent, applied)
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "needs ../shared")]
fn required_members_that_nobody_has_set_are_left_out() {
    let files = places::files(&places::shared("specs/kubernetes/1.34"), &["json"]);
    let documents: Vec<Value> =
        files.iter().map(|path| serde_json::from_str(&places::text(path)).expect("a document is JSON")).collect();
    let mut schemas = Schemas(BTreeMap::new());
    for (index, document) in documents.iter().enumerate() {
        let all = document["components"]["schemas"].as_object().into_iter().flatten();
        schemas.0.extend(all.map(|(name, schema)| (name.clone(), (schema.clone(), index))));
    }
    let (mut members, mut stay, mut failures) = (0, 0, Vec::new());
    for (name, (schema, document)) in &schemas.0 {
        let required = schema["required"].as_array().map_or(0, Vec::len);
        if required == 0 {
            continue;
        }
        let (sent, applied) = schemas.unset_members(name, schema);
        let types = Schema::from_document(&documents[*document], name).expect("the schema is there");
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
    // The others are numbers or strings: ports.
    assert_eq!((members, stay), (652, 54 + 2));
}
