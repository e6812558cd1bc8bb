//! Resources, and the requests for their objects.

use super::operations::{Operations, operations};
use super::{List, Object};
use crate::invalid::InvalidRequest;
use crate::kind::{self, AnyResource as _, group_version};
use crate::meta_v1::APIResource;
use crate::operation::{Operation, ResourceNames};
use crate::params::{
    CreateParams, DeleteCollectionParams, DeleteParams, GetParams, ListParams, PatchParams,
    ReplaceParams, WatchParams,
};
use crate::request::{Builder, Patch, Request};
use crate::response::{Deleted, DeletedCollection, Error};
use crate::scope::{DynamicScope, Scope};
use crate::watch::Watch;
use std::fmt;
use std::sync::Arc;

/// A resource that is known at run time only: its group, version, kind, plural and scope. A clone
/// shares its names.
///
/// Its methods build the requests that the functions of a generated kind build. `apiVersion` and
/// `kind` are sent whether an object states them or not; an object that states others is refused.
///
/// ```
/// use kapigen_runtime::dynamic::{Object, Resource};
/// use kapigen_runtime::params::CreateParams;
///
/// let stars = Resource::namespaced("example.com", "v1", "Star", "stars");
/// let mut sun = stars.object("sun");
/// sun.set("spec.size", 3)?;
/// let request = stars.create("default", &sun, &CreateParams::default())?;
/// assert_eq!(request.uri(), "/apis/example.com/v1/namespaces/default/stars");
/// assert_eq!(request.operation().resource, "stars");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// All requests fail to be built when the scope does not fit the resource, a name is empty or would
/// lead to another path, a parameter is set that the operation does not have, or path and query are
/// too long for a URL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resource {
    names: Arc<ResourceNames>,
    is_namespaced: bool,
}

/// A subresource of a [`Resource`], such as `status` or `scale`.
///
/// # Errors
/// As for [`Resource`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subresource {
    resource: Resource,
}

impl Resource {
    /// A namespaced resource. The group of core is empty.
    #[must_use]
    pub fn namespaced(group: &str, version: &str, kind: &str, plural: &str) -> Self {
        Self::new(group, version, kind, plural, true)
    }

    /// A cluster-scoped resource. The group of core is empty.
    #[must_use]
    pub fn cluster(group: &str, version: &str, kind: &str, plural: &str) -> Self {
        Self::new(group, version, kind, plural, false)
    }

    /// The resource of a generated kind.
    ///
    /// ```
    /// use kapigen_runtime::dynamic::Resource;
    ///
    /// /// The path segment of any kind's objects.
    /// fn plural<T: kapigen_runtime::Resource>() -> String {
    ///     Resource::of::<T>().plural().to_owned()
    /// }
    /// ```
    #[must_use]
    pub fn of<T: kind::Resource>() -> Self {
        Self::new(T::GROUP, T::VERSION, T::KIND, T::PLURAL, T::Scope::NAMESPACED)
    }

    /// The resource that a server lists for a group and version, such as `apps/v1`. `None` for a
    /// subresource.
    #[must_use]
    pub fn discovered(api_version: &str, listed: &APIResource) -> Option<Self> {
        let (group, version) = group_version(api_version);
        let is_resource = !listed.name.contains('/');
        is_resource
            .then(|| Self::new(group, version, &listed.kind, &listed.name, listed.namespaced))
    }

    fn new(group: &str, version: &str, kind: &str, plural: &str, is_namespaced: bool) -> Self {
        let names = ResourceNames {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: kind.to_owned(),
            plural: plural.to_owned(),
            subresource: None,
        };
        Self { names: Arc::new(names), is_namespaced }
    }

    /// The group, empty for core.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.names.group
    }

    /// The version, such as `v1`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.names.version
    }

    /// The value of `apiVersion`: `group/version`, or the version alone for core.
    #[must_use]
    pub fn api_version(&self) -> String {
        match &*self.names.group {
            "" => self.names.version.clone(),
            group => format!("{group}/{}", self.names.version),
        }
    }

    /// The kind of the objects, such as `Pod`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.names.kind
    }

    /// The name in paths, such as `pods`.
    #[must_use]
    pub fn plural(&self) -> &str {
        &self.names.plural
    }

    /// Whether the objects live in namespaces.
    #[must_use]
    pub fn is_namespaced(&self) -> bool {
        self.is_namespaced
    }

    /// An object of this resource, with a name and nothing else.
    #[must_use]
    pub fn object(&self, name: &str) -> Object {
        Object::new(self.api_version(), self.kind()).named(name)
    }

    /// The scope that an object is in, as an argument of the functions that build requests: its
    /// namespace, if the resource is namespaced.
    #[must_use]
    pub fn scope<'o>(&self, object: &'o Object) -> DynamicScope<'o> {
        let namespace = object.metadata().namespace.as_deref();
        DynamicScope { namespace: namespace.filter(|_| self.is_namespaced) }
    }
}

