//! The sources of the crates that stand on the runtime.

use super::{Files, files, manifest};
use crate::error::Error;
use crate::input::package::{Dependency, Sibling};
use std::collections::BTreeMap;

/// The files of kapigen-kube, which is no dependency: it compiles only with kube, and with the Rust that kube needs. The
/// lines of each file are a list, so that a change of them can be reviewed. `cargo xtask codegen` writes it.
const KUBE: &str = include_str!("kube.json");

/// The files of a copy of a crate, as a package with this name over this runtime.
pub(in crate::emit) fn sibling(sibling: Sibling, package: &str, runtime: &Dependency) -> Result<Files, Error> {
    let manifest = |text| manifest::render(sibling.package_name(), text, package, Some(runtime));
    match sibling {
        Sibling::Client => {
            use kapigen_client::sources::{FILES, LICENSE, MANIFEST};
            Ok(files(manifest(MANIFEST)?, LICENSE, FILES.iter().copied()))
        }
        Sibling::Fake => {
            use kapigen_fake::sources::{FILES, LICENSE, MANIFEST};
            Ok(files(manifest(MANIFEST)?, LICENSE, FILES.iter().copied()))
        }
        Sibling::Kube => {
            let all: BTreeMap<String, Vec<String>> = serde_json::from_str(KUBE)
                .map_err(|error| Error::new(format!("kube.json: {error}")).help("this is a fault of kapigen"))?;
            let text = |path: &str| all.get(path).map(|lines| lines.join("\n") + "\n").unwrap_or_default();
            let sources: Vec<_> =
                all.keys().filter_map(|path| Some((path.strip_prefix("src/")?, text(path)))).collect();
            let sources = sources.iter().map(|(path, text)| (*path, text.as_str()));
            Ok(files(manifest(&text("Cargo.toml"))?, kapigen_client::sources::LICENSE, sources))
        }
    }
}
