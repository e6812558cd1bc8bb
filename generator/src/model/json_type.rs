//! JSON types: by them two types are exchangeable or not.

use super::{Type, WellKnown};
use crate::visible::cut;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The JSON type of a type, as far as it must be the same for two types to be exchangeable.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub enum JsonType {
    /// `true` or `false`.
    Boolean,
    /// A number without a fraction.
    Integer,
    /// A number.
    Number,
    /// A string.
    String,
    /// Free JSON, or an object: its properties are compared on their own.
    Any,
    /// The JSON of a type with hand-written Rust.
    WellKnown(WellKnown),
    /// An array of elements.
    Array(Box<JsonType>),
    /// An object with any keys and values.
    Map(Box<JsonType>),
}

/// Arrays and maps in each other. No type of an index has as many: rustc takes no more.
const MOST_LAYERS: usize = 128;

const ARRAY: &str = "array of ";
const MAP: &str = "map of ";

impl JsonType {
    /// The scalars and free JSON, by their names in an index.
    const NAMED: [(&str, Self); 5] = [
        ("boolean", Self::Boolean),
        ("integer", Self::Integer),
        ("number", Self::Number),
        ("string", Self::String),
        ("any", Self::Any),
    ];

    fn parse(text: &str, layers: usize) -> Option<Self> {
        if let Some(elements) = text.strip_prefix(ARRAY) {
            return Self::parse(elements, layers.checked_sub(1)?).map(Box::new).map(Self::Array);
        }
        if let Some(values) = text.strip_prefix(MAP) {
            return Self::parse(values, layers.checked_sub(1)?).map(Box::new).map(Self::Map);
        }
        let named = Self::NAMED.into_iter().find(|(name, _)| *name == text).map(|(_, ty)| ty);
        named.or_else(|| WellKnown::by_name(text).map(Self::WellKnown))
    }

    /// The JSON type of a type.
    #[must_use]
    pub fn for_type(ty: &Type) -> Self {
        match ty {
            Type::Bool => Self::Boolean,
            Type::Int32 | Type::Int64 => Self::Integer,
            Type::Double => Self::Number,
            Type::String => Self::String,
            Type::WellKnown(WellKnown::RawJson) | Type::Named(_) => Self::Any,
            Type::WellKnown(ty) => Self::WellKnown(*ty),
            Type::List(inner) => Self::Array(Box::new(Self::for_type(inner))),
            Type::Map(inner) => Self::Map(Box::new(Self::for_type(inner))),
            Type::Nullable(inner) => Self::for_type(inner),
        }
    }

    /// Whether it can hold the values that a document describes.
    #[must_use]
    pub fn holds(&self, document: &Self) -> bool {
        match (document, self) {
            (Self::Array(document), Self::Array(known))
            | (Self::Map(document), Self::Map(known)) => known.holds(document),
            (document, known) if document == known => true,
            (Self::Any, _) | (_, Self::Any) => true,
            (document, known) => {
                let is_object = document.is_object() && known.is_free_object();
                is_object
                    || known.is_object() && document.is_free_object()
                    || known.includes(document)
            }
        }
    }

    /// Whether values may be objects with any members.
    #[must_use]
    pub fn is_free_object(&self) -> bool {
        let is_free_map = matches!(self, Self::Map(values) if **values == Self::Any);
        *self == Self::Any || self.is_object() || is_free_map
    }

    /// Whether values may be strings.
    #[must_use]
    pub fn is_string(&self) -> bool {
        matches!(self, Self::Any | Self::String)
    }

    /// Whether values of a well-known type are free JSON objects.
    fn is_object(&self) -> bool {
        matches!(self, Self::WellKnown(ty) if ty.json_types() == Some(&["object"]))
    }

    /// Whether every JSON type of another scalar is one of its own.
    fn includes(&self, other: &Self) -> bool {
        let both = other.scalars().zip(self.scalars());
        both.is_some_and(|(other, own)| other.iter().all(|ty| own.contains(ty)))
    }

    /// The JSON types of the values of a scalar or well-known type.
    fn scalars(&self) -> Option<&'static [&'static str]> {
        match self {
            Self::Boolean => Some(&["boolean"]),
            Self::Integer => Some(&["integer"]),
            Self::Number => Some(&["integer", "number"]),
            Self::String => Some(&["string"]),
            Self::WellKnown(ty) => ty.json_types(),
            Self::Any | Self::Array(_) | Self::Map(_) => None,
        }
    }
}

/// As an index has it.
impl fmt::Display for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WellKnown(ty) => f.write_str(ty.name()),
            Self::Array(inner) => write!(f, "{ARRAY}{inner}"),
            Self::Map(inner) => write!(f, "{MAP}{inner}"),
            named => {
                let name = Self::NAMED.iter().find(|(_, ty)| ty == named).map(|(name, _)| *name);
                f.write_str(name.unwrap_or_default())
            }
        }
    }
}

impl FromStr for JsonType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text, MOST_LAYERS).ok_or_else(|| format!("`{}` is not a JSON type", cut(text)))
    }
}

impl From<JsonType> for String {
    fn from(ty: JsonType) -> Self {
        ty.to_string()
    }
}

impl TryFrom<String> for JsonType {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::JsonType;

    fn ty(text: &str) -> JsonType {
        let ty: JsonType = text.parse().expect(text);
        assert_eq!(ty.to_string(), text);
        ty
    }

    #[test]
    fn types_are_compared_as_far_as_both_are_known() {
        let cases = [
            ("string", "string", true),
            ("string", "integer", false),
            ("any", "map of string", true),
            ("array of any", "array of string", true),
            ("array of string", "map of string", false),
            ("map of array of any", "map of array of string", true),
            ("map of array of integer", "map of array of string", false),
            ("map of any", "RawExtension", true),
            ("string", "RawExtension", false),
            ("string", "Time", true),
        ];
        for (one, other, expected) in cases {
            assert_eq!(ty(one).holds(&ty(other)), expected, "{one} and {other}");
            assert_eq!(ty(other).holds(&ty(one)), expected, "{other} and {one}");
        }
    }

    #[test]
    fn types_may_take_more_than_documents_say() {
        for (document, known) in
            [("IntOrString", "Quantity"), ("string", "Quantity"), ("integer", "number")]
        {
            assert!(ty(known).holds(&ty(document)), "{document} and {known}");
            assert!(!ty(document).holds(&ty(known)), "{known} and {document}");
        }
    }

    #[test]
    fn other_names_are_no_types() {
        for text in ["", "strings", "array of", "map of x", "array of map of "] {
            assert!(text.parse::<JsonType>().is_err(), "{text}");
        }
        let deep = format!("{}string", "array of ".repeat(100_000));
        assert!(deep.parse::<JsonType>().is_err_and(|error| error.len() < 3000));
    }
}
