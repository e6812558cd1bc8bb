//! Errors of input are complete: the problem, its location, the items that need it, and a remedy.
//!
//! A file of `tests/refusals/` has the input in sections, and in the last one all that a run prints.
//! `BLESS=1 cargo test -p kapigen-tests --test generation refusals` writes that anew.
//! `generator/tests/command/refused.rs` shows with the command itself that a refused run leaves
//! everything on disk as it is.

use kapigen::tree;
use kapigen_tests::{cases, places};
use std::path::Path;
use test_data::sections::Sections;

/// The section with what a run prints.
const ERROR: &str = "error";

#[test]
fn refusals_print_the_expected_errors() {
    let mut problems = Vec::new();
    for file in places::files(&places::root().join("tests/refusals"), &["txt"]) {
        let mut refusal = Sections::read(&file).expect("a file can be read");
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refusals").join(&*name);
        refusal.unpack(&folder, ERROR).expect("files can be written");
        let Err(errors) = kapigen::generate(&cases::read(folder).with_meta()) else {
            problems.push(format!("{name}: is not refused"));
            continue;
        };
        let found = format!("{errors}\n");
        if cases::blessing() {
            refusal.set(ERROR, &found);
            tree::replace(&file, &refusal.to_string()).expect("a file can be written");
        }
        problems.extend(cases::diff(&name, refusal.get(ERROR), &found));
    }
    let help = "if this is right: BLESS=1 cargo test -p kapigen-tests --test generation refusals";
    assert!(problems.is_empty(), "{}\n{help}", problems.join("\n"));
}
