//! Where in a value the decoder is, for messages and for the list of unknown members.

use std::cell::{Cell, RefCell};
use std::fmt;

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
    /// Paths of unknown members, if somebody asked for them.
    unknown: Option<RefCell<Vec<String>>>,
}

impl Notes {
    pub(super) fn with_unknown() -> Self {
        Self { located: Cell::new(false), unknown: Some(RefCell::default()) }
    }

    pub(super) fn into_unknown(self) -> Vec<String> {
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
        if self.notes.located.replace(true) || matches!(self.step, Step::Root) {
            return error;
        }
        let (path, message) = (format!("{self}: "), error.to_string());
        if message.starts_with(&path) { error } else { E::custom(path + &message) }
    }

    /// Writes down that a member of the object at this path is not known.
    pub(super) fn unknown(&self, key: &str) {
        if let Some(unknown) = &self.notes.unknown {
            unknown.borrow_mut().push(self.key(key).to_string());
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
    let plain = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b == b'-');
    match (plain && !key.is_empty(), is_first) {
        (true, true) => f.write_str(key),
        (true, false) => write!(f, ".{key}"),
        (false, _) => write!(f, "[{key:?}]"),
    }
}
