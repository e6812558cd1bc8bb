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

use crate::codec::path::{PathStep, parse_path};
use crate::codec::presence::visit_encoded;
use crate::codec::{self, Value, View, json};
use crate::controller::informer::{Event, Key};
use crate::kind::HasMetadata;
use crate::mask::{FieldMask, MaskError, Masked, Observed};
use std::any::Any;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;
use std::future::poll_fn;
use std::hash::{BuildHasher, RandomState};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, Weak};
use std::task::{Context, Poll, Waker};

/// The name of the index by namespaces, which every store has.
const NAMESPACE: &str = "namespace";

/// The objects that an informer has reported. A clone is another handle of the same store.
#[doc(alias("cache", "lister", "indexer"))]
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
    waiters: Mutex<Waiters>,
    subscribers: Subscribers,
}

#[derive(Default)]
struct Progress {
    is_ready: bool,
    relist: Option<Relist>,
    /// The wakers of the tasks that wait until the store is ready.
    wakers: Vec<Waker>,
}

/// A relist that is not complete. Its objects are in their place from the start, so that the end of
/// a relist only exchanges two pointers while readers wait.
struct Relist {
    state: State,
    /// The keys of objects that changed.
    keys: BTreeSet<Key>,
    /// The objects that readers still have.
    replaced: Vec<Object>,
}

impl<T: Send + Sync + 'static> Index<T> {
    /// An index with a name, and the function that computes the values of an object in it: none,
    /// one, or several. The function must not use the store, which is locked while it runs.
    pub fn new(
        name: &'static str,
        values: impl Fn(&T) -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        let values = move |object: &dyn Any| object.downcast_ref().map(&values).unwrap_or_default();
        Self { name, values: Values::Of(Box::new(values)), object: PhantomData }
    }
}

impl<T: codec::Object + Value + Send + Sync + 'static> Index<T> {
    /// An index by the values at a path, such as `spec.nodeName` or `metadata.ownerReferences.uid`.
    /// A path leads through all elements of a list; `["key"]` is an entry of a map. Numbers and
    /// booleans are indexed by their JSON; absent values and objects are not indexed. Objects that
    /// are decoded by a mask have [`by_masked_path`](Index::by_masked_path).
    ///
    /// ```
    /// use kapigen_runtime::meta_v1::PartialObjectMetadata as Thing;
    /// use kapigen_runtime::store::Index;
    ///
    /// assert!(Index::<Thing>::by_path("app", r#"metadata.labels["app.kubernetes.io/name"]"#).is_ok());
    /// assert!(Index::<Thing>::by_path("app", "metadata.label").unwrap_err().to_string().contains("metadata.labels"));
    /// ```
    ///
    /// # Errors
    /// When the path does not resolve. The error names the form to use.
    pub fn by_path(name: &'static str, path: &str) -> Result<Self, MaskError> {
        FieldMask::<T>::only([path])?;
        Ok(Self::at(name, path))
    }
}

impl<T: codec::Object + Value + Send + Sync + 'static> Index<Masked<T>> {
    /// As [`by_path`](Index::by_path), of objects that are decoded by a mask.
    ///
    /// ```
    /// use kapigen_runtime::FieldMask;
    /// use kapigen_runtime::meta_v1::PartialObjectMetadata as Thing;
    /// use kapigen_runtime::store::Index;
    ///
    /// let mask = FieldMask::<Thing>::only(["metadata.labels"])?;
    /// assert!(Index::by_masked_path("app", "metadata.labels.app", &mask).is_ok());
    /// assert!(Index::by_masked_path("owner", "metadata.ownerReferences.uid", &mask).is_err());
    /// # Ok::<(), kapigen_runtime::mask::MaskError>(())
    /// ```
    ///
    /// # Errors
    /// When the path does not resolve, or the mask leaves out its target: the index would be empty.
    pub fn by_masked_path(
        name: &'static str,
        path: &str,
        mask: &FieldMask<T>,
    ) -> Result<Self, MaskError> {
        mask.check_has(path)?;
        Ok(Self::at(name, path))
    }
}

impl<T: Observed + Send + Sync + 'static> Index<T> {
    /// An index by a path that was checked.
    fn at(name: &'static str, path: &str) -> Self {
        let steps = parse_path(path).unwrap_or_default();
        let steps: Vec<String> = steps
            .into_iter()
            .filter_map(|step| match step {
                PathStep::Name(name) => Some(name.to_owned()),
                PathStep::Key(key) => Some(key.into_owned()),
                PathStep::Index(_) | PathStep::Each => None,
            })
            .collect();
        Self::new(name, move |object: &T| {
            let mut values = Vec::new();
            values_at(&View::Object(object.object()), &steps, &mut values);
            values
        })
    }
}

