//! Code blocks and names in the documents for people: each is compiled, run, or looked up by a
//! test.

use super::readme::{documents, text};
use kapigen::Sources;
use kapigen::input::{Input, Source};
use kapigen_tests::places;
use std::collections::BTreeSet;

/// Documents with blocks of Rust that run as doc tests, by the file that includes them.
const DOCTESTS: [(&str, &str); 17] = [
    ("docs/big-clusters.md", "tests/src/lib.rs"),
    ("docs/changes.md", "tests/src/lib.rs"),
    ("docs/from-kube.md", "tests/consumer-client/src/lib.rs"),
    ("docs/pods.md", "tests/consumer-client/src/lib.rs"),
    ("docs/programs.md", "tests/consumer-client/src/lib.rs"),
    ("docs/requests.md", "tests/src/lib.rs"),
    ("docs/tests.md", "tests/consumer-client/src/lib.rs"),
    ("docs/types.md", "tests/src/lib.rs"),
    ("docs/webhooks.md", "tests/src/lib.rs"),
    ("generated/README.md", "tests/src/lib.rs"),
    ("templates/client/README.md", "tests/consumer-client/src/lib.rs"),
    ("templates/connect/README.md", "templates/connect/src/lib.rs"),
    ("templates/definitions/README.md", "templates/definitions/src/lib.rs"),
    ("templates/fake/README.md", "templates/fake/src/lib.rs"),
    ("templates/kube/README.md", "templates/kube/src/lib.rs"),
    ("templates/runtime/README.md", "tests/src/lib.rs"),
    ("templates/yaml/README.md", "templates/yaml/src/lib.rs"),
];
/// Documents with blocks of commands, or a workflow, that `generator/tests/command/readme.rs` runs.
const COMMANDS: [&str; 6] = [
    "README.md",
    "docs/build-scripts.md",
    "docs/upgrades.md",
    "docs/operators.md",
    "docs/your-cluster.md",
    "generator/README.md",
];
/// Folders of reports of `kapigen diff`, which tests compare.
const REPORTS: [&str; 2] = ["generator/tests/diffs", "generator/tests/definition-diffs"];
/// The page that is made of the code: below, a crate is made with its examples.
const REFERENCE: &str = "docs/groups-and-fixups.md";
/// Programs that the documents quote, and that other tests compile and run.
const PROGRAMS: [&str; 10] = [
    "tests/build-script/build.rs",
    "templates/fake/examples/operator/operator.rs",
    "templates/fake/tests/clients/kubectl.sh",
    "tests/consumer-client/examples/apply.rs",
    "tests/consumer-client/examples/watch_pods.rs",
    "tests/consumer-client/examples/webhook.rs",
    "tests/consumer-client/tests/sockets/reads_a_pod.rs",
    "tests/consumer-schema/src/lib.rs",
    "tests/consumer/examples/list_pods.rs",
    "tests/externs/program.rs",
];
/// Files that have the lines of the blocks of a language.
const LINES: [(&str, &[&str]); 3] = [
    ("dockerfile", &["tests/consumer-client/examples/addresses/Dockerfile"]),
    (
        "toml",
        &[
            "tests/build-script/Cargo.toml",
            "tests/consumer-client/Cargo.toml",
            "tests/consumer-kube/Cargo.toml",
            "tests/consumer-schema/Cargo.toml",
            "tests/consumer/Cargo.toml",
            "tests/externs/copies.toml",
            "templates/kube/Cargo.toml",
        ],
    ),
    (
        "yaml",
        &[
            "templates/fake/tests/clients/scripts.yaml",
            "tests/consumer-client/examples/addresses/deployment.yaml",
            "tests/externs/spec/groups.yaml",
            "tests/workflow.yaml",
        ],
    ),
];

/// A fenced code block.
#[derive(Debug)]
struct Block {
    document: &'static str,
    language: String,
    text: String,
}

fn blocks() -> Vec<Block> {
    let blocks = documents().flat_map(|document| {
        let text = text(document);
        let fenced = text
            .split("```")
            .skip(1)
            .step_by(2)
            .map(|block| block.split_once('\n').expect("a block has lines"));
        let block = |(language, text): (&str, &str)| (language.to_owned(), text.to_owned());
        let blocks: Vec<_> = fenced.map(block).collect();
        blocks.into_iter().map(move |(language, text)| Block { document, language, text })
    });
    blocks.collect()
}

