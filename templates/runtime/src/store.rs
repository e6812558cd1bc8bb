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
//! During a relist, a store shows the objects of before, and at its end all of now at once. Every reader gets the
//! same `Arc`. Objects that were replaced or removed are freed a few at once: at most 15 of them wait for that, or one
//! for every 64 objects of the store if that is less.

use crate::informer::{Event, Key};
use std::any::Any;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;
use std::future::poll_fn;
use std::hash::{BuildHasher, RandomState};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, Weak};
use std::task::{Context, Poll, Waker};

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
        let mut keys = Vec::new();
        let mut replaced = Vec::new();
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

/// An object of any type.
type Object = Arc<dyn Any + Send + Sync>;

/// Computes the values of an object in an index.
type Compute = Box<dyn Fn(&dyn Any) -> Vec<String> + Send + Sync>;

/// The values of objects in an index.
enum Values {
    /// The namespace, which an object keeps.
    Namespace,
    /// Values that are computed from the object.
    Of(Compute),
}

/// The number of parts that are copied one by one.
const SHARDS: usize = 64;

/// Objects and indexes. A clone is cheap, and changes of one do not show in the other: a change copies the part that it
/// concerns, if a clone still has it.
#[derive(Clone)]
struct State {
    shards: Arc<Vec<Arc<Shard>>>,
    hasher: RandomState,
    length: usize,
}

#[derive(Clone, Default)]
struct Shard {
    objects: HashMap<Key, Object>,
    /// For each index: the objects that have a value.
    indexes: Vec<HashMap<String, BTreeSet<Key>>>,
}

impl State {
    fn new(indexes: usize) -> Self {
        // All parts are one at first.
        let shard = Arc::new(Shard { objects: HashMap::new(), indexes: vec![HashMap::new(); indexes] });
        Self { shards: Arc::new(vec![shard; SHARDS]), hasher: RandomState::new(), length: 0 }
    }

    fn len(&self) -> usize {
        self.length
    }

    fn get(&self, key: &str) -> Option<&Object> {
        self.shards[self.shard(key)].objects.get(key)
    }

    fn objects(&self) -> impl Iterator<Item = (&Key, &Object)> {
        self.shards.iter().flat_map(|shard| &shard.objects)
    }

    /// The objects that have a value in an index, by their keys.
    fn find(&self, index: usize, value: &str) -> Vec<(&Key, &Object)> {
        let mut found = Vec::new();
        for shard in self.shards.iter() {
            let keys = shard.indexes[index].get(value).into_iter().flatten();
            found.extend(keys.filter_map(|key| shard.objects.get_key_value(key)));
        }
        found.sort_unstable_by_key(|(key, _)| *key);
        found
    }

    /// Puts an object in place of the one with this key, or removes that. Returns the former one.
    fn set(&mut self, key: Key, object: Option<Object>, indexes: &[Values]) -> Option<Object> {
        let index = self.shard(key.as_str());
        let shard = Arc::make_mut(&mut Arc::make_mut(&mut self.shards)[index]);
        let last = shard.objects.get(&key);
        for (values, index) in indexes.iter().zip(&mut shard.indexes) {
            if matches!(values, Values::Namespace) && last.is_some() == object.is_some() {
                continue;
            }
            let of = |object: Option<&Object>| object.map(|object| values.of(&key, object)).unwrap_or_default();
            replace(index, &of(last), of(object.as_ref()), &key);
        }
        let last = match object {
            Some(object) => {
                self.length += 1;
                shard.objects.insert(key, object)
            }
            None => shard.objects.remove(&key),
        };
        self.length -= usize::from(last.is_some());
        last
    }

    #[allow(clippy::cast_possible_truncation)] // any bits will do
    fn shard(&self, key: &str) -> usize {
        self.hasher.hash_one(key) as usize % SHARDS
    }
}

impl Values {
    fn of(&self, key: &Key, object: &Object) -> Vec<String> {
        match self {
            Values::Namespace => vec![key.namespace().to_owned()],
            Values::Of(compute) => compute(&**object),
        }
    }
}

/// Moves an object from its former values to the current ones. Most changes of an object leave them as they are.
fn replace(index: &mut HashMap<String, BTreeSet<Key>>, before: &[String], now: Vec<String>, key: &Key) {
    if before == now {
        return;
    }
    for value in before {
        if let Some(keys) = index.get_mut(value) {
            keys.remove(key);
            if keys.is_empty() {
                index.remove(value);
            }
        }
    }
    for value in now {
        index.entry(value).or_default().insert(key.clone());
    }
}

