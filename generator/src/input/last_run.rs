//! The dependencies that the last run gave a crate, according to the `Cargo.toml` that it left. The
//! next run has them as well: without them the crate would have types of its own, which no other
//! crate has.

use super::crates::{RuntimeChoice, existing_manifest, is_generated, resolved};
use crate::error::Error;
use crate::model::wellknown::RUNTIME;
use std::path::{Component, Path, PathBuf};
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// The arguments by which the last run named the dependencies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LastRun {
    /// The folders of the crates that it took types from.
    externs: Vec<PathBuf>,
    /// The runtime, unless the workspace of the crate locates it.
    runtime: Option<RuntimeChoice>,
}

impl LastRun {
    /// Reads the manifest of the crate in a folder. `copies` is the folder of its own runtime.
    ///
    /// # Errors
    /// When the manifest cannot be read.
    pub(crate) fn read(out: &Path, copies: &str) -> Result<Self, Error> {
        let manifest = existing_manifest(out)?.map(|text| text.parse::<DocumentMut>());
        // An invalid manifest is reported where it is changed.
        Ok(manifest
            .and_then(Result::ok)
            .map_or_else(Self::default, |manifest| Self::from_manifest(&manifest, out, copies)))
    }

    #[cfg(test)]
    pub(crate) fn of_runtime(runtime: Option<RuntimeChoice>) -> Self {
        Self { runtime, ..Self::default() }
    }

    /// The crates to take types from: the given ones, and those of the last run.
    pub(crate) fn externs(&self, given: &[PathBuf]) -> Vec<PathBuf> {
        let known: Vec<PathBuf> = given.iter().map(|folder| resolved(folder)).collect();
        let others = self.externs.iter().filter(|folder| !known.contains(&resolved(folder)));
        given.iter().chain(others).cloned().collect()
    }

    /// The runtime: the given one, or the one of the last run. `None`: of the crates that types are
    /// taken from, or the one of a new crate.
    pub(crate) fn runtime<'a>(
        &'a self,
        given: Option<&'a RuntimeChoice>,
        externs: &[PathBuf],
    ) -> Option<&'a RuntimeChoice> {
        given.or(self.runtime.as_ref().filter(|_| externs.is_empty()))
    }

    fn from_manifest(manifest: &DocumentMut, out: &Path, copies: &str) -> Self {
        let dependencies = manifest.get("dependencies").and_then(Item::as_table_like);
        let externs =
            dependencies.into_iter().flat_map(TableLike::iter).filter(|(name, _)| *name != RUNTIME);
        let externs = externs.filter_map(|(name, dependency)| {
            let folder = lexical(&out.join(text(dependency, "path")?));
            let is_generated = is_forwarded(manifest, name) && is_generated(&folder);
            is_generated.then_some(folder)
        });
        let runtime = dependencies
            .and_then(|dependencies| dependencies.get(RUNTIME))
            .and_then(|runtime| choice(runtime, out, copies));
        Self { externs: externs.collect(), runtime }
    }
}

/// The runtime that a dependency locates.
fn choice(runtime: &Item, out: &Path, copies: &str) -> Option<RuntimeChoice> {
    if let Some(path) = text(runtime, "path") {
        let is_copy = Path::new(path).components().eq(Path::new(copies).components());
        return Some(if is_copy {
            RuntimeChoice::Vendored
        } else {
            RuntimeChoice::Folder(lexical(&out.join(path)))
        });
    }
    if let Some(url) = text(runtime, "git") {
        let revision = text(runtime, "rev").map(str::to_owned);
        return Some(RuntimeChoice::Git { url: url.to_owned(), revision });
    }
    let version = runtime.as_str().or_else(|| text(runtime, "version"))?;
    Some(RuntimeChoice::Version(version.to_owned()))
}

fn text<'a>(dependency: &'a Item, key: &str) -> Option<&'a str> {
    dependency.get(key)?.as_str()
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

    fn last(runtime: &str) -> Option<RuntimeChoice> {
        let manifest =
            format!("[package]\nname = \"stars\"\n[dependencies]\nkapigen-runtime{runtime}\n");
        LastRun::from_manifest(&manifest.parse().unwrap(), Path::new("crates/stars"), "runtime")
            .runtime
    }

    #[test]
    fn finds_the_runtime() {
        let folder = |path: &str| Some(RuntimeChoice::Folder(path.into()));
        assert_eq!(last(" = { path = \"../../a\" }"), folder("a"));
        assert_eq!(last(" = { path = \"../../../a\" }"), folder("../a"));
        let version = Some(RuntimeChoice::Version("0.1".to_owned()));
        assert_eq!(last(" = \"0.1\""), version);
        assert_eq!(last(" = { version = \"0.1\", features = [] }"), version);
    }

    #[test]
    fn finds_copies_and_repositories() {
        for path in ["runtime/", "runtime"] {
            let copy = format!(" = {{ path = \"{path}\", package = \"stars-runtime\" }}");
            assert_eq!(last(&copy), Some(RuntimeChoice::Vendored));
        }
        let of = |revision| Some(RuntimeChoice::Git { url: "https://a".to_owned(), revision });
        assert_eq!(last(" = { git = \"https://a\", branch = \"b\" }"), of(None));
        assert_eq!(last(" = { git = \"https://a\", rev = \"c\" }"), of(Some("c".to_owned())));
        assert_eq!(last(".workspace = true"), None);
    }
}
