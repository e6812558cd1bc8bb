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

/// Compares two models, and returns the changes for users of the crate that is generated from them,
/// in the order of the paths of their items.
#[must_use]
pub fn diff(old: &Api, new: &Api) -> Vec<Change> {
    let before = interface::Interface::new(old, &names::Names::old(old, new));
    let now = interface::Interface::new(new, &names::Names::new(new));
    compare::interfaces(&before, &now)
}
