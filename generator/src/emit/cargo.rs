//! Makes the files of a run a package: `Cargo.toml`, a README, the runtime if it is vendored, and copies of other
//! crates.

use super::edit;
use super::markdown::Markdown;
use super::separation;
use super::tree::Tree;
use super::vendored;
use crate::error::{Error, Location};
use crate::input::package::{Dependency, Package, Runtime, Sibling};
use crate::model::Api;
use crate::model::wellknown::{OWN_FEATURES, RUNTIME, RUNTIME_FEATURES};
use crate::names;
use crate::note::Note;
use std::collections::BTreeMap;

/// The rules by which the hand-written part is formatted: with them, formatting the crate changes nothing.
pub const RUSTFMT: &str = "max_width = 120\nuse_small_heuristics = \"Max\"\n";

/// The folder of a vendored runtime, below that of the crate.
pub const VENDORED: &str = "runtime";

/// The folders of vendored crates, below that of the crate.
pub fn vendored_folders() -> impl Iterator<Item = &'static str> {
    [VENDORED].into_iter().chain(Sibling::ALL.map(Sibling::name))
}

/// The path of the attributes that git gives to the sources.
pub const ATTRIBUTES: &str = "src/.gitattributes";

/// Generated files have the same bytes on every system, and pages that show changes fold them.
pub const ATTRIBUTES_TEXT: &str = "* text eol=lf linguist-generated\n";

/// Adds `Cargo.toml`, `README.md` and `rustfmt.toml`, the runtime if it is vendored, and the copies of other crates. A
/// `Cargo.toml` that exists is changed. Returns a note if the crate does not share a runtime any more.
///
/// # Errors
/// When Cargo would not take the name, the manifest that exists is of another package or cannot be read, or kapigen was
/// built without the sources of a crate that is to be copied.
pub fn add(
    package: &Package,
    api: &Api,
    features: &BTreeMap<String, Vec<String>>,
    tree: &mut Tree,
) -> Result<Option<Note>, Error> {
    let name = name(package)?;
    let mut note = None;
    if let Some(manifest) = &package.manifest {
        check_unchanged(&name, package)?;
        if !package.vendor.is_empty() && edit::inherits_runtime(manifest)? {
            let message = format!("the workspace says where `{RUNTIME}` is, and copies cannot ask it");
            return Err(Error::at(Location::document("Cargo.toml"), message)
                .help("give its path or version in the `Cargo.toml` of the crate, or leave out `--vendor`"));
        }
        note = separation::note(manifest, package)?;
        let edited = edit::edit(manifest, &name, package, features)?;
        tree.insert_merged("Cargo.toml", Some(manifest.clone()), edited);
    } else {
        check(&name)?;
        package.version.as_deref().map_or(Ok(()), check_version)?;
        tree.insert_merged("Cargo.toml", None, manifest(&name, package, features));
    }
    tree.insert("README.md", readme(&name, package, api));
    tree.insert("rustfmt.toml", RUSTFMT.to_owned());
    if package.runtime == Runtime::Vendored {
        insert(VENDORED, vendored::runtime(&vendored_name(&name, VENDORED))?, tree);
    }
    let runtime = runtime(&name, package).one_folder_down();
    for sibling in package.vendor.iter().copied() {
        let folder = sibling.name();
        insert(folder, vendored::sibling(sibling, &vendored_name(&name, folder), &runtime)?, tree);
    }
    Ok(note)
}

/// Adds a vendored crate.
fn insert(folder: &str, files: Vec<(String, String)>, tree: &mut Tree) {
    for (path, text) in files {
        tree.insert(format!("{folder}/{path}"), text);
    }
    tree.insert(format!("{folder}/{ATTRIBUTES}"), ATTRIBUTES_TEXT.to_owned());
}

/// The name of a package: that of its manifest, or else the given one, or else that of its folder.
///
/// # Errors
/// When the manifest cannot be read.
pub fn name(package: &Package) -> Result<String, Error> {
    match &package.manifest {
        Some(manifest) => edit::name(manifest),
        None => Ok(package.name.as_ref().unwrap_or(&package.folder).clone()),
    }
}

