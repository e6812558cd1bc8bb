//! Traits of kinds: group, version, kind, scope and metadata, and methods of metadata for
//! controllers.

use crate::codec::{Object, Value};
use crate::meta_v1::{ListMeta, ObjectMeta, OwnerReference, PartialObjectMetadata};
use crate::scope::{DynamicScope, Scope};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A type of objects that state `apiVersion` and `kind`, which may be known at run time only.
///
/// Every [`Kind`] is one, and so is [`dynamic::Object`](crate::dynamic::Object). Generic code needs
/// no further bounds to compare, clone, print, encode and decode objects, or to pass them between
/// threads: `Watch<T>`, `Response<T>`, [`from_slice`](crate::from_slice) and the functions of
/// serde's formats take any `T: AnyKind`.
///
/// ```
/// use kapigen_runtime::AnyKind;
///
/// /// Names the kind of an object as `kubectl` does.
/// fn qualified(object: &impl AnyKind) -> String {
///     format!("{} of {}", object.kind(), object.api_version())
/// }
/// ```
pub trait AnyKind:
    Object
    + Value
    + Clone
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + Serialize
    + DeserializeOwned
    + 'static
{
    /// The `apiVersion`: the type's, even where the object was decoded without, or the one that a
    /// dynamic object states. Empty if it states none.
    fn api_version(&self) -> &str;

    /// The `kind`, as [`api_version`](Self::api_version).
    fn kind(&self) -> &str;
}

/// A kind that is known at compile time: its names are constants. Generated code implements it.
///
/// ```
/// use kapigen_runtime::{DecodeError, Kind, from_slice};
///
/// /// Decodes an object of any kind from a file.
/// fn load<T: Kind>(bytes: &[u8]) -> Result<T, String> {
///     from_slice(bytes).map_err(|error: DecodeError| format!("no {} of {}: {error}", T::KIND, T::API_VERSION))
/// }
/// ```
pub trait Kind: AnyKind {
    /// The group, empty for core.
    const GROUP: &'static str;
    /// The version, such as `v1`.
    const VERSION: &'static str;
    /// The kind, such as `Pod`.
    const KIND: &'static str;
    /// The value of `apiVersion`: `group/version`, or the version alone for core.
    const API_VERSION: &'static str;
}

impl<T: Kind> AnyKind for T {
    #[inline]
    fn api_version(&self) -> &str {
        T::API_VERSION
    }

    #[inline]
    fn kind(&self) -> &str {
        T::KIND
    }
}

/// Group and version of an `apiVersion`. The group of core is empty.
pub(crate) fn group_version(api_version: &str) -> (&str, &str) {
    api_version.rsplit_once('/').unwrap_or(("", api_version))
}

/// The `apiVersion` and `kind` that the default of a kind states.
#[doc(hidden)]
#[inline]
#[must_use]
pub fn stated<T: Kind>() -> [Option<String>; 2] {
    owned(T::API_VERSION, T::KIND)
}

fn owned(api_version: &str, kind: &str) -> [Option<String>; 2] {
    [Some(api_version.to_owned()), Some(kind.to_owned())]
}

/// A type of objects that have metadata.
///
/// Every [`Resource`] is one, and so is [`dynamic::Object`](crate::dynamic::Object).
///
/// ```
/// use kapigen_runtime::AnyResource;
///
/// /// Labels an object of any kind. Returns whether it had no such label.
/// fn label(object: &mut impl AnyResource, key: &str) -> bool {
///     let labels = object.metadata_mut().labels.get_or_insert_default();
///     labels.insert(key.to_owned(), String::new()).is_none()
/// }
/// ```
pub trait AnyResource: AnyKind {
    /// Name, labels, and everything else that all objects have.
    fn metadata(&self) -> &ObjectMeta;

    /// The metadata, mutable.
    fn metadata_mut(&mut self) -> &mut ObjectMeta;

    /// The name of this object. Empty if it has none, such as a new one that has a `generateName`.
    #[must_use]
    fn name(&self) -> &str {
        self.metadata().name.as_deref().unwrap_or_default()
    }

    /// The namespace of this object. Empty if it states none, such as an object of a cluster-scoped
    /// kind.
    #[must_use]
    fn namespace(&self) -> &str {
        self.metadata().namespace.as_deref().unwrap_or_default()
    }

    /// A reference to this object as an owner of others, which the garbage collector deletes after
    /// it. `None` if it has no name or no UID: servers set the UID, so the object must come from
    /// one. `None` for a dynamic object that does not state its kind, too.
    ///
    /// ```
    /// use kapigen_runtime::AnyResource;
    ///
    /// /// Makes an object of any kind a dependent of one of any other kind.
    /// fn own(owner: &impl AnyResource, dependent: &mut impl AnyResource) {
    ///     dependent.metadata_mut().owner_references.get_or_insert_default().extend(owner.owner_reference());
    /// }
    /// ```
    #[must_use]
    #[inline]
    fn owner_reference(&self) -> Option<OwnerReference> {
        owner_reference(self.metadata(), self.api_version(), self.kind())
    }

