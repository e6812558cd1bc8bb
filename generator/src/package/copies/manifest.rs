//! The manifest of a copy: with the dependencies and features of the original, and without its
//! workspace.

use crate::input::package::Dependency;
use crate::package::manifest::quoted;
use std::collections::BTreeMap;
use toml_edit::{DocumentMut, Item, Value};

/// The manifest of a copy of `original` as a package of another name. `moved` has the dependencies
/// that are elsewhere for a copy.
pub(super) fn render(
    original: &str,
    manifest: &DocumentMut,
    package: &str,
    moved: &BTreeMap<String, Dependency>,
) -> String {
    let [version, description, rust_version] = ["version", "description", "rust-version"]
        .map(|key| manifest.get("package")?.get(key)?.as_str());
    // Packages of the workspace share one version.
    let version = version.unwrap_or(env!("CARGO_PKG_VERSION"));
    let features = features(manifest);
    let features = if features.is_empty() { features } else { format!("[features]\n{features}\n") };
    format!(
        "# Written by kapigen: a copy of {original} {version}.\n[package]\nname = \
         \"{package}\"\nversion = \"{version}\"\ndescription = {}\nedition = \
         \"2024\"\nrust-version = \"{}\"\nlicense = \"Apache-2.0\"\n\n# Examples name the \
         original.\n[lib]\ndoctest = false\n\n[lints.rust]\n# Some features of the \
         original are left out.\nunexpected_cfgs = \"allow\"\nunsafe_code = \
         \"forbid\"\n\n{features}[dependencies]\n{}",
        quoted(description.unwrap_or(original)),
        rust_version.unwrap_or(env!("CARGO_PKG_RUST_VERSION")),
        dependencies(manifest, moved),
    )
}

/// The members of a part of the manifest, by name.
fn members<'a>(manifest: &'a DocumentMut, part: &str) -> BTreeMap<&'a str, &'a Item> {
    manifest.get(part).and_then(Item::as_table).into_iter().flatten().collect()
}

/// The features, a line for each.
fn features(manifest: &DocumentMut) -> String {
    let all = members(manifest, "features");
    let lines: Vec<String> =
        all.iter().map(|(name, list)| format!("{name} = {}\n", inline(list))).collect();
    lines.concat()
}

/// The dependencies, a line for each.
fn dependencies(manifest: &DocumentMut, moved: &BTreeMap<String, Dependency>) -> String {
    let lines = members(manifest, "dependencies")
        .into_iter()
        .map(|(name, item)| format!("{name} = {}\n", dependency(item, moved.get(name))));
    lines.collect()
}

/// A dependency, with the same features on a package elsewhere if it is moved.
fn dependency(item: &Item, moved: Option<&Dependency>) -> String {
    let Some(table) = item.as_table_like() else { return inline(item) };
    let mut keys: BTreeMap<&str, String> =
        table.iter().map(|(key, value)| (key, inline(value))).collect();
    if let Some(to) = moved {
        for (key, value) in to.keys() {
            keys.remove(key);
            keys.extend(value.map(|value| (key, quoted(value))));
        }
        keys.remove("workspace");
    }
    match keys.get("version") {
        Some(version) if keys.len() == 1 => version.clone(),
        _ => {
            let keys: Vec<String> =
                keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            format!("{{ {} }}", keys.join(", "))
        }
    }
}

/// A value on one line.
fn inline(item: &Item) -> String {
    match item.as_array() {
        Some(list) => {
            let strings: Vec<String> = list.iter().filter_map(Value::as_str).map(quoted).collect();
            format!("[{}]", strings.join(", "))
        }
        None => item.to_string().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_is_that_of_the_generated_crate() {
        let path = Dependency {
            package: Some("stars-runtime".to_owned()),
            path: Some("../runtime".to_owned()),
            ..Dependency::default()
        };
        let version = Dependency { version: Some("0.1".to_owned()), ..Dependency::default() };
        let source = "[dependencies]\na = \"1\"\nkapigen-runtime = { workspace = true, features = \
                      [\"machines\"] }";
        let source: DocumentMut = source.parse().unwrap();
        let dependencies = |to: &Dependency| {
            super::dependencies(
                &source,
                &BTreeMap::from([("kapigen-runtime".to_owned(), to.clone())]),
            )
        };
        let copied = "a = \"1\"\nkapigen-runtime = { features = [\"machines\"], package = \
                      \"stars-runtime\", path = \"../runtime\" }\n";
        assert_eq!(dependencies(&path), copied);
        let published =
            "a = \"1\"\nkapigen-runtime = { features = [\"machines\"], version = \"0.1\" }\n";
        assert_eq!(dependencies(&version), published);
    }
}
