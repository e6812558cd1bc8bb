//! Hostile inputs: nothing panics, and the result is the same however often it is read.

use kapigen_yaml::{Format, Reader, Rules, write};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeSet;

/// Documents that random changes begin with.
const SEEDS: [&str; 6] = [
    "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {a: \"b\"}}\nspec:\n  \
         containers:\n  - name: x\n    args: ['-v', |\n      text\n      more\n    , >-\n      \
         folded]\n",
    "a: &x {b: [1, 2.5, ~, yes]}\nc: *x\n<<: *x\nd: !!str 1\n? long\n: value\n---\n%YAML \
         1.1\n---\n- \"\\u00e4\\n\"\n...\n",
    "{\"a\": [1, -2.5e3, true, null, \"\\u00e4\\\\\"], \"b\": {\"c\": {}}}\n{\"a\": 1, \"a\": \
         2}",
    "- - - a\n  - b: |+\n      x\n\n    c: >\n      y\n- {a: [b, {c: d}], \"e\": 'f''g'}\n",
    "%TAG !e! tag:yaml.org,2002:\n---\n!e!str a: !!binary aGVsbG8=\n# comment\nb: !local c\n",
    "\u{feff}\t\"a\"\r\n: \u{2028}b\u{85}",
];

/// Strings with a meaning in YAML or JSON.
#[rustfmt::skip]
const PIECES: [&[u8]; 24] = [
    b"[", b"]", b"{", b"}", b":", b": ", b"- ", b"? ", b"\n", b"\n  ", b"\t", b"\"", b"'", b"|\n", b">", b"&x ", b"*x",
    b"!!int ", b"%TAG ! a\n", b"---\n", b"...\n", b"<<: ", b"#", b"\xff",
];

/// A change of a document at a position.
#[derive(Clone, Debug)]
enum Edit {
    Remove(usize),
    Truncate,
    Repeat(usize),
    Insert(&'static [u8]),
}

impl Edit {
    fn any() -> impl Strategy<Value = Self> {
        prop_oneof![
            (0_usize..5).prop_map(Self::Remove),
            Just(Self::Truncate),
            (0_usize..30).prop_map(Self::Repeat),
            select(&PIECES[..]).prop_map(Self::Insert),
        ]
    }

    fn apply(&self, bytes: &mut Vec<u8>, at: Index) {
        let at = at.index(bytes.len() + 1);
        let length = bytes.len();
        let end = |count: usize| length.min(at + count);
        match *self {
            Self::Remove(count) => drop(bytes.drain(at..end(count))),
            Self::Truncate => bytes.truncate(at.max(1)),
            Self::Repeat(count) => drop(bytes.splice(at..at, bytes[at..end(count)].to_vec())),
            Self::Insert(piece) => drop(bytes.splice(at..at, piece.to_vec())),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn changed_documents_never_panic(
        seed in select(&SEEDS[..]),
        edits in vec((Edit::any(), any::<Index>()), 1..8),
    ) {
        let mut bytes = seed.as_bytes().to_vec();
        for (edit, at) in &edits {
            edit.apply(&mut bytes, *at);
        }
        check(&bytes);
    }
}

fn check(bytes: &[u8]) {
    for rules in [Rules::Kubernetes, Rules::Core] {
        for format in [Format::Json, Format::Yaml] {
            let reader = Reader::new().rules(rules).format(format);
            for (index, document) in reader.documents(bytes).enumerate() {
                let Ok(document) = document else { continue };
                assert_eq!(document.number, index + 1);
                // JSON keeps `1.0`, and so does the core schema.
                let rules = if format == Format::Json { Rules::Core } else { rules };
                let again = Reader::new()
                    .format(Format::Yaml)
                    .rules(rules)
                    .document(write(&document.value).as_bytes());
                assert_eq!(
                    again.map(|again| again.value).ok(),
                    Some(document.value),
                    "{}",
                    String::from_utf8_lossy(bytes)
                );
            }
            let all: Result<Vec<_>, _> = reader.documents(bytes).collect();
            match (reader.document(bytes), all) {
                (Ok(document), Ok(all)) => assert_eq!([document], *all),
                (Ok(document), Err(error)) => panic!("{error}, yet {document:?}"),
                (Err(_), all) => assert!(!matches!(all.as_deref(), Ok([_]))),
            }
            let _ = reader.positions(
                bytes,
                1,
                &BTreeSet::from(["", "/a", "/spec/containers/0/args", "/b/c"]),
            );
        }
    }
}

/// The number of documents, which a variable of the environment can raise.
fn cases() -> u32 {
    std::env::var("YAML_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(5_000)
}
