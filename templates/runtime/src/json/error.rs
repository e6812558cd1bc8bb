//! What can be wrong with a text.

use super::number;
use super::place::{Origin, Walk};
use crate::codec::path;
use std::borrow::Cow;
use std::fmt;
use std::str::Utf8Error;

/// Why JSON text is not the value that it should be.
///
/// A message may quote the input: up to 60 characters of the value that was found, and keys in the path. It never
/// quotes what stands where bytes should be, since that may be a secret. It has at most 2000 characters; what is longer
/// is cut, which `…` shows.
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

    pub(super) fn of_utf8(text: &[u8], error: Utf8Error, origin: &Origin) -> Self {
        let valid = text.get(..error.valid_up_to()).and_then(|valid| str::from_utf8(valid).ok()).unwrap_or_default();
        let says = if error.error_len().is_some() { "bytes that are not UTF-8" } else { "half a character" };
        Self::behind(valid, origin, &format!("expected UTF-8, found {says}"))
    }

    /// At the end of this text, which is JSON as far as it goes.
    fn behind(text: &str, origin: &Origin, says: &str) -> Self {
        let path = Walk::inside(origin, text).path_at(text.len());
        let place = origin.place.behind(text.as_bytes());
        let message = if path.is_empty() { says.to_owned() } else { format!("{path}: {says}") };
        Self { line: place.line, column: place.column, ..Self::new(message) }
    }

    /// What is wrong, with the path of the value in front, such as `spec.hostNetwork: expected a boolean, found 1`.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Line, from 1. 0 when the text as a whole is wrong.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Column, from 1, in characters. 0 when the text as a whole is wrong.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match (self.line, self.column) {
            (0, _) => Ok(()),
            (line, column) => write!(f, " at line {line} column {column}"),
        }
    }
}

impl std::error::Error for DecodeError {}

/// What the reader stumbled over: where, and what it wanted. Everything else that an error tells, the path, the line
/// and what was found, can be seen from the text. So the reader need not keep track of it.
#[derive(Debug)]
pub(super) struct Fault {
    at: usize,
    wrong: Wrong,
}

#[derive(Debug)]
enum Wrong {
    /// Something else should be there.
    Expected(Cow<'static, str>),
    /// This is wrong with what is there.
    Says(Cow<'static, str>),
}

impl Fault {
    #[cold]
    pub(super) fn expected(at: usize, what: impl Into<Cow<'static, str>>) -> Box<Self> {
        Box::new(Self { at, wrong: Wrong::Expected(what.into()) })
    }

    #[cold]
    pub(super) fn says(at: usize, what: impl Into<Cow<'static, str>>) -> Box<Self> {
        Box::new(Self { at, wrong: Wrong::Says(what.into()) })
    }

    #[cold]
    pub(super) fn locate(&self, text: &str, origin: &Origin) -> DecodeError {
        let (before, rest) = text.split_at_checked(self.at).unwrap_or((text, ""));
        match &self.wrong {
            Wrong::Says(what) => DecodeError::behind(before, origin, what),
            Wrong::Expected(what) => {
                DecodeError::behind(before, origin, &format!("expected {what}, found {}", found(rest)))
            }
        }
    }
}

/// Says what a text begins with.
fn found(text: &str) -> Cow<'_, str> {
    let word = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    match text.chars().next() {
        None => "the end of the text".into(),
        Some('{') => "an object".into(),
        Some('[') => "an array".into(),
        Some('"') => quoted(text),
        Some('-' | '0'..='9') => shortened(&text[..number::length(text)]),
        Some('a'..='z') => shortened(word),
        Some(other) => format!("`{}`", other.escape_debug()).into(),
    }
}

/// The string that a text begins with, as it is written there.
fn quoted(text: &str) -> Cow<'_, str> {
    let mut escaped = true; // the quote at the start is not the one at the end
    let end = text.bytes().position(|byte| {
        let is_end = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        is_end
    });
    end.map_or("a string without an end".into(), |end| shortened(&text[..=end]))
}

/// The beginning is enough to find it, and a value can be megabytes.
fn shortened(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
