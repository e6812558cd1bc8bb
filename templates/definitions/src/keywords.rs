//! The keywords of schemas in definitions, as `JSONSchemaProps` of `apiextensions.k8s.io/v1` has
//! them.

use serde_json::{Map, Value};

/// The value that a keyword takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    String,
    Flag,
    Number,
    Count,
    Strings,
    List,
    /// An object of another type.
    Object,
    Any,
    Schema,
    /// A schema. Servers also decode a list, and then refuse it.
    Items,
    SchemaOrFlag,
    Schemas,
    SchemaMap,
}

/// The places of a structural schema in which a keyword is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// Everywhere, also within `allOf`, `anyOf`, `oneOf` and `not`.
    Everywhere,
    /// Outside of these four only. The string is a server's message for a keyword inside of them.
    Outside(&'static str),
    /// Nowhere.
    Never,
}

/// A keyword and its rules.
#[derive(Debug)]
pub(crate) struct Keyword {
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    pub(crate) allowed: Allowed,
}

pub(crate) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
pub(crate) const EMBEDDED: &str = "x-kubernetes-embedded-resource";
pub(crate) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
pub(crate) const LIST_TYPE: &str = "x-kubernetes-list-type";
pub(crate) const LIST_KEYS: &str = "x-kubernetes-list-map-keys";
pub(crate) const MAP_TYPE: &str = "x-kubernetes-map-type";
pub(crate) const VALIDATIONS: &str = "x-kubernetes-validations";

const EMPTY: Allowed = Allowed::Outside("must be empty to be structural");
const UNDEFINED: Allowed = Allowed::Outside("must be undefined to be structural");
const FALSE: Allowed = Allowed::Outside("must be false to be structural");

const fn keyword(name: &'static str, takes: Takes, allowed: Allowed) -> Keyword {
    Keyword { name, takes, allowed }
}

/// All keywords that servers know. They drop others silently.
pub(crate) const KEYWORDS: &[Keyword] = &[
    keyword("type", Takes::String, EMPTY),
    keyword("title", Takes::String, EMPTY),
    keyword("description", Takes::String, EMPTY),
    keyword("default", Takes::Any, UNDEFINED),
    keyword("nullable", Takes::Flag, FALSE),
    keyword("externalDocs", Takes::Object, Allowed::Everywhere),
    keyword("example", Takes::Any, Allowed::Everywhere),
    keyword("properties", Takes::SchemaMap, Allowed::Everywhere),
    keyword("items", Takes::Items, Allowed::Everywhere),
    keyword("additionalProperties", Takes::SchemaOrFlag, UNDEFINED),
    keyword("format", Takes::String, Allowed::Everywhere),
    keyword("maximum", Takes::Number, Allowed::Everywhere),
    keyword("exclusiveMaximum", Takes::Flag, Allowed::Everywhere),
    keyword("minimum", Takes::Number, Allowed::Everywhere),
    keyword("exclusiveMinimum", Takes::Flag, Allowed::Everywhere),
    keyword("maxLength", Takes::Count, Allowed::Everywhere),
    keyword("minLength", Takes::Count, Allowed::Everywhere),
    keyword("pattern", Takes::String, Allowed::Everywhere),
    keyword("maxItems", Takes::Count, Allowed::Everywhere),
    keyword("minItems", Takes::Count, Allowed::Everywhere),
    keyword("uniqueItems", Takes::Flag, Allowed::Everywhere),
    keyword("multipleOf", Takes::Number, Allowed::Everywhere),
    keyword("enum", Takes::List, Allowed::Everywhere),
    keyword("maxProperties", Takes::Count, Allowed::Everywhere),
    keyword("minProperties", Takes::Count, Allowed::Everywhere),
    keyword("required", Takes::Strings, Allowed::Everywhere),
    keyword("allOf", Takes::Schemas, Allowed::Everywhere),
    keyword("anyOf", Takes::Schemas, Allowed::Everywhere),
    keyword("oneOf", Takes::Schemas, Allowed::Everywhere),
    keyword("not", Takes::Schema, Allowed::Everywhere),
    keyword(PRESERVE, Takes::Flag, FALSE),
    keyword(EMBEDDED, Takes::Flag, FALSE),
    keyword(INT_OR_STRING, Takes::Flag, FALSE),
    keyword(LIST_TYPE, Takes::String, UNDEFINED),
    keyword(LIST_KEYS, Takes::Strings, EMPTY),
    keyword(MAP_TYPE, Takes::String, UNDEFINED),
    keyword(VALIDATIONS, Takes::List, EMPTY),
    keyword("id", Takes::String, Allowed::Never),
    keyword("$ref", Takes::String, Allowed::Never),
    keyword("additionalItems", Takes::SchemaOrFlag, Allowed::Never),
    keyword("definitions", Takes::Object, Allowed::Never),
    keyword("dependencies", Takes::Object, Allowed::Never),
    keyword("patternProperties", Takes::Object, Allowed::Never),
];

