//! JSON as events.
//!
//! The runtime has a reader of its own, for bytes that arrive in parts and types that have tables.
//! This one gives the events and offsets that YAML gives, and depends on no runtime.

use crate::error::{ErrorKind, Failure};
use crate::event::{BOM, Event};
use memchr::memchr2;
use serde_json::Number;
use std::borrow::Cow;

/// A parser of JSON documents, one after another.
#[derive(Debug)]
pub(crate) struct JsonParser<'a> {
    text: &'a str,
    at: usize,
    deepest: usize,
    /// Whether each open container is an object.
    open: Vec<bool>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// Between documents.
    Between,
    /// Before a value.
    Value,
    /// Before the first element of an array, or its end.
    FirstElement,
    /// Before the first key of an object, or its end.
    FirstKey,
    /// Behind a value in a container.
    Behind,
}

impl<'a> JsonParser<'a> {
    /// A parser of a text from an offset.
    pub(crate) fn new(text: &'a str, at: usize, deepest: usize) -> Self {
        Self { text, at, deepest, open: Vec::new(), state: State::Between }
    }

    /// The next event and its offset, or none after the last document.
    pub(crate) fn next(&mut self) -> Result<Option<(Event<'a>, usize)>, Failure> {
        self.skip_space();
        // As in YAML, files are joined.
        while self.state == State::Between && self.text[self.at..].starts_with(BOM) {
            self.at += BOM.len_utf8();
            self.skip_space();
        }
        let start = self.at;
        let Some(byte) = self.peek() else {
            return if self.state == State::Between { Ok(None) } else { Err(self.unexpected("")) };
        };
        let event = match self.state {
            State::Between => {
                self.state = State::Value;
                Event::Document
            }
            State::FirstElement if byte == b']' => self.end(),
            State::Value | State::FirstElement => self.value(byte)?,
            State::FirstKey if byte == b'}' => self.end(),
            State::FirstKey => self.key()?,
            State::Behind => return self.behind(byte).map(Some),
        };
        Ok(Some((event, start)))
    }

    /// Continues after a value: with the next one, or with the end of the container.
    fn behind(&mut self, byte: u8) -> Result<(Event<'a>, usize), Failure> {
        let is_object = self.open.last() == Some(&true);
        let start = self.at;
        match byte {
            b']' if !is_object => return Ok((self.end(), start)),
            b'}' if is_object => return Ok((self.end(), start)),
            b',' => self.at += 1,
            _ => return Err(self.unexpected(if is_object { "`,` or `}`" } else { "`,` or `]`" })),
        }
        self.skip_space();
        let start = self.at;
        let Some(byte) = self.peek() else { return Err(self.unexpected("")) };
        if matches!(byte, b']' | b'}') {
            return Err(self.failure("trailing comma"));
        }
        let event = if is_object { self.key()? } else { self.value(byte)? };
        Ok((event, start))
    }

