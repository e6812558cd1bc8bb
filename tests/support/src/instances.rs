//! Instances of schemas: objects as servers take them, with the extremes of each format.
//!
//! They are made from definitions and documents as written, independently of the generator.

use crate::documents::{self, Documents, Leaf};
use crate::filler::examples;
use crate::random::Random;
use serde_json::{Map, Number, Value, json};
use std::collections::BTreeMap;

/// Schemas by name.
#[derive(Clone, Debug, Default)]
pub struct Schemas(BTreeMap<String, Value>);

const KINDS: &str = "x-kubernetes-group-version-kind";
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

impl Schemas {
    /// Adds the schemas of an OpenAPI document, or of the definitions in a file.
    ///
    /// # Panics
    /// When it is not YAML.
    pub fn add(&mut self, text: &str) {
        for document in serde_yaml::Deserializer::from_str(text) {
            let value: Value = serde::Deserialize::deserialize(document).expect("it is YAML");
            self.add_value(&value);
        }
    }

    fn add_value(&mut self, value: &Value) {
        for item in value["items"].as_array().into_iter().flatten() {
            self.add_value(item);
        }
        if let Some(schemas) = value["components"]["schemas"].as_object() {
            for (name, schema) in schemas {
                self.0.entry(name.clone()).or_insert_with(|| schema.clone());
            }
        }
        if value["kind"] != "CustomResourceDefinition" {
            return;
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let spec = &value["spec"];
        let group = text(&spec["group"]);
        let kind = text(&spec["names"]["kind"]);
        let reversed = group.split('.').rev().collect::<Vec<_>>().join(".");
        for version in spec["versions"].as_array().into_iter().flatten() {
            let mut schema = version["schema"]["openAPIV3Schema"].clone();
            let version = text(&version["name"]);
            if !schema.is_object() {
                continue;
            }
            schema[KINDS] = json!([{"group": group, "version": version, "kind": kind}]);
            let reference = json!({"$ref": format!("#/components/schemas/{OBJECT_META}")});
            schema["properties"]["metadata"] = reference;
            for name in ["apiVersion", "kind"] {
                schema["properties"][name] = json!({"type": "string"});
            }
            self.0.insert(format!("{reversed}.{version}.{kind}"), schema);
        }
    }

    /// Adds the schemas in `spec/` with unused names.
    pub fn add_spec(&mut self) {
        for (name, schema) in Documents::read().schemas() {
            self.0.entry(name.to_owned()).or_insert_with(|| schema.clone());
        }
    }

    /// Whether there is a schema of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The schema of a name.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or_else(|| panic!("there is no schema {name}"))
    }
}

/// The members that instances have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// The required members, with empty lists and maps.
    Least,
    /// Any.
    Some,
    /// All.
    Most,
}

/// Makes instances.
#[derive(Debug)]
pub struct Instances<'a> {
    schemas: &'a Schemas,
    random: Random,
    extent: Extent,
    /// The number of values before only required ones are made.
    left: usize,
    /// The named schemas around the current value.
    around: Vec<&'a str>,
}

/// The most values of an instance, but for required ones.
const MOST_VALUES: usize = 5000;

/// The keys of maps. One is a label's, others are traps.
const KEYS: [&str; 5] = ["app.kubernetes.io/name", "null: \"ü\" #", "", "kind", "a\u{2028}\\"];

impl<'a> Instances<'a> {
    /// Begins with a seed.
    #[must_use]
    pub fn new(schemas: &'a Schemas, seed: u64) -> Self {
        let around = Vec::new();
        Self { schemas, random: Random::new(seed), extent: Extent::Some, left: 0, around }
    }

