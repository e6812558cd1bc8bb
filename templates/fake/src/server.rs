//! The server: requests in, replies out.

use crate::call::State;
use crate::discovery::Documents;
use crate::faults::Fault;
use crate::names;
use crate::registry::Registry;
use crate::reply::Reply;
use crate::seen::Seen;
use crate::wakers::Wakers;
use bytes::Bytes;
use kapigen_runtime::Api;
use kapigen_runtime::jiff::Timestamp;
use serde_json::Value;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A Kubernetes API server in memory. Clones share their objects.
#[derive(Clone, Debug, Default)]
pub struct Server {
    pub(crate) shared: Arc<Shared>,
}

/// The state that all clones and streams of a server share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    inner: Mutex<Inner>,
    changed: Condvar,
    pub(crate) wakers: Wakers,
}

/// Counts of all that streams may report.
pub(crate) type Moment = [u64; 4];

#[derive(Debug, Default)]
pub(crate) struct Inner {
    pub(crate) state: State,
    pub(crate) faults: Vec<Fault>,
    seen: Seen,
    pub(crate) documents: Documents,
    /// The number of times that all streams were cut.
    pub(crate) cuts: u64,
    /// The number of threads that wait for a change.
    waiting: usize,
}

impl Shared {
    /// Locks the state, and ignores poisoning: the state after a test's panic is as good as any.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks until the server is not as it was at a moment, at most for this long.
    pub(crate) fn wait(&self, before: Moment, at_most: Duration) {
        let mut inner = self.lock();
        inner.waiting += 1;
        let waited = self.changed.wait_timeout_while(inner, at_most, |inner| inner.moment() == before);
        waited.unwrap_or_else(PoisonError::into_inner).0.waiting -= 1;
    }

    /// Changes the server, and wakes streams if there is something for them.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let mut inner = self.lock();
        let before = inner.moment();
        let result = change(&mut inner);
        let (is_changed, is_awaited) = (inner.moment() != before, inner.waiting > 0);
        drop(inner);
        if is_changed {
            // It is a system call, even if nobody waits.
            is_awaited.then(|| self.changed.notify_all());
            self.wakers.wake_all();
        }
        result
    }
}

impl Inner {
    /// Changes whenever there may be something for a stream.
    pub(crate) fn moment(&self) -> Moment {
        [self.state.store.version(), self.state.store.compacted(), self.state.logs.version(), self.cuts]
    }
}

impl Server {
    /// A server with the kinds of these generated crates.
    #[must_use]
    pub fn new(apis: &[Api]) -> Self {
        let server = Self::default();
        for api in apis {
            server.shared.lock().state.registry.add_api(api);
        }
        server
    }

    /// Adds the kinds of an OpenAPI 3.0 document, as API servers publish one for each group and version, and publishes
    /// it as they do. `kubectl get --raw /openapi/v3/apis/apps/v1` prints that of deployments, `/openapi/v3/api/v1` that
    /// of config maps, secrets, services and namespaces.
    pub fn add_document(&self, document: &Value) {
        let mut inner = self.shared.lock();
        inner.state.registry.add_document(document);
        for path in Registry::versions_of_document(document) {
            inner.documents.publish(path, document.clone());
        }
    }

    /// Adds the kind of a `CustomResourceDefinition`, as JSON: of a type that derives kube's `CustomResource` it is
    /// `serde_json::to_value(Widget::crd())`. So does a request that creates one, if the server has the kind of
    /// definitions.
    ///
    /// # Errors
    /// When the definition lacks something, which the message names.
    pub fn add_definition(&self, definition: &Value) -> Result<(), String> {
        self.shared.lock().state.registry.add_definition(definition)
    }

    /// States the document that `/openapi/v3/{path}` responds with, such as that of `apis/apps/v1`. Without it that is
    /// the document with which the kinds were added or, for other kinds, one that is made of their schemas.
    pub fn publish(&self, path: impl Into<String>, document: Value) {
        self.shared.lock().documents.publish(path.into(), document);
    }

