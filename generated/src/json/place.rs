//! Where in a text something is. Found out by reading the text again, when somebody wants to know.

use crate::codec::path;
use std::fmt;

/// Walks through a text that is JSON as far as it is walked, and knows on which path it is.
pub(super) struct Walk<'a> {
    text: &'a str,
    at: usize,
    steps: Vec<Step<'a>>,
}

/// An object or array that has begun.
enum Step<'a> {
    /// An object, and the key of the member that has begun, as it is written.
    Member(Option<&'a str>),
    /// An array, and the index of the element.
    Element(usize),
}

impl<'a> Walk<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, steps: Vec::new() }
    }

    /// The path of the value that begins at this offset or around it. Offsets must not decrease.
    pub(super) fn path_at(&mut self, offset: usize) -> String {
        while self.at < offset {
            self.token();
        }
        self.to_string()
    }

    fn token(&mut self) {
        let start = self.at;
        self.at += 1;
        match (self.text.as_bytes()[start], self.steps.last_mut()) {
            (b'{', _) => self.steps.push(Step::Member(None)),
            (b'[', _) => self.steps.push(Step::Element(0)),
            (b'}' | b']', _) => _ = self.steps.pop(),
            (b',', Some(Step::Element(index))) => *index += 1,
            (b',', Some(Step::Member(key))) => *key = None,
            (b'"', step) => {
                self.at = end_of_string(self.text, start);
                if let Some(Step::Member(key @ None)) = step {
                    *key = Some(&self.text[start..self.at]);
                }
            }
            _ => {}
        }
    }
}

/// Behind the string that begins here.
fn end_of_string(text: &str, start: usize) -> usize {
    let mut bytes = text.bytes().enumerate().skip(start + 1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return at + 1,
            b'\\' => _ = bytes.next(),
            _ => {}
        }
    }
    text.len()
}

impl fmt::Display for Walk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for step in &self.steps {
            match step {
                // A key that is broken off has no value yet.
                Step::Member(key) => match key.and_then(|key| serde_json::from_str::<String>(key).ok()) {
                    Some(key) => path::write_key(f, &key, is_first)?,
                    None => break,
                },
                Step::Element(index) => write!(f, "[{index}]")?,
            }
            is_first = false;
        }
        Ok(())
    }
}

/// Where the next character after this text would be, from 1.
pub(super) fn line_and_column(before: &str) -> (usize, usize) {
    let lines = before.bytes().filter(|byte| *byte == b'\n').count();
    let last = before.rsplit('\n').next().unwrap_or_default();
    (lines + 1, last.chars().count() + 1)
}
