//! `Cargo.toml`. A new one is written as a whole. In the user's own, kapigen only manages
//! `[features]` and the dependencies on the runtime and on crates that types are taken from.

use super::copies;
use crate::error::{Error, Location, Position};
use crate::input::package::{Dependency, Package};
use crate::model::wellknown::{OWN_FEATURES, RUNTIME, RUNTIME_FEATURES, is_common_feature};
use crate::names;
use std::collections::BTreeMap;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value, value};

/// The path of the manifest below the folder of a crate.
pub const FILE: &str = "Cargo.toml";

/// The name of a package: as its manifest states it, or else the given name, or else the name of
/// its folder.
///
/// # Errors
/// When the manifest cannot be read.
pub fn name(package: &Package) -> Result<String, Error> {
    match &package.manifest {
        Some(manifest) => stated_name(manifest),
        None => Ok(package.name.clone().unwrap_or_else(|| default_name(&package.folder))),
    }
}

/// The name of a crate in this folder: in lower case, with `-` for characters that names cannot
/// have.
fn default_name(folder: &str) -> String {
    let plain = folder.to_lowercase();
    let plain = plain.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "-");
    match plain.trim_matches('-') {
        "" => "api".to_owned(),
        plain if check(plain).is_ok() => plain.to_owned(),
        plain => format!("api-{plain}"),
    }
}

/// The manifest with these features, new, or changed in place where it is the user's.
///
/// # Errors
/// When Cargo would not take the name, or the manifest that exists is of another package or cannot
/// be read.
pub(super) fn create_or_update(
    name: &str,
    package: &Package,
    features: &BTreeMap<String, Vec<String>>,
) -> Result<String, Error> {
    let Some(manifest) = &package.manifest else {
        check(name)?;
        package.version.as_deref().map_or(Ok(()), check_version)?;
        return Ok(self::manifest(name, package, features));
    };
    check_unchanged(name, package)?;
    if !package.vendor.is_empty() && inherits_runtime(manifest)? {
        let message =
            format!("`{RUNTIME}` is inherited from the workspace, which copies do not belong to");
        return Err(Error::at(Location::document(FILE), message).help(
            "give its path or version in the `Cargo.toml` of the crate, or leave out `--vendor`",
        ));
    }
    edit(manifest, name, package, features)
}

/// The manifest of a package that exists belongs to the user, and so do its name, version and
/// license.
fn check_unchanged(name: &str, package: &Package) -> Result<(), Error> {
    let option = match package {
        Package { name: Some(other), .. } if other != name => "--crate-name",
        Package { version: Some(_), .. } => "--crate-version",
        Package { license: Some(_), .. } => "--license",
        _ => return Ok(()),
    };
    Err(Error::new(format!(
        "`{option}` is for a new crate, and the folder has the `Cargo.toml` of `{name}`"
    ))
    .help(
        "change it there, and leave the option out: kapigen changes only features and dependencies",
    ))
}

fn check(name: &str) -> Result<(), Error> {
    if names::is_crate_name(name) && !names::is_device(name) {
        return Ok(());
    }
    let why = if names::is_package_name(name) {
        ": Rust, cargo or a system has another use for it"
    } else {
        ""
    };
    Err(Error::new(format!("`{name}` cannot be the name of a crate{why}"))
        .help("name it with `--crate-name`: letters, digits, `-` and `_`, with a letter first"))
}

/// Checks that a version has the form that Cargo takes: three numbers, and perhaps more after `-`
/// or `+`.
fn check_version(version: &str) -> Result<(), Error> {
    let (rest, build) = version.split_once('+').unwrap_or((version, "0"));
    let (core, pre) = rest.split_once('-').unwrap_or((rest, "0"));
    let is_named = build.split('.').all(is_identifier)
        && pre.split('.').all(|part| is_identifier(part) && !has_zeros_in_front(part));
    let core: Vec<&str> = core.split('.').collect();
    let are_numbers =
        core.iter().all(|part| part.parse::<u64>().is_ok_and(|number| number.to_string() == *part));
    if is_named && core.len() == 3 && are_numbers {
        return Ok(());
    }
    Err(Error::new(format!("`{version}` cannot be the version of a crate"))
        .help("give three numbers, such as `0.1.0`; a pre-release follows after `-`"))
}

