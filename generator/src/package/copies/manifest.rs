//! The manifest of a copy: with the dependencies and features of the original, and nothing of its workspace.

use crate::input::package::Dependency;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The manifest of a copy of `original` as a package of another name. `moved` has the dependencies that are elsewhere
/// for a copy.
pub(super) fn render(original: &str, manifest: &Table, package: &str, moved: &BTreeMap<String, Dependency>) -> String {
    let stated = |key| manifest.get("package").and_then(|package| package.get(key)).and_then(Value::as_str);
    // Those of the workspace have one version.
    let version = stated("version").unwrap_or(env!("CARGO_PKG_VERSION"));
    let features = features(manifest);
    let features = if features.is_empty() { features } else { format!("[features]\n{features}\n") };
    format!(
        "# Written by kapigen: a copy of {original} {version}.\n\
         [package]\n\
         name = \"{package}\"\n\
         version = \"{version}\"\n\
         description = {}\n\
         edition = \"2024\"\n\
         rust-version = \"{}\"\n\
         license = \"Apache-2.0\"\n\
         \n\
         # Examples name the original.\n\
         [lib]\n\
         doctest = false\n\
         \n\
         [lints.rust]\n\
         unsafe_code = \"forbid\"\n\
         \n\
         {features}\
         [dependencies]\n\
         {}",
        Value::from(stated("description").unwrap_or(original)),
        stated("rust-version").unwrap_or(env!("CARGO_PKG_RUST_VERSION")),
        dependencies(manifest, moved),
    )
}

/// The features, a line for each.
fn features(manifest: &Table) -> String {
    let all = manifest.get("features").and_then(Value::as_table).into_iter().flatten();
    let lines: Vec<String> = all.map(|(name, list)| format!("{name} = {list}\n")).collect();
    lines.concat()
}

/// The dependencies, a line for each.
fn dependencies(manifest: &Table, moved: &BTreeMap<String, Dependency>) -> String {
    let all = manifest.get("dependencies").and_then(Value::as_table).into_iter().flatten();
    let line = |(name, dependency): (&String, &Value)| {
        let moved = moved.get(name).map(|to| relocated(dependency, to));
        let dependency = moved.as_ref().unwrap_or(dependency);
        let version = dependency.as_table().filter(|keys| keys.len() == 1).and_then(|keys| keys.get("version"));
        format!("{name} = {}\n", version.unwrap_or(dependency))
    };
    all.map(line).collect()
}

/// A dependency with the same features on a package elsewhere.
fn relocated(dependency: &Value, to: &Dependency) -> Value {
    let mut keys = dependency.as_table().cloned().unwrap_or_default();
    for (key, value) in [("package", &to.package), ("version", &to.version), ("path", &to.path)] {
        keys.remove(key);
        keys.extend(value.as_ref().map(|value| (key.to_owned(), Value::from(value.as_str()))));
    }
    keys.remove("workspace");
    Value::Table(keys)
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
        let source = "[dependencies]\na = \"1\"\nkapigen-runtime = { workspace = true, features = [\"machines\"] }";
        let source: Table = source.parse().unwrap();
        let dependencies = |to: &Dependency| {
            super::dependencies(&source, &BTreeMap::from([("kapigen-runtime".to_owned(), to.clone())]))
        };
        let copied = "a = \"1\"\nkapigen-runtime = { features = [\"machines\"], package = \"stars-runtime\", \
                      path = \"../runtime\" }\n";
        assert_eq!(dependencies(&path), copied);
        let published = "a = \"1\"\nkapigen-runtime = { features = [\"machines\"], version = \"0.1\" }\n";
        assert_eq!(dependencies(&version), published);
    }
}
