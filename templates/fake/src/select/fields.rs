//! Field selectors, of which each kind has its own fields.

use super::terms::{Term, Terms};
use crate::kinds::events;
use crate::registry::Resource;

/// Conditions on fields. All must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldSelector(Vec<Condition>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    path: String,
    value: String,
    is_equal: bool,
}

impl FieldSelector {
    pub(super) fn parse(text: &str, resource: &Resource) -> Result<Self, String> {
        let mut conditions = Vec::new();
        for part in split_conditions(text).into_iter().filter(|part| !part.is_empty()) {
            let mut condition = Condition::parse(part)
                .ok_or_else(|| format!("invalid selector: '{text}'; can't understand '{part}'"))?;
            condition.value = unescaped(&condition.value)?;
            if condition.path.is_empty() && condition.value.is_empty() {
                continue;
            }
            if condition.path == "spec.host" && resource.key().as_ref() == "pods." {
                "spec.nodeName".clone_into(&mut condition.path);
            }
            check(&condition.path, resource)?;
            if resource.is_event_of_core() {
                condition.path = events::core_path(&condition.path);
            }
            conditions.push(condition);
        }
        Ok(Self(conditions))
    }

    /// Requires that a field has a value, too.
    pub(super) fn and(mut self, path: &str, value: &str) -> Self {
        self.0.push(Condition { path: path.to_owned(), value: value.to_owned(), is_equal: true });
        self
    }

    /// Whether the object at a path has the fields.
    pub(super) fn selects(&self, path: &str, terms: &Terms) -> bool {
        let (namespace, name) = path.split_once('/').unwrap_or(("", path));
        self.0.iter().all(|condition| {
            let found = match &*condition.path {
                "metadata.name" => name,
                "metadata.namespace" => namespace,
                path => terms.field(path),
            };
            (found == condition.value) == condition.is_equal
        })
    }

    /// The terms that objects must have.
    pub(super) fn alternatives(&self) -> impl Iterator<Item = Vec<Term>> {
        self.0.iter().filter_map(|Condition { path, value, is_equal }| {
            let is_indexed = *is_equal && !value.is_empty() && !is_common(path);
            is_indexed.then(|| vec![Term::field(path, value)])
        })
    }
}

impl Condition {
    /// Parses a condition, such as `a=b`, and leaves its value escaped.
    fn parse(text: &str) -> Option<Self> {
        let (path, value) = text.split_once('=')?;
        let unequal = path.strip_suffix('!');
        let value =
            if unequal.is_none() { value.strip_prefix('=').unwrap_or(value) } else { value };
        Some(Self {
            path: unequal.unwrap_or(path).to_owned(),
            value: value.to_owned(),
            is_equal: unequal.is_none(),
        })
    }
}

/// The conditions of a field selector, between commas that no backslash escapes.
fn split_conditions(text: &str) -> Vec<&str> {
    let mut is_escaped = false;
    text.split(|c: char| {
        let is_free = !std::mem::take(&mut is_escaped);
        is_escaped = is_free && c == '\\';
        is_free && c == ','
    })
    .collect()
}

/// A value without backslashes before the characters that need one.
fn unescaped(value: &str) -> Result<String, String> {
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(c) = characters.next() {
        match (c, if c == '\\' { characters.next() } else { None }) {
            ('\\', Some(escaped @ ('\\' | ',' | '='))) => plain.push(escaped),
            ('\\', escaped) => {
                let escaped = escaped.map(String::from).unwrap_or_default();
                return Err(format!(
                    "invalid field selector: invalid escape sequence: \\{escaped}"
                ));
            }
            // Go prints the number of a character.
            (',' | '=', _) => {
                return Err(format!(
                    "invalid field selector: unescaped character in value: {}",
                    u32::from(c)
                ));
            }
            _ => plain.push(c),
        }
    }
    Ok(plain)
}

/// Whether objects of all kinds can be selected by a field.
fn is_common(path: &str) -> bool {
    matches!(path, "metadata.name" | "metadata.namespace")
}

/// Refuses fields by which a kind cannot be selected, in the words of its implementation.
fn check(path: &str, resource: &Resource) -> Result<(), String> {
    let custom = resource.custom.as_deref();
    let is_known = resource.facts.selectable.contains(&path)
        || custom.is_some_and(|custom| custom.selectable.iter().any(|known| known == path));
    if is_common(path) || is_known {
        return Ok(());
    }
    if custom.is_some() || !resource.facts.selectable.is_empty() {
        let kind = &resource.kind;
        return Err(match &*resource.group {
            "batch" => format!("field label {path:?} not supported for {kind:?}"),
            "resource.k8s.io" => {
                format!(
                    "field label not supported for {}, Kind={kind}: {path}",
                    resource.api_version()
                )
            }
            _ => format!("field label not supported: {path}"),
        });
    }
    Err(format!(
        "\"{path}\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
    ))
}
