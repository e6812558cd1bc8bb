//! The memory that a piece of work needs, measured in a separate process, because memory that was
//! used once counts as used.

use std::process::Command;
use std::{env, fs};

/// Names the case in the environment of a child.
const CASE: &str = "MEMORY_CASE";
/// Precedes the number of bytes in the output of a child.
const USED: &str = "used ";
/// The most memory that this process has ever used.
const PEAK: &str = "VmHWM:";
/// The memory that this process uses.
const NOW: &str = "VmRSS:";

/// Whether this system reports how much memory a process has used.
#[must_use]
pub fn is_reported() -> bool {
    of_process(PEAK).is_some()
}

/// The case that this process must [`measure`]. None: it is not a child, and must ask children by
/// [`growth`].
#[must_use]
pub fn case() -> Option<String> {
    env::var(CASE).ok()
}

/// Runs a test of this binary again, in a child with a case, and returns by how many bytes the
/// child's memory grew at most while it measured.
///
/// # Panics
/// When the child measures nothing.
#[must_use]
pub fn growth(test: &str, case: &str) -> usize {
    let mut child = Command::new(env::current_exe().expect("the test has a file"));
    child.env(CASE, case).args(["--exact", test, "--nocapture"]);
    let output = child.output().expect("the test runs again").stdout;
    let output = String::from_utf8_lossy(&output);
    let used = output.lines().find_map(|line| line.split(USED).nth(1)?.parse().ok());
    used.unwrap_or_else(|| panic!("{test} measures nothing for {case}:\n{output}"))
}

/// Does the work of a child, and reports the growth of memory.
///
/// # Panics
/// When this system reports no memory.
pub fn measure<T>(work: impl FnOnce() -> T) -> T {
    let before = of_process(NOW).expect("memory is reported");
    let result = work();
    println!("\n{USED}{}", of_process(PEAK).expect("memory is reported").saturating_sub(before));
    result
}

/// A line of the process' status, in bytes.
fn of_process(which: &str) -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(which))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<usize>().ok()? * 1024)
}
