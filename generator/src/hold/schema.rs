//! One schema of a crate, and the newer one of the same name.

use super::{Accepted, Report, mark};
use crate::model::WellKnown;
use crate::pointer::unescape;
use kapigen_definitions::schema_keywords::INT_OR_STRING;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Gives newer schemas the form of older ones.
pub(super) struct Holder<'a> {
    /// The older and the newer schemas by their names.
    pub(super) before: &'a BTreeMap<&'a str, &'a Value>,
    pub(super) now: &'a BTreeMap<String, Value>,
    /// Schemas that stand for others, too, which the newer documents took out of them.
    pub(super) united: BTreeMap<String, BTreeSet<String>>,
    pub(super) accepted: &'a Accepted,
    /// The release of the newer documents.
    pub(super) release: &'a str,
    pub(super) report: &'a mut Report,
}

/// The path of a schema: the named schema with it, and the path from there.
#[derive(Clone)]
pub(super) struct SchemaPath {
    label: String,
    /// The last member on the way, for `Schema.property`.
    member: Option<String>,
}

impl SchemaPath {
    pub(super) fn named(name: &str) -> Self {
        Self { label: name.to_owned(), member: None }
    }

    fn text(&self) -> String {
        self.member.as_ref().map_or_else(|| self.label.clone(), |m| format!("{}.{m}", self.label))
    }

    /// A member of the object here.
    fn member(&self, name: &str) -> Self {
        Self { label: self.object(), member: Some(name.to_owned()) }
    }

    /// The object here as an owner of members: a nested one is called by its path.
    fn object(&self) -> String {
        let inside = self.member.as_ref().map(|member| format!("/properties/{member}"));
        format!("{}{}", self.label, inside.unwrap_or_default())
    }

    /// The elements of a list, or the values of a map.
    fn inside(&self, keyword: &str) -> Self {
        Self { label: format!("{}/{keyword}", self.object()), member: None }
    }
}

/// The largest number of schemas in each other that are compared. No type is as deep.
const DEEPEST: usize = 128;

impl Holder<'_> {
    /// Changes the newer schema so that its type is the older one's, where the codec loses nothing.
    pub(super) fn schema(&mut self, path: &SchemaPath, old: &Value, new: &mut Value) {
        self.at(path, old, new, DEEPEST);
    }

    fn at(&mut self, path: &SchemaPath, old: &Value, new: &mut Value, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if self.accepted.contains(&path.text()) || is_same(old, new) {
            return;
        }
        if let Some(what) = replaced(old, new).or_else(|| self.split(old, new)) {
            self.report.held.insert((path.text(), what));
            let description = new.get("description").cloned();
            *new = old.clone();
            if let (Some(object), Some(description)) = (new.as_object_mut(), description) {
                object.insert("description".to_owned(), description);
            }
            return;
        }
        let (Some(old), Some(new)) = (old.as_object(), new.as_object_mut()) else { return };
        self.values(path, old, new);
        self.members(path, old, new, depth);
        for keyword in ["items", "additionalProperties"] {
            if let (Some(old), Some(new)) = (old.get(keyword), new.get_mut(keyword)) {
                self.at(&path.inside(keyword), old, new, depth);
            }
        }
    }

    /// The description of a newer schema that refers to an object of another name with compatible
    /// members. The older one gets the members of both.
    fn split(&mut self, old: &Value, new: &Value) -> Option<String> {
        let (before, now) = (reference(old)?, reference(new)?);
        let is_alike = is_alike(self.before.get(before.as_str())?, self.now.get(&now)?);
        is_alike.then(|| {
            let what = format!("`{now}` now");
            self.united.entry(before).or_default().insert(now);
            what
        })
    }

    /// The values of an enum stay; new ones are no change of its type.
    fn values(
        &mut self,
        path: &SchemaPath,
        old: &Map<String, Value>,
        new: &mut Map<String, Value>,
    ) {
        let values = [old, &*new].map(|schema| schema.get("enum")?.as_array().cloned());
        let [Some(before), Some(mut now)] = values else { return };
        let lost: Vec<Value> = before.into_iter().filter(|value| !now.contains(value)).collect();
        for value in &lost {
            self.report.kept.insert(format!("{} = {value}", path.text()));
        }
        now.extend(lost);
        new.insert("enum".to_owned(), now.into());
    }

    fn members(
        &mut self,
        path: &SchemaPath,
        old: &Map<String, Value>,
        new: &mut Map<String, Value>,
        depth: usize,
    ) {
        let Some(before) = old.get("properties").and_then(Value::as_object) else { return };
        let [was, is] = [old, &*new].map(|schema| -> BTreeSet<String> {
            let all = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).map(str::to_owned).collect()
        });
        let Some(now) = new.get_mut("properties").and_then(Value::as_object_mut) else { return };
        let mut kept = BTreeMap::<Option<String>, Vec<_>>::new();
        let mut former = None;
        for (name, old) in before {
            let path = path.member(name);
            match now.get_mut(name) {
                Some(new) => {
                    self.at(&path, old, new, depth);
                    former = Some(name.clone());
                }
                None if self.accepted.contains(&path.text()) => {}
                None => {
                    let mut lost = old.clone();
                    mark(&mut lost, self.release);
                    self.report.kept.insert(path.text());
                    kept.entry(former.clone()).or_default().push((name.clone(), lost));
                }
            }
        }
        if !kept.is_empty() {
            insert(now, kept);
        }
        let known: BTreeSet<String> = now.keys().cloned().collect();
        self.required(path, (&was, before), &is, &known, new);
    }

    /// Members are required as they were in the older schema. One that is new is not: a program
    /// that was written before does not set it.
    fn required(
        &mut self,
        path: &SchemaPath,
        (was, before): (&BTreeSet<String>, &Map<String, Value>),
        is: &BTreeSet<String>,
        known: &BTreeSet<String>,
        new: &mut Map<String, Value>,
    ) {
        let differing = known.iter().filter(|name| {
            let is_accepted = self.accepted.contains(&path.member(name).text());
            was.contains(*name) != is.contains(*name) && !is_accepted
        });
        let differing: Vec<&String> = differing.collect();
        if differing.is_empty() {
            return;
        }
        for name in &differing {
            let what = match (before.contains_key(*name), is.contains(*name)) {
                (false, _) => "new, and required",
                (true, true) => "required now",
                (true, false) => "optional now",
            };
            self.report.held.insert((path.member(name).text(), what.to_owned()));
        }
        let mut held = new.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        held.retain(|name| differing.iter().all(|one| name != one.as_str()));
        let again = differing.iter().filter(|name| was.contains(**name));
        held.extend(again.map(|name| Value::from(name.as_str())));
        if held.is_empty() {
            new.remove("required");
        } else {
            new.insert("required".to_owned(), held.into());
        }
    }
}

