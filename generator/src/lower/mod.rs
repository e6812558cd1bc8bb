//! Documents to model. Starts at the operations of the selected resources and follows references from there, so that
//! what nobody selected can neither be emitted nor fail the run.

mod combined;
mod externs;
mod facets;
mod fields;
mod hand_written;
mod kinds;
mod limits;
mod lists;
mod merging;
mod messages;
mod modules;
mod nested;
mod operations;
mod origin;
mod other_paths;
mod params;
mod paths;
mod rules;
mod same_as;
mod template;
mod type_names;
mod types;

use crate::error::{Error, Errors, Location};
use crate::input::Selection;
use crate::input::index::ExternCrate;
use crate::model::{Api, GroupVersion, StandardParams, TypeId};
use crate::names;
use crate::note::Note;
use crate::openapi::resolve::{Library, SchemaId};
use crate::pointer::escape;
use externs::Externs;
use kinds::{Home, Packages, Served, Votes};
use modules::Modules;
use operations::{FoundOperation, Operations};
use origin::{Origin, Use};
pub use other_paths::OtherPaths;
use std::collections::{BTreeMap, BTreeSet};
use type_names::{Claims, TypeNames};
use types::Types;

/// Lowers what is selected, and notes which names had to be decided on.
pub fn lower(
    library: &Library,
    selection: &Selection,
    crates: &[ExternCrate],
    errors: &mut Errors,
) -> (Api, Vec<Note>) {
    let found = operations::find(library);
    let namespaced = operations::namespaced(&found);
    selection.check(&by_group_version(&namespaced), errors);
    let mut notes = Vec::new();
    let votes = Votes::count(library);
    let modules = Modules::new(&group_versions(library, &found, &votes), selection, &mut notes, errors);
    let documents = document_homes(library, &found, &modules);
    let served = served(&found, &namespaced);
    let packages = Packages::new(votes, &modules);
    let externs = Externs::new(crates);
    let context =
        Context { library, selection, packages: &packages, documents: &documents, served: &served, externs: &externs };
    let pass = Pass { context, found: &found, namespaced: &namespaced, modules: &modules };
    let mut lowered = pass.run(&TypeNames::default());
    if let Some(names) = lowered.claims.resolve(library) {
        lowered = pass.run(&names);
        notes.extend(names.notes(library));
    }
    nested::share(&lowered.schemas, selection, &mut lowered.api);
    errors.append(lowered.errors);
    // Behind an error may be whatever a rename is about.
    if errors.is_empty() {
        selection.check_renames(&lowered.renames_used, errors);
        selection.check_same_as(&lowered.nested_seen, errors);
    }
    notes.extend(lowered.notes);
    (Api { standard_params: standard_params(crates), ..lowered.api }, notes)
}

/// All that types are made of.
#[derive(Clone, Copy)]
struct Context<'a> {
    library: &'a Library,
    selection: &'a Selection,
    packages: &'a Packages,
    /// The group-version of each document, for schemas that do not say theirs.
    documents: &'a [Home],
    served: &'a Served,
    externs: &'a Externs<'a>,
}

/// All that lowering looks at. It runs twice where types claim the same name: which of them has which can only be
/// decided when all are known.
struct Pass<'a> {
    context: Context<'a>,
    found: &'a [FoundOperation<'a>],
    namespaced: &'a BTreeMap<(GroupVersion, String), bool>,
    modules: &'a Modules,
}

/// What came of it.
struct Lowered {
    api: Api,
    claims: Claims,
    notes: Vec<Note>,
    errors: Errors,
    renames_used: BTreeSet<String>,
    nested_seen: BTreeSet<String>,
    /// The schema of each type.
    schemas: BTreeMap<TypeId, SchemaId>,
}

impl Pass<'_> {
    fn run(&self, names: &TypeNames) -> Lowered {
        let mut api = Api::default();
        let mut errors = Errors::default();
        let mut types = Types::new(&self.context, names, &mut errors);
        let mut operations = Operations { types: &mut types, ids: BTreeMap::new() };
        for found in self.found {
            let group_version = &found.resource.group_version;
            if !self.context.selection.has(group_version, &found.resource.plural) {
                continue;
            }
            let home = Home { group_version: group_version.clone(), module: self.modules.of(group_version) };
            let key = (group_version.clone(), found.resource.plural.clone());
            operations.lower(found, &home, self.namespaced.get(&key).copied().unwrap_or_default(), &mut api);
        }
        extra(&mut types);
        types.finish(&mut api);
        let schemas = types.schemas();
        let Types { claims, notes, renames_used, nested_seen, extern_types, .. } = types;
        api.externs = extern_types;
        lists::settle(&mut api);
        Lowered { api, claims, notes, errors, renames_used, nested_seen, schemas }
    }
}

/// The standard parameter structs, which are those of the runtime.
fn standard_params(crates: &[ExternCrate]) -> BTreeMap<String, StandardParams> {
    crates.iter().flat_map(|extern_crate| extern_crate.index.params.clone()).collect()
}

/// Plural names of the resources of each group-version.
pub type Offered = BTreeMap<GroupVersion, BTreeSet<String>>;

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

/// Every group-version that has paths or schemas, and a place of it.
fn group_versions(
    library: &Library,
    found: &[FoundOperation<'_>],
    votes: &Votes<'_>,
) -> BTreeMap<GroupVersion, Location> {
    let mut known = votes.group_versions(library);
    for found in found.iter().rev() {
        let pointer = format!("/paths/{}", escape(found.path));
        let location = Location::pointer(&library.documents[found.document].name, pointer);
        known.insert(found.resource.group_version.clone(), location);
    }
    known
}

/// The group-version of each document: that of its first path, or else its name.
fn document_homes(library: &Library, found: &[FoundOperation<'_>], modules: &Modules) -> Vec<Home> {
    let home = |(index, document): (usize, &crate::openapi::document::Document)| {
        if let Some(first) = found.iter().find(|found| found.document == index) {
            let group_version = first.resource.group_version.clone();
            return Home { module: modules.of(&group_version), group_version };
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
    for (index, name) in types.context.selection.types.iter().enumerate() {
        let location = types.context.selection.type_location(index);
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
