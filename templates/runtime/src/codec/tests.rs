//! The codec on a struct of its own, in JSON. The rules for all types are tested in the crate that has all of them.

mod unknown;

use super::serde::deserialize_strict;
use super::{Identity, MemberVisitor, Object, Slot, Table, Unknown, UnknownMembers, Value};
use crate::values::{ByteString, RawJson};
use std::collections::BTreeMap;

#[derive(Clone, Default, PartialEq)]
struct Widget {
    api_version: Option<String>,
    kind: Option<String>,
    size: i32,
    color: Color,
    parts: Option<Vec<Widget>>,
    spare: Option<Box<Widget>>,
    base: Option<BTreeMap<String, Vec<i64>>>,
    weight: Option<f64>,
    secrets: Option<BTreeMap<String, Vec<ByteString>>>,
    free: Option<RawJson>,
    unknown_: Unknown,
}

static TABLE: Table = Table::new("Widget", " apiVersion kind size color parts spare base weight secrets free")
    .identities(&[Identity::new("shop/v1", "Widget")]);

impl Object for Widget {
    fn table(&self) -> &'static Table {
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.unknown_.visit_as_member(10, visitor);
        self.api_version.visit_as_member(0, visitor);
        self.kind.visit_as_member(1, visitor);
        self.size.visit_as_member(2, visitor);
        self.color.visit_as_member(3, visitor);
        self.parts.visit_as_member(4, visitor);
        self.spare.visit_as_member(5, visitor);
        self.base.visit_as_member(6, visitor);
        self.weight.visit_as_member(7, visitor);
        self.secrets.visit_as_member(8, visitor);
        self.free.visit_as_member(9, visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.api_version.slot(is_present),
            1 => self.kind.slot(is_present),
            2 => self.size.slot(is_present),
            3 => self.color.slot(is_present),
            4 => self.parts.slot(is_present),
            5 => self.spare.slot(is_present),
            6 => self.base.slot(is_present),
            7 => self.weight.slot(is_present),
            8 => self.secrets.slot(is_present),
            9 => self.free.slot(is_present),
            _ => Slot::Unknown(&mut self.unknown_),
        }
    }
}

crate::__object!(Widget);

#[derive(Clone, Debug, PartialEq)]
enum Color {
    Red,
    Other(String),
}

impl Color {
    fn as_str(&self) -> &str {
        match self {
            Self::Red => "Red",
            Self::Other(text) => text,
        }
    }
}

impl From<&str> for Color {
    fn from(text: &str) -> Self {
        if text == "Red" { Self::Red } else { Self::Other(text.to_owned()) }
    }
}

crate::__open_enum!(Color);

fn read(json: &str) -> Result<Widget, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

fn to_string<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("it can be encoded")
}

fn round(json: &str) -> String {
    to_string(&read(json).expect(json))
}

/// Without serde.
fn own_round(json: &str) -> String {
    String::from_utf8(crate::to_vec(&crate::from_str::<Widget>(json).expect(json))).expect("JSON is UTF-8")
}

#[test]
fn what_was_read_is_written() {
    let full = r#"{"apiVersion":"shop/v1","kind":"Widget","size":3,"color":"Red","parts":[{"size":0,"color":"Blue"}],"spare":{"size":1,"color":""},"base":{"a":[1,2],"b":[]},"weight":1.5}"#;
    assert_eq!(round(full), full);
    for part in ["{}", r#"{"parts":[],"base":{},"weight":0}"#, r#"{"size":0,"parts":[{},{"color":""}]}"#] {
        assert_eq!(round(part), part);
    }
}

