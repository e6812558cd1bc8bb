//! Documents to model. Starts at the operations of the selected resources and follows references
//! from there, so that other schemas can neither be emitted nor fail the run.

mod context;
mod defaults;
mod fields;
mod kinds;
mod listed;
mod modules;
mod nested;
mod operations;
mod parameters;
mod paths;
mod payloads;
mod rules;
mod substitutes;
mod type_names;
mod types;

use crate::error::{Error, Errors, Location};
use crate::input::Selection;
use crate::input::index::ExternCrate;
use crate::model::{Api, GroupVersion, StandardParams, TypeId};
use crate::names;
use crate::note::Note;
use crate::openapi::resolve::Documents;
use crate::openapi::schema::SchemaId;
use context::{Context, Externs, Origin, Usage};
use kapigen_definitions::schema_keywords::KINDS;
use kinds::Served;
use listed::Fitting;
use modules::{ModuleAssignment, Modules, Packages, Votes};
use nested::Shared;
use operations::{FoundOperation, Operations};
pub use paths::OtherPaths;
use std::collections::{BTreeMap, BTreeSet};
use type_names::{Claims, TypeNames};
use types::Types;

/// The nested schemas of a crate.
#[derive(Clone, Debug, Default)]
pub struct Nested {
    /// The ones that were lowered, by their paths.
    pub seen: BTreeSet<String>,
    /// The listed types that they fit, whether they became these or not.
    pub fitting: BTreeMap<String, String>,
    /// The listed types that they became.
    pub listed: BTreeMap<String, String>,
    /// The listed types that they fit, where nothing decides for one.
    pub undecided: BTreeMap<String, Vec<String>>,
    /// The ones with types of the crate, each with the one that its type is made of.
    pub types: BTreeMap<String, String>,
}

impl Nested {
    /// The nested schemas that are not listed types.
    pub fn own(&self) -> impl Iterator<Item = &String> {
        self.seen.iter().filter(|label| !self.listed.contains_key(*label))
    }

    /// The listed types that a crate has already for schemas that do not fit them any more.
    pub fn unfitting(&self) -> impl Iterator<Item = (String, String)> {
        let unfitting = self.listed.iter().filter(|(label, _)| !self.fitting.contains_key(*label));
        unfitting.map(|(label, name)| (label.clone(), name.clone()))
    }
}

/// Lowers the selection, and notes the names that were decided on.
pub fn lower(
    documents: &Documents,
    selection: &Selection,
    crates: &[ExternCrate],
    errors: &mut Errors,
) -> (Api, Nested, Vec<Note>) {
    let found = operations::find(documents);
    let namespaced = operations::namespaced(&found);
    selection.check(&by_group_version(&namespaced), errors);
    let mut notes = Vec::new();
    let votes = Votes::count(documents);
    let modules =
        Modules::new(&group_versions(documents, &found, &votes), selection, &mut notes, errors);
    let document_modules = document_modules(documents, &found, &modules);
    let served = served(&found, &namespaced);
    let packages = Packages::new(votes, &modules);
    let externs = Externs::new(crates);
    let Fitting { types: fitting, mut undecided, mut useless } =
        listed::find(documents, crates, selection, errors);
    let mut listed = selection.listed(&fitting);
    let context = Context::new(
        documents,
        selection,
        &packages,
        &document_modules,
        &served,
        &externs,
        &listed,
    );
    let pass = Pass { context, found: &found, namespaced: &namespaced, modules: &modules };
    let mut lowered = pass.run(&TypeNames::default());
    if let Some(names) = lowered.claims.resolve(documents) {
        lowered = pass.run(&names);
        notes.extend(names.notes(documents));
    }
    let Shared { types, of_versions } =
        nested::share(&lowered.schemas, documents, selection, &mut lowered.api);
    useless.retain(|label| !of_versions.contains(*label));
    selection.check_own(&useless, errors);
    errors.append(lowered.errors);
    // With an error, the target of a rename may be missing.
    if errors.is_empty() {
        selection.check_renames(&lowered.renames_used, errors);
        selection.check_same_as(&lowered.nested_seen, errors);
    }
    notes.extend(lowered.notes);
    let releases = selection.releases.clone();
    let api = Api { standard_params: standard_params(crates), releases, ..lowered.api };
    let seen = lowered.nested_seen;
    listed.retain(|label, _| seen.contains(label));
    undecided.retain(|label, _| seen.contains(label) && selection.is_undecided(label));
    (api, Nested { seen, fitting, listed, undecided, types }, notes)
}

/// One pass of lowering. There are two passes if types claim the same name: their names can only be
/// decided when all are known.
struct Pass<'a> {
    context: Context<'a>,
    found: &'a [FoundOperation<'a>],
    namespaced: &'a BTreeMap<(GroupVersion, String), bool>,
    modules: &'a Modules,
}

