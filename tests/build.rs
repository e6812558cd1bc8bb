//! Sets the `cfg`s by which tests are compiled as ignored where what they need is absent, which
//! cargo reports.
//!
//! `cfg(shared)` is set where `../shared` is beside the project, with documents and objects of
//! servers; see `kapigen_tests::places::shared`. `cfg(kubectl)` is set where every program of
//! `$KUBECTL`, or else `kubectl` on the path, runs. `cfg(python)` is set where a Python has the
//! package `kubernetes`: `$PYTHON`, or else `target/python/bin/python`, or `python3` on the path.
//! `cfg(javascript)` is set where `node` runs, and `target/javascript` has the package
//! `@kubernetes/client-node`.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of it. Naming all would have cargo look at thousands of them before each build.
const FILE: &str = "../../shared/documented-groups.json";
/// The Python of an environment for this project, from this folder.
const PYTHON: &str = "../target/python/bin/python";

/// The package of the JavaScript client, from this folder.
const JAVASCRIPT: &str = "../target/javascript/node_modules/@kubernetes/client-node/package.json";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(shared, kubectl, python, javascript)");
    // A path that is absent would rebuild the tests each time, so `project::readme` notices when
    // one appears.
    println!("cargo::rerun-if-changed=build.rs");
    if Path::new(FILE).is_file() {
        println!("cargo::rerun-if-changed={FILE}");
        println!("cargo::rustc-cfg=shared");
    }
    for variable in ["KUBECTL", "PYTHON", "PATH"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    if stated("KUBECTL", "kubectl").iter().all(|program| runs(program, &["version", "--client"])) {
        println!("cargo::rustc-cfg=kubectl");
    }
    if Path::new(JAVASCRIPT).is_file() && runs(Path::new("node"), &["--version"]) {
        println!("cargo::rerun-if-changed={JAVASCRIPT}");
        println!("cargo::rustc-cfg=javascript");
    }
    let own = env::current_dir().map(|folder| folder.join(PYTHON)).unwrap_or_default();
    if own.exists() {
        println!("cargo::rerun-if-changed={PYTHON}");
    }
    let python = stated("PYTHON", "python3")
        .into_iter()
        .chain([own])
        .find(|python| runs(python, &["-c", "import kubernetes"]));
    if let Some(python) = python {
        println!("cargo::rustc-cfg=python");
        println!("cargo::rustc-env=PYTHON_OF_CLIENT={}", python.display());
    }
}

/// The programs that a variable names, as `$PATH` names folders, or the usual one.
fn stated(variable: &str, usual: &str) -> Vec<PathBuf> {
    env::split_paths(&env::var_os(variable).unwrap_or_else(|| OsString::from(usual))).collect()
}

fn runs(program: &Path, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}
