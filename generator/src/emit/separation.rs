//! Crates that no longer share a runtime.

use super::cargo::VENDORED;
use super::edit::{FILE, parse};
use crate::error::{Error, Location};
use crate::input::package::{Package, Runtime};
use crate::model::wellknown::RUNTIME;
use crate::note::Note;
use std::path::Path;
use toml_edit::Item;

/// The note that the crate no longer stands on the runtime that the manifest names, but on a copy of its own.
///
/// # Errors
/// When it cannot be read.
pub(super) fn note(manifest: &str, package: &Package) -> Result<Option<Note>, Error> {
    let document = parse(manifest)?;
    let Some(runtime) = document.get("dependencies").and_then(|dependencies| dependencies.get(RUNTIME)) else {
        return Ok(None);
    };
    let text = |key| runtime.get(key).and_then(Item::as_str);
    let before = match (text("path").or(text("git")), runtime.as_str().or(text("version"))) {
        _ if package.runtime != Runtime::Vendored => return Ok(None),
        (None, None) => return Ok(None),
        (Some(place), _) if Path::new(place).components().eq(Path::new(VENDORED).components()) => return Ok(None),
        (Some(place), _) => format!("the runtime in `{place}`"),
        (None, Some(version)) => format!("version {version} of the runtime"),
    };
    Ok(Some(Note {
        message: format!("the crate depended on {before}, and has a copy of its own now, with types of its own"),
        location: Location::document(FILE),
        help: Some("to keep it, give `--extern` or `--runtime` as before".to_owned()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::package::Dependency;

    #[test]
    fn a_copy_in_place_of_a_shared_runtime_is_noted() {
        let note = |runtime: &str, now: Runtime| {
            let manifest = format!("[package]\nname = \"stars\"\n[dependencies]\nkapigen-runtime{runtime}\n");
            super::note(&manifest, &Package { runtime: now, ..Package::default() }).unwrap().map(|note| note.message)
        };
        let noted = |before: &str| {
            Some(format!("the crate depended on {before}, and has a copy of its own now, with types of its own"))
        };
        assert_eq!(note(" = { path = \"../a\" }", Runtime::Vendored), noted("the runtime in `../a`"));
        assert_eq!(note(" = \"0.1\"", Runtime::Vendored), noted("version 0.1 of the runtime"));
        assert_eq!(note(" = { git = \"https://a\" }", Runtime::Vendored), noted("the runtime in `https://a`"));
        assert_eq!(note(" = { path = \"runtime/\", package = \"stars-runtime\" }", Runtime::Vendored), None);
        assert_eq!(note(" = { path = \"runtime\", package = \"stars-runtime\" }", Runtime::Vendored), None);
        assert_eq!(note(".workspace = true", Runtime::Vendored), None);
        assert_eq!(note(" = \"0.1\"", Runtime::Depend(Dependency::default())), None);
    }
}
