//! The limits of what a JSON patch may make of a value, and of what that may cost.

use serde_json::Value;

/// The greatest depth to which a patch nests values: recursion over deeper ones would exhaust the stack.
pub(super) const DEEPEST: usize = 256;

/// The most elements that a patch may shift: a list shifts all elements behind one that is inserted or removed. As many
/// steps as servers take, 10,000, may each remove the first element of a list of 10,000.
pub(super) const MOST_SHIFTS: usize = 50_000_000;

/// A limit that a value exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Excess {
    /// The copies are much larger than the value and the patch.
    Size,
    /// The value is nested more than [`DEEPEST`] levels deep.
    Depth,
    /// The steps shift more than [`MOST_SHIFTS`] elements of lists.
    Shifts,
}

/// The remaining budget of a patch. Each step is charged before it is applied.
#[derive(Debug)]
pub(super) struct Budget {
    /// The number of values that copies may still add. Each copy can double the value: all of them together may add as
    /// much as patch and value have, a hundred times.
    values: usize,
    /// The number of elements that may still be shifted.
    shifts: usize,
}

impl Budget {
    /// The budget of a patch for a value.
    pub(super) fn of(target: &Value, operations: &[Value]) -> Self {
        let values = 100 * (size(target) + operations.iter().map(size).sum::<usize>());
        Self { values, shifts: MOST_SHIFTS }
    }

    /// Pays for a value that is to stand below so many levels.
    ///
    /// # Errors
    /// When it makes the result too large or too deep.
    pub(super) fn charge(&mut self, value: &Value, levels: usize) -> Result<(), Excess> {
        self.values = self.values.checked_sub(size(value)).ok_or(Excess::Size)?;
        check_depth(value, levels)
    }

    /// Pays for the elements behind one that is to be inserted or removed.
    ///
    /// # Errors
    /// When the steps shift too many.
    pub(super) fn shift(&mut self, elements: usize) -> Result<(), Excess> {
        self.shifts = self.shifts.checked_sub(elements).ok_or(Excess::Shifts)?;
        Ok(())
    }
}

/// Checks a value that is to stand below so many levels.
///
/// # Errors
/// When it would be too deep.
fn check_depth(value: &Value, levels: usize) -> Result<(), Excess> {
    if levels + depth(value) > DEEPEST { Err(Excess::Depth) } else { Ok(()) }
}

/// The number of levels of a value.
fn depth(value: &Value) -> usize {
    let inner = match value {
        Value::Array(elements) => elements.iter().map(depth).max(),
        Value::Object(members) => members.values().map(depth).max(),
        _ => None,
    };
    1 + inner.unwrap_or_default()
}

/// The number of values in a value. Long strings and keys count as several.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(size).sum::<usize>(),
        Value::Object(members) => 1 + members.iter().map(|(key, value)| key.len() / 64 + size(value)).sum::<usize>(),
        Value::String(text) => 1 + text.len() / 64,
        _ => 1,
    }
}
