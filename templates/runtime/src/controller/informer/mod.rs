//! Informers: all objects of a kind, and then each change of them, for as long as a program runs.
//!
//! An [`Informer`] lists and watches, like the reflectors of other clients, and recovers from
//! failures. It is a [`Machine`], without I/O and without a clock. Create it from the request that
//! lists the objects:
//!
//! ```
//! use kapigen_runtime::params::ListParams;
//! use kapigen_runtime::scope::DynamicScope;
//! use kapigen_runtime::verbs::Listable;
//! use kapigen_runtime::{Error, Informer};
//!
//! /// Follows objects of any kind that can be listed.
//! fn follow<T: Listable>(scope: DynamicScope<'_>, seed: u64) -> Result<Informer<T>, Error> {
//!     let list = T::list(scope, &ListParams::default().label_selector("app=web"))?;
//!     Ok(Informer::new(list)?.seed(seed))
//! }
//! ```
//!
//! Its events are the differences between the objects that it has reported and the server's, so
//! that nothing is reported twice: [`Event::Applied`] for an object that is new or changed,
//! [`Event::Deleted`] for one that is gone, even if it was deleted while there was no connection.
//! It keeps only the key and the version of each object. A [`Store`](crate::store::Store) keeps the
//! objects.
//!
//! An informer of `list(…)?.decode_as::<PartialObjectMetadataList>()` gets only the metadata of the
//! objects, of any kind, which saves network, memory and time.
//!
//! Its rules:
//!
//! * It begins with a watch that sends all objects first. Where the server refuses that (400, 404,
//!   405, 406, 415, 422, or 500 twice in a row) or does not support it, it requests a list at once,
//!   page by page, and then watches. It requests such a watch again when it relists an hour later.
//! * A watch that ends is resumed at the last version. If the server has forgotten that version
//!   (410), the informer relists from a state that is not older than that version, so that no
//!   object goes back; if the server does not have it yet, whatever there is.
//! * After a failure it waits for 0.8 to 1.6 seconds, then for up to twice as long each time, up to
//!   30 to 60 seconds, or as long as the server requests. Two minutes of success make the next wait
//!   short again, and so does a watch that sends objects first, as soon as it delivered one.
//! * A watch that is silent for longer than its time limit is abandoned, and so is a response that
//!   does not arrive.
//! * It ends only when its requests cannot be sent at all ([`FailureKind::Unsendable`]), or are too
//!   long for a URL without anything that the server stated ([`FailureKind::Invalid`]).
//! * An object that cannot be decoded is reported as [`Event::Undecodable`], once for each of its
//!   versions.
//! * If the versions of a watch go back, it relists. It relies on their order for nothing else.

mod change;
mod key;
mod machine;

pub use crate::controller::machine::{Failure, FailureKind};
pub use key::Key;

use crate::codec::Object;
use crate::codec::json::DecodeError;
use crate::controller::machine::{Backoff, Holder, Input, Jitter, Machine, Step};
use crate::mask::form::HERE;
use crate::mask::{self, MaskError, Observed, ObservedList};
use crate::request::{InvalidRequest, Request};
use crate::response::FromResponse;
use machine::{Core, RawEvent, Requests};
use std::sync::Arc;
use std::time::Duration;

/// Follows all objects of a kind. See the [module](self).
#[doc(alias("reflector", "watcher"))]
#[derive(Debug)]
pub struct Informer<T> {
    core: Core,
    /// The change of an object before it is reported.
    transform: fn(&mut T),
}

/// A difference between the reported objects and the server's.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<T> {
    /// A relist begins: at the start, and when changes may have been missed. The objects that have
    /// changed in the meantime follow.
    Init,
    /// An object is new or has changed.
    Applied {
        /// Its namespace and name.
        key: Key,
        /// Its state.
        object: Arc<T>,
    },
    /// An object is gone.
    Deleted {
        /// Its namespace and name.
        key: Key,
        /// Its last state. `None` if it was deleted while there was no watch, or if it cannot be
        /// decoded.
        object: Option<Arc<T>>,
    },
    /// All objects have been reported, as they were at one moment.
    InitDone,
    /// This version of an object cannot be decoded. The one before, if it could be, is still the
    /// last one reported.
    Undecodable {
        /// Its namespace and name, unless these cannot be decoded either.
        key: Option<Key>,
        /// The reason.
        error: DecodeError,
    },
    /// A request failed. The informer retries by itself, unless no retry would help: then it ends.
    /// Log it.
    Failed(Failure),
}

/// The method by which an informer got all objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncMethod {
    /// A watch that sends all objects first.
    Stream,
    /// A list, of one page or several.
    List,
}

impl SyncMethod {
    /// The name, for metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SyncMethod::Stream => "stream",
            SyncMethod::List => "list",
        }
    }
}

impl<T> Event<T> {
    /// Namespace and name of the object that the event is about, if it is about one.
    #[must_use]
    pub fn key(&self) -> Option<&Key> {
        match self {
            Event::Applied { key, .. } | Event::Deleted { key, .. } => Some(key),
            Event::Undecodable { key, .. } => key.as_ref(),
            Event::Init | Event::InitDone | Event::Failed(_) => None,
        }
    }

    /// The object that was applied, or the last state of one that is gone, if that is known.
    #[must_use]
    pub fn object(&self) -> Option<&Arc<T>> {
        match self {
            Event::Applied { object, .. } => Some(object),
            Event::Deleted { object, .. } => object.as_ref(),
            Event::Init | Event::InitDone | Event::Undecodable { .. } | Event::Failed(_) => None,
        }
    }

