//! Errors, with path, line and column.

use crate::codec::{UnknownMembers, View, path};
use crate::lexer::{Fault, end_of_string};
use crate::visible::Visible;
use std::borrow::Cow;
use std::fmt::{self, Write};
use std::str::Utf8Error;

/// An error of decoding JSON, with its path and position.
///
/// A message may quote the input: up to 60 characters of the value that was found, and keys in the
/// path. It never quotes a value in place of bytes, since that may be a secret. It has at most 2000
/// characters; a longer one is cut, which `…` shows.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError {
    message: String,
    /// The offset in the message at which it quotes a value of the input. Its length if it quotes
    /// none.
    found_at: usize,
    line: usize,
    column: usize,
}

impl DecodeError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::quoting(&message.into(), "")
    }

    /// An error with a message that ends with a value of the input.
    fn quoting(message: &str, found: &str) -> Self {
        let most = path::MESSAGE.saturating_sub(found.chars().count());
        let mut message = path::shortened(message, most).into_owned();
        let found_at = message.len();
        message.push_str(found);
        Self { message, found_at, line: 0, column: 0 }
    }

    /// An error of a decoder of your own, such as an implementation of
    /// [`FromResponse`](crate::response::FromResponse). A message of more than 2000 characters is
    /// cut.
    #[must_use]
    pub fn custom(message: impl fmt::Display) -> Self {
        Self::new(message.to_string())
    }

    /// The same error without the value that it quotes, which may be a secret, and without the
    /// position in an input that the caller has not seen. A kind that an object states is not a
    /// secret.
    #[cfg(feature = "dynamic")]
    pub(crate) fn without_value(mut self) -> Self {
        if self.found_at < self.message.len() {
            self.message.truncate(self.found_at);
            self.message.push_str("something else");
        }
        Self::new(self.message)
    }

    pub(super) fn of_utf8(text: &[u8], error: Utf8Error, base: &Base) -> Self {
        let valid = text
            .get(..error.valid_up_to())
            .and_then(|valid| str::from_utf8(valid).ok())
            .unwrap_or_default();
        let found = if error.error_len().is_some() {
            "bytes that are not UTF-8"
        } else {
            "half a character"
        };
        Self::behind(valid, base, &format!("expected UTF-8, found {found}"), "")
    }

    /// The error for a fault, with its path and position in the input.
    #[cold]
    pub(super) fn of_fault(fault: &Fault, text: &str, base: &Base) -> Self {
        let before = text.get(..fault.at).unwrap_or(text);
        Self::behind(before, base, &fault.stated(), &fault.found(text).unwrap_or_default())
    }

    /// An error at the end of this input, which is valid JSON up to there, and the value that the
    /// message ends with.
    fn behind(text: &str, base: &Base, message: &str, found: &str) -> Self {
        let path = PathFinder::inside(base, text).path_at(text.len());
        let position = base.position.behind(text.as_bytes());
        let message =
            if path.is_empty() { message.to_owned() } else { format!("{path}: {message}") };
        Self { line: position.line, column: position.column, ..Self::quoting(&message, found) }
    }

    /// The message, with the path of the value in front, such as
    /// `spec.hostNetwork: expected a boolean, found 1`.
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

__error!(DecodeError { message, line, column });

/// The maximum number of steps of a path. Known types are not nested deeper; free JSON may have any
/// depth.
const MOST_CONTAINERS: usize = 128;
/// The maximum number of bytes of a key that is decoded each time it is shown.
const SHORT: usize = 1000;

/// The position of a part of an input in the whole.
#[derive(Default)]
pub(super) struct Base {
    /// The path of the value at the start of the part.
    pub(super) path: String,
    /// Whether the part begins inside of an object, between two members.
    pub(super) is_in_object: bool,
    /// The position of the part's start.
    pub(super) position: Position,
}

/// Line and column, from 1. Columns count characters.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Default for Position {
    fn default() -> Self {
        Self { line: 1, column: 1 }
    }
}

impl Position {
    /// The position after these bytes. Bytes that are not UTF-8 have some column, too.
    #[must_use]
    pub(super) fn behind(self, text: &[u8]) -> Self {
        let lines = count(text, |byte| byte == b'\n');
        let start = if lines == 0 {
            0
        } else {
            text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
        };
        let characters = count(&text[start..], |byte| !matches!(byte, 0x80..0xc0));
        Self {
            line: self.line + lines,
            column: characters + if lines == 0 { self.column } else { 1 },
        }
    }
}

