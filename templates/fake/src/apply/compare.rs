//! The fields in which two objects differ.

use super::Typed;
use super::set::{Set, Step};
use super::typed::steps;
use crate::schema::{ListType, Shape};
use serde_json::Value;

/// The fields in which two objects differ.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) added: Set,
    pub(crate) modified: Set,
    pub(crate) removed: Set,
}

impl Comparison {
    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.modified.is_empty() && self.removed.is_empty()
    }
}

pub(crate) fn compare(typed: Typed<'_>, old: &Value, new: &Value) -> Comparison {
    let mut found = Comparison::default();
    found.value(typed, Some(old), Some(new), &mut Vec::new());
    found
}

impl Comparison {
    fn value(&mut self, typed: Typed<'_>, old: Option<&Value>, new: Option<&Value>, path: &mut Vec<Step>) {
        let is_value = |value: &&Value| !value.is_null();
        let is_leaf = match new.filter(is_value).or(old) {
            Some(Value::Object(_)) => self.members(typed, old, new, path),
            Some(Value::Array(_)) => self.elements(typed, old, new, path),
            _ => true,
        };
        match (old, new) {
            (None, Some(_)) => self.added.insert(path),
            (Some(_), None) => self.removed.insert(path),
            (Some(old), Some(new)) if is_leaf && old != new => self.modified.insert(path),
            _ => {}
        }
    }

    /// Compares what is inside of objects. Returns whether they are leaves.
    fn members(&mut self, typed: Typed<'_>, old: Option<&Value>, new: Option<&Value>, path: &mut Vec<Step>) -> bool {
        let Typed { schemas, schema } = typed;
        let (Some(olds), Some(news)) = (members(old), members(new)) else { return true };
        if schemas.is_atomic(schema)
            || olds.is_none_or(serde_json::Map::is_empty) && news.is_none_or(serde_json::Map::is_empty)
        {
            return true;
        }
        let only_old = olds.into_iter().flatten().filter(|(name, _)| news.is_none_or(|news| !news.contains_key(*name)));
        for (name, old) in only_old {
            self.member(typed, name, Some(old), None, path);
        }
        for (name, new) in news.into_iter().flatten() {
            self.member(typed, name, olds.and_then(|olds| olds.get(name)), Some(new), path);
        }
        false
    }

    fn member(&mut self, typed: Typed<'_>, name: &str, old: Option<&Value>, new: Option<&Value>, path: &mut Vec<Step>) {
        path.push(Step::Field(name.to_owned()));
        self.value(typed.at(typed.schemas.member(typed.schema, name).0), old, new, path);
        path.pop();
    }

    /// Compares the elements of lists. Returns whether they are leaves.
    fn elements(&mut self, typed: Typed<'_>, old: Option<&Value>, new: Option<&Value>, path: &mut Vec<Step>) -> bool {
        let Typed { schemas, schema } = typed;
        let (Some(olds), Some(news)) = (elements(old), elements(new)) else { return true };
        let is_merged =
            matches!(schemas.shape(schema), Shape::List(..)) && *schemas.list_type(schema) != ListType::Atomic;
        if !is_merged || olds.is_empty() && news.is_empty() {
            return true;
        }
        let (old_steps, new_steps) = (steps(typed, olds), steps(typed, news));
        let element = typed.at(schemas.element(schema));
        for (step, old) in old_steps.iter().zip(olds).filter(|(step, _)| !new_steps.contains(step)) {
            path.push(step.clone());
            self.value(element, Some(old), None, path);
            path.pop();
        }
        for (step, new) in new_steps.iter().zip(news) {
            let old = old_steps.iter().position(|known| known == step).map(|index| &olds[index]);
            path.push(step.clone());
            self.value(element, old, Some(new), path);
            path.pop();
        }
        false
    }
}

/// The members of an object, or nothing for what is absent. `None` for a value of another type.
#[allow(clippy::option_option)] // two different absences
fn members(value: Option<&Value>) -> Option<Option<&serde_json::Map<String, Value>>> {
    match value {
        None | Some(Value::Null) => Some(None),
        Some(value) => value.as_object().map(Some),
    }
}

fn elements(value: Option<&Value>) -> Option<&[Value]> {
    match value {
        None | Some(Value::Null) => Some(&[]),
        Some(value) => value.as_array().map(Vec::as_slice),
    }
}
