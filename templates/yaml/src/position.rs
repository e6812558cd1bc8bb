//! Positions of JSON pointers.

use crate::event::Event;
use crate::pointer::escape;
use std::collections::{BTreeMap, BTreeSet};

/// The offsets of a value and of its key, unless it is an element or the whole document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) key: Option<usize>,
    pub(crate) value: usize,
}

/// Searches the events of a document for pointers.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    wanted: &'a BTreeSet<&'a str>,
    pub(crate) found: BTreeMap<String, Found>,
    open: Vec<Open>,
    /// The pointer of the innermost container on the way to a wanted pointer.
    pointer: String,
}

#[derive(Debug)]
struct Open {
    kind: Kind,
    /// The length of the pointer around it.
    length: usize,
}

#[derive(Debug)]
enum Kind {
    Object(Next),
    /// The index of the next element.
    Array(usize),
    /// A list of mappings that are merged into the object around it.
    Merged,
    /// A container to which no wanted pointer leads.
    Skipped,
}

#[derive(Debug)]
enum Next {
    Nothing,
    Member(String, usize),
    Merged,
}

impl<'a> Search<'a> {
    pub(crate) fn new(wanted: &'a BTreeSet<&'a str>) -> Self {
        Self { wanted, found: BTreeMap::new(), open: Vec::new(), pointer: String::new() }
    }

    /// Whether all pointers are found.
    pub(crate) fn is_done(&self) -> bool {
        self.found.len() == self.wanted.len()
    }

    /// Takes an event at an offset.
    pub(crate) fn take(&mut self, event: &Event<'_>, offset: usize) {
        match event {
            Event::Document => {}
            Event::Key(key) => self.expect(|| Next::Member(key.to_string(), offset)),
            Event::Merge => self.expect(|| Next::Merged),
            Event::Array => self.begin(Kind::Array(0), offset),
            Event::Object => self.begin(Kind::Object(Next::Nothing), offset),
            Event::End => {
                if let Some(open) = self.open.pop() {
                    self.pointer.truncate(open.length);
                }
            }
            Event::Null | Event::Bool(_) | Event::Number(_) | Event::String(_) => {
                let length = self.pointer.len();
                if self.enter(offset) != Way::Skipped {
                    self.pointer.truncate(length);
                }
            }
        }
    }

    fn expect(&mut self, next: impl FnOnce() -> Next) {
        if let Some(Open { kind: Kind::Object(expected), .. }) = self.open.last_mut() {
            *expected = next();
        }
    }

    fn begin(&mut self, kind: Kind, offset: usize) {
        let length = self.pointer.len();
        let kind = match self.enter(offset) {
            Way::Merged if matches!(kind, Kind::Array(_)) => Kind::Merged,
            Way::Wanted | Way::Merged => kind,
            Way::Skipped => {
                self.pointer.truncate(length);
                Kind::Skipped
            }
        };
        self.open.push(Open { kind, length });
    }

    /// Extends the pointer by the next value of the innermost container, and notes its position if
    /// it is wanted.
    fn enter(&mut self, offset: usize) -> Way {
        let length = self.pointer.len();
        let mut key = None;
        match self.open.last_mut().map(|open| &mut open.kind) {
            None => {}
            Some(Kind::Skipped) => return Way::Skipped,
            Some(Kind::Merged) => return Way::Merged,
            Some(Kind::Array(index)) => {
                self.pointer.push('/');
                self.pointer.push_str(&index.to_string());
                *index += 1;
            }
            Some(Kind::Object(next)) => match std::mem::replace(next, Next::Nothing) {
                Next::Nothing => return Way::Skipped,
                Next::Merged => return Way::Merged,
                Next::Member(name, at) => {
                    self.pointer.push('/');
                    self.pointer.push_str(&escape(&name));
                    key = Some(at);
                }
            },
        }
        let mut others = self.wanted.range(self.pointer.as_str()..);
        let next = others.next().filter(|next| next.starts_with(self.pointer.as_str()));
        if next.is_some_and(|next| *next == self.pointer) {
            self.found.entry(self.pointer.clone()).or_insert(Found { key, value: offset });
        }
        if next.is_some() {
            return Way::Wanted;
        }
        self.pointer.truncate(length);
        Way::Skipped
    }
}

/// The relation of a value to the wanted pointers.
#[derive(Debug, PartialEq)]
enum Way {
    /// It is wanted, or contains a wanted one.
    Wanted,
    /// Its members belong to the container around it.
    Merged,
    Skipped,
}
