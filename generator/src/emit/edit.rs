//! Changes of a `Cargo.toml` that is the user's: only `[features]` and the dependencies on the runtime and on crates
//! whose types are used are kapigen's.

use super::cargo::{dependencies, manifest_features};
use crate::error::{Error, Location, Position};
use crate::input::package::{Dependency, Package};
use crate::model::wellknown::{RUNTIME, is_common_feature};
use std::collections::BTreeMap;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Key, Table, Value, value};

pub(super) const FILE: &str = "Cargo.toml";

/// The name of the package of a manifest.
///
/// # Errors
/// When it cannot be read, or is no manifest of a package.
pub(super) fn name(manifest: &str) -> Result<String, Error> {
    let document = parse(manifest)?;
    let name = document.get("package").and_then(|package| package.get("name")).and_then(Item::as_str);
    name.map(str::to_owned).ok_or_else(|| {
        Error::at(Location::document(FILE), "the manifest in the folder of the crate has no package")
            .help("write the crate to a folder of its own")
    })
}

/// Whether the workspace locates the runtime, which the manifest then does not.
///
/// # Errors
/// When it cannot be read.
pub(super) fn inherits_runtime(manifest: &str) -> Result<bool, Error> {
    let document = parse(manifest)?;
    let runtime = document.get("dependencies").and_then(|dependencies| dependencies.get(RUNTIME));
    Ok(runtime.and_then(|runtime| runtime.get("workspace")).is_some())
}

/// The manifest with these features and dependencies. All else stays as it is, as do entries that are already right.
///
/// # Errors
/// When it cannot be read.
pub(super) fn edit(
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

pub(super) fn parse(manifest: &str) -> Result<DocumentMut, Error> {
    manifest.parse().map_err(|error: toml_edit::TomlError| {
        let before = error.span().and_then(|span| manifest.get(..span.start));
        let line_column = |before: &str| {
            let line = before.rsplit('\n').next().unwrap_or_default();
            Position::LineColumn(before.matches('\n').count() + 1, line.chars().count() + 1)
        };
        let position = before.map_or(Position::Document, line_column);
        let at = Location { document: FILE.to_owned(), position };
        Error::at(at, format!("this is no TOML: {}", error.message()))
            .help("correct it, or write the crate to another folder")
    })
}

fn table<'a>(document: &'a mut DocumentMut, key: &str) -> Result<&'a mut Table, Error> {
    let item = document.entry(key).or_insert_with(|| Item::Table(Table::new()));
    let is_inline = item.is_inline_table();
    item.as_table_mut().ok_or_else(|| {
        let why = if is_inline { "is written inline" } else { "is no table" };
        Error::at(Location::document(FILE), format!("`{key}` {why}")).help(format!("write it as `[{key}]`"))
    })
}

/// A `default` that lists all modules stays complete; one that was cut down loses the removed features. Features of the
/// runtime stay in it.
fn set_features(table: &mut Table, features: &BTreeMap<String, Vec<String>>) {
    let mut wanted = manifest_features(features);
    let before: BTreeMap<String, Vec<String>> =
        table.iter().map(|(key, item)| (key.to_owned(), strings(item))).collect();
    if let Some(default) = before.get("default") {
        let mut modules = before.keys().filter(|key| *key != "default" && !is_common_feature(key));
        let is_whole = modules.all(|key| default.contains(key));
        let is_kept = |name: &str| is_common_feature(name) || !is_whole && features.contains_key(name);
        let kept = default.iter().filter(|name| is_kept(name)).cloned();
        let modules = features.keys().filter(|_| is_whole).cloned();
        wanted.insert("default".to_owned(), modules.chain(kept).collect());
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
        let rank = |key: &Key| (key.get() != "default", key.get().to_owned());
        table.sort_values_by(|one, _, other, _| rank(one).cmp(&rank(other)));
    }
}

