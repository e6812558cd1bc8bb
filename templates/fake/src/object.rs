//! Objects as trees: access to the members that every object has.

use serde_json::{Map, Number, Value, json};

/// Access to metadata, by name.
pub(crate) trait Tree {
    fn metadata(&self, name: &str) -> Option<&Value>;
    /// A string of the metadata. Empty if it is absent.
    fn text(&self, name: &str) -> &str;
    fn set_metadata(&mut self, name: &str, value: Value);
    fn remove_metadata(&mut self, name: &str) -> Option<Value>;
    /// The value at a path with dots.
    fn at(&self, path: &str) -> Option<&Value>;
    /// Puts a value at a path with dots, through objects that are made where they are absent.
    fn put(&mut self, path: &str, value: Value);
}

impl Tree for Value {
    fn metadata(&self, name: &str) -> Option<&Value> {
        self.get("metadata")?.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str) -> &str {
        self.metadata(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn set_metadata(&mut self, name: &str, value: Value) {
        if let Some(metadata) = metadata_mut(self) {
            metadata.insert(name.to_owned(), value);
        }
    }

    fn remove_metadata(&mut self, name: &str) -> Option<Value> {
        metadata_mut(self)?.shift_remove(name)
    }

    fn at(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(self, |value, step| value.get(step))
    }

    fn put(&mut self, path: &str, value: Value) {
        let mut target = self;
        for step in path.split('.') {
            if !target.is_object() {
                *target = Value::Object(Map::new());
            }
            let Value::Object(members) = target else { return };
            target = members.entry(step).or_insert(Value::Null);
        }
        *target = value;
    }
}

/// The order in which members are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// As they are.
    #[default]
    Kept,
    /// By their names.
    Sorted,
}

/// A tree as JSON. Serializers do the same in many small functions, which take most of the time of a write in a build
/// without optimizations.
pub(crate) fn encode(tree: &Value) -> Vec<u8> {
    encode_in(Order::Kept, tree, &[])
}

/// A tree as JSON, with its members in an order. If there are fields, which are JSON, they replace the `null`
/// that `fieldsV1` of its first manager is.
pub(crate) fn encode_in(order: Order, tree: &Value, fields: &[u8]) -> Vec<u8> {
    let hole = (!fields.is_empty()).then(|| tree.pointer("/metadata/managedFields/0/fieldsV1")).flatten();
    let form = Form { order, hole: hole.unwrap_or(&Value::Null), text: if hole.is_some() { fields } else { b"null" } };
    let mut json = Vec::with_capacity(1024 + 2 * fields.len());
    encode_value(tree, form, &mut json);
    json
}

/// How a tree is encoded.
#[derive(Clone, Copy)]
struct Form<'a> {
    order: Order,
    /// The `null` that a text replaces.
    hole: &'a Value,
    text: &'a [u8],
}

fn encode_value(value: &Value, form: Form<'_>, json: &mut Vec<u8>) {
    match value {
        Value::Null if std::ptr::eq(value, form.hole) => json.extend_from_slice(form.text),
        Value::Null => json.extend_from_slice(b"null"),
        Value::Bool(true) => json.extend_from_slice(b"true"),
        Value::Bool(false) => json.extend_from_slice(b"false"),
        Value::Number(number) => json.extend_from_slice(number_text(number).as_bytes()),
        Value::String(text) => encode_string(text, json),
        Value::Array(elements) => {
            json.push(b'[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    json.push(b',');
                }
                encode_value(element, form, json);
            }
            json.push(b']');
        }
        Value::Object(members) => {
            json.push(b'{');
            match form.order {
                Order::Kept => encode_members(members, form, json),
                Order::Sorted => {
                    let mut members: Vec<_> = members.iter().collect();
                    members.sort_unstable_by_key(|(name, _)| *name);
                    encode_members(members, form, json);
                }
            }
            json.push(b'}');
        }
    }
}

fn encode_members<'a>(members: impl IntoIterator<Item = (&'a String, &'a Value)>, form: Form<'_>, json: &mut Vec<u8>) {
    for (index, (name, member)) in members.into_iter().enumerate() {
        if index > 0 {
            json.push(b',');
        }
        encode_string(name, json);
        json.push(b':');
        encode_value(member, form, json);
    }
}

/// A number as Go writes it: without a fraction if it has none, and with an exponent if it is very large or small.
fn number_text(number: &Number) -> String {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else { return number.to_string() };
    let size = float.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        return format!("{float:e}").replace('e', if size >= 1e21 { "e+" } else { "e" });
    }
    float.to_string()
}

fn encode_string(text: &str, json: &mut Vec<u8>) {
    json.push(b'"');
    encode_characters(text, json);
    json.push(b'"');
}

