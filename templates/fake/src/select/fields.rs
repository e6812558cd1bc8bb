//! Field selectors.

use super::terms::{Terms, of_field};
use crate::object::Tree;
use crate::registry::Resource;
use serde_json::Value;

/// Conditions on members, all of which must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldSelector(Vec<Term>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    path: String,
    value: String,
    is_equal: bool,
}

impl FieldSelector {
    pub(super) fn parse(text: &str, resource: &Resource) -> Result<Self, String> {
        let mut terms = Vec::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (path, is_equal, value) =
                split(part).ok_or_else(|| format!("invalid selector: '{text}'; can't understand '{part}'"))?;
            if path.is_empty() && value.is_empty() {
                continue;
            }
            check(path, resource)?;
            terms.push(Term { path: path.to_owned(), value: value.to_owned(), is_equal });
        }
        Ok(Self(terms))
    }

    /// Requires that a field has a value, too.
    pub(super) fn and(mut self, path: &str, value: &str) -> Self {
        self.0.push(Term { path: path.to_owned(), value: value.to_owned(), is_equal: true });
        self
    }

    /// Whether the object at a path has the fields.
    pub(super) fn matches(&self, path: &str, terms: &Terms) -> bool {
        let (namespace, name) = path.split_once('/').unwrap_or(("", path));
        self.0.iter().all(|term| {
            let found = match &*term.path {
                "metadata.name" => name,
                "metadata.namespace" => namespace,
                path => terms.field(path),
            };
            (found == term.value) == term.is_equal
        })
    }

    /// The terms that objects must have.
    pub(super) fn alternatives(&self) -> impl Iterator<Item = Vec<String>> {
        let is_indexed = |term: &&Term| term.is_equal && !term.value.is_empty() && !is_common(&term.path);
        self.0.iter().filter(is_indexed).map(|term| vec![of_field(&term.path, &term.value)])
    }
}

fn split(part: &str) -> Option<(&str, bool, &str)> {
    let index = part.find('=')?;
    let (path, value) = (&part[..index], &part[index + 1..]);
    if let Some(path) = path.strip_suffix('!') {
        return Some((path, false, value));
    }
    Some((path, true, value.strip_prefix('=').unwrap_or(value)))
}

/// Whether objects of all kinds can be selected by a member.
fn is_common(path: &str) -> bool {
    matches!(path, "metadata.name" | "metadata.namespace")
}

/// Names the members that can be selected by, in the words of the kind's implementation.
fn check(path: &str, resource: &Resource) -> Result<(), String> {
    let custom = resource.custom.as_deref();
    let is_known = resource.facts.selectable.contains(&path)
        || custom.is_some_and(|custom| custom.selectable.iter().any(|known| known == path));
    if is_common(path) || is_known {
        return Ok(());
    }
    if custom.is_some() || !resource.facts.selectable.is_empty() {
        return Err(format!("field label not supported: {path}"));
    }
    Err(format!("\"{path}\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""))
}

/// The component that an event is from, in its own group or in that of core.
fn source(event: &Value) -> String {
    let paths = ["source.component", "deprecatedSource.component", "reportingComponent", "reportingController"];
    let mut components = paths.iter().filter_map(|path| event.at(path).and_then(Value::as_str));
    components.find(|component| !component.is_empty()).unwrap_or_default().to_owned()
}

/// A member as a string. Absent ones are as empty as Go's values are.
pub(super) fn value(object: &Value, path: &str) -> String {
    match (object.at(path), path) {
        (Some(Value::String(text)), _) => text.clone(),
        (_, "source") => source(object),
        (None | Some(Value::Null), "spec.hostNetwork" | "spec.unschedulable") => "false".to_owned(),
        (None | Some(Value::Null), "spec.schedulerName") => "default-scheduler".to_owned(),
        (None | Some(Value::Null), _) => String::new(),
        (Some(other), _) => other.to_string(),
    }
}