fn is_identifier(part: &str) -> bool {
    !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Whether a part is a number that Cargo does not take.
fn has_zeros_in_front(part: &str) -> bool {
    part != "0" && part.starts_with('0') && part.chars().all(|c| c.is_ascii_digit())
}

pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn manifest(name: &str, package: &Package, features: &BTreeMap<String, Vec<String>>) -> String {
    let license = package
        .license
        .as_ref()
        .map_or_else(String::new, |license| format!("license = {}\n", quoted(license)));
    format!(
        "# Made by kapigen, which writes `[features]` and its own dependencies again. All else is \
         yours.\n[package]\nname = \"{name}\"\nversion = {}\ndescription = \"Typed requests and \
         objects of Kubernetes-style APIs\"\nedition = \"2024\"\nrust-version = \
         \"{}\"\n{license}\n[lints.rust]\nunsafe_code = \"forbid\"\n\n# One feature for each \
         module, with the modules that its types need, and those of the \
         runtime.\n[features]\n{}\n[dependencies]\n{}",
        quoted(package.version.as_deref().unwrap_or("0.1.0")),
        env!("CARGO_PKG_RUST_VERSION"),
        feature_lines(features),
        dependency_lines(name, package)
    )
}

/// All features: one for each module, `default` for all of these, the ones that enable the
/// runtime's feature of the same name, and the crate's own.
pub(crate) fn features(features: &BTreeMap<String, Vec<String>>) -> BTreeMap<String, Vec<String>> {
    let forwarded =
        RUNTIME_FEATURES.map(|(name, _)| (name.to_owned(), vec![format!("{RUNTIME}/{name}")]));
    let own = OWN_FEATURES.map(|(name, _)| (name.to_owned(), Vec::new()));
    let mut all: BTreeMap<String, Vec<String>> =
        features.clone().into_iter().chain(forwarded).chain(own).collect();
    all.insert("default".to_owned(), modules(features).cloned().collect());
    all
}

/// The features that are modules.
fn modules(features: &BTreeMap<String, Vec<String>>) -> impl Iterator<Item = &String> {
    features.keys().filter(|name| !is_common_feature(name))
}

fn feature_lines(features: &BTreeMap<String, Vec<String>>) -> String {
    let lists = self::features(features);
    let default = lists.iter().filter(|(name, _)| *name == "default");
    let others = lists.iter().filter(|(name, _)| *name != "default");
    let lines = default.chain(others).map(|(name, list)| {
        let quoted: Vec<String> = list.iter().map(|name| format!("\"{name}\"")).collect();
        format!("{name} = [{}]\n", quoted.join(", "))
    });
    lines.collect()
}

/// The dependencies on the runtime and on the crates that types are taken from.
fn dependencies(name: &str, package: &Package) -> BTreeMap<String, Dependency> {
    let runtime = copies::runtime(name, package);
    let externs = package.externs.iter().map(|other| {
        let path = Some(other.path.clone());
        (
            other.package.clone(),
            Dependency { path, default_features: false, ..Dependency::default() },
        )
    });
    externs.chain([(RUNTIME.to_owned(), runtime)]).collect()
}

fn dependency_lines(name: &str, package: &Package) -> String {
    let dependencies = dependencies(name, package);
    let (runtime, externs): (Vec<_>, Vec<_>) =
        dependencies.iter().partition(|(name, _)| *name == RUNTIME);
    let all = runtime.into_iter().chain(externs);
    let lines = all.map(|(name, dependency)| format!("{name} = {}\n", inline(dependency)));
    lines.collect()
}

/// A dependency as a value in a manifest.
pub(super) fn inline(dependency: &Dependency) -> String {
    let keys = dependency
        .keys()
        .into_iter()
        .filter_map(|(key, value)| Some(format!("{key} = {}", Value::from(value?))));
    let more = if dependency.default_features { "" } else { ", default-features = false" };
    format!("{{ {}{more} }}", keys.collect::<Vec<_>>().join(", "))
}

/// The name of the package of a manifest.
///
/// # Errors
/// When it cannot be read, or is not a manifest of a package.
fn stated_name(manifest: &str) -> Result<String, Error> {
    let document = parse(manifest)?;
    let name =
        document.get("package").and_then(|package| package.get("name")).and_then(Item::as_str);
    name.map(str::to_owned).ok_or_else(|| {
        Error::at(
            Location::document(FILE),
            "the manifest in the folder of the crate has no package",
        )
        .help("write the crate to a folder of its own")
    })
}

/// Whether the workspace locates the runtime, which the manifest then does not.
///
/// # Errors
/// When it cannot be read.
fn inherits_runtime(manifest: &str) -> Result<bool, Error> {
    let document = parse(manifest)?;
    let runtime = document.get("dependencies").and_then(|dependencies| dependencies.get(RUNTIME));
    Ok(runtime.and_then(|runtime| runtime.get("workspace")).is_some())
}

/// The manifest with these features and dependencies. All else stays as it is, as do entries that
/// are already right.
///
/// # Errors
/// When it cannot be read.
fn edit(
    manifest: &str,
    name: &str,
    package: &Package,
    features: &BTreeMap<String, Vec<String>>,
) -> Result<String, Error> {
    let mut document = parse(manifest)?;
    set_features(table(&mut document, "features")?, features);
    let dependencies_table = table(&mut document, "dependencies")?;
    for (key, dependency) in dependencies(name, package) {
        set_dependency(dependencies_table, &key, &dependency);
    }
    Ok(with_line_endings_of(manifest, &document.to_string()))
}

/// A text with the line endings that most lines of the earlier one have.
fn with_line_endings_of(before: &str, text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let is_crlf = before.matches("\r\n").count() * 2 > before.matches('\n').count();
    if is_crlf { text.replace('\n', "\r\n") } else { text }
}

fn parse(manifest: &str) -> Result<DocumentMut, Error> {
    manifest.parse().map_err(|error: toml_edit::TomlError| {
        let before = error.span().and_then(|span| manifest.get(..span.start));
        let position = before.map_or(Position::Document, |before| {
            let line = before.rsplit('\n').next().unwrap_or_default();
            Position::LineColumn(before.matches('\n').count() + 1, line.chars().count() + 1)
        });
        let at = Location { document: FILE.to_owned(), position };
        Error::at(at, format!("this is not TOML: {}", error.message()))
            .help("correct it, or write the crate to another folder")
    })
}

fn table<'a>(document: &'a mut DocumentMut, key: &str) -> Result<&'a mut Table, Error> {
    let item = document.entry(key).or_insert_with(|| Item::Table(Table::new()));
    let is_inline = item.is_inline_table();
    item.as_table_mut().ok_or_else(|| {
        let why = if is_inline { "is written inline" } else { "is not a table" };
        Error::at(Location::document(FILE), format!("`{key}` {why}"))
            .help(format!("write it as `[{key}]`"))
    })
}

