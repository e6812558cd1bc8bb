//! Schemas of OpenAPI documents, for objects whose types are known only when the program runs.

use super::ChangeError;
use crate::codec::schema::{ListRule, Member, MergeRule, ObjectSchema, PatchRule, Schema, Shape};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// The longest chain of references and `allOf` that is resolved.
const LONGEST_CHAIN: usize = 32;
/// The maximum nesting depth of schemas. Deeper ones are free JSON.
const DEEPEST: usize = 64;

impl Schema {
    /// The schema with this name in the `components` of an OpenAPI document, such as `io.k8s.api.core.v1.Pod`.
    ///
    /// # Errors
    /// When there is no schema of that name.
    pub fn from_document(document: &Value, name: &str) -> Result<Self, ChangeError> {
        let schemas = &document["components"]["schemas"];
        if schemas.get(name).is_none() {
            return Err(ChangeError::at("", format!("the document has no schema `{name}`")));
        }
        let mut reader = Reader::new(schemas);
        let root = reader.named(name, 0);
        Ok(Self::new(reader.objects, root))
    }

    /// A self-contained schema, such as the `openAPIV3Schema` of a custom resource definition. `metadata` becomes that
    /// of all objects.
    #[must_use]
    pub fn from_definition(definition: &Value) -> Self {
        let mut reader = Reader::new(&Value::Null);
        let root = reader.shape("", definition, 0);
        let metadata = Self::of::<crate::meta_v1::ObjectMeta>();
        let mut objects = reader.objects;
        if let Shape::Object(root) = root {
            let shape = metadata.append_to(&mut objects);
            let member = Member { shape, merge: MergeRule::default(), empty: None };
            objects[root].members.insert(Cow::Borrowed("metadata"), member);
            for key in ["apiVersion", "kind"] {
                let member = Member { shape: Shape::Scalar, merge: MergeRule::default(), empty: None };
                objects[root].members.entry(Cow::Borrowed(key)).or_insert(member);
            }
        }
        Self::new(objects, root)
    }
}

struct Reader<'a> {
    schemas: &'a Value,
    /// The index of each object, by the schema in the document: each has one entry, however often it is referred to.
    found: BTreeMap<*const Value, usize>,
    objects: Vec<ObjectSchema>,
}

impl<'a> Reader<'a> {
    fn new(schemas: &'a Value) -> Self {
        Self { schemas, found: BTreeMap::new(), objects: Vec::new() }
    }

    /// The shape of a named schema.
    fn named(&mut self, name: &str, depth: usize) -> Shape {
        match self.schemas.get(name) {
            Some(schema) => self.shape(name, schema, depth),
            None => Shape::Any,
        }
    }

    /// The shape of a schema, or of the one that it refers to. `name` is that of the nearest named schema.
    fn shape(&mut self, name: &str, schema: &'a Value, depth: usize) -> Shape {
        if depth > DEEPEST {
            return Shape::Any;
        }
        if let Some(name) = reference(schema) {
            return self.named(name, depth + 1);
        }
        let flag = |key: &str| schema[key].as_bool().unwrap_or_default();
        match (schema["properties"].as_object(), schema.get("additionalProperties"), schema["type"].as_str()) {
            (Some(properties), _, _) => self.object(name, schema, properties, depth),
            _ if flag("x-kubernetes-int-or-string") => Shape::Scalar,
            (None, Some(values @ Value::Object(_)), _) => Shape::Map(Box::new(self.shape("", values, depth + 1))),
            (None, _, Some("array")) => Shape::List(Box::new(self.shape("", &schema["items"], depth + 1))),
            (None, _, Some("string" | "integer" | "number" | "boolean")) => Shape::Scalar,
            (None, _, None) if schema.get("oneOf").is_some() => Shape::Scalar, // a quantity
            _ => Shape::Any,
        }
    }

    fn object(&mut self, name: &str, schema: &'a Value, properties: &'a Map<String, Value>, depth: usize) -> Shape {
        let index = self.objects.len();
        match self.found.entry(schema) {
            Entry::Occupied(known) => return Shape::Object(*known.get()),
            Entry::Vacant(place) => _ = place.insert(index),
        }
        let name = Cow::Owned(name.rsplit('.').next().unwrap_or_default().to_owned());
        self.objects.push(ObjectSchema::default());
        let mut members = BTreeMap::new();
        let required: BTreeSet<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (key, property) in properties {
            let shape = self.shape("", property, depth + 1);
            let empty = required.contains(key.as_str()).then(|| self.empty(property));
            members.insert(Cow::Owned(key.clone()), Member { shape, merge: self.rule(property), empty });
        }
        let is_atomic = schema["x-kubernetes-map-type"] == "atomic";
        self.objects[index] = ObjectSchema { name, members, is_atomic };
        Shape::Object(index)
    }

