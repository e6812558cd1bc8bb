//! Schemas, read from OpenAPI documents.

use super::{Described, Fields, ListRule, PatchRule, Rules, Scalar, SchemaId, Schemas, Shape};
use crate::object::normalize_numbers;
use kapigen_definitions::schema_keywords::{
    INT_OR_STRING, KINDS, ListType, MapType, PRESERVE, PatchStrategy, VALIDATIONS, list_keys,
    list_type, map_type, patch_key, patch_strategies,
};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

const REFERENCE: &str = "#/components/schemas/";
/// The maximum nesting depth of schemas. Deeper ones are free JSON.
const DEEPEST: usize = 64;

/// Schemas of scalars that state their type only by their name.
const SCALARS: [(&str, Scalar); 3] = [
    ("io.k8s.apimachinery.pkg.api.resource.Quantity", Scalar::Quantity),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", Scalar::MicroTime),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.Time", Scalar::Time),
];

/// Types with times that are not pointers in Go, which writes `null` for an unset one. All
/// conditions have such times, too.
const TIMED: [&str; 6] = [
    "ContainerStateRunning",
    "ContainerStateTerminated",
    "Event",
    "EventSeries",
    "TagEvent",
    "VolumeError",
];

/// Lists of types for which Go writes `null` as long as they were not made.
const UNMADE: [(&str, &[&str]); 7] = [
    ("CSINodeDriver", &["topologyKeys"]),
    ("ClusterRole", &["rules"]),
    ("ContainerImage", &["names"]),
    ("CustomResourceDefinitionStatus", &["conditions", "storedVersions"]),
    ("EndpointSlice", &["endpoints", "ports"]),
    ("HorizontalPodAutoscalerStatus", &["currentMetrics"]),
    ("Role", &["rules"]),
];

