//! Numbers that may be strings.

use crate::codec::ScalarType;
use crate::codec::value::{Expected, Scalar, Slot, Value, View};
use std::fmt;

const EXPECTED: &str = "a number of 32 bits or a string";

/// A number or a name: a port, or how many pods may be unavailable (`1`, `"25%"`).
///
/// Stands for the schema `io.k8s.apimachinery.pkg.util.intstr.IntOrString`.
///
/// On the wire it is a JSON number or a JSON string, and stays the one it is: `80` and `"80"` are
/// different values. A number that does not fit 32 bits, or that has a fraction or an exponent, is
/// an error.
///
/// ```
/// use kapigen_runtime::meta_v1::IntOrString;
///
/// let ports = [IntOrString::from(80), IntOrString::from("http")];
/// assert_eq!(serde_json::to_string(&ports).unwrap(), r#"[80,"http"]"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum IntOrString {
    /// A JSON number.
    Int(i32),
    /// Any JSON string.
    String(String),
}

/// The number 0, which is also the value of `null`.
impl Default for IntOrString {
    fn default() -> Self {
        IntOrString::Int(0)
    }
}

impl From<i32> for IntOrString {
    fn from(number: i32) -> Self {
        IntOrString::Int(number)
    }
}

/// Always a string, even one of digits only.
impl From<&str> for IntOrString {
    fn from(text: &str) -> Self {
        IntOrString::String(text.to_owned())
    }
}

/// Always a string, even one of digits only.
impl From<String> for IntOrString {
    fn from(text: String) -> Self {
        IntOrString::String(text)
    }
}

/// The digits of the number, or the string without quotes.
impl fmt::Display for IntOrString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntOrString::Int(number) => number.fmt(f),
            IntOrString::String(text) => text.fmt(f),
        }
    }
}

impl Scalar for IntOrString {
    fn read_text(&mut self, text: &str) -> Result<(), Expected> {
        *self = text.into();
        Ok(())
    }

    fn read_int(&mut self, number: i64) -> Result<(), Expected> {
        *self = i32::try_from(number).map_err(|_| Expected(EXPECTED))?.into();
        Ok(())
    }

    fn read_float(&mut self, _: f64) -> Result<(), Expected> {
        Err(Expected(EXPECTED))
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    fn scalar_type(&self) -> ScalarType {
        ScalarType::IntOrString
    }
}

impl Value for IntOrString {
    fn empty() -> Self {
        Self::default()
    }

    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Scalar(self)
    }

    fn view(&self) -> View<'_> {
        match self {
            IntOrString::Int(number) => View::Int((*number).into()),
            IntOrString::String(text) => View::Str(text),
        }
    }
}

serde_of_scalar!(IntOrString, EXPECTED);

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<IntOrString, serde_json::Error> {
        serde_json::from_str(json)
    }

    #[test]
    fn keeps_its_kind() {
        let cases = [
            ("0", IntOrString::Int(0)),
            ("80", IntOrString::Int(80)),
            ("-1", IntOrString::Int(-1)),
            ("2147483647", IntOrString::Int(i32::MAX)),
            ("-2147483648", IntOrString::Int(i32::MIN)),
            (r#""80""#, "80".into()),
            (r#""25%""#, "25%".into()),
            (r#""""#, String::new().into()),
            (r#"" a\"b ""#, " a\"b ".into()),
        ];
        for (json, value) in cases {
            assert_eq!(read(json).unwrap(), value, "{json}");
            assert_eq!(serde_json::to_string(&value).unwrap(), json);
        }
    }

    #[test]
    fn null_is_zero() {
        assert_eq!(read("null").unwrap(), IntOrString::Int(0));
        assert_eq!(IntOrString::default(), IntOrString::Int(0));
        let mut value = IntOrString::from("x");
        value.clear();
        assert_eq!(value, IntOrString::empty());
    }

    #[test]
    fn refuses_everything_else() {
        let cases = [
            "2147483648",
            "-2147483649",
            "18446744073709551615",
            "1.0",
            "1e3",
            "true",
            "[]",
            "{}",
            "[1]",
        ];
        for json in cases {
            let message = read(json).unwrap_err().to_string();
            assert!(
                message.contains("expected a number of 32 bits or a string"),
                "{json}: {message}"
            );
        }
    }

    #[test]
    fn a_refused_number_changes_nothing() {
        let mut value = IntOrString::from("http");
        assert_eq!(value.read_int(1 << 31), Err(Expected(EXPECTED)));
        assert_eq!(value.read_float(1.5), Err(Expected(EXPECTED)));
        assert_eq!(value, "http".into());
    }

    #[test]
    fn displays_without_quotes() {
        assert_eq!(IntOrString::from(-5).to_string(), "-5");
        assert_eq!(IntOrString::from("a b").to_string(), "a b");
    }
}
