//! Compares two schemas of one version, and finds the values that the new one no longer accepts.

use super::{DefinitionChangeKind as Kind, FoundChanges};
use kapigen_definitions::schema_keywords::{
    self, Change, EMBEDDED, INT_OR_STRING, KEYWORDS, Keyword, LIST_KEYS, LIST_TYPE, ListType,
    MAP_TYPE, MapType, PRESERVE, Side, VALIDATIONS,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Compares the schemas of objects.
pub(super) fn compare(old: &Value, new: &Value, found: &mut FoundChanges<'_>) {
    schemas(old, new, "", found);
}

fn schemas(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    let types = [ty(old), ty(new)];
    if !takes(&types[1], &types[0]) {
        let [old, new] = types;
        found.add(Kind::TypeChanged, field, Some(old), Some(new));
        return;
    }
    if is_set(old, "nullable") && !is_set(new, "nullable") {
        found.add(Kind::NullableRemoved, field, None, None);
    }
    if !is_set(old, EMBEDDED) && is_set(new, EMBEDDED) {
        found.add(Kind::EmbeddedAdded, field, None, None);
    }
    default(old, new, field, found);
    values(old, new, field, found);
    formats(old, new, field, found);
    bounds(old, new, field, found);
    merging(old, new, field, found);
    alternatives(old, new, field, found);
    rules(old, new, field, found);
    members(old, new, field, found);
    elements(old, new, field, found);
}

fn text<'a>(schema: &'a Value, keyword: &str) -> Option<&'a str> {
    schema.get(keyword)?.as_str().filter(|text| !text.is_empty())
}

fn is_set(schema: &Value, keyword: &str) -> bool {
    schema.get(keyword) == Some(&Value::Bool(true))
}

/// The value of a keyword. Servers take an empty list or object for none.
fn keyword<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    schema.get(name).filter(|value| match value {
        Value::Null => false,
        Value::Array(list) => !list.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    })
}

const ANY: &str = "any";
const EITHER: &str = "integer or string";

fn ty(schema: &Value) -> String {
    if is_set(schema, INT_OR_STRING) {
        EITHER.to_owned()
    } else {
        text(schema, "type").unwrap_or(ANY).to_owned()
    }
}

/// Whether all values of the old type are values of the new one.
fn takes(new: &str, old: &str) -> bool {
    new == old
        || new == ANY
        || (new == EITHER && ["integer", "string"].contains(&old))
        || (new, old) == ("number", "integer")
}

/// Compares the defaults that servers set for absent values.
fn default(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    let [before, now] = [old, new].map(|schema| schema.get("default").filter(|v| !v.is_null()));
    let kind = match (before, now) {
        (None, None) => return,
        (None, Some(_)) => Kind::DefaultAdded,
        (Some(_), None) => Kind::DefaultRemoved,
        (Some(before), Some(now)) if before == now => return,
        (Some(_), Some(_)) => Kind::DefaultChanged,
    };
    found.add(kind, field, before.map(Value::to_string), now.map(Value::to_string));
}

/// Compares which values are allowed one by one, and in which form.
fn values(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    match [old, new].map(|schema| keyword(schema, "enum").and_then(Value::as_array)) {
        [None, Some(now)] => found.add(Kind::EnumNarrowed, field, None, Some(joined(now))),
        [Some(before), Some(now)] => {
            let gone = joined(before.iter().filter(|value| !now.contains(value)));
            if !gone.is_empty() {
                found.add(Kind::EnumNarrowed, field, Some(gone), Some(joined(now)));
            }
        }
        [_, None] => {}
    }
    let [before, now] = [old, new].map(|schema| text(schema, "pattern"));
    if now.is_some() && before != now {
        found.add(Kind::PatternChanged, field, before.map(str::to_owned), now.map(str::to_owned));
    }
}

fn joined<'a>(values: impl IntoIterator<Item = &'a Value>) -> String {
    let values = values.into_iter();
    let texts = values.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    texts.collect::<Vec<_>>().join(", ")
}

/// The formats of strings that servers check, without dashes. Any other is documentation, as is
/// `password`, which all strings have.
const CHECKED: [&str; 25] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "datetime",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8slongname",
    "k8sshortname",
    "mac",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// Compares formats, as far as servers check them: strings are in a form, numbers within a range.
fn formats(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    let [before, now] = [old, new].map(|schema| text(schema, "format"));
    let is_narrower = match ty(new).as_str() {
        "integer" | "number" => {
            let (least, most) = range(new);
            let (before_least, before_most) = range(old);
            before_least.max(old["minimum"].as_f64().unwrap_or(before_least)) < least
                || before_most.min(old["maximum"].as_f64().unwrap_or(before_most)) > most
        }
        _ => {
            let now = now.and_then(checked_form);
            now.is_some() && before.and_then(checked_form) != now
        }
    };
    if is_narrower {
        found.add(Kind::FormatChanged, field, before.map(str::to_owned), now.map(str::to_owned));
    }
}

