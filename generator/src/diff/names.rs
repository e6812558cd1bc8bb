//! Types and modules of the old model under their names in the new one.

use crate::model::wellknown::RUNTIME;
use crate::model::{Api, GroupVersion, Type, TypeId};
use std::collections::BTreeMap;

/// The names of one model's types, such that a type has the same one in both models.
pub(super) struct Names<'a> {
    api: &'a Api,
    /// The new model.
    current: &'a Api,
    /// New names of modules and types that are no longer found under the old ones.
    modules: BTreeMap<&'a str, &'a str>,
    types: BTreeMap<TypeId, TypeId>,
}

impl<'a> Names<'a> {
    /// The names of the new model.
    pub(super) fn new(api: &'a Api) -> Self {
        Self { api, current: api, modules: BTreeMap::new(), types: BTreeMap::new() }
    }

    /// The names of the old model.
    pub(super) fn old(old: &'a Api, new: &'a Api) -> Self {
        let mut names = Self { current: new, modules: renamed_modules(old, new), ..Self::new(old) };
        let kept: Vec<TypeId> = old.types().map(|(id, _)| names.key(&id)).collect();
        let mut by_schema: BTreeMap<&str, TypeId> =
            new.types().map(|(id, def)| (def.schema.as_str(), id)).collect();
        // A type that was there under the name of another is not that other one's successor.
        by_schema.retain(|_, id| !kept.contains(id));
        let gone = old.types().filter(|(id, _)| new.get(&names.key(id)).is_none());
        let renamed =
            gone.filter_map(|(id, def)| Some((id, by_schema.get(def.schema.as_str())?.clone())));
        names.types = renamed.collect();
        names
    }

    /// The current name of a module.
    pub(super) fn module<'n>(&'n self, name: &'n str) -> &'n str {
        self.modules.get(name).copied().unwrap_or(name)
    }

    /// Whether a type itself was renamed, and not only its module.
    pub(super) fn is_renamed(&self, id: &TypeId) -> bool {
        self.types.contains_key(id)
    }

    /// The current name of a type that is one of several.
    pub(super) fn key(&self, id: &TypeId) -> TypeId {
        match self.types.get(id) {
            Some(renamed) => renamed.clone(),
            None if id.package.is_none() => TypeId::own(self.module(&id.module), &id.name),
            // The runtime's types are in each crate under the same names.
            None => TypeId {
                package: id.package.clone().filter(|package| package != RUNTIME),
                ..id.clone()
            },
        }
    }

    /// The current form of the name that a type is defined under in its own model, by one of its
    /// names.
    pub(super) fn definition(&self, id: &TypeId) -> TypeId {
        self.key(self.api.resolve(id))
    }

    /// The current name of the type to which a name refers.
    pub(super) fn target(&self, id: &TypeId) -> TypeId {
        self.current.resolve(&self.definition(id)).clone()
    }

    /// A type by current names.
    pub(super) fn ty(&self, ty: &Type) -> Type {
        match ty {
            Type::Named(id) => Type::Named(self.target(id)),
            Type::List(inner) => Type::List(Box::new(self.ty(inner))),
            Type::Map(inner) => Type::Map(Box::new(self.ty(inner))),
            Type::Nullable(inner) => Type::Nullable(Box::new(self.ty(inner))),
            plain => plain.clone(),
        }
    }
}

/// The modules of group-versions that have another name now.
fn renamed_modules<'a>(old: &'a Api, new: &'a Api) -> BTreeMap<&'a str, &'a str> {
    let current = by_version(new);
    let pairs = by_version(old)
        .into_iter()
        .filter_map(|(version, name)| Some((name, *current.get(version)?)));
    pairs
        .filter(|(before, now)| {
            !new.modules.contains_key(*before) && !old.modules.contains_key(*now)
        })
        .collect()
}

fn by_version(api: &Api) -> BTreeMap<&GroupVersion, &str> {
    // Modules of types that belong to no group have none.
    let modules = api.modules.iter().filter(|(_, module)| !module.group_version.version.is_empty());
    modules.map(|(name, module)| (&module.group_version, name.as_str())).collect()
}
