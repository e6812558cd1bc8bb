//! `cargo xtask fuzz`: runs the program in `tests/examples/fuzz.rs`.

use crate::{Failure, cargo};
use std::path::Path;

/// Compiles the program and runs it. True: there was no difference.
///
/// # Errors
/// When cargo cannot be started.
pub fn run(root: &Path, arguments: &[String]) -> Result<bool, Failure> {
    let mut command = cargo(root);
    command.args(["run", "--quiet", "--locked", "--profile", "fuzz", "-p", "kapigen-tests", "--example", "fuzz", "--"]);
    Ok(command.args(arguments).status()?.success())
}
