//! Waiting for a store: for all objects, for a write, for a change of one object.

use super::Store;
use super::shared::Shared;
use crate::controller::informer::Key;
use crate::kind::HasMetadata;
use crate::mask::Observed;
use std::collections::{BTreeMap, HashMap};
use std::future::poll_fn;
use std::task::{Context, Poll, Waker};

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

/// The wakers of the tasks that wait for the next change of an object.
#[derive(Default)]
pub(super) struct Waiters {
    /// The ID of the newest waiter.
    pub(super) last: u64,
    /// By the object and the ID of the waiter.
    pub(super) wakers: HashMap<Key, BTreeMap<u64, Waker>>,
}

/// A future that waits for changes of an object. When it is dropped, nothing is left of it in the
/// store.
pub(super) struct Waiter<'a> {
    pub(super) shared: &'a Shared,
    pub(super) key: &'a Key,
    pub(super) id: u64,
}

impl Waiter<'_> {
    /// Wakes the task at the next change.
    pub(super) fn wait(&self, waker: &Waker) {
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
