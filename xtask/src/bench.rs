//! `cargo xtask bench`: runs the program in `tests/bench`.

use crate::Failure;
use std::path::Path;
use std::process::Command;

/// Compiles the program and runs it. True: it came to its end.
///
/// # Errors
/// When cargo cannot be started.
pub fn run(root: &Path, arguments: &[String]) -> Result<bool, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--release", "--locked", "--manifest-path", "tests/bench/Cargo.toml"]);
    command.args(["--example", "bench", "--"]);
    Ok(command.args(arguments).current_dir(root).status()?.success())
}
