//! The server: requests in, replies out.

mod faults;
#[cfg(feature = "kubernetes")] // not vendored
mod kubernetes; // not vendored
mod paths;
mod reply;
mod request_log;
#[cfg(feature = "streams")]
mod session;
mod setup;
mod shared;
mod upgrade;

pub use faults::{Action, Fault};
pub use reply::{Events, NextEvent, Reply, ReplyBody};
#[cfg(feature = "streams")]
pub use session::Session;

use crate::discovery::Documents;
use crate::http::{Content, refused, respond, unauthorized, verb};
use crate::key::Key;
use crate::request::Incoming;
use crate::state::State;
#[cfg(feature = "streams")]
use crate::streams::{Forwarded, Handler, Process};
use crate::verbs::token::is_valid;
use crate::{garbage, lifecycle, names};
use bytes::Bytes;
use faults::Facts;
use http::header::AUTHORIZATION;
use kapigen_runtime::__private::ResourcePath;
use kapigen_runtime::jiff::{SignedDuration, Timestamp};
use kapigen_runtime::{Error, Kind, Verb};
use reply::StreamSource;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use shared::{Inner, Shared};
use std::sync::Arc;
use std::time::Duration;

/// An in-memory Kubernetes API server. Clones share their objects.
#[doc(alias("envtest", "mock"))]
#[derive(Clone, Debug, Default)]
pub struct Server {
    pub(crate) shared: Arc<Shared>,
    /// Whether requests through this handle are kept out of [`requests`](Self::requests).
    is_unrecorded: bool,
}

/// A snapshot of the objects and kinds of a server. New [servers](Self::server) start from it, so
/// that tests share a slow setup.
///
/// ```
/// use kapigen_fake::Server;
///
/// let seed = Server::default().snapshot();
/// let (one, other) = (seed.server(), seed.server());
/// # drop((one, other));
/// ```
#[derive(Clone, Debug)]
pub struct ServerSnapshot {
    state: State,
    documents: Documents,
    clock: Option<Timestamp>,
}

impl ServerSnapshot {
    /// A new server with the objects and kinds of the snapshot.
    #[must_use]
    pub fn server(&self) -> Server {
        let server = Server::default();
        server.restore(self);
        server
    }
}

