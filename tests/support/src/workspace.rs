//! A workspace of crates that a test makes and runs cargo in.

use crate::places;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A cargo workspace. Its crates are compiled with the versions that the project has, so nothing is
/// fetched.
#[derive(Debug)]
pub struct Workspace {
    /// Its folder, which has the folder of each crate.
    pub folder: PathBuf,
    /// The folder of cargo's outputs, which all workspaces beside this one share: what they depend
    /// on is compiled once.
    pub target: PathBuf,
}

impl Workspace {
    /// A workspace with these folders as its crates, which are yet to be written.
    ///
    /// # Panics
    /// When the disk fails.
    #[must_use]
    pub fn new(folder: PathBuf, members: &[&str]) -> Self {
        fs::create_dir_all(&folder).expect("a folder can be made");
        for member in members {
            // A manifest of an earlier run would be kept: manifests belong to users.
            _ = fs::remove_file(folder.join(member).join("Cargo.toml"));
        }
        let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
        fs::write(folder.join("Cargo.toml"), manifest).expect("a file can be written");
        fs::copy(places::root().join("Cargo.lock"), folder.join("Cargo.lock"))
            .expect("the lock file can be copied");
        let target = folder.with_file_name("target");
        Self { folder, target }
    }

    /// Runs cargo with warnings denied, and returns its output. `flags` is the variable that denies
    /// them: `RUSTFLAGS` or `RUSTDOCFLAGS`.
    ///
    /// # Panics
    /// When cargo fails, with all its output.
    #[must_use]
    pub fn cargo(&self, arguments: &[&str], flags: &str) -> String {
        let output = self.output(arguments, flags);
        let out = String::from_utf8_lossy(&output.stdout);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo {}:\n{err}{out}", arguments.join(" "));
        out.into_owned()
    }

    /// Checks a package that does not compile, and returns the errors of the compiler, one line
    /// each.
    ///
    /// # Panics
    /// When it compiles.
    #[must_use]
    pub fn compile_errors(&self, package: &str) -> Vec<String> {
        let arguments = [
            "check",
            "--package",
            package,
            "--all-features",
            "--message-format",
            "short",
            "--quiet",
        ];
        let output = self.output(&arguments, "RUSTFLAGS");
        assert!(!output.status.success(), "{package} compiles");
        let err = String::from_utf8_lossy(&output.stderr);
        let errors = err.lines().filter(|line| {
            line.contains(": error") && !line.contains(": error: could not compile")
        });
        errors.map(str::to_owned).collect()
    }

    fn output(&self, arguments: &[&str], flags: &str) -> Output {
        let mut command = Command::new(std::env::var_os("CARGO").expect("cargo runs the tests"));
        command.args(arguments).current_dir(&self.folder).env(flags, "-D warnings");
        command.env("CARGO_TARGET_DIR", &self.target).env("CARGO_NET_OFFLINE", "true");
        command.output().expect("cargo runs")
    }

    /// Runs a program of the workspace that cargo has built, and returns its output.
    ///
    /// # Panics
    /// When the program fails.
    #[must_use]
    pub fn run(&self, program: &str, input: String) -> String {
        let mut command = Command::new(self.target.join("debug").join(program));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("it has an input");
        // It writes while it reads.
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().expect("the program ends");
        writer.join().expect("the writer ends").expect("all is read");
        assert!(output.status.success(), "{program}: {}", output.status);
        String::from_utf8(output.stdout).expect("it writes UTF-8")
    }
}
