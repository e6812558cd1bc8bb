//! Schemas of objects: the types, defaults and rules that a server holds bodies to.
//!
//! They come from the tables of generated crates or, for kinds that are known only at run time, from OpenAPI documents.
//! The rest of this crate does not depend on the origin of a schema.
//!
//! The runtime has a [`Schema`](kapigen_runtime::change::Schema), too, which each resource has beside the one here (see
//! `registry`). That one is for merging: it knows objects, lists and their keys, and that is all that patches and field
//! managers need, in any program. A server needs what a merge does not: types of scalars and names of structs, for errors
//! in the words of Go, defaults, members that are never absent, and the validation rules of custom resources. One schema
//! for both would put all of these into every program that patches. Where both have a rule, such as the keys of a list,
//! tests hold that they agree: the fields of an object that is created are the same by either.

mod field_table;
mod meta;
mod openapi;
mod rules;
mod tables;

pub(crate) use field_table::FieldTable;
pub(crate) use meta::with_metadata;
pub(crate) use openapi::Reader;
pub(crate) use rules::Rules;
pub(crate) use tables::of_kind;

use serde_json::Value;

/// A schema, and those that it refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Typed<'a> {
    pub(crate) schemas: &'a Schemas,
    pub(crate) schema: SchemaId,
}

impl Typed<'_> {
    pub(crate) fn at(self, schema: SchemaId) -> Self {
        Self { schema, ..self }
    }
}

/// The position of a schema in [`Schemas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SchemaId(usize);

/// Schemas, which may refer to each other in circles.
#[derive(Clone, Debug)]
pub(crate) struct Schemas {
    nodes: Vec<Schema>,
}

/// The schema of a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schema {
    /// The name of the type, without its path. Empty for a nested schema.
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// Members that are never left out.
    pub(crate) required: Vec<String>,
    /// The default of an absent member.
    pub(crate) default: Option<Value>,
    /// Whether changes replace an object or a list as a whole.
    pub(crate) atomic: bool,
    /// Whether `null` is a value of its own.
    pub(crate) nullable: bool,
    /// Validation rules, which servers check for custom resources.
    pub(crate) rules: Option<Box<Rules>>,
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
        fields: FieldTable,
        open: bool,
    },
    /// An object with any members of one type.
    Map(SchemaId),
    /// An array.
    List(SchemaId, ListType),
    Scalar(Scalar),
}

/// The rule by which an apply merges a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum ListType {
    #[default]
    Atomic,
    /// Elements are scalars, each there once.
    Set,
    /// Elements are objects with keys.
    Map(Vec<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    String,
    Integer,
    Number,
    Boolean,
    /// A string or a number.
    Either,
    /// A string that is a time.
    Time,
    /// A string that is a time with microseconds.
    MicroTime,
}

impl Default for Schemas {
    fn default() -> Self {
        Self { nodes: vec![Schema::default()] }
    }
}

impl Schemas {
    /// The schema without constraints.
    pub(crate) const ANY: SchemaId = SchemaId(0);

    pub(crate) fn add(&mut self, schema: Schema) -> SchemaId {
        self.nodes.push(schema);
        SchemaId(self.nodes.len() - 1)
    }

    /// The number of schemas.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn set(&mut self, id: SchemaId, schema: Schema) {
        self.nodes[id.0] = schema;
    }

    #[inline]
    pub(crate) fn get(&self, id: SchemaId) -> &Schema {
        &self.nodes[id.0]
    }

    /// The schema, after references are resolved. That of a cycle of references is the one without constraints.
    #[inline]
    fn resolved(&self, id: SchemaId) -> &Schema {
        let mut schema = self.get(id);
        for _ in 0..self.nodes.len() {
            match schema.shape {
                Shape::Same(other) => schema = self.get(other),
                _ => return schema,
            }
        }
        self.get(Self::ANY)
    }

    /// The shape, after references are resolved.
    #[inline]
    pub(crate) fn shape(&self, id: SchemaId) -> &Shape {
        &self.resolved(id).shape
    }

    /// Whether a member is never absent: it has a default that Go does not leave out. Documents also state the empty
    /// string and zero as defaults, which it does.
    #[inline]
    pub(crate) fn is_always_present(&self, id: SchemaId) -> bool {
        match &self.get(id).default {
            Some(Value::Object(_)) => true,
            Some(Value::String(text)) => !text.is_empty(),
            _ => false,
        }
    }

    /// Whether changes replace the value as a whole. A reference does so if it or its target is atomic.
    pub(crate) fn is_atomic(&self, id: SchemaId) -> bool {
        let schema = self.get(id);
        schema.atomic || matches!(schema.shape, Shape::Same(other) if other != id && self.get(other).atomic)
    }

    /// The schema of a member of an object, and whether it is a known one.
    pub(crate) fn member(&self, id: SchemaId, name: &str) -> (SchemaId, bool) {
        match self.shape(id) {
            Shape::Struct { fields, .. } => fields.get(name).map_or((Self::ANY, false), |id| (*id, true)),
            Shape::Map(value) => (*value, false),
            _ => (Self::ANY, false),
        }
    }

    /// The schema of the elements of a list.
    pub(crate) fn element(&self, id: SchemaId) -> SchemaId {
        if let Shape::List(element, _) = self.shape(id) { *element } else { Self::ANY }
    }

    /// The rule by which an apply merges a list.
    pub(crate) fn list_type(&self, id: SchemaId) -> &ListType {
        match self.shape(id) {
            Shape::List(_, list_type) if !self.is_atomic(id) => list_type,
            _ => &ListType::Atomic,
        }
    }

    /// The schema that has the name and the required members: the target of a reference, or the schema itself.
    pub(crate) fn target(&self, id: SchemaId) -> &Schema {
        match self.get(id) {
            Schema { shape: Shape::Same(other), .. } => self.get(*other),
            schema => schema,
        }
    }

    pub(crate) fn rules(&self, id: SchemaId) -> Option<&Rules> {
        self.get(id).rules.as_deref()
    }
}
