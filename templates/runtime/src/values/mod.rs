//! Values that stand for a schema but are written by hand, because a struct or a plain string would
//! not do them justice.
//!
//! | type | schema | on the wire |
//! |---|---|---|
//! | [`Time`] | `io.k8s.apimachinery.pkg.apis.meta.v1.Time` | `"2024-05-01T12:00:00Z"` |
//! | [`MicroTime`] | `io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime` | `"2024-05-01T12:00:00.000000Z"` |
//! | [`Quantity`] | `io.k8s.apimachinery.pkg.api.resource.Quantity` | `"500m"` |
//! | [`IntOrString`] | `io.k8s.apimachinery.pkg.util.intstr.IntOrString` | `80` or `"http"` |
//! | [`Int64OrString`] | any with `x-kubernetes-int-or-string` | `8589934592` or `"8Gi"` |
//! | [`ByteString`] | any of type `string`, format `byte` | `"AQID"` |
//! | [`RawJson`] | any without a type | any JSON |
//! | [`RawExtension`] | `io.k8s.apimachinery.pkg.runtime.RawExtension` | any JSON |
//! | [`FieldsV1`] | `io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1` | a JSON object |
//!
//! All of them can be members of your own structs: they implement `serde::Serialize` and
//! `serde::Deserialize`, and reading `null` gives their `Default`, as it does on an API server.

/// Implements serde's traits for a type that has `Scalar` and `Value`. The string describes the
/// expected values.
macro_rules! serde_of_scalar {
    ($type:ty, $expected:expr) => {
        impl serde::ser::Serialize for $type {
            fn serialize<S: serde::ser::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serde::ser::Serialize::serialize(&$crate::codec::Value::view(self), serializer)
            }
        }

        impl<'de> serde::de::Deserialize<'de> for $type {
            fn deserialize<D: serde::de::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                let mut value = <Self as $crate::codec::Value>::empty();
                $crate::codec::serde::deserialize_scalar(&mut value, $expected, deserializer)?;
                Ok(value)
            }
        }
    };
}

mod byte_string;
mod int_or_string;
mod parameters;
mod quantity;
mod raw_json;
mod time;

pub use byte_string::ByteString;
pub use int_or_string::{Int64OrString, IntOrString};
pub use parameters::{FieldValidation, PropagationPolicy, ResourceVersionMatch};
pub use quantity::Quantity;
pub use raw_json::{FieldsV1, RawExtension, RawJson};
pub(crate) use raw_json::{is_same_json, spelled};
pub use time::{MicroTime, Time};

#[cfg(test)]
mod tests;
