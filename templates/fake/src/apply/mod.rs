//! Who owns which fields: server-side apply, and the record of all other writes.

mod compare;
mod managers;
mod merge;
mod remove;
mod set;
mod typed;

pub(crate) use managers::{Manager, Managers};
pub(crate) use typed::check;

use crate::schema::{SchemaId, Schemas};
use compare::{Comparison, compare};
use serde_json::Value;
use set::Set;

/// A field that an apply would change, and the manager who owns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The manager as a server names it: `"kubectl" using v1`.
    pub(crate) manager: String,
    pub(crate) field: String,
}

/// A schema, and those that it refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Typed<'a> {
    pub(crate) schemas: &'a Schemas,
    pub(crate) schema: SchemaId,
}

impl Typed<'_> {
    fn at(self, schema: SchemaId) -> Self {
        Self { schema, ..self }
    }
}

/// Records that a write made `new` of `old`.
pub(crate) fn update(typed: Typed<'_>, old: &Value, new: &Value, managers: &mut Managers, by: &Manager, time: &str) {
    let comparison = compare(typed, old, new).without_identity();
    managers.give_way(None, &comparison);
    let mut own = comparison.added;
    own.insert_all(&comparison.modified);
    if !own.is_empty() {
        managers.own_more(by, &own, time);
    }
}

/// The outcome of an apply.
#[derive(Debug)]
pub(crate) enum Applied {
    /// The object as it shall be.
    Changed(Value),
    /// Nothing but the record of the managers changes.
    Same,
    Conflicts(Vec<Conflict>),
}

/// Applies a configuration: merges it, removes what its manager applied before and no longer does, and records who owns
/// what. Members of other managers are not changed, unless it is forced.
pub(crate) fn apply(
    typed: Typed<'_>,
    live: &Value,
    config: &Value,
    managers: &mut Managers,
    by: &Manager,
    force: bool,
) -> Applied {
    let merged = merge::merge(typed, live, config);
    // With identity, which pruning must not take for abandoned.
    let own = typed::owned(typed, config);
    let last = managers.replace(by, own);
    let new = match last {
        Some(last) if !last.is_empty() => prune(typed, &merged, managers, &last),
        _ => merged,
    };
    managers.forget_identity();
    let comparison = compare(typed, live, &new).without_identity();
    let conflicts = managers.conflicts(by, &comparison);
    if !force && !conflicts.is_empty() {
        return Applied::Conflicts(conflicts);
    }
    managers.give_way(Some(by), &comparison);
    // A new order of elements is a change of nobody's fields.
    if comparison.is_empty() && new == *live { Applied::Same } else { Applied::Changed(new) }
}

/// Removes what the manager owned before and nobody owns now.
fn prune(typed: Typed<'_>, merged: &Value, managers: &Managers, last: &Set) -> Value {
    let named = |set: &Set| set.with_named_fields(typed);
    let pruned = remove::remove(typed, merged, &named(last));
    let mut kept = named(&typed::owned(typed, &pruned));
    for set in managers.sets() {
        kept.insert_all(&named(set));
    }
    let all = named(&typed::owned(typed, merged));
    let pruned = remove::remove(typed, merged, &all.difference(&kept));
    // What the manager never owned stays, whoever does.
    let dangling = all.difference(&named(&typed::owned(typed, &pruned))).intersection(&named(last));
    remove::remove(typed, merged, &dangling)
}

impl Comparison {
    fn without_identity(mut self) -> Self {
        for set in [&mut self.added, &mut self.modified, &mut self.removed] {
            *set = std::mem::take(set).without_identity();
        }
        self
    }
}
