//! What the documents for people say is so. Their examples are compiled and run as tests of documentation: see
//! `tests/src/lib.rs`.

use kapigen_tests::places;
use std::path::PathBuf;

/// The documents, from the root of the repository.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "generated/README.md"];

#[test]
fn the_readme_quotes_the_example_of_the_consumer() {
    let example = text("tests/consumer/examples/list_pods.rs");
    assert!(text("README.md").contains(&format!("```rs\n{example}```\n")), "README.md has another example");
}

#[test]
fn no_example_is_left_out_of_the_tests() {
    let fences: Vec<_> = DOCUMENTS
        .into_iter()
        .flat_map(|document| {
            let text = text(document);
            text.lines().filter(|line| line.starts_with("```rust")).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    assert!(fences.len() >= 5 && fences.iter().all(|fence| fence == "```rust"), "{fences:?}");
}

#[test]
fn links_lead_somewhere() {
    let mut count = 0;
    for document in DOCUMENTS {
        let folder = places::root().join(document);
        let folder = folder.parent().expect("a document is in a folder");
        let text = text(document);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.starts_with("https://")) {
            assert!(folder.join(target).exists(), "{document} links to {target}, which is not there");
            count += 1;
        }
    }
    assert!(count > 10, "only {count} links were found");
}

#[test]
fn paths_are_there() {
    let roots = ["spec/", "generator/", "templates/", "generated/", "tests/", "xtask/", ".ci/"];
    let mut count = 0;
    for document in DOCUMENTS {
        let text = text(document);
        // Within backticks stands what is meant literally; every other piece is.
        let literal = text.split('`').skip(1).step_by(2);
        for path in literal.filter(|path| roots.iter().any(|root| path.starts_with(root)) && !path.contains(['<', ' ']))
        {
            assert!(places::root().join(path).exists(), "{document} names {path}, which is not there");
            count += 1;
        }
    }
    assert!(count > 15, "only {count} paths were found");
}

#[test]
fn the_crates_have_their_documents() {
    let manifest = text("generated/Cargo.toml");
    assert!(manifest.contains("readme = \"README.md\""), "{manifest}");
    let license = text("LICENSE");
    assert!(license.contains("Apache License") && license.contains("END OF TERMS AND CONDITIONS"));
}

fn text(path: &str) -> String {
    let path: PathBuf = places::root().join(path);
    places::text(&path)
}
