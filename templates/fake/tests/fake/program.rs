//! The program, as docs/tests-in-any-language.md has it: kubectl and the clients of other languages
//! create, watch, apply, patch and delete a pod.

use crate::clients;
use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use test_support::places;

/// The program, built with the features of the whole workspace, as `cargo test --workspace` has
/// built it already.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(places::root()).args([
        "build",
        "--quiet",
        "--locked",
        "--workspace",
        "--bin",
        "kapigen-fake",
    ]);
    assert!(cargo.status().expect("cargo").success(), "the program does not compile");
    let tests = env::current_exe().expect("the test has a path");
    let folder = tests.ancestors().nth(2).expect("tests are in a folder of the profile");
    folder.join("kapigen-fake").with_extension(env::consts::EXE_EXTENSION)
});

const TOKEN: [&str; 2] = ["--token", "secret"];
const SCRIPTS: [&str; 2] = ["--scripts", "templates/fake/tests/clients/scripts.yaml"];

/// A running server, which ends with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).expect("an end");
    }
}

/// Runs a client over a server of its own, with more arguments for it.
fn run(name: &str, arguments: &[&str], client: &mut Command) {
    let kubeconfig = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.kubeconfig"));
    let mut program = Command::new(&*PROGRAM);
    program.current_dir(places::root()).args(["--documents", "spec"]).args(arguments);
    program.args(["--listen", "127.0.0.1:0", "--kubeconfig"]).arg(&kubeconfig);
    let mut server = Running(program.stdout(Stdio::piped()).spawn().expect("the program"));
    let mut lines = BufReader::new(server.0.stdout.take().expect("an output")).lines();
    let is_ready = lines.any(|line| line.is_ok_and(|line| line.starts_with("export KUBECONFIG=")));
    assert!(is_ready, "the program ended");
    client
        .env("KUBECONFIG", &kubeconfig)
        .env("NO_PROXY", "*")
        .env("HOME", env!("CARGO_TARGET_TMPDIR"));
    let output = client.output().expect("the client");
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{stdout}{stderr}");
}

fn script(name: &str) -> PathBuf {
    places::root().join("templates/fake/tests/clients").join(name)
}

#[test]
#[cfg(unix)] // a script of the shell
fn kubectl_reads_and_writes() {
    // The script runs the one on the path.
    if clients::kubectl().is_none() {
        return;
    }
    // It sends no token without TLS.
    run("kubectl", &[], Command::new("sh").arg(script("kubectl.sh")));
}

#[test]
#[cfg(unix)]
fn kubectl_runs_scripts() {
    if clients::kubectl().is_none() {
        return;
    }
    run("scripts", &SCRIPTS, Command::new("sh").arg(script("scripts.sh")));
}

#[test]
fn the_python_client_reads_and_writes() {
    let Some(python) = clients::python() else { return };
    run("python", &TOKEN, Command::new(&python).arg(script("client.py")));
    run("python-scripts", &SCRIPTS, Command::new(python).arg(script("scripts.py")));
}

#[test]
fn the_javascript_client_reads_and_writes() {
    let Some(folder) = clients::javascript() else { return };
    // Node looks for packages from the folder of a script.
    let copy = folder.join("client.mjs");
    std::fs::copy(script("client.mjs"), &copy).expect("a copy");
    run("javascript", &TOKEN, Command::new("node").arg(copy));
}
