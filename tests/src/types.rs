//! A type of the crate as a value, so that a test can go through all of them.

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
}

/// A source to decode a value from. Each is another way through serde.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// JSON in memory.
    Slice(&'a [u8]),
    /// JSON that comes piece by piece.
    Reader(&'a [u8]),
    /// JSON text.
    Text(&'a str),
    /// A tree.
    Tree(&'a Value),
    /// YAML text.
    Yaml(&'a str),
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
    /// YAML text.
    Yaml,
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
    pub const ALL: [Output; 4] = [Output::Compact, Output::Pretty, Output::Tree, Output::Yaml];
}

impl Type {
    /// Describes `T`.
    #[must_use]
    pub const fn of<T>(schema: &'static str, module: &'static str, name: &'static str) -> Self
    where
        T: DeserializeOwned + Serialize + Default + PartialEq + Debug + 'static,
    {
        Self { schema, module, name, read: read::<T>, default: || Box::new(T::default()) }
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

fn read<T: DeserializeOwned + Decoded>(input: Input<'_>) -> Result<Box<dyn Decoded>, String> {
    let value: Result<T, String> = match input {
        Input::Slice(bytes) => serde_json::from_slice(bytes).map_err(|error| error.to_string()),
        Input::Reader(bytes) => serde_json::from_reader(bytes).map_err(|error| error.to_string()),
        Input::Text(text) => serde_json::from_str(text).map_err(|error| error.to_string()),
        Input::Tree(tree) => serde_json::from_value(tree.clone()).map_err(|error| error.to_string()),
        Input::Yaml(text) => serde_yaml::from_str(text).map_err(|error| error.to_string()),
    };
    Ok(Box::new(value?))
}

impl<T: Serialize + PartialEq + Debug + Any> Decoded for T {
    fn write(&self, output: Output) -> Result<Value, String> {
        match output {
            Output::Compact => serde_json::to_vec(self).and_then(|json| serde_json::from_slice(&json)),
            Output::Pretty => serde_json::to_string_pretty(self).and_then(|json| serde_json::from_str(&json)),
            Output::Tree => serde_json::to_value(self),
            Output::Yaml => {
                let written = serde_yaml::to_string(self).and_then(|yaml| serde_yaml::from_str(&yaml));
                return written.map_err(|error| error.to_string());
            }
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
