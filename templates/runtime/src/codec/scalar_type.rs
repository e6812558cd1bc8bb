//! Types of scalars, for schemas.

/// The JSON type of a scalar.
#[derive(Clone, Copy, Debug)]
pub enum ScalarType {
    /// Any string.
    String,
    /// A string of this format of OpenAPI.
    Format(&'static str),
    /// A string or a number.
    IntOrString,
}
