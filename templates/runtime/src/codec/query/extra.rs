//! Query parameters that the standard parameter structs have no field for.

use std::fmt;

/// A query parameter of an operation that its parameter struct has no field for. `with` sets it, such as
/// [`ListParams::with`](crate::params::ListParams::with).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtraParameter {
    /// Its name.
    pub name: &'static str,
    /// The type of its value, or of the elements of a list.
    pub ty: ParameterType,
    /// Whether it is a list, which is sent as one pair for each element.
    pub is_list: bool,
}

/// The type of a query parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterType {
    /// Any string.
    String,
    /// An integer of 64 bits.
    Integer,
    /// A number, which may have a fraction.
    Number,
    /// `true` or `false`.
    Boolean,
}

impl ParameterType {
    /// Whether a string is a value of the type.
    pub(crate) fn is_value(self, text: &str) -> bool {
        match self {
            ParameterType::String => true,
            ParameterType::Integer => text.parse::<i64>().is_ok(),
            ParameterType::Number => text.parse::<f64>().is_ok_and(f64::is_finite),
            ParameterType::Boolean => text == "true" || text == "false",
        }
    }
}

impl fmt::Display for ParameterType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParameterType::String => "a string",
            ParameterType::Integer => "an integer",
            ParameterType::Number => "a number",
            ParameterType::Boolean => "`true` or `false`",
        })
    }
}

/// Constructors for generated code.
#[doc(hidden)]
impl ExtraParameter {
    #[must_use]
    pub const fn string(name: &'static str) -> Self {
        Self { name, ty: ParameterType::String, is_list: false }
    }

    #[must_use]
    pub const fn integer(name: &'static str) -> Self {
        Self { name, ty: ParameterType::Integer, is_list: false }
    }

    #[must_use]
    pub const fn number(name: &'static str) -> Self {
        Self { name, ty: ParameterType::Number, is_list: false }
    }

    #[must_use]
    pub const fn boolean(name: &'static str) -> Self {
        Self { name, ty: ParameterType::Boolean, is_list: false }
    }

    #[must_use]
    pub const fn list(self) -> Self {
        Self { is_list: true, ..self }
    }
}
