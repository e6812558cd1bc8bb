//! Numbers that may be strings.

use crate::codec::ScalarType;
use crate::codec::builtin::whole;
use crate::codec::value::{Expected, Scalar, Slot, Value, View};
use std::fmt;

/// A number or a name: a port, or how many pods may be unavailable (`1`, `"25%"`).
///
/// Stands for the schema `io.k8s.apimachinery.pkg.util.intstr.IntOrString`, and for the format
/// `int-or-string`. For custom resources there is [`Int64OrString`].
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

/// A number or a string in a custom resource: an amount of memory (`8589934592`, `"8Gi"`).
///
/// Stands for schemas with `x-kubernetes-int-or-string`, and for schemas with the alternatives
/// `integer` and `string`. Servers take numbers of 64 bits there, and only fields of built-in kinds
/// are limited to 32, as [`IntOrString`] is.
///
/// On the wire it is a JSON number or a JSON string, and stays the one it is: `80` and `"80"` are
/// different values. As on a server, a whole number below 2⁵³ may be spelled with a fraction or an
/// exponent, and becomes one without: `1.0` is `1`. Any other number is an error.
///
/// ```
/// use kapigen_runtime::meta_v1::Int64OrString;
///
/// let amounts = [Int64OrString::from(8_589_934_592_i64), Int64OrString::from("8Gi")];
/// assert_eq!(serde_json::to_string(&amounts).unwrap(), r#"[8589934592,"8Gi"]"#);
/// assert_eq!(amounts[0].as_int(), Some(8_589_934_592));
/// assert_eq!(amounts[1].as_str(), Some("8Gi"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Int64OrString {
    /// A JSON number.
    Int(i64),
    /// Any JSON string.
    String(String),
}

/// The part that does not depend on the size of numbers.
macro_rules! int_or_string {
    ($type:ident, $int:ty, $expected:literal) => {
        impl $type {
            const EXPECTED: Expected = Expected($expected);

            /// The number, if it is one.
            #[must_use]
            pub fn as_int(&self) -> Option<$int> {
                match self {
                    Self::Int(number) => Some(*number),
                    Self::String(_) => None,
                }
            }

            /// The string, if it is one.
            #[must_use]
            pub fn as_str(&self) -> Option<&str> {
                match self {
                    Self::Int(_) => None,
                    Self::String(text) => Some(text),
                }
            }
        }

        /// The number 0, which is also the value of `null`.
        impl Default for $type {
            fn default() -> Self {
                Self::Int(0)
            }
        }

        impl From<$int> for $type {
            fn from(number: $int) -> Self {
                Self::Int(number)
            }
        }

        /// Always a string, even one of digits only.
        impl From<&str> for $type {
            fn from(text: &str) -> Self {
                Self::String(text.to_owned())
            }
        }

        /// Always a string, even one of digits only.
        impl From<String> for $type {
            fn from(text: String) -> Self {
                Self::String(text)
            }
        }

        /// The digits of the number, or the string without quotes.
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::Int(number) => number.fmt(f),
                    Self::String(text) => text.fmt(f),
                }
            }
        }

        impl Value for $type {
            fn empty() -> Self {
                Self::default()
            }

            fn slot(&mut self, _: bool) -> Slot<'_> {
                Slot::Scalar(self)
            }

            fn view(&self) -> View<'_> {
                match self {
                    Self::Int(number) => View::Int((*number).into()),
                    Self::String(text) => View::Str(text),
                }
            }
        }

        serde_of_scalar!($type, $expected);
    };
}

int_or_string!(IntOrString, i32, "a number of 32 bits or a string");
int_or_string!(Int64OrString, i64, "an integer of 64 bits or a string");

impl From<i32> for Int64OrString {
    fn from(number: i32) -> Self {
        Self::Int(number.into())
    }
}

