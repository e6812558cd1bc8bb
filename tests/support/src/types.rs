//! A type of the crate as a value, so that a test can go through all of them.

use crate::literals::literal;
use openshift_api::change::{ChangeError, Difference, differences, merge};
use openshift_api::meta_v1::RawJson;
use openshift_api::{AnyKind, Patch};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::any::Any;
use std::fmt::Debug;

/// A type of `openshift-api`.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// The name of its schema.
    pub schema: &'static str,
    /// The module it is in.
    pub module: &'static str,
    /// Its name.
    pub name: &'static str,
    read: fn(Input<'_>) -> Result<Box<dyn Decoded>, String>,
    default: fn() -> Box<dyn Decoded>,
    json_schema: fn() -> Value,
    changes: fn(&Value, &Value) -> Result<Changes, String>,
    merged: fn(&Value, &Value) -> Result<Value, String>,
    applied: Option<Apply>,
}

/// Makes the apply of an object.
type Apply = fn(&Value, Origin, &[Decision]) -> Patch;

/// The origin of an object that is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Its fields were set one by one.
    Literal,
    /// It was decoded.
    Decoded,
}

/// Whether a required member with this path is sent though it is empty.
pub type Decision = (String, bool);

/// The ways to turn one object into another.
#[derive(Clone, Debug)]
pub struct Changes {
    /// Both objects, as the type encodes them.
    pub objects: [Value; 2],
    /// The JSON patches, each of which turns the first object into the second: for the version of
    /// the first, for any version, and between both as free JSON.
    pub json: [Value; 3],
    /// The merge patch, or the reason why there is none.
    pub merge: Result<Value, String>,
    /// The strategic merge patch, or the reason why there is none.
    pub strategic: Result<Value, String>,
    /// The values that differ.
    pub differences: Vec<Difference>,
}

