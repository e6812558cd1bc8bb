//! `cargo xtask package`: makes the packages that are published, and compiles each from what is in them alone.

use crate::Failure;
use std::path::Path;
use std::process::Command;

/// Makes and compiles them. True: all compile.
///
/// # Errors
/// When cargo cannot be started.
pub fn run(root: &Path) -> Result<bool, Failure> {
    let cargo = |arguments: &str| {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments.split(' ')).args(["--target-dir", "target/packages"]).current_dir(root);
        command.status().map(|status| status.success())
    };
    // Cargo takes a package of a registry that it has compiled as the same for ever, whatever is in it by now.
    let cleaned = cargo(
        "clean --quiet --locked -p kapigen-runtime -p kapigen-client -p kapigen-fake -p kapigen -p openshift-api",
    )?;
    let package = "package --quiet --locked --allow-dirty --workspace --exclude kapigen-tests --exclude build-script \
                   --exclude xtask";
    Ok(cleaned && cargo(package)?)
}
