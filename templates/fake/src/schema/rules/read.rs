//! Reads rules from the keywords of schemas.

use super::{Bound, Count, EITHER, Rules, Subschema};
use crate::object::normalize_numbers;
use kapigen_definitions::schema_keywords::{EMBEDDED, INT_OR_STRING, is_any_of_int_or_string};
use serde_json::{Map, Value};

impl Rules {
    pub(in crate::schema) fn read(schema: &Map<String, Value>) -> Self {
        let keywords = Keywords(schema);
        let is_embedded = keywords.is_set(EMBEDDED);
        let mut choices: Vec<_> = keywords.list("enum").cloned().collect();
        choices.iter_mut().for_each(normalize_numbers);
        // The type of an embedded resource is checked with its metadata.
        let required = keywords.list("required").filter_map(Value::as_str);
        let required =
            required.filter(|name| !is_embedded || !["apiVersion", "kind"].contains(name));
        let kind = if keywords.is_set(INT_OR_STRING) { EITHER } else { keywords.text("type") };
        Self {
            kind: kind.to_owned(),
            format: keywords.text("format").to_owned(),
            required: required.map(str::to_owned).collect(),
            choices,
            multiple_of: keywords.number("multipleOf"),
            minimum: keywords.bound("minimum", "exclusiveMinimum"),
            maximum: keywords.bound("maximum", "exclusiveMaximum"),
            length: keywords.count("minLength", "maxLength"),
            pattern: schema.get("pattern").and_then(Value::as_str).map(str::to_owned),
            elements: keywords.count("minItems", "maxItems"),
            members: keywords.count("minProperties", "maxProperties"),
            all_of: keywords.subschemas("allOf"),
            // The `anyOf` added to int-or-string schemas repeats the type.
            any_of: if is_any_of_int_or_string(schema) {
                Vec::new()
            } else {
                keywords.subschemas("anyOf")
            },
            one_of: keywords.subschemas("oneOf"),
            not: schema.get("not").map(Subschema::read).map(Box::new),
            is_embedded,
        }
    }
}

impl Subschema {
    pub(crate) fn read(text: &Value) -> Self {
        let Some(schema) = text.as_object() else { return Self::default() };
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let [entries, items] = ["additionalProperties", "items"].map(|key| {
            schema.get(key).filter(|below| below.is_object()).map(Self::read).map(Box::new)
        });
        Self {
            rules: Rules::read(schema),
            properties: properties.map(|(name, below)| (name.clone(), Self::read(below))).collect(),
            entries,
            items,
        }
    }
}

/// The keywords of a schema. One with a value of another type is absent.
struct Keywords<'a>(&'a Map<String, Value>);

impl<'a> Keywords<'a> {
    fn text(&self, key: &str) -> &'a str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.0.get(key).and_then(Value::as_f64)
    }

    fn is_set(&self, key: &str) -> bool {
        self.0.get(key) == Some(&Value::Bool(true))
    }

    fn list(&self, key: &str) -> impl Iterator<Item = &'a Value> {
        self.0.get(key).and_then(Value::as_array).into_iter().flatten()
    }

    fn size(&self, key: &str) -> Option<usize> {
        self.0.get(key)?.as_u64()?.try_into().ok()
    }

    fn count(&self, least: &str, most: &str) -> Count {
        Count { least: self.size(least), most: self.size(most) }
    }

    fn bound(&self, key: &str, exclusive: &str) -> Option<Bound> {
        let is_exclusive = self.is_set(exclusive);
        self.number(key).map(|number| Bound { number, is_exclusive })
    }

    fn subschemas(&self, key: &str) -> Vec<Subschema> {
        self.list(key).map(Subschema::read).collect()
    }
}
