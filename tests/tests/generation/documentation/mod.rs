//! No string of a document becomes markup. rustdoc runs code blocks as tests and passes HTML on to
//! its readers, so what is generated of hostile documents is parsed as rustdoc does it. It must be
//! paragraphs, lists and code spans, with the words of the documents.
//!
//! `DOCUMENTATION_CASES=100000` sets the number of strings.

mod comments;
mod compiled;
mod documents;
mod expected;
mod rendered;
mod strings;

use comments::comments;
use documents::{Expected, generate, operations, schemas};
use expected::{Piece, mismatch};
use kapigen::Output;
use kapigen_tests::places::{self, log};
use rendered::render;
use std::collections::BTreeMap;
use strings::strings;

/// The number of strings in each position.
fn cases() -> usize {
    std::env::var("DOCUMENTATION_CASES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(if places::takes_everything() { 2_000 } else { 500 })
}

/// The comments that were compared, and the problems.
#[derive(Default)]
struct Findings {
    /// The number of comments with the expected words, by position.
    compared: BTreeMap<&'static str, usize>,
    problems: Vec<String>,
}

impl Findings {
    /// Compares all documentation of a crate.
    fn look_at(&mut self, output: &Output, mut expected: Expected) {
        for (path, text) in
            output.tree.iter().filter(|(path, _)| *path != kapigen::input::index::PATH)
        {
            for comment in comments(path, text) {
                let pieces = expected.remove(&comment.item);
                self.compare(&comment.item, &comment.markdown, pieces.as_ref());
            }
        }
        self.problems.extend(expected.into_keys().map(|item| format!("missing: {item}")));
    }

    /// Compares a piece of documentation with the expected words, if there are any.
    fn compare(&mut self, item: &str, markdown: &str, pieces: Option<&(&'static str, Vec<Piece>)>) {
        let rendered = match render(markdown) {
            Ok(rendered) => rendered,
            Err(problem) => return self.problems.push(format!("{problem}: {item}: {markdown:?}")),
        };
        let Some((position, pieces)) = pieces else { return };
        match mismatch(&rendered, pieces) {
            None => *self.compared.entry(position).or_default() += 1,
            Some(rest) => self
                .problems
                .push(format!("other words: {item}: {rest:?} of {pieces:?} in {markdown:?}")),
        }
    }

    /// Fails with one problem of each kind.
    fn assert_none(&self) {
        let mut kinds: BTreeMap<_, Vec<&String>> = BTreeMap::new();
        for problem in &self.problems {
            kinds.entry(problem.split(':').next()).or_default().push(problem);
        }
        let kinds =
            kinds.values().map(|problems| format!("{} times {}", problems.len(), problems[0]));
        let kinds = kinds.collect::<Vec<_>>().join("\n");
        assert!(self.problems.is_empty(), "{} problems\n{kinds}", self.problems.len());
    }
}

#[test]
fn strings_of_schemas_are_no_markup() {
    let mut findings = Findings::default();
    for strings in strings(cases()).chunks(500) {
        let (document, expected) = schemas(strings);
        findings.look_at(&generate(&[document]), expected);
    }
    log(&format!("strings of schemas: {:?}", findings.compared));
    findings.assert_none();
    assert!(findings.compared.values().all(|count| *count >= cases()), "{:?}", findings.compared);
}

#[test]
fn strings_of_operations_are_no_markup() {
    let mut findings = Findings::default();
    for strings in strings(cases()).chunks(500) {
        let (document, expected) = operations(strings);
        let mut output = generate(&[document]);
        findings.look_at(&output, expected);
        output.add_package(&places::package("hostile")).expect("the name is one of a crate");
        let (_, readme) =
            output.tree.iter().find(|(path, _)| *path == "README.md").expect("there is a README");
        findings.compare("README.md", readme, None);
    }
    log(&format!("strings of operations: {:?}", findings.compared));
    findings.assert_none();
    assert!(findings.compared.values().all(|count| *count >= cases()), "{:?}", findings.compared);
}