    /// The same event, with an object that is made of this one. An object of which none can be made
    /// is [`Event::Undecodable`].
    pub fn try_map<U>(self, mut map: impl FnMut(&T) -> Result<U, DecodeError>) -> Event<U> {
        match self {
            Event::Init => Event::Init,
            Event::Applied { key, object } => match map(&object) {
                Ok(object) => Event::Applied { key, object: Arc::new(object) },
                Err(error) => Event::Undecodable { key: Some(key), error },
            },
            Event::Deleted { key, object } => Event::Deleted {
                key,
                object: object.and_then(|object| map(&object).ok()).map(Arc::new),
            },
            Event::InitDone => Event::InitDone,
            Event::Undecodable { key, error } => Event::Undecodable { key, error },
            Event::Failed(failure) => Event::Failed(failure),
        }
    }
}

impl<T: Observed> Informer<T> {
    /// Follows the objects that this request lists, in one namespace or in all. Selectors are kept,
    /// and `limit` is the size of a page (500 if it is absent). Other parameters, such as a
    /// resource version, are set by the informer.
    ///
    /// # Errors
    /// When the operation cannot watch.
    pub fn new<L: ObservedList<Item = T>>(list: Request<L>) -> Result<Self, InvalidRequest>
    where
        L::Object: FromResponse,
    {
        let usual = [<L::Object as FromResponse>::accept(), <T::Object as FromResponse>::accept()];
        let requests = Requests::new(list.into_template(), usual)?;
        Ok(Self {
            core: Core::new(requests, L::begin(HERE).decoded(HERE).table()),
            transform: |_| {},
        })
    }

    /// Sets the seed of the random parts of waiting times. Programs that start at the same time
    /// should use different seeds.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.core.backoff = Backoff::new(seed);
        self.core.jitter = Jitter::new(!seed);
        self
    }

    /// Begins with lists, and not with a watch that sends all objects.
    #[must_use]
    pub fn lists(mut self) -> Self {
        self.core.traits.stream_from = None;
        self
    }

    /// Sets the time after which a watch ends and is resumed: between this and twice as long. The
    /// default is five minutes. Less than a second counts as a second, and more than a day as a
    /// day.
    #[must_use]
    pub fn watch_timeout(mut self, timeout: Duration) -> Self {
        self.core.watch_timeout =
            timeout.max(Duration::from_secs(1)).min(Duration::from_secs(86_400));
        self
    }

    /// Sets how long to wait for a response, and for the next bytes of a list. The default is one
    /// minute.
    #[must_use]
    pub fn response_timeout(mut self, timeout: Duration) -> Self {
        self.core.driver.timeout = timeout;
        self
    }

    /// Changes each object before it is reported, for example to drop unneeded members, which saves
    /// memory. The informer ignores changes of namespace and name.
    #[must_use]
    pub fn transform(mut self, transform: fn(&mut T)) -> Self {
        self.transform = transform;
        self
    }

    /// Whether any part of the value at a path is decoded: false where the mask of the request
    /// leaves it out.
    ///
    /// # Errors
    /// When the path does not resolve.
    pub fn decodes(&self, path: &str) -> Result<bool, MaskError> {
        mask::decodes::<T::Object>(self.core.requests.template.mask(), path)
    }
}

impl<T> Informer<T> {
    /// The method by which it got all objects the last time. `None` before that.
    #[must_use]
    pub fn synced_by(&self) -> Option<SyncMethod> {
        self.core.traits.synced_by
    }

    /// The time by which the reported objects may be behind the server: since the last event or
    /// bookmark of the watch, or the last relist. `None` before all objects were reported once.
    ///
    /// Servers send a bookmark about once a minute, so up to a minute is normal while nothing
    /// changes.
    #[must_use]
    pub fn lag(&self, now: Duration) -> Option<Duration> {
        self.core.current_at.map(|current| now.saturating_sub(current))
    }
}

impl<T: Observed> Machine for Informer<T> {
    type Event = Event<T>;

    fn poll(&mut self, now: Duration) -> Step<Event<T>> {
        let mut memory = Memory(None);
        let step = self.core.poll(now, &mut memory);
        let transform = self.transform;
        let object = || {
            let mut object = memory.0.take()?;
            Arc::get_mut(&mut object).map(transform);
            Some(object)
        };
        step.map(|event| event_of(event, object))
    }

    fn feed(&mut self, input: Input<'_>, now: Duration) {
        self.core.driver.feed(input, now);
    }
}

fn event_of<T>(event: RawEvent, object: impl FnOnce() -> Option<Arc<T>>) -> Event<T> {
    match event {
        RawEvent::Init => Event::Init,
        RawEvent::Applied(key) => {
            Event::Applied { key, object: object().expect("it was decoded in this step") }
        }
        RawEvent::Deleted { key, is_decoded } => {
            Event::Deleted { key, object: object().filter(|_| is_decoded) }
        }
        RawEvent::InitDone => Event::InitDone,
        RawEvent::Undecodable { key, error } => Event::Undecodable { key, error },
        RawEvent::Failed(failure) => Event::Failed(failure),
    }
}

/// Where an object is decoded: in the memory in which it is shared later.
struct Memory<T>(Option<Arc<T>>);

impl<T: Observed> Holder for Memory<T> {
    fn begin(&mut self) -> &mut dyn Object {
        Arc::get_mut(self.0.insert(Arc::new(T::begin(HERE))))
            .expect("nobody shares it yet")
            .decoding(HERE)
    }

    fn object(&self) -> &dyn Object {
        self.0.as_deref().expect("an object was begun").decoded(HERE)
    }
}