    fn value(&mut self, byte: u8) -> Result<Event<'a>, Failure> {
        let event = match byte {
            b'"' => Event::String(self.string()?),
            b'-' | b'0'..=b'9' => Event::Number(self.number()?),
            b'[' => return self.begin(false),
            b'{' => return self.begin(true),
            _ => self.word()?,
        };
        self.close();
        Ok(event)
    }

    fn begin(&mut self, is_object: bool) -> Result<Event<'a>, Failure> {
        if self.open.len() >= self.deepest {
            return Err(Failure::too_deep(self.deepest, self.at));
        }
        self.at += 1;
        self.open.push(is_object);
        self.state = if is_object { State::FirstKey } else { State::FirstElement };
        Ok(if is_object { Event::Object } else { Event::Array })
    }

    fn end(&mut self) -> Event<'a> {
        self.at += 1;
        self.open.pop();
        self.close();
        Event::End
    }

    /// Notes that a value is complete.
    fn close(&mut self) {
        self.state = if self.open.is_empty() { State::Between } else { State::Behind };
    }

    /// The name of a member, and its colon.
    fn key(&mut self) -> Result<Event<'a>, Failure> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key, a string"));
        }
        let key = self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        self.state = State::Value;
        Ok(Event::Key(key))
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Failure> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut is_escaped = false;
        let mut at = start + 1;
        loop {
            let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) else {
                return Err(Failure::new(ErrorKind::JsonEnd, "the string has no end", start));
            };
            at += found;
            if bytes[at] == b'"' {
                break;
            }
            is_escaped = true;
            at += 2;
        }
        // The least byte, since many are compared at once.
        if bytes[start..at].iter().fold(u8::MAX, |least, byte| least.min(*byte)) < 0x20 {
            self.at =
                start + bytes[start..at].iter().position(|byte| *byte < 0x20).unwrap_or_default();
            return Err(self
                .failure("a control character in a string; write it as an escape such as `\\n`"));
        }
        self.at = at + 1;
        if !is_escaped {
            return Ok(Cow::Borrowed(&self.text[start + 1..at]));
        }
        serde_json::from_str(&self.text[start..=at]).map(Cow::Owned).map_err(|error| {
            let text = error.to_string();
            let message = text.split(" at line ").next().unwrap_or_default();
            Failure::new(ErrorKind::Json, message, start)
        })
    }

    fn number(&mut self) -> Result<Number, Failure> {
        let rest = &self.text[self.at..];
        let end = rest
            .bytes()
            .position(|byte| !matches!(byte, b'-' | b'+' | b'.' | b'0'..=b'9' | b'e' | b'E'));
        let token = &rest[..end.unwrap_or(rest.len())];
        let digits = token.strip_prefix('-').unwrap_or(token);
        if !is_number(digits) {
            return Err(self.failure("invalid number"));
        }
        let Some(number) = number(token) else { return Err(self.failure("number out of range")) };
        self.at += token.len();
        Ok(number)
    }

    fn word(&mut self) -> Result<Event<'a>, Failure> {
        let words =
            [("null", Event::Null), ("true", Event::Bool(true)), ("false", Event::Bool(false))];
        let rest = &self.text[self.at..];
        for (word, event) in words {
            if let Some(behind) = rest.strip_prefix(word)
                && !behind.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_')
            {
                self.at += word.len();
                return Ok(event);
            }
        }
        Err(self.unexpected("a value"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn failure(&self, message: &str) -> Failure {
        Failure::new(ErrorKind::Json, message, self.at)
    }

    fn unexpected(&self, expected: &str) -> Failure {
        match self.peek() {
            Some(_) => self.failure(&format!("expected {expected}")),
            None => Failure::new(ErrorKind::JsonEnd, "it ends too early", self.at),
        }
    }
}

/// Whether a text without its sign is a number of JSON.
fn is_number(text: &str) -> bool {
    let whole = digits_of(text);
    if whole == 0 || whole > 1 && text.starts_with('0') {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = digits_of(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let length = digits_of(exponent);
        return length > 0 && length == exponent.len();
    }
    rest.is_empty()
}

/// The number of digits that a text begins with.
fn digits_of(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// A number of JSON, exact within 64 bits, otherwise the nearest one. `None` if 64 bits cannot hold
/// it.
fn number(token: &str) -> Option<Number> {
    if token != "-0" {
        if let Ok(number) = token.parse::<i64>() {
            return Some(number.into());
        }
        if let Ok(number) = token.parse::<u64>() {
            return Some(number.into());
        }
    }
    Number::from_f64(token.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::{is_number, number};

    #[test]
    fn numbers_follow_the_grammar() {
        for good in ["0", "10", "0.5", "1e5", "1E+5", "1.25e-3"] {
            assert!(is_number(good), "{good}");
        }
        for bad in ["", "01", "1.", ".5", "1e", "1e+", "1-", "+1", "1.5.5", "1e5e5"] {
            assert!(!is_number(bad), "{bad}");
        }
    }

    #[test]
    fn numbers_are_exact_within_64_bits() {
        for text in ["18446744073709551615", "-9223372036854775808", "0", "0.1", "-0.0"] {
            assert_eq!(number(text).unwrap().to_string(), text);
        }
        assert_eq!(
            number("18446744073709551616").unwrap().as_f64(),
            Some(18_446_744_073_709_551_616.0)
        );
        assert_eq!(number("1e999"), None);
    }
}
