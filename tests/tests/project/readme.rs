//! Documents for people are true: links, paths, packages, workflows.

use kapigen::input::{Source, parse};
use kapigen_tests::places;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Paths of the documents from the root of the repository: documents in the root, pages of the
/// book, and READMEs of packages.
pub(crate) static DOCUMENTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let root =
        ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(str::to_owned);
    let pages = places::files(&places::root().join("docs"), &["md"]);
    let pages = pages.iter().map(|page| places::relative(page, places::root()));
    root.into_iter()
        .chain(pages)
        .chain(PACKAGES.map(|package| format!("{package}/README.md")))
        .collect()
});

/// The documents, which live as long as the tests.
pub(crate) fn documents() -> impl Iterator<Item = &'static str> {
    DOCUMENTS.iter().map(String::as_str)
}

/// The targets of the links of a document, within the repository.
fn links(document: &str) -> Vec<String> {
    // Code has brackets, too.
    let text: String = text(document).split("```").step_by(2).collect();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.starts_with("https://")).map(str::to_owned).collect()
}

/// The anchors of the headings of a document, as GitHub and mdBook make them.
fn anchors(document: &str) -> Vec<String> {
    let text: String = text(document).split("```").step_by(2).collect();
    let headings = text
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim());
    let is_kept = |char: &char| char.is_alphanumeric() || ['-', '_', ' '].contains(char);
    headings
        .map(|heading| {
            heading.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-")
        })
        .collect()
}

#[test]
fn links_have_targets() {
    let mut count = 0;
    for document in documents() {
        let folder = Path::new(document).parent().expect("a document is in a folder");
        for link in links(document) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() {
                document.to_owned()
            } else {
                folder.join(path).to_string_lossy().into_owned()
            };
            assert!(
                places::root().join(&target).exists(),
                "{document} links to {target}, which is not there"
            );
            if !anchor.is_empty() {
                assert!(
                    anchors(&target).contains(&anchor.to_owned()),
                    "{document}: {target} has no heading #{anchor}"
                );
            }
            count += 1;
        }
    }
    assert!(count > 100, "only {count} links were found");
}

/// The book is built of its folder alone: the rest of the repository is not in it. One page leads
/// to the READMEs of the crates.
#[test]
fn the_book_has_each_page_once_and_links_within_itself() {
    const SUMMARY: &str = "docs/SUMMARY.md";
    const OVERVIEW: &str = "docs/README.md";
    let listed: Vec<String> = links(SUMMARY).iter().map(|page| format!("docs/{page}")).collect();
    for page in documents().filter(|document| document.starts_with("docs/") && *document != SUMMARY)
    {
        assert_eq!(
            listed.iter().filter(|listed| *listed == page).count(),
            1,
            "{page} in {SUMMARY}"
        );
        let is_readme = |link: &str| page == OVERVIEW && link.ends_with("/README.md");
        let outside: Vec<String> = links(page)
            .into_iter()
            .filter(|link| link.starts_with("..") && !is_readme(link))
            .collect();
        assert!(
            outside.is_empty(),
            "{page} links to {outside:?}: name a file of the repository by its path, in backticks"
        );
    }
}

/// Users read at most twenty pages. The last part is about the project itself.
#[test]
fn the_book_for_users_has_twenty_pages() {
    let summary = text("docs/SUMMARY.md");
    let (users, project) = summary.split_once("\n# Project").expect("two parts");
    let pages = users.matches("](").count();
    assert!(pages <= 20 && project.contains("]("), "{pages} pages for users");
}

/// The pages about programs show one, or what a command prints.
#[test]
fn the_pages_about_programs_have_programs() {
    let summary = text("docs/SUMMARY.md");
    let part =
        summary.split("\n# ").find(|part| part.starts_with("Programs")).expect("the first part");
    let pages: Vec<&str> =
        part.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(pages.len() > 9, "{pages:?}");
    for page in pages {
        let text = text(&format!("docs/{page}"));
        let is_program = |block: &str| {
            ["rust", "rs\n", "bash\n", "promql\n", "text\n"]
                .iter()
                .any(|kind| block.starts_with(kind))
        };
        let is_named = text.split('`').any(|span| span.starts_with("templates/fake/examples/"));
        assert!(
            is_named || text.split("```").skip(1).step_by(2).any(is_program),
            "{page} shows no program"
        );
    }
}

/// The size of the page that everybody reads.
#[test]
fn the_readme_is_short() {
    let lines = text("README.md").lines().count();
    assert!(lines <= 180, "README.md has {lines} lines: what is for later goes into the book");
}

/// Build scripts of all dependencies run where something is compiled.
#[test]
fn jobs_that_compile_have_no_token() {
    const COMPILE: [&str; 6] =
        ["cargo xtask", "cargo install", "cargo check", "cargo test", ".ci/archive", ".ci/run"];
    let mut compiling = 0;
    for workflow in places::files(&places::root().join(".github/workflows"), &["yml"]) {
        let source = Source::new(workflow.to_string_lossy(), places::text(&workflow));
        let value: Value = parse::file(&source).expect("a workflow is YAML");
        assert_eq!(value["permissions"], json!({"contents": "read"}), "{}", source.name);
        for (name, job) in value["jobs"].as_object().expect("a workflow has jobs") {
            let text = job.to_string();
            if COMPILE.iter().any(|word| text.contains(word)) {
                compiling += 1;
                let is_free = !text.contains(": write") && !text.contains(":\"write\"");
                assert!(is_free && !text.to_lowercase().contains("token"), "{name}: {text}");
            }
        }
    }
    assert!(compiling > 8, "{compiling}");
}

