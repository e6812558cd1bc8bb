//! Tasks of several requests: lists, informers, logs, elections and updates.

use crate::client::Client;
use crate::error::Error;
use crate::random::random;
use crate::run::{ItemStream, Run};
use http::StatusCode;
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::mask::ObservedList;
use kapigen_runtime::meta_v1::ObjectMeta;
use kapigen_runtime::params::{GetParams, ReplaceParams};
use kapigen_runtime::response::{FromResponse, Response};
use kapigen_runtime::update::Outcome;
use kapigen_runtime::verbs::{Gettable, Replaceable};
use kapigen_runtime::{
    AnyKind, Election, Informer, LogFollower, Machine, Pages, Request, Text, Update,
};
use std::time::Duration;

impl Client {
    /// Runs a state machine, such as an informer or a followed log, and streams its events.
    pub fn run<M: Machine>(&self, machine: M) -> Run<M> {
        Run::new(machine, self.clone())
    }

    /// Reads all items of a list, page by page if the request has a limit. Only incomplete items
    /// are in memory.
    ///
    /// ```
    /// use kapigen_client::{Client, Error};
    /// use kapigen_runtime::params::ListParams;
    /// use kapigen_runtime::scope::DynamicScope;
    /// use kapigen_runtime::verbs;
    ///
    /// /// Prints the names of all objects of a kind.
    /// async fn print<T: verbs::Listable>(client: &Client, scope: DynamicScope<'_>) -> Result<(), Error> {
    ///     let mut items = client.items(T::list(scope, &ListParams::default().limit(500))?);
    ///     while let Some(item) = items.next().await {
    ///         println!("{}", item?.name());
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn items<L: ObservedList>(&self, list: Request<L>) -> ItemStream<L::Item> {
        ItemStream::new(self.run(Pages::new(list).timeout(self.limits.timeout)))
    }

    /// Follows all objects that a request lists, through failures: see [`Informer`]. The stream
    /// ends only when requests cannot be sent at all, or are too long for a URL. Pass an informer
    /// with other settings to [`run`](Self::run).
    ///
    /// # Errors
    /// When the operation cannot watch.
    pub fn informer<L>(&self, list: Request<L>) -> Result<Run<Informer<L::Item>>, Error>
    where
        L: ObservedList<Object: FromResponse>,
    {
        let informer = Informer::new(list).map_err(kapigen_runtime::Error::from)?;
        Ok(self.run(informer.seed(random()).response_timeout(self.limits.timeout)))
    }

    /// Follows the log that a request reads, until the container ends: see [`LogFollower`].
    ///
    /// # Errors
    /// When the operation reads no log, or the log of a previous container.
    pub fn follow_log<T>(&self, log: Request<T>) -> Result<Run<LogFollower>, Error> {
        let follower = LogFollower::new(log).map_err(kapigen_runtime::Error::from)?;
        Ok(self.run(follower.seed(random()).response_timeout(self.limits.timeout)))
    }

    /// Takes part in a leader election through the Lease of this name, with an identity that must
    /// be unique: see [`Election`]. To change the default times, pass an [`Election`] to
    /// [`run`](Self::run).
    ///
    /// ```
    /// use kapigen_client::{Client, Error};
    /// use kapigen_runtime::ElectionEvent;
    ///
    /// /// Waits until this process leads, and works as long as it does.
    /// async fn lead(client: &Client, identity: &str, work: impl Future<Output = ()>) -> Result<(), Error> {
    ///     let mut election = client.elect("default", "my-controller", identity)?;
    ///     loop {
    ///         match election.next().await {
    ///             Some(ElectionEvent::Leading) => break,
    ///             Some(_) => {}
    ///             // An election ends after its release, and when its requests cannot be sent at all.
    ///             None => return Ok(()),
    ///         }
    ///     }
    ///     tokio::select! {
    ///         () = work => {}
    ///         () = async { while !matches!(election.next().await, Some(ElectionEvent::Lost) | None) {} } => {}
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// When namespace or name is not valid in a path, or the identity is empty.
    #[doc(alias = "leader election")]
    pub fn elect(
        &self,
        namespace: &str,
        name: &str,
        identity: &str,
    ) -> Result<Run<Election>, Error> {
        Ok(self.run(Election::new(namespace, name, identity, Timestamp::now(), Duration::ZERO)?))
    }

