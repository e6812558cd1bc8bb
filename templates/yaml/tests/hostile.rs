//! Hostile inputs: nothing panics, and the result is the same however often it is read.

use kapigen_yaml::{Format, Reader, Rules, write};
use std::collections::BTreeSet;

/// Documents that random changes begin with.
const SEEDS: [&str; 6] = [
    "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {a: \"b\"}}\nspec:\n  containers:\n  - name: x\n    args: ['-v', |\n      text\n      more\n    , >-\n      folded]\n",
    "a: &x {b: [1, 2.5, ~, yes]}\nc: *x\n<<: *x\nd: !!str 1\n? long\n: value\n---\n%YAML 1.1\n---\n- \"\\u00e4\\n\"\n...\n",
    "{\"a\": [1, -2.5e3, true, null, \"\\u00e4\\\\\"], \"b\": {\"c\": {}}}\n{\"a\": 1, \"a\": 2}",
    "- - - a\n  - b: |+\n      x\n\n    c: >\n      y\n- {a: [b, {c: d}], \"e\": 'f''g'}\n",
    "%TAG !e! tag:yaml.org,2002:\n---\n!e!str a: !!binary aGVsbG8=\n# comment\nb: !local c\n",
    "\u{feff}\t\"a\"\r\n: \u{2028}b\u{85}",
];

#[test]
fn changed_documents_never_panic() {
    let mut random = 42_u64;
    let mut below = |end: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random >> 33).unwrap_or_default() % end.max(1)
    };
    let pieces: [&[u8]; 24] = [
        b"[",
        b"]",
        b"{",
        b"}",
        b":",
        b": ",
        b"- ",
        b"? ",
        b"\n",
        b"\n  ",
        b"\t",
        b"\"",
        b"'",
        b"|\n",
        b">",
        b"&x ",
        b"*x",
        b"!!int ",
        b"%TAG ! a\n",
        b"---\n",
        b"...\n",
        b"<<: ",
        b"#",
        b"\xff",
    ];
    for _ in 0..cases() {
        let mut bytes = SEEDS[below(SEEDS.len())].as_bytes().to_vec();
        for _ in 0..=below(6) {
            let at = below(bytes.len());
            match below(4) {
                0 => drop(bytes.drain(at..bytes.len().min(at + below(5)))),
                1 => bytes.truncate(at.max(1)),
                2 => drop(bytes.splice(at..at, bytes[at..bytes.len().min(at + below(30))].to_vec())),
                _ => drop(bytes.splice(at..at, pieces[below(pieces.len())].to_vec())),
            }
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
                let again = Reader::new().format(Format::Yaml).rules(rules).document(write(&document.value).as_bytes());
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
            let _ = reader.positions(bytes, 1, &BTreeSet::from(["", "/a", "/spec/containers/0/args", "/b/c"]));
        }
    }
}

/// The number of documents, which a variable of the environment can raise.
fn cases() -> usize {
    std::env::var("YAML_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(5_000)
}
