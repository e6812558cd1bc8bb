//! The walls of the generator: libraries that only some files may use.

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
        within: &[
            "openapi/document/",
            "openapi/resolve/",
            "lower/operations.rs",
            "lower/parameters.rs",
            "lower/payloads.rs",
            "lower/types.rs",
        ],
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
            "input/definitions/",
            "input/dropped.rs",
            "input/parse.rs",
            "pointer.rs",
        ],
        reason: "documents and manifests are read in one place each, and manifests written in \
                 one; JSON pointers",
    },
    Wall {
        words: &["schema_keywords"],
        within: &["diff/definitions/schema.rs", "hold/", "lower/", "model/mod.rs", "openapi/"],
        reason: "what is emitted depends on types and merge rules, not on keywords",
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
        within: &[
            "cli/pull/release.rs",
            "input/crates.rs",
            "input/existing.rs",
            "input/file.rs",
            "input/folder.rs",
            "tree/",
        ],
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

/// The runtime and the crates over it write such names, too: they do not depend on the table.
#[test]
fn names_of_extensions_are_written_in_one_place() {
    const HOME: &str = "templates/definitions/src/schema_keywords.rs";
    let folders = ["generator/src", "templates/definitions/src", "templates/fake/src"];
    let mut written = Vec::new();
    for folder in folders.map(|folder| places::root().join(folder)) {
        for path in places::files(&folder, &["rs"]) {
            let text = places::text(&path);
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            let mut names = Vec::new();
            extensions(code.parse().expect("Rust"), &mut names);
            let file = places::relative(&path, places::root());
            let is_test = file.ends_with("/tests.rs");
            written.extend(names.into_iter().filter(|_| !is_test).map(|name| (file.clone(), name)));
        }
    }
    let names: BTreeSet<_> = written.iter().map(|(_, name)| name).collect();
    assert_eq!(names.len(), written.len(), "{written:?}");
    assert!(written.iter().all(|(file, _)| file == HOME), "{written:?}");
}

/// Collects the literals that are the name of an extension of Kubernetes, or a pointer with one.
fn extensions(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => extensions(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let is_prefix = text.ends_with("-\"");
                if text.contains("x-kubernetes-") && !text.contains(' ') && !is_prefix {
                    found.push(text);
                }
            }
            _ => {}
        }
    }
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
