//! How the types of this crate are read and written.
//!
//! Serde's derive writes a decoder and an encoder for every type, and each binary compiles them again. Here every
//! type brings only a small table (its wire keys and how to reach each member, see [`Object`]), and one decoder and
//! one encoder serve them all. `serde::Deserialize` and `serde::Serialize` of every type lead here.
//!
//! What holds for all types:
//! * `null` is accepted for any member and means absent, as it does to an API server.
//! * A missing required member is read as empty, as an API server does.
//! * Unknown members are skipped; [`deserialize_strict`] lists them.
//! * Of repeated members the last one counts.
//! * Explicit zeros, `""`, `[]` and `{}` survive reading and writing.
//! * Errors name the path, such as `spec.containers[3].ports[0].containerPort`.

mod builtin;
mod debug;
pub(crate) mod identity;
pub(crate) mod path;
pub(crate) mod read;
pub mod table;
pub mod value;
pub(crate) mod write;

pub use debug::debug;
pub use read::{deserialize, deserialize_strict};
pub use table::{Identity, Keys, Table};
pub(crate) use value::Target;
pub use value::{Expected, List, Map, Object, Scalar, Slot, Value, View, Visit};
pub use write::serialize;

/// Makes a struct with an [`Object`] implementation a [`Value`], and gives it `Debug` and serde's traits. Without a
/// second word the empty value is the default; a struct whose default says more (a kind has its `apiVersion` there)
/// says `empty` and has a function of that name.
macro_rules! object {
    ($type:ident) => {
        $crate::codec::object!(@ $type, <$type as Default>::default());
    };
    ($type:ident, empty) => {
        $crate::codec::object!(@ $type, $type::empty());
    };
    (@ $type:ident, $empty:expr) => {
        impl $crate::codec::Value for $type {
            #[inline(never)]
            fn empty() -> Self {
                $empty
            }
            #[inline]
            fn slot(&mut self, _: bool) -> $crate::codec::Slot<'_> {
                $crate::codec::Slot::Object(self)
            }
            #[inline]
            fn view(&self) -> $crate::codec::View<'_> {
                $crate::codec::View::Object(self)
            }
        }

        impl ::std::fmt::Debug for $type {
            #[inline]
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::codec::debug(self, f)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::codec::deserialize(deserializer)
            }
        }

        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::codec::serialize(self, serializer)
            }
        }
    };
}
pub(crate) use object;

/// Makes an enum with `as_str` and `From<&str>` a [`Value`], and gives it serde's traits.
#[allow(unused_macros)] // a crate may have no enums
macro_rules! open_enum {
    ($type:ident) => {
        impl Default for $type {
            fn default() -> Self {
                Self::from("")
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::codec::Scalar for $type {
            fn read_text(&mut self, text: &str) -> Result<(), $crate::codec::Expected> {
                *self = Self::from(text);
                Ok(())
            }
            fn read_int(&mut self, _: i64) -> Result<(), $crate::codec::Expected> {
                Err($crate::codec::Expected("a string"))
            }
            fn read_float(&mut self, _: f64) -> Result<(), $crate::codec::Expected> {
                Err($crate::codec::Expected("a string"))
            }
            fn clear(&mut self) {
                *self = Self::default();
            }
        }

        impl $crate::codec::Value for $type {
            fn empty() -> Self {
                Self::default()
            }
            fn slot(&mut self, _: bool) -> $crate::codec::Slot<'_> {
                $crate::codec::Slot::Scalar(self)
            }
            fn view(&self) -> $crate::codec::View<'_> {
                $crate::codec::View::Str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut value = Self::default();
                deserializer.deserialize_any($crate::codec::read::ScalarVisitor(&mut value))?;
                Ok(value)
            }
        }

        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}
#[allow(unused_imports)] // a crate may have no enums
pub(crate) use open_enum;

/// What an [`Object`] does when it is asked for a member that it does not have.
///
/// # Panics
/// Always: an index that is not in the table is a fault of the codec, as one behind the end of a slice would be.
#[cold]
pub fn no_member(index: usize) -> ! {
    panic!("no member with index {index}")
}

#[cfg(test)]
mod tests;
