// not vendored
//! Bodies in protobuf, which clients written in Go send for built-in kinds.
//!
//! A body is `k8s\0` and a message `runtime.Unknown`: the kind of the object, and the object as a
//! message of that kind. Decoded, it is the tree that the same object in JSON has.

mod object;
mod table;
mod wire;

use crate::tree::Body;
use serde_json::{Map, Value, json};
use table::TABLE;
use wire::{Error, Fields};

/// Whether bodies of a kind are read.
pub(crate) fn has(api_version: &str, kind: &str) -> bool {
    TABLE.number(api_version, kind).is_some()
}

/// Decodes the message of a body, without the prefix. Where it does not state version and kind, they are the expected
/// ones. An object of an unknown kind has no other members.
///
/// # Errors
/// When it is no valid message of its kind. The errors are worded as by a server.
pub(crate) fn decode(message: &[u8], expected: [&str; 2]) -> Result<Body, String> {
    tree(message, expected)
        .map(|tree| Body { tree, ..Body::default() })
        .map_err(|error| error.to_string())
}

fn tree(message: &[u8], expected: [&str; 2]) -> Result<Value, Error> {
    let mut stated: [&[u8]; 2] = Default::default();
    let mut raw: &[u8] = &[];
    for field in Fields::new(message) {
        match field? {
            (1, meta) => {
                for field in Fields::new(meta.bytes_of("TypeMeta")?) {
                    match field? {
                        (1, part) => stated[0] = part.bytes_of("APIVersion")?,
                        (2, part) => stated[1] = part.bytes_of("Kind")?,
                        _ => {}
                    }
                }
            }
            (2, part) => raw = part.bytes_of("Raw")?,
            _ => {}
        }
    }
    let [api_version, kind] = [0, 1].map(|index| match stated[index] {
        [] => expected[index].to_owned(),
        text => String::from_utf8_lossy(text).into_owned(),
    });
    let mut members = Map::new();
    members.insert("kind".to_owned(), json!(kind));
    members.insert("apiVersion".to_owned(), json!(api_version));
    if let Some(number) = TABLE.number(&api_version, &kind) {
        object::decode(number, raw, &mut members)?;
    }
    Ok(Value::Object(members))
}
