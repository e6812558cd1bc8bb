//! Types of the members of operations, parameters, request bodies and responses. They are checked before `openapiv3`
//! reads these objects: its errors name no member.

use super::keywords::Shape;
use serde_json::Value;

/// Members with the same type wherever they are.
const MEMBERS: [(&str, Shape); 10] = [
    ("callbacks", Shape::Object),
    ("content", Shape::Object),
    ("deprecated", Shape::Boolean),
    ("description", Shape::String),
    ("explode", Shape::Boolean),
    ("operationId", Shape::String),
    ("required", Shape::Boolean),
    ("responses", Shape::Object),
    ("style", Shape::String),
    ("summary", Shape::String),
];

/// The members of another type, each with a message. Null is left to `openapiv3`, which accepts it for some.
pub(super) fn mismatches(owner: &Value) -> Vec<(&'static str, String)> {
    let present = MEMBERS.iter().filter_map(|(member, shape)| Some((*member, shape, owner.get(member)?)));
    let mismatch = |(member, shape, value): (_, &Shape, &Value)| Some((member, shape.mismatch(member, value)?));
    present.filter(|(.., value)| !value.is_null()).filter_map(mismatch).collect()
}
