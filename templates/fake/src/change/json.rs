//! JSON patches (RFC 6902), strictly or with the deviations of API servers.

use kapigen_runtime::change::ChangeError;
use kapigen_yaml::pointer::unescape;
use serde_json::Value;

type Result<T = (), E = ChangeError> = std::result::Result<T, E>;

/// The maximum number of steps that a patch may have, as for API servers.
pub(crate) const MOST_STEPS: usize = 10_000;

/// The rules that steps keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    /// The rules of the RFC.
    Rfc,
    /// The rules of servers, which ignore everything before the first slash of a path, count
    /// negative indices from the end, add an absent member for `replace`, read `null` for an absent
    /// member or value, and compare numbers as they are spelled. Steps cannot address the whole
    /// object.
    Servers,
}

/// Applies a JSON patch (RFC 6902).
///
/// It follows the RFC. Servers are less strict: their `replace` adds an absent member, a `copy` or
/// `test` of an absent member reads `null`, and negative indices count from the end.
///
/// ```
/// use kapigen_fake::change::apply_json;
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
/// When the patch is not a list of operations, a path does not exist, a test fails, the result
/// would be far larger than value and patch, or nested more than 256 levels deep, or the steps
/// would shift more than 50,000,000 elements of lists; the error has the path. The value is left as
/// it was then.
pub fn apply_json(target: &mut Value, operations: &Value) -> Result {
    let Some(operations) = operations.as_array() else {
        return Err(ChangeError::new("", "a JSON patch is a list of operations"));
    };
    apply(target, operations, Rules::Rfc)
}

/// Applies the steps of a patch as servers do, all or none.
pub(crate) fn apply_steps(target: &mut Value, steps: &[Value]) -> Result {
    if steps.len() > MOST_STEPS {
        return Err(ChangeError::new(
            "",
            format!("a JSON patch has at most {MOST_STEPS} operations"),
        ));
    }
    apply(target, steps, Rules::Servers)
}

fn apply(target: &mut Value, steps: &[Value], rules: Rules) -> Result {
    let mut patched = Patched { object: target.clone(), budget: Budget::new(target, steps), rules };
    for step in steps {
        patched.apply(step)?;
    }
    *target = patched.object;
    Ok(())
}

/// An object to which steps are applied.
struct Patched {
    object: Value,
    budget: Budget,
    rules: Rules,
}

impl Patched {
    fn apply(&mut self, step: &Value) -> Result {
        let path = self.path(member(step, "path")?)?;
        match member(step, "op")? {
            "add" => self.add_copy(&path, self.operand(step, &path)?),
            "remove" => self.remove(&path).map(drop),
            "replace" => self.replace(&path, self.operand(step, &path)?),
            "move" => {
                let from = self.path(member(step, "from")?)?;
                if path.tokens.len() > from.tokens.len() && path.tokens.starts_with(&from.tokens) {
                    return Err(path.error("a value cannot move into itself"));
                }
                let moved = self.remove(&from)?;
                // A move to a deeper path is charged like a copy, since the whole value is
                // inspected.
                if path.tokens.len() > from.tokens.len() {
                    self.charge(&path, &moved)?;
                }
                self.add(&path, moved)
            }
            "copy" => {
                let from = self.path(member(step, "from")?)?;
                if from.tokens.is_empty() && self.rules == Rules::Servers {
                    return Err(from.missing());
                }
                let copied = self.rules.read(&self.object, &from)?;
                self.budget
                    .charge(copied, path.tokens.len())
                    .map_err(|excess| path.excess(excess))?;
                let copied = copied.clone();
                self.add(&path, copied)
            }
            "test" => {
                let found = self.rules.read(&self.object, &path)?;
                let wanted = self.operand(step, &path)?;
                let is_equal =
                    if self.rules == Rules::Rfc { equal(found, wanted) } else { found == wanted };
                if is_equal {
                    Ok(())
                } else {
                    Err(path.error("the test failed: there is another value"))
                }
            }
            other => Err(path
                .error(format!("`{}` is not an operation of a JSON patch", shown(&other.into())))),
        }
    }

    /// The value that a step states.
    fn operand<'v>(&self, step: &'v Value, path: &Pointer<'_>) -> Result<&'v Value> {
        match step.get("value") {
            Some(value) => Ok(value),
            None if self.rules == Rules::Servers => Ok(&Value::Null),
            None => Err(path.error("the operation has no `value`")),
        }
    }