    /// Makes instances of the schema of a name, some of them with all members or with few.
    ///
    /// # Panics
    /// When there is no such schema.
    pub fn of(&mut self, name: &'a str, count: usize) -> Vec<Value> {
        let extents = [Extent::Least, Extent::Most, Extent::Some, Extent::Most, Extent::Some];
        let instance = |extent| {
            self.extent = extent;
            self.left = MOST_VALUES;
            self.named(name)
        };
        extents.into_iter().cycle().take(count).map(instance).collect()
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn named(&mut self, name: &'a str) -> Value {
        if let Some(leaf) = documents::meant(name) {
            return self.leaf(leaf);
        }
        let schema = self.schemas.get(name);
        // One within itself ends soon.
        let extent = self.extent;
        if self.around.contains(&name) {
            self.extent = Extent::Least;
        }
        self.around.push(name);
        let value = self.value(schema);
        self.around.pop();
        self.extent = extent;
        value
    }

    fn leaf(&mut self, leaf: Leaf) -> Value {
        self.random.of(&examples(leaf)).clone()
    }

    fn any(&mut self) -> Value {
        self.leaf(Leaf::Any)
    }

    fn value(&mut self, schema: &'a Value) -> Value {
        self.left = self.left.saturating_sub(1);
        if schema["nullable"] == true && self.one_in(4) {
            return Value::Null;
        }
        if let Some(default) = schema.get("default")
            && self.one_in(8)
        {
            return default.clone();
        }
        let reference = |schema: &'a Value| schema["$ref"].as_str()?.rsplit('/').next();
        let all_of = schema["allOf"].as_array().map(Vec::as_slice);
        if let Some(name) = reference(schema) {
            return self.named(name);
        }
        if let Some([only]) = all_of
            && reference(only).is_some()
        {
            return self.value(only);
        }
        if schema["x-kubernetes-int-or-string"] == true {
            return self.either();
        }
        let ty = schema["type"].as_str();
        if schema["format"] == "int-or-string" && ty != Some("integer") {
            return self.leaf(Leaf::IntOrString);
        }
        if let Some(value) = self.listed(schema) {
            return value;
        }
        match ty {
            // A kind is an object, whatever an old definition states.
            _ if schema.get(KINDS).is_some() => self.object(schema),
            Some("boolean") => Value::Bool(self.one_in(2)),
            Some("integer") => self.integer(schema),
            Some("number") => self.number(schema),
            Some("string") => self.string(schema),
            Some("array") => self.array(schema),
            Some("object") => self.object(schema),
            None if schema.get("properties").is_some() => self.object(schema),
            None => self.untyped(schema),
            Some(_) => self.any(),
        }
    }

    /// One of the values of `enum`, or another string: servers of later releases have more.
    fn listed(&mut self, schema: &'a Value) -> Option<Value> {
        // Skips values of string enums that YAML reads as numbers.
        let is_text = schema["type"] == "string";
        let is_value = |value: &&Value| value.is_null() || !is_text || value.is_string();
        let values: Vec<&Value> = schema["enum"].as_array()?.iter().filter(is_value).collect();
        if values.iter().all(|value| value.is_string()) && self.one_in(8) {
            return Some("a later value".into());
        }
        (!values.is_empty()).then(|| (*self.random.of(&values)).clone())
    }

    fn either(&mut self) -> Value {
        let integers = json!({"type": "integer"});
        if self.one_in(2) { self.integer(&integers) } else { self.string(&Value::Null) }
    }

    fn untyped(&mut self, schema: &'a Value) -> Value {
        let choices = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
        let typed =
            |choice: &&'a Value| choice.get("type").is_some() || choice.get("$ref").is_some();
        let choices: Vec<&Value> = choices.into_iter().flatten().filter(typed).collect();
        if choices.is_empty() {
            return self.any();
        }
        let choice = *self.random.of(&choices);
        self.value(choice)
    }

    fn integer(&mut self, schema: &Value) -> Value {
        let is_int32 = schema["format"] == "int32";
        let limits =
            if is_int32 { (i32::MIN.into(), i32::MAX.into()) } else { (i64::MIN, i64::MAX) };
        let bound = |key: &str| integer(&schema[key]);
        let least = bound("minimum").unwrap_or(limits.0).max(limits.0);
        let most = bound("maximum").unwrap_or(limits.1).min(limits.1);
        let large = 1_i64 << 33;
        let exact = (1_i64 << 53) + 1;
        let small = i64::from(self.random.below(1_u32 << 16));
        let mut choices = vec![least, most, 0, 1, -1, i32::MAX.into(), large, exact, -exact, small];
        choices.retain(|number| (least..=most).contains(number));
        self.random.of(&choices).to_owned().into()
    }

    /// A number that a float holds, as a server spells it.
    fn number(&mut self, schema: &Value) -> Value {
        let exact = 9_007_199_254_740_992.0; // 2^53
        let mut choices =
            vec![0.5, -0.25, 1e-7, 0.1, 123_456.789, 1.5e21, 1.5e300, f64::MAX, f64::MIN_POSITIVE];
        choices.extend([0.0, 1.0, -1.0, f64::from(i32::MIN), exact, -exact]);
        let bounds = [schema["minimum"].as_f64(), schema["maximum"].as_f64()];
        choices.extend(bounds.into_iter().flatten());
        let [least, most] = bounds;
        choices.retain(|number| {
            least.is_none_or(|least| *number >= least) && most.is_none_or(|most| *number <= most)
        });
        canonical(*self.random.of(&choices))
    }

    fn string(&mut self, schema: &Value) -> Value {
        let format = schema["format"].as_str().unwrap_or_default();
        if format == "byte" {
            return self.leaf(Leaf::Bytes);
        }
        let of_format: &[&str] = match format {
            "date-time" => &[
                "2024-02-29T12:34:56Z",
                "0001-01-01T00:00:00Z",
                "2024-02-29T12:34:56.789+02:00",
                "2024-02-29t12:34:56.123456789z",
            ],
            "date" => &["2024-02-29", "0001-01-01"],
            "duration" => &["1h0m0s", "-1.5h", "2 weeks", "0s"],
            "int64" => &["9223372036854775807", "-1"],
            "ipv4" => &["10.0.0.1", "255.255.255.255"],
            "ipv6" => &["::1", "2001:DB8::ffff:1.2.3.4"],
            "quantity" => &["1.5Gi", "1e3", "-0", "100m"],
            "uri" => &["https://example.com/a%20b?c#d"],
            "uuid" => &["6BA7B810-9dad-11d1-80b4-00c04fd430c8"],
            _ => &["80", "25%", "8Gi"],
        };
        if !self.one_in(4) && (!format.is_empty() || schema.is_null()) {
            return (*self.random.of(of_format)).into();
        }
        let text = self.leaf(Leaf::Text);
        let size = |key: &str| schema[key].as_u64().and_then(|size| usize::try_from(size).ok());
        let characters: Vec<char> = text.as_str().unwrap_or_default().chars().collect();
        let length = characters.len().max(size("minLength").unwrap_or_default());
        let length = length.min(size("maxLength").unwrap_or(usize::MAX));
        characters.into_iter().chain("ab".chars().cycle()).take(length).collect::<String>().into()
    }

    /// A number of elements or entries.
    fn count(&mut self, schema: &Value, noun: &str) -> usize {
        let bound = |bound: &str| schema[format!("{bound}{noun}")].as_u64();
        let least = bound("min").unwrap_or_default().min(3);
        let most = bound("max").unwrap_or(2).min(2).max(least);
        let count = match self.extent {
            _ if self.left == 0 => least,
            Extent::Least => least,
            Extent::Some => least + self.random.below(most - least + 1),
            Extent::Most => most.min(1).max(least),
        };
        usize::try_from(count).unwrap_or_default()
    }

    fn array(&mut self, schema: &'a Value) -> Value {
        let count = self.count(schema, "Items");
        let items = schema.get("items").filter(|items| items.is_object());
        (0..count)
            .map(|_| items.map_or_else(|| Value::from("x"), |items| self.value(items)))
            .collect()
    }

    fn object(&mut self, schema: &'a Value) -> Value {
        let mut members = Map::new();
        let properties = schema["properties"].as_object();
        let embedded = schema["x-kubernetes-embedded-resource"] == true;
        // Any may be the first: the first ones use up the values of a large instance.
        let mut all: Vec<(&'a String, &'a Value)> = properties.into_iter().flatten().collect();
        let first = self.random.below(all.len());
        all.rotate_left(first);
        for (name, property) in all {
            let is_required =
                schema["required"].as_array().is_some_and(|names| names.contains(&json!(name)));
            let is_present = match self.extent {
                // A server that is older or newer leaves out even required ones.
                _ if is_required => self.extent != Extent::Some || !self.one_in(16),
                _ if self.left == 0 => false,
                Extent::Least => false,
                Extent::Some => self.one_in(2),
                Extent::Most => true,
            };
            if is_present {
                members.insert(name.clone(), self.value(property));
            }
        }
        let values = &schema["additionalProperties"];
        let is_open = schema["x-kubernetes-preserve-unknown-fields"] == true || embedded;
        if values.is_object() || *values == true || is_open && properties.is_none() {
            for index in 0..self.count(schema, "Properties") {
                let value = if values.is_object() { self.value(values) } else { self.any() };
                members.insert(
                    KEYS[(index + self.random.below(KEYS.len())) % KEYS.len()].to_owned(),
                    value,
                );
            }
        } else if is_open || self.extent != Extent::Least && self.one_in(8) {
            members.insert("unknown \"member\"".to_owned(), self.any());
        }
        self.state_kind(schema, embedded, &mut members);
        Value::Object(members)
    }

    fn state_kind(&mut self, schema: &'a Value, embedded: bool, members: &mut Map<String, Value>) {
        if embedded {
            members.insert("apiVersion".to_owned(), "example.com/v1".into());
            members.insert("kind".to_owned(), "Other".into());
        }
        let Some(kinds) = schema[KINDS].as_array().filter(|kinds| !kinds.is_empty()) else {
            return;
        };
        let kind = self.random.of(kinds);
        let text = |key: &str| kind[key].as_str().unwrap_or_default();
        let group = text("group");
        let version = text("version");
        let api_version =
            if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        for (key, stated) in [("apiVersion", api_version), ("kind", text("kind").to_owned())] {
            if schema["properties"].get(key).is_some() {
                members.insert(key.to_owned(), stated.into());
            }
        }
        let has_metadata = schema["properties"].get("metadata").is_some();
        if has_metadata && !members.contains_key("metadata") {
            members.insert("metadata".to_owned(), json!({}));
        }
    }
}

/// A bound as an integer.
fn integer(bound: &Value) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    bound.as_i64().or_else(|| bound.as_f64().map(|float| float as i64))
}

/// A number without a fraction, where it has none: servers spell it so.
fn canonical(number: f64) -> Value {
    let whole = number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
    if whole { Value::from(number as i64) } else { Number::from_f64(number).into() }
}
