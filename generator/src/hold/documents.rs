//! The documents of a crate, and newer ones.

use super::operations::{self, Home};
use super::schema::{Holder, SchemaPath, is_alike};
use super::{Accepted, MISSING_EXTENSION, Parameters, Report, mark};
use crate::openapi::document::METHODS;
use crate::openapi::load::RawDocument;
use crate::pointer::{escape, unescape};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Changes newer documents so that they describe the interface that the older ones do. Returns the
/// group-versions that none of them has: only the ones in `keep` are added.
pub fn hold(
    old: &[RawDocument],
    new: &mut Vec<RawDocument>,
    accepted: &Accepted,
    keep: &BTreeSet<String>,
    release: &str,
    report: &mut Report,
) -> BTreeSet<String> {
    hold_schemas(old, new, accepted, release, report);
    let gone = hold_operations(old, new, accepted, (keep, release), report);
    complete(old, new, release, report);
    gone
}

/// The schemas of documents by their names. Of several copies the first one counts.
fn schemas(raws: &[RawDocument]) -> BTreeMap<&str, &Value> {
    let mut all = BTreeMap::new();
    for (name, schema) in raws.iter().flat_map(|raw| own_schemas(&raw.value)) {
        all.entry(name.as_str()).or_insert(schema);
    }
    all
}

fn own_schemas(document: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object);
    schemas.into_iter().flatten()
}

/// The names of the schemas of a document.
pub fn schema_names(document: &Value) -> impl Iterator<Item = String> {
    own_schemas(document).map(|(name, _)| name.clone())
}

/// The groups and versions of the paths of a document, as `group/version`.
#[must_use]
pub fn group_versions(document: &Value) -> BTreeSet<String> {
    paths(document).map(|(path, _)| api_version(path).to_owned()).collect()
}

fn hold_schemas(
    old: &[RawDocument],
    new: &mut [RawDocument],
    accepted: &Accepted,
    release: &str,
    report: &mut Report,
) {
    let before = schemas(old);
    let now: BTreeMap<String, Value> =
        schemas(new).into_iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let united = BTreeMap::new();
    let mut holder = Holder { before: &before, now: &now, united, accepted, release, report };
    for raw in &mut *new {
        let own = raw.value.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
        for (name, schema) in own.into_iter().flatten() {
            if let Some(old) = before.get(name.as_str()) {
                holder.schema(&SchemaPath::named(name), old, schema);
            }
        }
    }
    let united = std::mem::take(&mut holder.united);
    for raw in new {
        let own = raw.value.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
        for (name, schema) in own.into_iter().flatten() {
            let others = united.get(name).into_iter().flatten().filter_map(|name| now.get(name));
            for added in others.flat_map(|other| unite(schema, other)) {
                holder.report.kept.remove(&format!("{name}{added}"));
            }
        }
    }
}

/// Gives an object the members of another one, as optional ones, or an enum its values. Returns what
/// it would lack otherwise, as the end of a place.
fn unite(schema: &mut Value, other: &Value) -> Vec<String> {
    let values = other.get("enum").and_then(Value::as_array).into_iter().flatten();
    if let Some(own) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        let lacking: Vec<Value> = values.filter(|value| !own.contains(value)).cloned().collect();
        own.extend(lacking.clone());
        return lacking.iter().map(|value| format!(" = {value}")).collect();
    }
    let members = other.get("properties").and_then(Value::as_object);
    let Some(own) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return Vec::new();
    };
    let mut added = Vec::new();
    for (name, member) in members.into_iter().flatten() {
        if own.get(name).is_none_or(|own| own.get(MISSING_EXTENSION).is_some()) {
            own.insert(name.clone(), member.clone());
            added.push(format!(".{name}"));
        }
    }
    added
}

/// Gives nested schemas that have one type the members and values of all of them.
pub fn unite_equal(raws: &mut [RawDocument], groups: &[Vec<&str>], report: &mut Report) {
    for group in groups {
        let all: Vec<Value> =
            group.iter().filter_map(|label| nested(raws, label).map(|one| one.clone())).collect();
        if all.iter().any(|one| !is_alike(&all[0], one)) {
            continue;
        }
        for label in group {
            let Some(schema) = nested(raws, label) else { continue };
            let added: BTreeSet<String> =
                all.iter().flat_map(|other| unite(schema, other)).collect();
            let held = added.into_iter().map(|one| format!("{label}{one}"));
            report.held.extend(held.map(|place| (place, "of an equal type".to_owned())));
        }
    }
}

/// A nested schema by its label: the name of a schema, and the path from there.
fn nested<'a>(raws: &'a mut [RawDocument], label: &str) -> Option<&'a mut Value> {
    let (name, rest) = label.split_at(label.find('/')?);
    let pointer = format!("/components/schemas/{}{rest}", escape(name));
    raws.iter_mut().find_map(|raw| raw.value.pointer_mut(&pointer))
}

/// The `apiVersion` that a path begins with: `v1` of `/api/v1`, `apps/v1` of `/apis/apps/v1`.
fn api_version(path: &str) -> &str {
    let (rest, parts) = match path.strip_prefix("/apis/") {
        Some(rest) => (rest, 2),
        None => (path.strip_prefix("/api/").unwrap_or(path), 1),
    };
    let end = rest.match_indices('/').nth(parts - 1).map_or(rest.len(), |(at, _)| at);
    &rest[..end]
}

fn operation_ids(document: &Value) -> impl Iterator<Item = String> {
    let items = paths(document).filter_map(|(_, item)| item.as_object());
    let operations = items.flat_map(|item| item.values());
    operations.filter_map(|operation| operation["operationId"].as_str().map(str::to_owned))
}

