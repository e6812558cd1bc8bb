//! Decoding and encoding of values in JSON: accepted input, and the text of errors.

use super::{DecodeError, from_slice, from_slice_strict, from_str, to_string, to_vec, to_writer};
use crate::codec::{MemberVisitor, Object, Slot, Table, UnknownMembers, Value};
use crate::meta_v1::{ListMeta, ObjectMeta, RawJson, Status, Time};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;

fn fault<T: Value + Debug>(text: &str) -> DecodeError {
    from_str::<T>(text).expect_err(text)
}

#[test]
fn values_are_read_and_written() {
    let text = br#"{"continue":"a","remainingItemCount":7}"#;
    let read: ListMeta = from_slice(text).unwrap();
    assert_eq!((read.continue_.as_deref(), read.remaining_item_count), (Some("a"), Some(7)));
    assert_eq!(to_vec(&read), text);
    assert_eq!(from_str::<Vec<i64>>(" [1, 2]\n"), Ok(vec![1, 2]));
    assert_eq!(from_str::<Option<bool>>("null"), Ok(None));
}

#[test]
fn errors_tell_path_and_place() {
    let error = fault::<ListMeta>("{\n  \"continue\": 5}");
    assert_eq!(error.message(), "continue: expected a string, found 5");
    assert_eq!((error.line(), error.column()), (2, 15));
    assert_eq!(error.to_string(), format!("{} at line 2 column 15", error.message()));
    let places = [
        (r#"{"finalizers":["a",5]}"#, "finalizers[1]: expected a string, found 5", 20),
        (r#"{"labels":{"ü a":[]}}"#, r#"labels["ü a"]: expected a string, found an array"#, 18),
        (r#"{"labels":{"a":"b","c":true}}"#, "labels.c: expected a string, found true", 24),
        (r#"{"labels":["a"]}"#, "labels: expected an object, found an array", 11),
        (r#"{"x":[{"y":[1,{"z":nul}]}]}"#, "x[0].y[1].z: expected null, found nul", 20),
        (r#"{"generation":5.0}"#, "generation: expected an integer of 64 bits, found 5.0", 15),
        (r#"{"generation":"5"}"#, r#"generation: expected an integer of 64 bits, found "5""#, 15),
        (
            r#"{"deletionTimestamp":"now"}"#,
            "deletionTimestamp: expected a time in the form of RFC 3339 such as \
             2024-05-01T12:00:00Z, found \"now\"",
            22,
        ),
        (
            r#"{"deletionTimestamp":true}"#,
            "deletionTimestamp: expected a string or a number, found true",
            22,
        ),
        (
            r#"{"ownerReferences":[{},{"controller":"no"}]}"#,
            "ownerReferences[1].controller: expected a boolean, found \"no\"",
            38,
        ),
    ];
    for (text, message, column) in places {
        let error = fault::<ObjectMeta>(text);
        assert_eq!((error.message(), error.line(), error.column()), (message, 1, column), "{text}");
    }
}

#[test]
fn errors_of_syntax_tell_what_was_expected() {
    let places = [
        ("", "expected an object (ListMeta), found the end of the text", 1),
        ("\u{feff}{}", "expected an object (ListMeta), found `\\u{feff}`", 1),
        ("{} {}", "expected the end of the text, found an object", 4),
        ("{", "expected the name of a member, found the end of the text", 2),
        ("{continue", "expected the name of a member, found continue", 2),
        (r#"{"continue":"a",}"#, "expected the name of a member, found `}`", 17),
        (r#"{"continue" "a"}"#, "continue: expected `:`, found \"a\"", 13),
        (r#"{"continue":"a" "b"}"#, "continue: expected `,` or `}`, found \"b\"", 17),
        (r#"{"x":[1 2]}"#, "x[0]: expected `,` or `]`, found 2", 9),
        (r#"{"x":[1,]}"#, "x[1]: expected a value, found `]`", 9),
        (r#"{"x":-}"#, "x: expected a digit, found `}`", 7),
        (r#"{"x":1.e5}"#, "x: expected a digit, found e5", 8),
        (r#"{"x":01}"#, "x: expected `,` or `}`, found 1", 7),
        (
            r#"{"continue":"a"#,
            "continue: expected `\"` at the end of a string, found the end of the text",
            15,
        ),
        (r#"{"continue":"a\"#, "continue: expected an escape, found the end of the text", 16),
        (
            r#"{"continue":"\q"}"#,
            "continue: expected an escape such as `\\n` or `\\u000a` after `\\`",
            14,
        ),
        (r#"{"continue":"\u00g0"}"#, "continue: expected four hexadecimal digits after `\\u`", 14),
        (
            r#"{"continue":"a\ud83d"}"#,
            "continue: half of a surrogate pair, which is no character",
            15,
        ),
        (
            r#"{"continue":"a\udc00\ud83d"}"#,
            "continue: half of a surrogate pair, which is no character",
            15,
        ),
        (
            "{\"continue\":\"a\tb\"}",
            "continue: control character U+0009 in a string must be escaped",
            15,
        ),
    ];
    for (text, message, column) in places {
        let error = fault::<ListMeta>(text);
        assert_eq!((error.message(), error.line(), error.column()), (message, 1, column), "{text}");
    }
}

#[test]
fn long_values_are_cut_in_messages() {
    let long = "ü".repeat(1000);
    let error = fault::<ListMeta>(&format!(r#"{{"remainingItemCount":"{long}"}}"#));
    assert_eq!(error.message().chars().filter(|c| *c == 'ü').count(), 59);
    assert!(error.message().ends_with('…'), "{error}");
    let error = fault::<ListMeta>(r#"{"remainingItemCount":"a\"b"}"#);
    assert!(error.message().ends_with(r#"found "a\"b""#), "{error}");
}

#[test]
fn reports_the_position_of_bytes_that_are_not_utf_8() {
    let error = from_slice::<ListMeta>(b"{\"continue\":\n\"\xc3\xbc\xff\"}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "continue: expected UTF-8, found bytes that are not UTF-8 at line 2 column 3"
    );
    let error = from_slice::<ListMeta>(b"{\"continue\":\"\xc3").unwrap_err();
    assert_eq!(
        error.to_string(),
        "continue: expected UTF-8, found half a character at line 1 column 14"
    );
}

#[test]
fn escapes_are_characters() {
    for value in 0..=0xffff_u32 {
        let expected = char::from_u32(value).map(String::from);
        for text in [format!("\"\\u{value:04x}\""), format!("\"\\u{value:04X}\"")] {
            assert_eq!(from_str::<String>(&text).ok(), expected, "{text}");
        }
    }
    for value in (0x10000..=0x10_ffff_u32).step_by(251) {
        let mut units = [0; 2];
        let character = char::from_u32(value).unwrap();
        character.encode_utf16(&mut units);
        let text = format!("\"<\\u{:04x}\\u{:04X}>\"", units[0], units[1]);
        assert_eq!(from_str::<String>(&text), Ok(format!("<{character}>")), "{text}");
    }
    for byte in 0..0x80_u8 {
        let text = format!("\"\\u00{}0\"", char::from(byte).escape_default());
        assert_eq!(from_str::<String>(&text).is_ok(), byte.is_ascii_hexdigit(), "{text}");
    }
}

#[test]
fn names_the_kind_of_an_object_of_another_kind() {
    let error = fault::<Status>(r#"{"status":{"phase":"Running"},"kind":"Pod","apiVersion":"v1"}"#);
    assert_eq!(error.message(), "expected kind `Status` of `v1`, found kind `Pod` of `v1`");
    // A truncated object, or one that states no kind, fails at the member that cannot be decoded.
    let error = fault::<Status>(r#"{"kind":"Pod","status":{"phase":"#);
    assert_eq!(error.message(), "status: expected a string, found an object");
    let error = fault::<Status>(r#"{"kind":5}"#);
    assert_eq!(error.message(), "kind: expected a string, found 5");
}

#[test]
fn unknown_members_are_listed_and_kept() {
    let json =
        br#"{"a":1,"name":"n","ownerReferences":[{"x":{"uid":[]}},{}],"labels":{"y":"z"},"\u0062 c":[{"d":1}],"a":2}"#;
    let (value, unknown) = from_slice_strict::<ObjectMeta>(json).unwrap();
    assert_eq!(unknown.paths, ["a", "ownerReferences[0].x", "[\"b c\"]", "a"]);
    assert_eq!(
        to_vec(&value),
        br#"{"labels":{"y":"z"},"name":"n","ownerReferences":[{"x":{"uid":[]}},{}],"a":2,"b c":[{"d":1}]}"#
    );
    assert_eq!(
        from_slice_strict::<ObjectMeta>(b"{}"),
        Ok((ObjectMeta::default(), UnknownMembers::default()))
    );
    assert!(from_slice_strict::<ObjectMeta>(b"{\"a\":}").is_err());
}

#[test]
fn the_last_of_repeated_members_counts() {
    let json = r#"{"labels":{"a":"1"},"finalizers":["x"],"name":"a","labels":{"b":"2","b":"3"},"finalizers":[],"name":null}"#;
    let read: ObjectMeta = from_str(json).unwrap();
    assert_eq!(read.labels, Some(BTreeMap::from([("b".to_owned(), "3".to_owned())])));
    assert_eq!((read.finalizers, read.name), (Some(Vec::new()), None));
}

#[test]
fn free_form_json_keeps_its_spelling_but_no_space() {
    let raw: RawJson = from_str(
        " {\"b\" : [ 1.50e+3 ,\n\"\\u00e4 \\\" \\ud800\" ] , \"a\\/\": { } , \"a\\/\":-0 }\r\n",
    )
    .unwrap();
    assert_eq!(raw.as_str(), r#"{"b":[1.50e+3,"\u00e4 \" \ud800"],"a\/":{},"a\/":-0}"#);
    let raw: RawJson = from_str(r#"["a b"]"#).unwrap();
    assert_eq!(raw.as_str(), r#"["a b"]"#);
    assert_eq!(to_vec(&raw), raw.as_str().as_bytes());
}

/// As deep as one likes.
#[derive(Default, PartialEq)]
struct Nest {
    inside: Option<Box<Nest>>,
    list: Option<Vec<Nest>>,
    any: RawJson,
}

impl Object for Nest {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("Nest", "! inside li\"st any");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.inside.visit_as_member(0, visitor);
        self.list.visit_as_member(1, visitor);
        self.any.visit_as_member(2, visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.inside.slot(is_present),
            1 => self.list.slot(is_present),
            2 => self.any.slot(is_present),
            _ => Slot::Absent,
        }
    }
}

crate::__object!(Nest);

#[test]
fn types_are_as_deep_as_with_serde_json_and_free_form_json_deeper() {
    let nested = |open: &str, levels: usize, close: &str| {
        format!("{}{{}}{}", open.repeat(levels), close.repeat(levels))
    };
    for (open, close, levels) in [("{\"inside\":", "}", 1), ("{\"li\\\"st\":[", "]}", 2)] {
        let fits = nested(open, 126 / levels, close);
        assert_eq!(
            serde_json::from_str::<Nest>(&fits).ok(),
            from_str::<Nest>(&fits).ok(),
            "{open}"
        );
        assert!(from_str::<Nest>(&fits).is_ok(), "{open}");
        let deep = nested(open, 126 / levels + 1, close);
        assert!(serde_json::from_str::<Nest>(&deep).is_err(), "{open}");
        let error = fault::<Nest>(&deep);
        assert!(error.message().ends_with("more than 127 levels of objects and arrays"), "{error}");
    }
    for key in ["any", "unknown"] {
        let text = format!("{{\"{key}\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(from_str::<Nest>(&text).is_ok());
        assert!(from_str::<Nest>(&text[..text.len() - 2]).is_err());
    }
}

#[test]
fn keys_are_escaped_where_they_must_be() {
    let nest = Nest { list: Some(Vec::new()), ..Nest::default() };
    assert_eq!(to_vec(&nest), br#"{"li\"st":[],"any":null}"#);
    assert_eq!(serde_json::to_vec(&nest).unwrap(), to_vec(&nest));
    let labels = BTreeMap::from([("\"\\\n".to_owned(), "\u{1}\u{7f}ü".to_owned())]);
    assert_eq!(to_vec(&labels), serde_json::to_vec(&labels).unwrap());
}

#[test]
fn numbers_are_written_as_by_serde_json() {
    let integers = vec![0, 7, -1, 10, i64::MAX, i64::MIN];
    assert_eq!(to_vec(&integers), serde_json::to_vec(&integers).unwrap());
    let floats = vec![0.5, -0.0, 1e300, 5e-324, f64::NAN, f64::INFINITY];
    assert_eq!(to_vec(&floats), serde_json::to_vec(&floats).unwrap());
    assert_eq!(to_vec(&vec![1.0, -2.0, 9_007_199_254_740_993.0]), b"[1,-2,9007199254740992]");
    assert_eq!(
        to_vec(&vec![Time::default(), "2024-05-01T12:00:00Z".parse().unwrap()]),
        br#"[null,"2024-05-01T12:00:00Z"]"#
    );
}

/// Records the size of each write, and fails after this many writes.
struct Pieces(Vec<usize>, usize);

impl io::Write for Pieces {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.0.len() == self.1 {
            return Err(io::Error::other("full"));
        }
        self.0.push(piece.len());
        Ok(piece.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn large_lists_are_written_in_pieces() {
    let list = vec!["a".repeat(1000); 1000];
    let mut pieces = Pieces(Vec::new(), usize::MAX);
    to_writer(&mut pieces, &list).unwrap();
    assert_eq!(pieces.0.iter().sum::<usize>(), to_vec(&list).len());
    assert!(pieces.0.len() > 10 && pieces.0.iter().all(|size| *size < 70_000), "{:?}", pieces.0);
    let mut text = Vec::new();
    to_writer(&mut text, &list).unwrap();
    assert_eq!(text, to_vec(&list));
    assert_eq!(text, to_string(&list).into_bytes());
    let mut full = Pieces(Vec::new(), 3);
    assert_eq!(to_writer(&mut full, &list).unwrap_err().to_string(), "full");
    assert_eq!(full.0.len(), 3);
}

#[test]
fn keys_are_found_in_any_order() {
    let members = [
        r#""name":"a""#,
        r#""namespace": "b""#,
        r#""uid" :"c""#,
        r#""u\u0069d":"d""#,
        r#""nam":1"#,
        r#""":2"#,
    ];
    for rotation in 0..members.len() {
        for is_reversed in [false, true, false] {
            let mut members = members;
            members.rotate_left(rotation);
            if is_reversed {
                members.reverse();
            }
            for (separator, padding) in
                [(",", ""), (", \n", "                                "), (",", "  ")]
            {
                let text = format!("{{{}}}{padding}", members.join(separator));
                let metadata: ObjectMeta = from_str(&text).unwrap();
                let last = members.iter().rev().find_map(|member| match member.as_bytes()[..3] {
                    [b'"', b'u', b'i'] => Some("c"),
                    [b'"', b'u', b'\\'] => Some("d"),
                    _ => None,
                });
                assert_eq!(metadata.uid.as_deref(), last, "{text}");
                assert_eq!(
                    (metadata.name.as_deref(), metadata.namespace.as_deref()),
                    (Some("a"), Some("b")),
                    "{text}"
                );
            }
        }
    }
}
