//! The definitions of the custom resources of a crate, which operators install, and the properties
//! that only definitions state.

use crate::model::Api;
use crate::model::documents::{DEFINITIONS, Definition};
use kapigen_definitions as definitions;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Marks the kinds and resources of versions that definitions deprecate, with the warning of
/// servers.
pub fn warn(api: &mut Api, manifests: &[&Value]) {
    let mut warnings = BTreeMap::new();
    for definition in
        manifests.iter().filter_map(|manifest| definitions::Definition::read(manifest).ok())
    {
        for version in definition.served() {
            if let Some(warning) = definition.warning(version) {
                let key = (definition.group().to_owned(), version.name().to_owned());
                let names = (definition.plural().to_owned(), definition.kind().to_owned());
                warnings.entry(key).or_insert_with(Vec::new).push((names, warning.into_owned()));
            }
        }
    }
    for module in api.modules.values_mut() {
        let key = (module.group_version.group.clone(), module.group_version.version.clone());
        for ((plural, kind), warning) in warnings.get(&key).into_iter().flatten() {
            // Selection may have left it out.
            let Some(resource) = module.resources.get_mut(plural) else { continue };
            resource.warning = Some(warning.clone());
            for def in module.types.values_mut() {
                if def.kind.as_ref().is_some_and(|own| own.identity.kind == *kind) {
                    def.warning = Some(warning.clone());
                }
            }
        }
    }
}

/// Adds the definitions of selected resources to the model, and returns their files by their path
/// below the folder of the crate.
pub fn add(api: &mut Api, manifests: &[&Value]) -> Vec<(String, String)> {
    let read: Vec<_> = manifests
        .iter()
        .filter_map(|manifest| definitions::Definition::read(manifest).ok())
        .collect();
    let read: Vec<_> = read
        .into_iter()
        .filter(|definition| api.has_resource(definition.group(), definition.plural()))
        .collect();
    let mut taken = BTreeSet::new();
    let mut all = BTreeMap::new();
    for manifest in definitions::manifests(&read) {
        let Ok(definition) = definitions::Definition::read(&manifest) else { continue };
        let modules = api.modules.iter().filter(|(_, module)| {
            module.group_version.group == definition.group()
                && module.resources.contains_key(definition.plural())
        });
        let modules = modules.map(|(name, _)| name.clone()).collect();
        let name = format!("{}.{}", definition.plural(), definition.group());
        all.insert(name, (modules, text(&manifest)));
    }
    let mut files = Vec::new();
    for (name, (modules, text)) in all {
        let file = file(&name, &mut taken);
        files.push((file.clone(), text));
        api.definitions.push(Definition { name, file, modules });
    }
    files
}

/// The maximum length of the part of a name that begins a file name. Systems allow 255 bytes; a
/// number, the extension and the name of a staged file need some of them.
const LONGEST: usize = 200;

/// A file for a name, and for no other: dots and hyphens may be all that distinguishes two.
fn file(name: &str, taken: &mut BTreeSet<String>) -> String {
    let lower = name.to_lowercase();
    let characters = lower.chars().take(LONGEST).map(|c| match c {
        'a'..='z' | '0'..='9' => c,
        _ => '_',
    });
    let plain: String = characters.collect();
    let mut stem = plain.clone();
    let mut number = 2;
    while !taken.insert(stem.clone()) {
        stem = format!("{plain}_{number}");
        number += 1;
    }
    format!("{DEFINITIONS}{stem}.json")
}

/// The number of levels at which the values of a definition have lines of their own: down to the
/// fields of `spec` and `status`.
const LEVELS: usize = 10;

/// JSON with line breaks that make diffs readable, but not a line for each value.
fn text(manifest: &Value) -> String {
    let mut text = String::new();
    write(manifest, LEVELS, &mut text);
    text.push('\n');
    text
}

fn write(value: &Value, levels: usize, text: &mut String) {
    let (open, close, count) = match value {
        Value::Object(members) => ('{', '}', members.len()),
        Value::Array(elements) => ('[', ']', elements.len()),
        _ => (' ', ' ', 0),
    };
    let Some(levels) = levels.checked_sub(1).filter(|_| count > 0) else {
        text.push_str(&value.to_string());
        return;
    };
    text.push(open);
    let members = value.as_object().into_iter().flatten().map(|(name, value)| (Some(name), value));
    let elements = value.as_array().into_iter().flatten().map(|value| (None, value));
    for (index, (name, value)) in members.chain(elements).enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        if let Some(name) = name {
            text.push_str(&Value::from(name.as_str()).to_string());
            text.push(':');
        }
        write(value, levels, text);
    }
    text.push('\n');
    text.push(close);
}

#[cfg(test)]
mod tests {
    use super::{file, text};
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    #[test]
    fn lines_are_those_of_the_upper_levels() {
        let mut deep = json!({"a": [1, {}]});
        for _ in 0..8 {
            deep = json!({"x": deep, "y": []});
        }
        let text = text(&deep);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), deep);
        assert!(
            text.starts_with("{\n\"x\":{\n\"x\":{\n") && text.contains("\n\"a\":[\n1,\n{}\n]\n}"),
            "{text}"
        );
        let deeper = super::text(&json!({"z": deep}));
        assert!(deeper.contains("\n\"a\":[1,{}]\n}"), "{deeper}");
    }

    #[test]
    fn each_definition_has_a_file_of_its_own() {
        let mut taken = BTreeSet::new();
        let files =
            ["a.x-y.io", "a.x.y.io", "A.x.y.io", "日.io"].map(|name| file(name, &mut taken));
        let expected = ["a_x_y_io", "a_x_y_io_2", "a_x_y_io_3", "__io"];
        assert_eq!(files, expected.map(|stem| format!("src/definitions/{stem}.json")));
        let long = ["a".repeat(253), format!("{}b", "a".repeat(252))];
        let files = long.map(|name| file(&name, &mut taken));
        assert!(files[0] != files[1], "{files:?}");
        for file in files {
            let name = file.rsplit('/').next().unwrap();
            // With the 13 bytes that a staged file has more.
            assert!(name.len() + 13 <= 255, "{name}");
        }
    }
}
