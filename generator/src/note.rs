//! Decisions of a run that its input did not make.

use crate::error::Location;
use std::fmt;

/// A decision that the input did not make, and that it may make otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The decision about the schema or property at the location.
    pub message: String,
    /// The location in a document.
    pub location: Location,
    /// The way to decide otherwise.
    pub help: Option<String>,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location.inline(), self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}
