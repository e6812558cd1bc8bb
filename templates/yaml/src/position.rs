//! The offsets of JSON pointers, found among the events of a document.

use crate::event::Event;
use crate::pointer::escape;
use std::collections::{BTreeMap, BTreeSet};

/// The offsets of a value and of its key, unless it is an element or the whole document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offsets {
    pub(crate) key: Option<usize>,
    pub(crate) value: usize,
}

/// Searches the events of a document for pointers.
#[derive(Debug)]
pub(crate) struct PointerSearch<'a> {
    wanted: &'a BTreeSet<&'a str>,
    pub(crate) found: BTreeMap<String, Offsets>,
    open: Vec<OpenContainer>,
    /// The pointer of the innermost container on the way to a wanted pointer.
    pointer: String,
}

#[derive(Debug)]
struct OpenContainer {
    kind: ContainerKind,
    /// The length of the pointer around it.
    length: usize,
}

#[derive(Debug)]
enum ContainerKind {
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

impl<'a> PointerSearch<'a> {
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
            Event::Array => self.begin(ContainerKind::Array(0), offset),
            Event::Object => self.begin(ContainerKind::Object(Next::Nothing), offset),
            Event::End => {
                if let Some(open) = self.open.pop() {
                    self.pointer.truncate(open.length);
                }
            }
            Event::Null | Event::Bool(_) | Event::Number(_) | Event::String(_) => {
                let length = self.pointer.len();
                if self.enter(offset) != Relation::Skipped {
                    self.pointer.truncate(length);
                }
            }
        }
    }

    fn expect(&mut self, next: impl FnOnce() -> Next) {
        if let Some(OpenContainer { kind: ContainerKind::Object(expected), .. }) =
            self.open.last_mut()
        {
            *expected = next();
        }
    }

    fn begin(&mut self, kind: ContainerKind, offset: usize) {
        let length = self.pointer.len();
        let kind = match self.enter(offset) {
            Relation::Merged if matches!(kind, ContainerKind::Array(_)) => ContainerKind::Merged,
            Relation::Wanted | Relation::Merged => kind,
            Relation::Skipped => {
                self.pointer.truncate(length);
                ContainerKind::Skipped
            }
        };
        self.open.push(OpenContainer { kind, length });
    }

    /// Extends the pointer by the next value of the innermost container, and notes its position if
    /// it is wanted.
    fn enter(&mut self, offset: usize) -> Relation {
        let length = self.pointer.len();
        let mut key = None;
        match self.open.last_mut().map(|open| &mut open.kind) {
            None => {}
            Some(ContainerKind::Skipped) => return Relation::Skipped,
            Some(ContainerKind::Merged) => return Relation::Merged,
            Some(ContainerKind::Array(index)) => {
                self.pointer.push('/');
                self.pointer.push_str(&index.to_string());
                *index += 1;
            }
            Some(ContainerKind::Object(next)) => match std::mem::replace(next, Next::Nothing) {
                Next::Nothing => return Relation::Skipped,
                Next::Merged => return Relation::Merged,
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
            self.found.entry(self.pointer.clone()).or_insert(Offsets { key, value: offset });
        }
        if next.is_some() {
            return Relation::Wanted;
        }
        self.pointer.truncate(length);
        Relation::Skipped
    }
}

/// The relation of a value to the wanted pointers.
#[derive(Debug, PartialEq)]
enum Relation {
    /// It is wanted, or contains a wanted one.
    Wanted,
    /// Its members belong to the container around it.
    Merged,
    Skipped,
}