    fn path<'a>(&self, text: &'a str) -> Result<Pointer<'a>> {
        let Some(start) = text.find('/') else {
            let is_root = text.is_empty() || self.rules == Rules::Servers;
            let root = Pointer { text, tokens: Vec::new() };
            return if is_root { Ok(root) } else { Err(root.error("a path begins with `/`")) };
        };
        if start > 0 && self.rules == Rules::Rfc {
            return Err(ChangeError::new(text, "a path begins with `/`"));
        }
        let tokens = text[start + 1..].split('/').map(|token| unescape(token).into_owned());
        Ok(Pointer { text, tokens: tokens.collect() })
    }

    fn charge(&mut self, path: &Pointer<'_>, value: &Value) -> Result {
        self.budget.charge(value, path.tokens.len()).map_err(|excess| path.excess(excess))
    }

    fn add_copy(&mut self, path: &Pointer<'_>, value: &Value) -> Result {
        self.charge(path, value)?;
        self.add(path, value.clone())
    }

    fn add(&mut self, path: &Pointer<'_>, value: Value) -> Result {
        let Some((last, parents)) = path.tokens.split_last() else {
            return self.set_root(path, value);
        };
        match self.rules.find(&mut self.object, parents) {
            Some(Value::Object(members)) => _ = members.insert(last.clone(), value),
            Some(Value::Array(elements)) => {
                let length = elements.len();
                let at =
                    if last == "-" { Some(length) } else { self.rules.new_index(last, length) };
                let at = at.ok_or_else(|| path.missing())?;
                self.budget.shift(length - at).map_err(|excess| path.excess(excess))?;
                elements.insert(at, value);
            }
            _ => return Err(path.missing()),
        }
        Ok(())
    }

    fn remove(&mut self, path: &Pointer<'_>) -> Result<Value> {
        let Some((last, parents)) = path.tokens.split_last() else {
            let removed = self.object.clone();
            return self.set_root(path, Value::Null).map(|()| removed);
        };
        let removed = match self.rules.find(&mut self.object, parents) {
            Some(Value::Object(members)) => {
                self.budget.shift(members.len()).map_err(|excess| path.excess(excess))?;
                members.shift_remove(last)
            }
            Some(Value::Array(elements)) => {
                let at = self.rules.index(last, elements.len()).ok_or_else(|| path.missing())?;
                self.budget.shift(elements.len() - at - 1).map_err(|excess| path.excess(excess))?;
                Some(elements.remove(at))
            }
            _ => None,
        };
        removed.ok_or_else(|| path.missing())
    }

    fn replace(&mut self, path: &Pointer<'_>, value: &Value) -> Result {
        self.charge(path, value)?;
        if let Some(found) = self.rules.find(&mut self.object, &path.tokens) {
            value.clone_into(found);
            return Ok(());
        }
        let parents = path.tokens.split_last().filter(|_| self.rules == Rules::Servers);
        match parents
            .and_then(|(last, parents)| Some((last, self.rules.find(&mut self.object, parents)?)))
        {
            Some((last, Value::Object(members))) => _ = members.insert(last.clone(), value.clone()),
            _ => return Err(path.missing()),
        }
        Ok(())
    }

    fn set_root(&mut self, path: &Pointer<'_>, value: Value) -> Result {
        if self.rules == Rules::Servers {
            return Err(path.missing());
        }
        self.object = value;
        Ok(())
    }
}

/// A member of a step, such as its `path`.
fn member<'v>(step: &'v Value, name: &str) -> Result<&'v str> {
    step.get(name).and_then(Value::as_str).ok_or_else(|| {
        ChangeError::new("", format!("an operation has no `{name}`: {}", shown(step)))
    })
}

/// A path as it is stated, and its tokens.
struct Pointer<'a> {
    text: &'a str,
    tokens: Vec<String>,
}

impl Pointer<'_> {
    fn error(&self, message: impl Into<String>) -> ChangeError {
        ChangeError::new(self.text, message)
    }

    fn missing(&self) -> ChangeError {
        self.error("there is no such value")
    }

    fn excess(&self, excess: Excess) -> ChangeError {
        self.error(match excess {
            Excess::Size => "the copies are much larger than the value and the patch".to_owned(),
            Excess::Depth => format!("nested more than {DEEPEST} levels deep"),
            Excess::Shifts => {
                format!(
                    "the steps shift more than {MOST_SHIFTS} elements of lists; use fewer, or \
                     `replace` the list"
                )
            }
        })
    }
}