fn checked_form(format: &str) -> Option<String> {
    Some(format.replace('-', "")).filter(|form| CHECKED.contains(&form.as_str()))
}

/// The numbers that servers take for a type and a format.
fn range(schema: &Value) -> (f64, f64) {
    const MOST: f64 = 9_223_372_036_854_775_808.0;
    match (ty(schema).as_str(), text(schema, "format").unwrap_or_default()) {
        ("integer", "int32") => (i32::MIN.into(), i32::MAX.into()),
        ("integer", "uint32") => (0.0, u32::MAX.into()),
        ("integer", "uint64") => (0.0, MOST),
        ("integer", _) => (-MOST, MOST),
        ("number", "float" | "float32") => (f32::MIN.into(), f32::MAX.into()),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

/// Compares what limits numbers, characters, elements and entries.
fn bounds(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    for keyword in KEYWORDS {
        let name = keyword.name;
        let is_narrower = match (keyword.change, old[name].as_f64(), new[name].as_f64()) {
            (Change::Flag, ..) => is_set(new, name) && !is_set(old, name),
            (Change::Count(Side::Most, _), before, Some(now)) => {
                before.is_none_or(|before| now < before)
            }
            (Change::Count(Side::Least, _), before, Some(now)) => now > before.unwrap_or_default(),
            (Change::Bound(side, exclusive), Some(before), Some(now)) => {
                let is_inside = if side == Side::Most { now < before } else { now > before };
                let is_same = now.total_cmp(&before).is_eq();
                is_inside || (is_same && is_set(new, exclusive) && !is_set(old, exclusive))
            }
            (Change::Multiple, Some(before), Some(now)) => (before / now).fract() != 0.0,
            (Change::Bound(..) | Change::Multiple, None, now) => now.is_some(),
            _ => false,
        };
        if is_narrower {
            found.add(Kind::BoundNarrowed, field, limit(old, keyword), limit(new, keyword));
        }
    }
}

/// What a schema states for a keyword that limits.
fn limit(schema: &Value, Keyword { name, change, .. }: &Keyword) -> Option<String> {
    let value = keyword(schema, name).filter(|value| **value != false)?;
    let exclusive = match change {
        Change::Bound(_, exclusive) if is_set(schema, exclusive) => ", exclusive",
        _ => "",
    };
    Some(format!("{name} {value}{exclusive}"))
}

/// Compares how servers merge changes of lists and objects.
fn merging(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    let [before, now] =
        [old, new].map(|schema| text(schema, LIST_TYPE).unwrap_or(ListType::Atomic.as_str()));
    found.renamed_at(Kind::ListTypeChanged, field, before, now);
    if [before, now] == [ListType::Map.as_str(); 2] {
        found.renamed_at(Kind::ListKeysChanged, field, &list_keys(old), &list_keys(new));
    }
    let [before, now] =
        [old, new].map(|schema| text(schema, MAP_TYPE).unwrap_or(MapType::Granular.as_str()));
    found.renamed_at(Kind::MapTypeChanged, field, before, now);
}

fn list_keys(schema: &Value) -> String {
    let keys = keyword(schema, LIST_KEYS).and_then(Value::as_array);
    let mut keys: Vec<&str> = keys.into_iter().flatten().filter_map(Value::as_str).collect();
    keys.sort_unstable();
    keys.join(", ")
}

/// Compares the schemas of `allOf`, `anyOf`, `oneOf` and `not`.
fn alternatives(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    for name in schema_keywords::conditions() {
        let [before, now] = [old, new].map(|schema| keyword(schema, name).map(without_prose));
        // Servers add these alternatives by themselves.
        let is_added = name == "anyOf" && before.is_none() && is_set(old, INT_OR_STRING);
        if now.is_some() && before != now && !is_added {
            let [old, new] = [before, now].map(|schema| Some(format!("{name} {}", schema?)));
            found.add(Kind::AlternativesChanged, field, old, new);
        }
    }
}

/// A schema without its descriptions.
fn without_prose(schema: &Value) -> Value {
    match schema {
        Value::Array(schemas) => schemas.iter().map(without_prose).collect(),
        Value::Object(members) => {
            let mut kept = Map::new();
            for (name, value) in members {
                let is_prose = ["description", "title"].contains(&name.as_str());
                if !(is_prose && value.is_string()) {
                    kept.insert(name.clone(), without_prose(value));
                }
            }
            kept.sort_keys();
            Value::Object(kept)
        }
        value => value.clone(),
    }
}

/// Compares rules that are expressions. A rule with the message of one that is gone, or the only
/// new one beside the only one that is gone, is that one after a change.
fn rules(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    let gone = missing_rules(old, new);
    let added = missing_rules(new, old);
    for rule in &added {
        let message = text(rule, "message");
        let same_message =
            gone.iter().find(|gone| message.is_some() && text(gone, "message") == message);
        let only_one = gone.first().filter(|_| (gone.len(), added.len()) == (1, 1));
        let now = Some(shown(rule));
        match same_message.or(only_one) {
            Some(gone) => found.add(Kind::RuleChanged, field, Some(shown(gone)), now),
            None => found.add(Kind::RuleAdded, field, None, now),
        }
    }
}

/// The rules of a schema that another one does not have.
fn missing_rules<'a>(schema: &'a Value, other: &Value) -> Vec<&'a Value> {
    let others: BTreeSet<_> = validations(other).map(condition).collect();
    validations(schema).filter(|rule| !others.contains(&condition(rule))).collect()
}

