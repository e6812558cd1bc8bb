//! The standard parameter structs, which the runtime has for all crates.

use super::draft::{Draft, NonStandard, Signature, drafts};
use super::{Field, ParamsDef};
use crate::model::json_type::JsonType;
use crate::model::{Api, StandardParams};
use crate::note::Note;
use std::collections::{BTreeMap, BTreeSet};

/// The parameter structs that the runtime has for all crates: for each verb the set that most
/// operations take, and further parameters of newer servers.
#[must_use]
pub fn standard(api: &Api) -> BTreeMap<&'static str, ParamsDef<'_>> {
    let drafts = drafts(api);
    let sets = frequent_sets(&drafts);
    let mut defs = BTreeMap::new();
    for (name, set) in sets {
        let mut drafts = drafts.iter().filter(|draft| draft.standard_name() == Some(name));
        if let Some(draft) = drafts.find(|draft| draft.signature() == set) {
            let further = api.announced_params.get(name).map_or(&[][..], Vec::as_slice);
            defs.insert(name, draft.def_with(further));
        }
    }
    defs
}

impl StandardParams {
    /// The entry of a parameter struct in an index.
    #[must_use]
    pub fn from_def(def: &ParamsDef<'_>) -> Self {
        let query = def
            .params
            .iter()
            .map(|Field { param, .. }| (param.wire.clone(), JsonType::for_type(&param.ty)));
        Self { query: query.collect(), options: def.options.is_some() }
    }
}

/// For each verb the set of parameters that most of its operations have.
fn frequent_sets<'a>(drafts: &[Draft<'a>]) -> BTreeMap<&'static str, Signature<'a>> {
    let mut counts: BTreeMap<&'static str, Vec<(Signature<'a>, usize)>> = BTreeMap::new();
    for draft in drafts {
        let Some(name) = draft.standard_name() else { continue };
        let signature = draft.signature();
        let sets = counts.entry(name).or_default();
        match sets.iter_mut().find(|(set, _)| *set == signature) {
            Some((_, count)) => *count += 1,
            None => sets.push((signature, 1)),
        }
    }
    let most = counts.into_iter().filter_map(|(name, sets)| {
        // Of equally frequent sets the first one wins.
        let (set, _) = sets.into_iter().rev().max_by_key(|(_, count)| *count)?;
        Some((name, set))
    });
    most.collect()
}

/// The fewest resources that are worth a note: with fewer, a struct of its own is the nature of the
/// resource.
const MANY: usize = 5;

/// Notes the parameters that give many resources parameter structs of their own.
#[must_use]
pub fn notes(api: &Api) -> Vec<Note> {
    let mut causes = BTreeMap::<_, (BTreeSet<_>, _)>::new();
    for draft in drafts(api) {
        let cause = match draft.standard(&api.standard_params) {
            Ok(_) | Err(NonStandard::OfItsKind) => continue,
            Err(NonStandard::Required(param)) => (param.wire.as_str(), "required".to_owned()),
            Err(NonStandard::Type(param)) => {
                (param.wire.as_str(), format!("of the type {}", JsonType::for_type(&param.ty)))
            }
        };
        let (resources, _) =
            causes.entry(cause).or_insert_with(|| (BTreeSet::new(), &draft.operation.location));
        resources.insert(draft.resource);
    }
    let many = causes.into_iter().filter(|(_, (resources, _))| resources.len() >= MANY);
    let notes = many.map(|((name, reason), (resources, location))| Note {
        message: format!(
            "{} resources have parameter structs of their own in place of the standard ones, \
             because the query parameter `{name}` is {reason}",
            resources.len()
        ),
        location: location.clone(),
        help: Some("if servers do not publish it so, correct the documents".to_owned()),
    });
    notes.collect()
}
