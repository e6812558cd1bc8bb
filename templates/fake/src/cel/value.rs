// not vendored
//! Values of expressions.

use super::schema::{ListKind, Scalar, Schema};
use kapigen_runtime::jiff::{SignedDuration, Timestamp};
use kapigen_runtime::meta_v1::Quantity;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::ops::Deref;
use std::rc::Rc;

/// A value. The objects and lists of a custom resource are borrowed.
#[derive(Clone, Debug)]
pub(super) enum Value<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(Text<'a>),
    Bytes(Rc<[u8]>),
    List(Rc<Vec<Value<'a>>>, &'a ListKind),
    Map(Rc<BTreeMap<Key<'a>, Value<'a>>>),
    /// An object or a list of a custom resource.
    Tree(&'a Json, Option<&'a Schema>),
    Optional(Option<Rc<Value<'a>>>),
    Type(&'static str),
    Timestamp(Timestamp),
    Duration(SignedDuration),
    Quantity(Rc<Quantity>),
    Url(Rc<super::url::Url>),
    Ip(IpAddr),
    Cidr(IpAddr, u8),
    Semver(Rc<super::semver::Version>),
    /// A named format of strings.
    Format(&'static str),
}

/// A string.
#[derive(Clone, Debug)]
pub(super) enum Text<'a> {
    Borrowed(&'a str),
    Shared(Rc<str>),
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::String(Text::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::String(Text::Shared(text.into()))
    }
}

impl From<bool> for Value<'_> {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

/// Lists that are not of a schema.
pub(super) const PLAIN: &ListKind = &ListKind::Plain;

impl<'a> From<Vec<Value<'a>>> for Value<'a> {
    fn from(elements: Vec<Value<'a>>) -> Self {
        Self::List(Rc::new(elements), PLAIN)
    }
}

/// A key of a map. Integers of both types are the same key.
#[derive(Clone, Debug)]
pub(super) enum Key<'a> {
    Bool(bool),
    Int(i128),
    String(Text<'a>),
}

impl Key<'_> {
    fn rank(&self) -> (u8, i128, &str) {
        match self {
            Self::Bool(flag) => (0, i128::from(*flag), ""),
            Self::Int(number) => (1, *number, ""),
            Self::String(text) => (2, 0, text),
        }
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Key<'_> {}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(flag) => write!(f, "{flag}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::String(text) => f.write_str(text),
        }
    }
}

impl<'a> Key<'a> {
    /// The key of a value. `None` if it can be none.
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    pub(super) fn of(value: &Value<'a>) -> Option<Self> {
        match value {
            Value::Bool(flag) => Some(Self::Bool(*flag)),
            Value::Int(number) => Some(Self::Int((*number).into())),
            Value::Uint(number) => Some(Self::Int((*number).into())),
            Value::Double(number) if number.fract() == 0.0 => Some(Self::Int(*number as i128)),
            Value::String(text) => Some(Self::String(text.clone())),
            _ => None,
        }
    }

    pub(super) fn value(&self) -> Value<'a> {
        match self {
            Self::Bool(flag) => Value::Bool(*flag),
            Self::Int(number) => i64::try_from(*number).map_or_else(
                |_| Value::Uint(u64::try_from(*number).unwrap_or_default()),
                Value::Int,
            ),
            Self::String(text) => Value::String(text.clone()),
        }
    }
}

impl<'a> Value<'a> {
    /// The value of JSON by its schema. A string that has not the format of its schema stays one.
    pub(super) fn of(json: &'a Json, schema: Option<&'a Schema>) -> Self {
        let scalar = schema.map(|schema| schema.scalar).unwrap_or_default();
        match json {
            Json::Null => Self::Null,
            Json::Bool(flag) => Self::Bool(*flag),
            Json::Number(number) => match (number.as_i64(), number.as_u64()) {
                _ if scalar == Scalar::Double => Self::Double(number.as_f64().unwrap_or_default()),
                (Some(number), _) => Self::Int(number),
                (_, Some(number)) => Self::Uint(number),
                _ => Self::Double(number.as_f64().unwrap_or_default()),
            },
            Json::String(text) => match scalar {
                Scalar::Bytes => {
                    super::convert::base64(text).map(|bytes| Self::Bytes(bytes.into()))
                }
                Scalar::Timestamp => super::time::timestamp(text).map(Self::Timestamp),
                Scalar::Duration => super::time::duration(text).map(Self::Duration),
                _ => None,
            }
            .unwrap_or_else(|| text.as_str().into()),
            Json::Array(_) | Json::Object(_) => Self::Tree(json, schema),
        }
    }

