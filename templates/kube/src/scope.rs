//! Kinds and scopes that kube has traits for.

use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope, ResourceScope};
use kapigen_runtime::Resource;
use kapigen_runtime::scope::{Cluster, Namespaced, Scope};

/// A generated kind of objects with metadata: any [`Resource`], as a bound for code that is generic
/// over kinds.
///
/// ```
/// use kapigen_kube::{Kube, KubeResource};
/// use kube::{Api, Client};
///
/// /// All objects of a kind, in all namespaces if it has them.
/// async fn count<T: KubeResource>(client: Client) -> kube::Result<usize> {
///     let objects: Api<Kube<T>> = Api::all(client);
///     Ok(objects.list(&kube::api::ListParams::default()).await?.items.len())
/// }
/// ```
pub trait KubeResource: Resource<Scope: KubeScope> {}

impl<T: Resource<Scope: KubeScope>> KubeResource for T {}

/// The scope of a kind, as the type that kube has for it.
pub trait KubeScope: Scope {
    /// The type in k8s-openapi.
    type Scope: ResourceScope;
}

impl KubeScope for Namespaced {
    type Scope = NamespaceResourceScope;
}

impl KubeScope for Cluster {
    type Scope = ClusterResourceScope;
}

/// Makes a type a resource of kube with names that are known at run time only, given where its
/// metadata is.
#[cfg(feature = "dynamic")]
macro_rules! dynamic_resource {
    ($type:ty, |$object:ident| $metadata:expr) => {
        impl kube::Resource for $type {
            type DynamicType = kapigen_runtime::dynamic::Resource;
            type Scope = kube::core::DynamicResourceScope;

            fn kind(resource: &Self::DynamicType) -> std::borrow::Cow<'_, str> {
                resource.kind().into()
            }

            fn group(resource: &Self::DynamicType) -> std::borrow::Cow<'_, str> {
                resource.group().into()
            }

            fn version(resource: &Self::DynamicType) -> std::borrow::Cow<'_, str> {
                resource.version().into()
            }

            fn plural(resource: &Self::DynamicType) -> std::borrow::Cow<'_, str> {
                resource.plural().into()
            }

            fn meta(&self) -> &ObjectMeta {
                let $object = self;
                &$metadata
            }

            fn meta_mut(&mut self) -> &mut ObjectMeta {
                let $object = self;
                &mut $metadata
            }
        }
    };
}
#[cfg(feature = "dynamic")]
pub(crate) use dynamic_resource;
