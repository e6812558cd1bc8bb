//! `cargo xtask bench`: runs the program in `tests/bench`.

use crate::{Failure, cargo, succeeds};
use std::path::Path;

/// Compiles the program and runs it. Returns whether it succeeded.
///
/// # Errors
/// When cargo cannot be started.
pub fn run(root: &Path, arguments: &[String]) -> Result<bool, Failure> {
    let mut command = cargo(root);
    command.args(["run", "--quiet", "--release", "--locked", "--manifest-path", "tests/bench/Cargo.toml"]);
    command.args(["--example", "bench", "--"]);
    succeeds(command.args(arguments))
}
