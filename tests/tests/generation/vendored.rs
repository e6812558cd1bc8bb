//! Crates that are copied beside a generated one, over its runtime.

use kapigen::Build;
use kapigen::input::crates::RuntimeChoice;
use kapigen::input::package::Sibling;
use kapigen_tests::places;
use std::fs;
use std::path::Path;
use test_support::workspace::Workspace;

/// The generated crate, and a program that uses it with the copies.
const API: &str = "my-api";
const PROGRAM: &str = "lister";

/// The generated crate, below a folder.
fn build(folder: &Path) -> Build {
    let spec = places::root().join("spec");
    Build::new(spec.join("coordination.k8s.io/v1.yaml"), folder.join(API))
        .spec(spec.join("meta"))
        .runtime(RuntimeChoice::Vendored)
}

#[test]
fn copies_of_client_and_fake_run_over_the_runtime_of_a_crate() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("copies");
    let workspace = Workspace::new(folder, &[API, PROGRAM]);
    let build = build(&workspace.folder)
        .vendor(Sibling::Client)
        .vendor(Sibling::Fake)
        .vendor(Sibling::Manifest);
    build.generate().unwrap_or_else(|errors| panic!("{errors}"));
    fs::create_dir_all(workspace.folder.join(PROGRAM).join("src")).expect("a folder can be made");
    for (from, to) in [("copies.toml", "Cargo.toml"), ("copies.rs", "src/main.rs")] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("externs").join(from);
        fs::copy(from, workspace.folder.join(PROGRAM).join(to)).expect("a file can be written");
    }
    // All features of the copies, each of which is a member since the program depends on it by
    // path.
    let build = ["build", "--workspace", "--all-features", "--offline", "--quiet"];
    _ = workspace.cargo(&build, "RUSTFLAGS");
    assert_eq!(workspace.run(PROGRAM, String::new()), "1 me 1 1\n");
}

#[test]
fn a_copy_of_kube_has_its_sources_and_dependencies() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("copy-of-kube");
    _ = fs::remove_dir_all(&folder);
    let build = build(&folder).vendor(Sibling::Kube);
    build.generate().unwrap_or_else(|errors| panic!("{errors}"));
    let original = places::root().join("templates/kube");
    let copy = folder.join(API).join("kube");
    let sources = places::files(&original.join("src"), &["rs"]);
    assert!(sources.len() > 5, "{sources:?}");
    for path in sources {
        let path = places::relative(&path, &original);
        let text = places::text(&original.join(&path));
        let text: String = text
            .split_inclusive('\n')
            .filter(|line| !line.ends_with("// not vendored\n"))
            .collect();
        assert_eq!(places::text(&copy.join(&path)).trim_end(), text.trim_end(), "{path}");
    }
    let [mut manifest, mut expected] = [&copy, &original].map(|folder| {
        places::text(&folder.join("Cargo.toml")).parse::<toml::Table>().expect("a manifest")
    });
    assert_eq!(manifest["package"]["rust-version"], expected["package"]["rust-version"]);
    assert_eq!(manifest["features"], expected["features"]);
    let dependencies = |manifest: &mut toml::Table| {
        let mut all = manifest
            .remove("dependencies")
            .and_then(|all| all.as_table().cloned())
            .expect("dependencies");
        (all.remove("kapigen-runtime").expect("the runtime").to_string(), all)
    };
    let (runtime, others) = dependencies(&mut manifest);
    assert_eq!(runtime, "{ package = \"my-api-runtime\", path = \"../runtime\" }");
    assert_eq!(others, dependencies(&mut expected).1);
    assert!(
        manifest.get("workspace").is_none() && manifest.get("dev-dependencies").is_none(),
        "{manifest}"
    );
}
