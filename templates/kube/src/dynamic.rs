//! Objects of any kind as kube has them.

use crate::encode;
use crate::metadata;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kapigen_runtime::dynamic::{Object, Resource};
use kube::core::DynamicResourceScope;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

/// An object of a kind that is known at run time only, with the metadata of kube: it is a [`kube::Resource`].
///
/// It takes the place of [`kube::core::DynamicObject`]. Its `DynamicType` is a [`Resource`], which comes from discovery,
/// from a generated kind, or is made by hand. All but the metadata stays as JSON, which is not parsed until it is asked
/// for; [`get`](Object::get) and [`set`](Object::set) take paths.
///
/// The metadata is moved out of the [`Object`], whose own metadata is then empty: a path such as `metadata.name` finds
/// nothing there. [`into_inner`](Self::into_inner) moves it back.
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
    /// Name, labels, and everything else that all objects have, but for managed fields, which stay as they are.
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

impl Deref for KubeObject {
    type Target = Object;

    fn deref(&self) -> &Object {
        &self.object
    }
}

impl DerefMut for KubeObject {
    fn deref_mut(&mut self) -> &mut Object {
        &mut self.object
    }
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

impl kube::Resource for KubeObject {
    type DynamicType = Resource;
    type Scope = DynamicResourceScope;

    fn kind(resource: &Resource) -> Cow<'_, str> {
        resource.kind().into()
    }

    fn group(resource: &Resource) -> Cow<'_, str> {
        resource.group().into()
    }

    fn version(resource: &Resource) -> Cow<'_, str> {
        resource.version().into()
    }

    fn plural(resource: &Resource) -> Cow<'_, str> {
        resource.plural().into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}
