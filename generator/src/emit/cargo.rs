//! Makes the files of a run a package: `Cargo.toml`, a README, and the runtime if it is vendored.

use super::markdown::Markdown;
use super::tree::Tree;
use super::vendored;
use crate::error::Error;
use crate::input::package::{Dependency, Package, Runtime};
use crate::model::Api;
use crate::model::wellknown::RUNTIME;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The rules by which the hand-written part is formatted: with them, formatting the crate changes nothing.
pub const RUSTFMT: &str = "max_width = 120\nuse_small_heuristics = \"Max\"\n";

/// The folder of a vendored runtime, below that of the crate.
pub const VENDORED: &str = "runtime";

/// Adds `Cargo.toml`, `README.md` and `rustfmt.toml`, and the runtime if it is vendored.
///
/// # Errors
/// When Cargo would not take the name, or the runtime is to be vendored and kapigen was built without it.
pub fn add(
    package: &Package,
    api: &Api,
    features: &BTreeMap<String, Vec<String>>,
    tree: &mut Tree,
) -> Result<(), Error> {
    check(&package.name)?;
    tree.insert("Cargo.toml", manifest(package, features));
    let readme = readme(&package.name, api);
    tree.insert("README.md", readme);
    tree.insert("rustfmt.toml", RUSTFMT.to_owned());
    if package.runtime == Runtime::Vendored {
        for (path, text) in vendored::files(&vendored_name(&package.name))? {
            tree.insert(format!("{VENDORED}/{path}"), text);
        }
    }
    Ok(())
}

fn check(name: &str) -> Result<(), Error> {
    let first = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    if first && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
        return Ok(());
    }
    Err(Error::new(format!("`{name}` cannot be the name of a crate"))
        .help("name it with `--crate-name`: letters, digits, `-` and `_`, with a letter first"))
}

/// Two packages of one name and version cannot stand in one lock file, so that each vendored runtime has its own name.
fn vendored_name(name: &str) -> String {
    format!("{name}-runtime")
}

fn manifest(package: &Package, features: &BTreeMap<String, Vec<String>>) -> String {
    format!(
        "# Written by kapigen. `kapigen generate --crate-name` sets another name.\n\
         [package]\n\
         name = \"{}\"\n\
         version = \"0.1.0\"\n\
         description = \"Typed requests and objects of Kubernetes-style APIs\"\n\
         edition = \"2024\"\n\
         rust-version = \"{}\"\n\
         \n\
         [lints.rust]\n\
         unsafe_code = \"forbid\"\n\
         \n\
         # One feature for each module, with the modules that its types need.\n\
         [features]\n\
         {}\n\
         [dependencies]\n\
         {}",
        package.name,
        env!("CARGO_PKG_RUST_VERSION"),
        feature_lines(features),
        dependencies(package)
    )
}

fn feature_lines(features: &BTreeMap<String, Vec<String>>) -> String {
    let quoted = |names: &mut dyn Iterator<Item = &String>| {
        let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
        names.join(", ")
    };
    let mut lines = format!("default = [{}]\n", quoted(&mut features.keys()));
    for (name, needs) in features {
        writeln!(lines, "{name} = [{}]", quoted(&mut needs.iter())).expect("writing to a string does not fail");
    }
    lines
}

/// The dependencies: the runtime, and the crates whose types are used.
fn dependencies(package: &Package) -> String {
    let runtime = match &package.runtime {
        Runtime::Vendored => {
            Dependency { package: Some(vendored_name(&package.name)), path: Some(VENDORED.to_owned()), version: None }
        }
        Runtime::Depend(dependency) => dependency.clone(),
    };
    let mut lines = format!("{RUNTIME} = {}\n", inline(&runtime, ""));
    let externs: BTreeSet<_> = package.externs.iter().map(|other| (&other.package, &other.path)).collect();
    for (name, path) in externs {
        let dependency = Dependency { path: Some(path.clone()), ..Dependency::default() };
        let line = inline(&dependency, ", default-features = false");
        writeln!(lines, "{name} = {line}").expect("writing to a string does not fail");
    }
    lines
}

fn inline(dependency: &Dependency, more: &str) -> String {
    let Dependency { package, version, path } = dependency;
    let keys = [("package", package), ("version", version), ("path", path)];
    let quoted = |text: &String| toml::Value::String(text.clone()).to_string();
    let keys = keys.into_iter().filter_map(|(key, value)| Some(format!("{key} = {}", quoted(value.as_ref()?))));
    format!("{{ {}{more} }}", keys.collect::<Vec<_>>().join(", "))
}

fn readme(name: &str, api: &Api) -> String {
    let modules = api.modules.iter().map(|(module, content)| {
        let plurals: Vec<String> = content.resources.keys().map(|plural| Markdown::cell(plural).to_string()).collect();
        let resources = if plurals.is_empty() { "types only".to_owned() } else { plurals.join(", ") };
        let version = Markdown::cell(&content.group_version.api_version());
        format!("| {} | {version} | {resources} |", Markdown::cell(module))
    });
    format!(
        "# {name}\n\
         \n\
         Types and requests of Kubernetes-style APIs, generated by kapigen from OpenAPI documents. Do not edit: \
         generate again.\n\
         \n\
         Each module but `meta_v1` has a Cargo feature of its name; all are on by default.\n\
         \n\
         | module | group and version | resources |\n\
         |---|---|---|\n\
         {}\n",
        modules.collect::<Vec<_>>().join("\n")
    )
}
