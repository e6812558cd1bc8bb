//! Definitions of custom resources among the files of a run, and the documents that a server
//! publishes for them.

mod manifests;
mod names;
mod notes;
mod refusals;

use super::Source;
use super::dropped::{Dropped, disputed, dropped};
use crate::error::{Error, Errors, Location, Position};
use crate::note::Note;
use crate::parallel;
use crate::visible;
use kapigen_definitions::{Definition, Document, Incomplete, documents_with_all_members};
pub(crate) use manifests::skipped;
use manifests::{Manifest, Objects, objects, reader};
use notes::Finding;
use refusals::{End, Indexed, Refusal};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The definitions of a run.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    manifests: Vec<Manifest>,
    /// The documents, by the names that errors use.
    documents: BTreeMap<String, Document>,
    /// The number of objects of other kinds in the same files.
    pub(crate) others: usize,
    /// The number of manifests that are patches of others.
    patches: usize,
    /// Notes on scalars that a server takes for something else.
    disputed: Vec<Note>,
}

/// Takes the definitions out of the sources. Returns which sources have some.
pub(crate) fn find(sources: &[Source], errors: &mut Errors) -> (Definitions, Vec<bool>) {
    let mut definitions = Definitions::default();
    let found = parallel::map(sources.iter().enumerate().collect(), objects);
    let mut has_some = Vec::new();
    for (source, objects) in sources.iter().zip(found) {
        has_some.push(!matches!(objects, Ok(None)));
        let Some(objects) = errors.ok(objects).flatten() else { continue };
        let Objects { manifests, others, errors: repeated, disputed: scalars, .. } = objects;
        definitions.disputed.extend(disputed(&source.name, scalars));
        for error in repeated {
            errors.push(error);
        }
        definitions.others += others;
        definitions.manifests.extend(manifests);
    }
    (definitions, has_some)
}

