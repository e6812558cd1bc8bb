//! Strings that are formatted while they are encoded.

#[cfg(feature = "change")]
use std::any::Any;
use std::fmt;

/// A type whose values are formatted while they are encoded.
pub trait Formatted: fmt::Display + fmt::Debug + PartialEq + 'static {
    /// The string in this buffer, if it always fits and has only ASCII characters that need no escape. A formatter
    /// costs more than such a string.
    fn short<'a>(&self, _buffer: &'a mut [u8; 32]) -> Option<&'a [u8]> {
        None
    }
}

/// A string that is formatted while it is encoded. `Debug` of an object shows it by its `Debug`.
pub trait Printed: fmt::Display + fmt::Debug {
    /// The string in this buffer, if its type can do that without a formatter.
    fn short<'a>(&self, buffer: &'a mut [u8; 32]) -> Option<&'a [u8]>;
    /// The value as its own type.
    #[cfg(feature = "change")]
    fn as_any(&self) -> &dyn Any;
    /// Whether the other value is of the same type and equal: to compare strings, both would have to be formatted.
    #[cfg(feature = "change")]
    fn equals(&self, other: &dyn Printed) -> bool;
}

impl<T: Formatted> Printed for T {
    fn short<'a>(&self, buffer: &'a mut [u8; 32]) -> Option<&'a [u8]> {
        Formatted::short(self, buffer)
    }
    #[cfg(feature = "change")]
    fn as_any(&self) -> &dyn Any {
        self
    }
    #[cfg(feature = "change")]
    fn equals(&self, other: &dyn Printed) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }
}
