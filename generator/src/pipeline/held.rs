//! Lowering over a crate that exists, so that its interface stays.

use super::lowering::{Model, OwnDocuments, ReadDocuments, lower_once};
use super::signatures;
use crate::diff::{self, Change};
use crate::error::{Error, Errors};
use crate::functions;
use crate::hold::{self, Accepted, Interface};
use crate::input::index::ExternCrate;
use crate::input::selection::{HeldNames, rename_key};
use crate::input::{Existing, Selection, Sources};
use crate::model::{Api, GroupVersion, TypeId};
use crate::names;
use crate::openapi::load::{self, RawDocument};
use crate::openapi::resolve::Documents;
use std::collections::{BTreeMap, BTreeSet};

/// Lowers documents that were read. With a crate that exists, its interface stays.
pub(super) fn lower(
    sources: &Sources,
    read: ReadDocuments,
    raws: Vec<RawDocument>,
    selection: Selection,
    externs: &[ExternCrate],
    done: &mut dyn FnMut(&'static str),
) -> Result<(Model, OwnDocuments), Errors> {
    let Some(existing) = &sources.existing else {
        let given = selection.clone();
        let (mut model, own) = lower_once(sources, read, raws, selection, externs, done)?;
        model.interface = interface(&model, &given, Interface::default());
        return Ok((model, OwnDocuments { own, published: None }));
    };
    HeldRun { sources, read, selection, externs, existing }.lower(raws, done)
}

/// The parts of an interface that lowering the new documents would change.
struct Changed {
    /// The names of types and fields, as entries of `rename`.
    rename: hold::Names,
    /// The schemas of types that are not reached any more.
    types: BTreeSet<String>,
    /// The schemas that were types of their own and became one.
    apart: BTreeMap<String, String>,
    /// The query parameters that would change the arguments of functions.
    operations: hold::Parameters,
}

impl Changed {
    fn new((before, types): (&Api, &hold::Equal), made: &Model, raws: &[RawDocument]) -> Self {
        let Model { api: made, nested, .. } = made;
        let known: BTreeSet<String> =
            raws.iter().flat_map(|raw| hold::schema_names(&raw.value)).collect();
        let mut missing = hold::missing_types(before, made);
        missing.retain(|name| known.contains(name));
        Self {
            rename: hold::differing(before, made),
            types: missing,
            apart: hold::united(types, &nested.types),
            operations: signatures::further(before, made),
        }
    }

    fn is_empty(&self) -> bool {
        self.rename.is_empty()
            && self.types.is_empty()
            && self.apart.is_empty()
            && self.operations.is_empty()
    }
}

struct HeldRun<'a> {
    sources: &'a Sources,
    read: ReadDocuments,
    selection: Selection,
    externs: &'a [ExternCrate],
    existing: &'a Existing,
}

/// The most passes. Holding one name can free or take another, so lowering is repeated until no more
/// names change.
const MOST_PASSES: usize = 4;

