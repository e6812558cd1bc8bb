//! Schemas that stand in several documents, or under several names.

use super::SCHEMAS;
use crate::document::escape;
use crate::error::{Error, Errors, Location};
use crate::load::Raw;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The original of each copy.
type Copies = BTreeMap<String, String>;

fn schemas(raw: &Raw) -> impl Iterator<Item = (&String, &Value)> {
    raw.value.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten()
}

/// For each document the named schemas that an earlier one holds already. Copies must agree.
pub(super) fn elsewhere(raws: &[Raw], errors: &mut Errors) -> Vec<BTreeSet<String>> {
    let mut first: BTreeMap<&str, (&Raw, &Value)> = BTreeMap::new();
    let mut known = Vec::new();
    for raw in raws {
        let mut here = BTreeSet::new();
        for (name, schema) in schemas(raw) {
            let Some((holder, held)) = first.get(name.as_str()) else {
                first.insert(name, (raw, schema));
                continue;
            };
            here.insert(name.clone());
            if let Some(path) = difference(held, schema, &Copies::new()) {
                let pointer = format!("{SCHEMAS}{}{path}", escape(name));
                errors.push(
                    Error::at(
                        Location::pointer(&raw.name, &pointer),
                        format!("schema `{name}` differs from its copy in `{}`", holder.name),
                    )
                    .help("generate from documents of one release"),
                );
            }
        }
        known.push(here);
    }
    known
}

/// Where a server merges the documents of others, a schema whose name is taken gets a number: `ObjectMeta_v2`. Where it
/// says the same as the one without a number, it is a copy of that.
pub(super) fn numbered(raws: &[Raw]) -> Copies {
    let all: BTreeMap<&String, &Value> = raws.iter().flat_map(schemas).collect();
    let original = |name: &String| without_number(name).filter(|original| all.contains_key(original));
    let mut copies: Copies = all.keys().filter_map(|name| Some(((*name).clone(), original(name)?))).collect();
    // Copies refer to copies: those that differ are left out until all that remain agree.
    loop {
        let assumed = copies.clone();
        copies.retain(|name, original| difference(all[&*original], all[name], &assumed).is_none());
        if copies.len() == assumed.len() {
            return copies;
        }
    }
}

/// `ObjectMeta` of `ObjectMeta_v2`.
fn without_number(name: &str) -> Option<String> {
    let (original, number) = name.rsplit_once("_v")?;
    number.parse::<u32>().is_ok().then(|| original.to_owned())
}

/// The pointer of the first difference in structure. Prose, and the list of groups that a shared schema serves, may
/// differ.
fn difference(a: &Value, b: &Value, copies: &Copies) -> Option<String> {
    const FREE: [&str; 4] = ["description", "example", "title", "x-kubernetes-group-version-kind"];
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            keys.into_iter().filter(|key| !FREE.contains(&key.as_str()) || is_property(a, b, key)).find_map(|key| {
                let found = match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => difference(a, b, copies)?,
                    _ => String::new(),
                };
                Some(format!("/{}{found}", escape(key)))
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(index, (a, b))| Some(format!("/{index}{}", difference(a, b, copies)?))),
        (Value::String(a), Value::String(b)) => (a != b && meant(a, copies) != meant(b, copies)).then(String::new),
        (a, b) => (a != b).then(String::new),
    }
}

/// Whether a key names a property called `description` or the like, rather than prose.
fn is_property(a: &Map<String, Value>, b: &Map<String, Value>, key: &str) -> bool {
    a.get(key).or(b.get(key)).is_some_and(Value::is_object)
}

/// The schema that a reference means, if it is one: the original of a copy.
fn meant<'a>(text: &'a str, copies: &'a Copies) -> &'a str {
    let name = text.strip_prefix("#/components/schemas/").unwrap_or(text);
    copies.get(name).map_or(name, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::{Copies, difference, numbered};
    use crate::load::Raw;
    use serde_json::{Value, json};

    #[test]
    fn copies_may_differ_in_prose_only() {
        let difference = |a: &Value, b: &Value| difference(a, b, &Copies::new());
        let a = json!({"type": "object", "description": "a", "properties": {"description": {"type": "string"}}});
        let mut b = a.clone();
        b["description"] = json!("b");
        assert_eq!(difference(&a, &b), None);
        b["properties"]["description"]["type"] = json!("integer");
        assert_eq!(difference(&a, &b).as_deref(), Some("/properties/description/type"));
        b["properties"] = json!({});
        assert_eq!(difference(&a, &b).as_deref(), Some("/properties/description"));
    }

    #[test]
    fn numbered_schemas_that_say_the_same_are_copies() {
        let reference = |name: &str| json!({"allOf": [{"$ref": format!("#/components/schemas/{name}")}]});
        let schemas = json!({
            "A": {"description": "a"}, "A_v2": {"description": "b"}, "A_v3": {"type": "string"}, "A_vx": {}, "Z_v2": {},
            "B": reference("A"), "B_v2": reference("A_v2"), "B_v3": reference("A_v3"),
            "C": reference("B"), "C_v2": reference("B_v3"),
        });
        let raw = Raw { name: "v1.yaml".to_owned(), value: json!({"components": {"schemas": schemas}}) };
        let copies = numbered(&[raw]);
        assert_eq!(copies.keys().collect::<Vec<_>>(), ["A_v2", "B_v2"]);
    }
}
