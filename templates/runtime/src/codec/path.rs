//! Where in a value the decoder is, for messages and for the list of unknown members.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;

/// The most characters of a message.
pub(crate) const MESSAGE: usize = 2000;
/// The most characters of a path.
const PATH: usize = 1000;
/// The most characters of a key in a path, or of any other name that an input has chosen.
pub(crate) const KEY: usize = 100;

/// The members of an input that its types do not know.
///
/// Whatever the input is, this is small: paths have at most 1000 characters, and keys in them 100. What is longer is cut
/// in the middle, which `…` shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownMembers {
    /// Paths of the first [`LISTED`](Self::LISTED) members, in the order of the input.
    pub paths: Vec<String>,
    /// Number of the members after those.
    pub omitted: usize,
}

impl UnknownMembers {
    /// The most members whose paths are listed.
    pub const LISTED: usize = 100;

    /// Whether the types know all members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }
}

/// One step of the way from the root to the place being read. Lives on the stack of the decoder, so that a path
/// costs nothing until somebody wants to read it.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) notes: &'a Notes,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

/// What one run of the decoder writes down.
#[derive(Default)]
pub(super) struct Notes {
    /// Whether the error that is on its way up has its path already.
    located: Cell<bool>,
    /// The unknown members, if somebody asked for them.
    unknown: Option<RefCell<UnknownMembers>>,
}

impl Notes {
    pub(super) fn with_unknown() -> Self {
        Self { located: Cell::new(false), unknown: Some(RefCell::default()) }
    }

    pub(super) fn into_unknown(self) -> UnknownMembers {
        self.unknown.map(RefCell::into_inner).unwrap_or_default()
    }
}

impl<'a> Path<'a> {
    pub(super) fn root(notes: &'a Notes) -> Self {
        Path { notes, step: Step::Root }
    }

    pub(super) fn key(&'a self, key: &'a str) -> Self {
        Path { notes: self.notes, step: Step::Key(self, key) }
    }

    pub(super) fn index(&'a self, index: usize) -> Self {
        Path { notes: self.notes, step: Step::Index(self, index) }
    }

    /// Puts this path in front of an error, unless a deeper place did so before, or the format did, as YAML does.
    pub(super) fn locate<E: serde::de::Error>(&self, error: E) -> E {
        if self.notes.located.replace(true) {
            return error;
        }
        let (mut located, message) = (self.shortened(), error.to_string());
        if !located.is_empty() {
            located.push_str(": ");
        }
        let is_located = message.starts_with(&located);
        if is_located && message.len() <= MESSAGE {
            return error;
        }
        located.push_str(&message);
        E::custom(shortened(if is_located { &message } else { &located }, MESSAGE))
    }

    fn shortened(&self) -> String {
        shortened_path(&self.to_string()).into_owned()
    }

    /// Writes down that a member of the object at this path is not known.
    pub(super) fn unknown(&self, key: &str) {
        if let Some(unknown) = &self.notes.unknown {
            let mut unknown = unknown.borrow_mut();
            if unknown.paths.len() < UnknownMembers::LISTED {
                unknown.paths.push(self.key(key).shortened());
            } else {
                unknown.omitted += 1;
            }
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Step::Root => Ok(()),
            Step::Key(parent, key) => {
                parent.fmt(f)?;
                write_key(f, key, matches!(parent.step, Step::Root))
            }
            Step::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
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

/// Cuts a path.
pub(crate) fn shortened_path(path: &str) -> Cow<'_, str> {
    shortened(path, PATH)
}
