//! Objects of any kind as kube has them.

use crate::encode;
use crate::metadata;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kapigen_runtime::dynamic::{Object, PathError, Resource};
use kapigen_runtime::{AnyKind, DecodeError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::mem;

/// An object of a kind that is known at run time only, with the metadata of kube: it is a
/// [`kube::Resource`].
///
/// It takes the place of [`kube::core::DynamicObject`]. Its `DynamicType` is a [`Resource`], which
/// comes from discovery, from a generated kind, or is made by hand. All but the metadata stays as
/// JSON, which is not parsed until it is needed; [`get`](Self::get) and [`set`](Self::set) take
/// paths.
///
/// The metadata is kube's, in the field [`metadata`](Self::metadata). A path such as
/// `metadata.name` leads into it, too. [`into_inner`](Self::into_inner) returns the [`Object`] with
/// all metadata.
///
/// ```
/// use kapigen_kube::KubeObject;
/// use kapigen_runtime::dynamic::Resource;
/// use kube::api::{Api, ListParams, PostParams};
/// use kube::ResourceExt;
///
/// /// Creates a star, and prints the sizes of all.
/// async fn stars(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
///     let resource = Resource::cluster("example.com", "v1", "Star", "stars");
///     let mut sun = KubeObject::new("sun", &resource);
///     sun.set("spec.size", 3)?;
///     sun.set("metadata.labels.tier", "hot")?; // the same as `sun.labels_mut().insert(..)`
///     let stars: Api<KubeObject> = Api::all_with(client, &resource);
///     stars.create(&PostParams::default(), &sun).await?;
///     for star in stars.list(&ListParams::default()).await? {
///         println!("{}: {:?}", star.name_any(), star.get::<u8>("spec.size")?);
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KubeObject {
    /// Name, labels, and everything else that all objects have, but for managed fields, which stay
    /// as they are.
    pub metadata: ObjectMeta,
    /// The object, with metadata that has only what kube's has no field for.
    object: Object,
}

impl KubeObject {
    /// An object of a resource, with a name and nothing else.
    #[must_use]
    pub fn new(name: &str, resource: &Resource) -> Self {
        resource.object(name).into()
    }

    /// The object with all of its metadata.
    #[must_use]
    pub fn into_inner(self) -> Object {
        let Self { metadata, mut object } = self;
        metadata::restore(metadata, &mut object.metadata);
        object
    }

    /// The value at a path, as [`Object::get`]. Below `metadata` it comes from the field
    /// [`metadata`](Self::metadata).
    ///
    /// # Errors
    /// As [`Object::get`].
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, PathError> {
        if !may_be_metadata(path) {
            return self.object.get(path);
        }
        self.clone().into_inner().get(path)
    }

    /// Sets the value at a path, as [`Object::set`]. Below `metadata` it changes the field
    /// [`metadata`](Self::metadata).
    ///
    /// # Errors
    /// As [`Object::set`]. The object is then unchanged.
    pub fn set<T: Serialize>(&mut self, path: &str, value: T) -> Result<(), PathError> {
        self.change(path, |object| object.set(path, value))
    }

    /// Removes the value at a path, as [`Object::remove`]. Returns whether it was there. Below
    /// `metadata` it changes the field [`metadata`](Self::metadata).
    ///
    /// # Errors
    /// As [`Object::remove`].
    pub fn remove(&mut self, path: &str) -> Result<bool, PathError> {
        self.change(path, |object| object.remove(path))
    }

    /// The `spec` as a type of your own.
    ///
    /// # Errors
    /// As [`Object::spec_as`].
    pub fn spec_as<T: DeserializeOwned>(&self) -> Result<T, PathError> {
        self.object.spec_as()
    }

    /// The `status` as a type of your own.
    ///
    /// # Errors
    /// As [`Object::status_as`].
    pub fn status_as<T: DeserializeOwned>(&self) -> Result<T, PathError> {
        self.object.status_as()
    }

    /// The same object as a generated kind, with all metadata.
    ///
    /// # Errors
    /// As [`Object::decode`].
    pub fn decode<T: AnyKind>(&self) -> Result<T, DecodeError> {
        self.clone().into_inner().decode()
    }

    /// Changes the value at a path. Metadata is in the object meanwhile.
    fn change<T>(
        &mut self,
        path: &str,
        change: impl FnOnce(&mut Object) -> Result<T, PathError>,
    ) -> Result<T, PathError> {
        if !may_be_metadata(path) {
            return change(&mut self.object);
        }
        let mut whole = mem::take(self).into_inner();
        let done = change(&mut whole);
        *self = whole.into();
        done
    }

    /// Removes the owners of the fields, as an object must be that is applied.
    pub fn strip_managed_fields(&mut self) {
        self.metadata.managed_fields = None;
        self.object.metadata.managed_fields = None;
    }
}

/// Moves the metadata.
impl From<Object> for KubeObject {
    fn from(mut object: Object) -> Self {
        Self { metadata: metadata::take(&mut object.metadata), object }
    }
}

/// Whether a path may lead to metadata. A path that begins with a key in brackets may spell it with
/// escapes.
fn may_be_metadata(path: &str) -> bool {
    path.starts_with("metadata") || path.starts_with('[')
}

impl<'de> Deserialize<'de> for KubeObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Object::deserialize(deserializer).map(Self::from)
    }
}

impl Serialize for KubeObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut metadata = self.object.metadata.clone();
        metadata::restore(self.metadata.clone(), &mut metadata);
        encode::serialize(&self.object, &metadata, ["", ""], serializer)
    }
}

crate::scope::dynamic_resource!(KubeObject, |object| object.metadata);
