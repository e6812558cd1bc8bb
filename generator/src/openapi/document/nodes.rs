//! Schemas, each a node of its own.

use super::keywords::{self, kind};
use super::{LONGEST_POINTER, Split};
use crate::error::{Error, Location};
use crate::openapi::schema::{Additional, Schema, SchemaRef};
use crate::pointer::escape;
use serde_json::{Map, Value};

impl Split {
    /// Makes a nested schema a node of its own, and returns the reference that takes its place.
    pub(super) fn child(&mut self, schema: Value, pointer: String) -> SchemaRef {
        if let Some(reference) = bare_reference(&schema) {
            return SchemaRef { reference: reference.to_owned(), target: None };
        }
        let reference = format!("#{pointer}");
        self.schema(schema, pointer);
        SchemaRef { reference, target: None }
    }

    pub(super) fn schema(&mut self, schema: Value, pointer: String) {
        if pointer.len() > LONGEST_POINTER {
            return self.too_long(&pointer);
        }
        let mut keywords = match schema {
            Value::Object(keywords) => keywords,
            other => return self.fail(&pointer, format!("a schema must be an object, and this is {}", kind(&other))),
        };
        let limits = keywords::take_limits(&mut keywords);
        keywords::drop_beside_reference(&mut keywords);
        for mistake in keywords::check(&mut keywords) {
            let at = Location::pointer(&self.document.name, format!("{pointer}/{}", escape(&mistake.keyword)));
            self.errors.push(Error { help: mistake.help, ..Error::at(at, mistake.message) });
        }
        let schema = Schema { limits, ..self.read_schema(keywords, &pointer) };
        self.document.schemas.insert(pointer, schema);
    }

    /// Reads keywords that were checked.
    fn read_schema(&mut self, keywords: Map<String, Value>, pointer: &str) -> Schema {
        let mut schema = Schema::default();
        let mut reference = None;
        for (keyword, value) in keywords {
            match (keyword.as_str(), value) {
                ("type", Value::String(typ)) => schema.typ = Some(typ),
                ("format", Value::String(format)) => schema.format = Some(format),
                ("description", Value::String(description)) => schema.description = Some(description),
                ("deprecated", value) => schema.deprecated = value == true,
                ("default", value) => schema.default = Some(value),
                ("nullable", value) => schema.nullable = value == true,
                ("required", Value::Array(names)) => schema.required = names.into_iter().filter_map(string).collect(),
                ("enum", Value::Array(values)) => schema.values = values,
                ("properties", Value::Object(properties)) => {
                    let child = |(name, property): (String, Value)| {
                        let pointer = format!("{pointer}/properties/{}", escape(&name));
                        let child = self.child(property, pointer);
                        (name, child)
                    };
                    schema.properties = properties.into_iter().map(child).collect();
                }
                ("additionalProperties", Value::Bool(any)) => schema.additional = Some(Additional::Allowed(any)),
                ("additionalProperties", values) => {
                    let values = self.child(values, format!("{pointer}/additionalProperties"));
                    schema.additional = Some(Additional::Schema(values));
                }
                ("items", items) => schema.items = Some(self.child(items, format!("{pointer}/items"))),
                ("allOf", Value::Array(branches)) => schema.all_of = self.branches(branches, pointer, "allOf"),
                ("oneOf", Value::Array(branches)) => schema.one_of = self.branches(branches, pointer, "oneOf"),
                ("anyOf", Value::Array(branches)) => schema.any_of = self.branches(branches, pointer, "anyOf"),
                ("$ref", Value::String(target)) => reference = Some(SchemaRef { reference: target, target: None }),
                (_, value) => drop(schema.extensions.insert(keyword, value)),
            }
        }
        // `$ref` with siblings is `allOf` with one branch and the same siblings.
        schema.all_of.extend(reference);
        if schema.typ.is_none() && !schema.values.is_empty() && schema.values.iter().all(Value::is_string) {
            schema.typ = Some("string".to_owned());
        }
        schema
    }

    fn branches(&mut self, branches: Vec<Value>, pointer: &str, keyword: &str) -> Vec<SchemaRef> {
        let branches = branches.into_iter().enumerate();
        branches.map(|(index, branch)| self.child(branch, format!("{pointer}/{keyword}/{index}"))).collect()
    }
}

fn bare_reference(schema: &Value) -> Option<&str> {
    let schema = schema.as_object().filter(|schema| schema.len() == 1)?;
    schema.get("$ref")?.as_str()
}

fn string(value: Value) -> Option<String> {
    if let Value::String(string) = value { Some(string) } else { None }
}
