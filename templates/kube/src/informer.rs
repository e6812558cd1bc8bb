//! Informers as sources of kube's reflectors and controllers.

#[cfg(feature = "dynamic")]
use crate::dynamic::KubeObject;
use crate::masked::KubeMasked;
#[cfg(feature = "dynamic")]
use crate::masked::KubeMaskedObject;
use crate::object::Kube;
use crate::scope::KubeResource;
use futures_core::Stream;
#[cfg(feature = "dynamic")]
use kapigen_runtime::dynamic::Object;
use kapigen_runtime::informer::{Event, Failure, FailureKind, Key};
use kapigen_runtime::mask::Masked;
use kube::runtime::watcher;
use std::collections::BTreeMap;
use std::fmt;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// A stream of the events of an informer as events of kube's [`watcher`](kube::runtime::watcher()),
/// see [`watcher_events`].
pub struct WatcherEvents<K: FromInformer, S> {
    events: S,
    phase: Phase<K::Object>,
    /// The last failure, if the informer may end with it.
    failure: Option<Failure>,
    has_ended: bool,
}

enum Phase<T> {
    /// Before the first event.
    Start,
    /// While all objects are reported for the first time. Objects that are gone by its end are
    /// reported after it: a reflector would forget it otherwise.
    Init(BTreeMap<Key, Option<Arc<T>>>),
    /// From then on. Objects that were gone by the end of `Init` come first.
    Live(BTreeMap<Key, Option<Arc<T>>>),
}

/// Turns the events of an [`Informer`](kapigen_runtime::Informer) into events of kube's
/// [`watcher`](kube::runtime::watcher()), for [`reflector`](kube::runtime::reflector()) and
/// `Controller::for_stream`.
///
/// The events are a stream, such as kapigen-client's:
///
/// ```
/// use futures::TryStreamExt;
/// use kapigen_client::Client;
/// use kapigen_kube::{Kube, KubeService, watcher_events};
/// use kube::runtime::{WatchStreamExt, reflector};
/// use openshift_api::image_v1::{Image, images};
///
/// /// Prints the images of a cluster whenever they change, and keeps them in a store.
/// async fn follow(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
///     let client = Client::with_bodies(KubeService::new(client));
///     let events = watcher_events(client.informer(images::list(&Default::default())?)?);
///     let (store, writer) = reflector::store::<Kube<Image>>();
///     let mut images = std::pin::pin!(reflector(writer, events).applied_objects());
///     while let Some(image) = images.try_next().await? {
///         println!("{:?}, one of {}", image.metadata.name, store.state().len());
///     }
///     Ok(())
/// }
/// ```
///
/// Objects are decoded by the tables of the kind, and not by `serde_json`. The informer continues
/// after failures by itself, with waits of its own: `default_backoff` is not needed. So the stream
/// has no error but the one that it ends with, when requests cannot be sent at all, or are too long
/// for a URL; other failures, and objects that cannot be decoded, are events of `tracing`. To
/// handle them, look at the events of the informer on their way here.
///
/// After the first `InitDone` there is no `Init` again: changes and deletions while there was no
/// connection are reported as `Apply` and `Delete`. An object that was deleted then may have only
/// name and namespace.
pub fn watcher_events<T, S>(events: S) -> WatcherEvents<Kube<T>, S>
where
    T: KubeResource,
    S: Stream<Item = Event<T>> + Unpin,
{
    WatcherEvents::new(events)
}

/// As [`watcher_events`], for the events of an informer with a mask, which has only the members
/// that a program reads.
///
/// ```
/// use futures::TryStreamExt;
/// use kapigen_client::Client;
/// use kapigen_kube::{KubeMasked, KubeService, masked_watcher_events};
/// use kube::runtime::{WatchStreamExt, reflector};
/// use openshift_api::FieldMask;
/// use openshift_api::core_v1::{Pod, pods};
///
/// /// Keeps the nodes of pods, and nothing else of them.
/// async fn follow(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
///     let client = Client::with_bodies(KubeService::new(client));
///     let mask = FieldMask::<Pod>::only(["spec.nodeName"])?;
///     let list = pods::list_all_namespaces(&Default::default())?.masked(&mask);
///     let events = masked_watcher_events(client.informer(list)?);
///     let (store, writer) = reflector::store::<KubeMasked<Pod>>();
///     let mut pods = std::pin::pin!(reflector(writer, events).applied_objects());
///     while let Some(pod) = pods.try_next().await? {
///         let spec = pod.get().spec.as_ref();
///         println!("{:?}, one of {}", spec.and_then(|spec| spec.node_name.as_ref()), store.state().len());
///     }
///     Ok(())
/// }
/// ```
pub fn masked_watcher_events<T, S>(events: S) -> WatcherEvents<KubeMasked<T>, S>
where
    T: KubeResource,
    S: Stream<Item = Event<Masked<T>>> + Unpin,
{
    WatcherEvents::new(events)
}

