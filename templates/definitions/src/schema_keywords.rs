//! The keywords of schemas: one table of their names and values, of the places that allow them, of
//! their effect on types, and of the meaning of a change.
//!
//! It has the keywords of OpenAPI 3.0, and of `JSONSchemaProps` of `apiextensions.k8s.io/v1`.

pub use crate::merge_rules::{ListType, MapType, PatchStrategy};

use Side::{Least, Most};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A keyword and its rules.
#[derive(Debug)]
#[non_exhaustive]
pub struct Keyword {
    /// The name, such as `maxLength`.
    pub name: &'static str,
    /// The value that it takes.
    pub takes: Takes,
    /// The places in a definition of a custom resource that allow it.
    pub allowed: Allowed,
    /// What it is for in an OpenAPI document.
    pub role: Role,
    /// What a change of it means.
    pub change: Change,
}

/// The value that a keyword takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takes {
    /// A string.
    String,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A number.
    Number,
    /// A number of characters, elements or members.
    Count,
    /// A list of strings.
    Strings,
    /// A list.
    List,
    /// An object that is no schema.
    Object,
    /// Kinds, each with its group and version.
    Kinds,
    /// Any value.
    Any,
    /// A schema.
    Schema,
    /// A schema. Servers also decode a list in a definition, and then refuse it.
    Items,
    /// A schema, `true` or `false`.
    SchemaOrFlag,
    /// A list of schemas.
    Schemas,
    /// Schemas by name.
    SchemaMap,
}

/// The places of a structural schema in which a keyword is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Allowed {
    /// Everywhere, also within `allOf`, `anyOf`, `oneOf` and `not`.
    Everywhere,
    /// Outside of these four only. The string is a server's message for a keyword inside of them.
    Outside(&'static str),
    /// Nowhere.
    Never,
    /// Definitions do not have it: servers drop it silently.
    Unknown,
}

/// What a keyword is for in a schema of an OpenAPI document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// It makes a type. OpenAPI 3.0 ignores it beside `$ref`, and so do servers.
    Type,
    /// It is read beside `$ref`, too: prose, defaults and merge rules.
    Read,
    /// It limits a value. It is only documented, so an invalid one is no error.
    Limit,
    /// It is kept as it is, whatever its value.
    Kept,
    /// It illustrates a value, or matters only to servers.
    Unused,
    /// OpenAPI 3.0 does not have it.
    Foreign,
}

