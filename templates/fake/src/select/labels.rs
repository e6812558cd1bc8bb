//! Label selectors: of objects, and of query parameters.

use super::terms::{Term, Terms};
use serde_json::Value;
use std::cmp::Ordering;
use std::fmt;

/// Conditions on labels. All must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LabelSelector(Vec<Requirement>);

/// A condition on a label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Requirement {
    pub(super) key: String,
    pub(super) operator: Operator,
    /// Sorted.
    pub(super) values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operator {
    Exists,
    Absent,
    /// `In` with one value.
    Equals,
    In,
    NotIn,
    Greater,
    Less,
}

impl LabelSelector {
    /// The selector that an object states: labels alone, or `matchLabels` and `matchExpressions`.
    /// `None` if an operator is unknown.
    pub(super) fn from_value(selector: &Value) -> Option<Self> {
        let expressions = selector.get("matchExpressions").and_then(Value::as_array);
        let has_members =
            expressions.is_some() || selector.get("matchLabels").is_some_and(Value::is_object);
        let labels = if has_members { selector.get("matchLabels") } else { Some(selector) };
        let mut requirements = Vec::new();
        for (key, value) in labels.and_then(Value::as_object).into_iter().flatten() {
            let values = vec![value.as_str()?.to_owned()];
            requirements.push(Requirement { key: key.clone(), operator: Operator::Equals, values });
        }
        for expression in expressions.into_iter().flatten() {
            requirements.push(Requirement::from_value(expression)?);
        }
        Some(Self(requirements))
    }

    /// Whether an object with these terms is selected by a query.
    pub(super) fn selects(&self, terms: &Terms) -> bool {
        let end = self.0.partition_point(|requirement| !requirement.holds_without());
        let (required, others) = self.0.split_at(end);
        if !required.iter().all(|requirement| requirement.matches(terms.label(&requirement.key))) {
            return false;
        }
        // Objects have few labels, and selectors may have many conditions.
        others.is_empty()
            || terms.labels().all(|(key, value)| {
                let start = others.partition_point(|requirement| *requirement.key < *key);
                let mut of_key =
                    others[start..].iter().take_while(|requirement| requirement.key == key);
                of_key.all(|requirement| requirement.matches(Some(value)))
            })
    }

    /// Whether an object with these labels is selected.
    pub(super) fn matches<'a>(&self, label: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.0.iter().all(|requirement| requirement.matches(label(&requirement.key)))
    }

    /// For each label that must have one of several values, their terms.
    pub(super) fn alternatives(&self) -> impl Iterator<Item = Vec<Term>> {
        self.0.iter().filter_map(|Requirement { key, operator, values }| {
            let is_listed = matches!(operator, Operator::Equals | Operator::In);
            is_listed.then(|| values.iter().map(|value| Term::label(key, value)).collect())
        })
    }

    /// The selector with these requirements, in the order in which it is evaluated.
    pub(super) fn new(mut requirements: Vec<Requirement>) -> Self {
        requirements
            .sort_by(|one, other| (one.holds_without(), one).cmp(&(other.holds_without(), other)));
        requirements.dedup();
        Self(requirements)
    }
}

impl Requirement {
    /// An element of `matchExpressions`. `None` if its operator is unknown.
    fn from_value(expression: &Value) -> Option<Self> {
        let operator = match expression["operator"].as_str()? {
            "In" => Operator::In,
            "NotIn" => Operator::NotIn,
            "Exists" => Operator::Exists,
            "DoesNotExist" => Operator::Absent,
            _ => return None,
        };
        let key = expression["key"].as_str()?.to_owned();
        let values =
            expression["values"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut values: Vec<_> = values.map(str::to_owned).collect();
        values.sort();
        Some(Self { key, operator, values })
    }

    /// Whether it holds for an object without the label.
    fn holds_without(&self) -> bool {
        matches!(self.operator, Operator::Absent | Operator::NotIn)
    }

    fn matches(&self, value: Option<&str>) -> bool {
        match (self.operator, value) {
            (Operator::Exists, value) => value.is_some(),
            (Operator::Absent, value) => value.is_none(),
            (Operator::Equals | Operator::In, value) => {
                value.is_some_and(|value| self.lists(value))
            }
            (Operator::NotIn, value) => !value.is_some_and(|value| self.lists(value)),
            (Operator::Greater, value) => self.order(value) == Some(Ordering::Greater),
            (Operator::Less, value) => self.order(value) == Some(Ordering::Less),
        }
    }

    fn lists(&self, value: &str) -> bool {
        self.values.binary_search_by(|known| (**known).cmp(value)).is_ok()
    }

    /// Compares a value with the bound. `None` if one of them is no number.
    fn order(&self, value: Option<&str>) -> Option<Ordering> {
        let bound: i64 = self.values.first()?.parse().ok()?;
        Some(value?.parse::<i64>().ok()?.cmp(&bound))
    }
}

impl fmt::Display for LabelSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_by_key(|requirement| &requirement.key);
        for (index, requirement) in all.into_iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{requirement}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        let values = self.values.join(",");
        match self.operator {
            Operator::Exists => f.write_str(key),
            Operator::Absent => write!(f, "!{key}"),
            Operator::Equals => write!(f, "{key}={values}"),
            Operator::In => write!(f, "{key} in ({values})"),
            Operator::NotIn => write!(f, "{key} notin ({values})"),
            Operator::Greater => write!(f, "{key}>{values}"),
            Operator::Less => write!(f, "{key}<{values}"),
        }
    }
}