#[test]
fn null_is_absent() {
    let nulls = r#"{"apiVersion":null,"size":null,"color":null,"parts":null,"spare":null,"base":null,"weight":null}"#;
    assert_eq!(read(nulls), Ok(Widget::default()));
    let elements = read(r#"{"parts":[null],"base":{"a":null}}"#).unwrap();
    assert_eq!(elements.parts, Some(vec![Widget::default()]), "an element is an empty one");
    assert_eq!(elements.base, Some(BTreeMap::from([("a".to_owned(), Vec::new())])), "and a key stays");
}

#[test]
fn the_last_of_repeated_members_counts() {
    let twice = read(r#"{"size":1,"spare":{"size":1,"weight":2},"size":2,"spare":{"size":3}}"#).unwrap();
    assert_eq!((twice.size, twice.spare.unwrap().weight), (2, None));
}

#[test]
fn errors_begin_with_the_path() {
    let cases = [
        (r#"{"size":"x"}"#, "size: invalid type: string \"x\", expected i32"),
        (r#"{"parts":[{},{"size":2147483648}]}"#, "parts[1].size: invalid value: integer `2147483648`, expected i32"),
        (r#"{"spare":{"color":5}}"#, "spare.color: invalid value: integer `5`, expected a string"),
        (r#"{"base":{"a b":[true]}}"#, "base[\"a b\"][0]: invalid type: boolean `true`, expected i64"),
        (r#"{"parts":{}}"#, "parts: invalid type: map, expected an array"),
        (r#"{"spare":{"kind":"Gadget"}}"#, "spare: expected kind `Widget`"),
        ("[]", "invalid type: sequence, expected an object (Widget)"),
    ];
    for (json, message) in cases {
        let error = read(json).unwrap_err();
        assert!(error.starts_with(message), "{json}: {error}");
        assert!(error.contains(" at line 1 column "), "{json}: {error}");
    }
}

#[test]
fn debug_shows_what_is_there() {
    let json = r#"{"kind":"Widget","size":1,"parts":[{"size":2}],"base":{"a":[3]},"weight":0.5}"#;
    let widget: Widget = serde_json::from_str(json).unwrap();
    let part = r#"Widget { size: 2, color: "" }"#;
    let expected =
        format!(r#"Widget {{ kind: "Widget", size: 1, color: "", parts: [{part}], base: {{"a": [3]}}, weight: 0.5 }}"#);
    assert_eq!(format!("{widget:?}"), expected);
    assert!(format!("{widget:#?}").starts_with("Widget {\n    kind: \"Widget\",\n    size: 1,\n"), "{widget:#?}");
}

#[test]
fn debug_shows_no_bytes_and_no_free_json() {
    let json = r#"{"secrets":{"password":["aHVudGVyMg=="]},"free":{"data":"aHVudGVyMg=="}}"#;
    let widget: Widget = serde_json::from_str(json).unwrap();
    let expected =
        r#"Widget { size: 0, color: "", secrets: {"password": [ByteString(7 bytes)]}, free: RawJson(23 bytes) }"#;
    assert_eq!(format!("{widget:?}"), expected);
    assert_eq!(format!("{:?}", Some(vec![&widget])), format!("Some([{expected}])"));
}

#[test]
fn paths_and_messages_are_short() {
    let key = format!("start{}end", "x\u{1}".repeat(100_000));
    let json = serde_json::json!({"base": {&key: [0, key]}, "parts": [{&key: 0}]}).to_string();
    let own = crate::from_str::<Widget>(&json).unwrap_err().to_string();
    let serde = serde_json::from_str::<Widget>(&json).unwrap_err().to_string();
    for error in [own, serde] {
        assert!(error.starts_with("base[\"startx\\u{1}"), "{error}");
        assert!(error.contains('…') && error.contains("end\"][1]: "), "{error}");
        assert!(error.contains("i64") || error.contains("integer of 64 bits"), "{error}");
        assert!(error.len() < 3000, "{}", error.len());
    }
    let json = serde_json::json!({"parts": [{&key: 0}]}).to_string();
    let (_, unknown) = crate::from_slice_strict::<Widget>(json.as_bytes()).unwrap();
    let (_, other) = deserialize_strict::<Widget, _>(&mut serde_json::Deserializer::from_str(&json)).unwrap();
    assert_eq!(unknown, other);
    assert!(unknown.paths[0].ends_with("end\"]") && unknown.paths[0].len() < 1000, "{unknown:?}");
}

#[test]
fn the_first_unknown_members_are_listed_and_the_others_counted() {
    let members: Vec<String> = (0..250).map(|number| format!("\"x{number}\":{number}")).collect();
    let json = format!("{{\"parts\":[{{{}}}]}}", members.join(","));
    let (_, unknown) = crate::from_slice_strict::<Widget>(json.as_bytes()).unwrap();
    let (_, other) = deserialize_strict::<Widget, _>(&mut serde_json::Deserializer::from_str(&json)).unwrap();
    assert_eq!(unknown, other);
    assert_eq!((unknown.paths.len(), unknown.omitted), (UnknownMembers::LISTED, 150));
    assert_eq!(unknown.paths[99], "parts[0].x99");
}

#[test]
fn strings_are_cut_in_the_middle() {
    let cut = |text: &str| super::path::shortened(text, 4).into_owned();
    let cases = [("", ""), ("abcd", "abcd"), ("äöüß", "äöüß"), ("abcde", "ab…de"), ("äöüßé", "äö…ßé")];
    for (text, expected) in cases {
        assert_eq!((cut(text), cut(&cut(text))), (expected.to_owned(), expected.to_owned()));
    }
}
