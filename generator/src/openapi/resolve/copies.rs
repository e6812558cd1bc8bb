//! Schemas of several documents. Copies become one schema: that of the first document, with the properties and values
//! that only the others have.

use super::SCHEMAS;
use super::differences::{Difference, DifferenceKind, differences};
use super::numbered::{Originals, canonical_name};
use crate::error::{Error, Errors, Location};
use crate::model::WellKnown;
use crate::note::Note;
use crate::openapi::load::Raw;
use crate::openapi::schema::KIND_EXTENSION;
use crate::pointer::{escape, unescape};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The named schemas of a document.
pub(super) fn schemas(raw: &Raw) -> impl Iterator<Item = (&str, &Value)> {
    let all = raw.value.pointer("/components/schemas").and_then(Value::as_object);
    all.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema))
}

/// A change of the schema that is kept, at a place below it.
enum Change {
    Add(String, Value),
    MakeOptional(String),
    /// More elements for a list.
    Extend(&'static str, Vec<Value>),
}

/// The differences between the copies of one schema.
#[derive(Default)]
struct United {
    documents: BTreeSet<String>,
    /// The properties that differ.
    properties: BTreeSet<String>,
}

/// Two copies of one schema.
struct Pair<'a> {
    name: &'a str,
    /// The document whose copy is kept.
    holder: &'a Raw,
    raw: &'a Raw,
}

/// Unites copies in the first document that has them, and returns for each document the schemas that it has by name
/// only. Reports copies that contradict each other.
pub(super) fn unite(
    raws: &mut [Raw],
    originals: &Originals,
    notes: &mut Vec<Note>,
    errors: &mut Errors,
) -> Vec<BTreeSet<String>> {
    let mut holders: BTreeMap<String, usize> = BTreeMap::new();
    let mut united: BTreeMap<String, United> = BTreeMap::new();
    let mut already_defined = vec![BTreeSet::new(); raws.len()];
    for index in 0..raws.len() {
        let names: Vec<String> = schemas(&raws[index]).map(|(name, _)| name.to_owned()).collect();
        for name in names {
            let holder = *holders.entry(name.clone()).or_insert(index);
            if holder == index {
                continue;
            }
            let pair = Pair { name: &name, holder: &raws[holder], raw: &raws[index] };
            let changes = pair.changes(originals, &mut united, errors);
            for (pointer, change) in changes {
                change.apply(&mut raws[holder].value, &pointer, &mut already_defined[holder]);
            }
            already_defined[index].insert(name);
        }
    }
    notes.extend(united.iter().map(|(name, united)| united.note(name, &raws[holders[name]])));
    already_defined
}

impl<'a> Pair<'a> {
    /// The changes that make the held schema fit its copy too.
    fn changes(
        &self,
        originals: &Originals,
        united: &mut BTreeMap<String, United>,
        errors: &mut Errors,
    ) -> Vec<(String, Change)> {
        let pointer = format!("{SCHEMAS}{}", escape(self.name));
        let mut changes = Vec::new();
        for Difference { held, copy, kind } in self.differences() {
            let at = format!("{pointer}{held}");
            if let Some(message) = contradiction(&kind, originals) {
                errors.push(self.error(&at, &format!("{pointer}{copy}"), &message));
            } else if !matches!(kind, DifferenceKind::References(..) | DifferenceKind::Kinds(_)) {
                let united = united.entry(self.name.to_owned()).or_default();
                united.documents.insert(self.raw.name.clone());
                united.properties.insert(path(&held, &kind));
            }
            changes.extend(Change::of(kind).map(|change| (at, change)));
        }
        changes
    }

    fn differences(&self) -> Vec<Difference<'a>> {
        let schema = |raw: &'a Raw| raw.value.get("components")?.get("schemas")?.get(self.name);
        match (schema(self.holder), schema(self.raw)) {
            (Some(held), Some(copy)) if WellKnown::by_schema(self.name).is_none() => differences(held, copy),
            _ => Vec::new(),
        }
    }

    fn error(&self, held: &str, copy: &str, contradiction: &str) -> Error {
        let (name, holder) = (self.name, &self.holder.name);
        let message = format!("schema `{name}` contradicts its copy in `{holder}`: {contradiction}");
        let other = Location::pointer(holder, held).inline();
        let advice = format!("the copy is {other}; correct one of the documents, or generate a crate from each");
        Error::at(Location::pointer(&self.raw.name, copy), message).help(advice)
    }
}

