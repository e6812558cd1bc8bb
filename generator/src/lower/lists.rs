//! Lists whose items are no kind.

use crate::model::{Api, Role, TypeDef};

/// Makes kinds like any other of them: items without a kind cannot be paged through as objects are.
pub(super) fn settle(api: &mut Api) {
    let of_others = |def: &TypeDef| match def.kind.as_ref().map(|kind| &kind.role) {
        Some(Role::List { item }) => !api.is_kind(item),
        _ => false,
    };
    let lists: Vec<_> = api.types().filter(|(_, def)| of_others(def)).map(|(id, _)| id).collect();
    for id in lists {
        if let Some(kind) = api.get_mut(&id).and_then(|def| def.kind.as_mut()) {
            kind.role = Role::Other;
        }
    }
}