/// The manifest of a package that exists belongs to the user, and so do its name, version and license.
fn check_unchanged(name: &str, package: &Package) -> Result<(), Error> {
    let option = match package {
        Package { name: Some(other), .. } if other != name => "--crate-name",
        Package { version: Some(_), .. } => "--crate-version",
        Package { license: Some(_), .. } => "--license",
        _ => return Ok(()),
    };
    Err(Error::new(format!("`{option}` is for a new crate, and the folder has the `Cargo.toml` of `{name}`"))
        .help("change it there, and leave the option out: kapigen changes only features and dependencies"))
}

/// Names that mean something else in every crate.
const TAKEN: [&str; 6] = ["alloc", "build", "core", "proc-macro", "std", "test"];

fn check(name: &str) -> Result<(), Error> {
    let first = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    let is_plain = first && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    // A name for keywords ends in `_`.
    let is_keyword = names::module(name) == Some(format!("{name}_"));
    let is_taken = TAKEN.contains(&name.replace('_', "-").as_str()) || is_keyword || names::is_device(name);
    if is_plain && !is_taken {
        return Ok(());
    }
    let why = if is_plain { ": Rust, cargo or a system has another use for it" } else { "" };
    Err(Error::new(format!("`{name}` cannot be the name of a crate{why}"))
        .help("name it with `--crate-name`: letters, digits, `-` and `_`, with a letter first"))
}

/// Checks that a version has the form that Cargo takes: three numbers, and perhaps more behind `-` or `+`.
fn check_version(version: &str) -> Result<(), Error> {
    let (rest, build) = version.split_once('+').unwrap_or((version, "0"));
    let (core, pre) = rest.split_once('-').unwrap_or((rest, "0"));
    let is_number = |part: &str| part.parse::<u64>().is_ok_and(|number| number.to_string() == part);
    let is_identifier = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    // A number has no zeros in front.
    let is_plain = |part: &str| part == "0" || !part.starts_with('0') || !part.chars().all(|c| c.is_ascii_digit());
    let is_named =
        build.split('.').all(is_identifier) && pre.split('.').all(|part| is_identifier(part) && is_plain(part));
    if is_named && core.split('.').count() == 3 && core.split('.').all(is_number) {
        return Ok(());
    }
    Err(Error::new(format!("`{version}` cannot be the version of a crate"))
        .help("give three numbers, such as `0.1.0`; a pre-release follows behind `-`"))
}

/// Two packages of one name and version cannot be in one lock file, so that each vendored crate has its own name.
fn vendored_name(name: &str, folder: &str) -> String {
    format!("{name}-{folder}")
}

fn manifest(name: &str, package: &Package, features: &BTreeMap<String, Vec<String>>) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let license =
        package.license.as_ref().map_or_else(String::new, |license| format!("license = {}\n", quoted(license)));
    format!(
        "# Made by kapigen, which writes `[features]` and its own dependencies again. All else is yours.\n\
         [package]\n\
         name = \"{name}\"\n\
         version = {}\n\
         description = \"Typed requests and objects of Kubernetes-style APIs\"\n\
         edition = \"2024\"\n\
         rust-version = \"{}\"\n\
         {license}\
         \n\
         [lints.rust]\n\
         unsafe_code = \"forbid\"\n\
         \n\
         # One feature for each module, with the modules that its types need, and those of the runtime.\n\
         [features]\n\
         {}\n\
         [dependencies]\n\
         {}",
        quoted(package.version.as_deref().unwrap_or("0.1.0")),
        env!("CARGO_PKG_RUST_VERSION"),
        feature_lines(features),
        dependency_lines(name, package)
    )
}

/// All features: those of modules, `default` for all of these, those that enable the same one of the runtime, and the
/// crate's own.
pub(crate) fn manifest_features(features: &BTreeMap<String, Vec<String>>) -> BTreeMap<String, Vec<String>> {
    let forwarded = RUNTIME_FEATURES.map(|(name, _)| (name.to_owned(), vec![format!("{RUNTIME}/{name}")]));
    let own = OWN_FEATURES.map(|(name, _)| (name.to_owned(), Vec::new()));
    let mut all: BTreeMap<String, Vec<String>> = features.clone().into_iter().chain(forwarded).chain(own).collect();
    all.insert("default".to_owned(), features.keys().cloned().collect());
    all
}

