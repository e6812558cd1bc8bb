//! Strings that are formatted while they are encoded.

#[cfg(feature = "change")]
use std::any::Any;
use std::fmt;

/// A string that is formatted while it is encoded. `Debug` of an object shows it by its `Debug`.
pub trait Printed: fmt::Display + fmt::Debug {
    /// The value as its own type.
    #[cfg(feature = "change")]
    fn as_any(&self) -> &dyn Any;
    /// Whether the other value is of the same type and equal: to compare strings, both would have to be formatted.
    #[cfg(feature = "change")]
    fn equals(&self, other: &dyn Printed) -> bool;
}

impl<T: fmt::Display + fmt::Debug + PartialEq + 'static> Printed for T {
    #[cfg(feature = "change")]
    fn as_any(&self) -> &dyn Any {
        self
    }
    #[cfg(feature = "change")]
    fn equals(&self, other: &dyn Printed) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }
}
