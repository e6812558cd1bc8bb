//! Schemas, each a node of its own.

use super::keywords::{self, kind};
use super::{LONGEST_POINTER, Split};
use crate::error::{Error, Location};
use crate::pointer::escape;
use serde_json::{Map, Value, json};

impl Split {
    /// Takes a schema out of its parent; the answer is what stays there.
    pub(super) fn child(&mut self, schema: Value, pointer: String) -> Value {
        if let Some(reference) = bare_reference(&schema) {
            return json!({ "$ref": reference });
        }
        let reference = json!({ "$ref": format!("#{pointer}") });
        self.schema(schema, pointer);
        reference
    }

    pub(super) fn schema(&mut self, schema: Value, pointer: String) {
        if pointer.len() > LONGEST_POINTER {
            return self.too_long(&pointer);
        }
        let mut schema = match schema {
            Value::Object(schema) => schema,
            other => return self.fail(&pointer, format!("a schema must be an object, and this is {}", kind(&other))),
        };
        for wrong in keywords::check(&mut schema) {
            let at = Location::pointer(&self.document.name, format!("{pointer}/{}", escape(&wrong.keyword)));
            self.errors.push(Error { help: wrong.help, ..Error::at(at, wrong.message) });
        }
        for (name, property) in object_members(&mut schema, "properties") {
            *property = self.child(property.take(), format!("{pointer}/properties/{}", escape(name)));
        }
        for key in ["items", "additionalProperties"] {
            if let Some(child @ Value::Object(_)) = schema.get_mut(key) {
                *child = self.child(child.take(), format!("{pointer}/{key}"));
            }
        }
        for key in ["allOf", "oneOf", "anyOf"] {
            if let Some(Value::Array(branches)) = schema.get_mut(key) {
                for (index, branch) in branches.iter_mut().enumerate() {
                    *branch = self.child(branch.take(), format!("{pointer}/{key}/{index}"));
                }
            }
        }
        spell_out_reference(&mut schema);
        if let Some(schema) = self.read(&Value::Object(schema), &pointer) {
            self.document.schemas.insert(pointer, schema);
        }
    }
}

fn object_members<'a>(
    owner: &'a mut Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = (&'a String, &'a mut Value)> {
    owner.get_mut(key).and_then(Value::as_object_mut).into_iter().flatten()
}

fn bare_reference(schema: &Value) -> Option<&str> {
    let schema = schema.as_object().filter(|schema| schema.len() == 1)?;
    schema.get("$ref")?.as_str()
}

/// `$ref` with siblings is `allOf` with one reference and the same siblings.
fn spell_out_reference(schema: &mut Map<String, Value>) {
    if !matches!(schema.get("$ref"), Some(Value::String(_))) {
        return;
    }
    let reference = schema.remove("$ref").map(|target| json!({ "$ref": target }));
    let branches = schema.entry("allOf").or_insert_with(|| json!([]));
    if let Value::Array(branches) = branches {
        branches.splice(0..0, reference);
    }
}
