//! Schemas of objects: the types, defaults and rules by which a server validates bodies and merges
//! changes.
//!
//! They are read from OpenAPI documents ([`Reader`]), each document into [`Schemas`] of its own. A
//! [`Schema`] is a shared reference to one of them, and a [`Node`] a cursor that descends into it
//! beside a value.

pub(crate) mod conform;
pub(crate) mod formats;
mod go_types;
pub(crate) mod pattern;
mod quantity;
mod reader;
mod rules;
pub(crate) mod structural;
mod times;
pub(crate) mod typed;

#[cfg(feature = "cel")]
pub(crate) use formats::fits as fits_format;
#[cfg(feature = "cel")]
pub(crate) use quantity::check as check_quantity;
#[cfg(test)]
pub(crate) use reader::READ;
pub(crate) use reader::Reader;
pub(crate) use rules::{Rules, Subschema, Work};

use kapigen_definitions::schema_keywords::{ListType, PatchStrategy};
use kapigen_definitions::{Definition, Document, documents};
use kapigen_runtime::change::ChangeError;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// The schema of an object, with all referenced schemas.
///
/// ```
/// use kapigen_fake::change::Schema;
/// use serde_json::json;
///
/// let widget = json!({"type": "object", "properties": {"size": {"type": "integer"}}});
/// let document = json!({"components": {"schemas": {"io.example.v1.Widget": widget}}});
/// assert!(Schema::from_document(&document, "io.example.v1.Widget").is_ok());
/// let error = Schema::from_document(&document, "io.example.v1.Gadget").unwrap_err();
/// assert_eq!(error.to_string(), "the document has no schema `io.example.v1.Gadget`");
/// ```
#[derive(Clone, Debug)]
pub struct Schema {
    schemas: Arc<Schemas>,
    root: SchemaId,
}

impl Schema {
    /// The schema with this name in the `components` of an OpenAPI document, such as
    /// `io.k8s.api.core.v1.Pod`.
    ///
    /// # Errors
    /// When there is no schema of that name.
    pub fn from_document(document: &Value, name: &str) -> Result<Self, ChangeError> {
        let components = document.pointer("/components/schemas").and_then(Value::as_object);
        let Some(components) = components.filter(|components| components.contains_key(name)) else {
            return Err(ChangeError::new("", format!("the document has no schema `{name}`")));
        };
        let mut reader = Reader::new(components);
        let root = reader.named(name);
        Ok(Self::new(&Arc::new(reader.finish()), root))
    }

    /// A self-contained structural schema, the `openAPIV3Schema` of a custom resource definition.
    /// Its `metadata` is replaced by the metadata of all objects. A schema that is not structural
    /// has no known members.
    #[must_use]
    pub fn from_definition(definition: &Value) -> Self {
        let definition = json!({"spec": {
            "group": "example.com", "scope": "Cluster", "names": {"plural": "objects", "kind": "Object"},
            "versions": [{"name": "v1", "served": true, "schema": {"openAPIV3Schema": definition}}],
        }});
        let definitions: Vec<_> = Definition::read(&definition).into_iter().collect();
        let document = documents(&definitions)
            .into_iter()
            .next()
            .map(Document::into_value)
            .unwrap_or_default();
        let none = Map::new();
        let components =
            document.pointer("/components/schemas").and_then(Value::as_object).unwrap_or(&none);
        let mut reader = Reader::new(components);
        let root = reader.structural_kind("com.example.v1.Object");
        Self::new(&Arc::new(reader.finish()), root)
    }

    /// The schema of any value.
    pub(crate) fn any() -> Self {
        static ANY: LazyLock<Arc<Schemas>> = LazyLock::new(Arc::default);
        Self::new(&ANY, Schemas::ANY)
    }

    pub(crate) fn new(schemas: &Arc<Schemas>, root: SchemaId) -> Self {
        Self { schemas: schemas.clone(), root }
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.schemas.node(self.root)
    }
}

/// The position of a schema in [`Schemas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SchemaId(usize);

/// The schemas of a document, which may refer to each other in cycles.
#[derive(Clone, Debug)]
pub(crate) struct Schemas {
    all: Vec<Described>,
    /// The target of each, after references are resolved. Set once all schemas are known.
    targets: Vec<SchemaId>,
}

/// A schema in a document: of a named schema, a member, an entry or an element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Described {
    /// The name of the schema. Empty for a nested one.
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// Required members.
    pub(crate) required: Vec<String>,
    /// The default of an absent member.
    pub(crate) default: Option<Value>,
    /// The bytes of the default as JSON, with a comma, a colon and the quotes of a name.
    pub(crate) default_size: usize,
    /// Whether an apply replaces an object or a list as a whole.
    pub(crate) atomic: bool,
    pub(crate) patch: PatchRule,
    /// Whether `null` is a value of its own.
    pub(crate) nullable: bool,
    /// Members that are written as `null` as long as they are not set.
    pub(crate) nulls: Vec<String>,
    /// Whether the schema of a custom resource has rules that are expressions, at any depth.
    pub(crate) has_expressions: bool,
    /// Validation rules, which servers check for custom resources.
    pub(crate) rules: Option<Box<Rules>>,
    /// The members that objects of a built-in kind always have, and the values of absent ones.
    filled: Box<[(String, Value)]>,
}

