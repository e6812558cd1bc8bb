//! Merge patches (RFC 7386).

use serde_json::{Map, Value};

/// Applies a merge patch: members replace those of the same name, `null` removes them.
pub(crate) fn apply(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        target.clone_from(patch);
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else { return };
    for (name, change) in patch {
        if change.is_null() {
            target.shift_remove(name);
        } else {
            apply(target.entry(name.as_str()).or_insert(Value::Null), change);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    /// The table of RFC 7386, appendix A.
    #[test]
    fn agrees_with_the_rfc() {
        let cases = json!([
            [{"a":"b"}, {"a":"c"}, {"a":"c"}],
            [{"a":"b"}, {"b":"c"}, {"a":"b","b":"c"}],
            [{"a":"b"}, {"a":null}, {}],
            [{"a":"b","b":"c"}, {"a":null}, {"b":"c"}],
            [{"a":["b"]}, {"a":"c"}, {"a":"c"}],
            [{"a":"c"}, {"a":["b"]}, {"a":["b"]}],
            [{"a":{"b":"c"}}, {"a":{"b":"d","c":null}}, {"a":{"b":"d"}}],
            [{"a":[{"b":"c"}]}, {"a":[1]}, {"a":[1]}],
            [["a","b"], ["c","d"], ["c","d"]],
            [{"a":"b"}, ["c"], ["c"]],
            [{"a":"foo"}, null, null],
            [{"a":"foo"}, "bar", "bar"],
            [{"e":null}, {"a":1}, {"e":null,"a":1}],
            [[1,2], {"a":"b","c":null}, {"a":"b"}],
            [{}, {"a":{"bb":{"ccc":null}}}, {"a":{"bb":{}}}],
        ]);
        for case in cases.as_array().unwrap() {
            let mut target: Value = case[0].clone();
            super::apply(&mut target, &case[1]);
            assert_eq!(target, case[2], "{case}");
        }
    }
}
