//! JSON patches (RFC 6902), with the deviations that API servers have.

use kapigen_runtime::change::bounds::{Budget, Excess};
use serde_json::Value;

/// A step cannot be applied. Servers do not report which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unfit;

impl From<Excess> for Unfit {
    fn from(_: Excess) -> Self {
        Self
    }
}

/// The most steps that a patch may have, as for API servers.
const MOST_STEPS: usize = 10_000;

/// Applies the steps of a patch, all or none.
pub(crate) fn apply(target: &mut Value, steps: &[Value]) -> Result<(), Unfit> {
    if steps.len() > MOST_STEPS {
        return Err(Unfit);
    }
    let mut result = target.clone();
    let mut budget = Budget::of(target, steps);
    for step in steps {
        apply_step(&mut result, step, &mut budget)?;
    }
    *target = result;
    Ok(())
}

fn apply_step(target: &mut Value, step: &Value, budget: &mut Budget) -> Result<(), Unfit> {
    let text = |key: &str| step.get(key).and_then(Value::as_str).ok_or(Unfit);
    let value = || step.get("value").cloned().unwrap_or(Value::Null);
    let path = pointer(text("path")?);
    match text("op")? {
        "add" => {
            let added = value();
            budget.charge(&added, path.len())?;
            add(target, &path, added)
        }
        "remove" => remove(target, &path).map(drop),
        "replace" => {
            let new = value();
            budget.charge(&new, path.len())?;
            replace(target, &path, new)
        }
        "move" => {
            let moved = remove(target, &pointer(text("from")?))?;
            budget.charge(&moved, path.len())?;
            add(target, &path, moved)
        }
        "copy" => {
            let copied = copied(target, &pointer(text("from")?))?;
            budget.charge(&copied, path.len())?;
            add(target, &path, copied)
        }
        "test" => test(target, &path, &value()),
        _ => Err(Unfit),
    }
}

/// The steps of a pointer. Servers ignore the characters before its first slash.
fn pointer(text: &str) -> Vec<String> {
    text.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

/// The value at a path.
fn find<'a>(target: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    path.iter().try_fold(target, |value, step| match value {
        Value::Object(members) => members.get_mut(step.as_str()),
        Value::Array(elements) => {
            let index = position(step, elements.len())?;
            elements.get_mut(index)
        }
        _ => None,
    })
}

/// The index that a step names. A negative one counts from the end.
fn position(step: &str, length: usize) -> Option<usize> {
    let index: i64 = step.parse().ok()?;
    let length = i64::try_from(length).ok()?;
    let index = if index < 0 { index + length } else { index };
    usize::try_from(index).ok()
}

fn parent<'a, 'p>(target: &'a mut Value, path: &'p [String]) -> Result<(&'a mut Value, &'p str), Unfit> {
    let (last, parents) = path.split_last().ok_or(Unfit)?;
    Ok((find(target, parents).ok_or(Unfit)?, last))
}

fn add(target: &mut Value, path: &[String], value: Value) -> Result<(), Unfit> {
    match parent(target, path)? {
        (Value::Object(members), name) => _ = members.insert(name.to_owned(), value),
        (Value::Array(elements), "-") => elements.push(value),
        (Value::Array(elements), step) => {
            let length = elements.len();
            // Behind the last element one can be added.
            let index = position(step, length + usize::from(step.starts_with('-'))).ok_or(Unfit)?;
            if index > length {
                return Err(Unfit);
            }
            elements.insert(index, value);
        }
        _ => return Err(Unfit),
    }
    Ok(())
}

fn remove(target: &mut Value, path: &[String]) -> Result<Value, Unfit> {
    match parent(target, path)? {
        (Value::Object(members), name) => members.shift_remove(name).ok_or(Unfit),
        (Value::Array(elements), step) => {
            let index = position(step, elements.len()).filter(|index| *index < elements.len()).ok_or(Unfit)?;
            Ok(elements.remove(index))
        }
        _ => Err(Unfit),
    }
}

/// A member that is not there is added, an element that is not there is an error.
fn replace(target: &mut Value, path: &[String], value: Value) -> Result<(), Unfit> {
    if path.is_empty() {
        *target = value;
        return Ok(());
    }
    match parent(target, path)? {
        (Value::Object(members), name) => _ = members.insert(name.to_owned(), value),
        (Value::Array(elements), step) => {
            let index = position(step, elements.len()).ok_or(Unfit)?;
            *elements.get_mut(index).ok_or(Unfit)? = value;
        }
        _ => return Err(Unfit),
    }
    Ok(())
}