#[derive(Clone, Debug, Default)]
pub(crate) enum Shape {
    /// Anything.
    #[default]
    Any,
    /// A reference to another schema.
    Same(SchemaId),
    /// An object with known members. With `open`, unknown ones are kept.
    Struct {
        fields: Fields,
        open: bool,
    },
    /// An object with any members of one type.
    Map(SchemaId),
    /// An array.
    List(SchemaId, ListRule),
    Scalar(Scalar),
}

/// The known members of an object.
pub(crate) type Fields = BTreeMap<String, SchemaId>;

/// The rule by which an apply merges a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListRule {
    pub(crate) list_type: ListType,
    /// The members that distinguish the elements of a list of the type `map`, sorted.
    pub(crate) keys: Vec<String>,
}

impl ListRule {
    /// The rule of lists that are replaced.
    pub(crate) const ATOMIC: &Self = &Self { list_type: ListType::Atomic, keys: Vec::new() };

    /// The value that no other element of a list may have.
    pub(crate) fn identity(&self, element: &Value) -> Option<Value> {
        match self.list_type {
            ListType::Atomic => None,
            ListType::Set => Some(element.clone()),
            ListType::Map => {
                let keys = self.keys.iter();
                let keys = keys.filter_map(|key| Some((key.clone(), element.get(key)?.clone())));
                Some(Value::Object(keys.collect()))
            }
        }
    }
}

/// The rule by which a strategic merge patch changes a member. Without a strategy, it merges objects
/// and replaces lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PatchRule {
    pub(crate) strategy: Option<PatchStrategy>,
    /// The member by which the elements of a list are merged. Without one they are a set.
    pub(crate) key: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    String,
    /// A string that is base64.
    Bytes,
    Int32,
    Int64,
    Number,
    Boolean,
    /// A string or a number.
    Either,
    /// A quantity, which is either, too.
    Quantity,
    /// A string that is a time.
    Time,
    /// A string that is a time with microseconds.
    MicroTime,
}

impl Default for Schemas {
    fn default() -> Self {
        Self { all: vec![Described::default()], targets: vec![Self::ANY] }
    }
}

impl Schemas {
    /// The schema without constraints.
    pub(crate) const ANY: SchemaId = SchemaId(0);

    pub(crate) fn add(&mut self, schema: Described) -> SchemaId {
        self.all.push(schema);
        SchemaId(self.all.len() - 1)
    }

    pub(crate) fn set(&mut self, id: SchemaId, schema: Described) {
        self.all[id.0] = schema;
    }

    /// Resolves references, and finds the members that objects always have, once all schemas are
    /// known.
    pub(crate) fn complete(&mut self) {
        self.resolve();
        for index in 0..self.all.len() {
            if !matches!(self.all[index].shape, Shape::Struct { .. }) {
                continue;
            }
            let node = self.node(SchemaId(index));
            let filled = node.fields().filter_map(|(name, field)| {
                let is_filled = field.is_always_present() || field.is_zero() && node.requires(name);
                Some((name.to_owned(), field.default().filter(|_| is_filled)?.clone()))
            });
            self.all[index].filled = filled.collect();
        }
    }

    pub(crate) fn get(&self, id: SchemaId) -> &Described {
        &self.all[id.0]
    }

    /// Resolves references. The target of a cycle of references is the schema without constraints.
    fn resolve(&mut self) {
        let targets = self.all.iter().enumerate().map(|(index, schema)| match schema.shape {
            Shape::Same(other) => other,
            _ => SchemaId(index),
        });
        let mut targets: Vec<_> = targets.collect();
        // Each round doubles the number of references that are followed.
        for _ in 0..=self.all.len().ilog2() {
            targets = targets.iter().map(|target| targets[target.0]).collect();
        }
        let targets = targets.into_iter().map(|target| match self.get(target).shape {
            Shape::Same(_) => Self::ANY,
            _ => target,
        });
        self.targets = targets.collect();
    }

    pub(crate) fn node(&self, id: SchemaId) -> Node<'_> {
        Node { schemas: self, own: self.get(id), target: self.get(self.targets[id.0]) }
    }
}

/// The schema of a value, and the rules of the member that holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    schemas: &'a Schemas,
    /// The schema at the member.
    own: &'a Described,
    /// The referenced schema, or `own` itself.
    target: &'a Described,
}