impl Rules {
    /// The value at a path.
    fn find<'a>(self, target: &'a mut Value, tokens: &[String]) -> Option<&'a mut Value> {
        tokens.iter().try_fold(target, |value, token| match value {
            Value::Object(members) => members.get_mut(token.as_str()),
            Value::Array(elements) => {
                let index = self.index(token, elements.len())?;
                elements.get_mut(index)
            }
            _ => None,
        })
    }

    /// The value at a path, to read it.
    fn read<'a>(self, target: &'a Value, path: &Pointer<'_>) -> Result<&'a Value> {
        let mut value = target;
        for (position, token) in path.tokens.iter().enumerate() {
            let is_last = position + 1 == path.tokens.len();
            let found = match value {
                Value::Object(members) => {
                    let absent = (is_last && self == Rules::Servers).then_some(&Value::Null);
                    members.get(token.as_str()).or(absent)
                }
                Value::Array(elements) => {
                    self.index(token, elements.len()).and_then(|index| elements.get(index))
                }
                _ => None,
            };
            value = found.ok_or_else(|| path.missing())?;
        }
        Ok(value)
    }

    /// The index of an element.
    fn index(self, token: &str, length: usize) -> Option<usize> {
        self.position(token, length).filter(|index| *index < length)
    }

    /// The index at which an element is added. A negative one counts from the end.
    fn new_index(self, token: &str, length: usize) -> Option<usize> {
        let end = length + usize::from(self == Rules::Servers && token.starts_with('-'));
        self.position(token, end).filter(|index| *index <= length)
    }

    fn position(self, token: &str, length: usize) -> Option<usize> {
        if self == Rules::Rfc {
            let is_plain = token.bytes().all(|byte| byte.is_ascii_digit())
                && (token == "0" || !token.starts_with('0'));
            return token.parse().ok().filter(|_| is_plain);
        }
        let index: i64 = token.parse().ok()?;
        let length = i64::try_from(length).ok()?;
        usize::try_from(if index < 0 { index + length } else { index }).ok()
    }
}

/// A value as a message shows it.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The maximum number of characters of a value in a message.
const MOST_SHOWN: usize = 100;

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
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|other| equal(one, other)))
        }
        _ => one == other,
    }
}

/// The greatest depth to which a patch nests values: recursion over deeper ones would exhaust the
/// stack.
const DEEPEST: usize = 256;

/// The maximum number of elements that a patch may shift: a list shifts all elements after one that
/// is inserted or removed. As many steps as servers take, 10,000, may each remove the first element
/// of a list of 10,000.
const MOST_SHIFTS: usize = 50_000_000;

/// A limit that a value exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excess {
    /// The copies are much larger than the value and the patch.
    Size,
    /// The value is nested more than [`DEEPEST`] levels deep.
    Depth,
    /// The steps shift more than [`MOST_SHIFTS`] elements of lists.
    Shifts,
}

/// The remaining budget of a patch. Each step is charged before it is applied.
#[derive(Debug)]
struct Budget {
    /// The number of values that copies may still add. Each copy can double the value: all of them
    /// together may add as much as patch and value have, a hundred times.
    values: usize,
    /// The number of elements that may still be shifted.
    shifts: usize,
}

impl Budget {
    /// The budget of a patch for a value.
    fn new(target: &Value, operations: &[Value]) -> Self {
        let values = 100 * (size(target) + operations.iter().map(size).sum::<usize>());
        Self { values, shifts: MOST_SHIFTS }
    }

    /// Charges for a value that is added at this depth.
    ///
    /// # Errors
    /// When it makes the result too large or too deep.
    fn charge(&mut self, value: &Value, levels: usize) -> Result<(), Excess> {
        self.values = self.values.checked_sub(size(value)).ok_or(Excess::Size)?;
        check_depth(value, levels)
    }

    /// Pays for the elements after one that is to be inserted or removed.
    ///
    /// # Errors
    /// When the steps shift too many.
    fn shift(&mut self, elements: usize) -> Result<(), Excess> {
        self.shifts = self.shifts.checked_sub(elements).ok_or(Excess::Shifts)?;
        Ok(())
    }
}

