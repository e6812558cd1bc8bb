//! Applies JSON patches.

use super::ChangeError;
use super::bounds::{Budget, DEEPEST, Excess, MOST_SHIFTS, check_depth};
use super::path::unescaped;
use serde_json::Value;

type Result<T = ()> = std::result::Result<T, ChangeError>;

/// Applies a JSON patch (RFC 6902).
///
/// The rules are those of the RFC. Servers are less strict: there a `replace` adds an absent member, a `copy` or `test` of
/// one finds `null`, and indices below zero count from the end.
///
/// ```
/// use kapigen_runtime::change::apply_json;
/// use serde_json::json;
///
/// let mut value = json!({"a": [1, 3]});
/// apply_json(&mut value, &json!([{"op": "add", "path": "/a/1", "value": 2}])).unwrap();
/// assert_eq!(value, json!({"a": [1, 2, 3]}));
/// let error = apply_json(&mut value, &json!([{"op": "remove", "path": "/b"}])).unwrap_err();
/// assert_eq!(error.to_string(), "/b: there is no such value");
/// ```
///
/// # Errors
/// When the patch is not a list of operations, a path does not exist, a test fails, the result would be far larger than
/// value and patch, or nested more than 256 levels deep, or the steps would shift more than 50,000,000 elements of lists;
/// the error has the path. The value is left as it was then.
pub fn apply_json(target: &mut Value, operations: &Value) -> Result {
    let Some(operations) = operations.as_array() else {
        return Err(ChangeError::at("", "a JSON patch is a list of operations"));
    };
    let mut result = target.clone();
    // Moves that make a value deeper count as copies, since they visit the whole of it.
    let mut budget = Budget::of(target, operations);
    for operation in operations {
        apply_step(&mut result, operation, &mut budget)?;
    }
    *target = result;
    Ok(())
}

fn apply_step(target: &mut Value, operation: &Value, budget: &mut Budget) -> Result {
    let text = |name: &str| {
        let text = operation.get(name).and_then(Value::as_str);
        text.ok_or_else(|| ChangeError::at("", format!("an operation has no `{name}`: {}", shown(operation))))
    };
    let path = text("path")?;
    let value = || {
        let value = operation.get("value").ok_or_else(|| ChangeError::at(path, "the operation has no `value`"))?;
        check_depth(value, levels(path)).map(|()| value.clone()).map_err(|excess| fault(path, excess))
    };
    match text("op")? {
        "add" => add(target, path, value()?, budget),
        "remove" => remove(target, path, budget).map(drop),
        "replace" => {
            *find(target, path)? = value()?;
            Ok(())
        }
        "move" => {
            let from = text("from")?;
            if path.strip_prefix(from).is_some_and(|rest| rest.starts_with('/')) {
                return Err(ChangeError::at(path, "a value cannot move into itself"));
            }
            let moved = remove(target, from, budget)?;
            if levels(path) > levels(from) {
                charge(path, &moved, budget)?;
            }
            add(target, path, moved, budget)
        }
        "copy" => {
            let original = find(target, text("from")?)?;
            charge(path, original, budget)?;
            let copied = original.clone();
            add(target, path, copied, budget)
        }
        "test" if equal(find(target, path)?, &value()?) => Ok(()),
        "test" => Err(ChangeError::at(path, "the test failed: there is another value")),
        other => Err(ChangeError::at(path, format!("`{}` is no operation of a JSON patch", shown(&other.into())))),
    }
}

fn shown(value: &Value) -> String {
    crate::codec::path::shortened(&value.to_string(), crate::codec::path::KEY).into_owned()
}

/// Rejects a value that makes the result too large or too deep.
fn charge(path: &str, value: &Value, budget: &mut Budget) -> Result {
    budget.charge(value, levels(path)).map_err(|excess| fault(path, excess))
}

fn fault(path: &str, excess: Excess) -> ChangeError {
    match excess {
        Excess::Size => ChangeError::at(path, "the copies are much larger than the value and the patch"),
        Excess::Depth => ChangeError::at(path, format!("nested more than {DEEPEST} levels deep")),
        Excess::Shifts => ChangeError::at(
            path,
            format!("the steps shift more than {MOST_SHIFTS} elements of lists; use fewer, or `replace` the list"),
        ),
    }
}

/// The number of levels above the value at a path.
fn levels(path: &str) -> usize {
    path.matches('/').count()
}

/// Numbers are equal by their value: 1 and 1.0. Integers are compared exactly.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || ((one.is_f64() || other.is_f64()) && one.as_f64() == other.as_f64())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| equal(one, other)))
        }
        _ => one == other,
    }
}

/// The tokens of a pointer.
fn tokens(path: &str) -> Result<Vec<String>> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let rest = path.strip_prefix('/').ok_or_else(|| ChangeError::at(path, "a path begins with `/`"))?;
    Ok(rest.split('/').map(unescaped).collect())
}

fn missing(path: &str) -> ChangeError {
    ChangeError::at(path, "there is no such value")
}

/// The index of an element: digits without a leading zero.
fn index(token: &str, length: usize) -> Option<usize> {
    let is_plain = token.bytes().all(|byte| byte.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    token.parse().ok().filter(|index| is_plain && *index < length)
}

fn find<'a>(target: &'a mut Value, path: &str) -> Result<&'a mut Value> {
    descend(target, &tokens(path)?).ok_or_else(|| missing(path))
}

fn descend<'a>(target: &'a mut Value, tokens: &[String]) -> Option<&'a mut Value> {
    tokens.iter().try_fold(target, |value, token| match value {
        Value::Object(members) => members.get_mut(token),
        Value::Array(elements) => {
            let length = elements.len();
            elements.get_mut(index(token, length)?)
        }
        _ => None,
    })
}

fn add(target: &mut Value, path: &str, value: Value, budget: &mut Budget) -> Result {
    let tokens = tokens(path)?;
    let Some((last, parents)) = tokens.split_last() else {
        *target = value;
        return Ok(());
    };
    match descend(target, parents) {
        Some(Value::Object(members)) => _ = members.insert(last.clone(), value),
        Some(Value::Array(elements)) => {
            let length = elements.len();
            let at = if last == "-" { Some(length) } else { index(last, length + 1) };
            let at = at.ok_or_else(|| missing(path))?;
            budget.shift(length - at).map_err(|excess| fault(path, excess))?;
            elements.insert(at, value);
        }
        _ => return Err(missing(path)),
    }
    Ok(())
}

fn remove(target: &mut Value, path: &str, budget: &mut Budget) -> Result<Value> {
    let tokens = tokens(path)?;
    let Some((last, parents)) = tokens.split_last() else { return Ok(target.take()) };
    let removed = match descend(target, parents) {
        Some(Value::Object(members)) => members.remove(last),
        Some(Value::Array(elements)) => {
            let at = index(last, elements.len()).ok_or_else(|| missing(path))?;
            budget.shift(elements.len() - at - 1).map_err(|excess| fault(path, excess))?;
            Some(elements.remove(at))
        }
        _ => None,
    };
    removed.ok_or_else(|| missing(path))
}
