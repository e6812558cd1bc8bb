// not vendored
//! Validation of objects by the rules of their schemas.

use super::eval::Evaluator;
use super::outcome::{Evaluated, Failure};
use super::rule::{Program, Rule};
use super::schema::{ListKind, Schema};
use super::value::Value;
use kapigen_definitions::{Cause, Path};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;

/// The steps that the rules of an object may take, and one evaluation: twice the costs that servers
/// allow, since not all steps have a cost.
const MOST_STEPS: u64 = 20_000_000;
const MOST_STEPS_OF_RULE: u64 = 2_000_000;
/// The longest message that an expression makes, in bytes.
const LONGEST_MESSAGE: usize = 5 << 10;

/// The bytes of warnings after which no more are made.
const MOST_WARNED: usize = 4 << 10;

/// The result of the rules of an object.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) causes: Vec<Cause>,
    /// Refusals of unchanged values, which are warnings only.
    pub(crate) warnings: Vec<String>,
}

/// Checks an object by the rules of its schema, beside the object that it replaces.
pub(crate) fn validate(schema: &Schema, object: &Json, old: Option<&Json>) -> Verdict {
    let mut walk = Walk { verdict: Verdict::default(), left: MOST_STEPS };
    let visited = Visited { value: object, old, is_unchanged: false, path: Path::ROOT };
    // An end before all rules is a cause of its own.
    let _ended = walk.visit(schema, visited);
    walk.verdict
}

/// A value in an object.
#[derive(Clone, Copy)]
struct Visited<'a, 'p> {
    value: &'a Json,
    /// The value that it replaces.
    old: Option<&'a Json>,
    /// Whether it is unchanged, or in a value that is.
    is_unchanged: bool,
    path: Path<'p>,
}

/// The end of validation: no further rules are evaluated.
struct Ended;

struct Walk {
    verdict: Verdict,
    left: u64,
}

