//! The causes for which values are refused, and the work that may be spent to find them.

use kapigen_definitions::{Cause, Path, quoted};
use serde_json::json;

/// The causes, and the number of checks that held: if all alternatives fail, the one with the most
/// is reported.
#[derive(Default)]
pub(in crate::schema) struct Findings {
    pub(in crate::schema) causes: Vec<Cause>,
    pub(super) held: usize,
    /// The remaining work: each check costs one, as does each choice, and each cause the bytes of
    /// its message.
    pub(super) budget: usize,
}

/// The most checks for one object: more than any schema in use needs for an object that fits into
/// the store of a server.
pub(super) const MOST_WORK: usize = 1 << 25;

impl Findings {
    /// Nothing yet, for an object of its own.
    pub(in crate::schema) fn with_work() -> Self {
        Self { budget: MOST_WORK, ..Self::default() }
    }

    pub(super) fn spend(&mut self, work: usize) {
        self.budget = self.budget.saturating_sub(work);
    }

    pub(in crate::schema) fn push(&mut self, cause: Cause) {
        self.spend(cause.field.len() + cause.message.len() + cause.pointer.len());
        self.causes.push(cause);
    }

    /// Adds the refusal of a combination, which names no field.
    pub(super) fn refuse(&mut self, path: Path<'_>, why: &str) {
        let why = format!("{} must {why}", quoted(&path.to_string()));
        self.push(Cause::invalid("<nil>", &json!(""), &why));
    }

    /// Adds a cause, unless the budget is used up.
    pub(in crate::schema) fn add(&mut self, cause: impl FnOnce() -> Cause) {
        if !self.is_full() {
            self.push(cause());
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.budget == 0
    }

    pub(super) fn is_valid(&self) -> bool {
        self.causes.is_empty()
    }

    /// Adds the causes of a result. Returns the number of its checks that held.
    pub(super) fn merge(&mut self, result: Self) -> usize {
        self.causes.extend(result.causes);
        result.held
    }
}
