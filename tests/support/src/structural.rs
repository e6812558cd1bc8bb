//! The rules of structural schemas, by which servers accept custom resource definitions, and the
//! objects that such a schema accepts.

use serde_json::{Map, Value};

/// The keywords that servers know, and which a schema of a type may use.
const KEYWORDS: [&str; 16] = [
    "additionalProperties",
    "default",
    "description",
    "format",
    "items",
    "maximum",
    "minimum",
    "nullable",
    "properties",
    "required",
    "title",
    "type",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];
/// It is allowed, too, with no other value than `true`.
const FREE: &str = "x-kubernetes-preserve-unknown-fields";

/// Lists the rules that a schema breaks, with the paths of its parts.
#[must_use]
pub fn broken_rules(schema: &Value) -> Vec<String> {
    let mut violations = Violations::default();
    violations.node(schema, "");
    violations.0
}

/// Lists the parts of a value that a schema refuses or does not know. A member that is `null`
/// counts as absent.
#[must_use]
pub fn refusals(schema: &Value, value: &Value) -> Vec<String> {
    let mut violations = Violations::default();
    violations.value(schema, value, "");
    violations.0
}

#[derive(Default)]
struct Violations(Vec<String>);

impl Violations {
    fn report(&mut self, path: &str, rule: &str) {
        self.0.push(format!("{}: {rule}", if path.is_empty() { "/" } else { path }));
    }

    fn expect(&mut self, holds: bool, path: &str, rule: &str) {
        if !holds {
            self.report(path, rule);
        }
    }

