//! Paths of values, for messages and for the list of unknown members.

use std::borrow::Cow;
use std::fmt;

/// The most characters of a message.
pub(crate) const MESSAGE: usize = 2000;
/// The most characters of a path.
const PATH: usize = 1000;
/// The most characters of a key in a path, or of any other name that an input has chosen.
pub(crate) const KEY: usize = 100;

/// The unknown members of an input.
///
/// It is small for any input: paths have at most 1000 characters, and keys in them 100. Longer ones are cut in the
/// middle, which `…` shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownMembers {
    /// Paths of the first [`LISTED`](Self::LISTED) members, in the order of the input.
    pub paths: Vec<String>,
    /// Number of the members after those.
    pub omitted: usize,
}

impl UnknownMembers {
    /// The most members whose paths are listed.
    pub const LISTED: usize = 100;

    /// Whether there are no unknown members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }
}

/// Writes a member's step of a path: `.name`, or just `name` at the start, or `["any other name"]`.
pub(crate) fn write_key(f: &mut fmt::Formatter<'_>, key: &str, is_first: bool) -> fmt::Result {
    let key = &*shortened(key, KEY);
    let plain = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b == b'-');
    match (plain && !key.is_empty(), is_first) {
        (true, true) => f.write_str(key),
        (true, false) => write!(f, ".{key}"),
        (false, _) => write!(f, "[{key:?}]"),
    }
}

/// Cuts a string that has more characters than this, in the middle: both ends help to find it.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let half = most / 2;
    let head = text.char_indices().nth(half).map_or(text.len(), |(at, _)| at);
    let tail = text.char_indices().rev().nth(half - 1).map_or(0, |(at, _)| at);
    if head < tail { format!("{}…{}", &text[..head], &text[tail..]).into() } else { Cow::Borrowed(text) }
}

/// Joins strings, with a separator between them.
pub(crate) fn joined(parts: &[&str], separator: &str) -> String {
    let mut row = String::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            row.push_str(separator);
        }
        row.push_str(part);
    }
    row
}

/// Cuts a path.
pub(crate) fn shortened_path(path: &str) -> Cow<'_, str> {
    shortened(path, PATH)
}
