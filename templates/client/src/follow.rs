//! Informers that feed work queues.

use crate::error::{Error, ErrorKind};
use crate::metrics;
use crate::queue::WorkQueue;
use crate::run::Run;
use kapigen_runtime::informer::{Event, Key};
use kapigen_runtime::machine::FailureKind;
use kapigen_runtime::mask::Observed;
use kapigen_runtime::owners::Owners;
use kapigen_runtime::queue::Priority;
use kapigen_runtime::request::InvalidRequest;
use kapigen_runtime::{HasMetadata, Informer, Machine, Store};
use std::any;
use std::collections::BTreeSet;
use std::mem;
use tokio::time::{Instant, timeout_at};

impl WorkQueue<Key> {
    /// Keeps the objects of an informer in a store, and adds the keys of objects that have changed;
    /// keys of the initial list have a low priority. Failures are logged.
    ///
    /// It returns only if the informer ends: its requests cannot be sent at all, or are too long
    /// for a URL.
    pub async fn follow<T>(&self, mut informer: Run<Informer<T>>, store: &Store<T>) -> Error
    where
        T: Send + Sync + 'static,
        Informer<T>: Machine<Event = Event<T>>,
    {
        let mut changes = store.subscribe();
        let mut followed = Followed::default();
        while let Some(event) = followed.next(&mut informer).await {
            let priority = if store.is_ready() { Priority::Normal } else { Priority::Low };
            store.apply(&event);
            while let Some(change) = changes.try_next() {
                self.add_with(change.key, priority);
            }
        }
        ErrorKind::Unsendable(followed.cause).into()
    }

    /// Adds the keys of the owners of each object that an informer reports. Failures are logged,
    /// and it returns as [`follow`](Self::follow) does. It also returns, at once, if the informer
    /// has a mask that leaves out any of
    /// [`Owners::MEMBERS`]: no object would have an owner.
    pub async fn follow_dependents<T>(
        &self,
        mut informer: Run<Informer<T>>,
        mut owners: Owners,
    ) -> Error
    where
        T: Observed<Object: HasMetadata>,
        Informer<T>: Machine<Event = Event<T>>,
    {
        if let Err(error) = check_members(informer.machine()) {
            return error;
        }
        let mut followed = Followed::default();
        while let Some(event) = followed.next(&mut informer).await {
            for key in owners.of(&event) {
                self.add(key);
            }
        }
        ErrorKind::Unsendable(followed.cause).into()
    }

    /// Keeps the dependents of an informer in a store, and adds the keys of their owners after the
    /// store has changed; keys of the initial list have a low priority. Otherwise it works as
    /// [`follow_dependents`](Self::follow_dependents).
    ///
    /// ```
    /// use kapigen_client::{Client, Error, WorkQueue};
    /// use kapigen_runtime::informer::Key;
    /// use kapigen_runtime::params::ListParams;
    /// use kapigen_runtime::scope::AllNamespaces;
    /// use kapigen_runtime::{Resource, Store, owners::Owners, scope::Namespaced, verbs};
    ///
    /// /// Queues objects of the kind `O` when objects that they own change, which are in a store then.
    /// async fn follow<O: Resource, T: verbs::Listable<Scope = Namespaced>>(
    ///     client: &Client,
    ///     queue: &WorkQueue<Key>,
    ///     store: &Store<T>,
    /// ) -> Result<(), Error> {
    ///     let dependents = client.informer(T::list(AllNamespaces, &ListParams::default())?)?;
    ///     Err(queue.follow_stored_dependents(dependents, Owners::of_kind::<O>(), store).await)
    /// }
    /// ```
    pub async fn follow_stored_dependents<T>(
        &self,
        mut informer: Run<Informer<T>>,
        mut owners: Owners,
        store: &Store<T>,
    ) -> Error
    where
        T: Observed<Object: HasMetadata> + Send + Sync + 'static,
        Informer<T>: Machine<Event = Event<T>>,
    {
        if let Err(error) = check_members(informer.machine()) {
            return error;
        }
        let mut followed = Followed::default();
        // The owners of dependents that the store does not show yet: it shows those of a relist at
        // its end.
        let mut hidden = BTreeSet::new();
        let mut is_relisting = false;
        while let Some(event) = followed.next(&mut informer).await {
            let priority = if store.is_ready() { Priority::Normal } else { Priority::Low };
            store.apply(&event);
            is_relisting = match event {
                Event::Init => true,
                Event::InitDone => false,
                _ => is_relisting,
            };
            hidden.extend(owners.of(&event));
            if !is_relisting {
                for key in mem::take(&mut hidden) {
                    self.add_with(key, priority);
                }
            }
        }
        ErrorKind::Unsendable(followed.cause).into()
    }
}

/// Refuses an informer of dependents with a mask by which none has an owner.
fn check_members<T: Observed>(informer: &Informer<T>) -> Result<(), Error> {
    let members = Owners::MEMBERS.into_iter();
    let missing: Vec<&str> = members.filter(|path| informer.decodes(path) == Ok(false)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let why = format!(
        "the mask of dependents leaves out `{}`, by which their owners are found: add \
         `Owners::MEMBERS` to it",
        missing.join("`, `")
    );
    Err(kapigen_runtime::Error::from(InvalidRequest::Mask(why)).into())
}

/// An informer that is logged and measured.
#[derive(Default)]
struct Followed {
    /// The cause of its last failure.
    cause: String,
    /// The time of the last report of its lag.
    reported: Option<Instant>,
}

impl Followed {
    /// The next event of the informer, which is logged if it is a failure. Until then, its lag is
    /// reported.
    async fn next<T>(&mut self, informer: &mut Run<Informer<T>>) -> Option<Event<T>>
    where
        Informer<T>: Machine<Event = Event<T>>,
    {
        let kind = any::type_name::<T>();
        loop {
            if !metrics::are_wanted() {
                let event = informer.next().await?;
                self.log(&event, kind);
                return Some(event);
            }
            let next = *self.reported.get_or_insert_with(Instant::now) + metrics::EVERY;
            let event = timeout_at(next, informer.next()).await;
            if Instant::now() >= next {
                self.reported = None;
                if let Some(lag) = informer.machine().lag(informer.now()) {
                    metrics::lag(kind, lag);
                }
            }
            if let Ok(event) = event {
                let event = event?;
                self.log(&event, kind);
                if let (Event::InitDone, Some(method)) = (&event, informer.machine().synced_by()) {
                    metrics::relisted(kind, method);
                }
                return Some(event);
            }
        }
    }

    /// Logs a failure, and keeps its cause.
    fn log<T>(&mut self, event: &Event<T>, kind: &str) {
        match event {
            Event::Failed(failure) => {
                tracing::warn!(%failure, kind, "informer");
                self.cause = match &failure.kind {
                    FailureKind::Unsendable(cause) => cause.clone(),
                    other => other.to_string(),
                };
            }
            Event::Undecodable { key, error } => {
                tracing::warn!(key = key.as_ref().map(Key::as_str), %error, kind, "undecodable");
            }
            _ => {}
        }
    }
}