/// As [`watcher_events`], for the events of an informer of objects of any kind.
///
/// ```
/// use futures::TryStreamExt;
/// use kapigen_client::Client;
/// use kapigen_kube::{KubeObject, KubeService, dynamic_watcher_events};
/// use kapigen_runtime::dynamic::Resource;
/// use kapigen_runtime::scope::Cluster;
/// use kube::runtime::{WatchStreamExt, reflector};
///
/// /// Keeps all objects of a resource.
/// async fn follow(client: kube::Client, resource: Resource) -> Result<(), Box<dyn std::error::Error>> {
///     let client = Client::with_bodies(KubeService::new(client));
///     let events = dynamic_watcher_events(client.informer(resource.list(Cluster, &Default::default())?)?);
///     let writer = reflector::store::Writer::<KubeObject>::new(resource);
///     let store = writer.as_reader();
///     let mut objects = std::pin::pin!(reflector(writer, events).applied_objects());
///     while let Some(object) = objects.try_next().await? {
///         println!("{:?}, one of {}", object.metadata.name, store.state().len());
///     }
///     Ok(())
/// }
/// ```
#[cfg(feature = "dynamic")]
pub fn dynamic_watcher_events<S>(events: S) -> WatcherEvents<KubeObject, S>
where
    S: Stream<Item = Event<Object>> + Unpin,
{
    WatcherEvents::new(events)
}

/// As [`dynamic_watcher_events`], for the events of an informer with a mask: of all members, only
/// those that a program reads are kept as JSON.
///
/// ```
/// use futures::TryStreamExt;
/// use kapigen_client::Client;
/// use kapigen_kube::{KubeMaskedObject, KubeService, masked_dynamic_watcher_events};
/// use kapigen_runtime::FieldMask;
/// use kapigen_runtime::dynamic::Resource;
/// use kapigen_runtime::scope::Cluster;
/// use kube::runtime::{WatchStreamExt, reflector};
///
/// /// Keeps the phases of all objects of a resource, and nothing else of them.
/// async fn follow(client: kube::Client, resource: Resource) -> Result<(), Box<dyn std::error::Error>> {
///     let client = Client::with_bodies(KubeService::new(client));
///     let list = resource.list(Cluster, &Default::default())?.masked(&FieldMask::only(["status.phase"])?);
///     let events = masked_dynamic_watcher_events(client.informer(list)?);
///     let writer = reflector::store::Writer::<KubeMaskedObject>::new(resource);
///     let mut objects = std::pin::pin!(reflector(writer, events).applied_objects());
///     while let Some(object) = objects.try_next().await? {
///         println!("{:?}", object.get().get::<String>("status.phase")?);
///     }
///     Ok(())
/// }
/// ```
#[cfg(feature = "dynamic")]
pub fn masked_dynamic_watcher_events<S>(events: S) -> WatcherEvents<KubeMaskedObject, S>
where
    S: Stream<Item = Event<Masked<Object>>> + Unpin,
{
    WatcherEvents::new(events)
}

/// An object of kube that is made of one of an informer: [`Kube`], [`KubeMasked`], `KubeObject` or
/// `KubeMaskedObject`.
pub trait FromInformer: Sized + sealed::Sealed {
    /// The object of the informer.
    type Object: Clone;
    /// The kind, for logs.
    #[doc(hidden)]
    const KIND: &'static str;

    /// Makes it of an object of the informer.
    #[doc(hidden)]
    fn from_informer(object: Self::Object) -> Self;

    /// Makes it of a name, where the last state of an object is unknown.
    #[doc(hidden)]
    fn named(name: Option<String>, namespace: Option<String>) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl<T> Sealed for super::Kube<T> {}
    impl<T> Sealed for super::KubeMasked<T> {}
    #[cfg(feature = "dynamic")]
    impl Sealed for super::KubeObject {}
    #[cfg(feature = "dynamic")]
    impl Sealed for super::KubeMaskedObject {}
}

impl<T: KubeResource> FromInformer for Kube<T> {
    type Object = T;
    const KIND: &'static str = T::KIND;

    fn from_informer(object: T) -> Self {
        object.into()
    }

    fn named(name: Option<String>, namespace: Option<String>) -> Self {
        let mut object = Self::default();
        object.metadata.name = name;
        object.metadata.namespace = namespace;
        object
    }
}

impl<T: KubeResource> FromInformer for KubeMasked<T> {
    type Object = Masked<T>;
    const KIND: &'static str = T::KIND;

    fn from_informer(object: Masked<T>) -> Self {
        object.into()
    }

    fn named(name: Option<String>, namespace: Option<String>) -> Self {
        Self::of_name(name, namespace)
    }
}

