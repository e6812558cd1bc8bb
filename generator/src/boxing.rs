//! Decides which members live on the heap.
//!
//! Every optional object does, always: so the size of a struct never changes its interface. A required object stands
//! in its parent, unless it would contain itself.

use crate::model::{Api, Presence, Shape, Type, TypeDef, TypeId};
use std::collections::BTreeSet;

/// Sets [`Presence::Boxed`] where it belongs.
pub fn place(api: &mut Api) {
    let mut boxed = BTreeSet::new();
    for (owner, def) in api.types() {
        for field in def.fields() {
            let Type::Named(target) = &field.ty else { continue };
            let is_struct = api.get(target).is_some_and(|def| matches!(def.shape, Shape::Struct(_)));
            let contained = field.presence == Presence::Required && !contains(api, target, &owner, &mut BTreeSet::new());
            if is_struct && !contained {
                boxed.insert((owner.clone(), field.wire.clone()));
            }
        }
    }
    for (owner, wire) in boxed {
        let def = api.modules.get_mut(&owner.module).and_then(|module| module.types.get_mut(&owner.name));
        if let Some(TypeDef { shape: Shape::Struct(fields), .. }) = def {
            let field = fields.iter_mut().find(|field| field.wire == wire);
            field.into_iter().for_each(|field| field.presence = Presence::Boxed);
        }
    }
}

/// Whether every value of `outer` holds a value of `inner`.
fn contains(api: &Api, outer: &TypeId, inner: &TypeId, seen: &mut BTreeSet<TypeId>) -> bool {
    if outer == inner {
        return true;
    }
    if !seen.insert(outer.clone()) {
        return false;
    }
    let fields = api.get(outer).map(TypeDef::fields).unwrap_or_default();
    fields.iter().filter(|field| field.presence == Presence::Required).any(|field| match &field.ty {
        Type::Named(next) => contains(api, next, inner, seen),
        _ => false,
    })
}
