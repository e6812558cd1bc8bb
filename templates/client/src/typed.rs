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

use kapigen_runtime::__private::{self as codec, Builder, MemberVisitor, Object, Params, Slot, Table, Value};
use kapigen_runtime::informer::Event;
use kapigen_runtime::meta_v1::{ListMeta, ObjectMeta, RawJson};
use kapigen_runtime::params::{CreateParams, DeleteParams, GetParams, ListParams, PatchParams, ReplaceParams};
use kapigen_runtime::request::InvalidRequest;
use kapigen_runtime::response::{FromResponse, Head, Json};
use kapigen_runtime::scope::{ListScope, ObjectScope, Scope};
use kapigen_runtime::{
    AnyKind, DecodeError, Error, Informer, Input, Machine, Operation, Patch, Request, ResourceList, Step, Unknown, Verb,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

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
        (operation_of(group.is_some(), namespace.is_some()), arguments)
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
        let decode =
            |(index, item)| decode(item).map_err(|error| DecodeError::custom(format!("items[{index}]: {error}")));
        let items = list.items.iter().enumerate().map(decode).collect::<Result<_, _>>()?;
        Ok(Self { metadata: list.metadata, items })
    }
}

/// An object of any kind.
#[derive(Clone, Default, PartialEq)]
struct Dynamic {
    metadata: ObjectMeta,
    unknown_: Unknown,
}

/// A list of any kind.
#[derive(Clone, Default, PartialEq)]
struct DynamicList {
    metadata: ListMeta,
    items: Vec<Dynamic>,
    unknown_: Unknown,
}

/// Decodes an object as a type that serde deserializes.
///
/// # Errors
/// When it is none.
fn decode<T: DeserializeOwned>(object: &Dynamic) -> Result<T, DecodeError> {
    serde_json::from_slice(&kapigen_runtime::to_vec(object)).map_err(DecodeError::custom)
}

// Objects of any kind have no identity of their own, so that any is accepted.
static DYNAMIC: Table = Table::new("object", " metadata");
static LIST: Table = Table::new("list", " metadata items");

impl Object for Dynamic {
    fn table(&self) -> &'static Table {
        &DYNAMIC
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.metadata.slot(is_present),
            _ => Slot::Unknown(&mut self.unknown_),
        }
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.unknown_.visit_as_member(1, visitor);
        self.metadata.visit_as_member(0, visitor);
    }
}

impl Object for DynamicList {
    fn table(&self) -> &'static Table {
        &LIST
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.metadata.slot(is_present),
            1 => self.items.slot(is_present),
            _ => Slot::Unknown(&mut self.unknown_),
        }
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.unknown_.visit_as_member(2, visitor);
        self.metadata.visit_as_member(0, visitor);
        self.items.visit_as_member(1, visitor);
    }
}

codec::object!(Dynamic);
codec::object!(DynamicList);

/// Names that are nowhere sent: those of the objects stay with them.
impl AnyKind for Dynamic {
    fn api_version(&self) -> &str {
        ""
    }
    fn kind(&self) -> &str {
        ""
    }
}

impl AnyKind for DynamicList {
    fn api_version(&self) -> &str {
        ""
    }
    fn kind(&self) -> &str {
        ""
    }
}

impl ResourceList for DynamicList {
    type Item = Dynamic;
    fn metadata(&self) -> &ListMeta {
        &self.metadata
    }

    fn take_items(&mut self) -> Vec<Dynamic> {
        std::mem::take(&mut self.items)
    }
}

/// The operations on one path.
struct Operations {
    list: &'static Operation,
    create: &'static Operation,
    get: &'static Operation,
    replace: &'static Operation,
    patch: &'static Operation,
    delete: &'static Operation,
}

const JSON: &[&str] = &["application/json"];
const PATCHES: &[&str] =
    &["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];
const READING: &[&str] = &["resourceVersion"];
const WRITING: &[&str] = &["dryRun", "fieldManager", "fieldValidation"];
const PATCHING: &[&str] = &["dryRun", "fieldManager", "fieldValidation", "force"];
const DELETING: &[&str] = &[
    "dryRun",
    "gracePeriodSeconds",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "orphanDependents",
    "propagationPolicy",
];
const LISTING: &[&str] = &[
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "timeoutSeconds",
    "watch",
];

/// The operations on a path. Its arguments are group, version, namespace, plural and name, as far as it has them.
macro_rules! operations {
    ($path:literal) => {{
        const OBJECT: &str = concat!($path, "/{name}");
        static LIST: Operation = Operation::new(Verb::List, "listTyped", "GET", $path).parameters(LISTING);
        static CREATE: Operation =
            Operation::new(Verb::Create, "createTyped", "POST", $path).parameters(WRITING).media_types(JSON);
        static GET: Operation = Operation::new(Verb::Get, "readTyped", "GET", OBJECT).parameters(READING);
        static REPLACE: Operation =
            Operation::new(Verb::Replace, "replaceTyped", "PUT", OBJECT).parameters(WRITING).media_types(JSON);
        static PATCH: Operation =
            Operation::new(Verb::Patch, "patchTyped", "PATCH", OBJECT).parameters(PATCHING).media_types(PATCHES);
        static DELETE: Operation =
            Operation::new(Verb::Delete, "deleteTyped", "DELETE", OBJECT).parameters(DELETING).media_types(JSON);
        static ALL: Operations =
            Operations { list: &LIST, create: &CREATE, get: &GET, replace: &REPLACE, patch: &PATCH, delete: &DELETE };
        &ALL
    }};
}

/// The operations of a group or of core, in a namespace or everywhere.
fn operation_of(has_group: bool, has_namespace: bool) -> &'static Operations {
    match (has_group, has_namespace) {
        (true, true) => operations!("/apis/{group}/{version}/namespaces/{namespace}/{plural}"),
        (true, false) => operations!("/apis/{group}/{version}/{plural}"),
        (false, true) => operations!("/api/{version}/namespaces/{namespace}/{plural}"),
        (false, false) => operations!("/api/{version}/{plural}"),
    }
}

/// An [`Informer`] of a type of your own: its events are those of an informer, and a
/// [`Store`](kapigen_runtime::Store) takes them. Each object is decoded twice, first for its name and then by serde.
pub struct TypedInformer<T> {
    informer: Informer<Dynamic>,
    object: PhantomData<fn() -> T>,
}

impl<T> TypedInformer<T> {
    fn new(list: Request<DynamicList>) -> Result<Self, Error> {
        Ok(Self { informer: Informer::new(list)?.seed(crate::client::random()), object: PhantomData })
    }
}

impl<T: DeserializeOwned> Machine for TypedInformer<T> {
    type Event = Event<T>;

    fn poll(&mut self, now: Duration) -> Step<Event<T>> {
        self.informer.poll(now).map(|event| event.try_map(decode))
    }

    fn feed(&mut self, input: Input<'_>, now: Duration) {
        self.informer.feed(input, now);
    }
}

impl<T> fmt::Debug for TypedInformer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedInformer").field("informer", &self.informer).finish()
    }
}
