//! Programs that reach a cluster, over kapigen-client and over kube. They are in
//! `tests/bench-clients` and `tests/gateway`, in the workspace of `tests/consumer-kube`, and each
//! is compiled alone, so that no feature of another one reaches it.

mod costs;
mod streams;

use crate::process::{self, root, work};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

pub use costs::{controllers, reach};
pub use streams::table as streams;

struct Program {
    who: &'static str,
    package: &'static str,
    example: &'static str,
    features: &'static str,
}

impl Program {
    /// Cargo with this program alone.
    fn cargo(&self, command: &[&str]) -> Command {
        let workspace = root().join("tests/consumer-kube");
        let mut cargo = process::cargo(&workspace, &self.target(), command);
        cargo.args(["--locked", "--package", self.package, "--features", self.features]);
        // As programs are installed: without symbols.
        cargo.env("CARGO_PROFILE_RELEASE_STRIP", "true");
        cargo
    }

    fn target(&self) -> PathBuf {
        work().join("clients").join(self.example)
    }

    fn build(&self) -> process::Cost {
        process::run(&mut self.cargo(&["build", "--release", "--example", self.example]))
    }

    fn path(&self) -> PathBuf {
        self.target().join("release/examples").join(self.example)
    }

    /// The program over a cluster: one with TLS, or without.
    fn over(&self, cluster: &Cluster, kubeconfig: &str) -> Command {
        let mut command = Command::new(self.path());
        command.env("KUBECONFIG", cluster.folder.join(kubeconfig)).env("HOSTNAME", "one");
        command
    }
}

/// The fake API server in a process of its own.
struct Cluster {
    process: Child,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
}

impl Cluster {
    /// # Panics
    /// When it refuses an object, or cannot be started.
    fn start(objects: impl Iterator<Item = Value>) -> Self {
        const SERVER: Program =
            Program { who: "", package: "clients-server", example: "clients-server", features: "" };
        SERVER.build();
        let folder = work().join("cluster");
        fs::create_dir_all(&folder).expect("the folder can be made");
        let mut text = String::new();
        objects.for_each(|object| writeln!(text, "{object}").expect("memory takes everything"));
        let file = folder.join("objects");
        fs::write(&file, text).expect("the file can be written");
        let mut command = Command::new(SERVER.path());
        command.arg(&folder).arg(file).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("it was compiled");
        let mut output = BufReader::new(process.stdout.take().expect("it is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n", "the server cannot start");
        Self { process, output, folder }
    }

    /// Ends the server. Returns what it says then: the number of services that programs made.
    fn end(mut self) -> String {
        drop(self.process.stdin.take());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("the rest of the output");
        self.process.wait().expect("one can wait for it");
        rest
    }
}