impl Definitions {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.manifests.is_empty()
    }

    /// The number of definitions.
    pub(crate) fn len(&self) -> usize {
        self.manifests.len() - self.patches
    }

    /// The definitions as they were given.
    pub(crate) fn manifests(&self) -> Vec<&Value> {
        self.manifests.iter().map(|manifest| &manifest.value).collect()
    }

    /// The definitions as they were given.
    pub(crate) fn into_manifests(self) -> Vec<Value> {
        self.manifests.into_iter().map(|manifest| manifest.value).collect()
    }

    /// Makes the documents that a server publishes, each with its name, and notes the parts that a
    /// server does not accept.
    pub(crate) fn publish(
        &mut self,
        sources: &[Source],
        errors: &mut Errors,
        notes: &mut Vec<Note>,
    ) -> Vec<(String, Value)> {
        let mut refusals = Vec::new();
        let mut read = Vec::new();
        let mut unread = Vec::new();
        for (index, manifest) in self.manifests.iter().enumerate() {
            match Definition::read(&manifest.value) {
                Ok(definition) => read.push(Indexed { index, definition }),
                Err(absent) => unread.push((index, absent)),
            }
        }
        let names: BTreeSet<&str> = read.iter().map(|one| one.definition.name()).collect();
        let (patches, unread): (Vec<_>, Vec<_>) =
            unread.into_iter().partition(|(index, _)| self.is_patch(*index, &names));
        let (mistyped, unknown) = self.dropped(&patches);
        refusals.extend(mistyped);
        for (index, absent) in unread {
            refusals.extend(refusals::incomplete(index, &self.manifests[index].value, absent));
        }
        let ends: Vec<End> = sources.iter().map(|source| End::parse(&source.text)).collect();
        let mut cut_ones = BTreeSet::new();
        for one in &read {
            let cut = refusals::cut(one, ends[self.manifests[one.index].source]);
            cut_ones.extend(cut.first().map(|_| one.index));
            refusals.extend(cut);
        }
        // The rest of one that is cut may serve a version.
        let unserved = refusals::unserved(&read).into_iter();
        refusals.extend(unserved.filter(|refusal| !cut_ones.contains(&refusal.place.0)));
        refusals.extend(refusals::repeated(&read));
        refusals.extend(refusals::too_many_versions(&read));
        refusals.extend(read.iter().filter_map(refusals::one_kind));
        refusals.extend(read.iter().flat_map(names::placeholders));
        notes.extend(self.notes(read.iter().flat_map(names::refused).collect(), sources));
        self.refuse(refusals, sources, errors);
        self.others += patches.len();
        self.patches = patches.len();
        notes.append(&mut self.disputed);
        let mut findings = unknown;
        findings.extend(read.iter().flat_map(notes::not_structural));
        findings.extend(notes::left_out(&read));
        findings.extend(patches.iter().map(|(index, _)| self.skipped_patch(*index)));
        for finding in &mut findings {
            finding.message = visible::cut(std::mem::take(&mut finding.message));
        }
        notes.extend(self.notes(findings, sources));
        let definitions: Vec<Definition<'_>> = read.into_iter().map(|one| one.definition).collect();
        let mut made = Vec::new();
        for mut document in documents_with_all_members(&definitions) {
            let name = format!("{}/{}", document.group(), document.version());
            made.push((name.clone(), document.take_value()));
            self.documents.insert(name, document);
        }
        made
    }

    /// Whether a manifest is a patch of one that is read, as kustomize applies it: it has the same
    /// name, and no resource.
    fn is_patch(&self, index: usize, names: &BTreeSet<&str>) -> bool {
        let manifest = &self.manifests[index].value;
        let spec = &manifest["spec"];
        let name = manifest["metadata"]["name"].as_str();
        spec["group"].is_null()
            && spec["names"].is_null()
            && name.is_some_and(|name| names.contains(name))
    }

    /// The fields that servers drop: errors where they seem to be mistyped, and notes.
    fn dropped(&self, patches: &[(usize, Vec<Incomplete>)]) -> (Vec<Refusal>, Vec<Finding>) {
        let patches: BTreeSet<usize> = patches.iter().map(|(index, _)| *index).collect();
        let mut refusals = Vec::new();
        let mut notes = Vec::new();
        let manifests = self.manifests.iter().enumerate();
        for (index, manifest) in manifests.filter(|(index, _)| !patches.contains(index)) {
            for Dropped { pointer, message, meant } in dropped(&manifest.value) {
                match meant {
                    Some(meant) => {
                        let help = format!("did you mean `{meant}`?");
                        refusals.push(Refusal::new(index, pointer, message, help));
                    }
                    None => notes.push(Finding { index, pointer, message }),
                }
            }
        }
        (refusals, notes)
    }

    /// Reports refusals where they are in the sources.
    fn refuse(&self, refusals: Vec<Refusal>, sources: &[Source], errors: &mut Errors) {
        let places = refusals.iter().map(|refusal| &refusal.place);
        let others = refusals.iter().filter_map(|refusal| refusal.other.as_ref());
        let wanted = places.chain(others).map(|(index, pointer)| (*index, pointer.as_str()));
        let mut located = self.located(sources, wanted);
        let mut others = located.split_off(refusals.len()).into_iter();
        for (Refusal { message, help, other, .. }, location) in refusals.into_iter().zip(located) {
            let other = other.and_then(|_| others.next());
            let help = match other {
                None => help,
                Some(other) => format!("{help}; the other is at {}", other.inline()),
            };
            errors.push(Error::at(location, message).help(help));
        }
    }

    fn skipped_patch(&self, index: usize) -> Finding {
        let name = self.manifests[index].value["metadata"]["name"].as_str().unwrap_or_default();
        let message = format!("this is skipped: it is not a definition, but a patch of `{name}`");
        Finding { index, pointer: String::new(), message }
    }

    fn notes(&self, findings: Vec<Finding>, sources: &[Source]) -> Vec<Note> {
        let places = findings.iter().map(|finding| (finding.index, finding.pointer.as_str()));
        let located = self.located(sources, places);
        let notes = findings.into_iter().zip(located);
        notes
            .map(|(Finding { message, .. }, location)| Note { message, location, help: None })
            .collect()
    }

    /// The locations of pointers in manifests. Each source is searched once.
    fn located<'a>(
        &self,
        sources: &[Source],
        wanted: impl Iterator<Item = (usize, &'a str)>,
    ) -> Vec<Location> {
        let wanted: Vec<(&Manifest, String)> = wanted
            .map(|(index, pointer)| {
                let manifest = &self.manifests[index];
                let present = present(&manifest.value, pointer);
                (manifest, format!("{}{present}", manifest.pointer))
            })
            .collect();
        let mut pointers: BTreeMap<usize, Vec<(usize, &str)>> = BTreeMap::new();
        for (manifest, pointer) in &wanted {
            pointers.entry(manifest.source).or_default().push((manifest.number, pointer));
        }
        let mut found = BTreeMap::new();
        for (source, pointers) in pointers {
            found.insert(source, reader().locate(sources[source].text.as_bytes(), pointers));
        }
        let mut locations = Vec::new();
        for (manifest, pointer) in &wanted {
            let places = found.get(&manifest.source);
            let place = places.and_then(|places| places.get(manifest.number, pointer));
            let position = place.map_or(Position::Document, |place| {
                let start = place.start();
                Position::LineColumn(start.line, start.column)
            });
            let document = sources[manifest.source].name.clone();
            locations.push(Location { document, position });
        }
        locations
    }

    /// Replaces locations in generated documents by locations in the manifests.
    pub(crate) fn relocate<'a>(
        &self,
        sources: &[Source],
        locations: impl Iterator<Item = &'a mut Location>,
    ) {
        if self.documents.is_empty() {
            return;
        }
        let definitions: Vec<_> =
            self.manifests.iter().map(|manifest| Definition::read(&manifest.value)).collect();
        // Definitions that cannot be read are in no document.
        let (indexes, definitions): (Vec<usize>, Vec<_>) = definitions
            .into_iter()
            .enumerate()
            .filter_map(|(index, read)| Some((index, read.ok()?)))
            .unzip();
        let mut of_group = BTreeMap::new();
        for (index, definition) in indexes.iter().zip(&definitions) {
            of_group.entry(definition.group()).or_insert(*index);
        }
        let mut moved = Vec::new();
        for location in locations {
            let Some(document) = self.documents.get(&location.document) else { continue };
            let pointer = match &location.position {
                Position::Pointer(pointer) => pointer.as_str(),
                _ => "",
            };
            let source = document.source(&definitions, pointer);
            let place =
                source.and_then(|source| Some((*indexes.get(source.definition)?, source.pointer)));
            // Parts of a document that have no source are attributed to its first definition.
            let place = place.or_else(|| Some((*of_group.get(document.group())?, String::new())));
            moved.extend(place.map(|place| (location, place)));
        }
        let wanted: Vec<_> = moved.iter().map(|(_, place)| place.clone()).collect();
        let located =
            self.located(sources, wanted.iter().map(|(index, pointer)| (*index, pointer.as_str())));
        for ((location, _), found) in moved.into_iter().zip(located) {
            *location = found;
        }
    }
}

/// The part of a pointer that resolves to a value. The error may be that a value is absent.
fn present<'a>(value: &Value, mut pointer: &'a str) -> &'a str {
    while value.pointer(pointer).is_none() {
        pointer = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
    pointer
}
