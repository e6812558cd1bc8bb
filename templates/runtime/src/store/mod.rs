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
//! While all objects are taken anew, a store shows those of before, and then at once all of now. Every reader gets the
//! same `Arc`. Objects that were replaced or removed are freed a few at once: at most 15 of them wait for that, or one
//! for every 64 objects of the store if that is less.

mod retired;
mod state;
mod subscription;

pub use subscription::{Change, Subscription};

use crate::informer::{Event, Key};
use retired::Retired;
use state::{Object, State, Values};
use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::task::{Poll, Waker};
use subscription::{Queue, Subscribers};

/// The name of the index by namespaces, which every store has.
const NAMESPACE: &str = "namespace";

/// The objects that an informer has reported. A clone is another handle of the same store.
pub struct Store<T> {
    shared: Arc<Shared>,
    object: PhantomData<fn() -> T>,
}

/// Finds objects by values that are computed from them, such as the node of a pod.
pub struct Index<T> {
    name: &'static str,
    values: Values,
    object: PhantomData<fn() -> T>,
}

/// The objects of a store at one moment. It does not change.
pub struct Snapshot<T> {
    state: State,
    shared: Arc<Shared>,
    object: PhantomData<fn() -> T>,
}

/// The contents of a store, for objects of any type.
struct Shared {
    state: RwLock<State>,
    retired: Retired,
    names: Vec<&'static str>,
    indexes: Vec<Values>,
    progress: Mutex<Progress>,
    subscribers: Subscribers,
}

#[derive(Default)]
struct Progress {
    is_ready: bool,
    /// The changes of a relist that is not complete.
    relist: Option<HashMap<Key, Option<Object>>>,
    /// Those who wait until the store is ready.
    wakers: Vec<Waker>,
}

impl<T: Send + Sync + 'static> Index<T> {
    /// An index with a name, and the function that computes the values of an object in it: none, one, or several.
    pub fn new(name: &'static str, values: impl Fn(&T) -> Vec<String> + Send + Sync + 'static) -> Self {
        let values = move |object: &dyn Any| object.downcast_ref().map(&values).unwrap_or_default();
        Self { name, values: Values::Of(Box::new(values)), object: PhantomData }
    }
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
        let (names, indexes): (Vec<_>, Vec<_>) = [(NAMESPACE, Values::Namespace)].into_iter().chain(indexes).unzip();
        let shared = Shared {
            state: RwLock::new(State::new(indexes.len())),
            retired: Retired::default(),
            names,
            indexes,
            progress: Mutex::default(),
            subscribers: Subscribers::default(),
        };
        Self { shared: Arc::new(shared), object: PhantomData }
    }

    /// Takes an event of an informer. All events of a store must come from one informer, in their order.
    pub fn apply(&self, event: &Event<T>) {
        match event {
            Event::Init => self.shared.begin(),
            Event::Applied { key, object } => self.shared.set(key, Some(Arc::clone(object) as Object)),
            Event::Deleted { key, .. } => self.shared.set(key, None),
            Event::InitDone => self.shared.finish(),
            Event::Undecodable { .. } | Event::Failed(_) => {}
        }
    }

    /// Whether the store has had all objects once. Then it stays so.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.shared.progress().is_ready
    }

    /// Waits until the store has had all objects once.
    pub async fn ready(&self) {
        poll_fn(|context| {
            let mut progress = self.shared.progress();
            if progress.is_ready {
                return Poll::Ready(());
            }
            if !progress.wakers.iter().any(|waker| waker.will_wake(context.waker())) {
                progress.wakers.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }

    /// The object with this key.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<Arc<T>> {
        self.shared.get(key)
    }

    /// The objects of now. It costs as much for many objects as for few.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<T> {
        Snapshot { state: self.shared.read().clone(), shared: Arc::clone(&self.shared), object: PhantomData }
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

impl<T: Send + Sync + 'static> Snapshot<T> {
    /// The number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// Whether there are no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The object with this key.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<Arc<T>> {
        self.state.get(key.as_str()).and_then(of_type)
    }

    /// All objects, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, Arc<T>)> {
        self.state.objects().filter_map(|(key, object)| Some((key, of_type(object)?)))
    }

    /// The objects that have a value in the index with this name, by their keys. The index `namespace` is there in
    /// every store. There are none in an index that the store does not have.
    #[must_use]
    pub fn find(&self, index: &str, value: &str) -> Vec<Arc<T>> {
        let Some(index) = self.shared.names.iter().position(|name| *name == index) else { return Vec::new() };
        self.state.find(index, value).into_iter().filter_map(|(_, object)| of_type(object)).collect()
    }
}

impl Shared {
    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn get<T: Send + Sync + 'static>(&self, key: &Key) -> Option<Arc<T>> {
        self.read().get(key.as_str()).and_then(of_type)
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) {
        self.progress().relist.get_or_insert_default();
    }

    fn set(&self, key: &Key, object: Option<Object>) {
        let mut progress = self.progress();
        let Some(relist) = &mut progress.relist else {
            drop(progress);
            return self.retired.add(self.swap([(key.clone(), object)]));
        };
        let replaced = relist.insert(key.clone(), object);
        drop(progress); // Dropping an object may use the store.
        drop(replaced);
    }

    fn finish(&self) {
        let relist = self.progress().relist.take().unwrap_or_default();
        let replaced = self.swap(relist);
        let mut progress = self.progress();
        progress.is_ready = true;
        let wakers = std::mem::take(&mut progress.wakers);
        drop(progress);
        wakers.into_iter().for_each(Waker::wake);
        self.retired.add(replaced); // Dropping an object may panic.
    }

    /// Makes changes at once. Returns the objects that were replaced, and the number of those that are there.
    fn swap(&self, changes: impl IntoIterator<Item = (Key, Option<Object>)>) -> (Vec<Object>, usize) {
        let (mut keys, mut replaced) = (Vec::new(), Vec::new());
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        for (key, object) in changes {
            keys.push(key.clone());
            replaced.extend(state.set(key, object, &self.indexes));
        }
        let length = state.len();
        drop(state);
        self.subscribers.push(&keys);
        (replaced, length)
    }
}

fn of_type<T: Send + Sync + 'static>(object: &Object) -> Option<Arc<T>> {
    Arc::clone(object).downcast().ok()
}

impl<T> Clone for Store<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), object: PhantomData }
    }
}

impl<T> Clone for Snapshot<T> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), shared: Arc::clone(&self.shared), object: PhantomData }
    }
}

impl<T> fmt::Debug for Store<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("objects", &self.shared.read().len()).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Snapshot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("objects", &self.state.len()).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Index<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Index").field(&self.name).finish()
    }
}