fn feature_lines(features: &BTreeMap<String, Vec<String>>) -> String {
    let lists = manifest_features(features);
    let default = lists.iter().filter(|(name, _)| *name == "default");
    let others = lists.iter().filter(|(name, _)| *name != "default");
    let line = |(name, list): (&String, &Vec<String>)| {
        let quoted: Vec<String> = list.iter().map(|name| format!("\"{name}\"")).collect();
        format!("{name} = [{}]\n", quoted.join(", "))
    };
    default.chain(others).map(line).collect()
}

/// The dependencies on the runtime, and on the crates whose types are used.
pub(super) fn dependencies(name: &str, package: &Package) -> BTreeMap<String, Dependency> {
    let runtime = runtime(name, package);
    let externs = package.externs.iter().map(|other| {
        let path = Some(other.path.clone());
        (other.package.clone(), Dependency { path, default_features: false, ..Dependency::default() })
    });
    externs.chain([(RUNTIME.to_owned(), runtime)]).collect()
}

/// The dependency on the runtime.
fn runtime(name: &str, package: &Package) -> Dependency {
    match &package.runtime {
        Runtime::Vendored => vendored_dependency(name, VENDORED),
        Runtime::Depend(dependency) => dependency.clone(),
    }
}

/// The dependency on a vendored crate, from the folder of the crate.
fn vendored_dependency(name: &str, folder: &str) -> Dependency {
    let (package, path) = (Some(vendored_name(name, folder)), Some(folder.to_owned()));
    Dependency { package, path, ..Dependency::default() }
}

fn dependency_lines(name: &str, package: &Package) -> String {
    let dependencies = dependencies(name, package);
    let (runtime, externs): (Vec<_>, Vec<_>) = dependencies.iter().partition(|(name, _)| *name == RUNTIME);
    let line = |(name, dependency): (&String, &Dependency)| format!("{name} = {}\n", inline(dependency));
    runtime.into_iter().chain(externs).map(line).collect()
}

fn inline(dependency: &Dependency) -> String {
    let Dependency { package, version, path, default_features } = dependency;
    let keys = [("package", package), ("version", version), ("path", path)];
    let quoted = |text: &String| toml::Value::String(text.clone()).to_string();
    let keys = keys.into_iter().filter_map(|(key, value)| Some(format!("{key} = {}", quoted(value.as_ref()?))));
    let more = if *default_features { "" } else { ", default-features = false" };
    format!("{{ {}{more} }}", keys.collect::<Vec<_>>().join(", "))
}

fn readme(name: &str, package: &Package, api: &Api) -> String {
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
         Each module but `meta_v1` has a Cargo feature of its name; all are on by default. These features are off by \
         default:\n\
         \n\
         {}\
         \n\
         | module | group and version | resources |\n\
         |---|---|---|\n\
         {}\n\
         {}",
        OWN_FEATURES
            .iter()
            .chain(&RUNTIME_FEATURES)
            .map(|(name, about)| format!("- `{name}`: {about}\n"))
            .collect::<String>(),
        modules.collect::<Vec<_>>().join("\n"),
        copies(name, package)
    )
}

/// The part of the README about crates that are copied along.
fn copies(name: &str, package: &Package) -> String {
    if package.vendor.is_empty() {
        return String::new();
    }
    let line = |sibling: &Sibling| {
        let dependency = vendored_dependency(name, sibling.name());
        format!("{} = {}\n", sibling.package_name(), inline(&dependency))
    };
    let lines: String = package.vendor.iter().map(line).collect();
    format!(
        "\nCopies of other crates, over the runtime of this one, are in folders of their own. Depend on them as \
         follows, with the paths from your package:\n\n```toml\n[dependencies]\n{lines}```\n"
    )
}

#[cfg(test)]
mod tests {
    use super::check_version;

    #[test]
    fn versions_are_three_numbers() {
        for version in ["0.1.0", "10.20.30", "1.0.0-rc.1", "1.0.0-alpha+k8s.1.34", "1.0.0+5", "1.0.0-0", "1.0.0+01"] {
            assert_eq!(check_version(version), Ok(()), "{version}");
        }
        let cores = ["", "1", "1.0", "1.0.0.0", "v1.0.0", "01.0.0", "1.0.x", "+1.0.0", "1.0.+1"];
        let others = ["1.0.0-", "1.0.0-a b", "1.0.0-01", "1.0.0-a..b", "1.0.0-+5", "1.0.0+a+b"];
        for version in cores.into_iter().chain(others) {
            assert!(check_version(version).is_err(), "{version}");
        }
    }
}
