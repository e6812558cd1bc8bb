//! The parts of a package that surround its Rust: the manifest, a README, documents, definitions,
//! and copies of other crates.

pub mod copies;
pub mod definitions;
pub mod documents;
pub mod manifest;
mod readme;

use crate::emit::tree::Tree;
use crate::error::Error;
use crate::input::package::Package;
use crate::model::Api;
use std::collections::BTreeMap;

/// The rules by which the hand-written part is formatted: with them, formatting the crate changes
/// nothing.
pub const RUSTFMT: &str = "max_width = 100\nuse_small_heuristics = \"Max\"\n";

/// The path of the attributes that git gives to the sources.
pub const ATTRIBUTES: &str = "src/.gitattributes";

/// Generated files have the same bytes on every system, and pages that show changes fold them.
pub const ATTRIBUTES_TEXT: &str = "* text eol=lf linguist-generated\n";

/// Adds `Cargo.toml`, `README.md` and `rustfmt.toml`, the runtime if it is vendored, and the copies
/// of other crates. A `Cargo.toml` that exists is changed.
///
/// # Errors
/// When Cargo would not take the name, or the manifest that exists is of another package or cannot
/// be read.
pub fn add(
    package: &Package,
    api: &Api,
    features: &BTreeMap<String, Vec<String>>,
    tree: &mut Tree,
) -> Result<(), Error> {
    let name = manifest::name(package)?;
    let manifest = manifest::create_or_update(&name, package, features)?;
    tree.insert_merged(manifest::FILE, package.manifest.clone(), manifest);
    tree.insert("README.md", readme::text(&name, package, api));
    tree.insert("rustfmt.toml", RUSTFMT.to_owned());
    for (folder, files) in copies::requested(&name, package)? {
        for (path, text) in files {
            tree.insert(format!("{folder}/{path}"), text);
        }
        tree.insert(format!("{folder}/{ATTRIBUTES}"), ATTRIBUTES_TEXT.to_owned());
    }
    Ok(())
}