/// The result of a pass.
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
        let mut types = Types::new(self.context.clone(), names);
        let mut operations = Operations { types: &mut types, ids: BTreeMap::new() };
        for found in self.found {
            let group_version = &found.resource.group_version;
            if !self.context.selection.has(group_version, &found.resource.plural) {
                continue;
            }
            let assignment = ModuleAssignment {
                group_version: group_version.clone(),
                module: self.modules.get(group_version),
            };
            let key = (group_version.clone(), found.resource.plural.clone());
            operations.lower(
                found,
                &assignment,
                self.namespaced.get(&key).copied().unwrap_or_default(),
                &mut api,
            );
        }
        api.announced_params = operations.standard_params();
        lower_selected(&mut types);
        types.define_all(&mut api);
        let schemas = types.schemas();
        let Types { context, claims, extern_types, .. } = types;
        let Context { errors, notes, renames_used, nested_seen, .. } = context;
        api.externs = extern_types;
        kinds::settle_lists(&mut api);
        Lowered { api, claims, notes, errors, renames_used, nested_seen, schemas }
    }
}

/// The standard parameter structs of the runtime.
fn standard_params(crates: &[ExternCrate]) -> BTreeMap<String, StandardParams> {
    crates.iter().flat_map(|extern_crate| extern_crate.index.params.clone()).collect()
}

/// Plural names of the resources of each group-version.
pub type Offered = BTreeMap<GroupVersion, BTreeSet<String>>;

/// The resources of all documents, by group-version.
#[must_use]
pub fn offered(documents: &Documents) -> Offered {
    by_group_version(&operations::namespaced(&operations::find(documents)))
}

fn by_group_version(namespaced: &BTreeMap<(GroupVersion, String), bool>) -> Offered {
    let mut offered = Offered::new();
    for (group_version, plural) in namespaced.keys() {
        offered.entry(group_version.clone()).or_default().insert(plural.clone());
    }
    offered
}

/// Every group-version that has paths or schemas, and a location of it.
fn group_versions(
    documents: &Documents,
    found: &[FoundOperation<'_>],
    votes: &Votes<'_>,
) -> BTreeMap<GroupVersion, Location> {
    let mut known = votes.group_versions(documents);
    for found in found.iter().rev() {
        let location = documents.location_in(found.document, &found.path_pointer());
        known.insert(found.resource.group_version.clone(), location);
    }
    known
}

/// The module of each document: the module of its first path, or else one named after the document.
fn document_modules(
    documents: &Documents,
    found: &[FoundOperation<'_>],
    modules: &Modules,
) -> Vec<ModuleAssignment> {
    let mut firsts = BTreeMap::new();
    for found in found {
        firsts.entry(found.document).or_insert(found);
    }
    let assignments = documents.document_names().enumerate().map(|(index, document)| {
        if let Some(first) = firsts.get(&index) {
            let group_version = first.resource.group_version.clone();
            return ModuleAssignment { module: modules.get(&group_version), group_version };
        }
        let stem = document.rsplit_once('.').map_or(document, |(stem, _)| stem);
        ModuleAssignment {
            group_version: GroupVersion::default(),
            module: modules::free_module(names::module(stem)),
        }
    });
    assignments.collect()
}

/// The resource of every kind, whether it is selected or not.
fn served(
    found: &[FoundOperation<'_>],
    namespaced: &BTreeMap<(GroupVersion, String), bool>,
) -> Served {
    let mut served = Served::new();
    for FoundOperation { resource, operation, .. } in found {
        if resource.subresource.is_some() || resource.watch {
            continue;
        }
        let in_namespaces =
            namespaced.get(&(resource.group_version.clone(), resource.plural.clone()));
        if let Some(kind) = operation.extensions.get(KINDS).and_then(kinds::only_kind_in) {
            let entry = (resource.plural.clone(), in_namespaces.copied().unwrap_or_default());
            served.entry(kind).or_insert(entry);
        }
    }
    served
}

/// Lowers the schemas that are selected by name.
fn lower_selected(types: &mut Types<'_>) {
    let Context { documents, selection, .. } = types.context;
    for (index, name) in selection.types.iter().enumerate() {
        let location = selection.type_location(index);
        if let Some(id) = documents.named(name) {
            let origin = Origin::Named(location.document);
            _ = types.type_of(id, &Usage::new(None, &origin));
            continue;
        }
        let near =
            names::nearest(name, documents.names()).map(|near| format!("did you mean `{near}`?"));
        let help =
            near.unwrap_or_else(|| "give the full name, as under `components/schemas`".to_owned());
        types
            .context
            .errors
            .push(Error::at(location, format!("no document has the schema `{name}`")).help(help));
    }
}
