//! Sets `cfg(kubectl)` where there is a kubectl: `$KUBECTL`, or one on the path. Sets `cfg(shared)` where `../shared` is beside the project. Tests that need its documents and objects are ignored
//! without it, which cargo reports; see `kapigen_tests::places::shared`.

use std::env;
use std::path::Path;
use std::process::Command;

/// A file of it. Naming all would have cargo look at thousands of them before each build.
const FILE: &str = "../../shared/documented-groups.json";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(shared)");
    // A path that is absent would rebuild the tests each time, so `project::readme` notices when one appears.
    println!("cargo::rerun-if-changed=build.rs");
    if Path::new(FILE).is_file() {
        println!("cargo::rerun-if-changed={FILE}");
        println!("cargo::rustc-cfg=shared");
    }
    println!("cargo::rustc-check-cfg=cfg(kubectl)");
    println!("cargo::rerun-if-env-changed=KUBECTL");
    println!("cargo::rerun-if-env-changed=PATH");
    let kubectl = env::var("KUBECTL").unwrap_or_else(|_| "kubectl".to_owned());
    let version = Command::new(kubectl).args(["version", "--client"]).output();
    if version.is_ok_and(|output| output.status.success()) {
        println!("cargo::rustc-cfg=kubectl");
    }
}
