//! Schemas of several documents. Copies become one schema: the first document's, with the
//! properties and values that only the others have.
//!
//! A copy can also have another name. When a server merges the documents of others, a schema gets a
//! number if its name is taken: `ObjectMeta_v2`. If it is equivalent to the schema without a
//! number, it is a copy of it.

use super::SCHEMAS;
use super::differences::{Difference, DifferenceKind, differences};
use crate::error::{Error, Errors, Location};
use crate::model::WellKnown;
use crate::note::Note;
use crate::openapi::load::RawDocument;
use crate::pointer::{escape, unescape};
use kapigen_definitions::schema_keywords::KINDS;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The named schemas of a document.
pub(super) fn schemas(raw: &RawDocument) -> impl Iterator<Item = (&str, &Value)> {
    let all = raw.value.pointer("/components/schemas").and_then(Value::as_object);
    all.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema))
}

/// A change of the schema that is kept, at a place below it.
enum SchemaChange {
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
    /// The document with the copy that is kept.
    holder: &'a RawDocument,
    raw: &'a RawDocument,
}

/// Unites copies in the first document that has them, and returns for each document the schemas
/// that it has by name only. Reports copies that contradict each other.
pub(super) fn unite(
    raws: &mut [RawDocument],
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
    ) -> Vec<(String, SchemaChange)> {
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
            changes.extend(SchemaChange::from_kind(kind).map(|change| (at, change)));
        }
        changes
    }

    fn differences(&self) -> Vec<Difference<'a>> {
        let copies =
            [self.holder, self.raw].map(|raw| raw.value["components"]["schemas"].get(self.name));
        match copies {
            [Some(held), Some(copy)] if WellKnown::by_schema(self.name).is_none() => {
                differences(held, copy)
            }
            _ => Vec::new(),
        }
    }

    fn error(&self, held: &str, copy: &str, contradiction: &str) -> Error {
        let name = self.name;
        let holder = &self.holder.name;
        let message =
            format!("schema `{name}` contradicts its copy in `{holder}`: {contradiction}");
        let other = Location::pointer(holder, held).inline();
        let advice = format!(
            "the copy is {other}; correct one of the documents, or generate a crate from each"
        );
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
        DifferenceKind::Missing(key)
        | DifferenceKind::Added(key, _)
        | DifferenceKind::Optional(key) => {
            path.extend([".", key]);
        }
        _ => {}
    }
    path.trim_start_matches('.').to_owned()
}

impl United {
    fn note(&self, name: &str, holder: &RawDocument) -> Note {
        let [documents, properties] = [&self.documents, &self.properties].map(|all| {
            let all: Vec<String> = all.iter().map(|one| format!("`{one}`")).collect();
            all.join(", ")
        });
        Note {
            location: Location::pointer(&holder.name, format!("{SCHEMAS}{}", escape(name))),
            message: format!("united with its copy in {documents}, which differs in {properties}"),
            help: None,
        }
    }
}

impl SchemaChange {
    fn from_kind(kind: DifferenceKind<'_>) -> Option<Self> {
        match kind {
            DifferenceKind::Added(property, schema) => {
                Some(Self::Add(property.to_owned(), schema.clone()))
            }
            DifferenceKind::Optional(property) => Some(Self::MakeOptional(property.to_owned())),
            DifferenceKind::Values(values) => {
                Some(Self::Extend("enum", values.into_iter().cloned().collect()))
            }
            DifferenceKind::Kinds(kinds) => {
                Some(Self::Extend(KINDS, kinds.into_iter().cloned().collect()))
            }
            DifferenceKind::Contradiction(_)
            | DifferenceKind::References(..)
            | DifferenceKind::Missing(_) => None,
        }
    }