impl Server {
    /// A server with the kinds of these generated crates: of the constant `DOCUMENTS` that each has
    /// with the feature `documents`. A document is parsed when a request needs it, once in a
    /// process.
    #[must_use]
    pub fn new(crates: &[&'static [(&'static str, &'static str)]]) -> Self {
        let server = Self::default();
        for documents in crates {
            server.shared.lock().state.registry.add_crate(documents);
        }
        server
    }

    /// Adds the kinds of an OpenAPI 3.0 document, as API servers publish one for each group and
    /// version, and publishes it as they do. `kubectl get --raw /openapi/v3/apis/apps/v1` prints
    /// the document with deployments, `/openapi/v3/api/v1` the one with config maps, secrets,
    /// services and namespaces.
    pub fn add_document(&self, document: &Value) {
        self.shared.lock().state.registry.add_document(document);
    }

    /// As [`add_document`](Self::add_document), with JSON as text. It is parsed when a request
    /// needs it, so that a server with the documents of a whole cluster is ready at once and small.
    ///
    /// # Errors
    /// When it is not JSON, or no OpenAPI document.
    pub fn add_document_text(&self, json: impl Into<Box<str>>) -> Result<(), String> {
        self.shared.lock().state.registry.add_text(json.into())
    }

    /// Refuses requests without this bearer token with 401, as a server that does not know their
    /// user. Tokens of service accounts that the server has issued are valid, too, until they
    /// expire. It does not apply to [`create`](Self::create).
    pub fn require_token(&self, token: impl Into<String>) {
        self.shared.lock().token = Some(token.into());
    }

    /// Adds the kind of a `CustomResourceDefinition`, as JSON: of a type that derives kube's
    /// `CustomResource` it is `serde_json::to_value(Widget::crd())`. So does a request that creates
    /// one, if the server has the kind of definitions.
    ///
    /// # Errors
    /// When the definition lacks something, which the message names.
    pub fn add_definition(&self, definition: &Value) -> Result<(), String> {
        lifecycle::define(&mut self.shared.lock().state, definition)
    }

    /// Adds the kinds of the definitions of a generated crate: of the constant `DEFINITIONS` that
    /// it has with the feature `definitions`. They win over documents of their kinds.
    ///
    /// # Errors
    /// When one is not JSON, or as [`add_definition`](Self::add_definition) states.
    pub fn add_definitions(&self, definitions: &[(&str, &str)]) -> Result<(), String> {
        definitions.iter().try_for_each(|(name, text)| {
            let definition: Value =
                serde_json::from_str(text).map_err(|error| format!("{name}: {error}"))?;
            self.add_definition(&definition).map_err(|error| format!("{name}: {error}"))
        })
    }

    /// Sets the document that `/openapi/v3/{path}` responds with, for example for `apis/apps/v1`.
    /// By default it is the document with which the kinds were added.
    pub fn publish(&self, path: impl Into<String>, document: Value) {
        self.shared.lock().documents.publish(path.into(), document);
    }

    /// Handles a request. The body can be a string, a `Vec<u8>` or [`Bytes`].
    #[must_use]
    pub fn handle<B: Into<Bytes>>(&self, request: http::Request<B>, now: Timestamp) -> Reply {
        let request = request.map(Into::into);
        if let Some(response) = self.respond_by_test(&request, now) {
            return Reply::new(response.map(ReplyBody::Whole));
        }
        self.shared.change(|inner| {
            let reply = inner.write(now, |inner| handle(inner, &request, now, &self.shared));
            if !self.is_unrecorded {
                inner.requests.push(request);
            }
            reply
        })
    }

    /// Creates an object, as a POST would, and returns it as stored. It may be of a generated type,
    /// any other type that serde serializes, or a [`Value`]. A status is written, too, as by a PUT
    /// of the status, before the server handles any other request; definitions get the server's own
    /// status. A namespaced object without a namespace goes into `default`. If the server has the
    /// kind `Namespace`, a missing namespace is created.
    ///
    /// This is not a request of a client: injected failures do not apply, and
    /// [`requests`](Self::requests) does not have it.
    ///
    /// # Errors
    /// The refusal as a client would get it, for example of an unknown kind. If only the status is
    /// refused, the object was created without it.
    /// [`InvalidRequest::Masked`](kapigen_runtime::request::InvalidRequest::Masked) for an object
    /// of which a mask left members out.
    pub fn create<T: Serialize + DeserializeOwned>(&self, object: &T) -> Result<T, Error> {
        let tree = setup::tree(object)?;
        let created = self.shared.change(|inner| {
            let now = inner.now();
            inner
                .write(now, |inner| setup::create(&mut inner.state, &tree, now))
                .and_then(setup::typed)
        });
        created.map_err(|failure| setup::refused(&failure))
    }

    /// Stores many objects at once: 10,000 take about a second in a debug build. Namespaced objects
    /// without a namespace go into `default`. Metadata and status stay as stated, including UIDs,
    /// creation times and finalizers; only the version is new.
    ///
    /// This is not a request: names and labels are checked, but the schema is checked only when the
    /// object is written again. Defaults and field owners are added when an object is first shown
    /// or written.
    ///
    /// ```
    /// use kapigen_fake::Server;
    /// use serde_json::json;
    ///
    /// # let server = Server::default();
    /// # let operation = json!({"x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": "Node"}});
    /// # let paths = json!({"/api/v1/nodes": {"get": operation}, "/api/v1/nodes/{name}": {"get": operation}});
    /// # server.add_document(&json!({"paths": paths}));
    /// let node = |index| json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": format!("node-{index}")}});
    /// server.seed((0..100).map(node)).unwrap();
    /// assert!(server.get_json("v1", "Node", "", "node-99").is_some());
    /// ```
    ///
    /// # Errors
    /// When an object is of a kind that was not added, or its metadata is refused, or it exists: as
    /// a client would get it. Then none is stored but the namespaces and definitions before it.
    pub fn seed(&self, objects: impl IntoIterator<Item = Value>) -> Result<(), Error> {
        let seeded = self.shared.change(|inner| {
            let now = inner.now();
            inner.write(now, |inner| setup::seed(&mut inner.state, objects, now))
        });
        seeded.map_err(|failure| setup::refused(&failure))
    }

    /// The stored object of this type, namespace and name. The namespace is empty for kinds of the
    /// cluster.
    ///
    /// # Panics
    /// When the type cannot hold the object that is stored.
    #[must_use]
    pub fn get<T: Kind + DeserializeOwned>(&self, namespace: &str, name: &str) -> Option<T> {
        let object = self.get_json(T::API_VERSION, T::KIND, namespace, name)?;
        let decoded = serde_json::from_value(object);
        Some(decoded.unwrap_or_else(|error| {
            panic!("{} {namespace}/{name} is no such type: {error}", T::KIND)
        }))
    }

    /// The stored object of this kind, namespace and name as JSON. The namespace is empty for kinds
    /// of the cluster.
    #[must_use]
    pub fn get_json(
        &self,
        api_version: &str,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Option<Value> {
        let inner = self.shared.lock();
        let resource = inner.state.registry.of_kind(api_version, kind)?;
        let namespace = resource.namespaced.then_some(namespace);
        let key = Key::new(&resource.group, &resource.plural, namespace, name);
        inner.state.store.tree(&key)
    }

    /// The version of the last write.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.shared.lock().state.store.version()
    }

    /// The last 10,000 requests that were handled, in their order; fewer if they have more than 256
    /// MiB together.
    #[must_use]
    pub fn requests(&self) -> Vec<http::Request<Bytes>> {
        self.shared.lock().requests.all()
    }

    /// The first request of each kind since the server was made, without its body: of each verb,
    /// resource, namespace, media type and user agent. However many requests there were, these are
    /// all that the `rbac::Role` of a program depends on, up to 10,000. The user agent
    /// distinguishes programs; the requests of the test itself go through
    /// [`unrecorded`](Self::unrecorded).
    #[must_use]
    pub fn distinct_requests(&self) -> Vec<http::Request<()>> {
        self.shared.lock().requests.first()
    }

    /// The same server, for the requests of a test itself: what it handles, also through a service
    /// over it, is neither in [`requests`](Self::requests) nor in
    /// [`distinct_requests`](Self::distinct_requests).
    ///
    /// ```
    /// use kapigen_fake::Server;
    /// use kapigen_runtime::{http::Request, jiff::Timestamp};
    ///
    /// let server = Server::default();
    /// let version = || Request::get("/version").body("").unwrap();
    /// drop(server.unrecorded().handle(version(), Timestamp::UNIX_EPOCH));
    /// assert!(server.requests().is_empty());
    /// drop(server.handle(version(), Timestamp::UNIX_EPOCH));
    /// assert_eq!(server.requests().len(), 1);
    /// ```
    #[must_use]
    pub fn unrecorded(&self) -> Self {
        Self { is_unrecorded: true, ..self.clone() }
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

    /// Sets the log of a container. Its lines have no times; for `sinceTime` they are older than
    /// all others.
    pub fn set_log(&self, namespace: &str, pod: &str, container: &str, log: impl AsRef<[u8]>) {
        let container = (namespace.to_owned(), pod.to_owned(), container.to_owned());
        self.shared.change(|inner| {
            inner.state.logs.clear(&container);
            inner.state.logs.append(container, log.as_ref(), Timestamp::UNIX_EPOCH);
        });
    }

    /// Adds lines to the log of a container, written at this time. Clients that follow the log get
    /// them.
    pub fn append_log(
        &self,
        namespace: &str,
        pod: &str,
        container: &str,
        lines: impl AsRef<[u8]>,
        time: Timestamp,
    ) {
        let container = (namespace.to_owned(), pod.to_owned(), container.to_owned());
        self.shared.change(|inner| inner.state.logs.append(container, lines.as_ref(), time));
    }

    /// Sets a function that responds to all requests of a path, such as `/metrics` of a program
    /// that the test replaces. It has precedence over the paths of the API. Requests still need the
    /// token, and injected failures do not apply.
    ///
    /// ```
    /// use kapigen_fake::Server;
    /// use kapigen_runtime::{http, jiff::Timestamp};
    ///
    /// let server = Server::default();
    /// server.on_path("/metrics", |_| http::Response::new("up 1\n".into()));
    /// let request = http::Request::get("/metrics").body("").unwrap();
    /// let response = server.handle(request, Timestamp::UNIX_EPOCH).response;
    /// assert_eq!(response.into_body().into_whole().unwrap(), "up 1\n");
    /// ```
    pub fn on_path(
        &self,
        path: impl Into<String>,
        respond: impl Fn(&http::Request<Bytes>) -> http::Response<Bytes> + Send + Sync + 'static,
    ) {
        self.shared.lock().paths.set(path.into(), Arc::new(respond));
    }

    /// The response of a function that a test set. It may use the server, which is not locked.
    fn respond_by_test(
        &self,
        request: &http::Request<Bytes>,
        now: Timestamp,
    ) -> Option<http::Response<Bytes>> {
        let respond = {
            let inner = self.shared.lock();
            let respond = inner.paths.get(request.uri().path())?;
            if let Some(token) = &inner.token
                && !is_authorized(request, token, |other| is_valid(&inner.state, other, now))
            {
                return None;
            }
            respond
        };
        Some(respond(request))
    }

    /// Sets what runs when a client starts a process: a future that returns the exit code, or why
    /// the command cannot run. It handles every command of every container, and is dropped when its
    /// client disconnects. The pod need not be scheduled.
    ///
    /// See [`streams`](crate::streams).
    #[cfg(feature = "streams")]
    pub fn on_exec<F>(&self, run: impl Fn(Process) -> F + Send + Sync + 'static)
    where
        F: Future<Output = Result<i32, String>> + Send + 'static,
    {
        let run = Arc::new(move |process| Box::pin(run(process)) as _);
        self.shared.lock().upgrades.set("exec", Handler::Process(run));
    }

    /// Sets what a client attaches to, as [`on_exec`](Self::on_exec).
    #[cfg(feature = "streams")]
    pub fn on_attach<F>(&self, run: impl Fn(Process) -> F + Send + Sync + 'static)
    where
        F: Future<Output = Result<i32, String>> + Send + 'static,
    {
        let run = Arc::new(move |process| Box::pin(run(process)) as _);
        self.shared.lock().upgrades.set("attach", Handler::Process(run));
    }

    /// Sets what serves connections to ports of pods: a future that ends with the connection, or
    /// with the error that the client gets. The pod need not be scheduled.
    ///
    /// ```
    /// use kapigen_fake::Server;
    ///
    /// Server::default().on_forward(|forwarded| async move {
    ///     match forwarded.port {
    ///         80 => forwarded.to("127.0.0.1:8080").await,
    ///         port => Err(format!("nobody listens on {port}")),
    ///     }
    /// });
    /// ```
    #[cfg(feature = "streams")]
    pub fn on_forward<F>(&self, serve: impl Fn(Forwarded) -> F + Send + Sync + 'static)
    where
        F: Future<Output = Result<(), String>> + Send + 'static,
    {
        let serve = Arc::new(move |forwarded| Box::pin(serve(forwarded)) as _);
        self.shared.lock().upgrades.set("portforward", Handler::Forward(serve));
    }

    /// Runs one garbage collection; no request triggers it. Deletes dependents without living
    /// owners, finishes deletes with the policies `Foreground` and `Orphan`, and empties
    /// terminating namespaces.
    pub fn collect_garbage(&self) {
        self.shared.change(|inner| {
            let now = inner.now();
            garbage::collect(&mut inner.state, &names::time(now));
        });
    }

    /// The time of the server: the machine's clock, unless a test has [set](Self::set_time) it.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.shared.lock().now()
    }

    /// Stops the clock of the server at this time, for everything that is not given a time, such as
    /// [`create`](Self::create) and `FakeService`. Ends the streams that have timed out by then.
    pub fn set_time(&self, now: Timestamp) {
        self.shared.change(|inner| inner.set_clock(now));
    }

    /// Advances the clock of the server, from the current time of this machine if it was not
    /// [set](Self::set_time).
    pub fn advance(&self, time: Duration) {
        let time = SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX);
        self.shared.change(|inner| {
            inner.set_clock(inner.now().saturating_add(time).unwrap_or(Timestamp::MAX));
        });
    }

    /// Takes a snapshot of the objects and kinds with their history, the published documents and
    /// the clock. It is cheap: the objects themselves are shared.
    #[must_use]
    pub fn snapshot(&self) -> ServerSnapshot {
        let inner = self.shared.lock();
        ServerSnapshot {
            state: inner.state.clone(),
            documents: inner.documents.clone(),
            clock: inner.clock,
        }
    }

    /// Restores a snapshot, of this server or another one, as a cluster is restored from a backup:
    /// streams end, and resource versions continue from the snapshot. Injected failures and the
    /// token stay as they are.
    pub fn restore(&self, snapshot: &ServerSnapshot) {
        let ServerSnapshot { state, documents, clock } = snapshot.clone();
        self.shared.change(|inner| {
            inner.state = state;
            inner.documents = documents;
            inner.clock = clock;
            inner.cuts += 1;
        });
    }

    /// Turns the defaults and validation of built-in kinds on or off, for objects that clients
    /// write. They are on by default; when off, objects are stored as sent. A test's own `create`
    /// and `seed` always take built-in objects as they are.
    pub fn built_in_rules(&self, is_on: bool) {
        self.shared.lock().state.is_lenient = !is_on;
    }

    /// Sets whether the server collects garbage at once and after each write, as
    /// [`collect_garbage`](Self::collect_garbage) does. By default it does not, so that a test sees
    /// what its own writes do.
    ///
    /// ```
    /// use kapigen_fake::Server;
    ///
    /// Server::default().garbage_collection(true);
    /// ```
    pub fn garbage_collection(&self, is_on: bool) {
        self.shared.lock().collects_garbage = is_on;
        if is_on {
            self.collect_garbage();
        }
    }

    /// Blocks until the server is in a state that a test waits for. Returns whether it was reached
    /// in time.
    ///
    /// It blocks the thread: a test that runs its controller on the same one, as `#[tokio::test]`
    /// does, looks at the server again and again instead, with `tokio::time::sleep` in between.
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

/// Handles a request of a client. Injected failures apply.
pub(super) fn handle(
    inner: &mut Inner,
    request: &http::Request<Bytes>,
    now: Timestamp,
    shared: &Arc<Shared>,
) -> Reply {
    let incoming = Incoming::new(request);
    if let Some(token) = &inner.token
        && !is_authorized(request, token, |other| is_valid(&inner.state, other, now))
    {
        let response =
            unauthorized(&incoming).map(|content| body(content, None, inner.cuts, shared));
        return Reply::new(response);
    }
    if let Some(response) = inner.upgrades.repeated(request) {
        return Reply::new(response.map(ReplyBody::Whole));
    }
    let path = ResourcePath::parse(&incoming.path);
    let verb = path.as_ref().and_then(|path| verb(path, &incoming)).map_or("", Verb::as_str);
    let plural = path.as_ref().map_or("", |path| path.plural);
    let namespace = path.as_ref().and_then(|path| path.namespace).unwrap_or_default();
    let mut delay = Duration::ZERO;
    let mut pause = Duration::ZERO;
    let mut left = None;
    let mut refusal = None;
    let name = path.as_ref().and_then(|path| path.name).unwrap_or_default();
    for action in faults::take(&mut inner.faults, &Facts { verb, plural, namespace, name, request })
    {
        match action {
            // The first refusal counts.
            Action::Refuse(code, retry_after) => _ = refusal.get_or_insert((code, retry_after)),
            Action::Delay(time) => delay = delay.saturating_add(time),
            Action::Trickle(time) => pause = pause.saturating_add(time),
            Action::CutAfter(events) => left = Some(events),
            Action::Compact => inner.state.store.compact(),
        }
    }
    let response = match refusal {
        Some((code, retry_after)) => refused(&incoming, code, retry_after),
        None => respond(&mut inner.state, &inner.documents, &incoming, path.as_ref(), now),
    };
    #[cfg_attr(not(feature = "streams"), allow(unused_variables))]
    let (response, accepted) = inner.upgrades.complete(response, &incoming);
    inner.upgrades.remember(request, &response);
    Reply {
        response: response.map(|content| body(content, left, inner.cuts, shared)),
        delay,
        pause,
        #[cfg(feature = "streams")]
        session: accepted.map(|accepted| Session::new(accepted, shared, inner.cuts)),
    }
}

/// Whether a request has this bearer token, or another valid one.
fn is_authorized(
    request: &http::Request<Bytes>,
    token: &str,
    is_valid: impl Fn(&str) -> bool,
) -> bool {
    let header = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    header.split_once(' ').is_some_and(|(scheme, found)| {
        let found = found.trim();
        scheme.eq_ignore_ascii_case("bearer") && (found == token || is_valid(found))
    })
}

fn body(content: Content, left: Option<usize>, cuts: u64, shared: &Arc<Shared>) -> ReplyBody {
    let source = match content {
        Content::Whole(bytes) => return ReplyBody::Whole(bytes),
        Content::Stream(_) => return ReplyBody::Whole(Bytes::new()),
        Content::Watch(plan, rendering) => StreamSource::Watch(plan, rendering),
        Content::Log(reading) => StreamSource::Log(reading),
    };
    ReplyBody::Stream(Box::new(Events::new(shared.clone(), source, left, cuts)))
}
