// not vendored
//! The steps that an evaluation may take.

use super::outcome::{Evaluated, Failure, error};
use crate::schema::pattern::{Compiled, compile};
use regex::Regex;
use std::collections::HashMap;

/// The greatest weight of a pattern.
const HEAVIEST_PATTERN: usize = 1 << 13;
/// The product of the weight of a pattern and the bytes of a string that costs as much as an
/// expression.
const MATCHED_PER_STEP: usize = 16;
/// The bytes of a string that cost as much as an expression.
const BYTES_PER_STEP: usize = 32;

/// The steps that may still be taken, and the patterns that were paid for.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    patterns: HashMap<String, Compiled>,
}

impl Budget {
    pub(super) fn new(steps: u64) -> Self {
        Self { left: steps, patterns: HashMap::new() }
    }

    /// The steps that are left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Takes steps: one for each expression, each element that is visited, and some bytes.
    pub(super) fn spend(&mut self, steps: usize) -> Evaluated<()> {
        let left = self.left.checked_sub(steps as u64);
        self.left = left.unwrap_or_default();
        if left.is_some() { Ok(()) } else { Err(Failure::Exhausted) }
    }

    /// Takes the steps of visiting some bytes.
    pub(super) fn spend_bytes(&mut self, bytes: usize) -> Evaluated<()> {
        self.spend(bytes / BYTES_PER_STEP)
    }

    /// A compiled pattern, paid for with a match of a string.
    pub(super) fn pattern(&mut self, pattern: &str, text: &str) -> Evaluated<Regex> {
        let known = if let Some(known) = self.patterns.get(pattern) {
            known.clone()
        } else {
            let compiled = compile(pattern, HEAVIEST_PATTERN).or_else(error)?;
            self.spend(pattern.len() + compiled.weight)?;
            self.patterns.insert(pattern.to_owned(), compiled.clone());
            compiled
        };
        self.spend(1 + known.weight * text.len() / MATCHED_PER_STEP)?;
        Ok(known.regex)
    }
}
