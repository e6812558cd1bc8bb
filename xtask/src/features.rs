//! Compares the Cargo features of the crate, which are kept by hand, with the features that the
//! generator needs.

use crate::{Failure, manifest};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// Features, with the features that each enables.
type Features = BTreeMap<String, BTreeSet<String>>;

/// The feature that enables all others.
const DEFAULT: &str = "default";

/// The features to write into `Cargo.toml`, if it has others than the crate needs.
///
/// # Errors
/// When `Cargo.toml` cannot be read.
pub fn advice(
    folder: &Path,
    needed: &BTreeMap<String, Vec<String>>,
) -> Result<Option<String>, Failure> {
    let mut wanted: Features = needed
        .iter()
        .map(|(name, needs)| (name.clone(), needs.iter().cloned().collect()))
        .collect();
    let found = read(folder)?;
    // Of the modules, those that are on by default are chosen by hand.
    wanted.extend(found.get_key_value(DEFAULT).map(|(name, list)| (name.clone(), list.clone())));
    Ok((found != wanted).then(|| {
        let name = folder.join("Cargo.toml");
        format!(
            "the features in {} are not those that the crate needs. Write:\n\n{}",
            name.display(),
            section(&wanted)
        )
    }))
}

/// The features of a crate, but for `default`.
///
/// # Errors
/// When its `Cargo.toml` cannot be read.
pub fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    Ok(read(folder)?.into_keys().filter(|name| name != DEFAULT).collect())
}

fn read(folder: &Path) -> Result<Features, Failure> {
    let path = folder.join("Cargo.toml");
    let features = manifest(&path)?.remove("features");
    let features = features.unwrap_or_else(|| toml::Table::new().into());
    features.try_into().map_err(|error| Failure::in_file(path.display(), error))
}

/// The part of a `Cargo.toml`, with `default` on top, as is usual.
fn section(features: &Features) -> String {
    let (default, others): (Vec<_>, Vec<_>) =
        features.iter().partition(|(name, _)| *name == DEFAULT);
    let mut text = String::from("[features]\n");
    for (name, enables) in default.into_iter().chain(others) {
        let enables: Vec<_> = enables.iter().map(|feature| format!("\"{feature}\"")).collect();
        writeln!(text, "{name} = [{}]", enables.join(", ")).expect("a string takes any text");
    }
    text
}
