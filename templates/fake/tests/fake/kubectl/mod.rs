//! kubectl, over a socket.

mod builtin; // The kinds of Kubernetes, a test for each command.
#[cfg(unix)] // it wraps kubectl in a script
mod pulling; // `kapigen pull`, which runs kubectl.
mod reading; // Tables, descriptions, explanations, watches.
#[cfg(unix)]
mod running; // Commands, attaching, copying.
mod writing; // Creating, applying, patching, scaling, deleting.

use crate::clients::{self, Listener, widgets};
use kapigen_fake::Server;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use test_support::places;

/// A kubectl, and its server.
struct Kubectl {
    listener: Listener,
    program: PathBuf,
    cache: PathBuf,
}

/// Runs a test with each kubectl, and a server of its own with a pod and widgets.
#[track_caller]
fn each(test: fn(&Kubectl)) {
    each_on(widgets, test);
}

/// Runs a test with each kubectl, and another server for each.
#[track_caller]
fn each_over(server: fn() -> Server, test: impl Fn(&Kubectl)) {
    each_on(|| Listener::new(server()), test);
}

#[track_caller]
fn each_on(listener: impl Fn() -> Listener, test: impl Fn(&Kubectl)) {
    for program in clients::kubectl().unwrap_or_default() {
        run_on(listener(), program, &test);
    }
}

fn run(program: PathBuf, test: fn(&Kubectl)) {
    run_on(widgets(), program, test);
}

fn run_on(listener: Listener, program: PathBuf, test: impl Fn(&Kubectl)) {
    let port = listener.listening.address().port();
    let cache = places::root().join(format!("target/tmp/kubectl/{port}"));
    let kubectl = Kubectl { listener, program, cache };
    test(&kubectl);
    fs::remove_dir_all(&kubectl.cache).expect("a cache");
}

impl Kubectl {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["--server", &self.listener.listening.url(), "--cache-dir"]).arg(&self.cache);
        // The configuration and the proxies of the machine must have no effect.
        command
            .env("KUBECONFIG", "/dev/null")
            .env("HOME", &self.cache)
            .env("NO_PROXY", "*")
            .args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn output(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self.command(arguments).spawn().expect("kubectl");
        child.stdin.take().expect("an input").write_all(input.as_bytes()).expect("an input");
        child.wait_with_output().expect("an output")
    }

    /// Runs kubectl, and returns its output.
    fn run(&self, arguments: &[&str]) -> String {
        self.run_with(arguments, "")
    }

    /// Runs kubectl with an input, and returns its output.
    fn run_with(&self, arguments: &[&str], input: &str) -> String {
        let output = self.output(arguments, input);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{} {arguments:?}: {errors}", self.program.display());
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs kubectl, which must fail, and returns its errors.
    fn refused(&self, arguments: &[&str], input: &str) -> String {
        let output = self.output(arguments, input);
        assert!(!output.status.success(), "{} {arguments:?} succeeded", self.program.display());
        String::from_utf8(output.stderr).expect("UTF-8")
    }
}

/// The words of each line.
fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().map(|line| line.split_whitespace().collect()).collect()
}