/// Inserts members behind the ones that they followed, so that objects are encoded in the order
/// that they had.
fn insert(
    members: &mut Map<String, Value>,
    mut kept: BTreeMap<Option<String>, Vec<(String, Value)>>,
) {
    let own = std::mem::take(members);
    members.extend(kept.remove(&None).into_iter().flatten());
    for (name, value) in own {
        let followers = kept.remove(&Some(name.clone()));
        members.insert(name, value);
        members.extend(followers.into_iter().flatten());
    }
}

/// Whether two schemas have one type by their keywords alone.
fn is_same(old: &Value, new: &Value) -> bool {
    reference(old).is_some() && reference(old) == reference(new)
}

/// Whether two schemas are enums, or objects with the same types of the members that both have.
pub(super) fn is_alike(one: &Value, other: &Value) -> bool {
    if is_enum(one) && is_enum(other) {
        return true;
    }
    let members = [one, other].map(|schema| schema["properties"].as_object());
    let [Some(one), Some(other)] = members else { return false };
    one.iter().all(|(name, one)| other.get(name).is_none_or(|other| form(one) == form(other)))
}

/// The keywords that determine the type of a schema.
fn form(schema: &Value) -> Value {
    const KEYWORDS: [&str; 4] = ["type", "format", "enum", INT_OR_STRING];
    let mut form = Map::new();
    form.extend(reference(schema).map(|name| ("$ref".to_owned(), name.into())));
    let kept =
        KEYWORDS.iter().filter_map(|key| Some(((*key).to_owned(), schema.get(*key)?.clone())));
    form.extend(kept);
    let inner = ["items", "additionalProperties"].into_iter();
    form.extend(inner.filter_map(|key| Some((key.to_owned(), self::form(schema.get(key)?)))));
    if let Some(members) = schema.get("properties").and_then(Value::as_object) {
        let members = members.iter().map(|(name, member)| (name.clone(), self::form(member)));
        form.insert("properties".to_owned(), Value::Object(members.collect()));
    }
    form.into()
}

/// The name of the schema that another one refers to, alone or as the only branch of `allOf`.
pub(super) fn reference(schema: &Value) -> Option<String> {
    let target = match schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
        Some([only]) => only.get("$ref"),
        _ => schema.get("$ref"),
    };
    let (_, name) = target?.as_str()?.rsplit_once('/')?;
    Some(unescape(name).into_owned())
}

/// The description of a newer schema, if the older one takes its place: the codec reads all of its
/// values through the older type, and writes them again as they were.
fn replaced(old: &Value, new: &Value) -> Option<String> {
    if is_free(old) {
        return (!is_free(new)).then(|| "free JSON in the crate".to_owned());
    }
    let well_known = reference(new).and_then(|name| WellKnown::by_schema(&name));
    match old["type"].as_str()? {
        "string" if matches!(well_known, Some(WellKnown::Time | WellKnown::MicroTime)) => {
            (!old["format"].is_string()).then(|| "a time now".to_owned())
        }
        "string" if well_known == Some(WellKnown::Quantity) => Some("a quantity now".to_owned()),
        "string" if new["type"] == "string" => match (is_enum(old), is_enum(new)) {
            (false, true) => Some("an enum now".to_owned()),
            (true, false) => Some("any string now".to_owned()),
            // A string stays one when it gets a format with a type of its own.
            (false, false) if gets_format("byte", old, new) => Some("bytes now".to_owned()),
            _ => None,
        },
        "integer" if new["type"] == "integer" && gets_format("int32", old, new) => {
            Some("of 32 bits now".to_owned())
        }
        _ => None,
    }
}

fn gets_format(format: &str, old: &Value, new: &Value) -> bool {
    old["format"] != format && new["format"] == format
}

fn is_enum(schema: &Value) -> bool {
    schema.get("enum").is_some_and(Value::is_array)
}

/// Whether any JSON is a value.
fn is_free(schema: &Value) -> bool {
    const TYPES: [&str; 8] = [
        "type",
        "$ref",
        "allOf",
        "anyOf",
        "oneOf",
        "properties",
        "additionalProperties",
        INT_OR_STRING,
    ];
    schema.as_object().is_some_and(|object| !TYPES.iter().any(|key| object.contains_key(*key)))
}
