//! Documents to model. Starts at the operations of the selected resources and follows references from there, so that
//! what nobody selected can neither be emitted nor fail the run.

mod facets;
mod fields;
mod kinds;
mod messages;
mod operations;
mod origin;
mod params;
mod paths;
mod types;

use crate::error::{Error, Errors};
use crate::library::Library;
use crate::model::{Api, GroupVersion};
use crate::names;
use crate::selection::Selection;
use crate::wellknown;
use kinds::{Home, Packages, Served};
use operations::{FoundOperation, Operations};
use origin::{Origin, Use};
use std::collections::{BTreeMap, BTreeSet};
use types::Types;

/// Lowers what is selected.
pub fn lower(library: &Library, selection: &Selection, errors: &mut Errors) -> Api {
    let found = operations::find(library);
    let namespaced = operations::namespaced(&found);
    check_selection(&namespaced, selection, errors);
    check_modules(&namespaced, selection, errors);
    let packages = Packages::new(library, selection);
    let documents = document_homes(library, &found, selection);
    let served = served(&found, &namespaced);
    let mut api = Api::default();
    let mut types = Types::new(library, selection, &packages, &documents, &served, errors);
    needed(&mut types);
    let mut operations = Operations { types: &mut types, ids: BTreeMap::new() };
    for found in &found {
        let group_version = &found.resource.group_version;
        if !selection.has(group_version, &found.resource.plural) {
            continue;
        }
        let home = Home { group_version: group_version.clone(), module: kinds::module(group_version, selection) };
        let key = (group_version.clone(), found.resource.plural.clone());
        operations.lower(found, &home, namespaced.get(&key).copied().unwrap_or_default(), &mut api);
    }
    extra(&mut types);
    types.finish(&mut api);
    let used = std::mem::take(&mut types.renames_used);
    // Behind an error may be whatever a rename is about.
    if errors.is_empty() {
        selection.check_renames(&used, errors);
    }
    api
}

/// Reports selected groups and resources that no document has.
fn check_selection(namespaced: &BTreeMap<(GroupVersion, String), bool>, selection: &Selection, errors: &mut Errors) {
    let mut offered: BTreeMap<GroupVersion, BTreeSet<String>> = BTreeMap::new();
    for (group_version, plural) in namespaced.keys() {
        offered.entry(group_version.clone()).or_default().insert(plural.clone());
    }
    selection.check(&offered, errors);
}

/// Reports groups whose types would end up in one module.
fn check_modules(namespaced: &BTreeMap<(GroupVersion, String), bool>, selection: &Selection, errors: &mut Errors) {
    let mut owners: BTreeMap<String, &GroupVersion> = BTreeMap::new();
    for (group_version, _) in namespaced.keys().filter(|(group_version, plural)| selection.has(group_version, plural)) {
        let module = kinds::module(group_version, selection);
        if let Some(other) = owners.insert(module.clone(), group_version).filter(|other| *other != group_version) {
            let (one, two) = (other.api_version(), group_version.api_version());
            let help = "give one of them another name in groups.yaml, with `module`";
            errors.push(Error::new(format!("`{one}` and `{two}` would both be the module `{module}`")).help(help));
        }
    }
}

/// The group-version of each document: that of its first path, or else its name.
fn document_homes(library: &Library, found: &[FoundOperation<'_>], selection: &Selection) -> Vec<Home> {
    let home = |(index, document): (usize, &crate::document::Document)| {
        let first = found.iter().find(|found| found.document == index);
        match first.map(|found| found.resource.group_version.clone()) {
            Some(group_version) => Home { module: kinds::module(&group_version, selection), group_version },
            None => {
                let stem = document.name.rsplit_once('.').map_or(document.name.as_str(), |(stem, _)| stem);
                Home { group_version: GroupVersion::default(), module: kinds::free_module(names::module(stem)) }
            }
        }
    };
    library.documents.iter().enumerate().map(home).collect()
}

/// The resource of every kind, whether it is selected or not.
fn served(found: &[FoundOperation<'_>], namespaced: &BTreeMap<(GroupVersion, String), bool>) -> Served {
    let mut served = Served::new();
    for FoundOperation { resource, operation, .. } in found {
        if resource.subresource.is_some() || resource.watch {
            continue;
        }
        let in_namespaces = namespaced.get(&(resource.group_version.clone(), resource.plural.clone()));
        for kind in kinds::kinds_in(&operation.extensions) {
            let entry = (resource.plural.clone(), in_namespaces.copied().unwrap_or_default());
            served.entry(kind).or_insert(entry);
        }
    }
    served
}

/// What the hand-written part of the crate uses.
fn needed(types: &mut Types<'_>) {
    let origin = Origin::Named("every crate".to_owned());
    for name in wellknown::NEEDED {
        match types.library.named(name) {
            Some(id) => drop(types.of(&id, &Use::new(None, &origin))),
            None => {
                let error = Error::new(format!("no document has the schema `{name}`"))
                    .help("give a document that has it; every document of an API server does");
                types.report(error, &origin);
            }
        }
    }
}

/// What is selected by name.
fn extra(types: &mut Types<'_>) {
    for (index, name) in types.selection.types.iter().enumerate() {
        let location = types.selection.type_location(index);
        let origin = Origin::Named(location.document.clone());
        match types.library.named(name) {
            Some(id) => drop(types.of(&id, &Use::new(None, &origin))),
            None => {
                let near = names::nearest(name, types.library.names()).map(|near| format!("did you mean `{near}`?"));
                let help = near.unwrap_or_else(|| "say the whole name, as under `components/schemas`".to_owned());
                types.fail_at(location, format!("no document has the schema `{name}`"), &help, &origin);
            }
        }
    }
}