/// What a change of a keyword means for values that were valid before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Nothing by itself.
    Nothing,
    /// It has a comparison of its own.
    Own,
    /// A lower or upper limit of a count excludes values. The noun for what is counted, for one and
    /// for several of it.
    Count(Side, [&'static str; 2]),
    /// A lower or upper limit of a number excludes values. The keyword by which the limit itself is
    /// excluded.
    Bound(Side, &'static str),
    /// Another step excludes values.
    Multiple,
    /// It excludes values once it is set.
    Flag,
    /// Another condition may exclude any value.
    Condition,
}

/// Whether a limit is from below or above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The least value.
    Least,
    /// The greatest value.
    Most,
}

/// Whether objects keep members that their schema does not have.
pub const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
/// Whether an object is a whole resource.
pub const EMBEDDED: &str = "x-kubernetes-embedded-resource";
/// Whether a value is an integer or a string.
pub const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
/// How server-side apply merges a list: see [`ListType`].
pub const LIST_TYPE: &str = "x-kubernetes-list-type";
/// The members that distinguish the elements of a list.
pub const LIST_KEYS: &str = "x-kubernetes-list-map-keys";
/// How server-side apply merges an object: see [`MapType`].
pub const MAP_TYPE: &str = "x-kubernetes-map-type";
/// How a strategic merge patch changes a value: see [`PatchStrategy`].
pub const PATCH_STRATEGY: &str = "x-kubernetes-patch-strategy";
/// The member by which a strategic merge patch merges the elements of a list.
pub const PATCH_KEY: &str = "x-kubernetes-patch-merge-key";
/// Rules that are expressions in CEL.
pub const VALIDATIONS: &str = "x-kubernetes-validations";
/// The kinds of a schema, or the kind of an operation.
pub const KINDS: &str = "x-kubernetes-group-version-kind";
/// The fields that field selectors may name.
pub const SELECTABLE: &str = "x-kubernetes-selectable-fields";
/// The action of an operation, such as `list`. It is no keyword of schemas.
pub const ACTION: &str = "x-kubernetes-action";

const NOT_MAXIMUM: &str = "exclusiveMaximum";
const NOT_MINIMUM: &str = "exclusiveMinimum";

const CHARACTERS: [&str; 2] = ["character", "characters"];
const ELEMENTS: [&str; 2] = ["element", "elements"];
const MEMBERS: [&str; 2] = ["member", "members"];

const EVERYWHERE: Allowed = Allowed::Everywhere;
const EMPTY: Allowed = Allowed::Outside("must be empty to be structural");
const UNDEFINED: Allowed = Allowed::Outside("must be undefined to be structural");
const FALSE: Allowed = Allowed::Outside("must be false to be structural");
const NEVER: Allowed = Allowed::Never;
const UNKNOWN: Allowed = Allowed::Unknown;

const fn keyword(
    name: &'static str,
    takes: Takes,
    allowed: Allowed,
    role: Role,
    change: Change,
) -> Keyword {
    Keyword { name, takes, allowed, role, change }
}

/// All keywords.
pub const KEYWORDS: &[Keyword] = &[
    keyword("type", Takes::String, EMPTY, Role::Type, Change::Own),
    keyword("title", Takes::String, EMPTY, Role::Unused, Change::Nothing),
    keyword("description", Takes::String, EMPTY, Role::Read, Change::Nothing),
    keyword("default", Takes::Any, UNDEFINED, Role::Read, Change::Own),
    keyword("nullable", Takes::Flag, FALSE, Role::Type, Change::Own),
    keyword("externalDocs", Takes::Object, EVERYWHERE, Role::Unused, Change::Nothing),
    keyword("example", Takes::Any, EVERYWHERE, Role::Unused, Change::Nothing),
    keyword("properties", Takes::SchemaMap, EVERYWHERE, Role::Type, Change::Own),
    keyword("items", Takes::Items, EVERYWHERE, Role::Type, Change::Own),
    keyword("additionalProperties", Takes::SchemaOrFlag, UNDEFINED, Role::Type, Change::Own),
    keyword("format", Takes::String, EVERYWHERE, Role::Type, Change::Own),
    keyword("maxLength", Takes::Count, EVERYWHERE, Role::Limit, Change::Count(Most, CHARACTERS)),
    keyword("minLength", Takes::Count, EVERYWHERE, Role::Limit, Change::Count(Least, CHARACTERS)),
    keyword("pattern", Takes::String, EVERYWHERE, Role::Limit, Change::Own),
    keyword("maxItems", Takes::Count, EVERYWHERE, Role::Limit, Change::Count(Most, ELEMENTS)),
    keyword("minItems", Takes::Count, EVERYWHERE, Role::Limit, Change::Count(Least, ELEMENTS)),
    keyword("maxProperties", Takes::Count, EVERYWHERE, Role::Limit, Change::Count(Most, MEMBERS)),
    keyword("minProperties", Takes::Count, EVERYWHERE, Role::Limit, Change::Count(Least, MEMBERS)),
    keyword("maximum", Takes::Number, EVERYWHERE, Role::Limit, Change::Bound(Most, NOT_MAXIMUM)),
    keyword(NOT_MAXIMUM, Takes::Flag, EVERYWHERE, Role::Limit, Change::Nothing),
    keyword("minimum", Takes::Number, EVERYWHERE, Role::Limit, Change::Bound(Least, NOT_MINIMUM)),
    keyword(NOT_MINIMUM, Takes::Flag, EVERYWHERE, Role::Limit, Change::Nothing),
    keyword("multipleOf", Takes::Number, EVERYWHERE, Role::Limit, Change::Multiple),
    keyword("uniqueItems", Takes::Flag, EVERYWHERE, Role::Unused, Change::Flag),
    keyword("enum", Takes::List, EVERYWHERE, Role::Type, Change::Own),
    keyword("required", Takes::Strings, EVERYWHERE, Role::Type, Change::Own),
    keyword("allOf", Takes::Schemas, EVERYWHERE, Role::Type, Change::Condition),
    keyword("anyOf", Takes::Schemas, EVERYWHERE, Role::Type, Change::Condition),
    keyword("oneOf", Takes::Schemas, EVERYWHERE, Role::Type, Change::Condition),
    keyword("not", Takes::Schema, EVERYWHERE, Role::Unused, Change::Condition),
    keyword(PRESERVE, Takes::Flag, FALSE, Role::Type, Change::Own),
    keyword(EMBEDDED, Takes::Flag, FALSE, Role::Type, Change::Own),
    keyword(INT_OR_STRING, Takes::Flag, FALSE, Role::Type, Change::Own),
    keyword(LIST_TYPE, Takes::OneOf(&ListType::NAMES), UNDEFINED, Role::Read, Change::Own),
    keyword(LIST_KEYS, Takes::Strings, EMPTY, Role::Read, Change::Own),
    keyword(MAP_TYPE, Takes::OneOf(&MapType::NAMES), UNDEFINED, Role::Read, Change::Own),
    keyword(VALIDATIONS, Takes::List, EMPTY, Role::Kept, Change::Own),
    keyword("id", Takes::String, NEVER, Role::Foreign, Change::Nothing),
    keyword("$ref", Takes::String, NEVER, Role::Read, Change::Nothing),
    keyword("additionalItems", Takes::SchemaOrFlag, NEVER, Role::Foreign, Change::Nothing),
    keyword("definitions", Takes::Object, NEVER, Role::Foreign, Change::Nothing),
    keyword("dependencies", Takes::Object, NEVER, Role::Foreign, Change::Nothing),
    keyword("patternProperties", Takes::Object, NEVER, Role::Foreign, Change::Nothing),
    keyword("deprecated", Takes::Flag, UNKNOWN, Role::Read, Change::Nothing),
    keyword("discriminator", Takes::Object, UNKNOWN, Role::Unused, Change::Nothing),
    keyword("readOnly", Takes::Flag, UNKNOWN, Role::Unused, Change::Nothing),
    keyword("writeOnly", Takes::Flag, UNKNOWN, Role::Unused, Change::Nothing),
    keyword("xml", Takes::Object, UNKNOWN, Role::Unused, Change::Nothing),
    keyword(PATCH_STRATEGY, Takes::String, UNKNOWN, Role::Read, Change::Nothing),
    keyword(PATCH_KEY, Takes::String, UNKNOWN, Role::Read, Change::Nothing),
    keyword(KINDS, Takes::Kinds, UNKNOWN, Role::Type, Change::Nothing),
    keyword(SELECTABLE, Takes::List, UNKNOWN, Role::Kept, Change::Nothing),
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
    KINDS,
    INT_OR_STRING,
    LIST_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    PRESERVE,
    SELECTABLE,
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
#[must_use]
pub fn find(name: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.name == name)
}

/// The keywords that schemas of definitions have.
pub(crate) fn of_definitions() -> impl Iterator<Item = &'static Keyword> {
    KEYWORDS.iter().filter(|keyword| keyword.allowed != Allowed::Unknown)
}

