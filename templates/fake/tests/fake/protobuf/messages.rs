//! Messages of built-in kinds: makes values of them, and encodes these as clients in Go do.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use test_support::places;

/// The messages: their fields, and how Go declares them.
pub(crate) struct Messages {
    fields: BTreeMap<String, Value>,
    declared: BTreeMap<String, Value>,
}

/// A field of a message.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// The name in JSON.
    name: String,
    number: u64,
    repeats: Option<&'static str>,
    /// `string`, or a message.
    target: String,
    /// Whether JSON has zeros.
    keeps_zero: bool,
    is_inline: bool,
}

/// Messages that hold one of their members.
const ONE_OF: [&str; 3] =
    ["JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray"];

impl Messages {
    pub(crate) fn read() -> Self {
        let lines = |path: &str| {
            let text = places::text(&places::data(path));
            let lines = text.lines().map(|line| serde_json::from_str(line).expect("an object"));
            lines.flat_map(|line: Map<String, Value>| line).collect()
        };
        let fields = lines("protobuf/fields.jsonl");
        Self { fields, declared: lines("declarations/declarations.jsonl") }
    }

    /// The message of a schema in a document.
    pub(crate) fn of_schema(&self, schema: &str) -> Option<String> {
        let name = format!("k8s.io.{}", schema.strip_prefix("io.k8s.")?.replace('-', "_"));
        self.fields.contains_key(&name).then_some(name)
    }

    fn fields(&self, message: &str) -> Vec<Field> {
        let declared = self.declared.get(message).unwrap_or(&Value::Null);
        let states = |key: &str, name: &str| {
            declared[key].as_array().is_some_and(|all| all.iter().any(|known| known == name))
        };
        let package = message.rsplit_once('.').expect("a package").0;
        let members = self.fields[message].as_object().expect("fields");
        let fields = members.iter().map(|(name, field)| {
            let ty = field[1].as_str().expect("a type");
            let (repeats, ty) = match ty.split_once(' ') {
                Some(("list", element)) => (Some("list"), element),
                Some((_, value)) => (Some("map"), value),
                None => (None, ty),
            };
            let local = format!("{package}.{ty}");
            let is_local = !ty.starts_with('.') && self.fields.contains_key(&local);
            Field {
                name: declared["renamed"][name].as_str().unwrap_or(name).to_owned(),
                number: field[0].as_u64().expect("a number"),
                repeats,
                target: if is_local { local } else { ty.trim_start_matches('.').to_owned() },
                keeps_zero: states("kept", name),
                is_inline: states("inline", name),
            }
        });
        fields.collect()
    }

    /// An object of a message. The seed decides which members it has, and their values.
    pub(crate) fn make(&self, message: &str, seed: &mut u64, depth: usize) -> Value {
        let is_one_of = ONE_OF.iter().any(|name| message.ends_with(name));
        let mut object = Map::new();
        let fields = self.fields(message);
        if is_one_of {
            let field = &fields[usize::from(depth > 0 && next(seed).is_multiple_of(2))];
            return self.value(field, seed, depth).unwrap_or_else(|| self.made(field, seed, 0));
        }
        for field in fields {
            if let Some(value) = self.value(&field, seed, depth) {
                match value {
                    Value::Object(members) if field.is_inline => object.extend(members),
                    value => _ = object.insert(field.name, value),
                }
            }
        }
        Value::Object(object)
    }

    /// The value of a field, or none.
    fn value(&self, field: &Field, seed: &mut u64, depth: usize) -> Option<Value> {
        let is_message = self.fields.contains_key(&field.target);
        // Metadata is checked, and so it is made by hand.
        let is_left_out = field.name == "metadata" || next(seed).is_multiple_of(4);
        if is_left_out || is_message && depth == 0 {
            return None;
        }
        let depth = depth.saturating_sub(usize::from(is_message));
        let count = next(seed) % 2 + 1;
        match field.repeats {
            Some("list") => Some((0..count).map(|_| self.made(field, seed, depth)).collect()),
            Some(_) => Some(Value::Object(
                (0..count).map(|key| (format!("k{key}"), self.made(field, seed, depth))).collect(),
            )),
            None => Some(self.made(field, seed, depth))
                .filter(|value| field.keeps_zero || !is_zero(value)),
        }
    }

    fn made(&self, field: &Field, seed: &mut u64, depth: usize) -> Value {
        let odd = next(seed);
        let time = "2024-02-29T12:30:45";
        match last(&field.target) {
            "bool" => json!(odd.is_multiple_of(2)),
            "bytes" => json!(BASE64_STANDARD.encode(&b"\0\xff\x80a"[..odd % 5])),
            "double" => [json!(0), json!(1.5), json!(-3), json!(0.1)][odd % 4].clone(),
            "int32" | "int64" => [json!(0), json!(7), json!(-1), json!(i32::MAX)][odd % 4].clone(),
            "string" => json!(["", "a", "b\n\"\u{e9}"][odd % 3]),
            "Time" => json!(format!("{time}Z")),
            "MicroTime" => json!(format!("{time}.000123Z")),
            "Quantity" => json!(["1Gi", "250m", "0"][odd % 3]),
            "IntOrString" => [json!(0), json!(80), json!("http")][odd % 3].clone(),
            "RawExtension" | "JSON" | "FieldsV1" => {
                [json!({"a": [1, null]}), json!({})][odd % 2].clone()
            }
            "ExtraValue" | "Verbs" => json!(["x", ""]),
            _ => self.make(&field.target, seed, depth),
        }
    }

