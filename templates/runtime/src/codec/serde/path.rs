//! The deserializer's path in a value.

use crate::codec::UnknownMembers;
use crate::codec::path::{MESSAGE, shortened, shortened_path, write_key};
use std::cell::{Cell, RefCell};
use std::fmt;

/// One step of the path from the root to the value being decoded. It is on the stack of the decoder, so that a path
/// costs nothing until it is shown.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) diagnostics: &'a Diagnostics,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

/// The diagnostics of one decode.
#[derive(Default)]
pub(super) struct Diagnostics {
    /// Whether the error that is being returned has its path already.
    located: Cell<bool>,
    /// The unknown members, if they are requested.
    unknown: Option<RefCell<UnknownMembers>>,
}

impl Diagnostics {
    pub(super) fn with_unknown() -> Self {
        Self { located: Cell::new(false), unknown: Some(RefCell::default()) }
    }

    pub(super) fn into_unknown(self) -> UnknownMembers {
        self.unknown.map(RefCell::into_inner).unwrap_or_default()
    }
}

impl<'a> Path<'a> {
    pub(super) fn root(diagnostics: &'a Diagnostics) -> Self {
        Path { diagnostics, step: Step::Root }
    }

    pub(super) fn key(&'a self, key: &'a str) -> Self {
        Path { diagnostics: self.diagnostics, step: Step::Key(self, key) }
    }

    pub(super) fn index(&'a self, index: usize) -> Self {
        Path { diagnostics: self.diagnostics, step: Step::Index(self, index) }
    }

    /// Prefixes an error with this path, unless a deeper path or the format, as YAML does, was added before.
    #[cold]
    pub(super) fn locate<E: serde::de::Error>(&self, error: E) -> E {
        if self.diagnostics.located.replace(true) {
            return error;
        }
        let (mut located, message) = (self.shortened(), error.to_string());
        if !located.is_empty() {
            located.push_str(": ");
        }
        // YAML puts a period before the index of a list that is the whole document.
        let is_located = message.strip_prefix('.').unwrap_or(&message).starts_with(&located);
        if is_located && message.len() <= MESSAGE {
            return error;
        }
        located.push_str(&message);
        E::custom(shortened(if is_located { &message } else { &located }, MESSAGE))
    }

    fn shortened(&self) -> String {
        shortened_path(&self.to_string()).into_owned()
    }

    /// Records an unknown member of the object at this path.
    pub(super) fn unknown(&self, key: &str) {
        if let Some(unknown) = &self.diagnostics.unknown {
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