impl HeldRun<'_> {
    fn lower(
        &self,
        mut raws: Vec<RawDocument>,
        done: &mut dyn FnMut(&'static str),
    ) -> Result<(Model, OwnDocuments), Errors> {
        let (old, Model { api: before, nested, .. }, mut names) = self.before()?;
        let accepted = self.accepted(&before);
        let own = nested.own().filter(|label| !is_accepted(&accepted, label));
        let own: BTreeSet<String> = own.cloned().collect();
        let all_listed = nested.listed.iter().chain(&names.same_as);
        let listed: BTreeMap<String, String> = all_listed
            .filter(|(label, _)| !is_accepted(&accepted, label))
            .map(|(label, name)| (label.clone(), name.clone()))
            .collect();
        let published = raws.clone();
        let mut report = hold::Report::default();
        let release = self.release();
        let keep: BTreeSet<String> = self.keep().cloned().collect();
        let gone = hold::hold(&old, &mut raws, &accepted, &keep, &release, &mut report);
        if !gone.is_empty() {
            return Err(not_given(&gone));
        }
        let mut equal = hold::equal(&nested.types);
        for labels in &mut equal {
            labels.retain(|one| !is_accepted(&accepted, one));
        }
        hold::unite_equal(&mut raws, &equal, &mut report);
        names.apart.retain(|label, _| !is_accepted(&accepted, label));
        let modules = modules(&before);
        let mut passes = 0;
        let (mut model, own) = loop {
            let held = HeldNames {
                modules: modules.clone(),
                rename: names.rename.clone(),
                own: own.clone(),
                listed: listed.clone(),
                apart: names.apart.clone(),
                is_lenient: false,
            };
            let selection = self.selection.holding(held, names.types.iter().cloned());
            let made =
                lower_once(self.sources, self.read, raws.clone(), selection, self.externs, done)?;
            let mut changed = Changed::new((&before, &nested.types), &made.0, &raws);
            changed.rename.retain(|key, _| !self.selection.renames().contains_key(key));
            changed.types.retain(|name| !names.types.contains(name));
            changed.apart.retain(|label, _| !is_accepted(&accepted, label));
            changed.operations.retain(|operation, _| !accepted.contains(operation));
            passes += 1;
            if changed.is_empty() || passes == MOST_PASSES {
                break made;
            }
            hold::leave_out(&mut raws, &changed.operations, &mut report);
            names.rename.extend(changed.rename);
            names.types.extend(changed.types);
            names.apart.extend(changed.apart);
        };
        self.judge(&before, &model.api)?;
        model.interface = interface(&model, &self.selection, names);
        model.held = report;
        let mut errors = Errors::default();
        let holds_any = model.held != hold::Report::default();
        let published = holds_any.then(|| (self.read)(published, &mut errors));
        errors.into_result((model, OwnDocuments { own, published }))
    }

    /// The documents of the crate as its interface has them, its model and its names.
    fn before(&self) -> Result<(Vec<RawDocument>, Model, Interface), Errors> {
        let read = self.existing.interface.as_ref().map(Interface::read).transpose()?;
        let interface = read.unwrap_or_default();
        let mut errors = Errors::default();
        let raws = self.existing.documents.iter().map(load::document);
        let raws: Vec<RawDocument> = raws.filter_map(|raw| errors.ok(raw)).collect();
        let mut raws = errors.into_result(raws)?;
        interface.apply(&mut raws);
        let drop: BTreeSet<GroupVersion> =
            self.dropped().map(|version| GroupVersion::parse(version)).collect();
        raws.retain(|raw| {
            let versions = hold::group_versions(&raw.value);
            versions.is_empty()
                || versions.iter().any(|version| {
                    let version = GroupVersion::parse(version);
                    !drop.contains(&version) && self.selection.has_any(&version)
                })
        });
        let modules: BTreeMap<GroupVersion, String> = interface
            .modules
            .iter()
            .map(|(name, module)| (GroupVersion::parse(name), module.clone()))
            .collect();
        let held = HeldNames {
            modules,
            rename: interface.rename.clone(),
            own: interface.own.clone(),
            apart: interface.apart.clone(),
            is_lenient: true,
            ..HeldNames::default()
        };
        let selection =
            self.selection.of_crate(held, interface.same_as.clone(), interface.types.clone());
        let (model, _) = lower_once(
            self.sources,
            Documents::new,
            raws.clone(),
            selection,
            self.externs,
            &mut |_| {},
        )?;
        Ok((raws, model, interface))
    }

    fn release(&self) -> String {
        let releases =
            self.selection.releases.iter().map(|(name, version)| format!("{name} {version}"));
        releases.collect::<Vec<_>>().join(", ")
    }

    fn keep(&self) -> impl Iterator<Item = &String> {
        self.existing.holding.keep.iter().chain(self.selection.keep.keys())
    }

    fn dropped(&self) -> impl Iterator<Item = &String> {
        self.existing.holding.drop.iter().chain(self.selection.drop.keys())
    }

    fn accept(&self) -> BTreeSet<&str> {
        let given = self.existing.holding.accept.iter().chain(self.selection.accept.keys());
        given.map(String::as_str).collect()
    }

    /// The schemas, members and operations that are accepted by their names in Rust.
    fn accepted(&self, before: &Api) -> Accepted {
        let names = self.accept();
        let mut accepted = Accepted::new();
        if names.is_empty() {
            return accepted;
        }
        for (id, def) in before.types() {
            let is_whole = names.contains(id.to_string().as_str());
            accepted.extend(is_whole.then(|| def.schema.clone()));
            let fields = def.fields().iter().filter(|field| {
                is_whole || names.contains(format!("{id}.{}", field.name).as_str())
            });
            accepted.extend(fields.map(|field| rename_key(&def.schema, Some(&field.wire))));
        }
        for ((module, _), resource) in functions::plan(before).resources {
            for function in &resource.functions {
                let name = format!("{module}::{}::{}", resource.module, function.name);
                if names.contains(name.as_str()) {
                    let operation = function.operation;
                    accepted.insert(format!("{} {}", operation.method, operation.path));
                }
            }
        }
        accepted
    }

    /// Refuses what could not be held.
    fn judge(&self, before: &Api, now: &Api) -> Result<(), Errors> {
        if self.existing.holding.accept_all {
            return Ok(());
        }
        let accept = self.accept();
        let mut errors = Errors::default();
        for change in diff::diff(before, now).iter().filter(|change| change.is_breaking()) {
            let is_accepted = accept.contains(change.item.path.as_str())
                || accept.contains(name(change).as_str());
            if !is_accepted {
                errors.push(refusal(change, before, now));
            }
        }
        errors.into_result(())
    }
}