impl<'a> Node<'a> {
    pub(crate) fn shape(self) -> &'a Shape {
        &self.target.shape
    }

    /// The name of the type, without its package. Empty for a nested schema.
    pub(crate) fn name(self) -> &'a str {
        self.target.name.rsplit('.').next().unwrap_or_default()
    }

    /// The name of the schema, such as `io.k8s.api.core.v1.Pod`. Empty for a nested one.
    pub(crate) fn full_name(self) -> &'a str {
        &self.target.name
    }

    pub(crate) fn required(self) -> &'a [String] {
        &self.target.required
    }

    /// The members that objects of a built-in kind always have, and the values of absent ones.
    pub(crate) fn filled(self) -> &'a [(String, Value)] {
        &self.target.filled
    }

    /// Members that are written as `null` as long as they are not set.
    pub(crate) fn nulls(self) -> &'a [String] {
        &self.target.nulls
    }

    /// Whether a member is required. Documents state this for members that Go never omits.
    fn requires(self, name: &str) -> bool {
        self.required().iter().any(|required| required == name)
    }

    /// Whether the default is the zero value of a scalar.
    fn is_zero(self) -> bool {
        match self.default() {
            Some(Value::String(text)) => text.is_empty(),
            Some(Value::Number(number)) => number.as_f64() == Some(0.0),
            Some(Value::Bool(flag)) => !flag,
            _ => false,
        }
    }

    /// The default of an absent member.
    pub(crate) fn default(self) -> Option<&'a Value> {
        self.own.default.as_ref()
    }

    /// The size in bytes of the default in an object, without its name.
    pub(crate) fn default_size(self) -> usize {
        self.own.default_size
    }

    /// Whether `null` is a value of its own.
    pub(crate) fn is_nullable(self) -> bool {
        self.own.nullable
    }

    /// Whether the schema of a custom resource has rules that are expressions, at any depth.
    pub(crate) fn has_expressions(self) -> bool {
        self.own.has_expressions
    }

    /// Whether values are resources of their own in a custom resource.
    pub(crate) fn is_embedded(self) -> bool {
        self.rules().is_some_and(Rules::is_embedded)
    }

    /// Validation rules. `None` if servers check none for this schema.
    pub(crate) fn rules(self) -> Option<&'a Rules> {
        self.own.rules.as_deref()
    }

    /// Whether an apply replaces the value as a whole.
    pub(crate) fn is_atomic(self) -> bool {
        self.own.atomic || self.target.atomic
    }

    /// The rule by which an apply merges a list.
    pub(crate) fn list_rule(self) -> &'a ListRule {
        match self.shape() {
            Shape::List(_, rule) if !self.is_atomic() => rule,
            _ => ListRule::ATOMIC,
        }
    }

    /// The type of [`Self::list_rule`].
    pub(crate) fn list_type(self) -> ListType {
        self.list_rule().list_type
    }

    /// The rule by which a strategic merge patch changes the value.
    pub(crate) fn patch_rule(self) -> &'a PatchRule {
        &self.own.patch
    }

    /// The known member with this name.
    pub(crate) fn known(self, name: &str) -> Option<Self> {
        let Shape::Struct { fields, .. } = self.shape() else { return None };
        fields.get(name).map(|id| self.at(*id))
    }

    /// The known members.
    pub(crate) fn fields(self) -> impl Iterator<Item = (&'a str, Self)> {
        let fields =
            if let Shape::Struct { fields, .. } = self.shape() { Some(fields) } else { None };
        fields.into_iter().flatten().map(move |(name, id)| (name.as_str(), self.at(*id)))
    }

    /// The schema of a member or an entry.
    pub(crate) fn member(self, name: &str) -> Self {
        match self.shape() {
            Shape::Map(entry) => self.at(*entry),
            _ => self.known(name).unwrap_or_else(|| self.at(Schemas::ANY)),
        }
    }

    /// As [`member`](Self::member), unless any value will do there.
    pub(crate) fn described(self, name: &str) -> Option<Self> {
        match self.shape() {
            Shape::Map(entry) => Some(self.at(*entry)).filter(|_| *entry != Schemas::ANY),
            _ => self.known(name),
        }
    }

    /// The schema of the elements of a list.
    pub(crate) fn element(self) -> Self {
        self.at(if let Shape::List(element, _) = self.shape() { *element } else { Schemas::ANY })
    }

    /// The schema that a shape refers to.
    pub(crate) fn at(self, id: SchemaId) -> Self {
        self.schemas.node(id)
    }

    /// Whether the member is never absent: it has a default that Go does not omit. Go omits the
    /// empty string and zero, which documents state as defaults, too; objects as defaults of times
    /// are no defaults.
    fn is_always_present(self) -> bool {
        match self.default() {
            Some(Value::Object(_)) => !matches!(self.shape(), Shape::Scalar(_)),
            Some(Value::String(text)) => !text.is_empty(),
            _ => false,
        }
    }
}
