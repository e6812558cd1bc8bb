//! Values of query parameters that documents describe in prose only. Servers refuse others, but may
//! know more some day.

/// Defines an enum of known strings, which keeps others.
macro_rules! known_strings {
    ($(#[$doc:meta])+ $name:ident { $($(#[$variant_doc:meta])+ $variant:ident,)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])+ $variant,)+
            /// Any other value.
            Other(String),
        }

        impl $name {
            /// The value as it is sent.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => stringify!($variant),)+
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                $(if text == stringify!($variant) {
                    return Self::$variant;
                })+
                Self::Other(text.to_owned())
            }
        }

        __open_enum!($name);
    };
}

known_strings! {
    /// The fate of the dependents of an object that is deleted.
    PropagationPolicy {
        /// Keeps them.
        Orphan,
        /// Deletes the object now, and them later.
        Background,
        /// Deletes them first.
        Foreground,
    }
}

known_strings! {
    /// The treatment of unknown and duplicate members of a request body.
    FieldValidation {
        /// Drops them.
        Ignore,
        /// Drops them, and warns of each in the response.
        Warn,
        /// Refuses the request with 400.
        Strict,
    }
}

known_strings! {
    /// The meaning of the parameter `resourceVersion`.
    ResourceVersionMatch {
        /// The objects at exactly that version.
        Exact,
        /// The objects at that version or a later one.
        NotOlderThan,
    }
}
