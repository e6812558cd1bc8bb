//! Definitions of custom resources among the files of a run, and the documents that a server
//! publishes for them.

mod names;

use super::Source;
use super::dropped::{Dropped, disputed, dropped};
use crate::error::{Error, Errors, Location, Position};
use crate::note::Note;
use crate::parallel;
use crate::pointer::escape;
use crate::visible;
use kapigen_definitions::{
    Cause, Definition, Document, Incomplete, MOST_VERSIONS, Version, documents_with_all_members,
    is_definition,
};
use kapigen_yaml::{Disputed, Reader};
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

/// A definition, and its place.
#[derive(Debug)]
struct Manifest {
    /// The index of the source.
    source: usize,
    /// The number of the document in the source, from 1.
    number: usize,
    /// The JSON pointer in the document: not empty in a list.
    pointer: String,
    value: Value,
}

/// The documents of a source that has definitions.
struct Objects {
    definitions: Vec<(usize, String, Value)>,
    others: usize,
    /// Keys that are in one object twice.
    errors: Vec<Error>,
    disputed: Vec<Disputed>,
}

/// Words without which a source is not looked into.
const KIND: &str = "CustomResourceDefinition";

/// Takes the definitions out of the sources. Returns which sources have some.
pub(crate) fn find(sources: &[Source], errors: &mut Errors) -> (Definitions, Vec<bool>) {
    let mut definitions = Definitions::default();
    let found = parallel::map(sources.iter().collect(), objects);
    let mut has_some = Vec::new();
    for (source, objects) in found.into_iter().enumerate() {
        has_some.push(!matches!(objects, Ok(None)));
        let Some(Objects { definitions: found, others, errors: repeated, disputed: scalars }) =
            errors.ok(objects).flatten()
        else {
            continue;
        };
        definitions.disputed.extend(disputed(&sources[source].name, scalars));
        for error in repeated {
            errors.push(error);
        }
        definitions.others += others;
        let manifest = |(number, pointer, value)| Manifest { source, number, pointer, value };
        definitions.manifests.extend(found.into_iter().map(manifest));
    }
    (definitions, has_some)
}

/// A source beside definitions that is neither of them nor an OpenAPI document.
pub(crate) struct Skipped {
    /// The number of its objects.
    pub(crate) objects: usize,
    /// The reason, if it cannot be read.
    pub(crate) note: Option<Note>,
}

/// The objects in a source with only objects of other kinds or files of other tools. `None` for any
/// other source.
pub(crate) fn skipped(source: &Source) -> Option<Skipped> {
    let is_page = source.text.trim_start().starts_with('<');
    if is_page || states_document(&source.text) {
        return None;
    }
    let documents: Result<Vec<_>, _> = reader().documents(source.text.as_bytes()).collect();
    let documents = match documents {
        Ok(documents) => documents,
        Err(error) => {
            let Error { message, location, .. } = unreadable(source, &error);
            let location = location.unwrap_or_else(|| Location::document(&source.name));
            let message = format!("the file is skipped, since it cannot be read: {message}");
            return Some(Skipped {
                objects: 1,
                note: Some(Note { message, location, help: None }),
            });
        }
    };
    let values =
        documents.into_iter().map(|document| document.value).filter(|value| !value.is_null());
    let are_others: Vec<bool> = values.map(|value| is_other(&value)).collect();
    are_others
        .iter()
        .all(|is_other| *is_other)
        .then_some(Skipped { objects: are_others.len(), note: None })
}

