//! Changes of the Rust interface of a crate, from one model to another; and of the definitions that
//! they are made of.
//!
//! Two models become two interfaces: modules, types, parameter structs and functions by their
//! paths. An item with another name for the same schema is compared under its new name. Each change
//! is reported at the item that has it, and not at the items that use it.

mod change;
mod compare;
pub mod definitions;
mod interface;
mod names;
mod report;

pub use change::{Change, ChangeKind, Item, ItemKind};
pub use report::{json, markdown, text};

use crate::model::Api;
use std::collections::BTreeSet;

/// States of each breaking change whether a crate that is generated over the older one holds its
/// interface against it. `over` is the model of that crate.
pub fn state_held(changes: &mut [Change], old: &Api, over: &Api) {
    let left: BTreeSet<_> = diff(old, over)
        .into_iter()
        .filter(Change::is_breaking)
        .map(|change| (change.item, change.kind, change.part))
        .collect();
    for change in changes.iter_mut().filter(|change| change.is_breaking()) {
        let key = (change.item.clone(), change.kind, change.part.clone());
        change.held = Some(!left.contains(&key));
    }
}

/// Compares two models, and returns the changes for users of the crate that is generated from them,
/// in the order of the paths of their items.
#[must_use]
pub fn diff(old: &Api, new: &Api) -> Vec<Change> {
    let old_interface = interface::Interface::new(old, &names::Names::old(old, new));
    let new_interface = interface::Interface::new(new, &names::Names::new(new));
    compare::compare(&old_interface, &new_interface)
}
