//! The Cargo features of a crate: one for each module, and one for each resource that is selected
//! apart from its module.

use super::wellknown::META;
use super::{Api, Module, Operation, TypeDef, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// A feature: of another crate, if there is one, and its name.
pub type Feature<'a> = (Option<&'a str>, &'a str);

/// A type by module and name.
type Name<'a> = (&'a str, &'a str);

/// The features that reach a type, by module and name.
type Gates<'a> = BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<&'a str>>>;

/// The features of a crate.
#[derive(Clone, Debug, Default)]
pub struct Features<'a> {
    /// The features that each one needs.
    pub needs: BTreeMap<&'a str, BTreeSet<Feature<'a>>>,
    /// The types that only some features reach, of which one is of a resource apart.
    gates: Gates<'a>,
}

impl<'a> Features<'a> {
    /// The features of the modules and resources of an API.
    #[must_use]
    pub fn new(api: &'a Api) -> Self {
        let reach = Reach::new(api);
        let gates = reach.gates();
        let mut needs = BTreeMap::new();
        for (name, module) in &api.modules {
            let own = module.types.iter().filter(|(ty, _)| !is_gated(&gates, (name, ty)));
            let types = own.map(|(_, def)| def).chain(reach.gated(name, &gates));
            let mut others = needed(api, types, operations(module, None));
            let targets = module.aliases.values().map(|alias| (None, alias.target.module.as_str()));
            others.extend(targets);
            others.remove(&(None, name.as_str()));
            needs.insert(name.as_str(), others);
            for (_, feature) in module.apart() {
                let reached = reach.gated(feature, &gates);
                let mut others = needed(api, reached, operations(module, Some(feature)));
                others.insert((None, name.as_str()));
                needs.insert(feature, others);
            }
        }
        Self { needs, gates }
    }

    /// The features with one of which a type exists; none for a type that its module always has.
    #[must_use]
    pub fn gate(&self, module: &str, name: &str) -> Option<&BTreeSet<&'a str>> {
        self.gates.get(module)?.get(name)
    }
}

/// The operations of the resources with a feature, or of all without one.
fn operations<'a>(
    module: &'a Module,
    feature: Option<&'a str>,
) -> impl Iterator<Item = &'a Operation> {
    let resources = module.resources.values();
    let resources = resources.filter(move |resource| resource.feature.as_deref() == feature);
    resources.flat_map(|resource| &resource.operations)
}

fn is_gated(gates: &Gates<'_>, (module, name): Name<'_>) -> bool {
    gates.get(module).is_some_and(|types| types.contains_key(name))
}

/// The features of the types that these types and operations name.
fn needed<'a>(
    api: &'a Api,
    types: impl Iterator<Item = &'a TypeDef>,
    operations: impl Iterator<Item = &'a Operation>,
) -> BTreeSet<Feature<'a>> {
    let mut needs = BTreeSet::new();
    let mut note = |id: &'a TypeId| {
        let feature = api.externs.get(id).and_then(|ty| ty.feature.as_deref());
        needs.insert((id.package.as_deref(), feature.unwrap_or(&id.module)));
    };
    types.flat_map(TypeDef::fields).for_each(|field| field.ty.each_named(&mut note));
    operations.for_each(|operation| operation.each_named(&mut note));
    needs
}

/// The types that each feature reaches, in all modules. Empty without a resource apart.
struct Reach<'a> {
    api: &'a Api,
    types: BTreeMap<&'a str, BTreeSet<Name<'a>>>,
}

impl<'a> Reach<'a> {
    fn new(api: &'a Api) -> Self {
        let mut reach = Self { api, types: BTreeMap::new() };
        for module in api.modules.values() {
            for (_, feature) in module.apart() {
                let types = reach.from(Vec::new(), operations(module, Some(feature)));
                reach.types.insert(feature, types);
            }
        }
        if reach.types.is_empty() {
            return reach;
        }
        for (name, module) in api.modules.iter().filter(|(name, _)| *name != META) {
            let own = module.types.keys().map(|ty| (name.as_str(), ty.as_str()));
            let own = own
                .filter(|ty| module.apart().all(|(_, feature)| !reach.types[feature].contains(ty)));
            let types = reach.from(own.collect(), operations(module, None));
            reach.types.insert(name, types);
        }
        reach
    }

    fn from(
        &self,
        mut waiting: Vec<Name<'a>>,
        operations: impl Iterator<Item = &'a Operation>,
    ) -> BTreeSet<Name<'a>> {
        for operation in operations {
            operation.each_named(&mut |id| waiting.extend(self.own(id)));
        }
        let mut found = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            if found.insert(name) {
                for field in self.def(name).into_iter().flat_map(TypeDef::fields) {
                    field.ty.each_named(&mut |id| waiting.extend(self.own(id)));
                }
            }
        }
        found
    }

    /// The name of a type, unless it is one of another crate.
    fn own(&self, id: &'a TypeId) -> Option<Name<'a>> {
        let id = self.api.resolve(id);
        id.package.is_none().then_some((id.module.as_str(), id.name.as_str()))
    }

    fn def(&self, (module, name): Name<'_>) -> Option<&'a TypeDef> {
        self.api.modules.get(module)?.types.get(name)
    }

    /// The types of each module that a resource apart reaches, and the module without it does not.
    fn gates(&self) -> Gates<'a> {
        let mut gates = Gates::new();
        for (name, module) in &self.api.modules {
            let of_feature = module.apart().flat_map(|(_, feature)| &self.types[feature]);
            let Some(own) = self.types.get(name.as_str()) else { continue };
            for ty in of_feature.filter(|ty| ty.0 == name && !own.contains(ty)) {
                let reaches = self.types.iter().filter(|(_, types)| types.contains(ty));
                let reaches = reaches.map(|(feature, _)| *feature).collect();
                gates.entry(ty.0).or_default().insert(ty.1, reaches);
            }
        }
        gates
    }

    /// The types behind gates that a feature reaches.
    fn gated(&self, feature: &str, gates: &Gates<'a>) -> impl Iterator<Item = &'a TypeDef> {
        let types = self.types.get(feature).into_iter().flatten();
        types.filter(|ty| is_gated(gates, **ty)).filter_map(|ty| self.def(*ty))
    }
}
