//! Masked objects as kube has them.

use crate::metadata;
use crate::scope::{KubeResource, KubeScope};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kapigen_runtime::__private::masked_mut;
use kapigen_runtime::AnyResource;
#[cfg(feature = "dynamic")]
use kapigen_runtime::dynamic::Object;
use kapigen_runtime::mask::Masked;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// An object of a generated kind of which only the members of a mask were decoded, with the
/// metadata of kube: it is a [`kube::Resource`].
///
/// It is for reflectors and controllers, from `masked_watcher_events`. Like [`Masked`], it can be
/// read by [`get`](Self::get), and not be written: it has no `Serialize`. Where kube asks for
/// `Deserialize`, its own watchers included, that fails: they do not know the mask.
///
/// ```compile_fail,E0277
/// # use kapigen_kube::KubeMasked;
/// # use openshift_api::image_v1::Image;
/// fn write(image: &KubeMasked<Image>) {
///     let _ = serde_json::to_string(image);
/// }
/// ```
///
/// A change of the metadata, which kube lets anyone make, stays in this object.
#[derive(Clone, Debug, PartialEq)]
pub struct KubeMasked<T> {
    /// Name, labels and everything else that all objects have, as far as it was decoded.
    metadata: ObjectMeta,
    /// The object, with metadata that has only what kube's has no field for.
    object: Masked<T>,
}

impl<T> KubeMasked<T> {
    /// The object, of which only the members of the mask were decoded. All others are empty. Its
    /// metadata is kube's, which the traits of kube return.
    #[must_use]
    pub fn get(&self) -> &T {
        self.object.get()
    }
}

impl<T: AnyResource> KubeMasked<T> {
    /// An object of which only the name is known.
    #[cfg(feature = "runtime")]
    pub(crate) fn of_name(name: Option<String>, namespace: Option<String>) -> Self {
        let metadata = ObjectMeta { name, namespace, ..ObjectMeta::default() };
        Self { metadata, object: kapigen_runtime::__private::masked_default() }
    }
}

/// Moves the metadata.
impl<T: AnyResource> From<Masked<T>> for KubeMasked<T> {
    fn from(mut object: Masked<T>) -> Self {
        Self { metadata: metadata::take(masked_mut(&mut object).metadata_mut()), object }
    }
}

/// Always fails: only a request with a mask decodes masked objects.
impl<'de, T> Deserialize<'de> for KubeMasked<T> {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom(
            "a masked object is decoded by a request with a mask: take it from \
             `masked_watcher_events` or `masked_dynamic_watcher_events` of an informer of \
             kapigen, or use `Kube` or `KubeObject`, which have all members",
        ))
    }
}

impl<T: KubeResource> k8s_openapi::Resource for KubeMasked<T> {
    const API_VERSION: &'static str = T::API_VERSION;
    const GROUP: &'static str = T::GROUP;
    const KIND: &'static str = T::KIND;
    const VERSION: &'static str = T::VERSION;
    const URL_PATH_SEGMENT: &'static str = T::PLURAL;
    type Scope = <T::Scope as KubeScope>::Scope;
}

impl<T: KubeResource> k8s_openapi::Metadata for KubeMasked<T> {
    type Ty = ObjectMeta;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

/// A [`KubeMasked`] object of a kind that is known at run time only, from
/// `masked_dynamic_watcher_events`.
///
/// Its `DynamicType` is a [`Resource`](kapigen_runtime::dynamic::Resource), as for
/// [`KubeObject`](crate::KubeObject).
#[cfg(feature = "dynamic")]
#[derive(Clone, Debug, PartialEq)]
pub struct KubeMaskedObject(KubeMasked<Object>);

#[cfg(feature = "dynamic")]
impl KubeMaskedObject {
    /// The object, of which only the members of the mask were decoded. All others are absent. Its
    /// metadata is kube's, which the traits of kube return.
    #[must_use]
    pub fn get(&self) -> &Object {
        self.0.get()
    }

    /// An object of which only the name is known.
    #[cfg(feature = "runtime")]
    pub(crate) fn of_name(name: Option<String>, namespace: Option<String>) -> Self {
        Self(KubeMasked::of_name(name, namespace))
    }
}

/// Moves the metadata.
#[cfg(feature = "dynamic")]
impl From<Masked<Object>> for KubeMaskedObject {
    fn from(object: Masked<Object>) -> Self {
        Self(object.into())
    }
}

/// Always fails: only a request with a mask decodes masked objects.
#[cfg(feature = "dynamic")]
impl<'de> Deserialize<'de> for KubeMaskedObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        KubeMasked::deserialize(deserializer).map(Self)
    }
}

#[cfg(feature = "dynamic")]
crate::scope::dynamic_resource!(KubeMaskedObject, |object| object.0.metadata);
