//! Types of other crates, and queries of types of this or another crate.

use super::{Api, Role, Shape, TypeDef, TypeId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The query parameters of a standard parameter struct, which the runtime has.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StandardParams {
    /// JSON types of the query parameters, by their names.
    pub query: BTreeMap<String, String>,
    /// Whether the struct has `DeleteOptions` for the request body.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub options: bool,
}

/// A type of another crate that the emitted one uses.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternType {
    /// Whether it is a struct.
    pub is_struct: bool,
    /// Whether its objects state an `apiVersion` and a `kind`.
    pub is_kind: bool,
    /// The type of its items, if it is the list of a kind.
    pub item: Option<TypeId>,
}

impl Api {
    /// Whether a type is a struct.
    #[must_use]
    pub fn is_struct(&self, id: &TypeId) -> bool {
        let own = self.get(id).map(|def| matches!(def.shape, Shape::Struct(_)));
        own.or_else(|| self.externs.get(id).map(|ty| ty.is_struct)).unwrap_or_default()
    }

    /// Whether the objects of a type state an `apiVersion` and a `kind`.
    #[must_use]
    pub fn is_kind(&self, id: &TypeId) -> bool {
        let own = self.get(id).map(|def| def.kind.is_some());
        own.or_else(|| self.externs.get(id).map(|ty| ty.is_kind)).unwrap_or_default()
    }

    /// The type of the items of a list of a kind.
    #[must_use]
    pub fn list_item(&self, id: &TypeId) -> Option<&TypeId> {
        match self.get(id).and_then(|def| Some(&def.kind.as_ref()?.role)) {
            Some(Role::List { item }) => Some(item),
            Some(_) => None,
            None => self.externs.get(id)?.item.as_ref(),
        }
    }

    /// For each module the other modules that it cannot do without, each with the crate that has it if that is another.
    #[must_use]
    pub fn module_needs<'a>(&'a self) -> BTreeMap<&'a str, BTreeSet<(Option<&'a str>, &'a str)>> {
        let mut needs = BTreeMap::new();
        for (name, module) in &self.modules {
            let mut others = BTreeSet::new();
            let mut note = |id: &'a TypeId| _ = others.insert((id.package.as_deref(), id.module.as_str()));
            module.types.values().flat_map(TypeDef::fields).for_each(|field| field.ty.each_named(&mut note));
            module.resources.values().flat_map(|r| &r.operations).for_each(|operation| operation.each_named(&mut note));
            others.remove(&(None, name.as_str()));
            needs.insert(name.as_str(), others);
        }
        needs
    }
}
