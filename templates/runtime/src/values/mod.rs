//! Values that stand for a schema but are written by hand, because a struct or a plain string would not do them
//! justice.
//!
//! | type | schema | on the wire |
//! |---|---|---|
//! | [`Time`] | `io.k8s.apimachinery.pkg.apis.meta.v1.Time` | `"2024-05-01T12:00:00Z"` |
//! | [`MicroTime`] | `io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime` | `"2024-05-01T12:00:00.000000Z"` |
//! | [`Quantity`] | `io.k8s.apimachinery.pkg.api.resource.Quantity` | `"500m"` |
//! | [`IntOrString`] | `io.k8s.apimachinery.pkg.util.intstr.IntOrString` | `80` or `"http"` |
//! | [`ByteString`] | any of type `string`, format `byte` | `"AQID"` |
//! | [`RawJson`] | any without a type | any JSON |
//! | [`RawExtension`] | `io.k8s.apimachinery.pkg.runtime.RawExtension` | any JSON |
//! | [`FieldsV1`] | `io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1` | a JSON object |
//!
//! All of them can be members of your own structs: they implement `serde::Serialize` and `serde::Deserialize`, and
//! reading `null` gives their `Default`, as it does on an API server.

use crate::codec::value::{Scalar, View};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Unexpected, Visitor};
use serde::ser::{Error as _, Serializer};
use std::fmt;

/// Implements serde's traits for a type that has `Scalar` and `Value`. The text says what it takes.
macro_rules! serde_of_scalar {
    ($type:ty, $expected:expr) => {
        impl serde::ser::Serialize for $type {
            fn serialize<S: serde::ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::values::serialize_scalar(&$crate::codec::value::Value::view(self), serializer)
            }
        }

        impl<'de> serde::de::Deserialize<'de> for $type {
            fn deserialize<D: serde::de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut value = <Self as $crate::codec::value::Value>::empty();
                $crate::values::deserialize_scalar(&mut value, $expected, deserializer)?;
                Ok(value)
            }
        }
    };
}

mod byte_string;
mod int_or_string;
mod quantity;
pub(crate) mod raw_json;
mod time;

pub use byte_string::ByteString;
pub use int_or_string::IntOrString;
pub use quantity::Quantity;
pub use raw_json::{FieldsV1, RawExtension, RawJson};
pub use time::{MicroTime, Time};

fn serialize_scalar<S: Serializer>(view: &View<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    match view {
        View::Null => serializer.serialize_unit(),
        View::Int(number) => serializer.serialize_i64(*number),
        View::Str(text) => serializer.serialize_str(text),
        View::Text(text) => serializer.collect_str(text),
        _ => Err(S::Error::custom("not a scalar")),
    }
}

fn deserialize_scalar<'de, D: Deserializer<'de>>(
    scalar: &mut dyn Scalar,
    expected: &'static str,
    deserializer: D,
) -> Result<(), D::Error> {
    deserializer.deserialize_any(ScalarVisitor { scalar, expected })
}

/// Not generic, so that every format has one visitor for all scalars.
struct ScalarVisitor<'a> {
    scalar: &'a mut dyn Scalar,
    expected: &'static str,
}

impl<'de> Visitor<'de> for ScalarVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        self.scalar.read_text(text).map_err(|expected| E::invalid_value(Unexpected::Str(text), &expected.0))
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<(), E> {
        self.scalar.read_int(number).map_err(|expected| E::invalid_value(Unexpected::Signed(number), &expected.0))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<(), E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            // The trait knows no larger integers, nor does any schema.
            #[allow(clippy::cast_precision_loss)]
            Err(_) => self.visit_f64(number as f64),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<(), E> {
        self.scalar.read_float(number).map_err(|expected| E::invalid_value(Unexpected::Float(number), &expected.0))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.scalar.clear();
        Ok(())
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    /// With `serde_json`'s feature `arbitrary_precision`, which any crate of a program can switch on for all of them,
    /// a number with a fraction or an exponent arrives as a map that only `Number` understands.
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let number = serde_json::Number::deserialize(MapAccessDeserializer::new(map))
            .map_err(|_| A::Error::invalid_type(Unexpected::Map, &self))?;
        match number.as_f64() {
            Some(number) => self.visit_f64(number),
            None => Err(A::Error::invalid_value(Unexpected::Other("number out of range"), &self)),
        }
    }
}

#[cfg(test)]
mod tests;
