//! The sources of the crates that stand on the runtime.

use super::{Files, files, manifest};
use crate::error::Error;
use crate::input::package::{Dependency, Sibling};
use std::collections::BTreeMap;

/// The files of kapigen-kube, which is no dependency: it compiles only with kube, and with the Rust that kube needs.
/// The lines of each file are a list, so that a change of them can be reviewed. `cargo xtask codegen` writes it.
const KUBE: &str = include_str!("kube.json");

/// The files of a copy of a crate, as a package with this name over this runtime.
pub(in crate::emit) fn sibling(sibling: Sibling, package: &str, runtime: &Dependency) -> Result<Files, Error> {
    let copy = |manifest: &str, sources: &[(&str, &str)]| {
        let manifest = manifest::render(sibling.package_name(), manifest, package, Some(runtime))?;
        // All have one license.
        Ok(files(manifest, kapigen_client::sources::LICENSE, sources.iter().copied()))
    };
    match sibling {
        Sibling::Client => copy(kapigen_client::sources::MANIFEST, kapigen_client::sources::FILES),
        Sibling::Fake => copy(kapigen_fake::sources::MANIFEST, kapigen_fake::sources::FILES),
        Sibling::Kube => {
            let all: BTreeMap<String, Vec<String>> = serde_json::from_str(KUBE)
                .map_err(|error| Error::new(format!("kube.json: {error}")).help("this is a bug of kapigen"))?;
            let text = |path: &str| all.get(path).map(|lines| lines.join("\n") + "\n").unwrap_or_default();
            let sources: Vec<_> =
                all.keys().filter_map(|path| Some((path.strip_prefix("src/")?, text(path)))).collect();
            let sources: Vec<_> = sources.iter().map(|(path, text)| (*path, text.as_str())).collect();
            copy(&text("Cargo.toml"), &sources)
        }
    }
}