/// A `default` that lists all modules stays complete; one that was cut down loses the removed
/// features. Features of the runtime stay in it.
fn set_features(table: &mut Table, features: &BTreeMap<String, Vec<String>>) {
    let mut wanted = self::features(features);
    let before: BTreeMap<String, Vec<String>> =
        table.iter().map(|(key, item)| (key.to_owned(), strings(item))).collect();
    if let Some(default) = before.get("default") {
        let mut modules = before.keys().filter(|key| *key != "default" && !is_common_feature(key));
        let is_whole = modules.all(|key| default.contains(key));
        let known = default.iter().filter(|name| wanted.contains_key(*name));
        let kept = known.filter(|name| !is_whole || is_common_feature(name));
        let modules = self::modules(features).filter(|_| is_whole);
        let kept: Vec<String> = modules.chain(kept).cloned().collect();
        wanted.insert("default".to_owned(), kept);
    }
    for key in before.keys().filter(|key| !wanted.contains_key(*key)) {
        table.remove(key);
    }
    for (key, list) in wanted.iter().filter(|(key, list)| before.get(*key) != Some(*list)) {
        let list: Array = list.iter().map(String::as_str).collect();
        table.insert(key, value(list));
    }
    // The order does not depend on the earlier content.
    if before.keys().ne(wanted.keys()) {
        table.sort_values_by(|one, _, other, _| {
            let [one, other] = [one, other].map(|key| (key.get() != "default", key.get()));
            one.cmp(&other)
        });
    }
}

