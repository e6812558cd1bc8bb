//! Objects that left a store.

use super::state::Object;
use std::sync::{Mutex, PoisonError};

/// The number of objects that are dropped together, in a store that has enough of them.
const BATCH: usize = 16;
/// The least number of objects in the store for each object that waits.
const SHARE: usize = 64;

/// Keeps objects that were replaced or removed, and drops them in batches.
///
/// An object is a hundred allocations of many sizes. Allocators hand the memory of one that was
/// just freed to the next one piece by piece, so that objects that come and go one by one end up
/// interleaved, with holes in between that fit none: the heap of a program grows by a sixth. The
/// memory of several objects coalesces instead.
#[derive(Default)]
pub(super) struct Retired(Mutex<Vec<Object>>);

impl Retired {
    /// Adds objects that are no longer in a store. `others` is the number of objects that still
    /// are.
    pub(super) fn add(&self, objects: impl IntoIterator<Item = Object>, others: usize) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend(objects);
        let dropped = if waiting.len() >= BATCH.min(others / SHARE + 1) {
            std::mem::take(&mut *waiting)
        } else {
            Vec::new()
        };
        // Dropping an object may take long, or use the store.
        drop(waiting);
        drop(dropped);
    }
}