#[cfg(test)]
thread_local! {
    /// The number of schemas that were read.
    pub(crate) static READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Reads schemas and the schemas that they refer to, each named one once.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    schemas: Schemas,
    /// `components.schemas` of the document.
    components: &'a Map<String, Value>,
    known: BTreeMap<&'a str, SchemaId>,
    /// Referenced named schemas that are not read yet. They are read one after the other, so
    /// nesting does not matter.
    pending: Vec<(SchemaId, &'a str, &'a Value)>,
    depth: usize,
    /// Whether the current schema is structural: its values are validated, as of custom resources.
    is_structural: bool,
    /// Whether the current schema has rules that are expressions.
    has_expressions: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(components: &'a Map<String, Value>) -> Self {
        Self {
            schemas: Schemas::default(),
            components,
            known: BTreeMap::new(),
            pending: Vec::new(),
            depth: 0,
            is_structural: false,
            has_expressions: false,
        }
    }

    /// All requested and referenced schemas.
    pub(crate) fn finish(mut self) -> Schemas {
        while let Some((id, name, text)) = self.pending.pop() {
            let mut schema = self.described(text);
            complete(&mut schema, name, text);
            self.schemas.set(id, schema);
        }
        self.schemas.complete();
        self.schemas
    }

    /// The schema with this name.
    pub(crate) fn named(&mut self, name: &str) -> SchemaId {
        if let Some(id) = self.known.get(name) {
            return *id;
        }
        let Some((name, text)) = self.components.get_key_value(name) else { return Schemas::ANY };
        let id = self.schemas.add(Described::default());
        self.known.insert(name, id);
        self.pending.push((id, name, text));
        id
    }

    /// The schema of a custom resource with this name. It is structural: values are validated by
    /// it, and unknown members are removed. A schema that is published without members allows any
    /// object.
    pub(crate) fn structural_kind(&mut self, name: &str) -> SchemaId {
        let Some((name, text)) = self.components.get_key_value(name) else { return Schemas::ANY };
        self.is_structural = text.get("properties").is_some();
        self.has_expressions = false;
        let mut schema = self.described(text);
        schema.has_expressions = self.has_expressions;
        self.is_structural = false;
        complete(&mut schema, name, text);
        self.schemas.add(schema)
    }

    /// Reads a schema of a document. A plain reference returns its target.
    pub(crate) fn read(&mut self, text: &'a Value) -> SchemaId {
        if self.depth == DEEPEST {
            return Schemas::ANY;
        }
        self.depth += 1;
        let is_plain = text.as_object().is_some_and(|members| members.len() == 1);
        let id = match reference(text) {
            Some(name) if is_plain => self.named(name),
            _ => {
                let schema = self.described(text);
                self.schemas.add(schema)
            }
        };
        self.depth -= 1;
        id
    }

    fn described(&mut self, text: &'a Value) -> Described {
        #[cfg(test)]
        READ.with(|read| read.set(read.get() + 1));
        let Some(members) = text.as_object() else { return Described::default() };
        let required = members.get("required").and_then(Value::as_array).into_iter().flatten();
        let shape = match reference(text) {
            Some(target) => Shape::Same(self.named(target)),
            None => self.shape(members),
        };
        self.has_expressions |= members.contains_key(VALIDATIONS);
        let mut default = members.get("default").filter(|default| !default.is_null()).cloned();
        if self.is_structural {
            default.iter_mut().for_each(normalize_numbers);
        }
        // Values without a type are owned as a whole, except in custom resources.
        let is_untyped = !self.is_structural && matches!(shape, Shape::Any);
        Described {
            name: String::new(),
            required: required.filter_map(Value::as_str).map(str::to_owned).collect(),
            shape,
            default_size: default
                .as_ref()
                .map_or(0, |default| default.to_string().len() + r#""":,"#.len()),
            default,
            atomic: map_type(members) == Some(MapType::Atomic) || is_untyped,
            patch: patch_rule(members),
            nullable: is_set(members, "nullable"),
            nulls: Vec::new(),
            rules: self.is_structural.then(|| Box::new(Rules::read(members))),
            ..Described::default()
        }
    }

    fn shape(&mut self, text: &'a Map<String, Value>) -> Shape {
        if let Some([target]) = text.get("allOf").and_then(Value::as_array).map(Vec::as_slice)
            && reference(target).is_some()
        {
            return Shape::Same(self.read(target));
        }
        let is_open = is_set(text, PRESERVE);
        if let Some(properties) = text.get("properties").and_then(Value::as_object) {
            let fields =
                properties.iter().map(|(name, text)| (name.clone(), self.read(text))).collect();
            return Shape::Struct { fields, open: is_open };
        }
        if is_set(text, INT_OR_STRING) || text.contains_key("oneOf") && !text.contains_key("type") {
            return Shape::Scalar(Scalar::Either);
        }
        let format = text.get("format").and_then(Value::as_str).unwrap_or_default();
        match (text.get("type").and_then(Value::as_str), format) {
            (Some("object"), _) => match text.get("additionalProperties") {
                Some(value @ Value::Object(_)) => Shape::Map(self.read(value)),
                Some(Value::Bool(true)) => Shape::Map(Schemas::ANY),
                // In a structural schema, an object without known members is empty; in a document,
                // it is any object.
                _ if self.is_structural && !is_open => {
                    Shape::Struct { fields: Fields::default(), open: false }
                }
                _ => Shape::Any,
            },
            (Some("array"), _) => {
                let element = text.get("items").map_or(Schemas::ANY, |items| self.read(items));
                Shape::List(element, list_rule(text))
            }
            (Some("string"), "int-or-string") => Shape::Scalar(Scalar::Either),
            (Some("string"), "byte") => Shape::Scalar(Scalar::Bytes),
            (Some("string"), _) => Shape::Scalar(Scalar::String),
            (Some("integer"), "int32") => Shape::Scalar(Scalar::Int32),
            (Some("integer"), _) => Shape::Scalar(Scalar::Int64),
            (Some("number"), _) => Shape::Scalar(Scalar::Number),
            (Some("boolean"), _) => Shape::Scalar(Scalar::Boolean),
            _ => Shape::Any,
        }
    }
}

/// Adds the facts that follow from the name of a schema, and from its kind if it has one.
fn complete(schema: &mut Described, name: &str, text: &Value) {
    name.clone_into(&mut schema.name);
    if let Some((_, scalar)) = SCALARS.iter().find(|(known, _)| *known == name) {
        schema.shape = Shape::Scalar(*scalar);
    }
    schema.nulls = nulls(name, text);
    if text.get(KINDS).is_none() {
        return;
    }
    // Managers own objects in parts, even objects without known members.
    schema.atomic = false;
    // All kinds have a version, a name and metadata, even if their schema does not have them.
    if let Shape::Struct { fields, .. } = &mut schema.shape {
        for name in ["apiVersion", "kind", "metadata"] {
            fields.entry(name.to_owned()).or_insert(Schemas::ANY);
        }
    }
}

/// The members of a type that are `null` while they are not set.
fn nulls(name: &str, text: &Value) -> Vec<String> {
    if !name.starts_with("io.k8s.") && !name.starts_with("com.github.openshift.") {
        return Vec::new();
    }
    let name = name.rsplit('.').next().unwrap_or_default();
    let unmade =
        UNMADE.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, members)| members);
    let is_timed = name.ends_with("Condition") || TIMED.contains(&name);
    let members = text.get("properties").and_then(Value::as_object).into_iter().flatten();
    let nulls = members
        .filter(|(member, text)| unmade.contains(&member.as_str()) || is_timed && is_time(text));
    nulls.map(|(member, _)| member.clone()).collect()
}