/// Why no schema can be both, if so.
fn contradiction(kind: &DifferenceKind<'_>, originals: &Originals) -> Option<String> {
    match kind {
        DifferenceKind::Contradiction(message) => Some(message.clone()),
        DifferenceKind::References(held, copy)
            if canonical_name(held, originals) != canonical_name(copy, originals) =>
        {
            Some(format!("it is `{copy}` here, and `{held}` there"))
        }
        _ => None,
    }
}

/// The path of a difference, as an object has it: `spec.ports[].protocol`.
fn path(pointer: &str, kind: &DifferenceKind<'_>) -> String {
    let mut path = String::new();
    let mut segments = pointer.split('/').skip(1);
    while let Some(keyword) = segments.next() {
        match keyword {
            "properties" => path.extend([".", &unescape(segments.next().unwrap_or_default())]),
            "items" => path.push_str("[]"),
            "additionalProperties" => path.push_str(".*"),
            _ => drop(segments.next()),
        }
    }
    match kind {
        DifferenceKind::Missing(key) | DifferenceKind::Added(key, _) | DifferenceKind::Optional(key) => {
            path.extend([".", key]);
        }
        _ => {}
    }
    path.trim_start_matches('.').to_owned()
}

impl United {
    fn note(&self, name: &str, holder: &Raw) -> Note {
        let list = |all: &BTreeSet<String>| {
            let all: Vec<String> = all.iter().map(|one| format!("`{one}`")).collect();
            all.join(", ")
        };
        Note {
            location: Location::pointer(&holder.name, format!("{SCHEMAS}{}", escape(name))),
            message: format!(
                "united with its copy in {}, which differs in {}",
                list(&self.documents),
                list(&self.properties)
            ),
            help: None,
        }
    }
}

impl Change {
    fn of(kind: DifferenceKind<'_>) -> Option<Self> {
        let owned = |values: Vec<&Value>| values.into_iter().cloned().collect();
        match kind {
            DifferenceKind::Added(property, schema) => Some(Self::Add(property.to_owned(), schema.clone())),
            DifferenceKind::Optional(property) => Some(Self::MakeOptional(property.to_owned())),
            DifferenceKind::Values(values) => Some(Self::Extend("enum", owned(values))),
            DifferenceKind::Kinds(kinds) => Some(Self::Extend(KIND_EXTENSION, owned(kinds))),
            DifferenceKind::Contradiction(_) | DifferenceKind::References(..) | DifferenceKind::Missing(_) => None,
        }
    }

    /// Changes the schema at a pointer. Schemas that it refers to from now on are already defined in another document.
    fn apply(self, document: &mut Value, pointer: &str, already_defined: &mut BTreeSet<String>) {
        let Some(schema) = document.pointer_mut(pointer) else { return };
        match self {
            Self::Add(property, mut value) => {
                let mut names = BTreeSet::new();
                make_local(&mut value, &mut names);
                schema["properties"][property] = value;
                let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
                let Some(schemas) = schemas else { return };
                for name in names {
                    if !schemas.contains_key(&name) {
                        schemas.insert(name.clone(), json!({}));
                        already_defined.insert(name);
                    }
                }
            }
            Self::MakeOptional(property) => {
                if let Some(Value::Array(required)) = schema.get_mut("required") {
                    required.retain(|name| *name != property);
                }
            }
            Self::Extend(key, values) => match schema.get_mut(key) {
                Some(Value::Array(list)) => list.extend(values),
                _ => schema[key] = values.into(),
            },
        }
    }
}

/// Makes every reference to a named schema one to a schema of the same document, and collects their names.
fn make_local(value: &mut Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref")
                && let Some((_, name)) = reference.split_once("#/components/schemas/")
                && !name.contains('/')
            {
                names.insert(unescape(name));
                *reference = format!("#{SCHEMAS}{name}");
            }
            members.values_mut().for_each(|member| make_local(member, names));
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| make_local(element, names)),
        _ => {}
    }
}
