//! Stores: the objects that an informer has reported, for any number of readers.
//!
//! ```
//! use kapigen_runtime::informer::{Event, Key};
//! use kapigen_runtime::meta_v1::PartialObjectMetadata;
//! use kapigen_runtime::store::{Index, Store};
//! use std::sync::Arc;
//!
//! let owner = Index::new("owner", |object: &PartialObjectMetadata| {
//!     let owners = object.metadata.owner_references.iter().flatten();
//!     owners.map(|owner| owner.uid.clone()).collect()
//! });
//! let store = Store::with_indexes([owner]);
//!
//! // Events come from an informer.
//! let key = Key::new("default", "web-0");
//! store.apply(&Event::Applied { key: key.clone(), object: Arc::new(PartialObjectMetadata::default()) });
//!
//! assert!(store.get(&key).is_some());
//! let snapshot = store.snapshot();
//! assert_eq!(snapshot.find("namespace", "default").len(), 1);
//! assert!(snapshot.find("owner", "0f6d").is_empty());
//! ```
//!
//! While a relist is in progress, a store serves the previous objects; when it completes, the new
//! ones replace them atomically. Every reader gets the same `Arc`. Previous objects that a relist
//! replaces or removes are kept until it completes. All others are freed in small batches when they
//! are replaced or removed: at most 15 of them are kept until then, or one for every 64 objects of
//! the store if that is less.

mod index;
mod lookup;
mod retired;
mod shared;
mod snapshot;
mod state;
mod subscription;
mod waiting;

pub use index::Index;
pub use lookup::{IndexValue, Lookup};
pub use snapshot::Snapshot;
pub use subscription::{Change, Subscription};
pub use waiting::{Synced, Versions, all_synced};

use crate::controller::informer::{Event, Key};
use shared::Shared;
use state::{Object, Values};
use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::sync::Arc;
use std::task::Poll;
use subscription::Queue;

/// The name of the index by namespaces, which every store has.
const NAMESPACE: &str = "namespace";

/// The objects that an informer has reported. A clone is another handle of the same store.
#[doc(alias("cache", "lister", "indexer"))]
pub struct Store<T> {
    shared: Arc<Shared>,
    object: PhantomData<fn() -> T>,
}

impl<T: Send + Sync + 'static> Default for Store<T> {
    fn default() -> Self {
        Self::with_indexes([])
    }
}

impl<T: Send + Sync + 'static> Store<T> {
    /// An empty store that finds objects by key and namespace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty store with indexes.
    #[must_use]
    pub fn with_indexes(indexes: impl IntoIterator<Item = Index<T>>) -> Self {
        let indexes = indexes.into_iter().map(|index| (index.name, index.values));
        let (names, indexes): (Vec<_>, Vec<_>) =
            [(NAMESPACE, Values::Namespace)].into_iter().chain(indexes).unzip();
        Self { shared: Arc::new(Shared::new(names, indexes)), object: PhantomData }
    }

    /// Takes an event of an informer. All events of a store must come from one informer, in their
    /// order.
    pub fn apply(&self, event: &Event<T>) {
        match event {
            Event::Init => self.shared.begin(),
            Event::Applied { key, object } => {
                self.shared.set(key, Some(Arc::clone(object) as Object));
            }
            Event::Deleted { key, .. } => self.shared.set(key, None),
            Event::InitDone => self.shared.finish(),
            Event::Undecodable { .. } | Event::Failed(_) => {}
        }
    }

    /// Whether the store has had all objects once. It stays true.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.shared.progress().is_ready
    }

    /// Waits until the store has had all objects once.
    pub async fn ready(&self) {
        poll_fn(|context| self.poll_synced(context)).await;
    }

    /// Waits until an object that the store shows is in a state, or is absent in it.
    pub async fn wait_until(&self, key: &Key, mut is_reached: impl FnMut(Option<&T>) -> bool) {
        let waiter = self.shared.waiter(key);
        poll_fn(|context| {
            if is_reached(self.get(key).as_deref()) {
                return Poll::Ready(());
            }
            waiter.wait(context.waker());
            // It may have changed in between.
            if is_reached(self.get(key).as_deref()) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// The object with this key.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<Arc<T>> {
        self.shared.get(key)
    }

    /// Takes a snapshot of the current objects in constant time.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<T> {
        Snapshot {
            state: self.shared.read().clone(),
            shared: Arc::clone(&self.shared),
            object: PhantomData,
        }
    }

    /// Follows the changes from now on, beginning with all objects.
    #[must_use]
    pub fn subscribe(&self) -> Subscription<T> {
        let queue = Arc::new(Queue::default());
        self.shared.subscribers.add(&queue);
        queue.push(self.shared.read().objects().map(|(key, _)| key));
        Subscription::new(Arc::clone(&self.shared), queue)
    }
}

impl<T> Clone for Store<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), object: PhantomData }
    }
}

impl<T> fmt::Debug for Store<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("objects", &self.shared.read().len()).finish_non_exhaustive()
    }
}
