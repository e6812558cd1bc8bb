// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod requests;
pub use types::*;

// file: src/example_com_v1/requests/mod.rs
//! Requests for `requests`, the objects of the [kind `Request`](super::Request).
pub use operations::*;
pub use params::*;
/// `GET /apis/example.com/v1/requests`. Responses: 200. RBAC: `list` on `requests`.
/// [Errors](self#errors).
pub fn list(params: &kapigen_runtime::params::ListParams) -> Result<kapigen_runtime::Request<super::ListParams>, kapigen_runtime::Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/requests?watch=true`. Responses: 200. RBAC: `watch` on `requests`.
/// [Errors](self#errors).
#[doc(alias = "list")]
pub fn watch(params: &WatchParams) -> Result<kapigen_runtime::Request<Watch<super::Request>>, kapigen_runtime::Error>
/// `POST /apis/example.com/v1/requests`. Responses: 200. RBAC: `create` on `requests`.
/// [Errors](self#errors).
pub fn create(body: &super::Request, params: &CreateParams) -> Result<kapigen_runtime::Request<super::Request>, kapigen_runtime::Error>
/// `GET /apis/example.com/v1/requests/{name}`. Responses: 200. RBAC: `get` on `requests`.
/// [Errors](self#errors).
#[doc(alias = "read")]
pub fn get(name: &str, params: &GetParams) -> Result<kapigen_runtime::Request<super::Request>, kapigen_runtime::Error>
/// `DELETE /apis/example.com/v1/requests/{name}`. Responses: 200. RBAC: `delete` on `requests`.
/// [Errors](self#errors).
pub fn delete(name: &str) -> Result<kapigen_runtime::Request<Deleted<super::Request>>, kapigen_runtime::Error>
/// `PATCH /apis/example.com/v1/requests/{name}`. Responses: 200. RBAC: `patch` on `requests`.
/// [Errors](self#errors).
pub fn patch(name: &str, patch: &Patch, params: &PatchParams) -> Result<kapigen_runtime::Request<super::Request>, kapigen_runtime::Error>
/// `GET /apis/example.com/v1/requests/{name}/error`. Responses: 200. RBAC: `get` on `requests/error`.
/// [Errors](self#errors).
#[doc(alias = "readError")]
pub fn get_error(name: &str, params: &ErrorParams) -> Result<kapigen_runtime::Request<super::Error>, kapigen_runtime::Error>
/// `PUT /apis/example.com/v1/requests/{name}/error`. Responses: 200. RBAC: `update` on
/// `requests/error`. [Errors](self#errors).
#[doc(alias = "replaceError")]
pub fn replace_error(name: &str, body: &Operation, params: &ReplaceParams) -> Result<kapigen_runtime::Request<super::Builder>, kapigen_runtime::Error>

// file: src/example_com_v1/requests/operations.rs
//! The operations on `requests` as data.
pub const LIST: Operation = Operation::new(Verb::List, "list", "GET", "/apis/example.com/v1/requests")
    .resource("example.com", "v1", "requests")
    .kind("Request")
    .parameters(&["pretty", "watch"]);
pub const CREATE: Operation = Operation::new(Verb::Create, "create", "POST", "/apis/example.com/v1/requests")
    .resource("example.com", "v1", "requests")
    .kind("Request")
    .parameters(&["pretty"])
    .media_types(&["*/*"]);
pub const GET: Operation = Operation::new(Verb::Get, "read", "GET", "/apis/example.com/v1/requests/{name}")
    .resource("example.com", "v1", "requests")
    .kind("Request")
    .parameters(&["pretty", "resourceVersion"]);
pub const DELETE: Operation = Operation::new(Verb::Delete, "delete", "DELETE", "/apis/example.com/v1/requests/{name}")
    .resource("example.com", "v1", "requests")
    .kind("Request");
pub const PATCH: Operation = Operation::new(Verb::Patch, "patch", "PATCH", "/apis/example.com/v1/requests/{name}")
    .resource("example.com", "v1", "requests")
    .kind("Request")
    .parameters(&["pretty"])
    .media_types(&["application/merge-patch+json"]);
pub const GET_ERROR: Operation = Operation::new(Verb::Get, "readError", "GET", "/apis/example.com/v1/requests/{name}/error")
    .resource("example.com", "v1", "requests")
    .kind("Error")
    .subresource("error")
    .parameters(&["method"]);
pub const REPLACE_ERROR: Operation = Operation::new(Verb::Replace, "replaceError", "PUT", "/apis/example.com/v1/requests/{name}/error")
    .resource("example.com", "v1", "requests")
    .kind("Error")
    .subresource("error")
    .parameters(&["pretty"])
    .media_types(&["*/*"]);
impl Listable for crate::example_com_v1::Request
impl Watchable for crate::example_com_v1::Request {}
impl Gettable for crate::example_com_v1::Request
impl Creatable for crate::example_com_v1::Request
impl Patchable for crate::example_com_v1::Request
impl Deletable for crate::example_com_v1::Request

// file: src/example_com_v1/requests/params.rs
//! Query parameters of requests for `requests`.
/// Query parameters of [`get_error`](super::get_error).
///
/// Parameters that are not set are not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorParams {
    /// Query parameter `method`.
    pub method: Option<String>,
}
impl ErrorParams {
    pub fn method(mut self, method: impl Into<String>) -> Self
}
impl Params for ErrorParams
        query.add("method", &self.method);
        source.read("method", &mut self.method);

// file: src/example_com_v1/types/any_resource.rs
/// Schema `AnyResource`.
#[derive(Clone, Default, PartialEq)]
pub struct AnyResource {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("AnyResource", "! name names at");

// file: src/example_com_v1/types/b_tree_map.rs
/// Schema `BTreeMap`.
#[derive(Clone, Default, PartialEq)]
pub struct BTreeMap {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<std::collections::BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("BTreeMap", "! name names at");

// file: src/example_com_v1/types/box_.rs
/// Schema `Box`.
#[derive(Clone, Default, PartialEq)]
pub struct Box_ {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Box_", "! name names at");

// file: src/example_com_v1/types/builder.rs
/// Schema `Builder`.
#[derive(Clone, Default, PartialEq)]
pub struct Builder {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Builder", "! name names at");

// file: src/example_com_v1/types/clone.rs
/// Schema `Clone`.
#[derive(Clone, Default, PartialEq)]
pub struct Clone {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Clone", "! name names at");

// file: src/example_com_v1/types/cluster.rs
/// Schema `Cluster`.
#[derive(Clone, Default, PartialEq)]
pub struct Cluster {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Cluster", "! name names at");

// file: src/example_com_v1/types/display.rs
/// Schema `Display`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Display {
    /// `From`
    From,
    /// `Into`
    Into,
    /// `Hash`
    Hash,
    /// `Ord`
    Ord,
    /// `String`
    String,
    /// `Display`
    Display,
    /// A value that the document does not list.
    Other(String),
}
impl Display {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::From => "From",
            Self::Into => "Into",
            Self::Hash => "Hash",
            Self::Ord => "Ord",
            Self::String => "String",
            Self::Display => "Display",
}
impl std::convert::From<&str> for Display
            "From" => Self::From,
            "Into" => Self::Into,
            "Hash" => Self::Hash,
            "Ord" => Self::Ord,
            "String" => Self::String,
            "Display" => Self::Display,
kapigen_runtime::__private::open_enum!(Display);

// file: src/example_com_v1/types/error.rs
/// Schema `Error`.
#[derive(Clone, Default, PartialEq)]
pub struct Error {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Error", "! name names at");

// file: src/example_com_v1/types/into.rs
/// Schema `Into`.
#[derive(Clone, Default, PartialEq)]
pub struct Into {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Into", "! name names at");

// file: src/example_com_v1/types/iterator.rs
/// Schema `Iterator`.
#[derive(Clone, Default, PartialEq)]
pub struct Iterator {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Iterator", "! name names at");

// file: src/example_com_v1/types/list_params.rs
/// The list of the kind.
///
/// Kind `ListParams` of `example.com/v1`. Schema `ListParams`.
#[derive(Clone, PartialEq)]
pub struct ListParams {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of a list, and of responses such as Status that are not stored objects.
    pub metadata: ListMeta,
    /// `items`.
    pub items: Vec<Request>,
}
impl ListParams {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for ListParams
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "ListParams";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for ListParams
static TABLE: codec::Table =
    codec::Table::new("ListParams", "! apiVersion kind metadata! items!").identities(&[codec::Identity::new("example.com/v1", "ListParams")]);

// file: src/example_com_v1/types/member_access.rs
/// Schema `MemberAccess`.
#[derive(Clone, Default, PartialEq)]
pub struct MemberAccess {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("MemberAccess", "! name names at");

// file: src/example_com_v1/types/method.rs
/// Schema `Method`.
#[derive(Clone, Default, PartialEq)]
pub struct Method {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Method", "! name names at");

// file: src/example_com_v1/types/mod.rs
pub use any_resource::AnyResource;
pub use b_tree_map::BTreeMap;
pub use box_::Box_;
pub use builder::Builder;
pub use clone::Clone;
pub use cluster::Cluster;
pub use display::Display;
pub use error::Error;
pub use into::Into;
pub use iterator::Iterator;
pub use list_params::ListParams;
pub use member_access::MemberAccess;
pub use method::Method;
pub use object_meta::ObjectMeta;
pub use operation::Operation;
pub use option::Option_;
pub use partial_eq::PartialEq;
pub use request::Request;
pub use resource::Resource;
pub use send::Send;
pub use string::String_;
pub use time::Time;
pub use unknown::Unknown;
pub use vec::Vec_;

// file: src/example_com_v1/types/object_meta.rs
/// Schema `ObjectMeta`.
#[derive(Clone, Default, PartialEq)]
pub struct ObjectMeta {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("ObjectMeta", "! name names at");

// file: src/example_com_v1/types/operation.rs
/// Schema `Operation`.
#[derive(Clone, Default, PartialEq)]
pub struct Operation {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Operation", "! name names at");

// file: src/example_com_v1/types/option.rs
/// Schema `Option`.
#[derive(Clone, Default, PartialEq)]
pub struct Option_ {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Option_", "! name names at");

// file: src/example_com_v1/types/partial_eq.rs
/// Schema `PartialEq`.
#[derive(Clone, Default, PartialEq)]
pub struct PartialEq {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("PartialEq", "! name names at");

// file: src/example_com_v1/types/request.rs
/// A kind with a field of each type.
///
/// Kind `Request` of `example.com/v1`. Schema `Request`. Requests:
/// [`requests`](crate::example_com_v1::requests).
#[derive(Clone, PartialEq)]
pub struct Request {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of every stored object: identity, labels, version, ownership and the state of its deletion.
    pub metadata: kapigen_runtime::meta_v1::ObjectMeta,
    /// `method`.
    pub method: Option<Box<Method>>,
    /// `string`.
    pub string: Option<Box<String_>>,
    /// `vec`.
    pub vec: Option<Vec<Vec_>>,
    /// `option`.
    pub option: Option<Box<Option_>>,
    /// `box`.
    pub box_: Option<Box<Box_>>,
    /// `map`.
    pub map: Option<std::collections::BTreeMap<String, super::BTreeMap>>,
    /// `unknown`.
    pub unknown: Option<Box<super::Unknown>>,
    /// `meta`.
    pub meta: Option<Box<super::ObjectMeta>>,
    /// `resource`.
    pub resource: Option<Box<super::Resource>>,
    /// `any`.
    pub any: Option<Box<super::AnyResource>>,
    /// `cluster`.
    pub cluster: Option<Box<super::Cluster>>,
    /// `clone`.
    pub clone: Option<Box<super::Clone>>,
    /// `partialEq`.
    pub partial_eq: Option<Box<super::PartialEq>>,
    /// `into`.
    pub into: Option<Box<Into>>,
    /// `iterator`.
    pub iterator: Option<Box<Iterator>>,
    /// `send`.
    pub send: Option<Box<Send>>,
    /// `time`.
    pub time: Option<Box<Time>>,
    /// `display`.
    pub display: Option<Display>,
    /// `memberAccess`.
    pub member_access: Option<Box<super::MemberAccess>>,
    pub unknown_: kapigen_runtime::Unknown,
}
impl Request {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Request
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Request";
    const API_VERSION: &'static str = "example.com/v1";
impl kapigen_runtime::Resource for Request
    const PLURAL: &'static str = "requests";
impl kapigen_runtime::AnyResource for Request
static TABLE: codec::Table =
    codec::Table::new("Request", "! apiVersion kind metadata! method string vec option box map unknown meta resource any cluster \
        clone partialEq into iterator send time display memberAccess").identities(&[codec::Identity::new("example.com/v1", "Request")]);

// file: src/example_com_v1/types/resource.rs
/// Schema `Resource`.
#[derive(Clone, Default, PartialEq)]
pub struct Resource {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Resource", "! name names at");

// file: src/example_com_v1/types/send.rs
/// Schema `Send`.
#[derive(Clone, Default, PartialEq)]
pub struct Send {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Send", "! name names at");

// file: src/example_com_v1/types/string.rs
/// Schema `String`.
#[derive(Clone, Default, PartialEq)]
pub struct String_ {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("String_", "! name names at");

// file: src/example_com_v1/types/time.rs
/// Schema `Time`.
#[derive(Clone, Default, PartialEq)]
pub struct Time {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<kapigen_runtime::meta_v1::Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Time", "! name names at");

// file: src/example_com_v1/types/unknown.rs
/// Schema `Unknown`.
#[derive(Clone, Default, PartialEq)]
pub struct Unknown {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
    pub unknown_: kapigen_runtime::Unknown,
}
static TABLE: codec::Table =
    codec::Table::new("Unknown", "! name names at");

// file: src/example_com_v1/types/vec.rs
/// Schema `Vec`.
#[derive(Clone, Default, PartialEq)]
pub struct Vec_ {
    /// `name`.
    pub name: Option<String>,
    /// `names`.
    pub names: Option<BTreeMap<String, String>>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("Vec_", "! name names at");