#[cfg(feature = "dynamic")]
impl FromInformer for KubeObject {
    type Object = Object;
    const KIND: &'static str = "Object";

    fn from_informer(object: Object) -> Self {
        object.into()
    }

    fn named(name: Option<String>, namespace: Option<String>) -> Self {
        let mut object = Self::default();
        object.metadata.name = name;
        object.metadata.namespace = namespace;
        object
    }
}

#[cfg(feature = "dynamic")]
impl FromInformer for KubeMaskedObject {
    type Object = Masked<Object>;
    const KIND: &'static str = "Object";

    fn from_informer(object: Masked<Object>) -> Self {
        object.into()
    }

    fn named(name: Option<String>, namespace: Option<String>) -> Self {
        Self::of_name(name, namespace)
    }
}

impl<K: FromInformer, S> WatcherEvents<K, S> {
    fn new(events: S) -> Self {
        WatcherEvents { events, phase: Phase::Start, failure: None, has_ended: false }
    }

    /// The event of kube that is due without another one of the informer.
    fn due(&mut self) -> Option<watcher::Event<K>> {
        let Phase::Live(gone) = &mut self.phase else { return None };
        gone.pop_first().map(|(key, object)| watcher::Event::Delete(last_state(&key, object)))
    }

    /// The event of kube for one of the informer, if there is one.
    fn convert(&mut self, event: Event<K::Object>) -> Option<watcher::Event<K>> {
        self.failure = None;
        match event {
            Event::Init => {
                let is_first = matches!(self.phase, Phase::Start);
                is_first.then(|| {
                    self.phase = Phase::Init(BTreeMap::new());
                    watcher::Event::Init
                })
            }
            Event::Applied { key, object } => {
                let object = K::from_informer(Arc::unwrap_or_clone(object));
                if let Phase::Init(gone) = &mut self.phase {
                    gone.remove(&key);
                    return Some(watcher::Event::InitApply(object));
                }
                Some(watcher::Event::Apply(object))
            }
            Event::Deleted { key, object } => {
                if let Phase::Init(gone) = &mut self.phase {
                    gone.insert(key, object);
                    return None;
                }
                Some(watcher::Event::Delete(last_state(&key, object)))
            }
            Event::InitDone => {
                let Phase::Init(gone) = &mut self.phase else { return None };
                self.phase = Phase::Live(mem::take(gone));
                Some(watcher::Event::InitDone)
            }
            Event::Undecodable { key, error } => {
                let name = key.as_ref().map_or("", Key::as_str);
                tracing::warn!(kind = K::KIND, name, %error, "object cannot be decoded");
                None
            }
            Event::Failed(failure) => {
                tracing::warn!(kind = K::KIND, %failure, "request failed");
                let is_end =
                    matches!(failure.kind, FailureKind::Unsendable(_) | FailureKind::Invalid(_));
                self.failure = Some(failure).filter(|_| is_end);
                None
            }
            _ => None,
        }
    }

    /// The failure with which the informer has ended, if it ended with one.
    fn end(&mut self) -> Option<watcher::Error> {
        let error = kube::Error::Service(self.failure.take()?.into());
        let is_live = matches!(self.phase, Phase::Live(_));
        Some(if is_live {
            watcher::Error::WatchFailed(error)
        } else {
            watcher::Error::InitialListFailed(error)
        })
    }
}

/// An object that is gone, with its name at least.
fn last_state<K: FromInformer>(key: &Key, object: Option<Arc<K::Object>>) -> K {
    if let Some(object) = object {
        return K::from_informer(Arc::unwrap_or_clone(object));
    }
    K::named(non_empty(key.name()), non_empty(key.namespace()))
}

/// A name, unless it is empty.
fn non_empty(name: &str) -> Option<String> {
    Some(name.to_owned()).filter(|name| !name.is_empty())
}

impl<K, S> Stream for WatcherEvents<K, S>
where
    K: FromInformer,
    S: Stream<Item = Event<K::Object>> + Unpin,
{
    type Item = watcher::Result<watcher::Event<K>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(event) = this.due() {
                return Poll::Ready(Some(Ok(event)));
            }
            // The error of the end is followed by the end, and streams may panic when they are
            // polled after it.
            if this.has_ended {
                return Poll::Ready(None);
            }
            let Some(event) = ready!(Pin::new(&mut this.events).poll_next(context)) else {
                this.has_ended = true;
                return Poll::Ready(this.end().map(Err));
            };
            if let Some(event) = this.convert(event) {
                return Poll::Ready(Some(Ok(event)));
            }
        }
    }
}

impl<K: FromInformer, S: Unpin> Unpin for WatcherEvents<K, S> {}

impl<K: FromInformer, S: fmt::Debug> fmt::Debug for WatcherEvents<K, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WatcherEvents").field("events", &self.events).finish_non_exhaustive()
    }
}
