//! Reading documents.

use kapigen_yaml::{Document, ErrorKind, Format, Reader, Rules, Step};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn read(text: &str) -> Value {
    Reader::new().document(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}")).value
}

fn error(text: &str) -> String {
    Reader::new().document(text.as_bytes()).expect_err(text).to_string()
}

fn documents(text: &str) -> Vec<Document> {
    Reader::new().documents(text.as_bytes()).collect::<Result<_, _>>().expect(text)
}

#[test]
fn reads_several_documents() {
    let found = documents("# a comment\n---\na: 1\n--- # another\n---\n{b: 2}\n...\n---\n- c\n");
    let values: Vec<_> = found.iter().map(|document| document.value.clone()).collect();
    assert_eq!(values, [json!({"a": 1}), json!(null), json!({"b": 2}), json!(["c"])]);
    let numbers: Vec<_> =
        found.iter().map(|document| (document.number, document.position.line)).collect();
    assert_eq!(numbers, [(1, 3), (2, 4), (3, 6), (4, 9)]);
    for nothing in ["", "# only a comment\n", " \n", "\u{feff}"] {
        assert_eq!(documents(nothing), [], "{nothing:?}");
    }
}

#[test]
fn reads_several_values_of_json() {
    let found = documents("{\"a\": 1}\n{\"b\": 2} {\"c\": [\"\\u00e4\", 1e3, 1.0]}");
    let values: Vec<_> = found.iter().map(|document| document.value.to_string()).collect();
    assert_eq!(values, [r#"{"a":1}"#, r#"{"b":2}"#, r#"{"c":["ä",1000.0,1.0]}"#]);
    assert_eq!(found[2].position.to_string(), "line 2, column 10");
}

#[test]
fn json_has_no_rules_of_yaml() {
    assert_eq!(
        read("{\"y\": \"yes\", \"<<\": 18446744073709551615}"),
        json!({"y": "yes", "<<": u64::MAX})
    );
    assert_eq!(read("{\t\"a\":\t\"\\ud83d\\ude00\"}"), json!({"a": "😀"}));
    let yaml = Reader::new().format(Format::Yaml).document(b"{\"a\":on}").unwrap();
    assert_eq!(yaml.value, json!({"a": true}));
}

#[test]
fn invalid_json_is_refused_with_its_position() {
    let cases = [
        ("{\"a\": 1,}", "invalid JSON: trailing comma at line 1, column 9"),
        ("{\"a\": 1", "invalid JSON: it ends too early at line 1, column 8"),
        ("{\"a\": [1 2]}", "invalid JSON: expected `,` or `]` at line 1, column 10"),
        ("{\"a\" 1}", "invalid JSON: expected `:` at line 1, column 6"),
        ("{\"a\": nul}", "invalid JSON: expected a value at line 1, column 7"),
        ("{\"a\": 01}", "invalid JSON: invalid number at line 1, column 7"),
        ("{\"a\": 1e999}", "invalid JSON: number out of range at line 1, column 7"),
        ("{\"a\": \"\\q\"}", "invalid JSON: invalid escape at line 1, column 7"),
        (
            "{\"a\": \"b\n\"}",
            "invalid JSON: a control character in a string; write it as an escape such as `\\n` \
             at line 1, column 9",
        ),
        ("{\"a\":\n\"b", "invalid JSON: the string has no end at line 2, column 1"),
        ("{\"a\": 1}\n}", "invalid JSON: expected a value in document 2 at line 2, column 1"),
        ("{\"a\": 1, 2}", "invalid JSON: expected a key, a string at line 1, column 10"),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn invalid_yaml_is_refused_with_its_position() {
    let cases = [
        ("a: [1, 2\nb: 3\n", "line 2, column 2"),
        ("a: 'b\n", "line 1, column 4"),
        ("a: 1\n---\nb: }\n", "in document 2 at line 3, column 4"),
        ("a: *b\n", "line 1, column 4"),
    ];
    for (text, expected) in cases {
        let error = error(text);
        assert!(
            error.starts_with("invalid YAML: ") && error.ends_with(expected),
            "{text}: {error}"
        );
    }
}

#[test]
fn unclosed_brackets_are_named_as_by_kubectl() {
    let cases = [
        ("{: bad", "did not find expected node content"),
        ("[a,", "did not find expected node content"),
        ("a: {", "did not find expected node content"),
        ("{a: b", "did not find expected ',' or '}'"),
        ("a: [b", "did not find expected ',' or ']'"),
        ("a: [b\nc: d\n", "did not find expected ',' or ']'"),
    ];
    for (text, expected) in cases {
        assert_eq!(
            Reader::new().document(text.as_bytes()).unwrap_err().message(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn what_json_has_not_is_refused() {
    let cases = [
        (
            "a: .inf",
            "JSON has no infinite numbers; write it in quotes if it is a string at line 1, column \
             4",
        ),
        ("~: 1", "a key is null; write it in quotes at line 1, column 1"),
        ("? [a]\n: 1", "a key is a list or a mapping, and not a string at line 1, column 3"),
        ("a: !!int b", "the value of the tag `!!int` is none of that type at line 1, column 10"),
        (
            "a: !!binary /w==",
            "the value of the tag `!!binary` is none of that type at line 1, column 13",
        ),
        ("a: &a [*a]", "the alias is within the value that it stands for at line 1, column 8"),
        (
            "a: !!binary aGVs bG8=",
            "the value of the tag `!!binary` is none of that type at line 1, column 13",
        ),
        (
            "a: !!timestamp b",
            "the value of the tag `!!timestamp` is none of that type at line 1, column 16",
        ),
        ("<<: 1", "only mappings can be merged by `<<` at line 1, column 5"),
        ("- &a [{b: 1}]\n- <<: *a", "only mappings can be merged by `<<` at line 2, column 7"),
        ("- &a [{b: 1}]\n- <<: [*a]", "only mappings can be merged by `<<` at line 2, column 8"),
        (
            "9223372036854775808: 1",
            "a key is a number of more than 63 bits; write it in quotes at line 1, column 1",
        ),
        (
            "a: \"\\\\ \\ud83d\\ude00\"",
            "the escape of half a character; write the character itself at line 1, column 8",
        ),
        ("", "there is no document"),
        ("a\n---\nb", "there is more than one document in document 2 at line 3, column 1"),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn only_utf_8_is_read() {
    for wide in [&b"\xff\xfea\0:\0"[..], b"\xfe\xff\0a", b"a\0:\0", b"\0a\0:"] {
        let error = Reader::new().document(wide).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Encoding);
        assert_eq!(
            error.message(),
            "this is UTF-16 or UTF-32, or no text at all; write it in UTF-8"
        );
    }
    let error = Reader::new().document(b"a: b\nc: \xff").unwrap_err();
    assert_eq!(error.to_string(), "this is not UTF-8 at line 2, column 4");
    assert_eq!(format!("{error:?}"), error.to_string(), "as `main` prints it");
    assert!(format!("{error:#?}").starts_with("Error {\n    kind: "), "{error:#?}");
    assert_eq!(read("\u{feff}a: 1"), json!({"a": 1}));
    assert_eq!(read("\u{feff}{\"a\": 1}"), json!({"a": 1}));
}

#[test]
fn aliases_and_merged_mappings_are_unfolded() {
    assert_eq!(
        read("a: &x {b: [1]}\nc: *x\nd: [*x, &y z, *y]"),
        json!({"a": {"b": [1]}, "c": {"b": [1]}, "d": [{"b": [1]}, "z", "z"]})
    );
    assert_eq!(read("a: &x 1\nb: &x 2\nc: *x"), json!({"a": 1, "b": 2, "c": 2}));
    assert_eq!(read("&k a: 1\nb: *k\n*k : 2"), json!({"a": 2, "b": "a"}));
    assert_eq!(read("- &x {a: 1, b: 2}\n- {<<: *x, b: 3}")[1], json!({"a": 1, "b": 3}));
    // As in kubectl, the order matters.
    assert_eq!(read("- &x {a: 1, b: 2}\n- {b: 3, <<: *x}")[1], json!({"b": 2, "a": 1}));
    assert_eq!(
        read("- &x {a: 1}\n- &y {a: 2, b: 3}\n- <<: [*x, *y]\n  c: 4")[2],
        json!({"a": 1, "b": 3, "c": 4})
    );
    assert_eq!(read("'<<': {a: 1}"), json!({"<<": {"a": 1}}));
    assert_eq!(
        read("- &m <<\n- {*m : {a: 1}}\n- <<: {a: 1}"),
        json!(["<<", {"<<": {"a": 1}}, {"a": 1}])
    );
    assert_eq!(read("- &l [{a: 1}]\n- <<: {b: *l}"), json!([[{"a": 1}], {"b": [{"a": 1}]}]));
}

#[test]
fn repeated_members_are_reported_once_each() {
    let text = "a: 1\nb:\n- k: 1\n  k:\n    x: 2\n  k: 3\nc: {}\na: 4\n";
    let document = Reader::new().document(text.as_bytes()).unwrap();
    assert_eq!(document.value, json!({"a": 4, "b": [{"k": 3}], "c": {}}));
    let found: Vec<_> = document
        .repeated
        .iter()
        .map(|found| (found.name.as_str(), found.place.start().line, found.place.value.line))
        .collect();
    assert_eq!(found, [("k", 4, 5), ("k", 6, 6), ("a", 8, 8)]);
    assert_eq!(*document.repeated[0].path, [Step::Member("b".to_owned()), Step::Element(0)]);
    assert_eq!(*document.repeated[2].path, []);
    let json = Reader::new().document(b"{\"a\": {\"b\": 1,\n\"b\": 2}}").unwrap();
    assert_eq!(json.repeated[0].place.start().to_string(), "line 2, column 1");
    // A member that was merged is no repetition.
    assert_eq!(Reader::new().document(b"<<: {a: 1}\na: 2").unwrap().repeated, []);
}

#[test]
fn few_repetitions_are_reported_of_many() {
    let text =
        (0..1000).map(|index| format!("k{index}: 1\nk{index}: 2\n")).collect::<Vec<_>>().concat();
    assert_eq!(Reader::new().document(text.as_bytes()).unwrap().repeated.len(), 100);
    // The paths together are not longer than the input.
    let inner = "- {a: 1, a: 2}\n".repeat(50);
    let text = format!("{}:\n{inner}", "k".repeat(900));
    assert_eq!(Reader::new().document(text.as_bytes()).unwrap().repeated.len(), 1);
}

#[test]
fn pointers_have_positions() {
    let text = "a:\n  b~/c: 1\n  list:\n    - x\n    - {y: 2, z: [3]}\nlast: &anchor {k: \
                4}\nalias: *anchor\n<<: [{m: {o: 1}}]\n";
    let cases = [
        ("", (1, 1), (1, 1)),
        ("/a", (1, 1), (2, 3)),
        ("/a/b~0~1c", (2, 3), (2, 9)),
        ("/a/list", (3, 3), (4, 5)),
        ("/a/list/0", (4, 7), (4, 7)),
        ("/a/list/1/z", (5, 14), (5, 17)),
        ("/a/list/1/z/0", (5, 18), (5, 18)),
        ("/last", (6, 1), (6, 15)),
        ("/alias/k", (6, 16), (6, 19)),
        ("/m/o", (8, 11), (8, 14)),
    ];
    let pointers: BTreeSet<&str> =
        cases.iter().map(|(pointer, ..)| *pointer).chain(["/none", "/a/list/2"]).collect();
    let found = Reader::new().positions(text.as_bytes(), 1, &pointers);
    assert_eq!(found.len(), cases.len(), "{found:?}");
    for (pointer, start, value) in cases {
        let place = found[pointer];
        assert_eq!((place.start().line, place.start().column), start, "{pointer}");
        assert_eq!((place.value.line, place.value.column), value, "{pointer}");
    }
    let json = "{\n  \"a\": {\"b\": [true]}\n} {\"a\": 1}";
    let place = Reader::new().positions(json.as_bytes(), 1, &BTreeSet::from(["/a/b/0"]))["/a/b/0"];
    assert_eq!(place.value.to_string(), "line 2, column 15");
    let place = Reader::new().positions(json.as_bytes(), 2, &BTreeSet::from(["/a"]))["/a"];
    assert_eq!(place.start().to_string(), "line 3, column 4");
    let invalid = Reader::new().positions(b"a: 1\nb: [\n", 1, &BTreeSet::from(["/a"]));
    assert_eq!(invalid["/a"].start().to_string(), "line 1, column 1");
}

#[test]
fn bounds_are_kept() {
    let deep = |open: &str, close: &str, depth: usize| {
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
    };
    for (open, close) in [("[", "]"), ("{\"a\": ", "}"), ("{a: ", "}"), ("- ", "")] {
        assert!(Reader::new().document(deep(open, close, 128).as_bytes()).is_ok(), "{open}");
        let error = Reader::new().document(deep(open, close, 129).as_bytes()).unwrap_err();
        assert_eq!(
            (error.kind(), error.message()),
            (ErrorKind::Limit, "the document is nested deeper than 128 levels")
        );
    }
    assert_eq!(
        error(&deep("[", "]", 129)),
        "the document is nested deeper than 128 levels at line 1, column 129"
    );
    // Aliases add to the depth.
    let nested =
        format!("- &a {}\n- {}*a{}\n", deep("[", "]", 100), "[".repeat(100), "]".repeat(100));
    assert!(error(&nested).starts_with("the document is nested deeper than 128 levels"));
    let lines = ('a'..'h').zip('b'..'i').map(|(before, name)| {
        let aliases = vec![format!("*{before}"); 9].join(", ");
        format!("{name}: &{name} [{aliases}]\n")
    });
    let bomb =
        "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned() + &lines.collect::<Vec<_>>().concat();
    let refused = Reader::new().document(bomb.as_bytes()).unwrap_err();
    assert_eq!(
        (refused.kind(), refused.message()),
        (ErrorKind::Limit, "the aliases unfold to more than 1000000 bytes")
    );
    let error = Reader::new().size(10).document(b"a: 12345678").unwrap_err();
    assert_eq!(error.to_string(), "the input has 11 bytes, more than the limit of 10");
    assert!(Reader::new().depth(2).document(b"[[[]]]").is_err());
}

/// A plain scalar and its JSON: as a value by the rules of Kubernetes, as a key by them, and as a
/// value by the core schema. `!` is an error, and `None` the string itself.
type Plain = (&'static str, Option<&'static str>, Option<&'static str>, Option<&'static str>);

const PLAIN: &[Plain] = &[
    ("y", Some("true"), Some("true"), None),
    ("Y", Some("true"), Some("true"), None),
    ("yes", Some("true"), Some("true"), None),
    ("On", Some("true"), Some("true"), None),
    ("TRUE", Some("true"), Some("true"), Some("true")),
    ("n", Some("false"), Some("false"), None),
    ("NO", Some("false"), Some("false"), None),
    ("off", Some("false"), Some("false"), None),
    ("False", Some("false"), Some("false"), Some("false")),
    ("yEs", None, None, None),
    ("~", Some("null"), Some("!"), Some("null")),
    ("Null", Some("null"), Some("!"), Some("null")),
    ("nULL", None, None, None),
    ("=", None, None, None),
    ("1_000", Some("1000"), Some("1000"), None),
    ("017", Some("15"), Some("15"), Some("17")),
    ("08", Some("8"), Some("8"), Some("8")),
    ("0o17", Some("15"), Some("15"), Some("15")),
    ("0x1F", Some("31"), Some("31"), Some("31")),
    ("0x_0A_74_AE", Some("685230"), Some("685230"), None),
    ("-0x1f", Some("-31"), Some("-31"), None),
    ("0b101", Some("5"), Some("5"), None),
    ("-0b101", Some("-5"), Some("-5"), None),
    ("+12", Some("12"), Some("12"), Some("12")),
    ("-12", Some("-12"), Some("-12"), Some("-12")),
    (
        "9223372036854775807",
        Some("9223372036854775807"),
        Some("9223372036854775807"),
        Some("9223372036854775807"),
    ),
    ("0x10000000000000000", None, None, None),
    ("-0x8000000000000001", None, None, None),
    ("0b10000000000000000000000000000000000000000000000000000000000000000", None, None, None),
    ("02000000000000000000000", Some("2e+21"), Some("2e+21"), Some("2e+21")),
    ("18446744073709551615", Some("18446744073709551615"), Some("!"), Some("18446744073709551615")),
    ("1.0", Some("1"), Some("1"), Some("1.0")),
    ("1e3", Some("1000"), Some("1000"), Some("1000.0")),
    ("1.5e-7", Some("1.5e-7"), Some("1.5e-07"), Some("1.5e-7")),
    ("1000000.5", Some("1000000.5"), Some("1.0000005e+06"), Some("1000000.5")),
    (".5", Some("0.5"), Some("0.5"), Some("0.5")),
    ("5.", Some("5"), Some("5"), Some("5.0")),
    ("685_230.15", Some("685230.15"), Some("685230.1"), None),
    ("1e400", None, None, None),
    (".inf", Some("!"), Some(".inf"), Some("!")),
    ("-.INF", Some("!"), Some("-.inf"), Some("!")),
    (".NaN", Some("!"), Some(".nan"), Some("!")),
    ("inf", None, None, None),
    ("190:20:30", None, None, None),
    ("1:30", None, None, None),
    ("2001-12-14", None, None, None),
    ("2001-12-14T21:59:43.10Z", None, None, None),
    ("1.2.3", None, None, None),
    ("0x", None, None, None),
    ("0xyz", None, None, None),
    ("1e", None, None, None),
    ("-", None, None, None),
    ("+", None, None, None),
    ("1-2", None, None, None),
    ("50cent", None, None, None),
    ("\u{663}", None, None, None),
];

#[test]
fn plain_scalars_are_what_servers_and_openapi_take_them_for() {
    for (text, value, key, core) in PLAIN {
        let json = |expected: Option<&str>| {
            expected.map_or_else(|| json!(text).to_string(), str::to_owned)
        };
        let shown = |rules: Rules, yaml: String, pointer: &str| {
            let read = Reader::new().rules(rules).document(yaml.as_bytes());
            read.map_or("!".to_owned(), |document| match pointer {
                "key" => document.value.as_object().unwrap().keys().next().unwrap().clone(),
                _ => document.value[0].to_string(),
            })
        };
        if *text != "-" {
            assert_eq!(
                shown(Rules::Kubernetes, format!("{text}: 1"), "key"),
                key.unwrap_or(text),
                "key {text}"
            );
            assert_eq!(shown(Rules::Core, format!("{text}: 1"), "key"), *text, "key {text}");
            assert_eq!(shown(Rules::Kubernetes, format!("- {text}"), ""), json(*value), "{text}");
            assert_eq!(shown(Rules::Core, format!("- {text}"), ""), json(*core), "{text}");
        }
        for quoted in [
            format!("- '{text}'"),
            format!("- \"{text}\""),
            format!("- !!str {text}"),
            format!("- ! {text}"),
        ] {
            if *text != "-" {
                assert_eq!(
                    shown(Rules::Kubernetes, quoted.clone(), ""),
                    json!(text).to_string(),
                    "{quoted}"
                );
            }
        }
    }
}

#[test]
fn standard_tags_decide_the_type() {
    let cases = [
        ("!!int '12'", json!(12)),
        ("!!float 1", json!(1)),
        ("!!float '1.5'", json!(1.5)),
        ("!!bool 'yes'", json!(true)),
        ("!!null ''", json!(null)),
        ("!!float 9007199254740993", json!(9_007_199_254_740_992_i64)),
        ("!!timestamp 2001-12-14", json!("2001-12-14")),
        ("!!timestamp '2001-2-4 1:2:3.5'", json!("2001-2-4 1:2:3.5")),
        ("!!timestamp 2001-12-14t21:59:43.10-05:00", json!("2001-12-14t21:59:43.10-05:00")),
        ("!!str [1]", json!([1])),
        ("!!null {a: 1}", json!({"a": 1})),
        ("!!foo 1", json!("1")),
        ("!merge", json!("")),
        ("!!merge a", json!("a")),
        ("!Ref {a: !Sub 017}", json!({"a": "017"})),
        ("!!binary aGVsbG8=: !!binary aGVsbG8=", json!({"hello": "hello"})),
        ("!!binary aGVsbG8=", json!("hello")),
        ("!!binary |\n  aGVs\n  bG8=\n", json!("hello")),
        ("!!seq [1]", json!([1])),
        ("!!set {a, b}", json!({"a": null, "b": null})),
        ("!<tag:yaml.org,2002:str> 1", json!("1")),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text), expected, "{text}");
    }
    assert_eq!(read("%TAG !y! tag:yaml.org,2002:\n---\n!y!str 1"), json!("1"));
    let wrong = [
        "!!timestamp 12",
        "!!timestamp 2001-02-29",
        "!!timestamp 2001-13-14",
        "!!timestamp 2001-12-14T21:59:43",
        "!!timestamp ''",
        "!!float 18446744073709551615",
        "!!int 1.5",
        "!!null a",
        "!!bool 1",
    ];
    for text in wrong {
        assert!(error(text).contains("is none of that type"), "{text}");
    }
}

#[test]
fn tags_that_mean_nothing_are_errors_in_the_core_schema() {
    for (text, tag) in [("a: !Ref b", "!Ref"), ("a: !!foo b", "!!foo"), ("a: !Ref [b]", "!Ref")] {
        let error = Reader::new().rules(Rules::Core).document(text.as_bytes()).unwrap_err();
        let expected = format!("the tag `{tag}` has no meaning in JSON; remove it");
        assert_eq!(error.message(), expected, "{text}");
    }
}

/// The table in the documentation of the crate.
#[test]
fn differences_from_servers_are_these() {
    for text in ["a: [-]", "a: {b: -}"] {
        assert!(error(text).starts_with("invalid YAML: "), "{text}");
    }
    for character in ["\u{85}", "\u{2028}", "\u{2029}"] {
        let value = format!("a{character}b");
        assert_eq!(read(&format!("- {value}\n- \"{value}\"")), json!([value, value]));
    }
    assert!(error("!!binary /w==").contains("is none of that type"));
    assert_eq!(read("[!a, b]"), json!(["", "b"]));
    assert_eq!(read("! <<: {a: 1}"), json!({"<<": {"a": 1}}));
    assert!(error("[.inf]").contains("JSON has no infinite numbers"));
    assert_eq!(documents("a: 1\n\u{feff}---\nb: 2\n").len(), 2);
}

#[test]
fn every_document_may_begin_with_a_byte_order_mark() {
    let cases = [
        "\u{feff}a: 1\n---\n\u{feff}b: }\n",
        "a: 1\r\n--- # x\r\n\u{feff}b: }\n",
        "a: 1\n---\n\u{feff}---\nb: }\n",
        "a: 1\n\u{feff}---\nb: }\n",
        "---\n\u{feff}a: 1\n---\n\u{feff}b: }\n",
    ];
    for text in cases {
        let good = text.replace('}', "x");
        let found = documents(&good);
        let values: Vec<_> = found.iter().map(|document| &document.value).collect();
        assert_eq!(values, [&json!({"a": 1}), &json!({"b": "x"})], "{text:?}");
        let last = text.lines().count();
        let place = Reader::new().positions(good.as_bytes(), 2, &BTreeSet::from(["/b"]))["/b"];
        assert_eq!((found[1].number, found[1].position.line, place.value.line), (2, last, last));
        let error = Reader::new().documents(text.as_bytes()).find_map(Result::err).unwrap();
        assert_eq!((error.document(), error.position().map(|at| at.line)), (2, Some(last)));
    }
    // It is content elsewhere.
    assert_eq!(read("a: |\n  x\n  \u{feff}y\n"), json!({"a": "x\n\u{feff}y\n"}));
    assert!(Reader::new().document("a: 1\n\u{feff}b: 2\n".as_bytes()).is_err());
}

#[test]
fn scalars_that_mean_something_else_in_yaml_1_2_are_listed() {
    let text = "y: &x [on, 'on', off, true, 12, 1.0, 1e3, ~, text]\n017: *x\n1.0: 0x1F\nb: \
                [017, 1_000, 0b1, -0x1f, 08]\nTrue: !!str no\n---\nc: no\n";
    let found = documents(text);
    let listed = |index: usize| -> Vec<_> {
        let disputed = found[index].disputed.iter();
        disputed
            .map(|one| (one.text.as_str(), one.value.to_string(), one.is_key, one.position.line))
            .collect()
    };
    let expected = [
        ("y", r#""true""#, true, 1),
        ("on", "true", false, 1),
        ("off", "false", false, 1),
        ("017", r#""15""#, true, 2),
        ("1.0", r#""1""#, true, 3),
        ("017", "15", false, 4),
        ("1_000", "1000", false, 4),
        ("0b1", "1", false, 4),
        ("-0x1f", "-31", false, 4),
        ("True", r#""true""#, true, 5),
    ];
    let owned = |(text, value, is_key, line): (&'static str, &str, bool, usize)| {
        (text, value.to_owned(), is_key, line)
    };
    assert_eq!(listed(0), expected.map(owned));
    assert_eq!(listed(1), [owned(("no", "false", false, 7))]);
    let core = Reader::new().rules(Rules::Core).document(b"y: no").unwrap();
    assert_eq!(core.disputed, []);
    let many = "- on\n".repeat(1000);
    assert_eq!(Reader::new().document(many.as_bytes()).unwrap().disputed.len(), 100);
}

/// A tree is twice as large for twice the input, and has no room for more.
#[test]
fn lists_of_one_element_have_room_for_one() {
    fn room(value: &Value) -> usize {
        match value {
            Value::Array(list) => list.capacity() + list.iter().map(room).sum::<usize>(),
            Value::Object(members) => members.values().map(room).sum(),
            _ => 0,
        }
    }
    for (format, start) in [(Format::Yaml, "- &a b\n"), (Format::Json, "{\"a\": 1, \"a\": 2}\n")] {
        let rooms = [1_000, 2_000].map(|count| {
            let text = format!(
                "{start}{}\n[{}[1]]",
                if format == Format::Yaml { "---" } else { "" },
                "[1],".repeat(count)
            );
            let documents = Reader::new().format(format).documents(text.as_bytes());
            room(&documents.last().unwrap().unwrap().value)
        });
        assert_eq!(rooms, [2 * 1_001, 2 * 2_001], "{format:?}");
    }
}