impl From<IntOrString> for Int64OrString {
    fn from(value: IntOrString) -> Self {
        match value {
            IntOrString::Int(number) => number.into(),
            IntOrString::String(text) => text.into(),
        }
    }
}

impl Scalar for IntOrString {
    fn read_text(&mut self, text: &str) -> Result<(), Expected> {
        *self = text.into();
        Ok(())
    }

    fn read_int(&mut self, number: i64) -> Result<(), Expected> {
        *self = i32::try_from(number).map_err(|_| Self::EXPECTED)?.into();
        Ok(())
    }

    fn read_float(&mut self, _: f64) -> Result<(), Expected> {
        Err(Self::EXPECTED)
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    fn scalar_type(&self) -> ScalarType {
        ScalarType::Int32OrString
    }
}

impl Scalar for Int64OrString {
    fn read_text(&mut self, text: &str) -> Result<(), Expected> {
        *self = text.into();
        Ok(())
    }

    fn read_int(&mut self, number: i64) -> Result<(), Expected> {
        *self = number.into();
        Ok(())
    }

    fn read_float(&mut self, number: f64) -> Result<(), Expected> {
        // The sum turns `-0.0` into `0.0`. 2^53 itself may have been rounded.
        let number = whole(number + 0.0).filter(|number| number.unsigned_abs() < 1 << 53);
        *self = number.ok_or(Self::EXPECTED)?.into();
        Ok(())
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    // For a number with a fraction, `serde_json` does not always return the nearest float.
    fn keeps_spelling(&self) -> bool {
        true
    }

    fn scalar_type(&self) -> ScalarType {
        ScalarType::IntOrString
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<IntOrString, serde_json::Error> {
        serde_json::from_str(json)
    }

    fn read_64(json: &str) -> Result<Int64OrString, serde_json::Error> {
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
            let value = Int64OrString::from(value);
            assert_eq!(read_64(json).unwrap(), value, "{json}");
            assert_eq!(serde_json::to_string(&value).unwrap(), json);
        }
    }

    #[test]
    fn custom_resources_have_numbers_of_64_bits() {
        for number in [8_589_934_592, 9_007_199_254_740_993, i64::MAX, i64::MIN] {
            let json = number.to_string();
            assert_eq!(read_64(&json).unwrap(), Int64OrString::Int(number));
            assert_eq!(crate::from_str::<Int64OrString>(&json).unwrap().as_int(), Some(number));
            assert_eq!(serde_json::to_string(&Int64OrString::Int(number)).unwrap(), json);
        }
        let spelled =
            [("1.0", 1), ("-1e3", -1000), ("-0", 0), ("9007199254740991.0", (1 << 53) - 1)];
        for (json, number) in spelled {
            assert_eq!(read_64(json).unwrap(), Int64OrString::Int(number), "{json}");
            let own: Int64OrString = crate::from_str(json).unwrap();
            assert_eq!(own, Int64OrString::Int(number), "{json}");
        }
        for json in ["9223372036854775808", "9007199254740993.0", "1.5", "1e300", "true"] {
            let message = read_64(json).unwrap_err().to_string();
            let expected = "expected an integer of 64 bits or a string";
            assert!(message.contains(expected), "{json}: {message}");
        }
    }

    #[test]
    fn the_value_of_each_variant() {
        let [number, text] = [IntOrString::from(80), IntOrString::from("http")];
        assert_eq!((number.as_int(), number.as_str()), (Some(80), None));
        assert_eq!((text.as_int(), text.as_str()), (None, Some("http")));
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
        assert_eq!(value.read_int(1 << 31), Err(IntOrString::EXPECTED));
        assert_eq!(value.read_float(1.5), Err(IntOrString::EXPECTED));
        assert_eq!(value, "http".into());
    }

    #[test]
    fn displays_without_quotes() {
        assert_eq!(IntOrString::from(-5).to_string(), "-5");
        assert_eq!(IntOrString::from("a b").to_string(), "a b");
    }
}
