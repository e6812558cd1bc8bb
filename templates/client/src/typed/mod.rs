//! Kinds whose types are your own: structs with serde's derives, and the names of their kind.
//!
//! ```
//! use kapigen_client::typed::{Typed, TypedKind};
//! use kapigen_runtime::meta_v1::ObjectMeta;
//! use kapigen_runtime::params::GetParams;
//! use kapigen_runtime::scope::Namespaced;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Widget {
//!     metadata: ObjectMeta,
//!     #[serde(default)]
//!     spec: WidgetSpec,
//! }
//!
//! #[derive(Default, Serialize, Deserialize)]
//! struct WidgetSpec {
//!     size: u32,
//! }
//!
//! impl TypedKind for Widget {
//!     const GROUP: &'static str = "example.com";
//!     const VERSION: &'static str = "v1";
//!     const KIND: &'static str = "Widget";
//!     const PLURAL: &'static str = "widgets";
//!     type Scope = Namespaced;
//! }
//!
//! let request = Typed::<Widget>::get("default", "a", &GetParams::default()).unwrap();
//! assert_eq!(request.uri(), "/apis/example.com/v1/namespaces/default/widgets/a");
//! ```
//!
//! Members that such a struct does not have are lost when it is written, unless it has a flattened map for them: change
//! objects by patches then. Types that kapigen generates lose nothing.

mod dynamic;
mod informer;
mod operations;

pub use informer::TypedInformer;

use dynamic::DynamicList;
use kapigen_runtime::__private::{Builder, Params};
use kapigen_runtime::meta_v1::{ListMeta, RawJson};
use kapigen_runtime::params::{CreateParams, DeleteParams, GetParams, ListParams, PatchParams, ReplaceParams};
use kapigen_runtime::request::InvalidRequest;
use kapigen_runtime::response::{FromResponse, Head, Json};
use kapigen_runtime::scope::{ListScope, ObjectScope, Scope};
use kapigen_runtime::{DecodeError, Error, Operation, Patch, Request};
use operations::Operations;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

/// The names of a kind whose type is your own.
pub trait TypedKind: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The group, empty for core.
    const GROUP: &'static str;
    /// The version, such as `v1`.
    const VERSION: &'static str;
    /// The kind, such as `Widget`.
    const KIND: &'static str;
    /// The name in paths, such as `widgets`.
    const PLURAL: &'static str;
    /// The scope of its objects: `Namespaced` or `Cluster`.
    type Scope: Scope;
}

/// Requests for objects of a type of your own, for [`Client::send`](crate::Client::send). `apiVersion` and `kind` are
/// sent as the names say, whether the type has fields for them or not.
///
/// # Errors
/// All of them return an error when the scope does not fit the kind, an argument is empty or would lead to another path,
/// or path and query are too long for a URL.
#[derive(Debug)]
pub struct Typed<T>(PhantomData<fn() -> T>);

/// A list of objects of a type of your own.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TypedList<T> {
    /// The resource version of the list, and the token of its next page.
    pub metadata: ListMeta,
    /// The objects.
    pub items: Vec<T>,
}

// The type documents the errors, and scopes are passed as the functions of `verbs` take them.
#[allow(clippy::missing_errors_doc, clippy::needless_pass_by_value)]
impl<T: TypedKind> Typed<T> {
    /// Reads the object of this name.
    pub fn get(scope: impl ObjectScope<T::Scope>, name: &str, params: &GetParams) -> Result<Request<Json<T>>, Error> {
        Self::object(|operations| operations.get, scope.namespace(), name, params)?.finish()
    }

    /// Lists objects. The response is refused as a whole if one of them cannot be decoded.
    pub fn list(scope: impl ListScope<T::Scope>, params: &ListParams) -> Result<Request<TypedList<T>>, Error> {
        Self::collection(|operations| operations.list, scope.namespace(), params)?.finish()
    }

    /// Creates an object.
    pub fn create(
        scope: impl ObjectScope<T::Scope>,
        object: &T,
        params: &CreateParams,
    ) -> Result<Request<Json<T>>, Error> {
        Self::check_scope(scope.namespace(), true)?;
        Self::collection(|operations| operations.create, scope.namespace(), params)?.body(&body(object)?).finish()
    }

