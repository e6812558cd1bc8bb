//! The order in which servers write the members of objects: as their source declares the structs.
//! The fixtures have this order; `serde_json` sorts.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// The names of members, as they follow each other in objects that are members of the same name
/// themselves.
#[derive(Debug, Default)]
pub struct Order(BTreeMap<String, Vec<String>>);

/// Members of these are sorted.
const MAPS: [&str; 3] = ["annotations", "fieldsV1", "labels"];

impl Order {
    /// Derives it from JSON documents.
    pub fn from_documents(texts: &[&str]) -> Self {
        let mut order = Self::default();
        for text in texts {
            order.learn("", serde_json::from_str(text).expect("fixtures are JSON"));
        }
        order
    }

    fn learn(&mut self, parent: &str, node: Node) {
        match node {
            Node::Leaf => {}
            Node::Array(elements) => {
                elements.into_iter().for_each(|element| self.learn(parent, element))
            }
            Node::Object(members) => {
                let names = self.0.entry(parent.to_owned()).or_default();
                let mut at = 0;
                for (name, _) in &members {
                    // A new member is put behind the same member as before.
                    at = names.iter().position(|known| known == name).unwrap_or_else(|| {
                        names.insert(at, name.clone());
                        at
                    }) + 1;
                }
                let structs =
                    members.into_iter().filter(|(name, _)| !MAPS.contains(&name.as_str()));
                structs.for_each(|(name, member)| self.learn(&name, member));
            }
        }
    }

    /// Writes a value in this order. Other members come last, sorted, as in maps.
    pub fn text(&self, value: &Value) -> String {
        let mut text = String::new();
        self.write("", value, &mut text);
        text
    }

    fn write(&self, parent: &str, value: &Value, text: &mut String) {
        match value {
            Value::Object(members) => {
                let names = self.0.get(parent).map_or(&[][..], Vec::as_slice);
                let mut members: Vec<_> = members.iter().collect();
                let place = |name: &str| {
                    names.iter().position(|known| known == name).unwrap_or(names.len())
                };
                members.sort_by_key(|(name, _)| place(name));
                text.push('{');
                for (index, (name, member)) in members.into_iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "," });
                    *text += &Value::from(name.as_str()).to_string();
                    text.push(':');
                    self.write(name, member, text);
                }
                text.push('}');
            }
            Value::Array(elements) => {
                text.push('[');
                for (index, element) in elements.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "," });
                    self.write(parent, element, text);
                }
                text.push(']');
            }
            leaf => *text += &leaf.to_string(),
        }
    }
}

/// A value with its members in the order of the document.
enum Node {
    Leaf,
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Nodes)
    }
}

struct Nodes;

impl<'de> Visitor<'de> for Nodes {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
        Ok(Node::Leaf)
    }
    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Leaf)
    }
    fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
        Ok(Node::Leaf)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Leaf)
    }
    fn visit_str<E>(self, _: &str) -> Result<Node, E> {
        Ok(Node::Leaf)
    }
    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Node, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = array.next_element()? {
            elements.push(element);
        }
        Ok(Node::Array(elements))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = object.next_entry()? {
            members.push(member);
        }
        Ok(Node::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::Order;
    use serde_json::json;

    #[test]
    fn members_are_written_as_they_were_learned() {
        let order = Order::from_documents(&[
            r#"{"z":1,"b":{"y":[{"d":1,"c":2}]}}"#,
            r#"{"z":null,"m":true,"b":{"y":[{"c":"","a":1.5}]}}"#,
        ]);
        let value =
            json!({"b": {"y": [{"a": 1, "c": 2, "d": 3, "b": 4}], "x": {}}, "m": [], "z": "\""});
        let expected = r#"{"z":"\"","m":[],"b":{"y":[{"d":3,"c":2,"a":1,"b":4}],"x":{}}}"#;
        assert_eq!(order.text(&value), expected);
    }
}