/// Whether a text states the version of an OpenAPI document, even if the rest cannot be read.
fn states_document(text: &str) -> bool {
    let lines = text.lines().map(|line| line.trim_start_matches(['{', ' ', '"', '\'']));
    let mut versions =
        lines.filter_map(|line| line.strip_prefix("openapi").or(line.strip_prefix("swagger")));
    versions.any(|rest| {
        let version = rest
            .trim_start_matches(['"', '\''])
            .trim_start()
            .strip_prefix(':')
            .map(str::trim_start);
        version.is_some_and(|version| {
            version.trim_start_matches(['"', '\'']).starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// Whether a value means something to other programs: it is an object of a server, or belongs to a
/// tool, such as `kustomization.yaml` or a JSON patch. Others could be a document with an error.
fn is_other(value: &Value) -> bool {
    let is_version = |name: &str| {
        value.get(name).is_some_and(|version| version.is_string() || version.is_number())
    };
    value["kind"] != "Status"
        && (value.is_object() || value.is_array())
        && !["openapi", "swagger"].into_iter().any(is_version)
}

/// As kubectl reads manifests: `on` is true.
fn reader() -> Reader {
    Reader::new()
}

/// The definitions of a source, and the number of other objects. `None`: it has no definitions.
fn objects(source: &Source) -> Result<Option<Objects>, Error> {
    if !source.text.contains(KIND) {
        return Ok(None);
    }
    let mut objects =
        Objects { definitions: Vec::new(), others: 0, errors: Vec::new(), disputed: Vec::new() };
    for document in reader().documents(source.text.as_bytes()) {
        let mut document = match document {
            Ok(document) => document,
            Err(error) if !objects.definitions.is_empty() || states_kind(&source.text) => {
                return Err(unreadable(source, &error));
            }
            Err(_) => return Ok(None),
        };
        let count = objects.definitions.len();
        let repeated = std::mem::take(&mut document.repeated);
        let disputed = std::mem::take(&mut document.disputed);
        objects.add(document);
        // Other objects matter to others.
        if objects.definitions.len() == count {
            continue;
        }
        objects.errors.extend(repeated.iter().map(|repeated| {
            let at = repeated.place.start();
            let written = disputed.iter().find(|scalar| scalar.position == at);
            let name = written.map_or(&repeated.name, |scalar| &scalar.text);
            let position = Position::LineColumn(at.line, at.column);
            let location = Location { document: source.name.clone(), position };
            let message = if *name == repeated.name {
                repeated.to_string()
            } else {
                let key = &repeated.name;
                format!("the key `{name}` is `{key}` for a server, and so is another in the object")
            };
            Error::at(location, message).help(if written.is_some() {
                format!("write `\"{name}\"`, also the other, where it is a string")
            } else {
                "remove one of the two".to_owned()
            })
        }));
        objects.disputed.extend(disputed);
    }
    Ok((!objects.definitions.is_empty()).then_some(objects))
}

impl Objects {
    /// Adds the objects of a document. A list of definitions needs no kind.
    fn add(&mut self, mut document: kapigen_yaml::Document) {
        let number = document.number;
        if let Value::Array(elements) = &mut document.value {
            for (index, element) in std::mem::take(elements).into_iter().enumerate() {
                self.take(number, format!("/{index}"), element);
            }
        } else {
            document.each_object(|object| {
                let members = object.members.map_or(Value::Null, Value::Object);
                self.take(number, object.pointer, members);
            });
        }
    }

    fn take(&mut self, number: usize, pointer: String, mut value: Value) {
        if is_definition(&value) {
            make_whole(&mut value);
            self.definitions.push((number, pointer, value));
        } else {
            self.others += 1;
        }
    }
}

/// Makes integers of numbers like `1.0`, as YAML has them already: to a server they are the same.
fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0);
            let whole = whole.and_then(|whole| format!("{whole:.0}").parse::<i64>().ok());
            if let Some(whole) = whole {
                *number = whole.into();
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(make_whole),
        Value::Object(members) => members.values_mut().for_each(make_whole),
        _ => {}
    }
}

/// Whether an unreadable source is about definitions.
fn states_kind(text: &str) -> bool {
    let lines = text.lines().map(|line| line.trim_start_matches(['-', '{', ' ', '"']));
    let values = lines
        .filter_map(|line| line.strip_prefix("kind"))
        .map(|rest| rest.trim_start_matches(['"', ':', ' ']));
    let mut values = values
        .chain(text.split("\"kind\":").skip(1).map(|rest| rest.trim_start_matches(['"', ' '])));
    values.any(|value| value.starts_with(KIND))
}

fn unreadable(source: &Source, error: &kapigen_yaml::Error) -> Error {
    let position = error.position().map(|at| Position::LineColumn(at.line, at.column));
    let location = Location {
        document: source.name.clone(),
        position: position.unwrap_or(Position::Document),
    };
    let error = Error::at(location, error.message());
    if is_template(&source.text) {
        return error.help(
            "it looks like a template: render it first, as `helm template` does, and give the \
             result",
        );
    }
    error.help("it may be cut: give the whole manifest, as `kubectl apply` expects it")
}

/// Whether it has actions of a template where YAML has keys or values. Actions in descriptions do
/// not count.
fn is_template(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches([' ', '-']);
        line.starts_with("{{")
            || line.split_once(": ").is_some_and(|(_, value)| value.trim_start().starts_with("{{"))
    })
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
                Ok(definition) => read.push((index, definition)),
                Err(absent) => unread.push((index, absent)),
            }
        }
        let names: BTreeSet<&str> = read.iter().map(|(_, definition)| definition.name()).collect();
        let (patches, unread): (Vec<_>, Vec<_>) =
            unread.into_iter().partition(|(index, _)| self.is_patch(*index, &names));
        let (mistyped, unknown) = self.dropped(&patches);
        refusals.extend(mistyped);
        refusals.extend(
            unread.into_iter().flat_map(|(index, absent)| {
                incomplete(index, &self.manifests[index].value, absent)
            }),
        );
        let ends: Vec<End> = sources.iter().map(|source| End::parse(&source.text)).collect();
        let end = |index: usize| ends[self.manifests[index].source];
        let cut: Vec<Refusal> = read.iter().flat_map(|one| cut(one, end(one.0))).collect();
        let cut_ones: BTreeSet<usize> = cut.iter().map(|refusal| refusal.place.0).collect();
        refusals.extend(cut);
        // The rest of one that is cut may serve a version.
        refusals.extend(
            unserved(&read).into_iter().filter(|refusal| !cut_ones.contains(&refusal.place.0)),
        );
        refusals.extend(repeated(&read));
        refusals.extend(of_many_versions(&read));
        refusals.extend(read.iter().filter_map(of_one_kind));
        refusals.extend(read.iter().flat_map(names::placeholders));
        notes.extend(self.notes_on_names(&read, sources));
        self.refuse(refusals, sources, errors);
        self.others += patches.len();
        self.patches = patches.len();
        notes.append(&mut self.disputed);
        notes.extend(self.notes_on(&read, &patches, unknown, sources));
        let definitions: Vec<Definition<'_>> =
            read.into_iter().map(|(_, definition)| definition).collect();
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
        let states = |member: &str| !manifest["spec"][member].is_null();
        let name = manifest["metadata"]["name"].as_str();
        !states("group") && !states("names") && name.is_some_and(|name| names.contains(name))
    }

    /// The fields that servers drop: errors where they seem to be mistyped, and notes.
    fn dropped(
        &self,
        patches: &[(usize, Vec<Incomplete>)],
    ) -> (Vec<Refusal>, Vec<(usize, String, String)>) {
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
                    None => notes.push((index, pointer, message)),
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

    /// Notes on the parts that servers do not accept, or do not serve.
    fn notes_on(
        &self,
        read: &[(usize, Definition<'_>)],
        patches: &[(usize, Vec<Incomplete>)],
        unknown: Vec<(usize, String, String)>,
        sources: &[Source],
    ) -> Vec<Note> {
        let patches = patches.iter().map(|(index, _)| {
            let name =
                self.manifests[*index].value["metadata"]["name"].as_str().unwrap_or_default();
            (
                *index,
                String::new(),
                format!("this is skipped: it is not a definition, but a patch of `{name}`"),
            )
        });
        let of_read = read.iter().flat_map(not_structural).chain(left_out(read));
        let found: Vec<_> = unknown.into_iter().chain(of_read).chain(patches).collect();
        let located = self
            .located(sources, found.iter().map(|(index, pointer, _)| (*index, pointer.as_str())));
        let notes = found.into_iter().zip(located).map(|((_, _, message), location)| Note {
            message: visible::cut(message),
            location,
            help: None,
        });
        notes.collect()
    }

    /// The locations of pointers in manifests. Each source is searched once.
    fn located<'a>(
        &self,
        sources: &[Source],
        wanted: impl Iterator<Item = (usize, &'a str)>,
    ) -> Vec<Location> {
        let wanted: Vec<(&Manifest, String)> = wanted
            .filter_map(|(index, pointer)| {
                let manifest = self.manifests.get(index)?;
                Some((
                    manifest,
                    format!("{}{}", manifest.pointer, present(&manifest.value, pointer)),
                ))
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

/// An error of a definition.
struct Refusal {
    /// The index of the manifest, and the pointer in it.
    place: (usize, String),
    message: String,
    help: String,
    /// The place of a definition that this one contradicts.
    other: Option<(usize, String)>,
}

impl Refusal {
    fn new(
        index: usize,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let place = (index, pointer.into());
        Self { place, message: message.into(), help: help.into(), other: None }
    }
}

const FEWER_VERSIONS: &str = "leave out the versions that no client uses any more";

/// The members that a definition lacks to name its resource.
fn incomplete(
    index: usize,
    manifest: &Value,
    absent: Vec<Incomplete>,
) -> impl Iterator<Item = Refusal> {
    let has_list = |pointer: &str| {
        manifest.pointer(pointer).and_then(Value::as_array).is_some_and(|list| !list.is_empty())
    };
    let help = if absent.iter().all(|absent| has_list(&absent.pointer)) {
        FEWER_VERSIONS
    } else if absent.len() > 2 {
        "it seems to be cut, or a patch: give the whole definition"
    } else {
        "complete it: no server accepts a definition without it"
    };
    absent
        .into_iter()
        .map(move |absent| Refusal::new(index, absent.pointer.clone(), absent.to_string(), help))
}

/// The end of a source.
#[derive(Clone, Copy)]
struct End {
    is_key: bool,
    is_line: bool,
}

impl End {
    fn parse(text: &str) -> Self {
        Self { is_key: text.trim_end().ends_with(':'), is_line: text.ends_with('\n') }
    }
}

/// The places at which a manifest seems to end before its end, although it is YAML.
fn cut((index, definition): &(usize, Definition<'_>), end: End) -> Vec<Refusal> {
    const HELP: &str = "the manifest seems to be cut: give all of it";
    let name = format!("{}.{}", definition.plural(), definition.group());
    let mut refusals = Vec::new();
    for version in definition.versions() {
        // These follow the schema in the manifests of most tools.
        let states = |member: &str| {
            definition.manifest().pointer(&format!("{}/{member}", version.pointer())).is_some()
        };
        if version.pointer() != "/spec" && !states("served") && !states("storage") {
            let message = format!(
                "version `{}` of `{name}` has neither `served` nor `storage`",
                version.name()
            );
            refusals.push(Refusal::new(*index, version.pointer(), message, HELP));
        }
    }
    let last = last(definition.manifest());
    let is_in_schema = last.contains("/openAPIV3Schema/");
    // To a server, `null` is an absent keyword, and no schema of a property.
    let is_property = last.rsplit('/').nth(1) == Some("properties");
    let ends_there = end.is_key && (is_property || !end.is_line);
    if is_in_schema
        && ends_there
        && definition.manifest().pointer(&last).is_some_and(Value::is_null)
    {
        let message = format!("the definition of `{name}` ends in a member without a value");
        refusals.push(Refusal::new(*index, last, message, HELP));
    }
    refusals
}

/// The pointer of the last value in a value.
fn last(mut value: &Value) -> String {
    let mut pointer = String::new();
    loop {
        let (token, inner) = match value {
            Value::Object(members) => match members.iter().next_back() {
                Some((name, inner)) => (escape(name).into_owned(), inner),
                None => return pointer,
            },
            Value::Array(elements) => match elements.last() {
                Some(inner) => ((elements.len() - 1).to_string(), inner),
                None => return pointer,
            },
            _ => return pointer,
        };
        pointer.push('/');
        pointer.push_str(&token);
        value = inner;
    }
}

/// Refuses definitions of resources without a served version in any of their definitions.
fn unserved(read: &[(usize, Definition<'_>)]) -> Vec<Refusal> {
    let served: BTreeSet<_> = read
        .iter()
        .filter(|(_, definition)| definition.served().next().is_some())
        .map(|(_, definition)| (definition.group(), definition.plural()))
        .collect();
    let mut refusals = Vec::new();
    for (index, definition) in read {
        let (group, plural) = (definition.group(), definition.plural());
        if !served.contains(&(group, plural)) {
            let message = format!("no version of `{plural}.{group}` is served");
            let help = "set `served: true` in one of its versions";
            refusals.push(Refusal::new(*index, "/spec/versions", message, help));
        }
    }
    refusals
}

/// Resources that are defined twice with other kinds or scopes, versions that are defined twice,
/// differently, and kinds that two resources have.
fn repeated(read: &[(usize, Definition<'_>)]) -> Vec<Refusal> {
    let mut resources: BTreeMap<(&str, &str), &(usize, Definition<'_>)> = BTreeMap::new();
    let mut kinds: BTreeMap<(&str, &str, &str), (usize, &Definition<'_>, &Version<'_>)> =
        BTreeMap::new();
    let mut refusals = Vec::new();
    let mut refuse = |place: (usize, &str), message: String, other: (usize, &str)| {
        let refusal = Refusal::new(place.0, place.1, message, "remove one of the two");
        refusals.push(Refusal { other: Some((other.0, other.1.to_owned())), ..refusal });
    };
    for one in read {
        let (index, definition) = one;
        let first = *resources.entry((definition.group(), definition.plural())).or_insert(one);
        if let Some((pointer, message)) = contradiction(&first.1, definition) {
            refuse((*index, pointer), message, (first.0, pointer));
            continue;
        }
        for version in definition.served() {
            let key = (definition.group(), version.name(), definition.kind());
            let Some((other_index, other, same)) = kinds.get(&key) else {
                kinds.insert(key, (*index, definition, version));
                continue;
            };
            let message = if definition.plural() != other.plural() {
                format!(
                    "`{}` and `{}` of {}/{} have the same kind, `{}`",
                    other.plural(),
                    definition.plural(),
                    definition.group(),
                    version.name(),
                    definition.kind()
                )
            } else if is_same((definition, version), (other, same)) {
                continue;
            } else {
                let name = format!("{}.{}", definition.plural(), definition.group());
                format!(
                    "version `{}` of `{name}` is defined twice, and differently",
                    version.name()
                )
            };
            refuse((*index, version.pointer()), message, (*other_index, same.pointer()));
        }
    }
    refusals
}

/// The contradiction of two definitions of one resource, and its pointer.
fn contradiction(
    first: &Definition<'_>,
    second: &Definition<'_>,
) -> Option<(&'static str, String)> {
    let name = format!("{}.{}", first.plural(), first.group());
    let scope = |definition: &Definition<'_>| {
        if definition.is_namespaced() { "Namespaced" } else { "Cluster" }
    };
    if first.kind() != second.kind() {
        let message = format!(
            "`{name}` is defined twice, with the kinds `{}` and `{}`",
            first.kind(),
            second.kind()
        );
        return Some(("/spec/names/kind", message));
    }
    let message = format!(
        "`{name}` is defined twice, with the scopes `{}` and `{}`",
        scope(first),
        scope(second)
    );
    (first.is_namespaced() != second.is_namespaced()).then_some(("/spec/scope", message))
}

/// Resources with more versions than a definition can have, in all definitions of them.
fn of_many_versions(read: &[(usize, Definition<'_>)]) -> Vec<Refusal> {
    let mut names: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut refusals = Vec::new();
    for (index, definition) in read {
        let names = names.entry((definition.group(), definition.plural())).or_default();
        let fitted = names.len() <= MOST_VERSIONS;
        names.extend(definition.versions().iter().map(Version::name));
        if fitted && names.len() > MOST_VERSIONS {
            let message = format!(
                "with this definition, `{}.{}` has more than {MOST_VERSIONS} versions",
                definition.plural(),
                definition.group()
            );
            refusals.push(Refusal::new(*index, "/spec/versions", message, FEWER_VERSIONS));
        }
    }
    refusals
}

/// Refuses a definition that gives objects and lists the same kind.
fn of_one_kind((index, definition): &(usize, Definition<'_>)) -> Option<Refusal> {
    let message = format!(
        "objects and lists of `{}.{}` have the same kind",
        definition.plural(),
        definition.group()
    );
    let refusal = Refusal::new(
        *index,
        "/spec/names/listKind",
        message,
        "give lists another kind, or leave out `listKind`",
    );
    (definition.kind() == definition.list_kind()).then_some(refusal)
}

/// Whether two versions are published alike.
fn is_same(one: (&Definition<'_>, &Version<'_>), other: (&Definition<'_>, &Version<'_>)) -> bool {
    let names = |definition: &Definition<'_>| {
        (definition.list_kind().into_owned(), definition.is_namespaced())
    };
    let parts = |version: &Version<'_>| {
        let selectable: Vec<String> = version.selectable_fields().map(str::to_owned).collect();
        (version.schema().cloned(), version.has_status(), version.scale().is_some(), selectable)
    };
    names(one.0) == names(other.0) && parts(one.1) == parts(other.1)
}

/// Notes the definitions with a kind or list kind that an earlier definition has taken: a server
/// serves only the first.
fn left_out(read: &[(usize, Definition<'_>)]) -> Vec<(usize, String, String)> {
    let mut taken: BTreeMap<(&str, &str, String), &Definition<'_>> = BTreeMap::new();
    let mut notes = Vec::new();
    for (index, definition) in read {
        for version in definition.served() {
            let names = [definition.kind().to_owned(), definition.list_kind().into_owned()];
            let keys = names.map(|name| (definition.group(), version.name(), name));
            let found = keys.iter().find_map(|key| Some((&key.2, taken.get(key)?)));
            let Some((name, other)) = found else {
                taken.extend(keys.map(|key| (key, definition)));
                continue;
            };
            if other.plural() != definition.plural() {
                let [left_out, first] = [definition.kind(), other.kind()];
                let place = format!("{}/{}", definition.group(), version.name());
                let message = format!(
                    "`{left_out}` of {place} is left out, as a server does: `{name}` is also a \
                     kind or list kind of `{first}`"
                );
                notes.push((*index, "/spec/names".to_owned(), message));
            }
        }
    }
    notes
}

/// Notes the versions that servers publish without members, with the reason. Each value that no
/// server decodes is named, since it is left out.
fn not_structural((index, definition): &(usize, Definition<'_>)) -> Vec<(usize, String, String)> {
    let mut notes = Vec::new();
    for version in definition.served() {
        let kind = format!("`{}` of {}/{}", definition.kind(), definition.group(), version.name());
        if version.schema().is_none() {
            let message = format!("{kind} has no schema, and so no members");
            notes.push((*index, version.pointer().to_owned(), message));
            continue;
        }
        let causes = version.published().err().unwrap_or_default();
        let (mistyped, others): (Vec<_>, Vec<_>) = causes.into_iter().partition(Cause::is_mistyped);
        for cause in mistyped {
            let message =
                format!("left out of the schema of {kind}, as no server decodes it: {cause}");
            notes.push((*index, cause.pointer, message));
        }
        let more = match others.len() {
            0 | 1 => String::new(),
            many => format!(", and {} more", many - 1),
        };
        if let Some(first) = others.into_iter().next() {
            let message = format!("no server accepts the schema of {kind}: {first}{more}");
            notes.push((*index, first.pointer, message));
        }
    }
    notes
}
