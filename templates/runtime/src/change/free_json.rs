//! Merging of free JSON.

use crate::codec::{View, json};
use crate::values::RawJson;
use std::collections::BTreeMap;

/// The maximum nesting depth of free JSON that is merged.
pub(super) const DEEPEST: usize = 64;

/// The first value with the members of the second: objects are merged at any depth, all else is replaced.
///
/// Numbers and strings stay as they are spelled. Neither value may be deep, or else nothing is merged below the limit.
pub(super) fn merged(old: &str, new: &str) -> RawJson {
    merged_to(DEEPEST, old, new)
}

fn merged_to(levels: usize, old: &str, new: &str) -> RawJson {
    let (Some(mut all), Some(new), 1..) = (members(old), members(new), levels) else {
        return RawJson::of_encoded(new.into());
    };
    for (name, new) in new {
        let value = match all.get(&name) {
            Some(old) => merged_to(levels - 1, old.as_str(), new.as_str()),
            None => new,
        };
        all.insert(name, value);
    }
    RawJson::of_encoded(json::write(&View::Map(&all)))
}

/// The members of an object. None if it is none, or has a name that is no string in Rust: half a surrogate pair.
fn members(text: &str) -> Option<BTreeMap<String, RawJson>> {
    text.starts_with('{').then(|| json::from_str(text).ok()).flatten()
}

/// Whether a value is nested more than [`DEEPEST`] levels deep.
pub(super) fn is_deep(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut is_in_string = false;
    let mut is_escaped = false;
    text.bytes().any(|byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_in_string = !is_in_string,
            b'{' | b'[' if !is_in_string => depth += 1,
            b'}' | b']' if !is_in_string => depth -= 1,
            _ => {}
        }
        depth > DEEPEST
    })
}

#[cfg(test)]
mod tests {
    use super::{is_deep, merged};

    #[test]
    fn objects_are_merged_and_all_else_is_replaced() {
        let merge = |old: &str, new: &str| merged(old, new).as_str().to_owned();
        assert_eq!(
            merge(r#"{"a":{"b":1.50},"c":[1]}"#, r#"{"a":{"d":1e3},"c":[2]}"#),
            r#"{"a":{"b":1.50,"d":1e3},"c":[2]}"#
        );
        assert_eq!(merge(r#"{"a":1}"#, "null"), "null");
        assert_eq!(merge("[1]", r#"{"a":1}"#), r#"{"a":1}"#);
    }

    #[test]
    fn brackets_in_strings_do_not_nest() {
        assert!(!is_deep(&format!(r#"["\"{}"]"#, "[".repeat(99))));
        assert!(!is_deep(&format!("{}{}", "[".repeat(64), "]".repeat(64))));
        assert!(is_deep(&format!("{}{}", "[".repeat(65), "]".repeat(65))));
    }
}
