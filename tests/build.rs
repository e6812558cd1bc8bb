//! Sets `cfg(shared)` where `../shared` is beside the project. Tests that need its documents and objects are ignored
//! without it, which cargo reports; see `kapigen_tests::places::shared`.

use std::path::Path;

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
}
