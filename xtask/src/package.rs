//! `cargo xtask package`: makes the packages that are published, and compiles each from its own
//! files alone.

use crate::{Failure, at, succeeds};
use kapigen::package::copies;
use std::path::{Path, PathBuf};
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

/// The arguments that make and compile kapigen-kube. Its workspace has neither the runtime, which
/// is in no registry yet, nor a version of Kubernetes, which programs select.
const KUBE: &str = "package --locked --allow-dirty --manifest-path templates/kube/Cargo.toml \
                    --features k8s-openapi/latest,runtime,ws --config \
                    patch.crates-io.kapigen-runtime.path='templates/runtime'";

/// The same for kapigen-connect, which is in the workspace of kube.
const CONNECT: &str = "package --locked --allow-dirty --manifest-path \
                       templates/connect/Cargo.toml --config \
                       patch.crates-io.kapigen-yaml.path='templates/yaml'";

/// The most bytes of the package of kapigen, compressed.
const LARGEST: u64 = 1_000_000;

/// The folder of the crates that kapigen copies, as its package has them.
const COPIES: &str = "generator/copies";

/// Makes and compiles them. Returns whether all compile.
///
/// # Errors
/// When cargo cannot be started, or its caches cannot be cleaned.
pub fn run(root: &Path) -> Result<bool, Failure> {
    let cargo_in = |target: &str, arguments: &str| {
        let mut command = crate::cargo(root);
        succeeds(command.args(arguments.split(' ')).args(["--target-dir", target]))
    };
    let cargo = |arguments: &str| cargo_in("target/packages", arguments);
    // None of our packages is from a registry there, and the other checks compile kube, too.
    let beside = |arguments: &str| cargo_in("target", arguments);
    // Cargo never looks again at a package of a registry that it has unpacked or compiled, even if
    // its content has changed.
    remove_unpacked()?;
    write_copies(root)?;
    let cleaned = cargo(&format!("clean --quiet --locked -p {}", PACKAGES.join(" -p ")))?;
    let package = "package --locked --allow-dirty --workspace --exclude kapigen-tests --exclude \
                   build-script --exclude recorded --exclude test-data \
                   --exclude test-support --exclude xtask --config \
                   patch.crates-io.kapigen-connect.path='templates/connect'";
    Ok(cleaned && cargo(package)? && beside(CONNECT)? && beside(KUBE)? && is_small(root)?)
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
        let files: Vec<_> =
            files.iter().copied().filter(|(_, text)| copies::is_copied(text)).collect();
        fs::write(&file, copies::packed::pack(&files)).map_err(at(&file))?;
    }
    Ok(())
}

/// Whether the package of kapigen, which contains the crates that it copies, is as small as promised.
fn is_small(root: &Path) -> io::Result<bool> {
    let name = format!("kapigen-{}.crate", env!("CARGO_PKG_VERSION"));
    let file = root.join("target/packages/package").join(name);
    let bytes = fs::metadata(&file).map_err(at(&file))?.len();
    if bytes > LARGEST {
        anstream::eprintln!("error: {} has {bytes} bytes, more than {LARGEST}", file.display());
    }
    Ok(bytes <= LARGEST)
}

/// Removes our packages from the cache of unpacked ones. Cargo verifies packages through registries
/// in folders. Their names in the cache begin with `-`, since they have no host.
fn remove_unpacked() -> io::Result<()> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let Some(home) = home.or_else(|| env::home_dir().map(|home| home.join(".cargo"))) else {
        return Ok(());
    };
    let Ok(registries) = fs::read_dir(home.join("registry/src")) else { return Ok(()) };
    for registry in registries {
        let registry = registry?;
        if !registry.file_name().to_string_lossy().starts_with('-') {
            continue;
        }
        for package in PACKAGES {
            let unpacked = registry.path().join(format!("{package}-{}", env!("CARGO_PKG_VERSION")));
            if unpacked.is_dir() {
                fs::remove_dir_all(&unpacked).map_err(at(&unpacked))?;
            }
        }
    }
    Ok(())
}
