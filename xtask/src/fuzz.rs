//! `cargo xtask fuzz`: runs the program in `tests/examples/fuzz.rs`.

use crate::{Failure, cargo, succeeds};
use std::ffi::OsStr;
use std::path::Path;

/// Compiles the program and runs it. Returns whether it found no difference.
///
/// # Errors
/// When cargo cannot be started.
pub fn run(root: &Path, arguments: &[impl AsRef<OsStr>]) -> Result<bool, Failure> {
    let mut command = cargo(root);
    command.args(["run", "--quiet", "--locked", "--profile", "fuzz", "-p", "kapigen-tests", "--example", "fuzz", "--"]);
    succeeds(command.args(arguments))
}