fn paths(document: &Value) -> impl Iterator<Item = (&String, &Value)> {
    document.get("paths").and_then(Value::as_object).into_iter().flatten()
}

fn hold_operations(
    old: &[RawDocument],
    new: &mut Vec<RawDocument>,
    accepted: &Accepted,
    (keep, release): (&BTreeSet<String>, &str),
    report: &mut Report,
) -> BTreeSet<String> {
    let mut gone = BTreeSet::new();
    let ids: Vec<BTreeSet<String>> =
        new.iter().map(|raw| operation_ids(&raw.value).collect()).collect();
    for (index, raw) in old.iter().enumerate() {
        for (path, item) in paths(&raw.value) {
            let home = match home(new, path) {
                Some(home) => home,
                None if keep.contains(api_version(path)) => {
                    new.push(empty(raw));
                    new.len() - 1
                }
                None => {
                    gone.insert(api_version(path).to_owned());
                    continue;
                }
            };
            let before = Home { all: old, index };
            for method in METHODS {
                let Some(operation) = item.get(method) else { continue };
                let name = format!("{} {path}", method.to_uppercase());
                // One with its ID elsewhere in the document is the same operation, which moved.
                let is_there = new[home].value["paths"][path].get(method).is_some();
                let id = operation.get("operationId").and_then(Value::as_str);
                let is_moved = !is_there
                    && id.is_some_and(|id| ids.get(home).is_some_and(|all| all.contains(id)));
                if is_moved || accepted.contains(&name) {
                    continue;
                }
                let before = before.whole(item, operation);
                let mut holder = OperationHolder { new, home, release, report };
                holder.hold((path, method, &name), before);
            }
        }
    }
    gone
}

/// The newer document of a path, or else of its group and version.
fn home(new: &[RawDocument], path: &str) -> Option<usize> {
    new.iter().position(|raw| raw.value["paths"].get(path).is_some()).or_else(|| {
        let version = api_version(path);
        new.iter().position(|raw| paths(&raw.value).any(|(one, _)| api_version(one) == version))
    })
}

/// A document like another one, without paths and schemas.
fn empty(raw: &RawDocument) -> RawDocument {
    let value = json!({
        "openapi": raw.value["openapi"],
        "info": raw.value["info"],
        "paths": {},
        "components": { "schemas": {} },
    });
    RawDocument { name: raw.name.clone(), value }
}

/// Keeps operations in one of the newer documents.
struct OperationHolder<'a> {
    new: &'a mut Vec<RawDocument>,
    home: usize,
    release: &'a str,
    report: &'a mut Report,
}

impl OperationHolder<'_> {
    fn hold(&mut self, (path, method, name): (&str, &str, &str), mut before: Value) {
        let index = self.home;
        let item = &self.new[index].value["paths"][path];
        let now = if let Some(operation) = item.get(method) {
            let home = Home { all: self.new, index };
            let now = home.parameters(item, operation);
            let kept = operations::hold(name, &before, &now, self.release, self.report);
            if kept.is_empty() {
                return;
            }
            let mut operation = operation.clone();
            kept.apply(&mut operation);
            operation
        } else {
            self.report.kept.insert(name.to_owned());
            mark(&mut before, self.release);
            before
        };
        let item = &mut self.new[index].value["paths"][path];
        if !item.is_object() {
            *item = Map::new().into();
        }
        item[method] = now;
    }
}

/// Marks query parameters that functions cannot take without other arguments.
pub fn leave_out(raws: &mut [RawDocument], parameters: &Parameters, report: &mut Report) {
    for (name, parameters) in parameters {
        let Some((method, path)) = name.split_once(' ') else { continue };
        let method = method.to_lowercase();
        for index in 0..raws.len() {
            let item = &raws[index].value["paths"][path];
            let Some(operation) = item.get(&method) else { continue };
            let now = Home { all: raws, index }.parameters(item, operation);
            let kept = operations::leave_out(name, &now, parameters, report);
            kept.apply(&mut raws[index].value["paths"][path][&method]);
        }
    }
}

/// Adds the schemas that documents refer to and do not have: those of another newer document, or
/// else of the crate.
fn complete(old: &[RawDocument], new: &mut [RawDocument], release: &str, report: &mut Report) {
    let before = schemas(old);
    let known: BTreeMap<String, Value> =
        schemas(new).into_iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    for raw in new {
        let own: BTreeSet<String> = own_schemas(&raw.value).map(|(name, _)| name.clone()).collect();
        let mut open = BTreeSet::new();
        references(&raw.value, &mut open);
        let mut added = Map::new();
        while let Some(name) = open.pop_first() {
            if own.contains(&name) || added.contains_key(&name) {
                continue;
            }
            let schema = match (known.get(&name), before.get(name.as_str())) {
                (Some(schema), _) => schema.clone(),
                (None, Some(old)) => {
                    let mut schema = (*old).clone();
                    mark(&mut schema, release);
                    report.kept.insert(name.clone());
                    schema
                }
                (None, None) => continue,
            };
            references(&schema, &mut open);
            added.insert(name, schema);
        }
        if added.is_empty() {
            continue;
        }
        let own = &mut raw.value["components"]["schemas"];
        if own.is_null() {
            *own = Map::new().into();
        }
        own.as_object_mut().into_iter().for_each(|own| own.extend(added.clone()));
    }
}

/// The names of the schemas of its own document that a value refers to.
fn references(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            let reference = object.get("$ref").and_then(Value::as_str);
            let name = reference.and_then(|r| r.strip_prefix("#/components/schemas/"));
            names.extend(name.map(|name| unescape(name).into_owned()));
            object.values().for_each(|value| references(value, names));
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, names)),
        _ => {}
    }
}
