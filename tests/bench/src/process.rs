//! Programs that are run, and their costs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time and memory of a program.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Seconds by the clock.
    pub wall: f64,
    /// Seconds of all processors, of the program and of those that it started. Steps of 10 ms.
    pub cpu: f64,
    /// The most memory that it had, in MB. Programs that it started are not included.
    pub memory: f64,
}

/// Runs a program to its end.
///
/// # Panics
/// When it fails: then its figures would be meaningless.
pub fn run(command: &mut Command) -> Cost {
    observed(command, &|process| vec![process])
}

/// As [`run`], but the memory is the most that any one process had, of the program and of those
/// that it started.
///
/// # Panics
/// When it fails: then its figures would be meaningless.
pub fn run_tree(command: &mut Command) -> Cost {
    observed(command, &tree)
}

/// Runs a program to its end. The memory is measured of the `processes` for the ID of the program.
fn observed(command: &mut Command, processes: &dyn Fn(u32) -> Vec<u32>) -> Cost {
    command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
    let before = cpu_of_children();
    let start = Instant::now();
    let mut child = command.spawn().expect("the program can be started");
    let mut memory = 0.0_f64;
    let result = loop {
        for process in processes(child.id()) {
            memory = memory.max(status(process, "VmHWM:"));
        }
        if let Some(result) = child.try_wait().expect("one can wait for it") {
            break result;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let wall = start.elapsed().as_secs_f64();
    assert!(result.success(), "{command:?} failed");
    Cost { wall, cpu: cpu_of_children() - before, memory }
}

/// A process and those that it and they have started.
fn tree(root: u32) -> Vec<u32> {
    let mut all = vec![root];
    let mut next = 0;
    while let Some(process) = all.get(next).copied() {
        let tasks =
            std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        for task in tasks {
            let children =
                std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            all.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
        next += 1;
    }
    all
}

/// The size of the code of a program, if `size` is installed.
pub fn code_size(program: &Path) -> Option<f64> {
    let output = Command::new("size").arg(program).output().ok()?;
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    output.lines().nth(1)?.split_whitespace().next()?.parse().ok()
}

/// The memory of a process, in MB.
pub fn resident(process: u32) -> f64 {
    status(process, "VmRSS:")
}

/// A size in the status of a process, in MB.
fn status(process: u32, name: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok())
        .unwrap_or_default()
        / 1000.0
}

/// Seconds of a process that runs: `utime` and `stime`.
pub fn cpu(process: u32) -> f64 {
    seconds(&process.to_string(), 11)
}

/// Seconds of all processes that were started and have ended: `cutime` and `cstime`.
fn cpu_of_children() -> f64 {
    seconds("self", 13)
}

/// Two fields of the state of a process, which are in hundredths on Linux.
fn seconds(process: &str, field: usize) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))
        .expect("/proc: costs of programs are measured on Linux only");
    // The second field is a name in brackets, which may hold anything.
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    fields.skip(field).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Cargo, in a folder, with a target folder. Incremental compilation is off, as it is for crates
/// from a registry, so that figures can be compared.
pub fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Some build scripts run again when these change, and `cargo run` has set them to what this
    // package is.
    let own = std::env::vars_os().map(|(name, _)| name);
    let is_own = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for name in own.filter(|name| name.to_str().is_some_and(is_own)) {
        command.env_remove(name);
    }
    command
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_INCREMENTAL", "0");
    command
}

/// The root of this repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The folder for intermediate files, and for everything that is compiled here.
pub fn work() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    std::path::absolute(target).expect("there is a current folder").join("bench")
}

/// The command `kapigen`, as users have it.
pub fn kapigen() -> PathBuf {
    let target = work().join("kapigen");
    run(&mut cargo(root(), &target, &["build", "--quiet", "--release", "-p", "kapigen"]));
    target.join("release/kapigen")
}
