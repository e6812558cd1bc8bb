//! The codec on a struct of its own, in JSON. The rules for all types are tested in the crate that
//! has all of them.

use super::drop_unknown;
use super::path::{PathStep, parse_path, write_key};
use super::serde::deserialize_strict;
use super::{
    Identity, MemberVisitor, Object, Slot, Table, Unknown, UnknownMembers, Value, is_exact,
};
#[cfg(feature = "dynamic")]
use super::{Target, json};
use crate::values::{ByteString, Quantity, RawJson};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt;

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

static TABLE: Table = Table::new(
    "Widget",
    "! apiVersion kind size! color! parts spare!! base weight!! secrets free!!",
)
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
    String::from_utf8(crate::to_vec(&crate::from_str::<Widget>(json).expect(json)))
        .expect("JSON is UTF-8")
}

#[test]
fn what_was_read_is_written() {
    let full = r#"{"apiVersion":"shop/v1","kind":"Widget","size":3,"color":"Red","parts":[{"size":0,"color":"Blue"}],"spare":{"size":1,"color":""},"base":{"a":[1,2],"b":[]},"weight":1.5}"#;
    assert_eq!(round(full), full);
    for part in
        ["{}", r#"{"parts":[],"base":{},"weight":0}"#, r#"{"size":0,"parts":[{},{"color":""}]}"#]
    {
        assert_eq!(round(part), part);
    }
}

#[test]
fn null_is_absent() {
    let nulls = r#"{"apiVersion":null,"size":null,"color":null,"parts":null,"base":null}"#;
    assert_eq!(read(nulls), Ok(Widget::default()));
    let elements = read(r#"{"parts":[null],"base":{"a":null}}"#).unwrap();
    assert_eq!(elements.parts, Some(vec![Widget::default()]), "an element is an empty one");
    assert_eq!(
        elements.base,
        Some(BTreeMap::from([("a".to_owned(), Vec::new())])),
        "and a key stays"
    );
}

#[test]
fn null_is_a_value_of_nullable_members() {
    let nulls = r#"{"spare":null,"weight":null}"#;
    assert_eq!((own_round(nulls), round(nulls)), (nulls.to_owned(), nulls.to_owned()));
    let free = r#"{"spare":{"weight":null},"weight":0,"free":null}"#;
    assert_eq!((own_round(free), round(free)), (free.to_owned(), free.to_owned()));
    let mut widget = read(nulls).unwrap();
    assert_ne!(widget, Widget::default());
    assert_eq!(
        format!("{widget:?}"),
        r#"Widget { size: 0, color: "", unknown_: {"spare", "weight"} }"#
    );
    let (strict, unknown) = crate::from_slice_strict::<Widget>(nulls.as_bytes()).unwrap();
    assert!(unknown.is_empty() && strict == widget);
    drop_unknown(&mut widget);
    assert_eq!(widget, strict);
    // A number that is set, too, is encoded once.
    widget.weight = Some(1.5);
    assert_eq!(to_string(&widget), r#"{"spare":null,"weight":1.5}"#);
}

#[test]
#[cfg(feature = "dynamic")]
fn dynamic_objects_keep_null_of_nullable_members() {
    let text = r#"{"apiVersion":"shop/v1","kind":"Widget","free":null,"spare":null,"weight":null}"#;
    let object: crate::dynamic::Object = crate::from_str(text).unwrap();
    let mut widget = Widget::default();
    json::read(Target::Object(&mut widget), &crate::to_vec(&object)).unwrap();
    assert_eq!(widget, crate::from_str(text).unwrap());
    assert_eq!(
        crate::from_slice::<crate::dynamic::Object>(&crate::to_vec(&widget)).unwrap(),
        object
    );
}

#[test]
fn the_last_of_repeated_members_counts() {
    let twice =
        read(r#"{"size":1,"spare":{"size":1,"weight":2},"size":2,"spare":{"size":3}}"#).unwrap();
    assert_eq!((twice.size, twice.spare.unwrap().weight), (2, None));
}

#[test]
fn errors_begin_with_the_path() {
    let cases = [
        (r#"{"size":"x"}"#, "size: invalid type: string \"x\", expected i32"),
        (
            r#"{"parts":[{},{"size":2147483648}]}"#,
            "parts[1].size: invalid value: integer `2147483648`, expected i32",
        ),
        (r#"{"spare":{"color":5}}"#, "spare.color: invalid value: integer `5`, expected a string"),
        (
            r#"{"base":{"a b":[true]}}"#,
            "base[\"a b\"][0]: invalid type: boolean `true`, expected i64",
        ),
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
    let expected = format!(
        r#"Widget {{ kind: "Widget", size: 1, color: "", parts: [{part}], base: {{"a": [3]}}, weight: 0.5 }}"#
    );
    assert_eq!(format!("{widget:?}"), expected);
    assert!(
        format!("{widget:#?}").starts_with("Widget {\n    kind: \"Widget\",\n    size: 1,\n"),
        "{widget:#?}"
    );
}

#[test]
fn debug_shows_no_bytes_and_no_free_json() {
    let json = r#"{"secrets":{"password":["aHVudGVyMg=="]},"free":{"data":"aHVudGVyMg=="}}"#;
    let widget: Widget = serde_json::from_str(json).unwrap();
    let expected = r#"Widget { size: 0, color: "", secrets: {"password": [ByteString(7 bytes)]}, free: RawJson(23 bytes) }"#;
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
    let (_, other) =
        deserialize_strict::<Widget, _>(&mut serde_json::Deserializer::from_str(&json)).unwrap();
    assert_eq!(unknown, other);
    assert!(unknown.paths[0].ends_with("end\"]") && unknown.paths[0].len() < 1000, "{unknown:?}");
}

#[test]
fn the_first_unknown_members_are_listed_and_the_others_counted() {
    let members: Vec<String> = (0..250).map(|number| format!("\"x{number}\":{number}")).collect();
    let json = format!("{{\"parts\":[{{{}}}]}}", members.join(","));
    let (_, unknown) = crate::from_slice_strict::<Widget>(json.as_bytes()).unwrap();
    let (_, other) =
        deserialize_strict::<Widget, _>(&mut serde_json::Deserializer::from_str(&json)).unwrap();
    assert_eq!(unknown, other);
    assert_eq!((unknown.paths.len(), unknown.omitted), (UnknownMembers::LISTED, 150));
    assert_eq!(unknown.paths[99], "parts[0].x99");
}

#[test]
fn strings_are_cut_in_the_middle() {
    let cut = |text: &str| super::path::shortened(text, 4).into_owned();
    let cases =
        [("", ""), ("abcd", "abcd"), ("äöüß", "äöüß"), ("abcde", "ab…de"), ("äöüßé", "äö…ßé")];
    for (text, expected) in cases {
        assert_eq!((cut(text), cut(&cut(text))), (expected.to_owned(), expected.to_owned()));
    }
}

#[test]
fn required_members_that_were_absent_come_back_when_they_are_set() {
    let mut widget = read(r#"{"size":null,"weight":1}"#).unwrap();
    assert_eq!(to_string(&widget), r#"{"weight":1}"#);
    widget.size = 5;
    assert_eq!(to_string(&widget), r#"{"size":5,"weight":1}"#);
    widget.size = 0;
    widget.color = Color::Red;
    assert_eq!(to_string(&widget), r#"{"color":"Red","weight":1}"#);
    assert_eq!(
        to_string(&Widget::default()),
        r#"{"size":0,"color":""}"#,
        "nothing was absent here"
    );
    assert_eq!(widget, Widget { color: Color::Red, weight: Some(1.0), ..Widget::default() });
}

#[test]
fn required_objects_that_were_absent_stay_so_until_they_are_set() {
    let mut holder: Holder = crate::from_str("{}").unwrap();
    holder.widget = Widget::default();
    assert_eq!(to_string(&holder), "{}");
    holder.widget.spare = Some(Box::default());
    assert_eq!(
        to_string(&holder),
        r#"{"widget":{"size":0,"color":"","spare":{"size":0,"color":""}}}"#
    );
    holder.widget = Widget { size: 1, ..Widget::default() };
    assert_eq!(to_string(&holder), r#"{"widget":{"size":1,"color":""}}"#);
    holder.widget = Widget::default();
    holder.widget.unknown_.insert("a", "1".parse().unwrap());
    assert_eq!(crate::to_vec(&holder), br#"{"widget":{"size":0,"color":"","a":1}}"#);
    let mut present: Holder = crate::from_str(r#"{"widget":{}}"#).unwrap();
    assert_eq!(to_string(&present), r#"{"widget":{}}"#);
    present.widget = Widget::default();
    assert_eq!(to_string(&present), r#"{"widget":{"size":0,"color":""}}"#);
}

/// Requires an object.
#[derive(Clone, Default, PartialEq)]
struct Holder {
    widget: Widget,
    unknown_: Unknown,
}

impl Object for Holder {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("Holder", "! widget!");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.unknown_.visit_as_member(1, visitor);
        self.widget.visit_as_member(0, visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.widget.slot(is_present),
            _ => Slot::Unknown(&mut self.unknown_),
        }
    }
}

crate::__object!(Holder);

#[test]
fn the_last_of_repeated_members_decides_what_is_absent() {
    for (text, back) in [
        (r#"{"size":0,"size":null}"#, "{}"),
        (r#"{"size":null,"size":0}"#, r#"{"size":0}"#),
        (r#"{"spare":{},"spare":{"size":0}}"#, r#"{"spare":{"size":0}}"#),
        (r#"{"spare":{"size":0,"x":1},"spare":{}}"#, r#"{"spare":{}}"#),
        (r#"{"spare":null,"spare":{"x":1}}"#, r#"{"spare":{"x":1}}"#),
        (r#"{"x":1,"y":2,"x":{"x":3}}"#, r#"{"x":{"x":3},"y":2}"#),
        (r#"{"parts":[null]}"#, r#"{"parts":[{}]}"#),
    ] {
        assert_eq!((round(text).as_str(), own_round(text).as_str()), (back, back), "{text}");
    }
}

#[test]
fn unknown_members_are_kept_where_they_were() {
    let text = r#"{"size":1,"parts":[{"b":[1.10,{"c":null}],"z":null}],"spare":{"size":2,"y.z":"\u00e4"},"a":{"size":true}}"#;
    assert_eq!((round(text).as_str(), own_round(text).as_str()), (text, text));
    let widget = read(text).unwrap();
    assert_eq!(widget.unknown_.get("a").as_ref().map(RawJson::as_str), Some(r#"{"size":true}"#));
    assert_eq!(widget.unknown_.iter().count(), 1);
    assert_eq!(
        format!("{:?}", widget.spare.unwrap()),
        r#"Widget { size: 2, color: "", unknown_: {"y.z"} }"#
    );
}

#[test]
fn equality_goes_by_the_values_of_unknown_members() {
    let widget = read(r#"{"a":{"b":1,"c":[2.0]},"d":"\u0041"}"#).unwrap();
    assert_eq!(
        read(r#"{"size":0,"color":"","d":"A","a":{"c":[2],"b":0,"b":1e0}}"#).unwrap(),
        widget
    );
    for other in [r#"{"a":{"b":1,"c":[2]}}"#, r#"{"a":{"b":1,"c":[2,2]},"d":"A"}"#, "{}"] {
        assert_ne!(read(other).unwrap(), widget, "{other}");
    }
}

#[test]
fn unknown_members_can_be_changed() {
    let mut widget = Widget::default();
    assert_eq!((widget.unknown_.insert("b", RawJson::default()), widget.unknown_.len()), (None, 1));
    assert_eq!(widget.unknown_.insert("b", "[1]".parse().unwrap()), Some(RawJson::default()));
    widget.unknown_.insert("a", "2".parse().unwrap());
    // There cannot be two members of one name.
    widget.unknown_.insert("size", "7".parse().unwrap());
    widget.unknown_.insert("weight", "7".parse().unwrap());
    assert_eq!(to_string(&widget), r#"{"size":0,"color":"","a":2,"b":[1]}"#);
    assert_eq!(crate::to_vec(&widget), to_string(&widget).into_bytes());
    assert_eq!(widget.unknown_.remove("b"), Some("[1]".parse().unwrap()));
    assert_eq!((widget.unknown_.remove("b"), widget.unknown_.len()), (None, 3));
    widget.unknown_.clear();
    assert!(widget.unknown_.is_empty());
    assert_eq!(widget, Widget::default());
}

#[test]
fn unknown_members_can_be_dropped() {
    let text = r#"{"a":1,"parts":[{"b":2},{"spare":{"c":3},"base":{"a":[1]}}],"free":{"d":4}}"#;
    let mut widget = read(text).unwrap();
    drop_unknown(&mut widget);
    assert_eq!(
        to_string(&widget),
        r#"{"parts":[{},{"spare":{},"base":{"a":[1]}}],"free":{"d":4}}"#
    );
}

#[test]
fn empty_required_members_that_were_stated_are_intended() {
    fn check<T: Value + Object + serde::de::DeserializeOwned>(text: &str, is_kept: bool) {
        assert_eq!(is_exact(&crate::from_str::<T>(text).unwrap()), is_kept, "{text}");
        assert_eq!(is_exact(&serde_json::from_str::<T>(text).unwrap()), is_kept, "{text}");
    }
    for value in [r#""0""#, "0"] {
        check::<RequiredQuantity>(&format!(r#"{{"value":{value}}}"#), true);
        check::<RequiredQuantity>(&format!(r#"{{"value":{value},"other":1}}"#), true);
    }
    check::<RequiredQuantity>(r#"{"value":"1","other":0}"#, false);
    check::<RequiredQuantity>(r#"{"value":1,"other":0}"#, false);
    check::<RequiredText>(r#"{"value":"","other":1}"#, true);
    check::<RequiredText>(r#"{"value":"0","other":1}"#, false);
    // A number that was stated may become 0.
    check::<RequiredInt>(r#"{"value":0}"#, true);
    check::<RequiredInt>(r#"{"value":0,"other":1}"#, true);
    check::<RequiredInt>(r#"{"value":7}"#, true);
    check::<RequiredInt>(r#"{"value":null,"other":0}"#, false);
    check::<RequiredBool>(r#"{"value":false}"#, true);
    check::<RequiredBool>(r#"{"value":true}"#, true);
    check::<Wide>(r#"{"m64":0}"#, true);
    check::<Wide>(r#"{"m64":0,"m130":null}"#, true);
    check::<Wide>(r#"{"m64":5,"m69":1}"#, true);
    check::<Wide>(r#"{"m130":0}"#, false);
}

/// Requires a member.
#[derive(Clone, Default, PartialEq)]
struct Required<T> {
    value: T,
    other: Option<i32>,
    unknown_: Unknown,
}

static REQUIRED: Table = Table::new("Required", "! value! other");

impl<T: Value> Object for Required<T> {
    fn table(&self) -> &'static Table {
        &REQUIRED
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.unknown_.visit_as_member(2, visitor);
        self.value.visit_as_member(0, visitor);
        self.other.visit_as_member(1, visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.value.slot(is_present),
            1 => self.other.slot(is_present),
            _ => Slot::Unknown(&mut self.unknown_),
        }
    }
}

type RequiredQuantity = Required<Quantity>;
crate::__object!(RequiredQuantity);
type RequiredInt = Required<i32>;
crate::__object!(RequiredInt);
type RequiredBool = Required<bool>;
crate::__object!(RequiredBool);
type RequiredText = Required<String>;
crate::__object!(RequiredText);

#[test]
fn members_beyond_the_64th_are_kept_and_may_be_absent() {
    let wide = Wide::default();
    assert_eq!(to_string(&wide).matches(":0").count(), wide.members.len());
    for text in ["{}", r#"{"m63":0}"#, r#"{"m64":0,"x":1}"#, r#"{"m0":1,"m69":0}"#, r#"{"m69":1}"#]
    {
        let wide: Wide = serde_json::from_str(text).unwrap();
        assert_eq!(to_string(&wide), text);
        assert_eq!(crate::to_vec(&crate::from_str::<Wide>(text).unwrap()), text.as_bytes());
    }
    let twice: Wide = crate::from_str(r#"{"m69":1,"m69":null}"#).unwrap();
    assert_eq!(to_string(&twice), "{}");
}

/// Has many members.
#[derive(Clone, PartialEq)]
struct Wide {
    members: [i32; 70],
    optional: [Option<i32>; 61],
    unknown_: Unknown,
}

impl Default for Wide {
    fn default() -> Self {
        Self { members: [0; 70], optional: [None; 61], unknown_: Unknown::default() }
    }
}

const WIDE: &str = "! m0! m1! m2! m3! m4! m5! m6! m7! m8! m9! m10! m11! m12! m13! m14! m15! m16! m17! m18! m19! \
     m20! m21! m22! m23! m24! m25! m26! m27! m28! m29! m30! m31! m32! m33! m34! m35! m36! m37! \
     m38! m39! m40! m41! m42! m43! m44! m45! m46! m47! m48! m49! m50! m51! m52! m53! m54! m55! \
     m56! m57! m58! m59! m60! m61! m62! m63! m64! m65! m66! m67! m68! m69! m70 m71 m72 m73 m74 \
     m75 m76 m77 m78 m79 m80 m81 m82 m83 m84 m85 m86 m87 m88 m89 m90 m91 m92 m93 m94 m95 m96 m97 \
     m98 m99 m100 m101 m102 m103 m104 m105 m106 m107 m108 m109 m110 m111 m112 m113 m114 m115 m116 \
     m117 m118 m119 m120 m121 m122 m123 m124 m125 m126 m127 m128 m129 m130";

impl Object for Wide {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("Wide", WIDE);
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.unknown_.visit_as_member(131, visitor);
        self.members
            .iter()
            .enumerate()
            .for_each(|(index, member)| member.visit_as_member(index, visitor));
        self.optional
            .iter()
            .zip(70..)
            .for_each(|(member, index)| member.visit_as_member(index, visitor));
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0..70 => self.members[index].slot(is_present),
            70..131 => self.optional[index - 70].slot(is_present),
            _ => Slot::Unknown(&mut self.unknown_),
        }
    }
}

crate::__object!(Wide);

/// A path as messages have it.
struct Written<'a>(&'a [PathStep<'a>]);

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(index, step)| match step {
            PathStep::Name(key) => write_key(f, key, index == 0),
            PathStep::Key(key) => write!(f, "[{key:?}]"),
            PathStep::Index(index) => write!(f, "[{index}]"),
            PathStep::Each => f.write_str("[]"),
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// A key that is not a plain name is written as an entry.
    #[test]
    fn parses_paths_as_messages_have_them(keys in vec(prop_oneof!["[a-z$_-]{1,5}", "\\PC{0,20}", "[\0-\x7f]{0,8}"], 1..5)) {
        let steps: Vec<_> = keys.iter().flat_map(|key| [PathStep::Name(key), PathStep::Index(3), PathStep::Each]).collect();
        let written = Written(&steps).to_string();
        let parsed = parse_path(&written).expect(&written);
        prop_assert_eq!(parsed.len(), steps.len());
        for (parsed, step) in parsed.iter().zip(&steps) {
            let is_same = match (parsed, step) {
                (PathStep::Key(parsed), PathStep::Name(key)) => parsed == key,
                (parsed, step) => parsed == step,
            };
            prop_assert!(is_same, "{}: {:?} {:?}", written, parsed, step);
        }
    }

    #[test]
    fn parsing_a_path_never_panics(path in "[a.\\[\\]\"\\\\u{}0é]{0,12}") {
        let _ = parse_path(&path);
    }
}

#[test]
fn parses_paths_as_programs_write_them() {
    let name = PathStep::Name;
    let key = |key: &'static str| PathStep::Key(key.into());
    assert_eq!(
        parse_path("spec.containers[0].image"),
        Ok(vec![name("spec"), name("containers"), PathStep::Index(0), name("image")])
    );
    assert_eq!(
        parse_path("metadata.labels[app.io/name]"),
        Ok(vec![name("metadata"), name("labels"), key("app.io/name")])
    );
    assert_eq!(
        parse_path(r#"[][""]["\u{e9}\"]"].b"#),
        Ok(vec![PathStep::Each, key(""), key("é\"]"), name("b")])
    );
}

#[test]
fn says_where_a_path_is_wrong() {
    let errors = [
        ("", "the name of a member is missing at character 1"),
        (".spec", "the name of a member is missing at character 1"),
        ("é.", "the name of a member is missing at character 3"),
        ("a[0]b", "`.` or `[` is missing at character 5"),
        ("a]", "`.` or `[` is missing at character 2"),
        ("a[0", "`]` is missing at character 4"),
        ("a[\"b\"", "`]` is missing at character 6"),
        ("a[\"b", "`\"` is missing at character 5"),
        ("a[99999999999999999999]", "the index is too large at character 3"),
        (r#"a["\x"]"#, "there is no such escape at character 4"),
        (r#"a["\u{d800}"]"#, "there is no such escape at character 4"),
    ];
    for (path, error) in errors {
        assert_eq!(parse_path(path), Err(format!("{error} of the path")), "{path}");
    }
    assert!(parse_path(&"[]".repeat(100)).is_ok());
    assert_eq!(
        parse_path(&"[]".repeat(101)),
        Err("there are more than 100 steps at character 201 of the path".into())
    );
}
