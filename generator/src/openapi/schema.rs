//! The schema of one value, as far as types and their documentation depend on it.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The extension with the resource of a kind, in documents of crates that do not have its
/// operations.
pub const RESOURCE_EXTENSION: &str = "x-kapigen-resource";

/// A schema of OpenAPI 3.0. Unused keywords are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// `type`; a string also where that is not written, but every value of `enum` is one.
    pub typ: Option<SchemaType>,
    /// `format`.
    pub format: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `deprecated`.
    pub deprecated: bool,
    /// `default`, unless it is `null`.
    pub default: Option<Value>,
    /// `nullable`.
    pub nullable: bool,
    /// `properties`, in the order of the document.
    pub properties: IndexMap<String, SchemaRef>,
    /// `required`.
    pub required: BTreeSet<String>,
    /// `additionalProperties`.
    pub additional: Option<Additional>,
    /// `items`.
    pub items: Option<SchemaRef>,
    /// `enum`.
    pub values: Vec<Value>,
    /// `allOf`; a `$ref` with siblings is its only branch.
    pub all_of: Vec<SchemaRef>,
    /// `oneOf`.
    pub one_of: Vec<SchemaRef>,
    /// `anyOf`.
    pub any_of: Vec<SchemaRef>,
    /// The keywords that limit a value, such as `maxLength`, unchecked.
    pub limits: Map<String, Value>,
    /// `allOf`, `anyOf`, `oneOf` and `not` as the document has them, unchecked. `null`: they are
    /// too large to be put in words.
    pub conditions: Map<String, Value>,
    /// The keywords that begin with `x-`.
    pub extensions: Map<String, Value>,
}

/// `type`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaType {
    /// `array`.
    Array,
    /// `boolean`.
    Boolean,
    /// `integer`.
    Integer,
    /// `number`.
    Number,
    /// `object`.
    Object,
    /// `string`.
    String,
    /// A type that OpenAPI does not have, as old definitions do.
    Unknown(String),
}

impl From<String> for SchemaType {
    fn from(name: String) -> Self {
        match name.as_str() {
            "array" => Self::Array,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "object" => Self::Object,
            "string" => Self::String,
            _ => Self::Unknown(name),
        }
    }
}

impl SchemaType {
    /// The type as documents write it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Array => "array",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Object => "object",
            Self::String => "string",
            Self::Unknown(name) => name,
        }
    }
}

/// `additionalProperties`: the values of properties that have no schema of their own.
#[derive(Clone, Debug, PartialEq)]
pub enum Additional {
    /// Whether there may be any.
    Allowed(bool),
    /// The schema of their values.
    Schema(SchemaRef),
}

/// A schema that is used by another. Nested schemas are nodes of their own, so that all are used by
/// reference.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaRef {
    /// The reference, relative to its document.
    pub reference: String,
    /// The schema, if the reference resolves.
    pub target: Option<SchemaId>,
}

/// The index of a schema among the schemas of all documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaId(pub(super) usize);

impl Schema {
    /// Whether values are some known strings.
    #[must_use]
    pub fn is_enum(&self) -> bool {
        self.typ == Some(SchemaType::String) && self.values.iter().any(Value::is_string)
    }

    /// The branches of `allOf`, `oneOf` and `anyOf`.
    pub fn branches(&self) -> impl Iterator<Item = &SchemaRef> {
        self.all_of.iter().chain(&self.one_of).chain(&self.any_of)
    }

    /// Whether an extension is `true`.
    #[must_use]
    pub fn has_flag(&self, extension: &str) -> bool {
        self.extensions.get(extension) == Some(&Value::Bool(true))
    }

    /// All uses of other schemas, to resolve them.
    pub(super) fn references_mut(&mut self) -> impl Iterator<Item = &mut SchemaRef> {
        let additional = match &mut self.additional {
            Some(Additional::Schema(values)) => Some(values),
            _ => None,
        };
        let branches = self.all_of.iter_mut().chain(&mut self.one_of).chain(&mut self.any_of);
        self.properties.values_mut().chain(&mut self.items).chain(additional).chain(branches)
    }
}
