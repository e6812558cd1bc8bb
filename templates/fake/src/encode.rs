//! Trees as JSON, as servers write them.

use serde_json::{Number, Value};

/// The order in which members are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// In the order of the tree.
    #[default]
    Kept,
    /// By their names.
    Sorted,
}

/// A tree as JSON. Serializers do the same in many small functions, which take most of the time of
/// a write in a build without optimizations.
pub(crate) fn encode(tree: &Value) -> Vec<u8> {
    encode_in(Order::Kept, tree, &[])
}

/// A tree as JSON, with its members in an order. Fields, if any, are JSON and replace the `null` in
/// `fieldsV1` of the first manager.
pub(crate) fn encode_in(order: Order, tree: &Value, fields: &[u8]) -> Vec<u8> {
    let hole =
        (!fields.is_empty()).then(|| tree.pointer("/metadata/managedFields/0/fieldsV1")).flatten();
    let form = Form {
        order,
        hole: hole.unwrap_or(&Value::Null),
        text: if hole.is_some() { fields } else { b"null" },
    };
    let mut json = Vec::with_capacity(1024 + 2 * fields.len());
    encode_value(tree, form, &mut json);
    json
}

/// The form in which a tree is encoded.
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

fn encode_members<'a>(
    members: impl IntoIterator<Item = (&'a String, &'a Value)>,
    form: Form<'_>,
    json: &mut Vec<u8>,
) {
    for (index, (name, member)) in members.into_iter().enumerate() {
        if index > 0 {
            json.push(b',');
        }
        encode_string(name, json);
        json.push(b':');
        encode_value(member, form, json);
    }
}

/// A number as Go writes it: without a fraction if it has none, and with an exponent if it is very
/// large or small.
fn number_text(number: &Number) -> String {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else {
        return number.to_string();
    };
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

#[cfg(test)]
mod tests {
    use super::encode;
    use serde_json::{Value, json};

    #[test]
    fn trees_are_encoded_as_serializers_do() {
        let texts: Vec<_> =
            (0..0x300).filter_map(char::from_u32).map(|c| format!("a{c}b")).collect();
        let numbers = json!([0, -1, 1.5, u64::MAX, i64::MIN]);
        let tree = json!({"": null, "a\"": [true, false, {}, [], {"b": {"c": ""}}], "texts": texts, "numbers": numbers});
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
