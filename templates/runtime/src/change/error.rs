//! Changes that cannot be made.

use crate::codec::path::shortened_path;
use crate::visible::Visible;
use std::fmt::{self, Write};

/// An error of computing or applying a change, with its path in the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeError {
    path: String,
    message: String,
}

impl ChangeError {
    /// An error of the value at a path.
    pub fn new(path: impl fmt::Display, message: impl Into<String>) -> Self {
        Self { path: shortened_path(&path.to_string()).into_owned(), message: message.into() }
    }

    /// The same error, in a value at this path.
    #[must_use]
    pub fn below(self, path: &str) -> Self {
        Self::new(format!("{path}{}", self.path), self.message)
    }

    pub(crate) fn no_object() -> Self {
        Self::new("", "a merge patch is an object, whose members change those of the server's object")
    }

    pub(crate) fn no_configuration() -> Self {
        Self::new("", "only an apply has members to keep or to omit")
    }

    /// The path of the value, such as `spec.containers[0].image`, or a JSON pointer where the change has one. Empty for
    /// the whole object. It has at most 1000 characters; a longer one is cut in the middle, which `…` shows.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ChangeError {}
