//! The walls of the generator: libraries that only some files may use, and the form of functions.

use kapigen_tests::places;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// Words that only some files of `generator/src` may use.
struct Wall {
    words: &'static [&'static str],
    /// Files, and folders that end in `/`.
    within: &'static [&'static str],
    reason: &'static str,
}

const WALLS: &[Wall] = &[
    Wall {
        words: &["openapiv3"],
        within: &["openapi/document/", "openapi/resolve/", "lower/operations.rs", "lower/types.rs"],
        reason: "schemas and the model are independent of it",
    },
    Wall {
        words: &["serde_yaml"],
        within: &["input/parse.rs"],
        reason: "one place reads YAML into types, so that it can be replaced",
    },
    Wall {
        words: &["kapigen_yaml"],
        within: &[
            "cli/pull/definitions.rs",
            "input/definitions.rs",
            "input/dropped.rs",
            "input/parse.rs",
            "pointer.rs",
        ],
        reason: "documents and manifests are read in one place each, and manifests written in \
                 one; JSON pointers",
    },
    Wall {
        words: &["fs4"],
        within: &["tree/"],
        reason: "one place writes, and locks what it writes to",
    },
    Wall { words: &["quote", "format_ident"], within: &["emit/"], reason: "one place writes Rust" },
    Wall {
        words: &["prettyplease", "syn"],
        within: &["emit/format.rs"],
        reason: "one place decides how Rust looks",
    },
    Wall { words: &["heck", "strsim"], within: &["names/"], reason: "one place decides on names" },
    Wall {
        words: &["fs", "is_file", "is_dir", "canonicalize", "read_dir", "symlink_metadata"],
        within: &["input/crates.rs", "input/file.rs", "input/folder.rs", "tree/"],
        reason: "generating is from strings to strings; only the ends touch the disk",
    },
    Wall {
        words: &[
            "clap",
            "anstream",
            "println",
            "eprintln",
            "args",
            "exit",
            "var_os",
            "current_dir",
        ],
        within: &["build.rs", "cli/"],
        reason: "a library reads no arguments and prints nothing; only `Build` prints, for cargo",
    },
    Wall { words: &["similar"], within: &["cli/report.rs"], reason: "one place shows differences" },
    Wall {
        words: &["anstyle"],
        within: &["cli/errors.rs", "cli/report.rs"],
        reason: "two places decide on colors",
    },
    Wall {
        words: &["thread"],
        within: &["parallel.rs", "cli/progress.rs"],
        reason: "one place distributes work",
    },
    Wall {
        words: &["Instant", "SystemTime"],
        within: &["cli/timings.rs"],
        reason: "the output does not depend on the time",
    },
    Wall {
        words: &["net", "HashMap", "HashSet"],
        within: &[],
        reason: "the same input gives the same output, everywhere",
    },
];

