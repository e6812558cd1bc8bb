//! Errors, with path, line and column.

use super::position::{Base, PathFinder};
use crate::codec::path;
use crate::lexer::Fault;
use crate::visible::Visible;
use std::fmt::{self, Write};
use std::str::Utf8Error;

/// An error of decoding JSON, with its path and position.
///
/// A message may quote the input: up to 60 characters of the value that was found, and keys in the path. It never
/// quotes a value in place of bytes, since that may be a secret. It has at most 2000 characters; a longer one is cut,
/// which `…` shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    message: String,
    line: usize,
    column: usize,
}

impl DecodeError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: path::shortened(&message.into(), path::MESSAGE).into_owned(), line: 0, column: 0 }
    }

    /// An error of a decoder of your own, such as an implementation of
    /// [`FromResponse`](crate::response::FromResponse). A message of more than 2000 characters is cut.
    #[must_use]
    pub fn custom(message: impl fmt::Display) -> Self {
        Self::new(message.to_string())
    }

    pub(super) fn of_utf8(text: &[u8], error: Utf8Error, base: &Base) -> Self {
        let valid = text.get(..error.valid_up_to()).and_then(|valid| str::from_utf8(valid).ok()).unwrap_or_default();
        let found = if error.error_len().is_some() { "bytes that are not UTF-8" } else { "half a character" };
        Self::behind(valid, base, &format!("expected UTF-8, found {found}"))
    }

    /// The error for a fault, with its path and position in the input.
    #[cold]
    pub(super) fn of_fault(fault: &Fault, text: &str, base: &Base) -> Self {
        let before = text.get(..fault.at).unwrap_or(text);
        Self::behind(before, base, &fault.describe(text))
    }

    /// An error at the end of this input, which is valid JSON up to there.
    fn behind(text: &str, base: &Base, message: &str) -> Self {
        let path = PathFinder::inside(base, text).path_at(text.len());
        let position = base.position.behind(text.as_bytes());
        let message = if path.is_empty() { message.to_owned() } else { format!("{path}: {message}") };
        Self { line: position.line, column: position.column, ..Self::new(message) }
    }

    /// The message, with the path of the value in front, such as `spec.hostNetwork: expected a boolean, found 1`.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Line, from 1. 0 for an error of the input as a whole.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Column, from 1, in characters. 0 for an error of the input as a whole.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        f.write_str(&self.message)?;
        match (self.line, self.column) {
            (0, _) => Ok(()),
            (line, column) => write!(f, " at line {line} column {column}"),
        }
    }
}

impl std::error::Error for DecodeError {}
