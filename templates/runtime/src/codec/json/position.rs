//! Positions and paths in JSON. They are found by parsing the input again, when there is an error.

use crate::codec::{UnknownMembers, View, path};
use crate::lexer::end_of_string;
use std::borrow::Cow;
use std::fmt;

/// The most steps of a path. Known types are not nested deeper; free JSON may have any depth.
const STEPS: usize = 128;
/// The most bytes of a key that is decoded each time it is shown.
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
        let start = if lines == 0 { 0 } else { text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1) };
        let characters = count(&text[start..], |byte| !matches!(byte, 0x80..0xc0));
        Self { line: self.line + lines, column: characters + if lines == 0 { self.column } else { 1 } }
    }
}

/// The number of bytes of a kind. Sums of single bytes compile to instructions that add many of them at once, which
/// matters since each item of a list is counted.
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
        UnknownMembers { paths: self.starts.into_iter().map(|at| finder.path_at(at)).collect(), omitted: self.omitted }
    }
}

/// Finds the paths of values in an input that is valid JSON as far as it is parsed.
pub(super) struct PathFinder<'a> {
    text: &'a str,
    at: usize,
    /// The path of the input itself.
    outside: &'a str,
    steps: Vec<Step<'a>>,
    /// The number of open objects and arrays inside of the last step.
    deeper: usize,
}

/// An open object or array.
enum Step<'a> {
    /// An object, and the key of its current member, as it is spelled in the input.
    Member(Option<Cow<'a, str>>),
    /// An array, and the index of the element.
    Element(usize),
}

impl<'a> PathFinder<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, outside: "", steps: Vec::new(), deeper: 0 }
    }

    pub(super) fn inside(base: &'a Base, text: &'a str) -> Self {
        let steps = if base.is_in_object { vec![Step::Member(None)] } else { Vec::new() };
        Self { text, at: 0, outside: &base.path, steps, deeper: 0 }
    }

    /// The path of the value that begins at this offset or around it. Offsets must not decrease.
    pub(super) fn path_at(&mut self, offset: usize) -> String {
        while self.at < offset {
            self.token();
        }
        path::shortened_path(&self.to_string()).into_owned()
    }

    fn token(&mut self) {
        let start = self.at;
        self.at += 1;
        let is_full = self.steps.len() == STEPS;
        let step = self.steps.last_mut().filter(|_| self.deeper == 0);
        match (self.text.as_bytes()[start], step) {
            (b'{' | b'[', _) if is_full => self.deeper += 1,
            (b'{', _) => self.steps.push(Step::Member(None)),
            (b'[', _) => self.steps.push(Step::Element(0)),
            (b'}' | b']', None) if self.deeper > 0 => self.deeper -= 1,
            (b'}' | b']', _) => _ = self.steps.pop(),
            (b',', Some(Step::Element(index))) => *index += 1,
            (b',', Some(Step::Member(key))) => *key = None,
            (b'"', step) => {
                self.at = end_of_string(self.text.as_bytes(), self.at).unwrap_or(self.text.len());
                if let Some(Step::Member(key @ None)) = step {
                    *key = Some(short(&self.text[start..self.at]));
                }
            }
            _ => {}
        }
    }
}

/// A key as it is spelled in the input, or, since it may be shown many times, cut in the middle.
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
        for step in &self.steps {
            match step {
                // A truncated key has no value yet.
                Step::Member(key) => match key.as_ref().and_then(|key| super::from_str::<String>(key).ok()) {
                    Some(key) => path::write_key(f, &key, is_first)?,
                    None => break,
                },
                Step::Element(index) => write!(f, "[{index}]")?,
            }
            is_first = false;
        }
        if self.deeper > 0 { f.write_str("…") } else { Ok(()) }
    }
}