fn is_time(member: &Value) -> bool {
    let target = reference(member).or_else(|| reference(member.pointer("/allOf/0")?));
    target.is_some_and(|target| {
        target.ends_with(".meta.v1.Time") || target.ends_with(".meta.v1.MicroTime")
    })
}

fn is_set(text: &Map<String, Value>, key: &str) -> bool {
    text.get(key) == Some(&Value::Bool(true))
}

fn reference(text: &Value) -> Option<&str> {
    text.get("$ref")?.as_str()?.strip_prefix(REFERENCE)
}

fn list_rule(text: &Map<String, Value>) -> ListRule {
    let list_type = list_type(text).unwrap_or_default();
    let keys = list_keys(text).filter(|_| list_type == ListType::Map);
    let mut keys: Vec<_> = keys.map(str::to_owned).collect();
    keys.sort();
    ListRule { list_type, keys }
}

/// The rule of a strategic merge patch.
fn patch_rule(text: &Map<String, Value>) -> PatchRule {
    let strategies = patch_strategies(text);
    let known = [PatchStrategy::Merge, PatchStrategy::Replace];
    PatchRule {
        strategy: known.into_iter().find(|strategy| strategies.contains(strategy)),
        key: patch_key(text).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, PatchRule, PatchStrategy, Reader};
    use crate::schema::{Schema, Shape};
    use serde_json::{Map, Value, json};

    fn shape(schemas: &Value, name: &str) -> String {
        let document = json!({"components": {"schemas": schemas}});
        let schema = Schema::from_document(&document, name).unwrap();
        let members =
            schema.root().fields().map(|(name, node)| format!("{name}: {:?}", node.shape()));
        members.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn siblings_of_references_make_no_types() {
        let named = json!({"type": "object", "properties": {"x": {"type": "string"}}});
        let reference = json!({"$ref": "#/components/schemas/L"});
        let mut siblings = reference.clone();
        siblings["allOf"] = json!([{"$ref": "#/components/schemas/M"}]);
        siblings["properties"] = json!({"z": {"type": "string"}});
        for a in [reference, siblings] {
            let schemas = json!({"L": named, "A": a, "Root": {"properties": {"a": a}}});
            assert_eq!(shape(&schemas, "A"), "x: Scalar(String)");
            assert!(shape(&schemas, "Root").starts_with("a: Struct"));
        }
    }

    #[test]
    fn rules_beside_a_reference_are_those_of_the_member() {
        let member = json!({
            "$ref": "#/components/schemas/L", "x-kubernetes-patch-strategy": "merge,retainKeys",
            "x-kubernetes-patch-merge-key": "name",
        });
        let document = json!({"components": {"schemas": {"L": {"type": "array"}, "R": {"properties": {"l": member}}}}});
        let schema = Schema::from_document(&document, "R").unwrap();
        let node = schema.root().member("l");
        assert!(matches!(node.shape(), Shape::List(..)));
        let (strategy, key) = (Some(PatchStrategy::Merge), Some("name".to_owned()));
        assert_eq!(node.patch_rule(), &PatchRule { strategy, key });
    }

    /// Lists of objects without a name, each of which refers to the next one in several members.
    #[test]
    fn each_schema_of_a_document_is_read_once() {
        let level = |number: usize| {
            let next = json!({"$ref": format!("#/components/schemas/L{}", number + 1)});
            let properties: Map<String, Value> =
                (0..9).map(|member| (format!("m{member}"), next.clone())).collect();
            (format!("L{number}"), json!({"type": "array", "items": {"properties": properties}}))
        };
        let components: Map<String, Value> = (0..30).map(level).collect();
        let mut reader = Reader::new(&components);
        reader.named("L0");
        assert!(reader.finish().all.len() < 100);
    }

    #[test]
    fn deep_and_circular_schemas_are_free_json() {
        let circle = json!({"$ref": "#/components/schemas/A"});
        assert_eq!(shape(&json!({"A": circle}), "A"), "");
        let deep =
            (0..DEEPEST * 4).fold(json!({}), |inner, _| json!({"type": "array", "items": inner}));
        assert!(shape(&json!({"A": {"properties": {"a": deep}}}), "A").starts_with("a: List"));
    }
}
