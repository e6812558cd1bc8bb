//! Selectors of labels and fields.

mod fields;
mod labels;

pub(crate) use fields::FieldSelector;
pub(crate) use labels::LabelSelector;

use crate::failure::Failure;
use crate::registry::Resource;
use crate::request::Incoming;
use crate::store::Stored;
use serde_json::Value;

/// Which objects of a collection are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    labels: LabelSelector,
    pub(crate) fields: FieldSelector,
}

impl Selection {
    pub(crate) fn of(request: &Incoming<'_>, resource: &Resource) -> Result<Self, Failure> {
        let labels = LabelSelector::parse(request.get("labelSelector")).map_err(Failure::bad_request)?;
        let fields = FieldSelector::parse(request.get("fieldSelector"), resource).map_err(Failure::bad_request)?;
        Ok(Self { labels, fields })
    }

    /// Whether a stored object is selected, which is a tree only where there is something to check.
    pub(crate) fn selects(&self, object: &Stored) -> bool {
        *self == Self::default() || self.matches(&object.tree())
    }

    fn matches(&self, object: &Value) -> bool {
        self.labels.matches(object) && self.fields.matches(object)
    }
}