fn strings(item: &Item) -> Vec<String> {
    let values = item.as_array().into_iter().flatten();
    values.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The keys that locate a crate elsewhere than by a path.
const OTHER_PLACES: [&str; 5] = ["branch", "git", "registry", "rev", "tag"];

/// Keys beside those that locate a crate stay as they are.
fn set_dependency(table: &mut Table, key: &str, dependency: &Dependency) {
    let keys = [("package", &dependency.package), ("version", &dependency.version), ("path", &dependency.path)];
    match table.get_mut(key) {
        // A version alone.
        Some(item) if item.is_str() && item.as_str() == dependency.version.as_deref() && dependency.path.is_none() => {}
        Some(item) if item.is_table_like() => {
            let Some(inner) = item.as_table_like_mut() else { return };
            // The workspace locates it.
            if inner.contains_key("workspace") {
                return;
            }
            // A dependency is in one place.
            if dependency.path.is_some() {
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
            let set = keys.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
            let mut inner: InlineTable = set.map(|(key, value)| (key, Value::from(value.as_str()))).collect();
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

    const MINE: &str =
        "# mine\n[package]\nname = \"stars\" # a name\nversion = \"2.0.0\"\n\n[dependencies]\nserde = \"1\"\n";

    const FORWARDED: &str = "change = [\"kapigen-runtime/change\"]\nmachines = [\"kapigen-runtime/machines\"]\n\
                             route = [\"kapigen-runtime/route\"]\nschemars = [\"kapigen-runtime/schemars\"]\n";

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
        let expected =
            "# mine\n[package]\nname = \"stars\" # a name\nversion = \"2.0.0\"\n\n[dependencies]\nserde = \"1\"\n\
                        kapigen-runtime = { package = \"stars-runtime\", path = \"runtime\" }\n\n\
                        [features]\ndefault = [\"a_v1\"]\na_v1 = []\n"
                .to_owned()
                + FORWARDED;
        let once = edited(MINE, Runtime::Vendored, &["a_v1"]);
        assert_eq!(once, expected);
        assert_eq!(edited(&once, Runtime::Vendored, &["a_v1"]), once, "a second run changes nothing");
    }

    #[test]
    fn right_entries_keep_their_form() {
        let manifest = format!(
            "[package]\nname = \"stars\"\n[features]\n{FORWARDED}default = [ \"a_v1\" ] # all\na_v1 = [\n]\n\
             [dependencies.kapigen-runtime]\nversion = \"0.1\"\nfeatures = [\"x\"]\n"
        );
        let version = Dependency { version: Some("0.1".to_owned()), ..Dependency::default() };
        assert_eq!(edited(&manifest, Runtime::Depend(version), &["a_v1"]), manifest);
        let plain = "[package]\nname = \"stars\"\n[dependencies]\nkapigen-runtime.workspace = true\n\
                     [features]\ndefault = []\n"
            .to_owned()
            + FORWARDED;
        assert_eq!(edited(&plain, Runtime::Vendored, &[]), plain);
    }

    #[test]
    fn a_runtime_from_elsewhere_keeps_other_keys() {
        let manifest = "[package]\nname = \"stars\"\n[dependencies]\n\
                        kapigen-runtime = { package = \"x\", path = \"y\", features = [\"z\"] }\n\
                        [features]\ndefault = []\n";
        let version = Dependency { version: Some("0.1".to_owned()), ..Dependency::default() };
        let edited = edited(manifest, Runtime::Depend(version), &[]);
        let parsed: DocumentMut = edited.parse().unwrap();
        let runtime = &parsed["dependencies"]["kapigen-runtime"];
        assert_eq!(runtime["version"].as_str(), Some("0.1"));
        assert!(runtime.get("package").is_none() && runtime.get("path").is_none(), "{edited}");
        assert_eq!(strings(&runtime["features"]), ["z"]);
    }

    #[test]
    fn a_dependency_is_in_one_place() {
        let manifest = "[package]\nname = \"stars\"\n[dependencies]\n\
                        kapigen-runtime = { git = \"https://a\", tag = \"v1\", features = [\"z\"] }\n";
        let edited = edited(manifest, Runtime::Vendored, &[]);
        let runtime = "{ features = [\"z\"] , package = \"stars-runtime\", path = \"runtime\" }\n";
        assert!(edited.contains(runtime), "{edited}");
    }

    #[test]
    fn a_default_that_was_cut_down_stays_so() {
        let all = edited(MINE, Runtime::Vendored, &["a_v1", "b_v1", "c_v1"]);
        assert!(edited(&all, Runtime::Vendored, &["a_v1", "d_v1"]).contains("default = [\"a_v1\", \"d_v1\"]"));
        let cut = all.replace("default = [\"a_v1\", \"b_v1\", \"c_v1\"]", "default = [\"b_v1\", \"c_v1\"]");
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
        assert_eq!(edited(&crlf.replacen("\r\n", "\n", 1)), edited(&crlf), "all but one line of seven");
    }

    #[test]
    fn refuses_manifests_without_a_package() {
        assert!(name("[workspace]\n").unwrap_err().message.contains("has no package"));
        assert!(name("nonsense").unwrap_err().message.starts_with("this is no TOML"));
        assert_eq!(name(MINE).unwrap(), "stars");
    }
}
