//! The order of the members of objects, which servers choose: members of custom resources and of
//! their lists are sorted, members of built-in kinds are as their types declare them.

use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// An order of members, in objects of any depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As the document has them.
    Recorded,
    /// By name, as servers encode custom resources and their lists.
    Sorted,
    /// The last one first.
    Reversed,
    /// By chance, with this seed.
    Shuffled(u64),
}

impl Order {
    /// As recorded, sorted and reversed.
    pub const ALL: [Self; 3] = [Self::Recorded, Self::Sorted, Self::Reversed];

    /// The same JSON with its members in this order. Text that is no JSON stays as it is.
    #[must_use]
    pub fn of(self, text: &str) -> String {
        let end = text.trim_end();
        match serde_json::from_str::<&RawValue>(end) {
            Ok(value) if self != Self::Recorded => self.value(value) + &text[end.len()..],
            _ => text.to_owned(),
        }
    }

    /// The same for a body, which is one document, or has one on each line. Bytes that are no text
    /// stay as they are.
    #[must_use]
    pub fn of_body(self, body: &[u8]) -> Vec<u8> {
        let Ok(text) = str::from_utf8(body) else { return body.to_vec() };
        let whole = self.of(text);
        if whole != text {
            return whole.into_bytes();
        }
        text.split_inclusive('\n').map(|line| self.of(line)).collect::<String>().into_bytes()
    }

    fn value(self, value: &RawValue) -> String {
        let text = value.get();
        let json = "it is JSON";
        if text.starts_with('[') {
            let elements: Vec<&RawValue> = serde_json::from_str(text).expect(json);
            let elements: Vec<String> =
                elements.into_iter().map(|element| self.value(element)).collect();
            return format!("[{}]", elements.join(","));
        }
        if !text.starts_with('{') {
            return text.to_owned();
        }
        let mut members =
            serde_json::Deserializer::from_str(text).deserialize_map(Members).expect(json);
        match self {
            Self::Recorded => {}
            Self::Sorted => members.sort_by(|(one, _), (other, _)| one.cmp(other)),
            Self::Reversed => members.reverse(),
            Self::Shuffled(seed) => members.sort_by_cached_key(|(name, _)| {
                let mut hasher = DefaultHasher::new();
                (seed, name).hash(&mut hasher);
                hasher.finish()
            }),
        }
        let encode = |name: &str| serde_json::to_string(name).expect("a string can be encoded");
        let members = members
            .into_iter()
            .map(|(name, value)| format!("{}:{}", encode(&name), self.value(value)));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

/// Takes the members of an object in their order. A map of `serde_json` may sort them.
struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn members_have_each_order_down_to_the_deepest() {
        let text = "{\"b\":[{\"d\":1.50,\"c\":\"\\u00e4\"}],\"a\":null}\n";
        let orders = Order::ALL.map(|order| order.of(text));
        let sorted = "{\"a\":null,\"b\":[{\"c\":\"\\u00e4\",\"d\":1.50}]}\n";
        let reversed = "{\"a\":null,\"b\":[{\"c\":\"\\u00e4\",\"d\":1.50}]}\n";
        assert_eq!(orders, [text, sorted, reversed]);
        assert_eq!(Order::Reversed.of(r#"{"a":1,"b":2,"c":3}"#), r#"{"c":3,"b":2,"a":1}"#);
    }

    #[test]
    fn lines_are_documents_of_their_own() {
        let body = b"{\"type\":\"A\",\"object\":{}}\n{\"type\":\"B\"}\n{\"cut";
        assert_eq!(
            Order::Sorted.of_body(body),
            b"{\"object\":{},\"type\":\"A\"}\n{\"type\":\"B\"}\n{\"cut"
        );
        assert_eq!(Order::Sorted.of_body(&[0xff]), [0xff]);
    }
}