/// The keyword with this name, if schemas of definitions have it.
pub(crate) fn find_in_definitions(name: &str) -> Option<&'static Keyword> {
    find(name).filter(|keyword| keyword.allowed != Allowed::Unknown)
}

/// The keywords that are conditions: `allOf`, `anyOf`, `oneOf` and `not`.
pub fn conditions() -> impl Iterator<Item = &'static str> {
    let conditions = KEYWORDS.iter().filter(|keyword| keyword.change == Change::Condition);
    conditions.map(|keyword| keyword.name)
}

/// The value of [`LIST_TYPE`].
#[must_use]
pub fn list_type(schema: &Map<String, Value>) -> Option<ListType> {
    ListType::parse(schema.get(LIST_TYPE)?.as_str()?)
}

/// The names in [`LIST_KEYS`].
pub fn list_keys(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let keys = schema.get(LIST_KEYS).and_then(Value::as_array);
    keys.into_iter().flatten().filter_map(Value::as_str)
}

/// The value of [`MAP_TYPE`].
#[must_use]
pub fn map_type(schema: &Map<String, Value>) -> Option<MapType> {
    MapType::parse(schema.get(MAP_TYPE)?.as_str()?)
}

/// The values of [`PATCH_STRATEGY`].
#[must_use]
pub fn patch_strategies(schema: &Map<String, Value>) -> BTreeSet<PatchStrategy> {
    let strategies = schema.get(PATCH_STRATEGY).and_then(Value::as_str).unwrap_or_default();
    strategies.split(',').filter_map(PatchStrategy::parse).collect()
}