/// The scalars at a path, as strings.
fn values_at(view: &View<'_>, steps: &[String], values: &mut Vec<String>) {
    match (view, steps) {
        (View::List(list), _) => {
            (0..list.count()).for_each(|index| values_at(&list.element(index), steps, values));
        }
        (View::Object(object), [step, rest @ ..]) => visit_encoded(*object, &mut |name, view| {
            if name == step {
                values_at(&view, rest, values);
            }
        }),
        (View::Map(map), [step, rest @ ..]) => map.visit_entries(&mut |key, view| {
            if key == step {
                values_at(&view, rest, values);
            }
        }),
        (View::Raw(_) | View::BySerde(_), _) => {
            let text = view.free_json().unwrap_or_default();
            values_of_json(&serde_json::from_str(&text).unwrap_or_default(), steps, values);
        }
        (View::Object(_) | View::Map(_) | View::Unknown(_) | View::Absent | View::Null, _)
        | (_, [_, ..]) => {}
        (scalar, []) => values_of_json(
            &serde_json::from_slice(&json::write(scalar)).unwrap_or_default(),
            &[],
            values,
        ),
    }
}

/// [`values_at`] of free JSON.
fn values_of_json(value: &serde_json::Value, steps: &[String], values: &mut Vec<String>) {
    match (value, steps) {
        (serde_json::Value::Array(elements), _) => {
            for element in elements {
                values_of_json(element, steps, values);
            }
        }
        (serde_json::Value::Object(members), [step, rest @ ..]) => {
            members.get(step).into_iter().for_each(|member| values_of_json(member, rest, values));
        }
        (serde_json::Value::String(text), []) => values.push(text.clone()),
        (serde_json::Value::Number(_) | serde_json::Value::Bool(_), []) => {
            values.push(value.to_string());
        }
        _ => {}
    }
}

/// A value by which objects are indexed, as a string that no other value has.
pub trait IndexValue {
    /// The string.
    fn index_text(&self) -> Cow<'_, str>;
}

/// Implements it for types with a `Display` that no other value has.
macro_rules! index_values {
    ($($type:ty),+) => {
        $(impl IndexValue for $type {
            fn index_text(&self) -> Cow<'_, str> {
                self.to_string().into()
            }
        })+
    };
}

index_values!(bool, i32, i64, u32, u64);

impl IndexValue for str {
    fn index_text(&self) -> Cow<'_, str> {
        self.into()
    }
}

impl IndexValue for String {
    fn index_text(&self) -> Cow<'_, str> {
        self.as_str().into()
    }
}

impl IndexValue for Key {
    fn index_text(&self) -> Cow<'_, str> {
        self.as_str().into()
    }
}

/// Two values together, such as a namespace and a node.
impl<A: IndexValue, B: IndexValue> IndexValue for (A, B) {
    fn index_text(&self) -> Cow<'_, str> {
        let first = self.0.index_text();
        format!("{} {first}{}", first.len(), self.1.index_text()).into()
    }
}

impl<V: IndexValue + ?Sized> IndexValue for &V {
    fn index_text(&self) -> Cow<'_, str> {
        (**self).index_text()
    }
}

/// A typed index, to look up objects in a [`Snapshot`].
///
/// ```
/// use kapigen_runtime::informer::{Event, Key};
/// use kapigen_runtime::meta_v1::PartialObjectMetadata as Thing;
/// use kapigen_runtime::store::{Lookup, Store};
///
/// const BY_OWNER: Lookup<Thing, Key> = Lookup::new("owner");
/// let index = BY_OWNER.index(|thing| {
///     let owners = thing.metadata.owner_references.iter().flatten();
///     owners.map(|owner| Key::new("default", &owner.name)).collect()
/// });
/// let store = Store::with_indexes([index]);
/// assert!(store.snapshot().get_all(&BY_OWNER, &Key::new("default", "web")).is_empty());
/// ```
pub struct Lookup<T, V> {
    name: &'static str,
    types: PhantomData<fn(T) -> V>,
}

impl<T: Send + Sync + 'static, V: IndexValue + 'static> Lookup<T, V> {
    /// The index of this name. All of a store have different ones.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, types: PhantomData }
    }

    /// The index, with the function that computes the values of an object in it: none, one, or
    /// several. Like the function of [`Index::new`], it must not use the store.
    pub fn index(&self, values: impl Fn(&T) -> Vec<V> + Send + Sync + 'static) -> Index<T> {
        let text = |value: &V| value.index_text().into_owned();
        Index::new(self.name, move |object| values(object).iter().map(text).collect())
    }
}

impl<T, V> fmt::Debug for Lookup<T, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lookup").field(&self.name).finish()
    }
}

