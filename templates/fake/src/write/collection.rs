//! Deleting many objects.

use crate::call::{Call, Outcome};
use crate::failure::Failure;
use crate::select::Selection;

impl Call<'_> {
    /// DELETE on a collection. The response lists the deleted objects.
    pub(crate) fn delete_collection(&mut self) -> Result<Outcome, Failure> {
        let options = self.delete_options()?;
        let selection = Selection::of(self.request, &self.resource)?;
        let limit =
            self.request.number("limit")?.and_then(|limit| usize::try_from(limit).ok()).filter(|limit| *limit > 0);
        let version = self.state.store.version();
        let resource = self.key("").resource;
        let found = self.state.store.list(&resource, self.namespace());
        let found = found.into_iter().map(|(path, object)| (path.as_ref().to_owned(), object));
        let found: Vec<_> = found.filter(|(_, object)| selection.selects(object)).collect();
        let count = limit.unwrap_or(found.len()).min(found.len());
        let metadata = self.list_metadata(version, &found, count);
        // The response has the objects as they were.
        let items: Vec<_> = found.into_iter().take(count).map(|(_, object)| object).collect();
        for live in &items {
            self.delete_object(&live.tree(), &options)?;
        }
        Ok(Outcome::List { items, metadata })
    }
}
