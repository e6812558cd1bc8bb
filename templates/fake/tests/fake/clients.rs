//! Shared code of the tests of clients over a socket: the installed clients, and a server with a
//! custom resource and objects.

use crate::testing::{self, SetOnDrop};
use kapigen_fake::{Listening, Server};
use serde::Deserialize;
use serde_json::Value;
use std::env;
use std::ffi::OsString;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use test_support::places;

/// Every kubectl: the programs of `$KUBECTL`, which names them as `$PATH` names folders, or
/// `kubectl` on the path. None, as with the other clients, if it is [absent].
#[track_caller]
pub(crate) fn kubectl() -> Option<Vec<PathBuf>> {
    let programs = stated("KUBECTL", "kubectl");
    let missing = programs.iter().find(|program| !runs(program, &["version", "--client"]));
    match missing {
        None => Some(programs),
        Some(program) => absent(&format!("{} does not run", program.display())),
    }
}

/// A Python with the package `kubernetes`: the first of `$PYTHON`, or else `python3`, and
/// `target/python/bin/python`.
#[track_caller]
pub(crate) fn python() -> Option<PathBuf> {
    let own = places::root().join("target/python/bin/python");
    let mut pythons = stated("PYTHON", "python3").into_iter().chain([own]);
    let python = pythons.find(|python| runs(python, &["-c", "import kubernetes"]));
    if python.is_none() {
        return absent("no Python has the package kubernetes");
    }
    python
}

/// The folder below which Node finds the package `@kubernetes/client-node`.
#[track_caller]
pub(crate) fn javascript() -> Option<PathBuf> {
    let folder = places::root().join("target/javascript");
    let package = folder.join("node_modules/@kubernetes/client-node/package.json");
    if package.is_file() && runs(Path::new("node"), &["--version"]) {
        return Some(folder);
    }
    absent("node, or @kubernetes/client-node in target/javascript, is missing")
}

/// Logs that a test is skipped. With `CLIENTS=required`, it fails instead.
#[track_caller]
fn absent<T>(reason: &str) -> Option<T> {
    let is_required = env::var_os("CLIENTS").is_some_and(|value| value == "required");
    assert!(!is_required, "{reason}, and CLIENTS=required");
    let thread = std::thread::current();
    let name = thread.name().unwrap_or_default();
    places::log(&format!("{name} ({}) has not run: {reason}", Location::caller()));
    None
}

/// The programs that a variable names, or the default one.
fn stated(variable: &str, usual: &str) -> Vec<PathBuf> {
    env::split_paths(&env::var_os(variable).unwrap_or_else(|| OsString::from(usual))).collect()
}

fn runs(program: &Path, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// A server on a socket.
pub(crate) struct Listener {
    pub(crate) server: Server,
    pub(crate) listening: Listening,
}

/// A server with the objects of `templates/fake/tests/widgets.yaml`.
pub(crate) fn widgets() -> Listener {
    let listener = Listener::new(Server::new(&[testing::documents()]));
    let text = places::text(&places::root().join("templates/fake/tests/widgets.yaml"));
    for document in serde_yaml::Deserializer::from_str(&text) {
        let object = Value::deserialize(document).expect("an object");
        if object["kind"] == "CustomResourceDefinition" {
            listener.server.add_definition(&object).expect("a definition");
        } else {
            listener.create(&object);
        }
    }
    listener
}

impl Listener {
    pub(crate) fn new(server: Server) -> Self {
        let listening = server.listen("127.0.0.1:0").expect("a socket");
        Self { server, listening }
    }

    /// Creates an object in the namespace `default`.
    pub(crate) fn create(&self, object: &Value) {
        self.server.create(object).expect("an object");
    }

    /// Runs something while garbage is collected.
    pub(crate) fn collecting<T>(&self, run: impl FnOnce() -> T) -> T {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    self.server.collect_garbage();
                    thread::sleep(Duration::from_millis(20));
                }
            });
            let _end = SetOnDrop(&is_over);
            run()
        })
    }
}