    /// Handles a request. Its body can be a string, a `Vec<u8>` or [`Bytes`].
    #[must_use]
    pub fn handle<B: Into<Bytes>>(&self, request: http::Request<B>, now: Timestamp) -> Reply {
        let request = request.map(Into::into);
        self.shared.change(|inner| {
            let reply = inner.handle(&request, now, &self.shared);
            inner.seen.push(request);
            reply
        })
    }

    /// The stored object of this kind, namespace and name. The namespace is empty for kinds of the cluster.
    #[must_use]
    pub fn get(&self, api_version: &str, kind: &str, namespace: &str, name: &str) -> Option<Value> {
        let inner = self.shared.lock();
        let resource = inner.state.registry.of_kind(api_version, kind)?;
        let namespace = Some(namespace).filter(|_| resource.namespaced);
        let key = crate::store::Key::new(&resource.group, &resource.plural, namespace, name);
        inner.state.store.tree(&key)
    }

    /// The version of the last write.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.shared.lock().state.store.version()
    }

    /// The last 10,000 requests that were handled, in their order; fewer if they have more than 256 MiB together.
    #[must_use]
    pub fn requests(&self) -> Vec<http::Request<Bytes>> {
        self.shared.lock().seen.all()
    }

    /// Injects a failure of requests. It does not apply to [`create`](Self::create).
    pub fn inject(&self, fault: Fault) {
        self.shared.lock().faults.push(fault);
    }

    /// Forgets all versions before now: watches from there end with 410, and so do pages of lists.
    pub fn compact(&self) {
        self.shared.change(|inner| inner.state.store.compact());
    }

    /// Ends all streams, without an event.
    pub fn cut_streams(&self) {
        self.shared.change(|inner| inner.cuts += 1);
    }

    /// Sets the log of a container. Its lines have no times; for `sinceTime` they are older than all others.
    pub fn set_log(&self, namespace: &str, pod: &str, container: &str, log: impl AsRef<[u8]>) {
        let container = (namespace.to_owned(), pod.to_owned(), container.to_owned());
        self.shared.change(|inner| {
            inner.state.logs.clear(&container);
            inner.state.logs.append(container, log.as_ref(), Timestamp::UNIX_EPOCH);
        });
    }

    /// Adds lines to the log of a container, written at this time. Clients that follow the log get them.
    pub fn append_log(&self, namespace: &str, pod: &str, container: &str, lines: impl AsRef<[u8]>, time: Timestamp) {
        let container = (namespace.to_owned(), pod.to_owned(), container.to_owned());
        self.shared.change(|inner| inner.state.logs.append(container, lines.as_ref(), time));
    }

    /// Collects garbage as of now, which no request does: deletes dependents whose owners are gone, finishes deletes with
    /// the policies `Foreground` and `Orphan`, and empties namespaces that end.
    pub fn collect_garbage(&self, now: Timestamp) {
        self.shared.change(|inner| inner.state.collect(&names::time(now)));
    }

    /// Blocks until the server is in a state that a test waits for. Returns whether it came in time.
    ///
    /// It blocks the thread: a test that runs its controller on the same one, as `#[tokio::test]` does, looks at the
    /// server again and again instead, with `tokio::time::sleep` in between.
    #[must_use]
    pub fn wait_until(&self, at_most: Duration, mut is_reached: impl FnMut(&Self) -> bool) -> bool {
        let mut left = at_most;
        let step = Duration::from_millis(10);
        while !is_reached(self) {
            if left.is_zero() {
                return false;
            }
            // A change wakes earlier. Counting whole steps then waits for less, but never for more.
            let before = self.shared.lock().moment();
            self.shared.wait(before, step.min(left));
            left = left.saturating_sub(step);
        }
        true
    }
}