fn strings(item: &Item) -> Vec<String> {
    let values = item.as_array().into_iter().flatten();
    values.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The keys that locate a crate elsewhere than by a path or a commit.
const OTHER_PLACES: [&str; 3] = ["branch", "registry", "tag"];

/// Keys that do not locate a crate are kept.
fn set_dependency(table: &mut Table, key: &str, dependency: &Dependency) {
    let keys = dependency.keys();
    match table.get_mut(key) {
        // A version alone.
        Some(item)
            if item.is_str()
                && item.as_str() == dependency.version.as_deref()
                && dependency.path.is_none() => {}
        Some(item) if item.is_table_like() => {
            let Some(inner) = item.as_table_like_mut() else { return };
            // The workspace locates it.
            if inner.contains_key("workspace") {
                return;
            }
            // A dependency is in one place.
            if dependency.path.is_some() || dependency.rev.is_some() {
                for other in OTHER_PLACES {
                    inner.remove(other);
                }
            }
            for (key, wanted) in keys {
                let is = inner.get(key).and_then(Item::as_str);
                match wanted {
                    Some(wanted) if is != Some(wanted) => drop(inner.insert(key, value(wanted))),
                    None if inner.contains_key(key) => drop(inner.remove(key)),
                    _ => {}
                }
            }
        }
        _ => {
            let set = keys.into_iter().filter_map(|(key, value)| Some((key, Value::from(value?))));
            let mut inner: InlineTable = set.collect();
            if !dependency.default_features {
                inner.insert("default-features", Value::from(false));
            }
            table.insert(key, value(inner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::package::Runtime;

    const MINE: &str = "# mine\n[package]\nname = \"stars\" # a name\nversion = \
                        \"2.0.0\"\n\n[dependencies]\nserde = \"1\"\n";

    /// The features that every crate has.
    fn common() -> String {
        let runtime = RUNTIME_FEATURES.map(|(name, _)| (name, format!("\"{RUNTIME}/{name}\"")));
        let own = OWN_FEATURES.map(|(name, _)| (name, String::new()));
        let all: BTreeMap<&str, String> = runtime.into_iter().chain(own).collect();
        all.iter().flat_map(|(name, list)| [name, " = [", list, "]\n"]).collect()
    }

    fn package(runtime: Runtime) -> Package {
        Package { runtime, ..Package::default() }
    }

    fn features(names: &[&str]) -> BTreeMap<String, Vec<String>> {
        names.iter().map(|name| ((*name).to_owned(), Vec::new())).collect()
    }

    fn edited(manifest: &str, runtime: Runtime, names: &[&str]) -> String {
        edit(manifest, "stars", &package(runtime), &features(names)).unwrap()
    }

    #[test]
    fn keeps_all_but_features_and_the_runtime() {
        let expected = "# mine\n[package]\nname = \"stars\" # a name\nversion = \
                        \"2.0.0\"\n\n[dependencies]\nserde = \"1\"\nkapigen-runtime = { package = \
                        \"stars-runtime\", path = \"runtime\" }\n\n[features]\ndefault = \
                        [\"a_v1\"]\na_v1 = []\n"
            .to_owned()
            + &common();
        let once = edited(MINE, Runtime::Vendored, &["a_v1"]);
        assert_eq!(once, expected);
        assert_eq!(
            edited(&once, Runtime::Vendored, &["a_v1"]),
            once,
            "a second run changes nothing"
        );
    }

    #[test]
    fn right_entries_keep_their_form() {
        let manifest = format!(
            "[package]\nname = \"stars\"\n[features]\n{}default = [ \"a_v1\" ] # all\na_v1 = \
             [\n]\n[dependencies.kapigen-runtime]\nversion = \"0.1\"\nfeatures = [\"x\"]\n",
            common()
        );
        let version = Dependency { version: Some("0.1".to_owned()), ..Dependency::default() };
        assert_eq!(edited(&manifest, Runtime::Depend(version), &["a_v1"]), manifest);
        let plain = "[package]\nname = \"stars\"\n[dependencies]\nkapigen-runtime.workspace = \
                     true\n[features]\ndefault = []\n"
            .to_owned()
            + &common();
        assert_eq!(edited(&plain, Runtime::Vendored, &[]), plain);
    }

    #[test]
    fn a_runtime_from_elsewhere_keeps_other_keys() {
        let manifest = "[package]\nname = \"stars\"\n[dependencies]\nkapigen-runtime = { package \
                        = \"x\", path = \"y\", features = [\"z\"] }\n[features]\ndefault = []\n";
        let version = Dependency { version: Some("0.1".to_owned()), ..Dependency::default() };
        let edited = edited(manifest, Runtime::Depend(version), &[]);
        let parsed: DocumentMut = edited.parse().unwrap();
        let runtime = &parsed["dependencies"]["kapigen-runtime"];
        assert_eq!(runtime["version"].as_str(), Some("0.1"));
        assert!(runtime.get("package").is_none() && runtime.get("path").is_none(), "{edited}");
        assert_eq!(strings(&runtime["features"]), ["z"]);
    }

    #[test]
    fn a_commit_replaces_other_places_and_nothing_a_branch() {
        let manifest = |keys: &str| {
            let url = "git = \"https://a\"";
            format!(
                "[package]\nname = \"stars\"\n[dependencies]\nkapigen-runtime = {{ {url}{keys} }}\n"
            )
        };
        let at = |rev: Option<&str>| {
            let (git, rev) = (Some("https://a".to_owned()), rev.map(str::to_owned));
            Runtime::Depend(Dependency { git, rev, ..Dependency::default() })
        };
        let begins = |edited: &str, keys: &str| {
            assert!(edited.starts_with(manifest(keys).trim_end()), "{edited}");
        };
        begins(&edited(&manifest(", branch = \"b\""), at(None), &[]), ", branch = \"b\"");
        begins(&edited(&manifest(", rev = \"c\""), at(Some("d")), &[]), ", rev = \"d\"");
        let moved = edited(&manifest(", branch = \"b\""), at(Some("d")), &[]);
        assert!(!moved.contains("branch") && moved.contains("rev = \"d\""), "{moved}");
        let new = manifest_of_new(at(Some("d")));
        assert!(new.ends_with("kapigen-runtime = { git = \"https://a\", rev = \"d\" }\n"), "{new}");
    }

    fn manifest_of_new(runtime: Runtime) -> String {
        create_or_update("stars", &Package::new("stars", runtime), &BTreeMap::new()).unwrap()
    }

    #[test]
    fn a_dependency_is_in_one_place() {
        let manifest = "[package]\nname = \"stars\"\n[dependencies]\nkapigen-runtime = { git = \
             \"https://a\", tag = \"v1\", features = [\"z\"] }\n";
        let edited = edited(manifest, Runtime::Vendored, &[]);
        let runtime = "{ features = [\"z\"] , package = \"stars-runtime\", path = \"runtime\" }\n";
        assert!(edited.contains(runtime), "{edited}");
    }

    #[test]
    fn a_default_that_was_cut_down_stays_so() {
        let all = edited(MINE, Runtime::Vendored, &["a_v1", "b_v1", "c_v1"]);
        assert!(
            edited(&all, Runtime::Vendored, &["a_v1", "d_v1"])
                .contains("default = [\"a_v1\", \"d_v1\"]")
        );
        let cut = all
            .replace("default = [\"a_v1\", \"b_v1\", \"c_v1\"]", "default = [\"b_v1\", \"c_v1\"]");
        let edited = edited(&cut, Runtime::Vendored, &["a_v1", "c_v1", "d_v1"]);
        assert!(edited.contains("default = [\"c_v1\"]") && !edited.contains("b_v1"), "{edited}");
    }

    #[test]
    fn features_of_the_runtime_stay_in_the_default() {
        let all = edited(MINE, Runtime::Vendored, &["a_v1", "b_v1"]);
        for modules in ["\"a_v1\", \"b_v1\", ", "\"a_v1\", ", ""] {
            let mine = all.replace("[\"a_v1\", \"b_v1\"]", &format!("[{modules}\"change\"]"));
            assert!(mine.contains("\"change\"]"), "{mine}");
            assert_eq!(edited(&mine, Runtime::Vendored, &["a_v1", "b_v1"]), mine);
        }
    }

    #[test]
    fn lines_end_as_most_did() {
        let edited = |manifest: &str| edited(manifest, Runtime::Vendored, &["a_v1"]);
        assert_eq!(edited(&MINE.replacen('\n', "\r\n", 1)), edited(MINE), "one line of seven");
        let crlf = MINE.replace('\n', "\r\n");
        assert_eq!(edited(&crlf), edited(MINE).replace('\n', "\r\n"));
        assert_eq!(
            edited(&crlf.replacen("\r\n", "\n", 1)),
            edited(&crlf),
            "all but one line of seven"
        );
    }

    #[test]
    fn refuses_manifests_without_a_package() {
        assert!(stated_name("[workspace]\n").unwrap_err().message.contains("has no package"));
        assert!(stated_name("nonsense").unwrap_err().message.starts_with("this is not TOML"));
        assert_eq!(stated_name(MINE).unwrap(), "stars");
    }

    #[test]
    fn versions_are_three_numbers() {
        for version in [
            "0.1.0",
            "10.20.30",
            "1.0.0-rc.1",
            "1.0.0-alpha+k8s.1.34",
            "1.0.0+5",
            "1.0.0-0",
            "1.0.0+01",
        ] {
            assert_eq!(check_version(version), Ok(()), "{version}");
        }
        let cores = ["", "1", "1.0", "1.0.0.0", "v1.0.0", "01.0.0", "1.0.x", "+1.0.0", "1.0.+1"];
        let others = ["1.0.0-", "1.0.0-a b", "1.0.0-01", "1.0.0-a..b", "1.0.0-+5", "1.0.0+a+b"];
        for version in cores.into_iter().chain(others) {
            assert!(check_version(version).is_err(), "{version}");
        }
    }
}
