//! Syntax and type errors in JSON.

use super::{end_of_string, number};
use std::borrow::Cow;

/// The result of consuming tokens. A fault is boxed, since it is large and rare.
pub(crate) type Result<T = ()> = std::result::Result<T, Box<Fault>>;

/// The offset and the cause of an error. Everything else that an error contains (the path, the line and the token that
/// was found) can be computed from the input, so it need not be tracked while decoding.
pub(crate) struct Fault {
    /// The offset.
    pub(crate) at: usize,
    kind: FaultKind,
}

enum FaultKind {
    /// Another token or value is expected.
    Expected(Cow<'static, str>),
    /// Any other fault, as a whole message.
    Message(Cow<'static, str>),
}

impl Fault {
    #[cold]
    pub(crate) fn expected(at: usize, expected: impl Into<Cow<'static, str>>) -> Box<Self> {
        Box::new(Self { at, kind: FaultKind::Expected(expected.into()) })
    }

    #[cold]
    pub(crate) fn message(at: usize, message: impl Into<Cow<'static, str>>) -> Box<Self> {
        Box::new(Self { at, kind: FaultKind::Message(message.into()) })
    }

    /// The message, with the token that was found if another one was expected.
    pub(crate) fn describe(&self, text: &str) -> Cow<'_, str> {
        match &self.kind {
            FaultKind::Message(message) => Cow::Borrowed(message),
            FaultKind::Expected(expected) => {
                format!("expected {expected}, found {}", found(text.get(self.at..).unwrap_or_default())).into()
            }
        }
    }
}

/// The token at the start of an input, for messages.
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

/// The string at the start of an input, as it is spelled there.
fn quoted(text: &str) -> Cow<'_, str> {
    end_of_string(text.as_bytes(), 1).map_or("a string without an end".into(), |end| shortened(&text[..end]))
}

/// Cuts a token for a message: its beginning is enough to find it, and a value can be megabytes.
fn shortened(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
