//! Implementations that every type has, as macros: emitted code stays short, and is compiled
//! quickly.

/// Makes a type an error that prints its message where `main` returns it: `Debug` is `Display`, and
/// the tree of its parts in the form `{:#?}`. It has no source, since `Display` shows the cause,
/// which would be printed twice.
#[doc(hidden)] // for kapigen-client
#[macro_export]
macro_rules! __error {
    ($type:ident { $($field:ident),+ }) => {
        $crate::__error!(@ $type, this, f, {
            f.debug_struct(stringify!($type))
                $(.field(stringify!($field), &this.$field))+
                .finish()
        });
    };
    ($type:ident: $(
        $(#[$cfg:meta])? $variant:ident $(($value:ident))? $({ $($field:ident),+ })?
    ),+) => {
        $crate::__error!(@ $type, this, f, {
            match this {
                $($(#[$cfg])? $type::$variant $(($value))? $({ $($field),+ })? => {
                    f.debug_tuple(stringify!($variant))
                        $(.field($value))? $($(.field($field))+)?
                        .finish()
                })+
            }
        });
    };
    (@ $type:ident, $this:ident, $f:ident, $tree:block) => {
        impl ::std::fmt::Debug for $type {
            fn fmt(&self, $f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                if !$f.alternate() {
                    return ::std::fmt::Display::fmt(self, $f);
                }
                let $this = self;
                $tree
            }
        }

        impl ::std::error::Error for $type {}
    };
}

/// The items of a generated crate, where this runtime has the interface that they were generated
/// for: [`__private`] with this number. Otherwise nothing of the crate is compiled, so that there
/// is this one error.
///
/// [`__private`]: crate::__private
#[doc(hidden)]
#[macro_export]
macro_rules! __generated {
    (1 $($item:tt)*) => { $($item)* };
    ($number:literal $($item:tt)*) => {
        ::core::compile_error!(
            "this crate was generated for another version of kapigen-runtime: generate it again with the kapigen of the \
             version that `cargo tree -i kapigen-runtime` shows, or depend on the runtime that it was generated for"
        );
    };
}

/// Methods of a kind's [`Object`] implementation. A kind without members does not state
/// `apiVersion` and `kind`, unlike its default.
///
/// No method is inlined, and methods that need the code to drop the kind are elsewhere, see
/// [`KindObject`]. But methods of a kind that few programs use are compiled where it is used, like
/// everything else about it.
#[doc(hidden)]
#[macro_export]
macro_rules! __kind_methods {
    (inline) => {
        #[inline]
        fn without_members() -> Self {
            Self::stating(None, None)
        }
    };
    () => {
        #[inline(never)]
        fn without_members() -> Self {
            Self::stating(None, None)
        }
        #[inline(never)]
        fn visit_without_members(visit: &mut dyn FnMut($crate::__private::Slot<'_>)) {
            <Vec<Self> as $crate::__private::KindObject<Self>>::visit_without_members(visit);
        }
        #[inline(never)]
        fn unboxed(&self) -> &dyn $crate::__private::Object {
            <Vec<Self> as $crate::__private::KindObject<Self>>::unboxed(self)
        }
        #[inline(never)]
        fn unboxed_mut(&mut self) -> &mut dyn $crate::__private::Object {
            <Vec<Self> as $crate::__private::KindObject<Self>>::unboxed_mut(self)
        }
    };
}

/// Gives a struct with an [`Object`] implementation `Debug` and serde's traits. A kind has the word
/// `kind`, a function `stating`, and the methods of [`__kind_methods`].
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    ($type:ident, kind) => {
        $crate::__object!($type);

        /// Has its `apiVersion` and `kind`; all other fields are empty.
        impl Default for $type {
            #[inline]
            fn default() -> Self {
                let [api_version, kind] = $crate::__private::stated::<$type>();
                Self::stating(api_version, kind)
            }
        }
    };
    ($type:ident) => {
        impl ::std::fmt::Debug for $type {
            #[inline]
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::__private::debug(self, f)
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::__private::deserialize(deserializer)
            }
        }

        impl $crate::__private::serde::Serialize for $type {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $crate::__private::serialize(self, serializer)
            }
        }

        $crate::__json_schema!($type);
    };
}

/// Makes an enum with `as_str` and `From<&str>` a [`Value`], and gives it serde's traits.
#[doc(hidden)]
#[macro_export]
macro_rules! __open_enum {
    ($type:ident) => {
        impl Default for $type {
            fn default() -> Self {
                Self::from("")
            }
        }

        impl ::std::fmt::Display for $type {
            #[inline]
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::__private::Scalar for $type {
            fn read_text(&mut self, text: &str) -> Result<(), $crate::__private::Expected> {
                *self = Self::from(text);
                Ok(())
            }
            fn read_int(&mut self, _: i64) -> Result<(), $crate::__private::Expected> {
                Err($crate::__private::Expected("a string"))
            }
            fn read_float(&mut self, _: f64) -> Result<(), $crate::__private::Expected> {
                Err($crate::__private::Expected("a string"))
            }
            fn read_number(&mut self, _: &str) -> Result<(), $crate::__private::Expected> {
                Err($crate::__private::Expected("a string"))
            }
            fn clear(&mut self) {
                *self = Self::default();
            }
        }

        impl $crate::__private::Value for $type {
            fn empty() -> Self {
                Self::default()
            }
            fn slot(&mut self, _: bool) -> $crate::__private::Slot<'_> {
                $crate::__private::Slot::Scalar(self)
            }
            fn view(&self) -> $crate::__private::View<'_> {
                $crate::__private::View::Str(self.as_str())
            }
        }

        impl<'de> $crate::__private::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut value = Self::default();
                $crate::__private::deserialize_scalar(&mut value, "a string", deserializer)?;
                Ok(value)
            }
        }

        impl $crate::__private::serde::Serialize for $type {
            fn serialize<S: $crate::__private::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        $crate::__json_schema!(inline $type);
    };
}

/// Gives a type `schemars::JsonSchema`. The schema of one that is `inline` is repeated wherever the
/// type is used, instead of a reference.
#[cfg(feature = "schemars")]
#[doc(hidden)]
#[macro_export]
macro_rules! __json_schema {
    (inline $type:ident) => {
        $crate::__json_schema!(@ $type, true);
    };
    ($type:ident) => {
        $crate::__json_schema!(@ $type, false);
    };
    (@ $type:ident, $is_inline:literal) => {
        impl $crate::__private::schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                $is_inline
            }
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(stringify!($type))
            }
            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(concat!(module_path!(), "::", stringify!($type)))
            }
            fn json_schema(_: &mut $crate::__private::schemars::SchemaGenerator) -> $crate::__private::schemars::Schema {
                $crate::__private::json_schema(&mut <$type as $crate::__private::Value>::empty())
            }
        }
    };
}

/// Nothing, without the feature `schemars`.
#[cfg(not(feature = "schemars"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __json_schema {
    ($($type:tt)+) => {};
}