    /// A reference to this object as the one owner that manages a dependent:
    /// [`owner_reference`](Self::owner_reference) with `controller` set to true.
    #[must_use]
    #[inline]
    fn controller_reference(&self) -> Option<OwnerReference> {
        self.owner_reference().map(|owner| OwnerReference { controller: Some(true), ..owner })
    }
}

#[inline]
fn owner_reference(metadata: &ObjectMeta, api_version: &str, kind: &str) -> Option<OwnerReference> {
    let name = metadata.name.clone()?;
    let uid = metadata.uid.clone()?;
    if api_version.is_empty() || kind.is_empty() {
        return None;
    }
    let api_version = api_version.to_owned();
    let kind = kind.to_owned();
    Some(OwnerReference { api_version, kind, name, uid, ..OwnerReference::default() })
}

/// A type of objects that have metadata, also where they do not have their kind: every
/// [`AnyResource`], and [`PartialObjectMetadata`].
///
/// ```
/// use kapigen_runtime::HasMetadata;
/// use kapigen_runtime::informer::Key;
/// use kapigen_runtime::meta_v1::PartialObjectMetadata;
///
/// /// The key of an object in stores, and its version.
/// fn seen<T: HasMetadata>(object: &T) -> (Key, Option<&str>) {
///     (Key::of(object), object.object_meta().resource_version.as_deref())
/// }
/// assert_eq!(seen(&PartialObjectMetadata::default()).1, None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of objects with metadata",
    note = "a resource of a generated crate is one, `PartialObjectMetadata`, and an object of any \
            kind"
)]
pub trait HasMetadata: Object + Value {
    /// The metadata, as [`AnyResource::metadata`].
    fn object_meta(&self) -> &ObjectMeta;
}

impl<T: AnyResource> HasMetadata for T {
    #[inline]
    fn object_meta(&self) -> &ObjectMeta {
        self.metadata()
    }
}

impl HasMetadata for PartialObjectMetadata {
    #[inline]
    fn object_meta(&self) -> &ObjectMeta {
        &self.metadata
    }
}

/// A kind of objects with metadata and a path of their own, both known at compile time.
///
/// Operations on it are the traits in [`verbs`](crate::verbs), one for each verb. Methods of its
/// objects are in [`AnyResource`].
pub trait Resource: Kind + AnyResource {
    /// The scope of its objects: [`Namespaced`](crate::scope::Namespaced) or
    /// [`Cluster`](crate::scope::Cluster).
    type Scope: Scope;
    /// The name in paths, such as `pods`.
    const PLURAL: &'static str;

    /// The scope that this object is in, as an argument of the functions in
    /// [`verbs`](crate::verbs).
    #[must_use]
    #[inline]
    fn scope(&self) -> DynamicScope<'_> {
        let namespace = self.metadata().namespace.as_deref();
        DynamicScope { namespace: namespace.filter(|_| Self::Scope::NAMESPACED) }
    }
}

/// A kind that lists the objects of another one, such as `PodList`.
///
/// ```
/// use kapigen_runtime::ResourceList;
///
/// /// Whether a server has more pages of a list.
/// fn has_more(list: &impl ResourceList) -> bool {
///     list.metadata().continue_.as_deref().is_some_and(|token| !token.is_empty())
/// }
/// ```
pub trait ResourceList: AnyKind {
    /// The kind of its items.
    type Item: AnyKind;

    /// The resource version of the list, and the token of its next page.
    fn metadata(&self) -> &ListMeta;

    /// Takes the items out.
    fn take_items(&mut self) -> Vec<Self::Item>;
}

impl ObjectMeta {
    /// Whether the object has this finalizer.
    #[must_use]
    #[inline]
    pub fn has_finalizer(&self, finalizer: &str) -> bool {
        self.finalizers.iter().flatten().any(|other| other == finalizer)
    }

    /// Adds a finalizer, which holds a deleted object until it is removed. Returns whether it was
    /// absent.
    ///
    /// ```
    /// use kapigen_runtime::meta_v1::ObjectMeta;
    ///
    /// let mut metadata = ObjectMeta::default();
    /// assert!(metadata.add_finalizer("example.com/address"));
    /// assert!(!metadata.add_finalizer("example.com/address"));
    /// assert!(metadata.remove_finalizer("example.com/address"));
    /// assert_eq!(metadata, ObjectMeta::default());
    /// ```
    #[inline]
    pub fn add_finalizer(&mut self, finalizer: &str) -> bool {
        let is_absent = !self.has_finalizer(finalizer);
        if is_absent {
            self.finalizers.get_or_insert_default().push(finalizer.to_owned());
        }
        is_absent
    }

    /// Removes a finalizer. Returns whether it was present.
    #[inline]
    pub fn remove_finalizer(&mut self, finalizer: &str) -> bool {
        let is_present = self.has_finalizer(finalizer);
        if let Some(finalizers) = self.finalizers.as_mut().filter(|_| is_present) {
            finalizers.retain(|other| other != finalizer);
        }
        self.finalizers.take_if(|finalizers| is_present && finalizers.is_empty());
        is_present
    }
}
