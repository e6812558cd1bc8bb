//! Documents to model. Starts at the operations of the selected resources and follows references from there, so that
//! what nobody selected can neither be emitted nor fail the run.

mod externs;
mod facets;
mod fields;
mod hand_written;
mod kinds;
mod limits;
mod lists;
mod messages;
mod operations;
mod origin;
mod params;
mod paths;
mod rules;
mod template;
mod types;

use crate::Offered;
use crate::error::{Error, Errors};
use crate::index::ExternCrate;
use crate::library::Library;
use crate::model::{Api, GroupVersion, StandardParams};
use crate::names;
use crate::selection::Selection;
use externs::Externs;
use kinds::{Home, Packages, Served};
use operations::{FoundOperation, Operations};
use origin::{Origin, Use};
use std::collections::BTreeMap;
use types::Types;

/// Lowers what is selected.
pub fn lower(
    library: &Library,
    selection: &Selection,
    crates: &[ExternCrate],
    errors: &mut Errors,
) -> (Api, Vec<String>) {
    let found = operations::find(library);
    let namespaced = operations::namespaced(&found);
    selection.check(&by_group_version(&namespaced), errors);
    check_modules(&namespaced, selection, errors);
    let packages = Packages::new(library, selection);
    let documents = document_homes(library, &found, selection);
    let served = served(&found, &namespaced);
    let externs = Externs::new(crates);
    let mut api = Api { standard_params: standard_params(crates), ..Api::default() };
    let mut types = Types::new(library, selection, &packages, &documents, &served, &externs, errors);
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
    api.externs = std::mem::take(&mut types.extern_types);
    lists::settle(&mut api);
    let (used, notes) = (std::mem::take(&mut types.renames_used), std::mem::take(&mut types.notes));
    // Behind an error may be whatever a rename is about.
    if errors.is_empty() {
        selection.check_renames(&used, errors);
    }
    (api, notes)
}

/// Those of the runtime.
fn standard_params(crates: &[ExternCrate]) -> BTreeMap<String, StandardParams> {
    crates.iter().flat_map(|extern_crate| extern_crate.index.params.clone()).collect()
}

/// The resources of all documents, by group-version.
#[must_use]
pub fn offered(library: &Library) -> Offered {
    by_group_version(&operations::namespaced(&operations::find(library)))
}

fn by_group_version(namespaced: &BTreeMap<(GroupVersion, String), bool>) -> Offered {
    let mut offered = Offered::new();
    for (group_version, plural) in namespaced.keys() {
        offered.entry(group_version.clone()).or_default().insert(plural.clone());
    }
    offered
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
        if let Some(first) = found.iter().find(|found| found.document == index) {
            let group_version = first.resource.group_version.clone();
            return Home { module: kinds::module(&group_version, selection), group_version };
        }
        let stem = document.name.rsplit_once('.').map_or(document.name.as_str(), |(stem, _)| stem);
        Home { group_version: GroupVersion::default(), module: kinds::free_module(names::module(stem)) }
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

/// What is selected by name.
fn extra(types: &mut Types<'_>) {
    for (index, name) in types.selection.types.iter().enumerate() {
        let location = types.selection.type_location(index);
        if let Some(id) = types.library.named(name) {
            let origin = Origin::Named(location.document);
            types.of(&id, &Use::new(None, &origin));
            continue;
        }
        let near = names::nearest(name, types.library.names()).map(|near| format!("did you mean `{near}`?"));
        let help = near.unwrap_or_else(|| "say the whole name, as under `components/schemas`".to_owned());
        types.errors.push(Error::at(location, format!("no document has the schema `{name}`")).help(help));
    }
}