/// Follows the changes of a [`Store`].
///
/// It begins with all objects. Pending changes of one object are merged into one, so that a slow subscriber
/// takes no more memory than a key for each object, and gets the state of now.
///
/// ```
/// use kapigen_runtime::Store;
/// use kapigen_runtime::informer::{Event, Key};
/// use kapigen_runtime::meta_v1::PartialObjectMetadata;
/// use std::sync::Arc;
///
/// let store = Store::<PartialObjectMetadata>::new();
/// let mut changes = store.subscribe();
/// let key = Key::new("default", "web");
/// // Two changes of one object are one change.
/// for _ in 0..2 {
///     store.apply(&Event::Applied { key: key.clone(), object: Arc::default() });
/// }
/// assert_eq!(changes.try_next().unwrap().key, key);
/// assert!(changes.try_next().is_none());
/// ```
pub struct Subscription<T> {
    store: Arc<Shared>,
    queue: Arc<Queue>,
    object: PhantomData<fn() -> T>,
}

/// An object that is new, has changed, or is gone.
#[derive(Debug)]
#[non_exhaustive]
pub struct Change<T> {
    /// Namespace and name.
    pub key: Key,
    /// The state of now. `None` if the object is gone.
    pub object: Option<Arc<T>>,
}

/// The keys of the objects that changed.
#[derive(Default)]
struct Queue(Mutex<Pending>);

#[derive(Default)]
struct Pending {
    keys: VecDeque<Key>,
    /// The same keys.
    queued: HashSet<Key>,
    waker: Option<Waker>,
}

impl Queue {
    /// Adds changes, and wakes the subscriber.
    fn push<'a>(&self, keys: impl Iterator<Item = &'a Key>) {
        let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            if pending.queued.insert(key.clone()) {
                pending.keys.push_back(key.clone());
            }
        }
        let waker = pending.waker.take();
        drop(pending);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The next change. If there is none, the waker is kept.
    fn pop(&self, waker: Option<&Waker>) -> Option<Key> {
        let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(key) = pending.keys.pop_front() else {
            pending.waker = waker.cloned();
            return None;
        };
        pending.queued.remove(&key);
        Some(key)
    }
}

/// The subscribers that still exist.
#[derive(Default)]
struct Subscribers(Mutex<Vec<Weak<Queue>>>);

impl Subscribers {
    fn add(&self, queue: &Arc<Queue>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(queue));
    }

    fn push(&self, keys: &[Key]) {
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|queue| queue.upgrade().map(|queue| queue.push(keys.iter())).is_some());
    }
}

impl<T: Send + Sync + 'static> Subscription<T> {
    fn new(store: Arc<Shared>, queue: Arc<Queue>) -> Self {
        Self { store, queue, object: PhantomData }
    }

    /// The next change, if there is one by now.
    pub fn try_next(&mut self) -> Option<Change<T>> {
        self.queue.pop(None).map(|key| self.change(key))
    }

    /// Waits for the next change. It can be cancelled without losing one.
    pub async fn next(&mut self) -> Change<T> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// The same for an implementation of a future or a stream.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Change<T>> {
        match self.queue.pop(Some(context.waker())) {
            Some(key) => Poll::Ready(self.change(key)),
            None => Poll::Pending,
        }
    }

    fn change(&self, key: Key) -> Change<T> {
        let object = self.store.get(&key);
        Change { key, object }
    }
}

impl<T> fmt::Debug for Subscription<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").finish_non_exhaustive()
    }
}

/// The number of objects that are dropped at once, in a store that has enough of them.
const BATCH: usize = 16;
/// The least number of objects in the store for each object that waits.
const SHARE: usize = 64;

/// Keeps objects that were replaced or removed, and drops them several at once.
///
/// An object is a hundred allocations of many sizes. Allocators hand the memory of one that was just freed to the next
/// one piece by piece, so that objects that come and go one by one end up interleaved, with holes in between that fit
/// none: the heap of a program grows by a sixth. The memory of several objects coalesces instead.
#[derive(Default)]
struct Retired(Mutex<Vec<Object>>);

impl Retired {
    /// Adds objects that are no longer in a store, and the number of those that are.
    fn add(&self, (objects, others): (Vec<Object>, usize)) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend(objects);
        let dropped =
            if waiting.len() >= BATCH.min(others / SHARE + 1) { std::mem::take(&mut *waiting) } else { Vec::new() };
        // Dropping an object may take long, or use the store.
        drop(waiting);
        drop(dropped);
    }
}