/// The members of a rule that is an expression, in the order of servers.
pub(crate) const RULE: [&str; 6] =
    ["rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf"];

/// The order in which servers write the members of a schema.
const ORDER: &[&str] = &[
    "description",
    "type",
    "nullable",
    "format",
    "title",
    "default",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "enum",
    "maxProperties",
    "minProperties",
    "required",
    "items",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
    "properties",
    "additionalProperties",
    "externalDocs",
    "example",
    EMBEDDED,
    "x-kubernetes-group-version-kind",
    INT_OR_STRING,
    LIST_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    PRESERVE,
    "x-kubernetes-selectable-fields",
    VALIDATIONS,
];

/// Puts the members of a schema into the order of servers.
pub(crate) fn sort(schema: &mut Map<String, Value>) {
    let mut members = std::mem::take(schema);
    schema.extend(ORDER.iter().filter_map(|name| members.remove_entry(*name)));
    schema.append(&mut members);
}

impl Keyword {
    /// Whether a schema has it, with a value that is not absent to a server.
    pub(crate) fn is_in(&self, schema: &Map<String, Value>) -> bool {
        schema.get(self.name).is_some_and(|value| !is_absent(self.takes, value))
    }
}

/// The keyword with this name.
pub(crate) fn find(name: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.name == name)
}

impl Takes {
    /// The words for a value that has another type. `None` if it has this one; `null` means absence
    /// everywhere.
    pub(crate) fn mismatch(self, value: &Value) -> Option<&'static str> {
        let (is, wanted) = match self {
            Self::Any => (true, ""),
            Self::String => (value.is_string(), "a string"),
            Self::Flag => (value.is_boolean(), "a boolean"),
            Self::Number => (value.is_number(), "a number"),
            Self::Count => (value.is_i64() || value.is_u64(), "an integer"),
            Self::Strings => {
                let is_strings = |list: &Vec<Value>| {
                    list.iter().all(|element| element.is_string() || element.is_null())
                };
                (value.as_array().is_some_and(is_strings), "a list of strings")
            }
            Self::List => (value.is_array(), "a list"),
            Self::Object => (value.is_object(), "an object"),
            Self::Schema => (value.is_object(), "a schema"),
            Self::Items => (value.is_object() || value.is_array(), "a schema"),
            Self::SchemaOrFlag => {
                (value.is_object() || value.is_boolean(), "a schema or a boolean")
            }
            Self::Schemas => (value.is_array(), "a list of schemas"),
            Self::SchemaMap => (value.is_object(), "a map of schemas"),
        };
        (!is && !value.is_null()).then_some(wanted)
    }
}

/// Whether Go decodes this value of a keyword as the zero value of its field, so that it is absent.
pub(crate) fn is_absent(takes: Takes, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => takes == Takes::Flag && !flag,
        Value::String(text) => takes == Takes::String && text.is_empty(),
        Value::Array(list) => takes != Takes::Any && list.is_empty(),
        Value::Object(members) => takes == Takes::SchemaMap && members.is_empty(),
        Value::Number(_) => false,
    }
}
