//! Objects as kube has them.

use crate::encode;
use crate::metadata;
use crate::scope::{KubeResource, KubeScope};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kapigen_runtime::Resource;
use kapigen_runtime::meta_v1::ManagedFieldsEntry;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::{Deref, DerefMut};

/// An object of a generated kind, with the metadata of kube: it is a [`kube::Resource`].
///
/// `Kube<Pod>` is to kube what `k8s_openapi::api::core::v1::Pod` is: the type of an
/// [`Api`](kube::Api), of a watcher, a reflector and a controller. Its metadata is k8s-openapi's
/// `ObjectMeta`, in the field [`metadata`](Self::metadata). It dereferences to `T` for all other
/// fields: `pod.spec`, `pod.status`.
///
/// The metadata is moved out of the `T`, which leaves the metadata of `T` empty. So functions of
/// `T`, such as the methods of [`Resource`], find no name there; [`into_inner`](Self::into_inner)
/// moves the metadata back.
///
/// ```
/// use kapigen_kube::Kube;
/// use kube::ResourceExt;
/// use openshift_api::core_v1::{Pod, PodSpec};
/// use openshift_api::meta_v1::ObjectMeta;
///
/// let metadata = ObjectMeta { name: Some("web".to_owned()), ..ObjectMeta::default() };
/// let spec = PodSpec { node_name: Some("n1".to_owned()), ..PodSpec::default() };
/// let mut pod = Kube::from(Pod { metadata, spec: Some(spec.into()), ..Pod::default() });
///
/// assert_eq!(pod.name_any(), "web"); // kube's
/// assert_eq!(pod.spec.as_ref().unwrap().node_name.as_deref(), Some("n1"));
/// pod.labels_mut().insert("app".to_owned(), "web".to_owned());
/// assert_eq!(pod.into_inner().metadata.labels.unwrap()["app"], "web");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Kube<T> {
    /// Name, labels, and everything else that all objects have, but for managed fields: these stay
    /// as they are, since kube would parse them. See [`managed_fields`](Self::managed_fields).
    pub metadata: ObjectMeta,
    /// The object, with metadata that has only what kube's has no field for.
    object: T,
}

impl<T: Resource> Kube<T> {
    /// The object as its generated type, with all metadata.
    #[must_use]
    pub fn into_inner(self) -> T {
        let Self { metadata, mut object } = self;
        metadata::restore(metadata, object.metadata_mut());
        object
    }

    /// The owners of the fields of the object, not parsed.
    ///
    /// It takes the place of [`kube::ResourceExt::managed_fields`], which sees none.
    pub fn managed_fields(&self) -> &[ManagedFieldsEntry] {
        self.object.metadata().managed_fields.as_deref().unwrap_or_default()
    }

    /// The owners of the fields of the object, to clear them: they are often most of its size.
    ///
    /// It takes the place of [`kube::ResourceExt::managed_fields_mut`]. Where there were none, an
    /// empty list is sent, which makes a server forget the owners.
    pub fn managed_fields_mut(&mut self) -> &mut Vec<ManagedFieldsEntry> {
        self.object.metadata_mut().managed_fields.get_or_insert_default()
    }

    /// Removes the owners of the fields, as an object must be that is applied.
    pub fn strip_managed_fields(&mut self) {
        self.metadata.managed_fields = None;
        self.object.metadata_mut().managed_fields = None;
    }
}

/// Moves the metadata.
impl<T: Resource> From<T> for Kube<T> {
    fn from(mut object: T) -> Self {
        Self { metadata: metadata::take(object.metadata_mut()), object }
    }
}

/// Has its `apiVersion` and `kind`; all other fields are empty.
impl<T: Resource> Default for Kube<T> {
    fn default() -> Self {
        T::default().into()
    }
}

impl<T> Deref for Kube<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.object
    }
}

impl<T> DerefMut for Kube<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.object
    }
}

impl<'de, T: Resource> Deserialize<'de> for Kube<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

impl<T: Resource> Serialize for Kube<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut metadata = self.object.metadata().clone();
        metadata::restore(self.metadata.clone(), &mut metadata);
        encode::serialize(&self.object, &metadata, [T::GROUP, T::VERSION], serializer)
    }
}

impl<T: KubeResource> k8s_openapi::Resource for Kube<T> {
    const API_VERSION: &'static str = T::API_VERSION;
    const GROUP: &'static str = T::GROUP;
    const KIND: &'static str = T::KIND;
    const VERSION: &'static str = T::VERSION;
    const URL_PATH_SEGMENT: &'static str = T::PLURAL;
    type Scope = <T::Scope as KubeScope>::Scope;
}

impl<T: KubeResource> k8s_openapi::Metadata for Kube<T> {
    type Ty = ObjectMeta;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}
