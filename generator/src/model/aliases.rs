//! Types with several names.

use super::{Api, Module, TypeId};

/// A further name of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The type.
    pub target: TypeId,
    /// The pointer of the nested schema that the name is made of.
    pub schema: String,
}

impl Module {
    /// The names of all types, some of which have several, each with the schema that it is made of.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        let types = self.types.iter().map(|(name, def)| (name.as_str(), def.schema.as_str()));
        types.chain(self.aliases.iter().map(|(name, alias)| (name.as_str(), alias.schema.as_str())))
    }
}

impl Api {
    /// The ID of the type that a name is an alias of.
    #[must_use]
    pub fn resolve<'a>(&'a self, id: &'a TypeId) -> &'a TypeId {
        if id.package.is_some() {
            return id;
        }
        let alias = self.modules.get(&id.module).and_then(|module| module.aliases.get(&id.name));
        alias.map_or(id, |alias| &alias.target)
    }
}