/// The reason why no test covers a block. None: one does.
fn failure(Block { document, language, text: block }: &Block) -> Option<String> {
    let is_tested = match language.as_str() {
        "rust" | "rust,no_run" => DOCTESTS.iter().any(|(known, _)| known == document),
        "rs" | "bash" if PROGRAMS.iter().any(|program| text(program) == *block) => true,
        "sh" => COMMANDS.contains(document) || block.lines().all(|line| is_chore(line.trim())),
        "mermaid" => true,
        "promql" => are_metrics(block),
        // `generator/tests/command/readme.rs` compares it with the output of the example.
        "text" if *document == "README.md" => true,
        // `documents::kubernetes` compares the report of real documents.
        "text" if *document == "docs/upgrades.md" && block.contains(" core_v1::") => true,
        "text" => is_report(block),
        "yaml" if *document == REFERENCE => true,
        "yaml" if block.contains("\njobs:\n") => COMMANDS.contains(document),
        language => {
            LINES.iter().any(|(other, files)| *other == language && has_lines(files, block))
        }
    };
    (!is_tested).then(|| format!("{document}: no test covers this block of `{language}`:\n{block}"))
}

/// Whether `kapigen diff` reports this for an example of its tests.
fn is_report(block: &str) -> bool {
    let files =
        REPORTS.iter().flat_map(|folder| places::files(&places::root().join(folder), &["diff"]));
    files.map(|file| places::text(&file)).any(|example| example.contains(&format!("\n{block}")))
}

/// Whether the client has each metric of these queries. An exporter adds the suffixes.
fn are_metrics(queries: &str) -> bool {
    let known = text("templates/client/src/metrics.rs");
    let names = queries.split(|char: char| !char.is_alphanumeric() && char != '_');
    let mut names = names.filter(|name| name.starts_with("kapigen_")).peekable();
    let is_known = |name: &str| {
        let name =
            name.strip_suffix("_total").or_else(|| name.strip_suffix("_bucket")).unwrap_or(name);
        known.contains(&format!(".{name} = "))
    };
    names.peek().is_some() && names.all(is_known)
}

/// Whether a command is one of CI, or a test that is there.
fn is_chore(line: &str) -> bool {
    line.is_empty()
        || line == "cargo xtask codegen"
        || line.contains("cargo test -p kapigen-tests ")
}

/// Whether the files have each line, or an example of documentation has it, which is compiled.
/// Dependencies are compared by name and version: paths and features are a user's own.
fn has_lines(files: &[&str], block: &str) -> bool {
    let lines: BTreeSet<String> =
        files.iter().flat_map(|file| text(file).lines().map(plain).collect::<Vec<_>>()).collect();
    let is_main = |line: &str| ["fn main() {", "}"].contains(&line);
    block.lines().all(|line| is_main(line) || lines.contains(&plain(line)))
}

fn plain(line: &str) -> String {
    let Some((name, value)) = line.split_once(" = ") else {
        return line.trim_start_matches("///").trim().to_owned();
    };
    if matches!(name, "kapigen" | "openshift-api") {
        return name.to_owned();
    }
    let version = if value.starts_with('{') {
        value.split("version = ").nth(1).unwrap_or_default()
    } else {
        value
    };
    format!("{name} {}", version.split('"').nth(1).unwrap_or_default())
}

#[test]
fn every_code_block_is_tested() {
    let blocks = blocks();
    let failures: Vec<String> = blocks.iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    for program in PROGRAMS {
        assert!(
            blocks.iter().any(|block| block.text == text(program)),
            "no document quotes {program}"
        );
    }
    for (document, file) in DOCTESTS {
        let source = text(file);
        let mut included =
            source.split("include_str!(\"").skip(1).filter_map(|rest| rest.split('"').next());
        let folder = places::root().join(file);
        let is_document = |path: &str| folder.with_file_name("").join(path).canonicalize().ok();
        let wanted = places::root().join(document).canonicalize().ok();
        assert!(
            included.any(|path| is_document(path) == wanted),
            "{file} does not test {document}"
        );
        assert!(
            blocks
                .iter()
                .any(|block| block.document == document && block.language.starts_with("rust")),
            "{document}"
        );
    }
}