/// A store of objects of any type, see [`all_synced`].
pub trait Synced: Sync {
    /// Whether the store has had all objects once. Wakes the task otherwise when it has.
    fn poll_synced(&self, context: &mut Context<'_>) -> Poll<()>;
}

impl<T> Synced for Store<T> {
    fn poll_synced(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut progress = self.shared.progress();
        if progress.is_ready {
            return Poll::Ready(());
        }
        if !progress.wakers.iter().any(|waker| waker.will_wake(context.waker())) {
            progress.wakers.push(context.waker().clone());
        }
        Poll::Pending
    }
}

/// Waits until each of several stores has had all objects once.
///
/// ```
/// use kapigen_runtime::meta_v1::PartialObjectMetadata as Thing;
/// use kapigen_runtime::store::{Store, all_synced};
///
/// async fn start(pods: &Store<Thing>, nodes: &Store<Thing>) {
///     all_synced(&[pods, nodes]).await;
/// }
/// ```
pub async fn all_synced(stores: &[&dyn Synced]) {
    for store in stores {
        poll_fn(|context| store.poll_synced(context)).await;
    }
}

/// The meaning of resource versions, see [`Store::wait_for`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versions {
    /// They can only be compared for equality: some servers, such as aggregated ones, promise no
    /// more.
    Opaque,
    /// They are integers that grow with each write: as Kubernetes promises for built-in resources
    /// since 1.35.
    Ordered,
}

impl Versions {
    /// Whether an object of one version is as new as another one.
    fn has_reached(self, found: &str, wanted: &str) -> bool {
        let number = |version: &str| version.parse::<u128>().ok();
        match (self, number(found), number(wanted)) {
            (Versions::Ordered, Some(found), Some(wanted)) => found >= wanted,
            _ => found == wanted,
        }
    }
}

impl<T: Observed<Object: HasMetadata> + Send + Sync + 'static> Store<T> {
    /// Waits until the store shows a write: the object in the version of the response to the write,
    /// or in a later one. Then a program reads its own writes. Give it a deadline, for example with
    /// `tokio::time::timeout`.
    ///
    /// By [`Versions::Opaque`] a later version is not recognized: if somebody else writes the
    /// object at the same time, the wait may last until the deadline. It also does if the object is
    /// deleted.
    ///
    /// ```
    /// use kapigen_runtime::store::{Store, Versions};
    /// use kapigen_runtime::{AnyResource, informer::Key};
    ///
    /// /// Waits for an object as a server has returned it.
    /// async fn seen<T: AnyResource>(store: &Store<T>, written: &T) {
    ///     let version = written.metadata().resource_version.as_deref().unwrap_or_default();
    ///     store.wait_for(&Key::of(written), version, Versions::Ordered).await;
    /// }
    /// ```
    pub async fn wait_for(&self, key: &Key, version: &str, versions: Versions) {
        self.wait_until(key, |object| {
            let found =
                object.and_then(|object| object.object().object_meta().resource_version.as_deref());
            found.is_some_and(|found| versions.has_reached(found, version))
        })
        .await;
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
        let (names, indexes): (Vec<_>, Vec<_>) =
            [(NAMESPACE, Values::Namespace)].into_iter().chain(indexes).unzip();
        let shared = Shared {
            state: RwLock::new(State::new(indexes.len())),
            retired: Retired::default(),
            names,
            indexes,
            progress: Mutex::default(),
            waiters: Mutex::default(),
            subscribers: Subscribers::default(),
        };
        Self { shared: Arc::new(shared), object: PhantomData }
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

    /// Whether the store has had all objects once. Then it stays so.
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

    /// The objects that have a value in an index, by their keys. There are none in an index that
    /// the store does not have.
    #[must_use]
    pub fn get_all<V: IndexValue>(&self, index: &Lookup<T, V>, value: &V) -> Vec<Arc<T>> {
        self.find(index.name, &value.index_text())
    }

    /// The objects that have a value in the index with this name, by their keys. Every store has
    /// the index `namespace`. There are none in an index that the store does not have.
    #[must_use]
    pub fn find(&self, index: &str, value: &str) -> Vec<Arc<T>> {
        let Some(index) = self.shared.names.iter().position(|name| *name == index) else {
            return Vec::new();
        };
        self.state
            .find(index, value)
            .into_iter()
            .filter_map(|(_, object)| of_type(object))
            .collect()
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
        let relist =
            || Relist { state: self.read().clone(), keys: BTreeSet::new(), replaced: Vec::new() };
        self.progress().relist.get_or_insert_with(relist);
    }

    fn set(&self, key: &Key, object: Option<Object>) {
        let mut progress = self.progress();
        if let Some(relist) = &mut progress.relist {
            let mut replaced = relist.state.set(key.clone(), object, &self.indexes);
            let length = relist.state.len();
            // Only the first change replaces an object that readers have.
            if relist.keys.insert(key.clone()) {
                relist.replaced.extend(replaced.take());
            }
            drop(progress);
            self.retired.add(replaced, length);
            return;
        }
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        drop(progress); // Not before: a relist may begin in between, without this change.
        let replaced = state.set(key.clone(), object, &self.indexes);
        let length = state.len();
        drop(state);
        self.report(std::slice::from_ref(key));
        self.retired.add(replaced, length);
    }

    fn finish(&self) {
        let mut progress = self.progress();
        let relist = progress.relist.take().map(|mut relist| {
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::swap(&mut *state, &mut relist.state);
            relist
        });
        drop(progress); // Not before: a change in between would be lost.
        let replaced = relist.map(|relist| {
            drop(relist.state); // All objects of it that are gone were replaced.
            let keys: Vec<Key> = relist.keys.into_iter().collect();
            self.report(&keys);
            relist.replaced
        });
        let mut progress = self.progress();
        progress.is_ready = true;
        let wakers = std::mem::take(&mut progress.wakers);
        drop(progress);
        wakers.into_iter().for_each(Waker::wake);
        // Dropping an object may panic.
        if let Some(replaced) = replaced {
            let length = self.read().len();
            self.retired.add(replaced, length);
        }
    }

    /// Reports changes of objects to all subscribers.
    fn report(&self, keys: &[Key]) {
        self.subscribers.push(keys);
        self.wake(keys);
    }

    /// Wakes the tasks that wait for a change of one of these objects.
    fn wake(&self, keys: &[Key]) {
        let mut waiters = self.waiters();
        if waiters.wakers.is_empty() {
            return;
        }
        let woken: Vec<_> = keys.iter().filter_map(|key| waiters.wakers.remove(key)).collect();
        drop(waiters);
        woken.into_iter().flatten().for_each(|(_, waker)| waker.wake());
    }

    fn waiters(&self) -> MutexGuard<'_, Waiters> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A future that is going to wait for changes of an object.
    fn waiter<'a>(&'a self, key: &'a Key) -> Waiter<'a> {
        let mut waiters = self.waiters();
        waiters.last += 1;
        Waiter { shared: self, key, id: waiters.last }
    }
}

