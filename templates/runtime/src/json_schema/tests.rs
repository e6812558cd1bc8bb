//! Schemas of a struct of its own. Schemas of generated types are tested in the crate that has all
//! of them.

use super::*;
use crate::codec::{MemberVisitor, Object, Slot, Table, Unknown};
use crate::values::PropagationPolicy;
use schemars::{JsonSchema, SchemaGenerator};
use std::collections::BTreeMap;

#[derive(Clone, Default, PartialEq)]
struct Node {
    children: Option<Vec<Node>>,
    name: String,
    next: Option<Box<Node>>,
    pairs: Option<Vec<Pair>>,
    policy: Option<PropagationPolicy>,
    weight: f64,
    unknown_: Unknown,
}

static NODE: Table = Table::new("Node", "! children name! next pairs policy weight!").merge(&[
    (0, Merge::USUAL.map(&[("name", "")])),
    (3, Merge::USUAL.map(&[("left", "1"), ("right", "")])),
]);

impl Object for Node {
    fn table(&self) -> &'static Table {
        &NODE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.unknown_.visit_as_member(6, visitor);
        self.children.visit_as_member(0, visitor);
        self.name.visit_as_member(1, visitor);
        self.next.visit_as_member(2, visitor);
        self.pairs.visit_as_member(3, visitor);
        self.policy.visit_as_member(4, visitor);
        self.weight.visit_as_member(5, visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.children.slot(is_present),
            1 => self.name.slot(is_present),
            2 => self.next.slot(is_present),
            3 => self.pairs.slot(is_present),
            4 => self.policy.slot(is_present),
            5 => self.weight.slot(is_present),
            _ => Slot::Unknown(&mut self.unknown_),
        }
    }
}

crate::__object!(Node);

/// An element with keys that are optional.
#[derive(Clone, Default, PartialEq)]
struct Pair {
    left: Option<i64>,
    right: Option<i64>,
}

static PAIR: Table = Table::new("Pair", "! left right").atomic();

impl Object for Pair {
    fn table(&self) -> &'static Table {
        &PAIR
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.left.visit_as_member(0, visitor);
        self.right.visit_as_member(1, visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.left.slot(is_present),
            1 => self.right.slot(is_present),
            _ => Slot::Absent,
        }
    }
}

crate::__object!(Pair);

#[test]
fn recursion_ends_in_free_objects() {
    let node = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let properties =
        Node::json_schema(&mut SchemaGenerator::default()).to_value()["properties"].clone();
    assert_eq!(properties["next"], node);
    // Elements without known members have no keys by which they could merge.
    assert_eq!(
        properties["children"],
        json!({"type": "array", "x-kubernetes-list-type": "atomic", "items": node})
    );
}

#[test]
fn lists_with_optional_keys_are_atomic() {
    let pair = json!({
        "type": "object",
        "x-kubernetes-map-type": "atomic",
        "properties": {"left": {"type": "integer", "format": "int64"}, "right": {"type": "integer", "format": "int64"}},
    });
    let schema = Node::json_schema(&mut SchemaGenerator::default()).to_value();
    let pairs = json!({"type": "array", "x-kubernetes-list-type": "atomic", "items": pair});
    assert_eq!(schema["properties"]["pairs"], pairs);
}

#[test]
fn required_members_are_those_of_an_empty_object() {
    let schema = Node::json_schema(&mut SchemaGenerator::default()).to_value();
    assert_eq!(schema["required"], json!(["name", "weight"]));
    assert_eq!(schema["properties"]["weight"], json!({"type": "number", "format": "double"}));
    assert_eq!(schema["properties"]["policy"], json!({"type": "string"}));
}

#[test]
fn objects_are_definitions_and_values_are_not() {
    let mut generator = SchemaGenerator::default();
    assert_eq!(generator.subschema_for::<Node>().to_value(), json!({"$ref": "#/$defs/Node"}));
    let quantity = generator.subschema_for::<Quantity>().to_value();
    let either = json!({"x-kubernetes-int-or-string": true});
    assert_eq!(quantity, either);
    assert_eq!(generator.subschema_for::<Int64OrString>().to_value(), either);
    let mut limited = either;
    limited["minimum"] = json!(i32::MIN);
    limited["maximum"] = json!(i32::MAX);
    assert_eq!(generator.subschema_for::<IntOrString>().to_value(), limited);
    assert_eq!(generator.definitions().keys().collect::<Vec<_>>(), ["Node"]);
}

/// An element that is identified by a nullable member.
#[derive(Clone, Default, PartialEq)]
struct Key {
    name: String,
    free: Option<RawJson>,
    pairs: Option<Vec<Option<Pair>>>,
    sizes: Option<BTreeMap<String, Option<i64>>>,
    texts: Option<Vec<RawJson>>,
}

static KEY: Table = Table::new("Key", "! name!!! free!! pairs!! sizes texts");

impl Object for Key {
    fn table(&self) -> &'static Table {
        &KEY
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.name.visit_as_member(0, visitor);
        self.free.visit_as_member(1, visitor);
        self.pairs.visit_as_member(2, visitor);
        self.sizes.visit_as_member(3, visitor);
        self.texts.visit_as_member(4, visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.name.slot(is_present),
            1 => self.free.slot(is_present),
            2 => self.pairs.slot(is_present),
            3 => self.sizes.slot(is_present),
            4 => self.texts.slot(is_present),
            _ => Slot::Absent,
        }
    }
}

crate::__object!(Key);

/// A list of them.
#[derive(Clone, Default, PartialEq)]
struct Keyed(Vec<Key>);

static KEYED: Table =
    Table::new("Keyed", "! keys!").merge(&[(0, Merge::USUAL.map(&[("name", "")]))]);

impl Object for Keyed {
    fn table(&self) -> &'static Table {
        &KEYED
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.0.visit_as_member(0, visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        if index == 0 { self.0.slot(is_present) } else { Slot::Absent }
    }
}

crate::__object!(Keyed);

#[test]
fn what_is_nullable_may_be_null_but_for_the_keys_of_lists() {
    let key = Key::json_schema(&mut SchemaGenerator::default()).to_value();
    let free = json!({"x-kubernetes-preserve-unknown-fields": true});
    let properties = &key["properties"];
    assert_eq!(properties["name"], json!({"type": "string", "nullable": true}));
    assert_eq!(properties["pairs"]["nullable"], true);
    assert_eq!(properties["pairs"]["items"]["nullable"], true);
    let size = json!({"type": "integer", "format": "int64", "nullable": true});
    assert_eq!(properties["sizes"], json!({"type": "object", "additionalProperties": size}));
    assert_eq!(properties["texts"], json!({"type": "array", "items": free}));
    assert_eq!(properties["free"]["nullable"], true);
    let keyed = Keyed::json_schema(&mut SchemaGenerator::default()).to_value();
    let keys = &keyed["properties"]["keys"];
    assert_eq!(keys["x-kubernetes-list-type"], "map");
    assert_eq!(keys["items"]["properties"]["name"], json!({"type": "string"}));
}
