//! Unknown members, and required members that are absent.

use super::{Color, Widget, own_round, read, round, to_string};
use crate::codec::{MemberVisitor, Object, Slot, Table, Unknown, Value, drop_unknown};
use crate::values::RawJson;

#[test]
fn required_members_that_were_absent_come_back_when_they_are_set() {
    let mut widget = read(r#"{"size":null,"weight":1}"#).unwrap();
    assert_eq!(to_string(&widget), r#"{"weight":1}"#);
    widget.size = 5;
    assert_eq!(to_string(&widget), r#"{"size":5,"weight":1}"#);
    widget.size = 0;
    widget.color = Color::Red;
    assert_eq!(to_string(&widget), r#"{"color":"Red","weight":1}"#);
    assert_eq!(to_string(&Widget::default()), r#"{"size":0,"color":""}"#, "nothing was absent here");
    assert_eq!(widget, Widget { color: Color::Red, weight: Some(1.0), ..Widget::default() });
}

#[test]
fn required_objects_that_were_absent_stay_so_until_they_are_set() {
    let mut holder: Holder = crate::from_str("{}").unwrap();
    holder.widget = Widget::default();
    assert_eq!(to_string(&holder), "{}");
    holder.widget.spare = Some(Box::default());
    assert_eq!(to_string(&holder), r#"{"widget":{"size":0,"color":"","spare":{"size":0,"color":""}}}"#);
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
        static TABLE: Table = Table::new("Holder", " widget");
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
    let text =
        r#"{"size":1,"parts":[{"b":[1.10,{"c":null}],"z":null}],"spare":{"size":2,"y.z":"\u00e4"},"a":{"size":true}}"#;
    assert_eq!((round(text).as_str(), own_round(text).as_str()), (text, text));
    let widget = read(text).unwrap();
    assert_eq!(widget.unknown_.get("a").as_ref().map(RawJson::as_str), Some(r#"{"size":true}"#));
    assert_eq!(widget.unknown_.iter().count(), 1);
    assert_eq!(format!("{:?}", widget.spare.unwrap()), r#"Widget { size: 2, color: "", unknown_: {"y.z"} }"#);
}

#[test]
fn equality_goes_by_the_values_of_unknown_members() {
    let widget = read(r#"{"a":{"b":1,"c":[2.0]},"d":"\u0041"}"#).unwrap();
    assert_eq!(read(r#"{"size":0,"color":"","d":"A","a":{"c":[2],"b":0,"b":1e0}}"#).unwrap(), widget);
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
    widget.unknown_.clear();
    assert!(widget.unknown_.is_empty());
    assert_eq!(widget, Widget::default());
}

#[test]
fn unknown_members_can_be_dropped() {
    let text = r#"{"a":1,"parts":[{"b":2},{"spare":{"c":3},"base":{"a":[1]}}],"free":{"d":4}}"#;
    let mut widget = read(text).unwrap();
    drop_unknown(&mut widget);
    assert_eq!(to_string(&widget), r#"{"parts":[{},{"spare":{},"base":{"a":[1]}}],"free":{"d":4}}"#);
}

#[test]
fn members_beyond_the_64th_are_kept_and_may_be_absent() {
    let wide = Wide::default();
    assert_eq!(to_string(&wide).matches(":0").count(), wide.members.len());
    for text in ["{}", r#"{"m63":0}"#, r#"{"m64":0,"x":1}"#, r#"{"m0":1,"m69":0}"#, r#"{"m69":1}"#] {
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
    unknown_: Unknown,
}

impl Default for Wide {
    fn default() -> Self {
        Self { members: [0; 70], unknown_: Unknown::default() }
    }
}

const WIDE: &str = " m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26 \
    m27 m28 m29 m30 m31 m32 m33 m34 m35 m36 m37 m38 m39 m40 m41 m42 m43 m44 m45 m46 m47 m48 m49 m50 m51 m52 \
    m53 m54 m55 m56 m57 m58 m59 m60 m61 m62 m63 m64 m65 m66 m67 m68 m69";

impl Object for Wide {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("Wide", WIDE);
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.unknown_.visit_as_member(self.members.len(), visitor);
        self.members.iter().enumerate().for_each(|(index, member)| member.visit_as_member(index, visitor));
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match self.members.get_mut(index) {
            Some(member) => member.slot(is_present),
            None => Slot::Unknown(&mut self.unknown_),
        }
    }
}

crate::__object!(Wide);
