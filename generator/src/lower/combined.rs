//! Schemas that consist of others: `allOf`, `oneOf` and `anyOf`.

use super::facets::{Facets, says_nothing};
use super::origin::Use;
use super::types::Types;
use crate::model::Type;
use crate::model::wellknown;
use crate::openapi::resolve::SchemaId;
use indexmap::IndexMap;
use openapiv3::ReferenceOr;

impl Types<'_> {
    /// Nothing of its own: what the branches of `allOf`, `oneOf` and `anyOf` say.
    pub(super) fn combined(
        &mut self,
        id: &SchemaId,
        facets: &Facets<'_>,
        how: &Use<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        match (facets.all_of, facets.one_of, facets.any_of) {
            _ if self.only_constrained(id, facets) => Some(Type::WellKnown(wellknown::ANY)),
            ([only], [], []) => {
                let id = self.target(id, only, how.origin)?;
                self.ty(&id, how, chain)
            }
            ([], _, _) => self.out_of_scope(id, "a choice between schemas (`oneOf`, `anyOf`)", how.origin),
            _ => self.out_of_scope(id, "`allOf` with more than one schema", how.origin),
        }
    }

    /// Whether no branch says what a value is: `anyOf: [{required: [a]}, {required: [b]}]` only says what it needs.
    pub(super) fn only_constrained(&self, id: &SchemaId, facets: &Facets<'_>) -> bool {
        let mut branches = facets.all_of.iter().chain(facets.one_of).chain(facets.any_of);
        branches.all(|branch| {
            let ReferenceOr::Reference { reference } = branch else { return false };
            let branch = self.library.resolve(id.document, reference).ok().filter(|branch| branch.name().is_none());
            let schema = branch.as_ref().and_then(|branch| self.library.schema(branch));
            schema.is_some_and(says_nothing)
        })
    }

    /// Whether an object has all of its members in `properties`. Beside them, branches of `allOf`, `oneOf` and `anyOf`
    /// may only say more of the same members, as validation rules of custom resources do.
    pub(super) fn complete(&mut self, id: &SchemaId, facets: &Facets<'_>, how: &Use<'_>) -> bool {
        for branch in facets.all_of.iter().chain(facets.one_of).chain(facets.any_of) {
            let Some(branch) = self.target(id, branch, how.origin) else { return false };
            let own = |member: &String| facets.properties.is_some_and(|properties| properties.contains_key(member));
            let members = self.library.schema(&branch).and_then(|schema| Facets::of(schema).properties);
            if branch.name().is_some() || !members.into_iter().flat_map(IndexMap::keys).all(own) {
                self.out_of_scope(id, "an object with members beside those in `properties`", how.origin);
                return false;
            }
        }
        true
    }
}
