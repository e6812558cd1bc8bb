//! Errors, and their positions.

use std::fmt;

/// A line and a column, both from 1. Columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are not UTF-8.
    Encoding,
    /// The text violates the syntax of JSON.
    Json,
    /// The JSON ends before its value does.
    JsonEnd,
    /// The text violates the syntax of YAML.
    Yaml,
    /// The YAML has something that JSON has not, such as an infinite number, a tag or a list as a
    /// key.
    Value,
    /// The input exceeds a bound of its size, depth or aliases.
    Limit,
    /// There is no document where one is expected.
    Empty,
    /// There are several documents where one is expected.
    Several,
}

/// An error of reading: a description, the document, and the position.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    document: usize,
    position: Option<Position>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), document: 1, position: None }
    }

    pub(crate) fn at(mut self, document: usize, position: Position) -> Self {
        self.document = document;
        self.position = Some(position);
        self
    }

    /// The kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The description of the error, without the position.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The number of the document with the error, from 1.
    #[must_use]
    pub fn document(&self) -> usize {
        self.document
    }

    /// The position of the error in the whole input, unless it is about all of it.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.position
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ErrorKind::Json | ErrorKind::JsonEnd => f.write_str("invalid JSON: ")?,
            ErrorKind::Yaml => f.write_str("invalid YAML: ")?,
            _ => {}
        }
        f.write_str(&self.message)?;
        if self.document > 1 {
            write!(f, " in document {}", self.document)?;
        }
        if let Some(position) = self.position {
            write!(f, " at {position}")?;
        }
        Ok(())
    }
}

/// The message, as where `main` returns it, and the parts in the form `{:#?}`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return fmt::Display::fmt(self, f);
        }
        f.debug_struct("Error")
            .field("kind", &self.kind)
            .field("message", &self.message)
            .field("document", &self.document)
            .field("position", &self.position)
            .finish()
    }
}

impl std::error::Error for Error {}

/// An error at an offset in the text, before lines are counted.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
    pub(crate) offset: usize,
}

impl Failure {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>, offset: usize) -> Self {
        Self { kind, message: message.into(), offset }
    }

    pub(crate) fn too_deep(limit: usize, offset: usize) -> Self {
        Self::new(
            ErrorKind::Limit,
            format!("the document is nested deeper than {limit} levels"),
            offset,
        )
    }
}

/// Turns ascending offsets into positions, in one pass over the text.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    offset: usize,
    position: Position,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, offset: 0, position: Position { line: 1, column: 1 } }
    }

    /// The length of the text.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    /// The position of an offset that is not before the last one.
    pub(crate) fn position(&mut self, offset: usize) -> Position {
        let rest = self.text.get(self.offset..).unwrap_or_default();
        let mut characters = rest.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            if self.offset + at >= offset {
                break;
            }
            let is_pair =
                character == '\r' && characters.peek().is_some_and(|(_, next)| *next == '\n');
            match character {
                '\n' | '\r' if !is_pair => {
                    self.position.line += 1;
                    self.position.column = 1;
                }
                _ => self.position.column += 1,
            }
        }
        self.offset = self.offset.max(offset);
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, Position};

    #[test]
    fn positions_count_lines_and_characters() {
        let mut lines = Lines::new("aä\nb\r\nc\rd");
        let expected = [
            (0, 1, 1),
            (1, 1, 2),
            (3, 1, 3),
            (4, 2, 1),
            (7, 3, 1),
            (9, 4, 1),
            (10, 4, 2),
            (99, 4, 2),
        ];
        for (offset, line, column) in expected {
            assert_eq!(lines.position(offset), Position { line, column }, "{offset}");
        }
    }
}
