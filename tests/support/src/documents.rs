//! `spec/`, read independently of the generator, so that a misunderstanding there does not hide
//! itself.

use crate::places;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The schemas of all documents.
#[derive(Debug)]
pub struct Documents {
    schemas: BTreeMap<String, Value>,
    /// The name of the schema of each kind, by its `apiVersion` and name.
    kinds: BTreeMap<(String, String), String>,
}

/// The shape of the values that a schema describes.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// A value without parts, or with parts that are not examined.
    Leaf(Leaf),
    /// An array of such values.
    List(&'a Value),
    /// An object with any keys, and such values.
    Map(&'a Value),
    /// An object with known members.
    Object(Object<'a>),
}

/// A value without parts that a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leaf {
    /// `true` or `false`.
    Bool,
    /// An integer of 32 bits.
    Int32,
    /// An integer of 64 bits.
    Int64,
    /// A string.
    Text,
    /// Base64.
    Bytes,
    /// A time in seconds.
    Time,
    /// A time in microseconds.
    MicroTime,
    /// An amount with a suffix.
    Quantity,
    /// A number or a string.
    IntOrString,
    /// Any object, kept as it is.
    Fields,
    /// Any JSON, kept as it is.
    Any,
}

/// A schema with properties.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    schema: &'a Value,
    properties: &'a Map<String, Value>,
}

/// A property.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// Its key.
    pub key: &'a str,
    /// Its schema.
    pub schema: &'a Value,
    /// Whether it is always written.
    pub required: bool,
}

/// Schemas that are less precise than their meaning: two kinds of times look the same, and `object`
/// may mean anything.
const MEANT: [(&str, Leaf); 8] = [
    ("io.k8s.apimachinery.pkg.api.resource.Quantity", Leaf::Quantity),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", Leaf::Fields),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", Leaf::MicroTime),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.Patch", Leaf::Any),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.Time", Leaf::Time),
    ("io.k8s.apimachinery.pkg.runtime.RawExtension", Leaf::Any),
    ("io.k8s.apimachinery.pkg.util.intstr.IntOrString", Leaf::IntOrString),
    ("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON", Leaf::Any),
];

/// The leaf that a named schema means, where it is less precise.
#[must_use]
pub fn meant(name: &str) -> Option<Leaf> {
    MEANT.iter().find(|(meant, _)| *meant == name).map(|(_, leaf)| *leaf)
}

/// Parsing takes a second, and most tests need them.
static DOCUMENTS: LazyLock<Documents> = LazyLock::new(Documents::parse);

/// All schemas as one document, with references within it.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut schemas: Value = Documents::read().schemas.clone().into_iter().collect();
    make_local(&mut schemas);
    json!({"components": {"schemas": schemas}})
});

fn make_local(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::String(target) if key == "$ref" => {
                        *target = target
                            .split_once('#')
                            .map_or_else(String::new, |(_, path)| format!("#{path}"));
                    }
                    value => make_local(value),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(make_local),
        _ => {}
    }
}

