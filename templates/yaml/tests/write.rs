//! Writing trees: the output reads as the same tree.

use kapigen_yaml::{Reader, Rules, write};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

#[test]
fn objects_are_written_as_kubectl_prints_them() {
    let pod = json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "labels": {}, "annotations": {"note": "two\nlines\n", "on": "yes", "date": "2001-12-14"}},
        "spec": {
            "containers": [
                {"name": "main", "args": ["-v", "--x=a: b", "0x10", "", "#", "1:30"], "ports": [{"containerPort": 80}]},
                [[1, "two"], [], null],
            ],
            "replicas": 3,
        },
    });
    let expected = r#"apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {}
  annotations:
    note: |
      two
      lines
    "on": "yes"
    date: "2001-12-14"
spec:
  containers:
  - name: main
    args:
    - -v
    - '--x=a: b'
    - "0x10"
    - ""
    - '#'
    - "1:30"
    ports:
    - containerPort: 80
  - - - 1
      - two
    - []
    - null
  replicas: 3
"#;
    assert_eq!(write(&pod), expected);
    check(&pod);
}

/// Strings that are made of these pieces.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    " ", "a", "-", "?", ":", ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`", "=", "~", "\n", "\r", "\t",
    "\\", "---", "...", "<<", "y", "no", "1", "0", "_", ".", "e", "null", "true", ".inf", "\u{85}", "\u{a0}", "\u{2028}", "\u{feff}", "\u{7f}", "\u{0}", "\u{1b}", "\u{fffe}", "ä", "😀", "2001-12-14", "://",
];

#[test]
fn every_string_is_read_as_it_was() {
    let pieces: Vec<&str> = PIECES.iter().copied().chain([""]).collect();
    for first in &pieces {
        for second in &pieces {
            for third in ["", "\n", ":"] {
                let text = format!("{first}{second}{third}");
                check(
                    &json!({ text.clone(): [text, {"k": text, text.clone(): {text.clone(): text}}] }),
                );
                check(&json!(text));
            }
        }
    }
}

#[test]
fn long_keys_are_read_as_they_were() {
    for length in [900, 1000, 1024, 3000] {
        let key = "k".repeat(length);
        for value in
            [json!(1), json!({}), json!({"a": {"b": 1}}), json!(["a", {"b": "c"}]), json!("a\nb")]
        {
            check(&json!({key.clone(): value, "other": [{key.clone(): value}]}));
            check(&json!({format!("{key}:"): value, "other": 1}));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_tree_is_read_as_it_was(tree in tree()) {
        check(&tree);
    }
}

fn check(tree: &Value) {
    let text = write(tree);
    for rules in [Rules::Kubernetes, Rules::Core] {
        let read =
            Reader::new().rules(rules).format(kapigen_yaml::Format::Yaml).document(text.as_bytes());
        let read = read.unwrap_or_else(|error| panic!("{error}\n{text}\n{tree}"));
        assert_eq!(read.value, *tree, "{text}");
        assert_eq!(read.repeated, [], "{text}");
    }
}

/// Any tree with strings of characters that have a meaning in YAML.
fn tree() -> impl Strategy<Value = Value> {
    const CHARACTERS: [char; 24] = [
        'a', 'b', ' ', ' ', '\n', '\n', ':', '-', '#', '\'', '"', '\\', '1', '.', '\t', '[', '}',
        ',', 'y', '&', '*', '|', 'ü', '\u{2029}',
    ];
    let string = || vec(select(&CHARACTERS[..]), 0..12).prop_map(String::from_iter);
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => (0..1000).prop_map(Value::from),
        1 => Just(json!(-1.5e-9)),
        2 => string().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((string(), inner), 0..4).prop_map(Value::from_iter),
        ]
    })
}