    /// Replaces an object.
    pub fn replace(
        scope: impl ObjectScope<T::Scope>,
        name: &str,
        object: &T,
        params: &ReplaceParams,
    ) -> Result<Request<Json<T>>, Error> {
        Self::object(|operations| operations.replace, scope.namespace(), name, params)?.body(&body(object)?).finish()
    }

    /// Changes parts of an object.
    pub fn patch(
        scope: impl ObjectScope<T::Scope>,
        name: &str,
        patch: &Patch,
        params: &PatchParams,
    ) -> Result<Request<Json<T>>, Error> {
        Self::object(|operations| operations.patch, scope.namespace(), name, params)?.patch(patch).finish()
    }

    /// Deletes an object. The response is the object or a `Status`.
    pub fn delete(
        scope: impl ObjectScope<T::Scope>,
        name: &str,
        params: &DeleteParams,
    ) -> Result<Request<RawJson>, Error> {
        Self::object(|operations| operations.delete, scope.namespace(), name, params)?.finish()
    }

    /// Follows the objects of a scope, for [`Client::run`](crate::Client::run).
    pub fn informer(scope: impl ListScope<T::Scope>, params: &ListParams) -> Result<TypedInformer<T>, Error> {
        let list = Self::collection(|operations| operations.list, scope.namespace(), params)?;
        TypedInformer::new(list.finish::<DynamicList>()?)
    }

    /// A request for objects of a scope.
    fn collection(
        operation: fn(&'static Operations) -> &'static Operation,
        namespace: Option<&str>,
        params: &dyn Params,
    ) -> Result<Builder, Error> {
        Self::check_scope(namespace, false)?;
        let (operations, mut arguments) = Self::operations(namespace);
        arguments.push(T::PLURAL);
        Ok(Builder::new(operation(operations), &arguments).params(params))
    }

    /// A request for one object.
    fn object(
        operation: fn(&'static Operations) -> &'static Operation,
        namespace: Option<&str>,
        name: &str,
        params: &dyn Params,
    ) -> Result<Builder, Error> {
        Self::check_scope(namespace, true)?;
        let (operations, mut arguments) = Self::operations(namespace);
        arguments.extend([T::PLURAL, name]);
        Ok(Builder::new(operation(operations), &arguments).params(params))
    }

    /// Refuses a namespace for a kind of the cluster, and none for one object of a namespaced kind.
    fn check_scope(namespace: Option<&str>, is_of_one: bool) -> Result<(), Error> {
        let why = match namespace {
            None if T::Scope::NAMESPACED && is_of_one => "this operation needs one",
            Some(_) if !T::Scope::NAMESPACED => "the kind is cluster-scoped",
            _ => return Ok(()),
        };
        let value = namespace.unwrap_or_default().to_owned();
        Err(InvalidRequest::Argument { name: "namespace", value, why }.into())
    }

    /// The operations on a path, and the arguments of its beginning.
    fn operations(namespace: Option<&str>) -> (&'static Operations, Vec<&str>) {
        let group = Some(T::GROUP).filter(|group| !group.is_empty());
        let arguments = group.into_iter().chain([T::VERSION]).chain(namespace).collect();
        (operations::of(group.is_some(), namespace.is_some()), arguments)
    }
}

/// An object as it is sent, with its identity.
fn body<T: TypedKind>(object: &T) -> Result<RawJson, Error> {
    let invalid = |error: serde_json::Error| InvalidRequest::Parameters(error.to_string());
    let mut value = serde_json::to_value(object).map_err(invalid)?;
    if let Some(members) = value.as_object_mut() {
        members.insert("apiVersion".to_owned(), api_version::<T>().into());
        members.insert("kind".to_owned(), T::KIND.into());
    }
    Ok(RawJson::from_value(&value))
}

/// The value of `apiVersion`.
fn api_version<T: TypedKind>() -> String {
    if T::GROUP.is_empty() { T::VERSION.to_owned() } else { format!("{}/{}", T::GROUP, T::VERSION) }
}

impl<T: TypedKind> FromResponse for TypedList<T> {
    fn from_response(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        let list = DynamicList::from_response(head, body)?;
        let decode = |(index, item)| {
            dynamic::decode(item).map_err(|error| DecodeError::custom(format!("items[{index}]: {error}")))
        };
        let items = list.items.iter().enumerate().map(decode).collect::<Result<_, _>>()?;
        Ok(Self { metadata: list.metadata, items })
    }
}
