//! Free JSON as a tree with leaves that keep their spelling, so that two texts can be compared part
//! by part.

use crate::codec::{Slot, Value, View};
use crate::lexer::{self, KEY, Lexer};
use crate::values::RawJson;
use std::collections::BTreeMap;

/// The depth from which on arrays and objects are leaves: a walk of the tree must not exhaust the
/// stack.
const DEPTH: usize = 64;

/// A value of free JSON.
pub(super) enum RawTree {
    Leaf(RawJson),
    List(Vec<RawTree>),
    Map(BTreeMap<String, RawTree>),
}

impl RawTree {
    /// The tree of an array or object. `None` for all other JSON.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        match Self::parse(&mut Lexer::new(text), DEPTH) {
            Ok(tree) if !matches!(tree, RawTree::Leaf(_)) => Some(tree),
            // A key with a lone surrogate is not a string of Rust.
            _ => None,
        }
    }

    fn parse(lexer: &mut Lexer<'_>, depth: usize) -> lexer::Result<Self> {
        match lexer.peek() {
            b'[' if depth > 0 => Self::list(lexer, depth - 1),
            b'{' if depth > 0 => Self::map(lexer, depth - 1),
            _ => Ok(RawTree::Leaf(RawJson::from_valid(lexer.raw()?))),
        }
    }

    fn list(lexer: &mut Lexer<'_>, depth: usize) -> lexer::Result<Self> {
        let mut elements = Vec::new();
        lexer.at += 1;
        if lexer.peek() == b']' {
            lexer.at += 1;
            return Ok(RawTree::List(elements));
        }
        loop {
            elements.push(Self::parse(lexer, depth)?);
            if !lexer.comma_or_close(b']')? {
                return Ok(RawTree::List(elements));
            }
        }
    }

    fn map(lexer: &mut Lexer<'_>, depth: usize) -> lexer::Result<Self> {
        let mut entries = BTreeMap::new();
        lexer.at += 1;
        if lexer.peek() == b'}' {
            lexer.at += 1;
            return Ok(RawTree::Map(entries));
        }
        loop {
            let key = lexer.string(KEY)?.to_owned();
            lexer.colon()?;
            entries.insert(key, Self::parse(lexer, depth)?);
            if !lexer.comma_or_close(b'}')? {
                return Ok(RawTree::Map(entries));
            }
        }
    }
}

impl Value for RawTree {
    fn empty() -> Self {
        RawTree::Leaf(RawJson::default())
    }

    /// A tree is only looked at.
    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Absent
    }

    fn view(&self) -> View<'_> {
        match self {
            RawTree::Leaf(json) => json.view(),
            RawTree::List(elements) => elements.view(),
            RawTree::Map(entries) => entries.view(),
        }
    }
}
