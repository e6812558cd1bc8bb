//! Errors with a location, and their messages.

use crate::visible::{cut, shown, visible};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// All errors of the input of one run.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Errors {
    list: Vec<Error>,
    /// The errors by location and message.
    known: BTreeSet<(Option<Location>, String)>,
    /// Whether some files were written before.
    pub(crate) incomplete: bool,
}

/// An error of the input.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    /// The message.
    pub message: String,
    /// The location of the error.
    pub location: Option<Location>,
    /// Operations or types that need the input with the error, nearest first.
    pub needed_by: Vec<String>,
    /// The way to correct it.
    pub help: Option<String>,
}

/// A location in a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Name of the document, as it was given.
    pub document: String,
    /// JSON pointer (without `#`) or, for a document that cannot be parsed, `line:column`.
    pub position: Position,
}

/// A position in a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    /// The document as a whole.
    Document,
    /// A JSON pointer. Empty: the root.
    Pointer(String),
    /// A line and a column, both from 1.
    LineColumn(usize, usize),
}

impl Location {
    /// The location of a JSON pointer (without `#`).
    #[must_use]
    pub fn pointer(document: &str, pointer: impl Into<String>) -> Self {
        Self { document: document.to_owned(), position: Position::Pointer(cut(pointer)) }
    }

    /// A document as a whole.
    #[must_use]
    pub fn document(document: &str) -> Self {
        Self { document: document.to_owned(), position: Position::Document }
    }

    /// The location as a part of a sentence.
    #[must_use]
    pub fn inline(&self) -> String {
        match &self.position {
            Position::Document => self.document.clone(),
            Position::Pointer(pointer) => format!("{}#{pointer}", self.document),
            Position::LineColumn(line, column) => format!("{}:{line}:{column}", self.document),
        }
    }
}

impl Error {
    /// An error without a location.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: cut(message), location: None, needed_by: Vec::new(), help: None }
    }

    /// An error at a location.
    #[must_use]
    pub fn at(location: Location, message: impl Into<String>) -> Self {
        Self { location: Some(location), ..Self::new(message) }
    }

    /// Names the document by its path, given the folder that it is in.
    #[must_use]
    pub(crate) fn below(mut self, folder: &Path) -> Self {
        if let Some(location) = &mut self.location {
            location.document = shown(&folder.join(&location.document));
        }
        self
    }

    /// Adds the way to correct it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(cut(help));
        self
    }

    /// Adds an operation or a type that needs it.
    #[must_use]
    pub fn needed_by(mut self, user: impl Into<String>) -> Self {
        self.needed_by.push(cut(user));
        self
    }
}

impl Errors {
    /// Adds an error, unless there is the same at the same location already, which the first to
    /// need it reported.
    pub fn push(&mut self, error: Error) {
        if self.known.insert((error.location.clone(), error.message.clone())) {
            self.list.push(error);
        }
    }

    /// Adds all of these errors.
    pub fn append(&mut self, errors: Errors) {
        errors.list.into_iter().for_each(|error| self.push(error));
    }

    /// The value of a result; an error is added to the others.
    pub fn ok<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// `value`, or all errors so far.
    ///
    /// # Errors
    /// When there are any.
    pub fn into_result<T>(self, value: T) -> Result<T, Errors> {
        if self.list.is_empty() { Ok(value) } else { Err(self) }
    }

    /// Whether there are no errors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether nothing was written, as it is unless the disk fails.
    #[must_use]
    pub fn wrote_nothing(&self) -> bool {
        !self.incomplete
    }

    /// The errors, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Error> {
        self.list.iter()
    }
}

impl From<Error> for Errors {
    fn from(error: Error) -> Self {
        let mut errors = Self::default();
        errors.push(error);
        errors
    }
}

impl<'a> IntoIterator for &'a Errors {
    type Item = &'a Error;
    type IntoIter = std::slice::Iter<'a, Error>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let document = visible(&self.document);
        match &self.position {
            Position::Document => write!(f, "  --> {document}"),
            Position::Pointer(pointer) => {
                write!(f, "  --> {document}\n      #{}", visible(pointer))
            }
            Position::LineColumn(line, column) => write!(f, "  --> {document}:{line}:{column}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", visible(&self.message))?;
        if let Some(location) = &self.location {
            write!(f, "\n{location}")?;
        }
        let needed_by: Vec<_> = self.needed_by.iter().map(|user| visible(user)).collect();
        match needed_by.as_slice() {
            [] => {}
            // The nearest, and the start of the chain.
            [near, next, _, .., first] => {
                write!(f, "\n  needed by: {near}, by {next}, …, by {first}")?;
            }
            few => write!(f, "\n  needed by: {}", few.join(", by "))?,
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {}", visible(help))?;
        }
        Ok(())
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for error in &self.list {
            write!(f, "{error}\n\n")?;
        }
        match self.list.len() {
            1 => f.write_str("1 error")?,
            count => write!(f, "{count} errors")?,
        }
        f.write_str(if self.wrote_nothing() { "; nothing was written" } else { "" })
    }
}

/// The message, as where `main` returns it, and the parts in the form `{:#?}`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return fmt::Display::fmt(self, f);
        }
        f.debug_struct("Error")
            .field("message", &self.message)
            .field("location", &self.location)
            .field("needed_by", &self.needed_by)
            .field("help", &self.help)
            .finish()
    }
}

/// As [`Error`].
impl fmt::Debug for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            f.debug_list().entries(&self.list).finish()
        } else {
            fmt::Display::fmt(self, f)
        }
    }
}

impl std::error::Error for Error {}
impl std::error::Error for Errors {}

#[cfg(test)]
mod tests {
    use super::{Error, Errors};

    #[test]
    fn only_errors_before_writing_say_that_nothing_was_written() {
        let mut errors = Errors::from(Error::new("first"));
        assert!(errors.to_string().ends_with("\n1 error; nothing was written"));
        assert_eq!(format!("{errors:?}"), errors.to_string(), "as `main` prints it");
        assert!(format!("{errors:#?}").starts_with("[\n    Error {\n        message: \"first\""));
        errors.incomplete = true;
        assert!(errors.to_string().ends_with("\n1 error"));
    }
}
