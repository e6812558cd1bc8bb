//! Schemas of OpenAPI documents and of custom resource definitions.

use super::{FieldTable, ListType, Rules, Scalar, Schema, SchemaId, Schemas, Shape};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

const REFERENCE: &str = "#/components/schemas/";

/// Reads schemas, and those that they refer to.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    schemas: &'a mut Schemas,
    /// `components.schemas` of the document.
    components: &'a Map<String, Value>,
    known: BTreeMap<String, SchemaId>,
    /// Whether values are checked, as those of custom resources are.
    with_rules: bool,
}

impl<'a> Reader<'a> {
    /// Reads the schemas of a document.
    pub(crate) fn new(schemas: &'a mut Schemas, components: &'a Map<String, Value>) -> Self {
        Self { schemas, components, known: BTreeMap::new(), with_rules: false }
    }

    /// Reads a structural schema, which refers to no other.
    pub(crate) fn with_rules(self) -> Self {
        Self { with_rules: true, ..self }
    }

    /// The schema with this name.
    pub(crate) fn named(&mut self, name: &str) -> SchemaId {
        if let Some(id) = self.known.get(name) {
            return *id;
        }
        let Some(text) = self.components.get(name) else { return Schemas::ANY };
        // Added before it is read: it may contain itself.
        let id = self.schemas.add(Schema::default());
        self.known.insert(name.to_owned(), id);
        let mut schema = self.schema(text);
        name.rsplit('.').next().unwrap_or(name).clone_into(&mut schema.name);
        match name {
            "io.k8s.apimachinery.pkg.apis.meta.v1.Time" => schema.shape = Shape::Scalar(Scalar::Time),
            "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime" => schema.shape = Shape::Scalar(Scalar::MicroTime),
            _ => {}
        }
        self.schemas.set(id, schema);
        id
    }

    /// A schema of a document. A plain reference is that of its target.
    pub(crate) fn read(&mut self, text: &Value) -> SchemaId {
        if let Some(name) = reference(text) {
            return self.named(name);
        }
        let schema = self.schema(text);
        self.schemas.add(schema)
    }

    fn schema(&mut self, text: &Value) -> Schema {
        let Some(text) = text.as_object() else { return Schema::default() };
        let word = |key: &str| text.get(key).and_then(Value::as_str).unwrap_or_default();
        let is_set = |key: &str| text.get(key) == Some(&Value::Bool(true));
        let atomic = word("x-kubernetes-map-type") == "atomic" || word("x-kubernetes-list-type") == "atomic";
        let required = text.get("required").and_then(Value::as_array).into_iter().flatten();
        Schema {
            name: String::new(),
            required: required.filter_map(Value::as_str).map(str::to_owned).collect(),
            shape: self.shape(text),
            default: text.get("default").cloned(),
            atomic,
            nullable: is_set("nullable"),
            rules: self.with_rules.then(|| Box::new(Rules::read(text))),
            ..Schema::default()
        }
    }

    fn shape(&mut self, text: &Map<String, Value>) -> Shape {
        if let Some([target]) = text.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
            return Shape::Same(self.read(target));
        }
        if text.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) || text.contains_key("oneOf") {
            return Shape::Scalar(Scalar::Either);
        }
        match text.get("type").and_then(Value::as_str) {
            Some("object") => self.object(text),
            Some("array") => {
                let element = text.get("items").map_or(Schemas::ANY, |items| self.read(items));
                Shape::List(element, list_type(text))
            }
            Some("string") if text.get("format").and_then(Value::as_str) == Some("int-or-string") => {
                Shape::Scalar(Scalar::Either)
            }
            Some("string") => Shape::Scalar(Scalar::String),
            Some("integer") => Shape::Scalar(Scalar::Integer),
            Some("number") => Shape::Scalar(Scalar::Number),
            Some("boolean") => Shape::Scalar(Scalar::Boolean),
            _ => Shape::Any,
        }
    }

    fn object(&mut self, text: &Map<String, Value>) -> Shape {
        let open = text.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true));
        if let Some(properties) = text.get("properties").and_then(Value::as_object) {
            let fields = properties.iter().map(|(name, text)| (name.clone(), self.read(text))).collect();
            return Shape::Struct { fields, open };
        }
        match text.get("additionalProperties") {
            Some(value @ Value::Object(_)) => Shape::Map(self.read(value)),
            Some(Value::Bool(true)) => Shape::Map(Schemas::ANY),
            // In a structural schema an object without members has none; in a document it is any object.
            _ if self.with_rules && !open => Shape::Struct { fields: FieldTable::default(), open },
            _ => Shape::Any,
        }
    }
}

fn reference(text: &Value) -> Option<&str> {
    text.get("$ref")?.as_str()?.strip_prefix(REFERENCE)
}

fn list_type(text: &Map<String, Value>) -> ListType {
    match text.get("x-kubernetes-list-type").and_then(Value::as_str) {
        Some("set") => ListType::Set,
        Some("map") => {
            let keys = text.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
            let keys = keys.into_iter().flatten().filter_map(Value::as_str);
            let mut keys: Vec<_> = keys.map(str::to_owned).collect();
            keys.sort();
            ListType::Map(keys)
        }
        _ => ListType::Atomic,
    }
}
