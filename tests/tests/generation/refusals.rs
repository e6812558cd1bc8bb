//! Errors of input are complete: the problem, its location, the items that need it, and a remedy.
//!
//! `tests/refusals/<name>/error.txt` is all that a run prints.
//! `BLESS=1 cargo test -p kapigen-tests --test generation refusals` writes it anew.
//! `generator/tests/command/refused.rs` shows with the command itself that a refused run leaves
//! everything on disk as it is.

use kapigen::tree;
use kapigen_tests::cases;
use std::fs;

#[test]
fn refusals_print_the_expected_errors() {
    let mut problems = Vec::new();
    for case in cases::all("refusals") {
        let Err(errors) = kapigen::generate(&case.with_meta()) else {
            problems.push(format!("{}: is not refused", case.name));
            continue;
        };
        let found = format!("{errors}\n");
        let expected = case.folder.join("error.txt");
        if cases::blessing() {
            tree::replace(&expected, &found).expect("a file can be written");
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        problems.extend(cases::diff(&format!("{}/error.txt", case.name), &expected, &found));
    }
    let help = "if this is right: BLESS=1 cargo test -p kapigen-tests --test generation refusals";
    assert!(problems.is_empty(), "{}\n{help}", problems.join("\n"));
}
