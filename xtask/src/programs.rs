//! Programs of the tests that chores compile and start.

use crate::{Failure, cargo, succeeds};
use std::ffi::OsStr;
use std::path::Path;

/// The comparison with peers, in `tests/bench`. Returns whether it succeeded.
///
/// # Errors
/// When cargo cannot be started.
pub fn bench(root: &Path, arguments: &[String]) -> Result<bool, Failure> {
    let mut command = cargo(root);
    command.args(["run", "--release", "--locked", "--manifest-path", "tests/bench/Cargo.toml"]);
    command.args(["--example", "bench", "--"]);
    succeeds(command.args(arguments))
}

/// The fuzzer, in `tests/support/examples/fuzz.rs`. Returns whether it found no difference.
///
/// # Errors
/// When cargo cannot be started.
pub fn fuzz(root: &Path, arguments: &[impl AsRef<OsStr>]) -> Result<bool, Failure> {
    let mut command = cargo(root);
    command.args([
        "run",
        "--locked",
        "--profile",
        "fuzz",
        "-p",
        "test-support",
        "--example",
        "fuzz",
        "--",
    ]);
    succeeds(command.args(arguments))
}
