//! Selections of objects, by labels and by fields.

mod fields;
mod labels;
mod parser;
mod terms;

pub(crate) use terms::{Term, Terms};

use crate::failure::Failure;
use crate::object::Tree;
use crate::registry::Resource;
use crate::request::Incoming;
use fields::FieldSelector;
use labels::LabelSelector;
use serde_json::Value;

#[cfg(test)]
thread_local! {
    /// The number of objects that selections visited.
    pub(crate) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A selection of objects in a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    labels: LabelSelector,
    fields: FieldSelector,
}

impl Selection {
    pub(crate) fn from_request(
        request: &Incoming<'_>,
        resource: &Resource,
    ) -> Result<Self, Failure> {
        let labels =
            LabelSelector::parse(request.get("labelSelector")).map_err(Failure::bad_request)?;
        let fields = FieldSelector::parse(request.get("fieldSelector"), resource)
            .map_err(Failure::bad_request)?;
        Ok(Self { labels, fields })
    }

    /// Requires that a field has a value, too.
    pub(crate) fn and_field(self, path: &str, value: &str) -> Self {
        Self { fields: self.fields.and(path, value), ..self }
    }

    /// Requires that a label has a value, too.
    #[cfg(test)]
    pub(crate) fn and_label(self, key: &str, value: &str) -> Self {
        Self {
            labels: LabelSelector::parse(&format!("{key}={value}")).expect("a selector"),
            ..self
        }
    }

    /// Whether all objects are selected.
    pub(crate) fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the object at a path is selected: its namespace, a slash and its name, or a name
    /// alone.
    pub(crate) fn selects(&self, path: &str, terms: &Terms) -> bool {
        #[cfg(test)]
        LOOKED_AT.with(|count| count.set(count.get() + 1));
        self.labels.selects(terms) && self.fields.selects(path, terms)
    }

    /// The conditions that the index can evaluate, each as the terms of which a selected object has
    /// at least one.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = Vec<Term>> {
        self.labels.alternatives().chain(self.fields.alternatives())
    }
}

/// Whether a label selector of an object, with `matchLabels` and `matchExpressions`, selects
/// another object.
pub(crate) fn selects_labels(selector: &Value, object: &Value) -> bool {
    let labels = object.metadata("labels");
    LabelSelector::from_value(selector)
        .is_some_and(|selector| selector.matches(|key| labels?.get(key)?.as_str()))
}

/// A label selector of an object as a query parameter has it. Empty if it selects everything, or is
/// invalid.
pub(crate) fn selector_text(selector: &Value) -> String {
    LabelSelector::from_value(selector).map(|selector| selector.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::labels::LabelSelector;
    use super::{Terms, selector_text, selects_labels};
    use serde_json::json;

    #[test]
    fn selectors_of_objects_are_those_of_queries() {
        let selector = json!({
            "matchLabels": {"b": "2", "a": "1"},
            "matchExpressions": [
                {"key": "c", "operator": "In", "values": ["y", "x"]},
                {"key": "d", "operator": "Exists"},
                {"key": "f", "operator": "NotIn", "values": ["z"]},
                {"key": "e", "operator": "DoesNotExist"},
            ],
        });
        let text = "a=1,b=2,c in (x,y),d,!e,f notin (z)";
        assert_eq!(selector_text(&selector), text);
        assert_eq!(LabelSelector::parse(text).unwrap().to_string(), text);
        let expressions = json!({"matchExpressions": [{"key": "d", "operator": "Exists"}]});
        assert_eq!(selector_text(&expressions), "d");
        assert_eq!(selector_text(&json!({"app": "web", "a": "1"})), "a=1,app=web");
        assert_eq!([selector_text(&json!({})), selector_text(&json!(null))], [""; 2]);
        let is_selected =
            |labels| selects_labels(&selector, &json!({"metadata": {"labels": labels}}));
        assert!(is_selected(json!({"a": "1", "b": "2", "c": "x", "d": ""})));
        assert!(!is_selected(json!({"a": "1", "b": "2", "c": "z", "d": ""})));
        assert!(!is_selected(json!({"a": "1", "b": "2", "c": "x", "d": "", "e": ""})));
        let unknown =
            json!({"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]});
        assert!(!selects_labels(&unknown, &json!({"metadata": {"labels": {"a": "2"}}})));
        assert!(selects_labels(&json!({}), &json!({})));
    }

    #[test]
    fn selects_by_all_operators() {
        let object = json!({"metadata": {"labels": {"app": "web", "n": "3"}}});
        let terms = Terms::new(&object, &[], Into::into);
        let selected = "; app; !nope; app=web; app==web; app in (db, web); app notin (db); \
                        nope notin (x); n>2; n<4; app=web,n=3;  app = web ; nope!=x";
        for selector in selected.split("; ") {
            assert!(LabelSelector::parse(selector).unwrap().selects(&terms), "{selector}");
        }
        let others = "nope; !app; app=db; app!=web; app in (db); app notin (web); n>3; n<3; app=";
        for selector in others.split("; ") {
            assert!(!LabelSelector::parse(selector).unwrap().selects(&terms), "{selector}");
        }
    }
}