/// A member that is not there is copied as `null`.
fn copied(target: &mut Value, path: &[String]) -> Result<Value, Unfit> {
    match parent(target, path)? {
        (Value::Object(members), name) => Ok(members.get(name).cloned().unwrap_or(Value::Null)),
        (Value::Array(elements), step) => {
            let index = position(step, elements.len()).ok_or(Unfit)?;
            elements.get(index).cloned().ok_or(Unfit)
        }
        _ => Err(Unfit),
    }
}

/// A member that is not there equals `null`, if its parent is there.
fn test(target: &mut Value, path: &[String], value: &Value) -> Result<(), Unfit> {
    let found = if path.is_empty() { target.clone() } else { copied(target, path)? };
    if equal(&found, value) { Ok(()) } else { Err(Unfit) }
}

/// Numbers are compared as they are spelled: `1` is not `1.0`.
fn equal(a: &Value, b: &Value) -> bool {
    a == b
}

#[cfg(test)]
mod tests {
    use super::Unfit;
    use serde_json::{Value, json};

    fn patched(target: Value, steps: &Value) -> Result<Value, Unfit> {
        let mut target = target;
        super::apply(&mut target, steps.as_array().unwrap()).map(|()| target)
    }

    #[test]
    fn each_operation_does_its_work() {
        let start = json!({"a": {"b": [1, 2]}});
        let cases = [
            (json!([{"op": "add", "path": "/a/c", "value": 3}]), json!({"a": {"b": [1, 2], "c": 3}})),
            (json!([{"op": "add", "path": "/a/b/-", "value": 3}]), json!({"a": {"b": [1, 2, 3]}})),
            (json!([{"op": "add", "path": "/a/b/0", "value": 0}]), json!({"a": {"b": [0, 1, 2]}})),
            (json!([{"op": "remove", "path": "/a/b/-1"}]), json!({"a": {"b": [1]}})),
            (json!([{"op": "replace", "path": "/a/b/1", "value": 9}]), json!({"a": {"b": [1, 9]}})),
            (json!([{"op": "move", "from": "/a/b", "path": "/d"}]), json!({"a": {}, "d": [1, 2]})),
            (json!([{"op": "copy", "from": "/a/b/0", "path": "/x~1y~0z"}]), json!({"a": {"b": [1, 2]}, "x/y~z": 1})),
            (json!([{"op": "test", "path": "/a/b", "value": [1, 2]}]), start.clone()),
        ];
        for (steps, result) in cases {
            assert_eq!(patched(start.clone(), &steps), Ok(result), "{steps}");
        }
    }

    #[test]
    fn all_steps_are_applied_or_none() {
        let mut target = json!({"a": 1});
        let steps = json!([{"op": "add", "path": "/b", "value": 2}, {"op": "test", "path": "/a", "value": 2}]);
        assert_eq!(super::apply(&mut target, steps.as_array().unwrap()), Err(Unfit));
        assert_eq!(target, json!({"a": 1}));
    }

    /// Each copy would double the object, each move make it deeper.
    #[test]
    fn patches_cannot_make_objects_large_or_deep() {
        let copies: Vec<_> = (0..60).map(|_| json!({"op": "copy", "from": "/a", "path": "/a/-"})).collect();
        assert_eq!(patched(json!({"a": [1]}), &Value::Array(copies)), Err(Unfit));
        let mut moves = Vec::new();
        for _ in 0..4000 {
            moves.push(json!({"op": "add", "path": "/b", "value": {}}));
            moves.push(json!({"op": "move", "from": "/a", "path": "/b/a"}));
            moves.push(json!({"op": "move", "from": "/b", "path": "/a"}));
        }
        assert_eq!(patched(json!({"a": 1}), &Value::Array(moves[..9000].to_vec())), Err(Unfit));
        assert_eq!(patched(json!({"a": 1}), &Value::Array(moves)), Err(Unfit));
    }

    #[test]
    fn steps_that_do_not_fit_are_refused() {
        for step in [
            json!({"op": "remove", "path": "/b"}),
            json!({"op": "add", "path": "/l/9", "value": 1}),
            json!({"op": "add", "path": "/l/x", "value": 1}),
            json!({"op": "add", "path": "/b/c", "value": 1}),
            json!({"op": "remove", "path": ""}),
            json!({"op": "grow", "path": "/a"}),
            json!({"op": "add", "value": 1}),
            json!({"path": "/a"}),
        ] {
            assert_eq!(patched(json!({"a": 1, "l": [1]}), &json!([step])), Err(Unfit));
        }
    }
}