/// The number of bytes of a kind. Sums of single bytes compile to instructions that add many of
/// them at once, which matters since each item of a list is counted.
fn count(text: &[u8], is_counted: impl Fn(u8) -> bool) -> usize {
    let in_part = |part: &[u8]| part.iter().map(|byte| u8::from(is_counted(*byte))).sum::<u8>();
    text.chunks(usize::from(u8::MAX)).map(|part| usize::from(in_part(part))).sum()
}

/// Offsets of unknown members.
#[derive(Default)]
pub(super) struct UnknownStarts {
    /// The offsets of the first ones, at their values.
    starts: Vec<usize>,
    /// Number of the others.
    omitted: usize,
}

impl UnknownStarts {
    #[inline]
    pub(super) fn add(&mut self, at: usize) {
        if self.starts.len() < UnknownMembers::LISTED {
            self.starts.push(at);
        } else {
            self.omitted += 1;
        }
    }

    /// The same members with their paths in this input.
    #[inline]
    pub(super) fn locate(self, text: &str) -> UnknownMembers {
        let mut finder = PathFinder::new(text);
        UnknownMembers {
            paths: self.starts.into_iter().map(|at| finder.path_at(at)).collect(),
            omitted: self.omitted,
        }
    }
}

/// Finds the paths of values in an input that is valid JSON as far as it is parsed.
struct PathFinder<'a> {
    text: &'a str,
    at: usize,
    /// The path of the input itself.
    outside: &'a str,
    containers: Vec<Container<'a>>,
    /// The number of open objects and arrays inside of the innermost of these.
    deeper: usize,
}

/// The path of the value that begins at this offset of an input or around it.
#[cfg(feature = "dynamic")]
pub(crate) fn path_at(text: &str, offset: usize) -> String {
    PathFinder::new(text).path_at(offset.min(text.len()))
}

/// An open object or array.
enum Container<'a> {
    /// An object, and the key of its current member, as spelled in the input.
    Object(Option<Cow<'a, str>>),
    /// An array, and the index of the element.
    Array(usize),
}

impl<'a> PathFinder<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, outside: "", containers: Vec::new(), deeper: 0 }
    }

    fn inside(base: &'a Base, text: &'a str) -> Self {
        let containers = if base.is_in_object { vec![Container::Object(None)] } else { Vec::new() };
        Self { text, at: 0, outside: &base.path, containers, deeper: 0 }
    }

    /// The path of the value that begins at this offset or around it. Offsets must not decrease.
    fn path_at(&mut self, offset: usize) -> String {
        while self.at < offset {
            self.token();
        }
        path::shortened_path(&self.to_string()).into_owned()
    }

    fn token(&mut self) {
        let start = self.at;
        self.at += 1;
        let is_full = self.containers.len() == MOST_CONTAINERS;
        let innermost = self.containers.last_mut().filter(|_| self.deeper == 0);
        match (self.text.as_bytes()[start], innermost) {
            (b'{' | b'[', _) if is_full => self.deeper += 1,
            (b'{', _) => self.containers.push(Container::Object(None)),
            (b'[', _) => self.containers.push(Container::Array(0)),
            (b'}' | b']', None) if self.deeper > 0 => self.deeper -= 1,
            (b'}' | b']', _) => _ = self.containers.pop(),
            (b',', Some(Container::Array(index))) => *index += 1,
            (b',', Some(Container::Object(key))) => *key = None,
            (b'"', innermost) => {
                self.at = end_of_string(self.text.as_bytes(), self.at).unwrap_or(self.text.len());
                if let Some(Container::Object(key @ None)) = innermost {
                    *key = Some(short(&self.text[start..self.at]));
                }
            }
            _ => {}
        }
    }
}

/// A key as spelled in the input, or, since it may be shown many times, cut in the middle.
fn short(key: &str) -> Cow<'_, str> {
    let long = Some(key).filter(|key| key.len() > SHORT);
    let cut = long.and_then(|key| {
        let name = super::from_str::<String>(key).ok()?;
        String::from_utf8(super::write(&View::Str(&path::shortened(&name, path::KEY)))).ok()
    });
    cut.map_or(key.into(), Cow::Owned)
}

impl fmt::Display for PathFinder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.outside)?;
        let mut is_first = self.outside.is_empty();
        for container in &self.containers {
            match container {
                // A truncated key has no value yet.
                Container::Object(key) => {
                    match key.as_ref().and_then(|key| super::from_str::<String>(key).ok()) {
                        Some(key) => path::write_key(f, &key, is_first)?,
                        None => break,
                    }
                }
                Container::Array(index) => write!(f, "[{index}]")?,
            }
            is_first = false;
        }
        if self.deeper > 0 { f.write_str("…") } else { Ok(()) }
    }
}