/// The value of [`PATCH_KEY`].
#[must_use]
pub fn patch_key(schema: &Map<String, Value>) -> Option<&str> {
    schema.get(PATCH_KEY)?.as_str()
}

/// Whether `anyOf` states that a value is an integer or a string, as [`INT_OR_STRING`] does.
#[must_use]
pub fn is_any_of_int_or_string(schema: &Map<String, Value>) -> bool {
    schema.get(INT_OR_STRING) == Some(&Value::Bool(true))
        && schema.get("anyOf").is_some_and(is_choice_of_int_or_string)
}

/// Whether a list of schemas is the choice between an integer and a string.
pub(crate) fn is_choice_of_int_or_string(choices: &Value) -> bool {
    *choices == json!([{"type": "integer"}, {"type": "string"}])
}

impl Takes {
    /// Whether a value has the type. `null` has none of the types but [`Takes::Any`].
    #[must_use]
    pub fn fits(self, value: &Value) -> bool {
        match self {
            Self::Any => true,
            Self::String => value.is_string(),
            Self::OneOf(names) => value.as_str().is_some_and(|name| names.contains(&name)),
            Self::Flag => value.is_boolean(),
            Self::Number => value.is_number(),
            Self::Count => value.is_i64() || value.is_u64(),
            Self::Strings => is_list_of(value, Value::is_string),
            Self::Kinds => is_list_of(value, is_kind),
            Self::List | Self::Schemas => value.is_array(),
            Self::Object | Self::Schema | Self::Items | Self::SchemaMap => value.is_object(),
            Self::SchemaOrFlag => value.is_object() || value.is_boolean(),
        }
    }

    /// The words for a value of a definition that has another type. `None` if it has this one;
    /// `null` means absence everywhere, and servers decode any string and any list.
    pub(crate) fn mismatch(self, value: &Value) -> Option<&'static str> {
        let fits = match (self, value) {
            (_, Value::Null)
            | (Self::OneOf(_), Value::String(_))
            | (Self::Items, Value::Array(_)) => true,
            (Self::Strings, Value::Array(list)) => {
                list.iter().all(|element| element.is_string() || element.is_null())
            }
            _ => self.fits(value),
        };
        (!fits).then_some(match self {
            Self::Any => "any value",
            Self::String | Self::OneOf(_) => "a string",
            Self::Flag => "a boolean",
            Self::Number => "a number",
            Self::Count => "an integer",
            Self::Strings => "a list of strings",
            Self::List | Self::Kinds => "a list",
            Self::Object => "an object",
            Self::Schema | Self::Items => "a schema",
            Self::SchemaOrFlag => "a schema or a boolean",
            Self::Schemas => "a list of schemas",
            Self::SchemaMap => "a map of schemas",
        })
    }
}

fn is_list_of(value: &Value, fits: fn(&Value) -> bool) -> bool {
    value.as_array().is_some_and(|list| list.iter().all(fits))
}

fn is_kind(value: &Value) -> bool {
    ["group", "version", "kind"].iter().all(|key| value.get(key).is_some_and(Value::is_string))
}

/// Whether Go decodes this value of a keyword as the zero value of its field, so that it is absent.
pub(crate) fn is_absent(takes: Takes, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => takes == Takes::Flag && !flag,
        Value::String(text) => matches!(takes, Takes::String | Takes::OneOf(_)) && text.is_empty(),
        Value::Array(list) => takes != Takes::Any && list.is_empty(),
        Value::Object(members) => takes == Takes::SchemaMap && members.is_empty(),
        Value::Number(_) => false,
    }
}
