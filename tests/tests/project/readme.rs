//! Documents for people are true: links, paths, packages.

use kapigen_tests::places;
use std::fs;
use std::path::{Path, PathBuf};

/// The documents, from the root of the repository.
pub(crate) const DOCUMENTS: [&str; 28] = [
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs/another-release.md",
    "docs/big-clusters.md",
    "docs/changes.md",
    "docs/crates-over-crates.md",
    "docs/from-kopium.md",
    "docs/manifests.md",
    "docs/migration.md",
    "docs/operators.md",
    "docs/own-resources.md",
    "docs/requests.md",
    "docs/speed.md",
    "docs/tests-in-any-language.md",
    "docs/troubleshooting.md",
    "docs/webhooks.md",
    "docs/your-cluster.md",
    "generated/README.md",
    "generator/README.md",
    "templates/client/README.md",
    "templates/definitions/README.md",
    "templates/fake/README.md",
    "templates/kube/README.md",
    "templates/manifest/README.md",
    "templates/runtime/README.md",
    "templates/yaml/README.md",
];

#[test]
fn links_have_targets() {
    let mut count = 0;
    for document in DOCUMENTS {
        let folder = places::root().join(document);
        let folder = folder.parent().expect("a document is in a folder");
        let text = text(document);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.starts_with("https://")) {
            let target = target.split('#').next().unwrap_or_default();
            assert!(folder.join(target).exists(), "{document} links to {target}, which is not there");
            count += 1;
        }
    }
    assert!(count > 10, "only {count} links were found");
}

#[test]
fn named_paths_exist() {
    let roots = ["spec/", "generator/", "templates/", "generated/", "tests/", "xtask/", ".ci/"];
    let mut count = 0;
    for document in DOCUMENTS {
        let text = text(document);
        // Pieces within backticks are literal: that is every other piece.
        let literal = text.split('`').skip(1).step_by(2);
        for path in literal.filter(|path| roots.iter().any(|root| path.starts_with(root)) && !path.contains(['<', ' ']))
        {
            assert!(places::root().join(path).exists(), "{document} names {path}, which is not there");
            count += 1;
        }
    }
    assert!(count > 15, "only {count} paths were found");
}

/// Tests that need `../shared` are compiled as ignored where it is absent, and nothing compiles them again when it
/// comes.
#[test]
fn tests_that_need_absent_data_are_ignored() {
    let is_there = places::root().join("../shared/documented-groups.json").is_file();
    assert_eq!(cfg!(shared), is_there, "run `touch tests/build.rs`, then the tests again");
}

/// The packages that are published.
const PACKAGES: [&str; 9] = [
    "generated",
    "generator",
    "templates/client",
    "templates/definitions",
    "templates/fake",
    "templates/kube",
    "templates/manifest",
    "templates/runtime",
    "templates/yaml",
];

#[test]
fn the_packages_have_their_documents() {
    let license = text("LICENSE");
    assert!(license.contains("Apache License") && license.contains("END OF TERMS AND CONDITIONS"));
    for package in PACKAGES {
        let manifest = text(&format!("{package}/Cargo.toml"));
        for key in ["description", "readme", "keywords", "categories"] {
            assert!(manifest.contains(&format!("\n{key} = ")), "{package} has no {key}");
        }
        // A package of another workspace has keys of its own.
        for key in ["version", "license", "rust-version"] {
            let is_there = [".workspace = ", " = "].iter().any(|rest| manifest.contains(&format!("\n{key}{rest}")));
            assert!(is_there, "{package} has no {key}");
        }
        assert!(text(&format!("{package}/README.md")).ends_with("\n## License\n\nApache-2.0\n"), "{package}");
        assert!(text(&format!("{package}/LICENSE")) == license, "{package}/LICENSE is not a copy of LICENSE");
    }
}

/// `cargo install --git` looks through all packages below the root, also those of other workspaces.
#[test]
fn kapigen_and_its_fake_alone_can_be_installed() {
    let mut packages = Vec::new();
    collect_packages(places::root(), &mut packages);
    assert!(packages.len() > 7, "{packages:?}");
    packages.retain(|folder| {
        let manifest = places::text(&folder.join("Cargo.toml"));
        let found = folder.join("src/main.rs").exists() || folder.join("src/bin").exists();
        // A workspace alone is no package.
        let is_package = manifest.contains("[package]\n");
        is_package && (manifest.contains("[[bin]]") || found && !manifest.contains("\nautobins = false\n"))
    });
    packages.sort();
    assert_eq!(packages, ["generator", "templates/fake"].map(|folder| places::root().join(folder)));
}

/// The folders that cargo would find: not hidden, and not made by it.
fn collect_packages(folder: &Path, packages: &mut Vec<PathBuf>) {
    if folder.join("Cargo.toml").exists() {
        packages.push(folder.to_owned());
    }
    for entry in fs::read_dir(folder).expect("a folder can be read") {
        let entry = entry.expect("a folder can be read");
        let name = entry.file_name();
        if entry.path().is_dir() && name != "target" && !name.to_string_lossy().starts_with('.') {
            collect_packages(&entry.path(), packages);
        }
    }
}

#[test]
fn crates_are_formatted_by_the_rules_of_this_repository() {
    assert_eq!(kapigen::package::RUSTFMT, text("rustfmt.toml"));
}

pub(crate) fn text(path: &str) -> String {
    let path: PathBuf = places::root().join(path);
    places::text(&path)
}