    /// Changes the schema at a pointer. Schemas that it refers to from now on are already defined
    /// in another document.
    fn apply(self, document: &mut Value, pointer: &str, already_defined: &mut BTreeSet<String>) {
        let Some(schema) = document.pointer_mut(pointer) else { return };
        match self {
            Self::Add(property, mut value) => {
                let mut names = BTreeSet::new();
                make_local(&mut value, &mut names);
                schema["properties"][property] = value;
                let schemas =
                    document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
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

/// Makes every reference to a named schema one to a schema of the same document, and collects their
/// names.
fn make_local(value: &mut Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref")
                && let Some((_, name)) = reference.split_once("#/components/schemas/")
                && !name.contains('/')
            {
                names.insert(unescape(name).into_owned());
                *reference = format!("#{SCHEMAS}{name}");
            }
            members.values_mut().for_each(|member| make_local(member, names));
        }
        Value::Array(elements) => {
            for element in elements {
                make_local(element, names);
            }
        }
        _ => {}
    }
}

/// The original of each copy.
type Originals = BTreeMap<String, String>;

/// References that differ between a copy and its original, in pairs.
type References<'a> = BTreeSet<(&'a str, &'a str)>;

/// The copies in all documents. Every document that has one must agree that it is one.
pub(super) fn originals(raws: &[RawDocument]) -> Originals {
    let mut first: BTreeMap<&str, &Value> = BTreeMap::new();
    for (name, schema) in raws.iter().flat_map(schemas) {
        first.entry(name).or_insert(schema);
    }
    let mut conditions: BTreeMap<&str, Option<References<'_>>> = BTreeMap::new();
    for raw in raws {
        let own = &raw.value["components"]["schemas"];
        for (name, schema) in schemas(raw) {
            let Some(original) = without_number(name) else { continue };
            let Some(original) = own.get(original).or_else(|| first.get(original).copied()) else {
                continue;
            };
            let all = conditions.entry(name).or_insert_with(|| Some(References::new()));
            *all = all.take().zip(references(original, schema)).map(|(mut all, more)| {
                all.extend(more);
                all
            });
        }
    }
    settle(&conditions)
}

/// The references in which a copy and its original differ, if they are equal otherwise.
fn references<'a>(original: &'a Value, copy: &'a Value) -> Option<References<'a>> {
    let differences = differences(original, copy).into_iter();
    let differences =
        differences.filter(|difference| !matches!(difference.kind, DifferenceKind::Kinds(_)));
    let references = differences.map(|difference| match difference.kind {
        DifferenceKind::References(held, copy) => Some((held, copy)),
        _ => None,
    });
    references.collect()
}

/// Finds the copies, which refer to copies: assumes that all schemas are, and drops the ones that
/// refer to others, until the rest agrees.
fn settle(conditions: &BTreeMap<&str, Option<References<'_>>>) -> Originals {
    let mut originals = Originals::new();
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut open = Vec::new();
    for (name, references) in conditions {
        let (Some(references), Some(original)) = (references, without_number(name)) else {
            continue;
        };
        originals.insert((*name).to_owned(), original.to_owned());
        for reference in references.iter().flat_map(|(held, copy)| [held, copy]) {
            users.entry(reference).or_default().push(name);
        }
        open.push(*name);
    }
    while let Some(name) = open.pop() {
        let references = conditions.get(name).and_then(Option::as_ref);
        let agree = references.into_iter().flatten().all(|(held, copy)| {
            canonical_name(held, &originals) == canonical_name(copy, &originals)
        });
        if !agree && originals.remove(name).is_some() {
            open.extend(users.get(name).into_iter().flatten());
        }
    }
    originals
}

/// The original of a copy, or the schema itself.
fn canonical_name<'a>(name: &'a str, originals: &'a Originals) -> &'a str {
    originals.get(name).map_or(name, String::as_str)
}

/// `ObjectMeta` of `ObjectMeta_v2`.
fn without_number(name: &str) -> Option<&str> {
    let (original, number) = name.rsplit_once("_v")?;
    number.parse::<u32>().is_ok().then_some(original)
}

#[cfg(test)]
mod tests {
    use super::originals;
    use crate::openapi::load::RawDocument;
    use serde_json::json;

    #[test]
    fn numbered_schemas_that_mean_the_same_are_copies() {
        let reference =
            |name: &str| json!({"allOf": [{"$ref": format!("#/components/schemas/{name}")}]});
        let schemas = json!({
            "A": {"description": "a"}, "A_v2": {"description": "b"}, "A_v3": {"type": "string"}, "A_vx": {}, "Z_v2": {},
            "B": reference("A"), "B_v2": reference("A_v2"), "B_v3": reference("A_v3"),
            "C": reference("B"), "C_v2": reference("B_v3"),
        });
        let raw = RawDocument {
            name: "v1.yaml".to_owned(),
            value: json!({"components": {"schemas": schemas}}),
        };
        let originals = originals(&[raw]);
        assert_eq!(originals.keys().collect::<Vec<_>>(), ["A_v2", "B_v2"]);
    }
}