#[allow(clippy::multiple_inherent_impl)] // copies are not checked for this
#[expect(clippy::missing_errors_doc, reason = "the type documents the errors of these")]
impl Resource {
    /// Reads the object of this name.
    pub fn get<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        params: &GetParams,
    ) -> Result<Request<Object>, Error> {
        self.of_object(scope.into(), |operations| &operations.get, name).params(params).finish()
    }

    /// Lists objects: of one namespace, of all, or of the cluster.
    pub fn list<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        params: &ListParams,
    ) -> Result<Request<List>, Error> {
        self.of_objects(scope.into(), |operations| &operations.list).params(params).finish()
    }

    /// Watches the objects that [`list`](Self::list) lists.
    pub fn watch<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        params: &WatchParams,
    ) -> Result<Request<Watch<Object>>, Error> {
        self.of_objects(scope.into(), |operations| &operations.list).params(params).watch().finish()
    }

    /// Creates an object. Its name is in the metadata, or servers make one from `generateName`.
    pub fn create<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        body: &Object,
        params: &CreateParams,
    ) -> Result<Request<Object>, Error> {
        let scope = scope.into();
        let builder = self
            .of_objects(scope, |operations| &operations.create)
            .refusing(self.lacks_namespace(scope));
        self.with_body(builder.params(params), body).finish()
    }

    /// Replaces the object of this name. If the body has a resource version, the object must still
    /// have it.
    pub fn replace<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        body: &Object,
        params: &ReplaceParams,
    ) -> Result<Request<Object>, Error> {
        let builder = self.of_object(scope.into(), |operations| &operations.replace, name);
        self.with_body(builder.params(params), body).finish()
    }

    /// Patches the object of this name. An apply creates it if it is absent; it is refused if the
    /// object that is applied states another kind.
    pub fn patch<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        patch: &Patch,
        params: &PatchParams,
    ) -> Result<Request<Object>, Error> {
        let builder =
            self.of_object(scope.into(), |operations| &operations.patch, name).params(params);
        self.with_patch(builder, patch).finish()
    }

    /// Deletes the object of this name.
    pub fn delete<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        params: &DeleteParams,
    ) -> Result<Request<Deleted<Object>>, Error> {
        let builder =
            self.of_object(scope.into(), |operations| &operations.delete, name).params(params);
        builder.delete_options(params.options.as_ref()).finish()
    }

    /// Deletes objects of one namespace, or of the cluster.
    pub fn delete_collection<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        params: &DeleteCollectionParams,
    ) -> Result<Request<DeletedCollection<List>>, Error> {
        let scope = scope.into();
        let builder = self.of_objects(scope, |operations| &operations.delete_collection);
        let builder = builder.refusing(self.lacks_namespace(scope)).params(params);
        builder.delete_options(params.options.as_ref()).finish()
    }

    /// A subresource of the objects, such as `status` or `scale`.
    #[must_use]
    pub fn subresource(&self, name: &str) -> Subresource {
        let names = ResourceNames { subresource: Some(name.to_owned()), ..(*self.names).clone() };
        Subresource { resource: Self { names: Arc::new(names), is_namespaced: self.is_namespaced } }
    }

    /// Reads the object of this name through its status.
    pub fn get_status<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        params: &GetParams,
    ) -> Result<Request<Object>, Error> {
        self.subresource(STATUS).get(scope, name, params)
    }

    /// Replaces the status of the object of this name with the status in the body.
    pub fn replace_status<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        body: &Object,
        params: &ReplaceParams,
    ) -> Result<Request<Object>, Error> {
        self.subresource(STATUS).replace(scope, name, body, params)
    }

    /// Patches the status of the object of this name.
    pub fn patch_status<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        patch: &Patch,
        params: &PatchParams,
    ) -> Result<Request<Object>, Error> {
        self.subresource(STATUS).patch(scope, name, patch, params)
    }

    /// A request for objects of a scope.
    fn of_objects(
        &self,
        scope: DynamicScope<'_>,
        operation: fn(&'static Operations) -> &'static Operation,
    ) -> Builder {
        self.begin(scope, operation, &[])
    }

    /// A request for one object.
    fn of_object(
        &self,
        scope: DynamicScope<'_>,
        operation: fn(&'static Operations) -> &'static Operation,
        name: &str,
    ) -> Builder {
        self.begin(scope, operation, &[name]).refusing(self.lacks_namespace(scope))
    }

    fn begin(
        &self,
        scope: DynamicScope<'_>,
        operation: fn(&'static Operations) -> &'static Operation,
        rest: &[&str],
    ) -> Builder {
        let names = &*self.names;
        let group = Some(&*names.group).filter(|group| !group.is_empty());
        let arguments = group
            .into_iter()
            .chain([&*names.version])
            .chain(scope.namespace)
            .chain([&*names.plural]);
        let arguments: Vec<_> = arguments.chain(rest.iter().copied()).collect();
        let operation = operation(operations(&names.group, scope.namespace.is_some()));
        let foreign = scope.namespace.filter(|_| !self.is_namespaced);
        let foreign =
            foreign.map(|namespace| no_namespace(namespace, "the kind is cluster-scoped"));
        Builder::named(operation, &self.names, &arguments).refusing(foreign)
    }

    /// The error of a request that needs a namespace and has none.
    fn lacks_namespace(&self, scope: DynamicScope<'_>) -> Option<InvalidRequest> {
        let lacks = self.is_namespaced && scope.namespace.is_none();
        lacks.then(|| no_namespace("", "this operation needs one"))
    }

    fn with_body(&self, builder: Builder, body: &Object) -> Builder {
        builder.body_of(body, &self.api_version(), self.kind())
    }

    fn with_patch(&self, builder: Builder, patch: &Patch) -> Builder {
        builder.patch_of(patch, &self.api_version(), self.kind())
    }
}

/// The subresource that has the kind of its resource.
const STATUS: &str = "status";

fn no_namespace(namespace: &str, why: &'static str) -> InvalidRequest {
    InvalidRequest::Argument { name: "namespace", value: namespace.to_owned(), why }
}

#[expect(clippy::missing_errors_doc, reason = "the type documents the errors")]
impl Subresource {
    /// Reads the subresource of the object of this name.
    pub fn get<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        params: &GetParams,
    ) -> Result<Request<Object>, Error> {
        self.begin(scope.into(), |operations| &operations.get_subresource, name)
            .params(params)
            .finish()
    }

    /// Creates the subresource of the object of this name, such as an eviction. The body states its
    /// own `apiVersion` and `kind`.
    pub fn create<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        body: &Object,
        params: &CreateParams,
    ) -> Result<Request<Object>, Error> {
        let builder = self.begin(scope.into(), |operations| &operations.create_subresource, name);
        self.with_body(builder.params(params), body).finish()
    }

    /// Replaces the subresource of the object of this name. The body states its own `apiVersion`
    /// and `kind`; for a `status` they are the resource's.
    pub fn replace<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        body: &Object,
        params: &ReplaceParams,
    ) -> Result<Request<Object>, Error> {
        let builder = self.begin(scope.into(), |operations| &operations.replace_subresource, name);
        self.with_body(builder.params(params), body).finish()
    }

    /// Patches the subresource of the object of this name.
    pub fn patch<'s>(
        &self,
        scope: impl Into<DynamicScope<'s>>,
        name: &str,
        patch: &Patch,
        params: &PatchParams,
    ) -> Result<Request<Object>, Error> {
        let builder = self.begin(scope.into(), |operations| &operations.patch_subresource, name);
        let builder = builder.params(params);
        match self.resource.names.subresource.as_deref() {
            Some(STATUS) => self.resource.with_patch(builder, patch).finish(),
            _ => builder.patch(patch).finish(),
        }
    }

    fn begin(
        &self,
        scope: DynamicScope<'_>,
        operation: fn(&'static Operations) -> &'static Operation,
        name: &str,
    ) -> Builder {
        let subresource = self.resource.names.subresource.as_deref().unwrap_or_default();
        let builder = self.resource.begin(scope, operation, &[name, subresource]);
        builder.refusing(self.resource.lacks_namespace(scope))
    }

    fn with_body(&self, builder: Builder, body: &Object) -> Builder {
        match self.resource.names.subresource.as_deref() {
            Some(STATUS) => self.resource.with_body(builder, body),
            _ => builder.body(body),
        }
    }
}

/// `Star of example.com/v1`.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.kind(), self.api_version())
    }
}
