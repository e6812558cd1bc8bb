//! The codec on a struct of its own, in JSON. What holds for all types of the crate is tested where all of them are.

use super::{Identity, Object, Slot, Table, Value, Visit, deserialize_strict, no_member};
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
}

static TABLE: Table = Table::new("Widget", KEYS, &[Identity::new("shop/v1", "Widget")]);
const KEYS: &[&str] = &["apiVersion", "kind", "size", "color", "parts", "spare", "base", "weight"];

impl Object for Widget {
    fn table(&self) -> &'static Table {
        &TABLE
    }
    fn each<'a>(&'a self, visit: &mut Visit<'_, 'a>) {
        self.api_version.tell(0, visit);
        self.kind.tell(1, visit);
        self.size.tell(2, visit);
        self.color.tell(3, visit);
        self.parts.tell(4, visit);
        self.spare.tell(5, visit);
        self.base.tell(6, visit);
        self.weight.tell(7, visit);
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
            _ => no_member(index),
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

fn round(json: &str) -> String {
    serde_json::to_string(&read(json).expect(json)).expect("a widget can be written")
}

#[test]
fn what_was_read_is_written() {
    let full = r#"{"apiVersion":"shop/v1","kind":"Widget","size":3,"color":"Red","parts":[{"size":0,"color":"Blue"}],"spare":{"size":1,"color":""},"base":{"a":[1,2],"b":[]},"weight":1.5}"#;
    assert_eq!(round(full), full);
    assert_eq!(
        round(r#"{"parts":[],"base":{},"weight":0}"#),
        r#"{"size":0,"color":"","parts":[],"base":{},"weight":0}"#
    );
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
fn unknown_members_are_skipped_or_listed() {
    let json = r#"{"sizes":1,"parts":[{"x":{"size":"any"}}],"spare":{"y.z":null}}"#;
    assert_eq!(read(json).unwrap().size, 0);
    let (_, unknown) = deserialize_strict::<Widget, _>(&mut serde_json::Deserializer::from_str(json)).unwrap();
    assert_eq!(unknown, ["sizes", "parts[0].x", "spare[\"y.z\"]"]);
}

#[test]
#[should_panic(expected = "no member with index 8")]
fn an_index_outside_of_the_table_is_a_fault() {
    Widget::default().member_mut(8, true);
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
