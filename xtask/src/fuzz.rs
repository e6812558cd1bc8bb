//! `cargo xtask fuzz`: runs the program in `tests/examples/fuzz.rs`.

use crate::Failure;
use std::path::Path;
use std::process::Command;

/// Compiles the program and runs it. True: there was no difference.
///
/// # Errors
/// When cargo cannot be started.
pub fn run(root: &Path, arguments: &[String]) -> Result<bool, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--locked", "--profile", "fuzz", "-p", "kapigen-tests", "--example", "fuzz", "--"]);
    Ok(command.args(arguments).current_dir(root).status()?.success())
}
