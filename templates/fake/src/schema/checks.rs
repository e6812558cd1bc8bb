//! The checks of definitions that need patterns and validation.

use super::pattern;
use kapigen_definitions::Checks;
use std::cell::Cell;

/// The checks of a definition.
#[derive(Debug)]
pub(crate) struct DefinitionChecks {
    /// The weight that its patterns may still have.
    weight: Cell<usize>,
}

impl Default for DefinitionChecks {
    fn default() -> Self {
        Self { weight: Cell::new(pattern::MOST_WEIGHT) }
    }
}

impl Checks for DefinitionChecks {
    fn pattern(&self, pattern: &str) -> Option<String> {
        let mut left = self.weight.get();
        let checked = pattern::check(pattern, &mut left);
        self.weight.set(left);
        checked.err()
    }
}