/// The wakers of the tasks that wait for the next change of an object.
#[derive(Default)]
struct Waiters {
    /// The ID of the newest waiter.
    last: u64,
    /// By the object and the ID of the waiter.
    wakers: HashMap<Key, BTreeMap<u64, Waker>>,
}

/// A future that waits for changes of an object. When it is dropped, nothing is left of it in the
/// store.
struct Waiter<'a> {
    shared: &'a Shared,
    key: &'a Key,
    id: u64,
}

impl Waiter<'_> {
    /// Wakes the task at the next change.
    fn wait(&self, waker: &Waker) {
        let mut waiters = self.shared.waiters();
        let former =
            waiters.wakers.entry(self.key.clone()).or_default().insert(self.id, waker.clone());
        drop(waiters); // Dropping a waker may drop a task, which may use the store.
        drop(former);
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let mut waiters = self.shared.waiters();
        let Some(wakers) = waiters.wakers.get_mut(self.key) else { return };
        let waker = wakers.remove(&self.id);
        if wakers.is_empty() {
            waiters.wakers.remove(self.key);
        }
        drop(waiters);
        drop(waker);
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

/// Objects and indexes. A clone is cheap, and changes of one do not show in the other: a change
/// copies the part that it concerns, if a clone still has it.
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
        let shard =
            Arc::new(Shard { objects: HashMap::new(), indexes: vec![HashMap::new(); indexes] });
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

    /// Replaces the object with this key, or removes it. Returns the former one.
    fn set(&mut self, key: Key, object: Option<Object>, indexes: &[Values]) -> Option<Object> {
        let index = self.shard(key.as_str());
        let shard = Arc::make_mut(&mut Arc::make_mut(&mut self.shards)[index]);
        let last = shard.objects.get(&key);
        for (values, index) in indexes.iter().zip(&mut shard.indexes) {
            if matches!(values, Values::Namespace) && last.is_some() == object.is_some() {
                continue;
            }
            let of = |object: Option<&Object>| {
                object.map(|object| values.of(&key, object)).unwrap_or_default()
            };
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

/// Moves an object from its former values to the current ones. Most changes of an object leave them
/// as they are.
fn replace(
    index: &mut HashMap<String, BTreeSet<Key>>,
    before: &[String],
    now: Vec<String>,
    key: &Key,
) {
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
/// It begins with all objects. Pending changes of one object are merged into one, so that a slow
/// subscriber takes no more memory than a key for each object, and receives only the latest state.
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
    /// The current object. `None` if it was deleted.
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
struct Retired(Mutex<Vec<Object>>);

impl Retired {
    /// Adds objects that are no longer in a store. `others` is the number of objects that still
    /// are.
    fn add(&self, objects: impl IntoIterator<Item = Object>, others: usize) {
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