impl Walk {
    fn visit<'a>(&mut self, schema: &'a Schema, visited: Visited<'a, '_>) -> Result<(), Ended> {
        if !schema.has_rules || visited.value.is_null() {
            return Ok(());
        }
        let old = visited.old.filter(|old| !old.is_null());
        let is_unchanged = visited.is_unchanged || old == Some(visited.value);
        let visited = Visited { old, is_unchanged, ..visited };
        for rule in &schema.rules {
            self.check(schema, rule, visited)?;
        }
        match visited.value {
            Json::Object(members) => self.members(schema, members, visited),
            Json::Array(elements) => self.elements(schema, elements, visited),
            _ => Ok(()),
        }
    }

    fn members<'a>(
        &mut self,
        schema: &'a Schema,
        members: &'a Map<String, Json>,
        visited: Visited<'a, '_>,
    ) -> Result<(), Ended> {
        for (name, value) in members {
            let (below, path) = match (&schema.entries, schema.properties.get(name)) {
                (_, Some(below)) => (below, visited.path.member(name)),
                (Some(below), None) => (&**below, visited.path.key(name)),
                (None, None) => continue,
            };
            let old = visited.old.filter(|_| !schema.is_atomic).and_then(|old| old.get(name));
            let is_unchanged = visited.is_unchanged;
            self.visit(below, Visited { value, old, is_unchanged, path })?;
        }
        Ok(())
    }

    /// Elements have old ones only in lists with keys.
    fn elements<'a>(
        &mut self,
        schema: &'a Schema,
        elements: &'a [Json],
        visited: Visited<'a, '_>,
    ) -> Result<(), Ended> {
        let Some(below) = schema.items.as_deref().filter(|below| below.has_rules) else {
            return Ok(());
        };
        let mut olds = HashMap::new();
        for old in visited.old.and_then(Json::as_array).into_iter().flatten() {
            if let Some(key) = key(&schema.list, old) {
                olds.entry(key).or_insert(old);
            }
        }
        for (index, value) in elements.iter().enumerate() {
            let old = key(&schema.list, value).and_then(|key| olds.get(&key).copied());
            let is_unchanged = visited.is_unchanged;
            self.visit(
                below,
                Visited { value, old, is_unchanged, path: visited.path.index(index) },
            )?;
        }
        Ok(())
    }

    /// Evaluates a rule for a value.
    fn check<'a>(
        &mut self,
        schema: &'a Schema,
        rule: &'a Rule,
        visited: Visited<'a, '_>,
    ) -> Result<(), Ended> {
        let program = match &rule.program {
            Ok(program) => program,
            Err(why) => {
                return self.fail(schema, &visited.path, &format!("rule compile error: {why}"));
            }
        };
        if rule.uses_old && visited.old.is_none() && !rule.is_old_optional {
            return Ok(());
        }
        let why = match self.eval(schema, program, visited, rule.is_old_optional) {
            Ok(Value::Bool(true)) => return Ok(()),
            Ok(Value::Bool(false)) => return self.refuse(schema, rule, visited),
            Ok(_) => "no such overload".to_owned(),
            Err(Failure::Error(why)) => why,
            Err(Failure::Exhausted) => {
                let why = if self.left == 0 {
                    "validation failed due to running out of cost budget, no further validation \
                     rules will be run"
                        .to_owned()
                } else {
                    format!(
                        "'operation cancelled: actual cost limit exceeded': no further validation \
                         rules will be run due to call cost exceeds limit for rule: {}",
                        rule.shown
                    )
                };
                self.fail(schema, &visited.path, &why)?;
                return Err(Ended);
            }
        };
        let why = if why.starts_with("no such overload") {
            format!(
                "'{why}': call arguments did not match a supported operator, function or macro \
                 signature for rule: {}",
                rule.shown
            )
        } else {
            format!("{why} evaluating rule: {}", rule.shown)
        };
        self.fail(schema, &visited.path, &why)
    }

    /// Refuses a value because its rule cannot be evaluated.
    fn fail(&mut self, schema: &Schema, path: &Path<'_>, why: &str) -> Result<(), Ended> {
        self.add(Cause::invalid(path, &json!(schema.kind), why), false)
    }

    /// Evaluates an expression for a value.
    fn eval<'a>(
        &mut self,
        schema: &'a Schema,
        program: &'a Program,
        visited: Visited<'a, '_>,
        is_old_optional: bool,
    ) -> Evaluated<Value<'a>> {
        let old = visited.old.map(|old| Value::of(old, Some(schema)));
        let old = if is_old_optional { Some(Value::optional(old)) } else { old };
        let mut scope = vec![("self", Value::of(visited.value, Some(schema)))];
        scope.extend(old.map(|old| ("oldSelf", old)));
        let steps = self.left.min(MOST_STEPS_OF_RULE);
        let mut evaluator = Evaluator::new(scope, steps);
        let result = evaluator.eval(&program.node);
        self.left -= steps - evaluator.left();
        result
    }

    /// Refuses a value that does not satisfy a rule.
    fn refuse<'a>(
        &mut self,
        schema: &'a Schema,
        rule: &'a Rule,
        visited: Visited<'a, '_>,
    ) -> Result<(), Ended> {
        let own = match &rule.message_program {
            // To messages, the old value is never optional.
            Some(Ok(program)) => self.eval(schema, program, visited, false).ok(),
            _ => None,
        };
        let own = own.and_then(|message| match message {
            Value::String(text) => Some(text.trim().to_owned()),
            _ => None,
        });
        let own = own.filter(|text| {
            !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains(['\n', '\r'])
        });
        let message = own.unwrap_or_else(|| rule.message.clone());
        let is_plain = !visited.value.is_object() && !visited.value.is_array();
        let shown = is_plain.then_some(visited.value);
        let mut cause = cause(&visited.path, &rule.reason, shown, &message);
        if let Some(path) = &rule.field_path {
            let separator = if cause.field.is_empty() || path.starts_with('[') { "" } else { "." };
            cause.field = format!("{}{separator}{path}", cause.field);
        }
        self.add(cause, visited.is_unchanged && !rule.uses_old)
    }

    /// Adds a cause or a warning, and pays for its text.
    fn add(&mut self, mut cause: Cause, is_warning: bool) -> Result<(), Ended> {
        if cause.field.is_empty() {
            "<nil>".clone_into(&mut cause.field);
        }
        let size = (cause.field.len() + cause.message.len()) as u64;
        self.left = self.left.saturating_sub(size);
        if is_warning {
            let known: usize = self.verdict.warnings.iter().map(String::len).sum();
            if known < MOST_WARNED {
                self.verdict.warnings.push(cause.to_string());
            }
        } else {
            self.verdict.causes.push(cause);
        }
        if self.left == 0 { Err(Ended) } else { Ok(()) }
    }
}

/// The cause of a refusal, with the value if it is no object and no list.
fn cause(path: &Path<'_>, reason: &str, value: Option<&Json>, message: &str) -> Cause {
    match (reason, value) {
        ("FieldValueForbidden", _) => Cause::forbidden(path, message),
        ("FieldValueRequired", _) => Cause::required(path, message),
        ("FieldValueDuplicate", Some(value)) => Cause::duplicate(path, value),
        ("FieldValueDuplicate", None) => {
            Cause::new(path, "FieldValueDuplicate", "Duplicate value".to_owned())
        }
        (_, Some(value)) => Cause::invalid(path, value, message),
        (_, None) => Cause::new(path, "FieldValueInvalid", format!("Invalid value: {message}")),
    }
}

/// The values of the keys of an element. `None` if its list has no keys.
fn key(list: &ListKind, element: &Json) -> Option<Vec<Json>> {
    let ListKind::Map(keys) = list else { return None };
    Some(keys.iter().map(|key| element.get(key).cloned().unwrap_or_default()).collect())
}
