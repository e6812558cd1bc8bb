//! The manifest of a copy: with the dependencies and features of the original, and nothing of its workspace.

use crate::error::Error;
use crate::input::package::Dependency;
use crate::model::wellknown::RUNTIME;
use toml::{Table, Value};

/// Features that only kapigen uses.
const OWN_FEATURES: [&str; 1] = ["sources"];

/// The manifest of a copy of `original` as a package of another name. `runtime` is the dependency on the runtime in
/// place of its own, if it has one.
pub(super) fn render(
    original: &str,
    manifest: &str,
    package: &str,
    runtime: Option<&Dependency>,
) -> Result<String, Error> {
    let manifest: Table = manifest.parse().map_err(|error| {
        Error::new(format!("the manifest of {original} cannot be read: {error}")).help("this is a bug of kapigen")
    })?;
    let stated = |key| manifest.get("package").and_then(|package| package.get(key)).and_then(Value::as_str);
    // Those of the workspace have one version.
    let version = stated("version").unwrap_or(env!("CARGO_PKG_VERSION"));
    let features = features(&manifest);
    let features = if features.is_empty() { features } else { format!("[features]\n{features}\n") };
    Ok(format!(
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
        dependencies(&manifest, runtime),
    ))
}

/// The features that users choose, a line for each.
fn features(manifest: &Table) -> String {
    let all = manifest.get("features").and_then(Value::as_table).into_iter().flatten();
    let chosen = all.filter(|(name, _)| !OWN_FEATURES.contains(&name.as_str()));
    let lines: Vec<String> = chosen.map(|(name, list)| format!("{name} = {list}\n")).collect();
    lines.concat()
}

/// The dependencies, a line for each. Cargo spells them out in packages, and the lines must not differ.
fn dependencies(manifest: &Table, runtime: Option<&Dependency>) -> String {
    let all = manifest.get("dependencies").and_then(Value::as_table).into_iter().flatten();
    let line = |(name, dependency): (&String, &Value)| {
        let moved = runtime.filter(|_| name == RUNTIME).map(|runtime| relocated(dependency, runtime));
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
    fn dependencies_are_the_same_from_a_package() {
        let source = "[dependencies]\na = \"1\"\nb = { version = \"2\", features = [\"x\"] }";
        let package = "[dependencies.a]\nversion = \"1\"\n[dependencies.b]\nversion = \"2\"\nfeatures = [\"x\"]";
        let [source, package] = [source, package].map(|text| dependencies(&text.parse().unwrap(), None));
        assert_eq!(source, "a = \"1\"\nb = { features = [\"x\"], version = \"2\" }\n");
        assert_eq!(package, source);
    }

    #[test]
    fn copies_have_the_features_that_users_choose() {
        let source = "[features]\nchange = []\nsources = []\nroute = []\nschemars = [\"dep:schemars\"]\nmachines = []";
        let expected = "change = []\nmachines = []\nroute = []\nschemars = [\"dep:schemars\"]\n";
        assert_eq!(features(&source.parse().unwrap()), expected);
    }

    #[test]
    fn the_runtime_is_that_of_the_generated_crate() {
        let path = Dependency {
            package: Some("stars-runtime".to_owned()),
            path: Some("../runtime".to_owned()),
            ..Dependency::default()
        };
        let version = Dependency { version: Some("0.1".to_owned()), ..Dependency::default() };
        let workspace = "kapigen-runtime = { workspace = true, features = [\"machines\"] }";
        let package = "kapigen-runtime = { version = \"0.1.0\", features = [\"machines\"] }";
        for source in [workspace, package] {
            let source: Table = format!("[dependencies]\na = \"1\"\n{source}").parse().unwrap();
            let copied = "a = \"1\"\nkapigen-runtime = { features = [\"machines\"], package = \"stars-runtime\", \
                          path = \"../runtime\" }\n";
            assert_eq!(dependencies(&source, Some(&path)), copied);
            let published = "a = \"1\"\nkapigen-runtime = { features = [\"machines\"], version = \"0.1\" }\n";
            assert_eq!(dependencies(&source, Some(&version)), published);
        }
    }
}