/// Checks a value that is added at this depth.
///
/// # Errors
/// When it would be too deep.
fn check_depth(value: &Value, levels: usize) -> Result<(), Excess> {
    if levels + depth(value) > DEEPEST { Err(Excess::Depth) } else { Ok(()) }
}

/// The number of levels of a value.
fn depth(value: &Value) -> usize {
    let inner = match value {
        Value::Array(elements) => elements.iter().map(depth).max(),
        Value::Object(members) => members.values().map(depth).max(),
        _ => None,
    };
    1 + inner.unwrap_or_default()
}

/// The number of values in a value. Long strings and keys count as several.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(size).sum::<usize>(),
        Value::Object(members) => {
            1 + members.iter().map(|(key, value)| key.len() / 64 + size(value)).sum::<usize>()
        }
        Value::String(text) => 1 + text.len() / 64,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    fn patched(target: Value, steps: &Value) -> Result<Value, String> {
        let mut target = target;
        let applied = super::apply_steps(&mut target, steps.as_array().unwrap());
        applied.map(|()| target).map_err(|error| error.to_string())
    }

    #[test]
    fn each_operation_does_its_work() {
        let start = json!({"a": {"b": [1, 2]}});
        let cases = [
            (
                json!([{"op": "add", "path": "/a/c", "value": 3}]),
                json!({"a": {"b": [1, 2], "c": 3}}),
            ),
            (json!([{"op": "add", "path": "/a/b/-", "value": 3}]), json!({"a": {"b": [1, 2, 3]}})),
            (json!([{"op": "add", "path": "/a/b/0", "value": 0}]), json!({"a": {"b": [0, 1, 2]}})),
            (json!([{"op": "remove", "path": "/a/b/-1"}]), json!({"a": {"b": [1]}})),
            (json!([{"op": "replace", "path": "/a/b/1", "value": 9}]), json!({"a": {"b": [1, 9]}})),
            (json!([{"op": "move", "from": "/a/b", "path": "/d"}]), json!({"a": {}, "d": [1, 2]})),
            (
                json!([{"op": "copy", "from": "/a/b/0", "path": "/x~1y~0z"}]),
                json!({"a": {"b": [1, 2]}, "x/y~z": 1}),
            ),
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
        assert!(super::apply_steps(&mut target, steps.as_array().unwrap()).is_err());
        assert_eq!(target, json!({"a": 1}));
    }

    /// Each copy would double the object, each move make it deeper.
    #[test]
    fn patches_cannot_make_objects_large_or_deep() {
        let copies: Vec<_> =
            (0..60).map(|_| json!({"op": "copy", "from": "/a", "path": "/a/-"})).collect();
        assert!(patched(json!({"a": [1]}), &Value::Array(copies)).is_err());
        let mut moves = Vec::new();
        for _ in 0..4000 {
            moves.push(json!({"op": "add", "path": "/b", "value": {}}));
            moves.push(json!({"op": "move", "from": "/a", "path": "/b/a"}));
            moves.push(json!({"op": "move", "from": "/b", "path": "/a"}));
        }
        assert!(patched(json!({"a": 1}), &Value::Array(moves[..9000].to_vec())).is_err());
        assert!(patched(json!({"a": 1}), &Value::Array(moves)).is_err());
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
            assert!(patched(json!({"a": 1, "l": [1]}), &json!([step])).is_err());
        }
    }

    /// Steps times the length of a list, and tests of a value that is larger than the patch.
    #[test]
    fn steps_cost_no_more_than_a_small_multiple_of_their_size() {
        let object = json!({"l": vec![0; 100_000]});
        let at_the_front: Vec<_> =
            (0..9000).map(|_| json!({"op": "add", "path": "/l/0", "value": 1})).collect();
        let error = patched(object.clone(), &json!(at_the_front)).unwrap_err();
        assert!(error.starts_with("/l/0: the steps shift more than 50000000 elements"), "{error}");
        let tests: Vec<_> =
            (0..9000).map(|_| json!({"op": "test", "path": "/l/0", "value": 0})).collect();
        assert_eq!(patched(object.clone(), &json!(tests)), Ok(object));
    }
}