/// A tag of an action can be moved to other code, a commit cannot. Files of this repository that a
/// workflow runs must exist.
#[test]
fn workflows_run_what_is_pinned_and_what_is_there() {
    let chores = text("xtask/src/main.rs");
    let is_chore = |name: &str| {
        let name = name[..1].to_uppercase() + &name[1..];
        [" {", ",", "("].iter().any(|end| chores.contains(&format!("\n    {name}{end}")))
    };
    let mut count = 0;
    for workflow in places::files(&places::root().join(".github/workflows"), &["yml"]) {
        let workflow = places::text(&workflow);
        for action in workflow.split("uses: ").skip(1).filter_map(|rest| rest.lines().next()) {
            let commit = action
                .split('@')
                .nth(1)
                .and_then(|commit| commit.split(" # v").next())
                .unwrap_or_default();
            let is_commit =
                commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_ours =
                action.strip_prefix("./").is_some_and(|path| places::root().join(path).is_file());
            assert!(is_commit && action.contains(" # v") || is_ours, "{action}");
            count += 1;
        }
        for chore in workflow.split("cargo xtask ").skip(1) {
            let name = chore.split_whitespace().next().unwrap_or_default();
            assert!(is_chore(name), "there is no `cargo xtask {name}`");
        }
        for script in
            workflow.split(" .ci/").skip(1).filter_map(|rest| rest.split_whitespace().next())
        {
            assert!(places::root().join(".ci").join(script).is_file(), "there is no .ci/{script}");
        }
    }
    assert!(count > 10, "only {count} actions were found");
}

#[test]
fn named_paths_exist() {
    let roots = ["spec/", "generator/", "templates/", "generated/", "tests/", "xtask/", ".ci/"];
    let mut count = 0;
    for document in documents() {
        let text = text(document);
        // Pieces within backticks are literal: that is every other piece.
        let literal = text.split('`').skip(1).step_by(2);
        for path in literal.filter(|path| {
            roots.iter().any(|root| path.starts_with(root)) && !path.contains(['<', ' '])
        }) {
            assert!(
                places::root().join(path).exists(),
                "{document} names {path}, which is not there"
            );
            count += 1;
        }
    }
    assert!(count > 15, "only {count} paths were found");
}

/// The packages that are published.
const PACKAGES: [&str; 9] = [
    "generated",
    "generator",
    "templates/client",
    "templates/connect",
    "templates/definitions",
    "templates/fake",
    "templates/kube",
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
            let is_there = [".workspace = ", " = "]
                .iter()
                .any(|rest| manifest.contains(&format!("\n{key}{rest}")));
            assert!(is_there, "{package} has no {key}");
        }
        assert!(
            text(&format!("{package}/README.md")).ends_with("\n## License\n\nApache-2.0\n"),
            "{package}"
        );
        assert!(
            text(&format!("{package}/LICENSE")) == license,
            "{package}/LICENSE is not a copy of LICENSE"
        );
    }
}

/// The dependencies of a manifest on crates of others, for programs and not for tests, with whether
/// they are optional.
fn foreign(manifest: &toml::Table) -> Vec<(String, bool)> {
    let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flatten();
    let tables = targets
        .filter_map(|(_, target)| target.get("dependencies"))
        .chain(manifest.get("dependencies"));
    let all = tables
        .filter_map(toml::Value::as_table)
        .flatten()
        .filter(|(name, _)| !name.starts_with("kapigen-"));
    let is_optional = |dependency: &toml::Value| {
        dependency.get("optional").and_then(toml::Value::as_bool) == Some(true)
    };
    let mut all: Vec<_> =
        all.map(|(name, dependency)| (name.clone(), is_optional(dependency))).collect();
    all.sort();
    all
}

/// Each dependency is used, and the page about dependencies has the reason for it.
#[test]
fn every_dependency_has_a_reason() {
    let page = text("docs/dependencies.md");
    for package in PACKAGES.into_iter().filter(|package| *package != "generated") {
        let manifest: toml::Table =
            text(&format!("{package}/Cargo.toml")).parse().expect("a manifest");
        let name = manifest["package"]["name"].as_str().expect("a name");
        let section = page.split("\n## ").find(|section| section.starts_with(&format!("{name}\n")));
        let section = section.unwrap_or_else(|| panic!("no section for {name}"));
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
        let rows = rows.filter_map(|cell| cell.split_once('`'));
        let mut rows: Vec<_> = rows
            .map(|(name, rest)| {
                (name.to_owned(), rest.contains("optional") || rest.contains("*cli*"))
            })
            .collect();
        rows.sort();
        let dependencies = foreign(&manifest);
        assert_eq!(rows, dependencies, "{name}");
        let sources: String = places::files(&places::root().join(package).join("src"), &["rs"])
            .iter()
            .map(|source| places::text(source))
            .collect();
        for (dependency, _) in dependencies {
            let path = format!("{}::", dependency.replace('-', "_"));
            assert!(sources.contains(&path), "{name} does not use {dependency}");
        }
    }
}

/// `cargo install --git` looks through all packages below the root, including other workspaces.
#[test]
fn kapigen_and_its_fake_alone_can_be_installed() {
    let mut packages = Vec::new();
    collect_packages(places::root(), &mut packages);
    assert!(packages.len() > 7, "{packages:?}");
    packages.retain(|folder| {
        let manifest = places::text(&folder.join("Cargo.toml"));
        let found = folder.join("src/main.rs").exists() || folder.join("src/bin").exists();
        // A workspace alone is not a package.
        let is_package = manifest.contains("[package]\n");
        is_package
            && (manifest.contains("[[bin]]") || found && !manifest.contains("\nautobins = false\n"))
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
