//! Documents for people are well-formed, and say nothing twice.

use super::readme::{documents, text};
use std::collections::BTreeMap;

/// The lines of a document outside of code blocks, with their numbers.
fn prose(document: &str) -> Vec<(usize, String)> {
    let mut is_code = false;
    let is_prose = |(_, line): &(usize, String)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    };
    let lines = text(document).lines().map(str::to_owned).collect::<Vec<_>>();
    (1..).zip(lines).filter(is_prose).collect()
}

/// The number of cells of a row. A bar in code or after a backslash separates none.
fn cells(row: &str) -> usize {
    let outside: String = row.replace("\\|", "").split('`').step_by(2).collect();
    outside.trim().trim_matches('|').split('|').count()
}

#[test]
fn rows_have_as_many_cells_as_their_head() {
    assert_eq!([cells("| a | `b|c` |"), cells("|a|b\\|c|d|")], [2, 3]);
    let mut wrong = Vec::new();
    for document in documents() {
        let mut head = None;
        for (number, line) in prose(document) {
            if !line.starts_with('|') {
                head = None;
            } else if cells(&line) != *head.get_or_insert(cells(&line)) {
                wrong.push(format!("{document}:{number}: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The paragraphs and items of lists of a document, each in one line.
fn paragraphs(document: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut last = 0;
    for (number, line) in prose(document) {
        let line = line.trim();
        let is_other = line.starts_with(['|', '#']);
        if line.is_empty() || is_other || line.starts_with("- ") || number != last + 1 {
            paragraphs.push(String::new());
        }
        last = number;
        if let Some(paragraph) = paragraphs.last_mut().filter(|_| !is_other) {
            paragraph.push_str(line);
            paragraph.push(' ');
        }
    }
    paragraphs
}

#[test]
fn no_paragraph_stands_twice() {
    let mut first = BTreeMap::new();
    let mut again = Vec::new();
    for document in documents() {
        for paragraph in paragraphs(document) {
            if paragraph.split_whitespace().count() < 8 {
                continue;
            }
            if let Some(other) = first.insert(paragraph.clone(), document) {
                again.push(format!("{other} and {document}: {paragraph}"));
            }
        }
    }
    assert!(first.len() > 300, "only {} paragraphs", first.len());
    assert!(again.is_empty(), "{}", again.join("\n"));
}