    fn rule(&self, property: &Value) -> MergeRule {
        let text = |key: &str| property[key].as_str();
        let owned = |key: &str| Cow::Owned::<'static, str>(key.to_owned());
        // Servers take it from the target of a reference.
        let array = self.target(property);
        let list = match array["x-kubernetes-list-type"].as_str() {
            Some("set") => ListRule::Set,
            Some("map") => {
                let keys = array["x-kubernetes-list-map-keys"].as_array().into_iter().flatten();
                let keys = keys.filter_map(Value::as_str);
                ListRule::Map(keys.map(|key| (owned(key), self.default_of(&array["items"], key))).collect())
            }
            _ => ListRule::Atomic,
        };
        let strategies = text("x-kubernetes-patch-strategy").unwrap_or_default();
        let has = |strategy: &str| strategies.split(',').any(|other| other == strategy);
        let patch = match text("x-kubernetes-patch-merge-key") {
            Some(key) if has("merge") => PatchRule::MergeBy(owned(key)),
            _ if has("merge") => PatchRule::MergeScalars,
            _ if has("replace") => PatchRule::Replace,
            _ => PatchRule::Usual,
        };
        let is_atomic = text("x-kubernetes-map-type") == Some("atomic");
        MergeRule { list, is_atomic, patch, retains_keys: has("retainKeys") }
    }

    /// The value of a required member that is not set.
    fn empty(&self, property: &Value) -> Value {
        let mut schema = property;
        for _ in 0..LONGEST_CHAIN {
            match reference(schema) {
                Some(name) if name.ends_with(".Quantity") => return json!("0"),
                Some(name) if name.ends_with(".Time") || name.ends_with(".MicroTime") => return Value::Null,
                Some(name) => schema = &self.schemas[name],
                None => break,
            }
        }
        match schema["type"].as_str() {
            Some("string") => json!(""),
            Some("integer" | "number") => json!(0),
            Some("boolean") => json!(false),
            Some("array") => json!([]),
            Some("object") => json!({}),
            _ => Value::Null,
        }
    }

    /// The default of a member of a list's elements.
    fn default_of(&self, items: &Value, key: &str) -> Option<Value> {
        self.target(items)["properties"][key].get("default").cloned()
    }

    /// The schema itself, or the target of its references: `null` if there is none.
    fn target<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let mut schema = schema;
        for _ in 0..LONGEST_CHAIN {
            match reference(schema) {
                Some(name) => schema = &self.schemas[name],
                None => return schema,
            }
        }
        &Value::Null
    }
}

/// The name of the schema that this one refers to.
fn reference(schema: &Value) -> Option<&str> {
    let target = schema["$ref"].as_str().or_else(|| match schema["allOf"].as_array()?.as_slice() {
        [only] => only["$ref"].as_str(),
        _ => None,
    });
    target?.rsplit('/').next()
}

#[cfg(test)]
mod tests {
    use super::Reader;
    use serde_json::{Map, Value, json};

    #[test]
    fn siblings_of_references_make_no_types() {
        let schemas = |a: Value| {
            let named = json!({"type": "object", "properties": {"x": {"type": "string"}}});
            let other = json!({"type": "object", "properties": {"y": {"type": "integer"}}});
            json!({"L": named, "M": other, "A": a, "Root": {"type": "object", "properties": {"a": a}}})
        };
        let reference = json!({"$ref": "#/components/schemas/L"});
        let mut siblings = reference.clone();
        siblings["allOf"] = json!([{"$ref": "#/components/schemas/M"}]);
        siblings["properties"] = json!({"z": {"type": "string"}});
        for name in ["A", "Root"] {
            let [one, other] = [&reference, &siblings].map(|schema| {
                let schemas = schemas(schema.clone());
                let mut reader = Reader::new(&schemas);
                _ = reader.named(name, 0);
                format!("{:?}", reader.objects)
            });
            assert_eq!(one, other);
        }
    }

    /// Lists of objects without a name, each of which refers to the next one in several members.
    #[test]
    fn each_schema_of_a_document_is_read_once() {
        let level = |number: usize| {
            let next = json!({"$ref": format!("#/components/schemas/L{}", number + 1)});
            let properties: Map<String, Value> = (0..9).map(|member| (format!("m{member}"), next.clone())).collect();
            (format!("L{number}"), json!({"type": "array", "items": {"properties": properties}}))
        };
        let schemas: Map<String, Value> = (0..30).map(level).collect();
        let document = json!({"components": {"schemas": schemas}});
        let mut reader = Reader::new(&document["components"]["schemas"]);
        reader.named("L0", 0);
        assert!((10..=30).contains(&reader.objects.len()), "{} objects", reader.objects.len());
    }
}