fn validations(schema: &Value) -> impl Iterator<Item = &Value> {
    keyword(schema, VALIDATIONS).and_then(Value::as_array).into_iter().flatten()
}

/// The expression of a rule, and whether it also applies where there is no old value.
fn condition(rule: &Value) -> (&str, bool) {
    (text(rule, "rule").unwrap_or_default(), is_set(rule, "optionalOldSelf"))
}

fn shown(rule: &Value) -> String {
    let (expression, is_optional) = condition(rule);
    format!("{expression}{}", if is_optional { ", optionalOldSelf" } else { "" })
}

/// Compares properties, and the entries of maps.
fn members(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    if keeps_unknown(old) && !keeps_unknown(new) {
        found.add(Kind::UnknownPruned, field, None, None);
    }
    // Members without a property may have been entries or unknown members before, except for the
    // members that all objects have.
    let has_identity = field.is_empty() || is_set(old, EMBEDDED);
    let unknown = keeps_unknown(old).then(|| json!({ PRESERVE: true }));
    let any = entries(old).or(unknown.as_ref());
    let [before, now] = [old, new].map(properties);
    let names = before.into_iter().chain(now).flat_map(Map::keys).collect::<BTreeSet<_>>();
    for name in names {
        let path = member(field, name);
        let before = before.and_then(|before| before.get(name));
        let is_common = has_identity && ["apiVersion", "kind", "metadata"].contains(&name.as_str());
        let any = any.filter(|_| !is_common);
        match (before.or(any), now.and_then(|now| now.get(name))) {
            (Some(before), Some(now)) => schemas(before, now, &path, found),
            (Some(before), None) if !keeps_unknown(new) => match entries(new) {
                Some(entry) => schemas(before, entry, &path, found),
                None => found.add(Kind::FieldRemoved, &path, Some(ty(before)), None),
            },
            _ => {}
        }
    }
    let path = format!("{field}{}*", if field.is_empty() { "" } else { "." });
    match (entries(old), entries(new)) {
        (Some(old), Some(new)) => schemas(old, new, &path, found),
        (Some(old), None) if !keeps_unknown(new) => {
            found.add(Kind::FieldRemoved, &path, Some(ty(old)), None);
        }
        _ => {}
    }
    required(old, new, field, found);
}

fn keeps_unknown(schema: &Value) -> bool {
    is_set(schema, PRESERVE) || is_set(schema, "additionalProperties")
}

/// The schema of the entries of a map.
fn entries(schema: &Value) -> Option<&Value> {
    schema.get("additionalProperties").filter(|value| value.is_object())
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

fn member(field: &str, name: &str) -> String {
    let name =
        if name.contains(['.', '[', ']', '*']) { format!("[{name:?}]") } else { name.to_owned() };
    let dot = if field.is_empty() || name.starts_with('[') { "" } else { "." };
    format!("{field}{dot}{name}")
}

/// Compares the required members. Members with a default may be absent.
fn required(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    for name in demanded(new).difference(&demanded(old)) {
        found.add(Kind::RequiredAdded, &member(field, name), None, None);
    }
}

/// The required members that have no default.
fn demanded(schema: &Value) -> BTreeSet<&str> {
    let names = keyword(schema, "required").and_then(Value::as_array).into_iter().flatten();
    let names = names.filter_map(Value::as_str);
    names.filter(|name| schema["properties"][name]["default"].is_null()).collect()
}

fn elements(old: &Value, new: &Value, field: &str, found: &mut FoundChanges<'_>) {
    let [old, new] = [&old["items"], &new["items"]];
    if old.is_object() && new.is_object() {
        schemas(old, new, &format!("{field}[]"), found);
    }
}
