//! The operations of a crate, and the newer ones of the same method and path.

use super::{DEMANDED_EXTENSION, LEFT_OUT_EXTENSION, Report, mark};
use crate::openapi::load::RawDocument;
use crate::openapi::resolve::join;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// One of several documents, with what its references lead to.
#[derive(Clone, Copy)]
pub(super) struct Home<'a> {
    pub(super) all: &'a [RawDocument],
    pub(super) index: usize,
}

impl<'a> Home<'a> {
    /// The parameter, request body or response that a reference leads to.
    fn target(self, value: &'a Value) -> &'a Value {
        let reference = value.get("$ref").and_then(Value::as_str);
        reference.and_then(|reference| self.resolve(reference)).unwrap_or(value)
    }

    fn resolve(self, reference: &str) -> Option<&'a Value> {
        let (file, pointer) = reference.split_once('#')?;
        let raw = if file.is_empty() {
            &self.all[self.index]
        } else {
            let name = join(&self.all[self.index].name, file);
            self.all.iter().find(|raw| raw.name == name)?
        };
        raw.value.pointer(pointer)
    }

    /// The parameters of an operation and of its path.
    pub(super) fn parameters(self, item: &'a Value, operation: &'a Value) -> Vec<Parameter> {
        let mut all: Vec<Parameter> = Vec::new();
        for (holder, is_own) in [(operation, true), (item, false)] {
            let list = holder.get("parameters").and_then(Value::as_array);
            for written in list.into_iter().flatten() {
                let whole = self.target(written).clone();
                if is_own || all.iter().all(|one| key(&one.whole) != key(&whole)) {
                    all.push(Parameter { whole, is_own });
                }
            }
        }
        all
    }

    /// An operation with everything that it shares with others written out.
    pub(super) fn whole(self, item: &'a Value, operation: &'a Value) -> Value {
        let mut whole = operation.clone();
        let Some(object) = whole.as_object_mut() else { return whole };
        let parameters = self.parameters(item, operation).into_iter().map(|one| one.whole);
        object.insert("parameters".to_owned(), parameters.collect());
        if let Some(body) = operation.get("requestBody") {
            object.insert("requestBody".to_owned(), self.target(body).clone());
        }
        let responses = operation.get("responses").and_then(Value::as_object);
        for (status, response) in responses.into_iter().flatten() {
            object["responses"][status] = self.target(response).clone();
        }
        whole
    }
}

/// A parameter, written out.
pub(super) struct Parameter {
    whole: Value,
    /// Whether the operation states it, and not only its path.
    is_own: bool,
}

/// Name and place of a parameter.
fn key(parameter: &Value) -> (Option<&str>, Option<&str>) {
    (parameter["name"].as_str(), parameter["in"].as_str())
}

/// The changes that keep the query parameters of an operation.
#[derive(Default)]
pub(super) struct Kept {
    /// Parameters that take the place of the ones in the operation's list, by index.
    replaced: BTreeMap<usize, Value>,
    added: Vec<Value>,
}

impl Kept {
    pub(super) fn is_empty(&self) -> bool {
        self.replaced.is_empty() && self.added.is_empty()
    }

    /// Makes a newer parameter required or not, as it was. Without one that servers require, no
    /// request is built.
    fn hold(&mut self, index: usize, newer: &Parameter, was_required: bool) {
        let mut whole = newer.whole.clone();
        whole["required"] = was_required.into();
        if !was_required {
            whole[DEMANDED_EXTENSION] = true.into();
        }
        self.put(index, newer, whole);
    }

    /// Marks a newer parameter as one that no function takes.
    fn leave_out(&mut self, index: usize, newer: &Parameter) {
        let mut whole = newer.whole.clone();
        whole[LEFT_OUT_EXTENSION] = true.into();
        self.put(index, newer, whole);
    }

    fn put(&mut self, index: usize, newer: &Parameter, whole: Value) {
        if newer.is_own {
            self.replaced.insert(index, whole);
        } else {
            self.added.push(whole);
        }
    }

    /// Changes the newer operation.
    pub(super) fn apply(self, operation: &mut Value) {
        let mut all =
            operation.get("parameters").and_then(Value::as_array).cloned().unwrap_or_default();
        for (index, parameter) in self.replaced {
            all[index] = parameter;
        }
        all.extend(self.added);
        operation["parameters"] = all.into();
    }
}

/// Keeps the query parameters of an operation: of the older one, and of the newer one with those of
/// its path behind its own.
pub(super) fn hold(
    name: &str,
    old: &Value,
    now: &[Parameter],
    release: &str,
    report: &mut Report,
) -> Kept {
    let mut kept = Kept::default();
    let before = old.get("parameters").and_then(Value::as_array).map(Vec::as_slice);
    let before = before.unwrap_or_default().iter().filter(|parameter| is_query(parameter));
    for parameter in before.clone() {
        let found = now.iter().enumerate().find(|(_, one)| key(&one.whole) == key(parameter));
        let is_left_out = parameter.get(LEFT_OUT_EXTENSION).is_some();
        let Some((index, one)) = found else {
            if is_left_out {
                continue;
            }
            let mut lost = parameter.clone();
            mark(&mut lost, release);
            report.kept.insert(place(name, parameter));
            kept.added.push(lost);
            continue;
        };
        let what = match (is_required(parameter), is_required(&one.whole)) {
            (false, false) if is_left_out => {
                report.held.insert((place(name, parameter), LEFT_OUT.to_owned()));
                kept.leave_out(index, one);
                continue;
            }
            (false, true) => "required now",
            (true, false) => "optional now",
            _ => continue,
        };
        report.held.insert((place(name, parameter), what.to_owned()));
        kept.hold(index, one, is_required(parameter));
    }
    for (index, one) in now.iter().enumerate() {
        let is_demanded = is_query(&one.whole) && is_required(&one.whole);
        if is_demanded && before.clone().all(|old| key(old) != key(&one.whole)) {
            report.held.insert((place(name, &one.whole), "new, and required".to_owned()));
            kept.hold(index, one, false);
        }
    }
    kept
}

/// Leaves out newer query parameters of an operation.
pub(super) fn leave_out(
    name: &str,
    now: &[Parameter],
    parameters: &BTreeSet<String>,
    report: &mut Report,
) -> Kept {
    let mut kept = Kept::default();
    for (index, one) in now.iter().enumerate().filter(|(_, one)| is_query(&one.whole)) {
        if key(&one.whole).0.is_some_and(|key| parameters.contains(key)) {
            report.held.insert((place(name, &one.whole), LEFT_OUT.to_owned()));
            kept.leave_out(index, one);
        }
    }
    kept
}

const LEFT_OUT: &str = "new, and left out: the function would take other arguments";

fn is_query(parameter: &Value) -> bool {
    key(parameter).1 == Some("query")
}

fn is_required(parameter: &Value) -> bool {
    parameter.get("required") == Some(&true.into())
}

/// The place of a parameter in a report.
fn place(operation: &str, parameter: &Value) -> String {
    format!("{operation} {}", key(parameter).0.unwrap_or_default())
}
