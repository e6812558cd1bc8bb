//! The value of a document, built of its events, and the members that a mapping has more than once.

use crate::error::{ErrorKind, Failure};
use crate::event::Event;
use serde_json::map::Entry;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A step from a value to one within it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The member of an object.
    Member(String),
    /// The element of an array, from 0.
    Element(usize),
}

/// A member that is in one mapping more than once.
#[derive(Debug)]
pub(crate) struct RepeatedAt {
    pub(crate) path: Arc<[Step]>,
    pub(crate) name: String,
    pub(crate) key: usize,
    pub(crate) value: usize,
}

/// The limits of reports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportLimits {
    /// The number of repetitions.
    pub(crate) most: usize,
    /// The bytes of all paths and names.
    pub(crate) bytes: usize,
}

/// Builds the tree of one document.
#[derive(Debug)]
pub(crate) struct TreeBuilder {
    open: Vec<Frame>,
    pub(crate) root: Option<Value>,
    pub(crate) repeated: Vec<RepeatedAt>,
    limits: ReportLimits,
}

#[derive(Debug)]
struct Frame {
    container: Container,
    start: usize,
    /// The path of this container, if it was needed.
    path: Option<Arc<[Step]>>,
}

#[derive(Debug)]
enum Container {
    Array(Vec<Value>),
    Object(Mapping),
}

#[derive(Debug, Default)]
struct Mapping {
    members: Map<String, Value>,
    next: Next,
    /// The members that merging added, which others may replace.
    merged: BTreeSet<String>,
}

/// The role of the next value of an object.
#[derive(Debug, Default)]
enum Next {
    #[default]
    Nothing,
    Member(String, usize),
    Merged,
}

impl TreeBuilder {
    pub(crate) fn new(limits: ReportLimits) -> Self {
        Self { open: Vec::new(), root: None, repeated: Vec::new(), limits }
    }

    /// Takes an event at an offset.
    pub(crate) fn take(&mut self, event: Event<'_>, offset: usize) -> Result<(), Failure> {
        match event {
            Event::Document => {}
            Event::Array => self.open(Container::Array(Vec::new()), offset),
            Event::Object => self.open(Container::Object(Mapping::default()), offset),
            Event::Key(key) => self.expect(Next::Member(key.into_owned(), offset)),
            Event::Merge => self.expect(Next::Merged),
            Event::End => {
                let Some(Frame { container, start, .. }) = self.open.pop() else { return Ok(()) };
                return self.place(container.into_value(), start);
            }
            scalar => {
                return scalar.into_scalar().map_or(Ok(()), |value| self.place(value, offset));
            }
        }
        Ok(())
    }

    fn open(&mut self, container: Container, start: usize) {
        self.open.push(Frame { container, start, path: None });
    }

    fn expect(&mut self, next: Next) {
        if let Some(Frame { container: Container::Object(object), .. }) = self.open.last_mut() {
            object.next = next;
        }
    }

    /// Adds a value to the innermost container.
    fn place(&mut self, value: Value, offset: usize) -> Result<(), Failure> {
        let object = match self.open.last_mut().map(|frame| &mut frame.container) {
            None => {
                self.root = Some(value);
                return Ok(());
            }
            Some(Container::Array(list)) => {
                list.push(value);
                return Ok(());
            }
            Some(Container::Object(object)) => object,
        };
        match std::mem::take(&mut object.next) {
            Next::Nothing => {}
            Next::Merged => return object.merge(value, offset),
            Next::Member(name, key) => {
                let is_repeated = match object.members.entry(name) {
                    Entry::Vacant(entry) => {
                        entry.insert(value);
                        None
                    }
                    Entry::Occupied(mut entry) => {
                        entry.insert(value);
                        (!object.merged.remove(entry.key())).then(|| entry.key().clone())
                    }
                };
                if let Some(name) = is_repeated {
                    self.report(name, key, offset);
                }
            }
        }
        Ok(())
    }

    fn report(&mut self, name: String, key: usize, value: usize) {
        if self.repeated.len() >= self.limits.most {
            return;
        }
        let path = self.path();
        match self.limits.bytes.checked_sub(name.len()).zip(path) {
            Some((left, path)) => {
                self.limits.bytes = left;
                self.repeated.push(RepeatedAt { path, name, key, value });
            }
            // Nothing more is reported, so no more paths are built.
            None => self.limits.most = 0,
        }
    }

    /// The path of the innermost container, which is built once for each. None if it is too long.
    fn path(&mut self) -> Option<Arc<[Step]>> {
        if let Some(path) = self.open.last().and_then(|frame| frame.path.clone()) {
            return Some(path);
        }
        let around = self.open.len().saturating_sub(1);
        let steps = self.open[..around].iter().filter_map(|frame| match &frame.container {
            Container::Array(list) => Some(Step::Element(list.len())),
            Container::Object(Mapping { next: Next::Member(name, _), .. }) => {
                Some(Step::Member(name.clone()))
            }
            Container::Object(_) => None,
        });
        let path: Arc<[Step]> = steps.collect();
        let length: usize = path.iter().map(Step::len).sum();
        self.limits.bytes = self.limits.bytes.checked_sub(length)?;
        if let Some(frame) = self.open.last_mut() {
            frame.path = Some(path.clone());
        }
        Some(path)
    }
}

/// The number of members up to which an object has room for more than twice as many.
const FEW: usize = 3;

impl Container {
    /// The value of a complete container, without the room that it had to grow: lists of one
    /// element would be mostly that.
    fn into_value(self) -> Value {
        match self {
            Self::Array(mut list) => {
                list.shrink_to_fit();
                Value::Array(list)
            }
            Self::Object(Mapping { members, .. }) if (1..FEW).contains(&members.len()) => {
                let mut exact = Map::with_capacity(members.len());
                exact.extend(members);
                Value::Object(exact)
            }
            Self::Object(object) => Value::Object(object.members),
        }
    }
}

impl Step {
    fn len(&self) -> usize {
        match self {
            Step::Member(name) => name.len(),
            Step::Element(_) => 1,
        }
    }
}

impl Mapping {
    /// Adds the members of a mapping, or of each mapping in a list. As in kubectl, they replace
    /// members that come before, and the first mapping of a list wins.
    fn merge(&mut self, value: Value, offset: usize) -> Result<(), Failure> {
        let mappings = match value {
            Value::Array(list) => list,
            other => vec![other],
        };
        for mapping in mappings.into_iter().rev() {
            let Value::Object(members) = mapping else {
                return Err(Failure::new(
                    ErrorKind::Value,
                    "only mappings can be merged by `<<`",
                    offset,
                ));
            };
            for (name, value) in members {
                self.merged.insert(name.clone());
                self.members.insert(name, value);
            }
        }
        Ok(())
    }
}