#[test]
fn libraries_are_used_within_their_walls_only() {
    let files = generator();
    let mut over = Vec::new();
    for wall in WALLS {
        for (file, words) in
            files.iter().filter(|(file, _)| !wall.within.iter().any(|place| is_in(file, place)))
        {
            let used = wall.words.iter().filter(|word| words.contains(**word));
            over.extend(
                used.map(|word| format!("generator/src/{file} uses `{word}`: {}", wall.reason)),
            );
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}

#[test]
fn every_wall_is_needed() {
    let files = generator();
    let uses = |place: &str, wall: &Wall| {
        let mut inside = files.iter().filter(|(file, _)| is_in(file, place));
        inside.any(|(_, words)| wall.words.iter().any(|word| words.contains(*word)))
    };
    for wall in WALLS {
        let idle: Vec<_> = wall.within.iter().filter(|place| !uses(place, wall)).collect();
        assert!(
            idle.is_empty(),
            "{idle:?} use none of {:?} any more: take them out of the wall",
            wall.words
        );
    }
}

/// The longest function, in lines: one that fits a screen.
const FUNCTION: usize = 60;
/// Files that no one reads for their form.
const MADE_BY_MACHINE: [&str; 3] =
    ["templates/runtime/src/params.rs", "tests/src/calls.rs", "tests/src/registry.rs"];

#[test]
fn functions_fit_a_screen() {
    let mut long = BTreeMap::new();
    for (name, text) in written_by_hand() {
        measure(&name, &text, &mut long);
    }
    let failures: Vec<_> =
        long.iter().map(|(name, lines)| format!("{name} has {lines} lines: split it")).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn variables_have_lines_of_their_own() {
    // Whether the parenthesis before these values is still open after them.
    let is_inside = |values: &str| {
        let mut depth = 0;
        values.chars().all(|character| {
            depth += i32::from(character == '(') - i32::from(character == ')');
            depth >= 0
        })
    };
    let is_packed = |line: &str| {
        let packed =
            line.trim_start().strip_prefix("let (").and_then(|rest| rest.split_once(") = ("));
        packed.is_some_and(|(names, values)| {
            !names.contains('(') && values.strip_suffix(");").is_some_and(is_inside)
        })
    };
    assert!(
        is_packed("    let (mut a, b) = (1, f(2));")
            && !is_packed("    let (a, b) = (f(1)).parts();")
    );
    let mut failures = Vec::new();
    for (name, text) in written_by_hand() {
        let packed = text.lines().zip(1..).filter(|(line, _)| is_packed(line));
        failures.extend(packed.map(|(line, number)| format!("{name}:{number}: {}", line.trim())));
    }
    assert!(failures.is_empty(), "write a `let` for each variable:\n{}", failures.join("\n"));
}

/// The files of Rust that people write: their names and texts.
fn written_by_hand() -> Vec<(String, String)> {
    let tests = [
        "tests/src",
        "tests/tests",
        "tests/examples",
        "tests/bench/src",
        "tests/bench-fake/measure/src",
    ];
    let folders = ["generator", "templates", "xtask"].into_iter().chain(tests);
    let paths = folders.flat_map(|folder| places::files(&places::root().join(folder), &["rs"]));
    let files = paths.map(|path| (places::relative(&path, places::root()), places::text(&path)));
    files.filter(|(name, _)| !MADE_BY_MACHINE.contains(&name.as_str())).collect()
}

#[test]
fn lengths_are_measured() {
    let body = "    x();\n".repeat(FUNCTION);
    let text = format!(
        "impl A {{\n    fn short() {{\n    }}\n\n    pub(crate) async fn long(\n        a: \
             u8,\n    ) {{\n{body}    }}\n}}\n"
    );
    let mut long = BTreeMap::new();
    measure("a.rs", &text, &mut long);
    assert_eq!(long, BTreeMap::from([("a.rs::long".to_owned(), FUNCTION + 4)]));
}

/// Adds the long functions of a file. Relies on rustfmt: a function ends at the first brace that is
/// below its start.
fn measure(name: &str, text: &str, long: &mut BTreeMap<String, usize>) {
    let lines: Vec<&str> = text.lines().collect();
    for (start, line) in lines.iter().enumerate() {
        let Some(function) = function(line) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = lines[start..].iter().position(|line| line.strip_prefix(indent) == Some("}"));
        let length = end.map_or(1, |end| end + 1);
        if length > FUNCTION && !line.ends_with('}') && !line.ends_with(';') {
            long.insert(format!("{name}::{function}"), length);
        }
    }
}

/// The name of the function that starts in a line.
fn function(line: &str) -> Option<&str> {
    let (before, after) = line.trim_start().split_once("fn ")?;
    let plain = before.split(' ').all(|word| {
        matches!(word, "" | "const" | "async" | "unsafe" | "pub") || word.starts_with("pub(")
    });
    after.split(['(', '<']).next().filter(|_| plain)
}

fn is_in(file: &str, place: &str) -> bool {
    if place.ends_with('/') { file.starts_with(place) } else { file == place }
}

/// The words of every file of the generator, without comments and string literals.
fn generator() -> BTreeMap<String, BTreeSet<String>> {
    let folder = places::root().join("generator/src");
    let files = places::files(&folder, &["rs"]).into_iter().map(|path| {
        let name = places::relative(&path, &folder);
        let tokens = places::text(&path).parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut words = BTreeSet::new();
        collect(tokens, &mut words);
        (name, words)
    });
    files.collect()
}

fn collect(tokens: TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => drop(words.insert(word.to_string())),
            TokenTree::Group(group) => collect(group.stream(), words),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
