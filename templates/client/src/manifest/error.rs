//! Errors with their positions in files.

use std::fmt::{self, Write};
use std::sync::Arc;

/// The maximum number of errors of an input that are kept.
pub(super) const MOST: usize = 100;

/// The position of an object or error in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The name of the file, as it was given.
    pub file: Arc<str>,
    /// The number of its document, from 1. Zero where the error is about the whole file.
    pub document: usize,
    /// Its index within the innermost enclosing list, if any.
    pub item: Option<usize>,
    /// The line, from 1. Zero where the error is about the whole file.
    pub line: usize,
    /// The column, from 1, which counts characters.
    pub column: usize,
}

impl Origin {
    /// A file as a whole.
    pub(super) fn whole_file(file: &Arc<str>) -> Self {
        Self { file: file.clone(), document: 0, item: None, line: 0, column: 0 }
    }
}

/// `file:line:column`, as editors and terminals understand it.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        visible(&self.file, f)?;
        if self.line > 0 { write!(f, ":{}:{}", self.line, self.column) } else { Ok(()) }
    }
}

/// An error of a manifest.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// Its position.
    pub origin: Origin,
    /// The description of the error, without its position.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.origin)?;
        visible(&self.message, f)?;
        match (self.origin.document, self.origin.item) {
            (0 | 1, None) => Ok(()),
            (document, None) => write!(f, " (document {document})"),
            (document, Some(item)) => write!(f, " (document {document}, item {item})"),
        }
    }
}

kapigen_runtime::__error!(Error { origin, message });

/// All errors of an input, in their order: the first hundred, and the number of the others.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Errors {
    list: Vec<Error>,
    others: usize,
}

impl Errors {
    /// No errors yet, except for a number of errors that were counted and not kept.
    pub(super) fn with_uncollected(others: usize) -> Self {
        Self { list: Vec::new(), others }
    }

    pub(super) fn push(&mut self, error: Error) {
        if self.list.len() < MOST {
            self.list.push(error);
        } else {
            self.others += 1;
        }
    }

    pub(super) fn append(&mut self, other: Errors) {
        other.list.into_iter().for_each(|error| self.push(error));
        self.others += other.others;
    }

    pub(super) fn into_result<T>(self, value: T) -> Result<T, Errors> {
        if self.list.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The errors, up to the first hundred.
    pub fn iter(&self) -> impl Iterator<Item = &Error> {
        self.list.iter()
    }
}

/// A line for each error.
impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.list.iter().enumerate() {
            write!(f, "{}{error}", if index == 0 { "" } else { "\n" })?;
        }
        if self.others > 0 { write!(f, "\nand {} more errors", self.others) } else { Ok(()) }
    }
}

kapigen_runtime::__error!(Errors { list, others });

/// Writes a string that may quote a file, without characters that would control a terminal.
fn visible(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    kapigen_runtime::__private::Visible(f).write_str(text)
}
