//! The dependencies that the last run gave a crate, according to the `Cargo.toml` that it left. A
//! run without them would give the crate types of its own, which no other crate has, so it is
//! refused.

use super::crates::{RuntimeChoice, existing_manifest, is_generated, resolved};
use crate::error::{Error, Location};
use crate::model::wellknown::RUNTIME;
use crate::visible::shown;
use std::path::{Component, Path, PathBuf};
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// The arguments by which the last run named them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LastRun {
    /// The names and folders of the crates that it took types from.
    externs: Vec<(String, PathBuf)>,
    /// The runtime, unless it is a copy in the folder of the crate: as `--runtime` takes it.
    runtime: Option<String>,
}

/// Refuses a run without the arguments that the last one had, and reports the missing ones.
/// `copies` is the folder of the crate's own runtime.
///
/// # Errors
/// When the crate would lose its runtime, or the types of another crate. When the manifest cannot
/// be read.
pub(crate) fn check(
    out: &Path,
    choice: Option<&RuntimeChoice>,
    externs: &[PathBuf],
    copies: &str,
) -> Result<(), Error> {
    // An invalid manifest is reported where it is changed.
    let Some(Ok(manifest)) = existing_manifest(out)?.map(|text| text.parse::<DocumentMut>()) else {
        return Ok(());
    };
    let last = LastRun::of(&manifest, out, copies);
    let given: Vec<PathBuf> = externs.iter().map(|folder| resolved(folder)).collect();
    let is_given = |folder: &Path| given.contains(&resolved(folder));
    let missing: Vec<&(String, PathBuf)> =
        last.externs.iter().filter(|(_, folder)| !is_given(folder)).collect();
    let error = |message: String, arguments: &str, other: &str| {
        Err(Error::at(Location::document("Cargo.toml"), message)
            .help(format!("add `{arguments}`, as in the last run; {other}"))
            .below(out))
    };
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = format!(
            "the crate uses the types of {}, and would have types of its own now",
            names.join(", ")
        );
        let arguments: Vec<String> = missing
            .iter()
            .map(|(_, folder)| format!("--extern {}", quoted(&shown(folder))))
            .collect();
        let other = "to part from a crate, remove it from `[dependencies]` and `[features]`";
        return error(message, &arguments.join(" "), other);
    }
    match &last.runtime {
        Some(runtime) if choice.is_none() && externs.is_empty() => {
            let message = format!(
                "the crate depends on the runtime {runtime}, and would get a copy of its own now"
            );
            error(
                message,
                &format!("--runtime {}", quoted(runtime)),
                "for a copy, add `--runtime vendored`",
            )
        }
        _ => Ok(()),
    }
}

impl LastRun {
    fn of(manifest: &DocumentMut, out: &Path, copies: &str) -> Self {
        let dependencies = manifest.get("dependencies").and_then(Item::as_table_like);
        let path =
            |dependency: &Item| dependency.get("path")?.as_str().map(Path::new).map(Path::to_owned);
        let externs =
            dependencies.into_iter().flat_map(TableLike::iter).filter(|(name, _)| *name != RUNTIME);
        let externs = externs.filter_map(|(name, dependency)| {
            let folder = lexical(&out.join(path(dependency)?));
            let is_generated = is_forwarded(manifest, name) && is_generated(&folder);
            is_generated.then(|| (name.to_owned(), folder))
        });
        let runtime =
            dependencies.and_then(|dependencies| dependencies.get(RUNTIME)).and_then(|runtime| {
                match path(runtime) {
                    Some(path) if path.components().eq(Path::new(copies).components()) => None,
                    Some(path) => Some(shown(&lexical(&out.join(path)))),
                    None => runtime
                        .as_str()
                        .or_else(|| runtime.get("version")?.as_str())
                        .map(str::to_owned),
                }
            });
        Self { externs: externs.collect(), runtime }
    }
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    if path.contains(char::is_whitespace) { format!("'{path}'") } else { path.to_owned() }
}

/// Whether a feature enables a feature of this dependency, as the features of modules do.
fn is_forwarded(manifest: &DocumentMut, name: &str) -> bool {
    let features = manifest
        .get("features")
        .and_then(Item::as_table_like)
        .into_iter()
        .flat_map(TableLike::iter);
    let mut enabled = features
        .flat_map(|(_, list)| list.as_array().into_iter().flatten())
        .filter_map(Value::as_str);
    enabled.any(|feature| feature.strip_prefix(name).is_some_and(|rest| rest.starts_with('/')))
}

/// A path without `..` after a name, as a person would write it.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        let is_named = matches!(plain.components().next_back(), Some(Component::Normal(_)));
        match component {
            Component::ParentDir if is_named => drop(plain.pop()),
            component => plain.push(component),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(runtime: &str) -> Option<String> {
        let manifest =
            format!("[package]\nname = \"stars\"\n[dependencies]\nkapigen-runtime{runtime}\n");
        LastRun::of(&manifest.parse().unwrap(), Path::new("crates/stars"), "runtime").runtime
    }

    #[test]
    fn names_the_runtime_as_the_command_takes_it() {
        assert_eq!(last(" = { path = \"../../a\" }").as_deref(), Some("a"));
        assert_eq!(last(" = { path = \"../../../a\" }").as_deref(), Some("../a"));
        assert_eq!(last(" = \"0.1\"").as_deref(), Some("0.1"));
        assert_eq!(last(" = { version = \"0.1\", features = [] }").as_deref(), Some("0.1"));
    }

    #[test]
    fn a_copy_and_what_users_chose_by_hand_are_no_arguments() {
        for runtime in [
            " = { path = \"runtime/\", package = \"stars-runtime\" }",
            " = { path = \"runtime\", package = \"stars-runtime\" }",
            ".workspace = true",
            " = { git = \"https://a\" }",
        ] {
            assert_eq!(last(runtime), None, "{runtime}");
        }
    }
}