/// A source to decode a value from. Each is another way through serde, or the runtime's own.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// JSON in memory.
    Slice(&'a [u8]),
    /// JSON that comes piece by piece.
    Reader(&'a [u8]),
    /// JSON in a string.
    Text(&'a str),
    /// A tree.
    Tree(&'a Value),
    /// YAML in a string.
    Yaml(&'a str),
    /// CBOR in memory.
    Cbor(&'a [u8]),
    /// JSON in memory, for the runtime's own reader.
    Own(&'a [u8]),
    /// JSON that comes piece by piece, for the runtime's own reader.
    OwnReader(&'a [u8]),
}

/// A format to encode a value in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// JSON on one line.
    Compact,
    /// JSON with indentation.
    Pretty,
    /// A tree.
    Tree,
    /// A YAML document.
    Yaml,
    /// CBOR.
    Cbor,
    /// JSON by the runtime's own writer.
    Own,
}

/// A value of a type that is only known at run time.
pub trait Decoded: Debug + Any {
    /// Writes it, and reads that as JSON.
    ///
    /// # Errors
    /// The message of serde.
    fn write(&self, output: Output) -> Result<Value, String>;
    /// Writes it as JSON on one line.
    ///
    /// # Errors
    /// The message of serde.
    fn text(&self) -> Result<String, String>;
    /// Whether both have the same type and are equal.
    fn equals(&self, other: &dyn Decoded) -> bool;
}

impl Output {
    /// All of them.
    pub const ALL: [Output; 6] =
        [Output::Compact, Output::Pretty, Output::Tree, Output::Yaml, Output::Cbor, Output::Own];
}

impl Type {
    /// Describes `T`.
    #[must_use]
    pub const fn of<T>(schema: &'static str, module: &'static str, name: &'static str) -> Self
    where
        T: openshift_api::codec::Value
            + DeserializeOwned
            + Serialize
            + JsonSchema
            + Default
            + PartialEq
            + Debug
            + 'static,
    {
        let default = || Box::new(T::default()) as Box<dyn Decoded>;
        let json_schema = || T::json_schema(&mut SchemaGenerator::default()).to_value();
        let changes = changes::<T>;
        let merged = merged::<T>;
        let read = read::<T>;
        Self { schema, module, name, read, default, json_schema, changes, merged, applied: None }
    }

    /// Describes a kind.
    #[must_use]
    pub const fn of_kind<T>(schema: &'static str, module: &'static str, name: &'static str) -> Self
    where
        T: AnyKind + JsonSchema,
    {
        Self { applied: Some(applied::<T>), ..Self::of::<T>(schema, module, name) }
    }

    /// The configuration of an object for server-side apply, with decisions about members that may
    /// not have been set. `None` if the type is not a kind.
    #[must_use]
    pub fn applied(&self, tree: &Value, from: Origin, decisions: &[Decision]) -> Option<Patch> {
        self.applied.map(|applied| applied(tree, from, decisions))
    }

    /// Its JSON schema.
    #[must_use]
    pub fn json_schema(&self) -> Value {
        (self.json_schema)()
    }

    /// The patches that turn one object into another.
    ///
    /// # Errors
    /// When one of them cannot be decoded.
    pub fn changes(&self, old: &Value, new: &Value) -> Result<Changes, String> {
        (self.changes)(old, new)
    }

    /// The first object with the second merged into it.
    ///
    /// # Errors
    /// When one of them cannot be decoded or merged.
    pub fn merged(&self, target: &Value, other: &Value) -> Result<Value, String> {
        (self.merged)(target, other)
    }

    /// Finds a type by the name of its schema.
    #[must_use]
    pub fn by_schema(schema: &str) -> Option<&'static Type> {
        crate::registry::TYPES.iter().find(|ty| ty.schema == schema)
    }

    /// Reads a value.
    ///
    /// # Errors
    /// The message of serde.
    pub fn read(&self, input: Input<'_>) -> Result<Box<dyn Decoded>, String> {
        (self.read)(input)
    }

    /// Its default.
    #[must_use]
    pub fn default_value(&self) -> Box<dyn Decoded> {
        (self.default)()
    }
}

fn changes<T>(old: &Value, new: &Value) -> Result<Changes, String>
where
    T: openshift_api::codec::Value + DeserializeOwned + Serialize,
{
    let decode = |tree: &Value| {
        openshift_api::from_str::<T>(&tree.to_string()).map_err(|error| error.to_string())
    };
    let encode = |value: &T| serde_json::to_value(value).map_err(|error| error.to_string());
    let old = decode(old)?;
    let new = decode(new)?;
    let body = |patch: Patch| serde_json::from_slice(patch.body()).expect("a patch is JSON");
    let raw = |value: &T| RawJson::from_serialize(value).expect("every type is JSON");
    let shown =
        |patch: Result<Patch, _>| patch.map(body).map_err(|error: ChangeError| error.to_string());
    Ok(Changes {
        objects: [encode(&old)?, encode(&new)?],
        json: [
            body(Patch::json_between(&old, &new)),
            body(Patch::json_between(&old, &new).without_version()),
            body(Patch::json_between(&raw(&old), &raw(&new))),
        ],
        merge: shown(Patch::merge_between(&old, &new)),
        strategic: shown(Patch::strategic_between(&old, &new)),
        differences: differences(&old, &new),
    })
}

fn merged<T>(target: &Value, other: &Value) -> Result<Value, String>
where
    T: openshift_api::codec::Value + Serialize,
{
    let decode = |tree: &Value| {
        openshift_api::from_str::<T>(&tree.to_string()).map_err(|error| error.to_string())
    };
    let mut target = decode(target)?;
    let other = decode(other)?;
    merge(&mut target, &other).map_err(|error| error.to_string())?;
    serde_json::to_value(target).map_err(|error| error.to_string())
}

fn applied<T: AnyKind>(tree: &Value, from: Origin, decisions: &[Decision]) -> Patch {
    let object: T = match from {
        Origin::Literal => literal(tree),
        Origin::Decoded => openshift_api::from_str(&tree.to_string()).expect("it is of the type"),
    };
    decisions.iter().fold(Patch::apply(&object), |patch, (path, is_sent)| {
        if *is_sent { patch.keep(path) } else { patch.omit(path) }
    })
}

fn read<T: openshift_api::codec::Value + DeserializeOwned + Decoded>(
    input: Input<'_>,
) -> Result<Box<dyn Decoded>, String> {
    let value: Result<T, String> = match input {
        Input::Slice(bytes) => serde_json::from_slice(bytes).map_err(|error| error.to_string()),
        Input::Reader(bytes) => serde_json::from_reader(bytes).map_err(|error| error.to_string()),
        Input::Text(text) => serde_json::from_str(text).map_err(|error| error.to_string()),
        Input::Tree(tree) => {
            serde_json::from_value(tree.clone()).map_err(|error| error.to_string())
        }
        Input::Yaml(text) => serde_yaml::from_str(text).map_err(|error| error.to_string()),
        Input::Cbor(bytes) => ciborium::from_reader(bytes).map_err(|error| error.to_string()),
        Input::Own(bytes) => openshift_api::from_slice(bytes).map_err(|error| error.to_string()),
        Input::OwnReader(bytes) => {
            openshift_api::from_reader(bytes).map_err(|error| error.to_string())
        }
    };
    Ok(Box::new(value?))
}

impl<T: openshift_api::codec::Value + Serialize + PartialEq + Debug + Any> Decoded for T {
    fn write(&self, output: Output) -> Result<Value, String> {
        match output {
            Output::Compact => {
                serde_json::to_vec(self).and_then(|json| serde_json::from_slice(&json))
            }
            Output::Pretty => {
                serde_json::to_string_pretty(self).and_then(|json| serde_json::from_str(&json))
            }
            Output::Tree => serde_json::to_value(self),
            Output::Yaml => {
                let written =
                    serde_yaml::to_string(self).and_then(|yaml| serde_yaml::from_str(&yaml));
                return written.map_err(|error| error.to_string());
            }
            Output::Cbor => {
                let mut bytes = Vec::new();
                ciborium::into_writer(self, &mut bytes).map_err(|error| error.to_string())?;
                return ciborium::from_reader(bytes.as_slice()).map_err(|error| error.to_string());
            }
            Output::Own => serde_json::from_slice(&openshift_api::to_vec(self)),
        }
        .map_err(|error| error.to_string())
    }

    fn text(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    fn equals(&self, other: &dyn Decoded) -> bool {
        (other as &dyn Any).downcast_ref::<T>().is_some_and(|other| self == other)
    }
}