impl Documents {
    /// The documents in `spec/`, after the fixups that make members optional.
    ///
    /// # Panics
    /// When something there is not understood.
    #[must_use]
    pub fn read() -> &'static Self {
        &DOCUMENTS
    }

    fn parse() -> Self {
        let mut schemas = BTreeMap::new();
        for (_, text) in places::documents() {
            let mut document: Value = serde_yaml::from_str(&text).expect("spec/ is YAML");
            let Value::Object(found) = document["components"]["schemas"].take() else { continue };
            schemas.extend(found);
        }
        let fixups = places::text(&places::root().join(places::FIXUPS));
        let fixups: Vec<Value> = serde_yaml::from_str(&fixups).expect("the corrections are a list");
        for fixup in &fixups {
            let (Some(schema), Some(optional)) =
                (fixup["schema"].as_str(), fixup["optional"].as_array())
            else {
                continue;
            };
            let required =
                schemas[schema]["required"].as_array().expect("a fixup changes something");
            let rest: Value =
                required.iter().filter(|key| !optional.contains(key)).cloned().collect();
            schemas.get_mut(schema).expect("it was there just now")["required"] = rest;
        }
        let mut documents = Self { schemas, kinds: BTreeMap::new() };
        let stated = documents.objects().map(|(name, object)| (name.to_owned(), object.kinds()));
        let mut stated: Vec<_> = stated.collect();
        // Schemas that serve every group have a long list of kinds, but count only in their own
        // group.
        stated.sort_by_key(|(_, kinds)| kinds.len());
        for (name, kinds) in stated {
            for kind in kinds {
                documents.kinds.entry(kind).or_insert_with(|| name.clone());
            }
        }
        documents
    }

    /// All schemas by name.
    pub fn schemas(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.schemas.iter().map(|(name, schema)| (name.as_str(), schema))
    }

    /// The names of all schemas that have properties.
    pub fn objects(&self) -> impl Iterator<Item = (&str, Object<'_>)> {
        self.schemas.keys().filter_map(|name| match self.named(name) {
            Shape::Object(object) => Some((name.as_str(), object)),
            _ => None,
        })
    }

    /// The shape that the schema of this name describes.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn named(&self, name: &str) -> Shape<'_> {
        if let Some(leaf) = meant(name) {
            return Shape::Leaf(leaf);
        }
        self.shape(self.schemas.get(name).unwrap_or_else(|| panic!("spec/ has no schema {name}")))
    }

    /// The shape of the values that a schema describes.
    ///
    /// # Panics
    /// When it is not understood.
    #[must_use]
    pub fn shape<'a>(&'a self, schema: &'a Value) -> Shape<'a> {
        let text = |key: &str| schema[key].as_str().unwrap_or_default();
        if let Some((_, name)) = text("$ref").rsplit_once('/') {
            return self.named(name);
        }
        if let Some([only]) = schema["allOf"].as_array().map(Vec::as_slice) {
            return self.shape(only);
        }
        if schema["x-kubernetes-int-or-string"] == true {
            return Shape::Leaf(Leaf::IntOrString);
        }
        match (text("type"), text("format")) {
            ("boolean", "") => Shape::Leaf(Leaf::Bool),
            ("integer", "int32") => Shape::Leaf(Leaf::Int32),
            ("integer", "int64") => Shape::Leaf(Leaf::Int64),
            ("string", "") => Shape::Leaf(Leaf::Text),
            ("string", "date-time") => Shape::Leaf(Leaf::Time),
            ("string", "byte") => Shape::Leaf(Leaf::Bytes),
            ("array", "") => Shape::List(&schema["items"]),
            ("", "") if schema.as_object().is_some_and(Map::is_empty) => Shape::Leaf(Leaf::Any),
            ("object", "") => {
                match (schema["properties"].as_object(), &schema["additionalProperties"]) {
                    (Some(properties), Value::Null) => Shape::Object(Object { schema, properties }),
                    (None, values @ Value::Object(_)) => Shape::Map(values),
                    _ => panic!("tests/src/documents.rs does not understand {schema}"),
                }
            }
            _ => panic!("tests/src/documents.rs does not understand {schema}"),
        }
    }

    /// The schema of a kind.
    #[must_use]
    pub fn of_kind(&self, api_version: &str, kind: &str) -> Option<&str> {
        self.kinds.get(&(api_version.to_owned(), kind.to_owned())).map(String::as_str)
    }

    /// The value without the members that are `null`, which to a server is the same as absent.
    /// Entries of maps and elements of lists stay even if they are `null`: there the server keeps a
    /// key or an element with an empty value. Free JSON and what no schema describes stay as they
    /// are.
    #[must_use]
    pub fn without_null_members(&self, shape: Shape<'_>, value: &Value) -> Value {
        match (shape, value) {
            (Shape::List(elements), Value::Array(list)) => list
                .iter()
                .map(|value| self.without_null_members(self.shape(elements), value))
                .collect(),
            (Shape::Map(values), Value::Object(map)) => {
                let clean = |value| self.without_null_members(self.shape(values), value);
                map.iter().map(|(key, value)| (key.clone(), clean(value))).collect()
            }
            (Shape::Object(object), Value::Object(map)) => {
                let clean = |(key, value): (&String, &Value)| match object.member(key) {
                    Some(_) if value.is_null() => None,
                    Some(member) => Some((
                        key.clone(),
                        self.without_null_members(self.shape(member.schema), value),
                    )),
                    None => Some((key.clone(), value.clone())),
                };
                map.iter().filter_map(clean).collect()
            }
            _ => value.clone(),
        }
    }

    /// The value that is encoded for an absent member that is always written. None: it is omitted.
    #[must_use]
    pub fn empty(&self, shape: Shape<'_>) -> Option<Value> {
        let text = |text: &str| Some(Value::from(text));
        match shape {
            Shape::Leaf(Leaf::Bool) => Some(false.into()),
            Shape::Leaf(Leaf::Int32 | Leaf::Int64 | Leaf::IntOrString) => Some(0.into()),
            Shape::Leaf(Leaf::Text | Leaf::Bytes) => text(""),
            Shape::Leaf(Leaf::Quantity) => text("0"),
            // Written as `null`, which is nothing.
            Shape::Leaf(Leaf::Time | Leaf::MicroTime | Leaf::Fields | Leaf::Any) => None,
            Shape::List(_) => Some(Value::Array(Vec::new())),
            Shape::Map(_) => Some(Value::Object(Map::new())),
            Shape::Object(object) => {
                let required = object.members().filter(|member| member.required);
                let empty = required.filter_map(|member| {
                    Some((member.key, self.empty(self.shape(member.schema))?))
                });
                Some(empty.map(|(key, value)| (key.to_owned(), value)).collect())
            }
        }
    }
}

impl<'a> Object<'a> {
    /// Its members, in the order of the document.
    pub fn members(self) -> impl Iterator<Item = Member<'a>> {
        self.properties.keys().filter_map(move |key| self.member(key))
    }

    /// A member by its key.
    #[must_use]
    pub fn member(self, key: &str) -> Option<Member<'a>> {
        let (key, schema) = self.properties.get_key_value(key)?;
        let listed = self.schema["required"]
            .as_array()
            .is_some_and(|keys| keys.iter().any(|other| other == key));
        // Servers write the metadata of everything that states its kind.
        let required = listed || (key == "metadata" && self.states_kind());
        Some(Member { key, schema, required })
    }

    /// Whether its values state their kind.
    #[must_use]
    pub fn states_kind(self) -> bool {
        !self.kinds().is_empty()
            && ["apiVersion", "kind"].iter().all(|key| self.properties.contains_key(*key))
    }

    /// The `apiVersion` and `kind` that its values may state.
    #[must_use]
    pub fn kinds(self) -> Vec<(String, String)> {
        let text = |kind: &Value, key: &str| kind[key].as_str().unwrap_or_default().to_owned();
        let one = |kind: &Value| {
            let group = text(kind, "group");
            let version = text(kind, "version");
            let api_version = if group.is_empty() { version } else { format!("{group}/{version}") };
            (api_version, text(kind, "kind"))
        };
        self.schema["x-kubernetes-group-version-kind"]
            .as_array()
            .into_iter()
            .flatten()
            .map(one)
            .collect()
    }
}