    pub(super) fn optional(value: Option<Self>) -> Self {
        Self::Optional(value.map(Rc::new))
    }

    /// The number of elements of a list. `None` if it is none.
    pub(super) fn list_len(&self) -> Option<usize> {
        match self {
            Self::List(elements, _) => Some(elements.len()),
            Self::Tree(Json::Array(elements), _) => Some(elements.len()),
            _ => None,
        }
    }

    /// An element of a list. `None` if there is none.
    pub(super) fn element(&self, index: usize) -> Option<Self> {
        match self {
            Self::List(elements, _) => elements.get(index).cloned(),
            Self::Tree(Json::Array(elements), schema) => {
                let below = schema.and_then(|schema| schema.items.as_deref());
                elements.get(index).map(|element| Self::of(element, below))
            }
            _ => None,
        }
    }

    /// The elements of a list. `None` if it is none.
    pub(super) fn elements(&self) -> Option<impl Iterator<Item = Self> + '_> {
        let count = self.list_len()?;
        Some((0..count).filter_map(|index| self.element(index)))
    }

    pub(super) fn list_kind(&self) -> &'a ListKind {
        match self {
            Self::List(_, kind) => kind,
            Self::Tree(_, Some(schema)) => &schema.list,
            _ => PLAIN,
        }
    }

    /// The number of entries of a map or members of an object. `None` if it is neither.
    pub(super) fn map_len(&self) -> Option<usize> {
        match self {
            Self::Map(entries) => Some(entries.len()),
            Self::Tree(Json::Object(members), _) => Some(members.len()),
            _ => None,
        }
    }

    /// An entry of a map, or a member of an object by the name that expressions have for it.
    pub(super) fn entry(&self, key: &Key<'a>) -> Option<Self> {
        match (self, key) {
            (Self::Map(entries), key) => entries.get(key).cloned(),
            (Self::Tree(Json::Object(members), schema), Key::String(name)) => {
                let (name, below) = match schema {
                    Some(schema) => schema.member(name)?,
                    None => (&**name, None),
                };
                members.get(name).map(|value| Self::of(value, below))
            }
            _ => None,
        }
    }

    /// The keys of a map, or the names that expressions have for the members of an object. `None`
    /// if it is neither.
    pub(super) fn keys(&self) -> Option<Vec<Key<'a>>> {
        match self {
            Self::Map(entries) => Some(entries.keys().cloned().collect()),
            Self::Tree(Json::Object(members), schema) => {
                let schema = schema
                    .filter(|schema| schema.entries.is_none() && !schema.properties.is_empty());
                let Some(schema) = schema else {
                    let names = members.keys().map(|name| Key::String(Text::Borrowed(name)));
                    return Some(names.collect());
                };
                let known = members.keys().filter(|name| schema.properties.contains_key(*name));
                let escaped = known.map(|name| Text::Shared(super::names::escape(name).into()));
                Some(escaped.map(Key::String).collect())
            }
            _ => None,
        }
    }

    /// The name of the type.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::List(..) | Self::Tree(Json::Array(_), _) => "list",
            Self::Tree(_, Some(schema)) if !schema.properties.is_empty() => "object",
            Self::Map(_) | Self::Tree(..) => "map",
            Self::Optional(_) => "optional_type",
            Self::Type(_) => "type",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Quantity(_) => "kubernetes.Quantity",
            Self::Url(_) => "kubernetes.URL",
            Self::Ip(_) => "net.IP",
            Self::Cidr(..) => "net.CIDR",
            Self::Semver(_) => "kubernetes.Semver",
            Self::Format(_) => "kubernetes.NamedFormat",
        }
    }
}
