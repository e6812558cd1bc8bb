//! Selectors of labels and fields, and the terms by which they find objects.

mod fields;
mod labels;
mod terms;

pub(crate) use terms::Terms;

use crate::failure::Failure;
use crate::registry::Resource;
use crate::request::Incoming;
use fields::FieldSelector;
use labels::LabelSelector;

#[cfg(test)]
thread_local! {
    /// The number of objects that selections looked at.
    pub(crate) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Which objects of a collection are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    labels: LabelSelector,
    fields: FieldSelector,
}

impl Selection {
    pub(crate) fn of(request: &Incoming<'_>, resource: &Resource) -> Result<Self, Failure> {
        let labels = LabelSelector::parse(request.get("labelSelector")).map_err(Failure::bad_request)?;
        let fields = FieldSelector::parse(request.get("fieldSelector"), resource).map_err(Failure::bad_request)?;
        Ok(Self { labels, fields })
    }

    /// Requires that a field has a value, too.
    pub(crate) fn and_field(self, path: &str, value: &str) -> Self {
        Self { fields: self.fields.and(path, value), ..self }
    }

    /// Requires that a label has a value, too.
    #[cfg(test)]
    pub(crate) fn and_label(self, key: &str, value: &str) -> Self {
        Self { labels: LabelSelector::parse(&format!("{key}={value}")).expect("a selector"), ..self }
    }

    /// Whether all objects are selected.
    pub(crate) fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the object at a path is selected: its namespace, a slash and its name, or a name alone.
    pub(crate) fn selects(&self, path: &str, terms: &Terms) -> bool {
        #[cfg(test)]
        LOOKED_AT.with(|count| count.set(count.get() + 1));
        self.labels.matches(terms) && self.fields.matches(path, terms)
    }

    /// For each condition that an index can answer, the terms of which selected objects have one.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = Vec<String>> {
        self.labels.alternatives().chain(self.fields.alternatives())
    }
}