    fn node(&mut self, schema: &Value, path: &str) {
        let Some(keywords) = schema.as_object() else {
            return self.report(path, "a schema is an object");
        };
        for keyword in
            keywords.keys().filter(|name| !KEYWORDS.contains(&name.as_str()) && *name != FREE)
        {
            self.report(path, &format!("keyword {keyword}"));
        }
        self.type_of(keywords, path);
        let has = |keyword: &str| keywords.contains_key(keyword);
        let is = |name: &str| schema["type"] == name;
        let both = has("properties") && has("additionalProperties");
        self.expect(!both, path, "properties exclude additionalProperties");
        self.expect(has("items") == is("array"), path, "arrays have items, and nothing else has");
        let has_members = has("properties") || has("additionalProperties") || has("required");
        self.expect(!has_members || is("object"), path, "only objects have members");
        self.required(keywords, path);
        self.merge_keywords(schema, path);
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            self.node(property, &format!("{path}/{name}"));
        }
        for (keyword, below) in [("items", "[]"), ("additionalProperties", "{}")] {
            if let Some(part) = keywords.get(keyword) {
                self.node(part, &format!("{path}/{below}"));
            }
        }
    }

    fn type_of(&mut self, keywords: &Map<String, Value>, path: &str) {
        let flag = |keyword: &str| match keywords.get(keyword) {
            None => Some(false),
            Some(value) => value.as_bool().filter(|value| *value),
        };
        let (Some(is_either), Some(is_free)) = (flag("x-kubernetes-int-or-string"), flag(FREE))
        else {
            return self.report(path, "a flag is true or absent");
        };
        match keywords.get("type").map(|name| name.as_str().unwrap_or_default()) {
            None => self.expect(is_either || is_free, path, "has a type"),
            Some(_) if is_either => self.report(path, "an int-or-string has no type"),
            Some("object") => {}
            Some("array" | "boolean" | "integer" | "number" | "string") => {
                self.expect(!is_free, path, "only objects have unknown members");
            }
            Some(_) => self.report(path, "has a known type"),
        }
        self.expect(!(is_either && is_free), path, "is either free or an int-or-string");
    }

    fn required(&mut self, keywords: &Map<String, Value>, path: &str) {
        let Some(required) = keywords.get("required") else { return };
        let names: Vec<&str> =
            required.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut distinct = names.clone();
        distinct.sort_unstable();
        distinct.dedup();
        self.expect(
            !names.is_empty() && distinct.len() == names.len(),
            path,
            "required names are distinct, if any",
        );
        let properties = keywords.get("properties");
        let is_known = |name: &&str| properties.is_some_and(|all| all.get(name).is_some());
        self.expect(names.iter().all(is_known), path, "required members are properties");
    }

    fn merge_keywords(&mut self, schema: &Value, path: &str) {
        if let Some(map_type) = schema.get("x-kubernetes-map-type") {
            let is_right =
                schema["type"] == "object" && (map_type == "atomic" || map_type == "granular");
            self.expect(is_right, path, "only an object has a map type, atomic or granular");
        }
        let keys = schema.get("x-kubernetes-list-map-keys");
        let list_type = schema.get("x-kubernetes-list-type");
        self.expect(
            list_type.is_none() || schema["type"] == "array",
            path,
            "only an array has a list type",
        );
        self.expect(
            keys.is_some() == (list_type == Some(&"map".into())),
            path,
            "keys are for the list type map",
        );
        match list_type.and_then(Value::as_str) {
            Some("map") => self.keys(keys, &schema["items"], path),
            Some("set") => {
                let is_whole = |keyword: &str| schema["items"][keyword] == "atomic";
                let is_composite =
                    schema["items"]["type"] == "object" || schema["items"]["type"] == "array";
                let is_right = !is_composite
                    || is_whole("x-kubernetes-map-type")
                    || is_whole("x-kubernetes-list-type");
                self.expect(is_right, path, "elements of a set are scalars, or atomic");
            }
            Some("atomic") | None => {}
            Some(_) => self.report(path, "has a known list type"),
        }
    }

    /// The keys of a list: scalars that each element has.
    fn keys(&mut self, keys: Option<&Value>, items: &Value, path: &str) {
        let keys: Vec<&str> = keys
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        self.expect(!keys.is_empty(), path, "a list of the type map has keys");
        self.expect(items["type"] == "object", path, "elements with keys are objects");
        for key in keys {
            let property = &items["properties"][key];
            let is_scalar = matches!(
                property["type"].as_str(),
                Some("boolean" | "integer" | "number" | "string")
            );
            self.expect(is_scalar, path, &format!("key {key} is a scalar"));
            let is_required =
                items["required"].as_array().is_some_and(|all| all.iter().any(|name| name == key));
            let has_value = is_required || property.get("default").is_some();
            self.expect(has_value, path, &format!("key {key} is required or has a default"));
            self.expect(property["nullable"] != true, path, &format!("key {key} is never null"));
        }
    }

    fn value(&mut self, schema: &Value, value: &Value, path: &str) {
        if schema[FREE] == true {
            return;
        }
        let is_right = match schema["type"].as_str() {
            None => {
                let bound = |keyword: &str, all| schema[keyword].as_i64().unwrap_or(all);
                let bounds = bound("minimum", i64::MIN)..=bound("maximum", i64::MAX);
                value.is_string() || value.as_i64().is_some_and(|value| bounds.contains(&value))
            }
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            Some("string") => value.is_string(),
            Some("array") => value.is_array(),
            Some(_) => value.is_object(),
        };
        if !is_right {
            let start: String = value.to_string().chars().take(40).collect();
            self.report(path, &format!("{start} is refused"));
        }
        for (index, element) in value.as_array().into_iter().flatten().enumerate() {
            self.value(&schema["items"], element, &format!("{path}/{index}"));
        }
        let Some(members) = value.as_object() else { return };
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            self.expect(members.get(name).is_some(), path, &format!("{name} is required"));
        }
        for (name, member) in members.iter().filter(|(_, member)| !member.is_null()) {
            let path = format!("{path}/{name}");
            match schema["properties"].get(name).or(schema.get("additionalProperties")) {
                Some(known) => self.value(known, member, &path),
                None => self.report(&path, "is not known"),
            }
        }
    }
}