/// The selection and the corrections of the reference page fit the documents in `spec/`.
#[test]
fn a_crate_is_made_with_the_files_of_the_reference_page() {
    let examples: Vec<Block> =
        blocks().into_iter().filter(|block| block.document == REFERENCE).collect();
    let [groups, fixups] = &examples[..] else { panic!("{} examples", examples.len()) };
    let sources = Sources {
        groups: Some(Source::new("groups.yaml", groups.text.as_str())),
        fixups: Some(Source::new("fixups.yaml", fixups.text.as_str())),
        ..Input::folder(places::root().join("spec")).read().expect("the documents can be read")
    };
    let output = kapigen::generate(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    let modules: Vec<&str> = output.api.modules.keys().map(String::as_str).collect();
    assert_eq!(modules, ["coordination_v1", "core_v1", "images", "policy_v1"]);
    let text = |path: &str| {
        output.tree.iter().find(|(known, _)| *known == path).map(|(_, text)| text).expect("a file")
    };
    assert!(text("src/core_v1/types/container.rs").contains("pub has_terminal: "));
    assert!(text("src/core_v1/types/core_event.rs").contains("pub struct CoreEvent "));
    assert_eq!(
        output.fixups.iter().map(|fixup| fixup.places).filter(|places| *places > 0).count(),
        3
    );
}

#[test]
fn untested_blocks_are_found() {
    let block = |document, language: &str, text: &str| Block {
        document,
        language: language.to_owned(),
        text: text.to_owned(),
    };
    for (document, language, text) in [
        ("ARCHITECTURE.md", "rust", "let x = 1;\n"),
        ("README.md", "rs", "fn main() {}\n"),
        ("CONTRIBUTING.md", "text", "output\n"),
        ("README.md", "rust,ignore", "let x = 1;\n"),
        ("README.md", "", "what language?\n"),
        ("CONTRIBUTING.md", "sh", "rm -r target\n"),
        ("README.md", "toml", "ureq = \"1.0\"\n"),
    ] {
        assert!(
            failure(&block(document, language, text)).is_some(),
            "{document} {language} {text}"
        );
    }
    let dependency =
        block("README.md", "toml", "[dependencies]\nopenshift-api = { path = \"there\" }\n");
    assert_eq!(failure(&dependency), None);
}

/// The binaries of tests in folders, with their modules.
fn modules() -> BTreeSet<String> {
    let folders = ["tests/tests", "templates/fake/tests", "templates/runtime/tests"];
    let names = folders.iter().flat_map(|folder| {
        let folder = places::root().join(folder);
        let files = places::files(&folder, &["rs"]).into_iter();
        files.map(move |path| places::relative(&path, &folder))
    });
    let names =
        names.map(|path| path.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::"));
    names.map(|name| name.trim_end_matches("::main").to_owned()).collect()
}

#[test]
fn named_tests_exist() {
    let modules = modules();
    let mut count = 0;
    for document in documents() {
        let text = text(document);
        let spans = text
            .split('`')
            .filter_map(|span| span.split_once("::").map(|(binary, _)| (binary, span)));
        let spans =
            spans.filter(|(binary, _)| modules.contains(*binary)).map(|(_, span)| span.to_owned());
        // Other workspaces have binaries of their own.
        let commands = text.split(" --test ").skip(1);
        let commands = commands.filter(|rest| !rest.starts_with("sockets")).flat_map(|rest| {
            let mut words = rest
                .lines()
                .next()
                .unwrap_or_default()
                .split('`')
                .next()
                .unwrap_or_default()
                .split(' ');
            let binary = words.next().unwrap_or_default().to_owned();
            let filters = words
                .filter(|word| !word.starts_with('-'))
                .map(|filter| format!("{binary}::{filter}"));
            filters.chain([binary.clone()]).collect::<Vec<_>>()
        });
        for name in spans.chain(commands) {
            assert!(
                modules.contains(&name),
                "{document} names the test {name}, which is not there"
            );
            count += 1;
        }
    }
    assert!(count > 20, "only {count} names were found");
}
