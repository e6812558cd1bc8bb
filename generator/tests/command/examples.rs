//! Examples of changes, for `diff`: files with the inputs before and now, and the reports.
//!
//! A section is an input or a report. Lines of an input begin with `-` if they were there before,
//! with `+` if they are there now, and with a space if both. An input without lines is no file.

use kapigen::tree;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};
use test_data::sections::Sections;

pub(crate) struct Example {
    pub(crate) name: String,
    path: PathBuf,
    sections: Sections,
}

/// The examples of a folder in `tests`, sorted by their names.
pub(crate) fn all(folder: &str) -> Vec<Example> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = fs::read_dir(folder).unwrap();
    let mut examples: Vec<Example> =
        entries.map(|entry| Example::read(entry.unwrap().path())).collect();
    examples.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(!examples.is_empty());
    examples
}

/// The example of this name in a folder in `tests`.
pub(crate) fn one(folder: &str, name: &str) -> Example {
    all(folder).into_iter().find(|example| example.name == name).unwrap()
}

/// Asserts that each example has these reports. With `BLESS=1` it gets them.
pub(crate) fn assert_reports<'a>(
    found: impl IntoIterator<Item = (&'a Example, Vec<(&'static str, String)>)>,
) {
    let mut differences = String::new();
    for (example, reports) in found {
        if env::var_os("BLESS").is_some_and(|value| value == "1") {
            tree::replace(&example.path, &example.text_with(&reports)).unwrap();
            continue;
        }
        let differ = |(name, report): &&(&str, String)| example.sections.get(name) != report;
        for (name, report) in reports.iter().filter(differ) {
            let (path, expected) = (example.path.display(), example.sections.get(name));
            _ = write!(differences, "{path}: {name}: expected\n{expected}\nfound\n{report}\n");
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

impl Example {
    fn read(path: PathBuf) -> Self {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let sections = Sections::read(&path).unwrap();
        Self { name, path, sections }
    }

    /// The names and texts of the inputs `before`, or now.
    pub(crate) fn inputs(&self, before: bool) -> Vec<(&str, String)> {
        let other = if before { '+' } else { '-' };
        let is_input =
            |(name, _): &(&str, &str)| Path::new(name).extension() == Some("yaml".as_ref());
        let inputs = self.sections.iter().filter(is_input).map(|(name, lines)| {
            let lines = lines.split_inclusive('\n').filter(|line| !line.starts_with(other));
            // An empty line stands without its space.
            let text = lines.map(|line| line.get(1..).filter(|rest| !rest.is_empty()));
            (name, text.map(|line| line.unwrap_or("\n")).collect::<String>())
        });
        inputs.filter(|(_, text)| !text.is_empty()).collect()
    }

    /// The text of its file with these reports in place of others.
    fn text_with(&self, reports: &[(&str, String)]) -> String {
        let mut sections = self.sections.clone();
        for (name, report) in reports {
            sections.set(name, report);
        }
        sections.to_string()
    }
}
