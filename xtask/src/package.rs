//! `cargo xtask package`: makes the packages that are published, and compiles each from its own
//! files alone, with the lowest versions that its requirements allow.

mod lowest;

use crate::{Failure, at, succeeds};
use kapigen::package::copies;
use std::path::Path;
use std::{env, fs, io};

/// The packages of this workspace that are published, in an order in which each depends only on
/// earlier ones. `release` checks that.
pub(crate) const PACKAGES: [&str; 7] = [
    "kapigen-yaml",
    "kapigen-definitions",
    "kapigen-runtime",
    "kapigen-client",
    "kapigen-fake",
    "kapigen",
    "openshift-api",
];

/// The packages of the workspace of kube, and what cargo must be told about them: the packages that
/// they need are in no registry yet.
const BESIDE: [(&str, &str); 2] = [
    ("templates/connect", "patch.crates-io.kapigen-yaml.path='templates/yaml'"),
    ("templates/kube", "patch.crates-io.kapigen-runtime.path='templates/runtime'"),
];

/// The most bytes of the package of kapigen, compressed.
const LARGEST: u64 = 1_000_000;

/// Where the packages are made and compiled.
const FOLDER: &str = "target/packages";

/// The folder of the crates that kapigen copies, as its package has them.
const COPIES: &str = "generator/copies";

/// Makes the packages, and compiles them from their own files alone: all but kapigen-kube, or only
/// that, which compiles for longer than all of the others together. Returns whether all compile.
///
/// # Errors
/// When the disk fails, a manifest is not understood, or a program cannot be started.
pub fn run(root: &Path, kube: bool) -> Result<bool, Failure> {
    write_copies(root)?;
    let workspace = "--workspace --exclude kapigen-tests --exclude build-script --exclude recorded \
                     --exclude test-data --exclude test-support --exclude xtask";
    let patch = "patch.crates-io.kapigen-connect.path='templates/connect'";
    let mut good = make(root, workspace, patch)?;
    for (folder, patch) in BESIDE {
        good &= make(root, &format!("--manifest-path {folder}/Cargo.toml"), patch)?;
    }
    Ok(good && is_small(root)? && lowest::compile(&root.join(FOLDER), kube)?)
}

/// Makes the packages that these arguments select.
fn make(root: &Path, arguments: &str, patch: &str) -> Result<bool, Failure> {
    let mut command = crate::cargo(root);
    command.args(["package", "--quiet", "--locked", "--allow-dirty", "--no-verify"]);
    command.args(["--target-dir", FOLDER, "--config", patch]);
    succeeds(command.args(arguments.split(' ')))
}

/// Writes the crates that kapigen copies into its folder, from where its package takes them.
fn write_copies(root: &Path) -> io::Result<()> {
    let folder = root.join(COPIES);
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(at(&folder))?;
    }
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    for (name, files) in copies::crates() {
        let file = folder.join(format!("{name}.txt"));
        let files: Vec<(&str, String)> = files
            .iter()
            .filter(|(_, text)| copies::is_copied(text))
            .map(|(path, text)| (*path, copies::without_tests(text)))
            .collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (*path, &**text)).collect();
        fs::write(&file, copies::packed::pack(&files)).map_err(at(&file))?;
    }
    Ok(())
}

/// Whether the package of kapigen, which contains the crates that it copies, is as small as promised.
fn is_small(root: &Path) -> io::Result<bool> {
    let name = format!("kapigen-{}.crate", env!("CARGO_PKG_VERSION"));
    let file = root.join(FOLDER).join("package").join(name);
    let bytes = fs::metadata(&file).map_err(at(&file))?.len();
    if bytes > LARGEST {
        anstream::eprintln!("error: {} has {bytes} bytes, more than {LARGEST}", file.display());
    }
    Ok(bytes <= LARGEST)
}