    /// Reads an object, changes it and writes it, and repeats that after a conflict: see
    /// [`Update`]. Returns the last state of the object. `change` returns the request that writes,
    /// or `None` if there is nothing to change.
    ///
    /// ```
    /// use kapigen_client::{Client, Error};
    /// use kapigen_runtime::prelude::*;
    /// use kapigen_runtime::params::{GetParams, ReplaceParams};
    /// use kapigen_runtime::verbs::{Gettable, Replaceable};
    ///
    /// /// Labels an object of any kind.
    /// async fn label<T>(client: &Client, object: &T, label: &'static str) -> Result<T, Error>
    /// where
    ///     T: Gettable + Replaceable,
    /// {
    ///     let get = T::get(object.scope(), object.name(), &GetParams::default())?;
    ///     let change = move |object: &T| {
    ///         let mut object = object.clone();
    ///         let labels = object.metadata_mut().labels.get_or_insert_default();
    ///         let is_new = labels.insert(label.to_owned(), String::new()).is_none();
    ///         let replace = || T::replace(object.scope(), object.name(), &object, &ReplaceParams::default());
    ///         is_new.then(replace).transpose()
    ///     };
    ///     Ok(*client.update(get, change).await?)
    /// }
    /// ```
    ///
    /// Members that a [mask](kapigen_runtime::mask) left out would be removed, so the request has
    /// none:
    ///
    /// ```compile_fail,E0277
    /// # use kapigen_client::Client;
    /// # use kapigen_runtime::{Masked, Request, meta_v1::PartialObjectMetadata};
    /// async fn update(client: &Client, get: Request<Masked<PartialObjectMetadata>>) {
    ///     let _ = client.update(get, |_| Ok(None)).await;
    /// }
    /// ```
    ///
    /// # Errors
    /// When a request fails, as of [`send`](Self::send), when the response is another object than
    /// the requested one, or when there is still a conflict after several attempts.
    #[doc(alias = "retry on conflict")]
    pub async fn update<T, F>(&self, get: Request<T>, change: F) -> Result<Box<T>, Error>
    where
        T: AnyKind,
        F: FnMut(&T) -> Result<Option<Request<T>>, kapigen_runtime::Error> + Send + 'static,
    {
        let deadline = self.limits.deadline.unwrap_or(Duration::MAX);
        let update = Update::new(get, change).seed(random()).timeout(self.limits.timeout);
        let update = update.retry(self.retries.policy).deadline(deadline);
        match self.run(update).outcome().await {
            Some(Outcome::Updated(object) | Outcome::Unchanged(object)) => Ok(object),
            Some(Outcome::Failed(failure)) => Err(failure.into()),
            other => unreachable!("an update ends with one of its outcomes: {}", other.is_some()),
        }
    }

    /// Adds a finalizer to an object, which delays its deletion, or removes the finalizer. Sends no
    /// request if the given object, for example from a store, is in this state already. Writes
    /// nothing if the object on the server is, or if it is another object of the same name, with
    /// another UID. If the object is gone, removing its finalizer is not an error.
    ///
    /// The object may come from a [`Masked`](kapigen_runtime::Masked): every mask has the
    /// finalizers, and the object that is written is read in whole.
    ///
    /// # Errors
    /// When the object has no name, a request fails, or there is still a conflict after several
    /// attempts. When the finalizer is to be added and the object is gone, also if there is another
    /// one of the same name: then [`is_not_found`](crate::Error::is_not_found).
    #[doc(alias = "finalizer")]
    pub async fn set_finalizer<T>(
        &self,
        object: &T,
        finalizer: &str,
        is_held: bool,
    ) -> Result<(), Error>
    where
        T: Gettable + Replaceable,
    {
        // First, since metadata that was moved elsewhere shows neither name nor finalizers.
        let get = T::get(object.scope(), object.name(), &GetParams::default())?;
        if object.metadata().has_finalizer(finalizer) == is_held {
            return Ok(());
        }
        let uid = object.metadata().uid.clone();
        let finalizer = finalizer.to_owned();
        let updated = self.update(get, move |object: &T| {
            let mut object = object.clone();
            let metadata = object.metadata_mut();
            if uid.is_some() && metadata.uid != uid {
                return Err(replaced());
            }
            let set =
                if is_held { ObjectMeta::add_finalizer } else { ObjectMeta::remove_finalizer };
            if !set(metadata, &finalizer) {
                return Ok(None);
            }
            T::replace(object.scope(), object.name(), &object, &ReplaceParams::default()).map(Some)
        });
        match updated.await {
            Err(error) if is_held || !error.is_not_found() => Err(error),
            _ => Ok(()),
        }
    }
}

/// The refusal of an object that is gone, although there is one of its name.
fn replaced() -> kapigen_runtime::Error {
    let text = "another object has this name";
    let mut response = http::Response::new(text.as_bytes());
    *response.status_mut() = StatusCode::NOT_FOUND;
    match Response::<Text>::decode(&response) {
        Err(error) => error,
        Ok(_) => unreachable!("404 is a refusal"),
    }
}