    /// A body: the prefix, the kind, and the object.
    pub(crate) fn body(&self, message: &str, object: &Value) -> Vec<u8> {
        let stated = |key: &str| object[key].as_str().expect("a string").as_bytes();
        let kind = [bytes(1, stated("apiVersion")), bytes(2, stated("kind"))].concat();
        let raw = self.encode(message, object);
        [b"k8s\0".as_slice(), &bytes(1, &kind), &bytes(2, &raw), b"\x1a\0\x22\0"].concat()
    }

    /// The message of an object. As in Go, it has the zeros that JSON leaves out.
    fn encode(&self, message: &str, object: &Value) -> Vec<u8> {
        let mut encoded = Vec::new();
        if ONE_OF.iter().any(|name| message.ends_with(name)) {
            let [first, second] = &self.fields(message)[..] else { panic!("{message}") };
            let is_first = match object {
                Value::Bool(_) => true,
                Value::Object(_) => first.name == "schema",
                _ => false,
            };
            let field = if is_first { first } else { second };
            return self.field(field, object);
        }
        for field in self.fields(message) {
            if field.is_inline {
                encoded.extend(bytes(field.number, &self.encode(&field.target, object)));
                continue;
            }
            match object.get(&field.name) {
                Some(value) => encoded.extend(self.field(&field, value)),
                None if field.repeats.is_none() && !field.keeps_zero => {
                    encoded.extend(Self::zero(&field));
                }
                None => {}
            }
        }
        encoded
    }

    fn field(&self, field: &Field, value: &Value) -> Vec<u8> {
        match (field.repeats, value) {
            (Some("list"), Value::Array(elements)) => elements
                .iter()
                .flat_map(|element| self.single(field, field.number, element))
                .collect(),
            (Some(_), Value::Object(entries)) => entries
                .iter()
                .flat_map(|(key, value)| {
                    let entry = [bytes(1, key.as_bytes()), self.single(field, 2, value)].concat();
                    bytes(field.number, &entry)
                })
                .collect(),
            _ => self.single(field, field.number, value),
        }
    }

    fn zero(field: &Field) -> Vec<u8> {
        match &*field.target {
            "bool" | "int32" | "int64" => varint(field.number, 0),
            "string" => bytes(field.number, b""),
            target if last(target) == "Time" => bytes(field.number, b""),
            _ => Vec::new(),
        }
    }

    fn single(&self, field: &Field, number: u64, value: &Value) -> Vec<u8> {
        let text = || value.as_str().expect("a string").as_bytes();
        let json = || bytes(1, value.to_string().as_bytes());
        match last(&field.target) {
            "bool" => varint(number, u64::from(value == true)),
            "bytes" => bytes(number, &BASE64_STANDARD.decode(text()).expect("base64")),
            "double" => {
                let bits = value.as_f64().expect("a number").to_le_bytes();
                [tag(number, 1), bits.to_vec()].concat()
            }
            "int32" | "int64" => varint(number, value.as_i64().expect("a number").cast_unsigned()),
            "string" => bytes(number, text()),
            "Time" | "MicroTime" => {
                let time: openshift_api::jiff::Timestamp =
                    value.as_str().expect("a string").parse().expect("a time");
                let nanoseconds = u64::from(time.subsec_nanosecond().cast_unsigned());
                let seconds = varint(1, time.as_second().cast_unsigned());
                bytes(number, &[seconds, varint(2, nanoseconds)].concat())
            }
            "Quantity" => bytes(number, &bytes(1, text())),
            "IntOrString" => {
                let parts = match value.as_i64() {
                    Some(port) => [varint(1, 0), varint(2, port.cast_unsigned()), bytes(3, b"")],
                    None => [varint(1, 1), varint(2, 0), bytes(3, text())],
                };
                bytes(number, &parts.concat())
            }
            "RawExtension" | "JSON" | "FieldsV1" => bytes(number, &json()),
            "ExtraValue" | "Verbs" => {
                let elements = value.as_array().expect("a list").iter();
                let elements = elements.map(|text| bytes(1, text.as_str().expect("").as_bytes()));
                bytes(number, &elements.collect::<Vec<_>>().concat())
            }
            _ => bytes(number, &self.encode(&field.target, value)),
        }
    }
}

fn is_zero(value: &Value) -> bool {
    value == false || value == 0 || value == ""
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The next of a sequence of numbers.
pub(crate) fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).expect("31 bits")
}

fn number(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

fn tag(field: u64, wire_type: u64) -> Vec<u8> {
    number(field << 3 | wire_type)
}

pub(crate) fn varint(field: u64, value: u64) -> Vec<u8> {
    [tag(field, 0), number(value)].concat()
}

pub(crate) fn bytes(field: u64, content: &[u8]) -> Vec<u8> {
    [tag(field, 2), number(content.len() as u64), content.to_vec()].concat()
}
