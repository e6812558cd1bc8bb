//! Decides which members live on the heap.
//!
//! Every optional object does, always: so the size of a struct never changes its interface. A required object stands
//! in its parent, unless it would contain itself.

use crate::model::{Api, Presence, Type, TypeDef, TypeId};
use std::collections::BTreeSet;

/// Sets [`Presence::Boxed`] where it belongs.
pub fn place(api: &mut Api) {
    let mut boxed = BTreeSet::new();
    for (owner, def) in api.types() {
        for field in def.fields() {
            let Type::Named(target) = &field.ty else { continue };
            let is_struct = api.is_struct(target);
            let contained = field.presence == Presence::Required && !contains(api, target, &owner);
            if is_struct && !contained {
                boxed.insert((owner.clone(), field.wire.clone()));
            }
        }
    }
    for (owner, wire) in boxed {
        let fields = api.get_mut(&owner).map(TypeDef::fields_mut).unwrap_or_default();
        for field in fields.iter_mut().filter(|field| field.wire == wire) {
            field.presence = Presence::Boxed;
        }
    }
}

/// Whether every value of `outer` holds a value of `inner`.
fn contains(api: &Api, outer: &TypeId, inner: &TypeId) -> bool {
    let mut seen = BTreeSet::new();
    let mut held = vec![outer];
    while let Some(next) = held.pop() {
        if next == inner {
            return true;
        }
        if seen.insert(next) {
            let fields = api.get(next).map(TypeDef::fields).unwrap_or_default();
            let required = fields.iter().filter(|field| field.presence == Presence::Required);
            held.extend(required.filter_map(|field| if let Type::Named(id) = &field.ty { Some(id) } else { None }));
        }
    }
    false
}
