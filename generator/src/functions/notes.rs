//! Notes on parameter structs.

use super::draft::{Misfit, drafts};
use crate::model::Api;
use crate::model::json_type::json_type;
use crate::note::Note;
use std::collections::{BTreeMap, BTreeSet};

/// The fewest resources that are worth a note: with fewer, a struct of its own is the nature of the resource.
const MANY: usize = 5;

/// Notes the parameters because of which many resources have parameter structs of their own.
#[must_use]
pub fn notes(api: &Api) -> Vec<Note> {
    let mut causes = BTreeMap::<_, (BTreeSet<_>, _)>::new();
    for draft in drafts(api) {
        let cause = match draft.standard(&api.standard_params) {
            Ok(_) | Err(Misfit::OfItsKind) => continue,
            Err(Misfit::Required(param)) => (param.wire.as_str(), "required".to_owned()),
            Err(Misfit::Type(param)) => (param.wire.as_str(), format!("of the type {}", json_type(&param.ty))),
        };
        let (resources, _) = causes.entry(cause).or_insert_with(|| (BTreeSet::new(), &draft.operation.location));
        resources.insert(draft.resource);
    }
    let many = causes.into_iter().filter(|(_, (resources, _))| resources.len() >= MANY);
    let note = |((name, reason), (resources, location)): (_, (BTreeSet<_>, &_))| Note {
        message: format!(
            "{} resources have parameter structs of their own in place of the standard ones, because the query \
             parameter `{name}` is {reason}",
            resources.len()
        ),
        location: Clone::clone(location),
        help: Some("if servers do not publish it so, correct the documents".to_owned()),
    };
    many.map(note).collect()
}