/// Whether the type of a nested schema may change: it is accepted, or the member that has it is.
fn is_accepted(accepted: &Accepted, label: &str) -> bool {
    accepted.iter().any(|name| {
        let member = name.rsplit_once('.').map(|(schema, member)| {
            label.strip_prefix(schema)?.strip_prefix("/properties/")?.strip_prefix(member)
        });
        let rest = member.flatten().or(label.strip_prefix(name.as_str()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// The name of a change's item or part, as `--accept` takes it.
fn name(change: &Change) -> String {
    let part = change.part.as_ref().map(|part| format!(".{part}"));
    format!("{}{}", change.item.path, part.unwrap_or_default())
}

fn refusal(change: &Change, before: &Api, now: &Api) -> Error {
    let forms = match (&change.old, &change.new) {
        (Some(old), Some(new)) => format!(": `{old}` would be `{new}`"),
        (Some(old), None) => format!(": `{old}` would be gone"),
        _ => String::new(),
    };
    let name = name(change);
    let message = format!("`{name}` cannot be held ({}){forms}", change.kind.as_str());
    let id = change.item.path.split_once("::").map(|(module, name)| TypeId::own(module, name));
    let def = id.and_then(|id| now.get(&id).or(before.get(&id)).map(|def| def.location.clone()));
    let error = match def {
        Some(location) => Error::at(location, message),
        None => Error::new(message),
    };
    error.help(format!(
        "take the new form with `--accept {name}`, or under `accept` in groups.yaml; programs that \
         use it must change"
    ))
}

fn not_given(gone: &BTreeSet<String>) -> Errors {
    let mut errors = Errors::default();
    for version in gone {
        let error = Error::new(format!("the crate has `{version}`, and no document does"));
        errors.push(error.help(format!(
            "give its document; or keep it as it is with `--keep {version}`, or remove it with \
             `--drop {version}`"
        )));
    }
    errors
}

fn modules(api: &Api) -> BTreeMap<GroupVersion, String> {
    let versioned =
        api.modules.iter().filter(|(_, module)| !module.group_version.version.is_empty());
    versioned.map(|(name, module)| (module.group_version.clone(), name.clone())).collect()
}

/// The groups and versions that only the older model has.
pub(super) fn lost(old: &Api, new: &Api) -> BTreeSet<String> {
    let left = modules(new);
    let lost = modules(old).into_keys().filter(|version| !left.contains_key(version));
    lost.map(|version| version.api_version()).collect()
}

/// The names of a crate that documents do not give. `held` are the ones that this run held.
fn interface(model: &Model, selection: &Selection, held: Interface) -> Interface {
    let Model { api, nested, .. } = model;
    let own = nested.own().filter(|label| {
        nested.fitting.contains_key(*label) && !selection.same().contains_key(*label)
    });
    let modules = modules(api).into_iter().filter(|(version, module)| {
        names::default_module(&version.group, &version.version).as_ref() != Some(module)
    });
    let modules = modules.map(|(version, module)| (version.api_version(), module));
    let apart = selection.own().iter().filter_map(|label| nested.types.get_key_value(label));
    let apart = apart.map(|(label, first)| (label.clone(), first.clone())).chain(held.apart);
    let mut rename = held.rename;
    rename.extend(selection.renames().clone());
    Interface {
        modules: modules.collect(),
        rename,
        same_as: selection.same().clone().into_iter().chain(nested.unfitting()).collect(),
        own: own.cloned().collect(),
        apart: apart.collect(),
        types: held.types,
        held: BTreeMap::new(),
    }
}
