//! Deleting many objects.

use super::delete::Fate;
use crate::call::{Call, Outcome};
use crate::failure::Failure;
use crate::select::Selection;
use serde_json::json;
use std::sync::Arc;

impl Call<'_> {
    /// DELETE on a collection. The response lists what was deleted.
    pub(crate) fn delete_collection(&mut self) -> Result<Outcome, Failure> {
        let options = self.delete_options()?;
        let selection = Selection::of(self.request, &self.resource)?;
        let limit = self.request.number("limit")?.and_then(|limit| usize::try_from(limit).ok()).filter(|limit| *limit > 0);
        let version = self.state.store.version();
        let resource = self.key("").resource;
        let found = self.state.store.list(&resource, self.namespace());
        let found: Vec<_> = found.into_iter().map(|(_, object)| object).filter(|object| selection.matches(object)).collect();
        let mut items = Vec::new();
        for live in found.into_iter().take(limit.unwrap_or(usize::MAX)) {
            items.push(match self.delete_object(&live, &options)? {
                Fate::Gone(object) => object,
                Fate::Waits(object) => Arc::new(object),
            });
        }
        Ok(Outcome::List { items, metadata: json!({"resourceVersion": version.to_string()}) })
    }
}