/// The characters of a string of JSON.
pub(crate) fn encode_characters(text: &str, json: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let mut start = 0;
    while let Some(length) = plain(&bytes[start..]) {
        let end = start + length;
        json.extend_from_slice(&bytes[start..end]);
        match bytes[end] {
            byte @ (b'"' | b'\\') => json.extend_from_slice(&[b'\\', byte]),
            control => {
                let escaped = match control {
                    b'\n' => "\\n".to_owned(),
                    b'\r' => "\\r".to_owned(),
                    b'\t' => "\\t".to_owned(),
                    0x08 => "\\b".to_owned(),
                    0x0c => "\\f".to_owned(),
                    other => format!("\\u{other:04x}"),
                };
                json.extend_from_slice(escaped.as_bytes());
            }
        }
        start = end + 1;
    }
    json.extend_from_slice(&bytes[start..]);
}

/// The number of bytes before the first one that is escaped. `None` if there is none.
fn plain(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    // Each byte is a quote, a backslash, or a space, before which there are control characters.
    const QUOTES: u64 = ONES * 0x22;
    const BACKSLASHES: u64 = ONES * 0x5c;
    const SPACES: u64 = ONES * 0x20;
    let mut length = 0;
    // Eight at once: closures and iterators are calls in a build without optimizations.
    while let Some(word) = bytes[length..].first_chunk() {
        let word = u64::from_le_bytes(*word);
        let quote = word ^ QUOTES;
        let backslash = word ^ BACKSLASHES;
        let found = word.wrapping_sub(SPACES) & !word
            | quote.wrapping_sub(ONES) & !quote
            | backslash.wrapping_sub(ONES) & !backslash;
        if found & HIGH != 0 {
            break;
        }
        length += 8;
    }
    while length < bytes.len() {
        if bytes[length] < b' ' || bytes[length] == b'"' || bytes[length] == b'\\' {
            return Some(length);
        }
        length += 1;
    }
    None
}

/// The metadata of an object, made if it is absent.
fn metadata_mut(object: &mut Value) -> Option<&mut Map<String, Value>> {
    const METADATA: &str = "metadata";
    let members = object.as_object_mut()?;
    if members.get(METADATA).is_none_or(Value::is_null) {
        members.insert(METADATA.to_owned(), json!({}));
    }
    members.get_mut(METADATA)?.as_object_mut()
}

/// The greatest depth of stored objects. The record of managers has the members of the object once more, below itself,
/// and the parser ends at 128.
const DEEPEST: usize = 100;

/// Whether an object is nested too deeply to be stored.
pub(crate) fn is_too_deep(object: &Value) -> bool {
    fn exceeds(value: &Value, left: usize) -> bool {
        match value {
            Value::Array(_) | Value::Object(_) if left == 0 => return true,
            Value::Array(elements) => {
                for element in elements {
                    if exceeds(element, left - 1) {
                        return true;
                    }
                }
            }
            Value::Object(members) => {
                for member in members.values() {
                    if exceeds(member, left - 1) {
                        return true;
                    }
                }
            }
            _ => {}
        }
        false
    }
    exceeds(object, DEEPEST)
}

/// Whether an object waits for its end.
pub(crate) fn is_terminating(object: &Value) -> bool {
    object.metadata("deletionTimestamp").is_some()
}

/// Marks an object as deleted: it waits for its end, for which it may take these seconds.
pub(crate) fn mark_deleted(object: &mut Value, end: &str, grace: i64) {
    object.set_metadata("deletionTimestamp", json!(end));
    object.set_metadata("deletionGracePeriodSeconds", json!(grace));
    // Objects of kinds without generations have none.
    if let Some(generation) = object.metadata("generation").and_then(Value::as_i64) {
        object.set_metadata("generation", json!(generation.saturating_add(1)));
    }
}

/// The references of an object to its owners.
pub(crate) fn owners(object: &Value) -> impl Iterator<Item = &Value> {
    object.metadata("ownerReferences").and_then(Value::as_array).into_iter().flatten()
}

/// The finalizers that hold an object.
pub(crate) fn finalizers(object: &Value) -> Vec<&str> {
    let list = object.metadata("finalizers").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::encode;
    use serde_json::{Value, json};

    #[test]
    fn trees_are_encoded_as_serializers_do() {
        let texts: Vec<_> = (0..0x300).filter_map(char::from_u32).map(|c| format!("a{c}b")).collect();
        let numbers = json!([0, -1, 1.5, u64::MAX, i64::MIN]);
        let tree =
            json!({"": null, "a\"": [true, false, {}, [], {"b": {"c": ""}}], "texts": texts, "numbers": numbers});
        assert_eq!(encode(&tree), serde_json::to_vec(&tree).expect("JSON"));
        assert_eq!(encode(&Value::Null), b"null");
    }

    #[test]
    fn floats_are_encoded_as_go_does() {
        let numbers = json!([1.0, 1.5e300, -0.0, 1e-7, 1e20, 1e21, 123_456.789, 0.000_001]);
        let expected = "[1,1.5e+300,-0,1e-7,100000000000000000000,1e+21,123456.789,0.000001]";
        assert_eq!(String::from_utf8(encode(&numbers)).unwrap(), expected);
    }
}
