//! Tasks of several requests, begun from a client.

use crate::{Client, Error, Items, Run, Transport};
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::update::Outcome;
use kapigen_runtime::{Election, Informer, Kind, LogFollower, Pages, Request, ResourceList, Update};
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

impl<S: Transport<B>, B: From<Vec<u8>>> Client<S, B> {
    /// Reads all items of a list, page by page if the request has a limit. Only items that are not complete are in
    /// memory.
    ///
    /// ```
    /// use kapigen_client::{BoxClient, Error};
    /// use kapigen_runtime::params::ListParams;
    /// use kapigen_runtime::scope::DynamicScope;
    /// use kapigen_runtime::verbs;
    ///
    /// /// Prints the names of all objects of a kind.
    /// async fn print<T: verbs::List>(client: &BoxClient, scope: DynamicScope<'_>) -> Result<(), Error> {
    ///     let mut items = client.items(T::list(scope, &ListParams::default().limit(500))?);
    ///     while let Some(item) = items.next().await {
    ///         println!("{}", item?.name());
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn items<L: ResourceList>(&self, list: Request<L>) -> Items<L::Item, S, B> {
        Items::new(self.run(Pages::new(list).timeout(self.limits.timeout)))
    }

    /// Follows all objects that a request lists, through failures: see [`Informer`]. The stream ends only when requests
    /// cannot be sent at all, or are too long for a URL. One with other settings than the usual ones is for
    /// [`run`](Self::run).
    ///
    /// # Errors
    /// When the operation cannot watch.
    pub fn informer<L: ResourceList>(&self, list: Request<L>) -> Result<Run<Informer<L::Item>, S, B>, Error> {
        let informer = Informer::new(list).map_err(kapigen_runtime::Error::from)?;
        Ok(self.run(informer.seed(random()).response_timeout(self.limits.timeout)))
    }

    /// Follows the log that a request reads, until the container ends: see [`LogFollower`].
    ///
    /// # Errors
    /// When the operation reads no log, or that of a previous container.
    pub fn follow_log<T>(&self, log: Request<T>) -> Result<Run<LogFollower, S, B>, Error> {
        let follower = LogFollower::new(log).map_err(kapigen_runtime::Error::from)?;
        Ok(self.run(follower.seed(random()).response_timeout(self.limits.timeout)))
    }

    /// Stands for election, with an identity that no other candidate has, through the Lease of this name: see
    /// [`Election`]. Candidates with other times than the usual ones are for [`run`](Self::run).
    ///
    /// ```
    /// use kapigen_client::{BoxClient, Error};
    /// use kapigen_runtime::election::Event;
    ///
    /// /// Waits until this process leads, and works as long as it does.
    /// async fn lead(client: &BoxClient, identity: &str, work: impl Future<Output = ()>) -> Result<(), Error> {
    ///     let mut election = client.elect("default", "my-controller", identity)?;
    ///     loop {
    ///         match election.next().await {
    ///             Some(Event::Leading) => break,
    ///             Some(_) => {}
    ///             // An election ends after its release, and when its requests cannot be sent at all.
    ///             None => return Ok(()),
    ///         }
    ///     }
    ///     tokio::select! {
    ///         () = work => {}
    ///         () = async { while !matches!(election.next().await, Some(Event::Lost) | None) {} } => {}
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// When namespace or name is not valid in a path, or the identity is empty.
    pub fn elect(&self, namespace: &str, name: &str, identity: &str) -> Result<Run<Election, S, B>, Error> {
        Ok(self.run(Election::new(namespace, name, identity, Timestamp::now(), Duration::ZERO)?))
    }

    /// Reads an object, changes it and writes it, and that again after a conflict: see [`Update`]. Returns the last state
    /// of the object. `change` returns the request that writes, or `None` if nothing is to change.
    ///
    /// ```
    /// use kapigen_client::{BoxClient, Error};
    /// use kapigen_runtime::Resource;
    /// use kapigen_runtime::params::{GetParams, ReplaceParams};
    /// use kapigen_runtime::verbs::{Get, Replace};
    ///
    /// /// Adds a finalizer to an object of any kind.
    /// async fn hold<T: Get + Replace>(client: &BoxClient, object: &T, finalizer: &'static str) -> Result<T, Error> {
    ///     let get = T::get(object.scope(), object.name(), &GetParams::default())?;
    ///     let change = move |object: &T| {
    ///         let mut object = object.clone();
    ///         let is_new = object.metadata_mut().add_finalizer(finalizer);
    ///         let replace = || T::replace(object.scope(), object.name(), &object, &ReplaceParams::default());
    ///         is_new.then(replace).transpose()
    ///     };
    ///     Ok(*client.update(get, change).await?)
    /// }
    /// ```
    ///
    /// # Errors
    /// When a request fails, or there is still a conflict after several attempts.
    pub async fn update<T, F>(&self, get: Request<T>, change: F) -> Result<Box<T>, Error>
    where
        T: Kind,
        F: FnMut(&T) -> Result<Option<Request<T>>, kapigen_runtime::Error> + Send + 'static,
    {
        let update = Update::new(get, change).seed(random()).timeout(self.limits.timeout);
        match self.run(update).next().await {
            Some(Outcome::Updated(object) | Outcome::Unchanged(object)) => Ok(object),
            Some(Outcome::Failed(failure)) => Err(failure.into()),
            other => unreachable!("an update ends with one of its outcomes: {}", other.is_some()),
        }
    }
}

/// A seed that differs from that of other programs, from the random keys of hash maps.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(())
}
