// file: src/example_com_v1/gears/mod.rs
//! Requests for `gears`.
pub use operations::*;
pub use params::*;
/// `GET /apis/example.com/v1/gears`. Responses: 200. RBAC: `list` on `gears`. [Errors](self#errors).
#[doc(alias = "listExampleComV1Gear")]
pub fn list(params: &GearsListParams) -> Result<Request<Text>, Error>

// file: src/example_com_v1/gears/operations.rs
//! The operations on `gears` as data.
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1Gear", "GET", "/apis/example.com/v1/gears")
    .resource("example.com", "v1", "gears")
    .parameters(&["tenant"]);

// file: src/example_com_v1/gears/params.rs
//! Query parameters of requests for `gears`.
/// Query parameters of [`list`](super::list).
///
/// Parameters that are not set are not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GearsListParams {
    /// Query parameter `tenant`.
    pub tenant: Option<String>,
}
impl GearsListParams {
    pub fn tenant(mut self, tenant: impl Into<String>) -> Self
}
impl Params for GearsListParams
        query.add("tenant", &self.tenant);
        source.read("tenant", &mut self.tenant);

// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod gears;
pub mod rings;
pub mod widgets;
pub use types::*;

// file: src/example_com_v1/rings/mod.rs
//! Requests for `rings`.
pub use operations::*;
pub use params::*;
/// `GET /apis/example.com/v1/rings`. Responses: 200. RBAC: `list` on `rings`. [Errors](self#errors).
#[doc(alias = "listExampleComV1Ring")]
pub fn list(params: &RingsListParams) -> Result<Request<Text>, Error>

// file: src/example_com_v1/rings/operations.rs
//! The operations on `rings` as data.
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1Ring", "GET", "/apis/example.com/v1/rings")
    .resource("example.com", "v1", "rings")
    .parameters(&["limit", "tenant"]);

// file: src/example_com_v1/rings/params.rs
//! Query parameters of requests for `rings`.
/// Query parameters of [`list`](super::list).
///
/// Parameters that are not set are not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RingsListParams {
    /// Query parameter `limit`.
    pub limit: Option<i64>,
    /// Query parameter `tenant`.
    pub tenant: Option<String>,
}
impl RingsListParams {
    pub fn limit(mut self, limit: i64) -> Self
    pub fn tenant(mut self, tenant: impl Into<String>) -> Self
}
impl Params for RingsListParams
        query.add("limit", &self.limit);
        query.add("tenant", &self.tenant);
        source.read("limit", &mut self.limit);
        source.read("tenant", &mut self.tenant);

// file: src/example_com_v1/types/mod.rs
pub use widget::Widget;
pub use widget_list::WidgetList;

// file: src/example_com_v1/types/widget.rs
/// A widget.
///
/// Kind `Widget` of `example.com/v1`. Schema `com.example.v1.Widget`. Requests:
/// [`widgets`](crate::example_com_v1::widgets).
#[derive(Clone, PartialEq)]
pub struct Widget {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of every stored object: identity, labels, version, ownership and the state of its deletion.
    pub metadata: ObjectMeta,
}
impl Widget {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Widget
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Widget";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Widget
    const PLURAL: &'static str = "widgets";
impl AnyResource for Widget
static TABLE: codec::Table =
    codec::Table::new("Widget", "! apiVersion kind metadata!").identities(&[codec::Identity::new("example.com/v1", "Widget")]);

// file: src/example_com_v1/types/widget_list.rs
/// A list of widgets.
///
/// Kind `WidgetList` of `example.com/v1`. Schema `com.example.v1.WidgetList`.
#[derive(Clone, PartialEq)]
pub struct WidgetList {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of a list, and of responses such as Status that are not stored objects.
    pub metadata: ListMeta,
    /// `items`.
    pub items: Vec<Widget>,
}
impl WidgetList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for WidgetList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "WidgetList";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for WidgetList
static TABLE: codec::Table =
    codec::Table::new("WidgetList", "! apiVersion kind metadata! items!").identities(&[codec::Identity::new("example.com/v1", "WidgetList")]);

// file: src/example_com_v1/widgets/mod.rs
//! Requests for `widgets`, the objects of the [kind `Widget`](super::Widget).
pub use operations::*;
pub use params::*;
/// `GET /apis/example.com/v1/namespaces/{namespace}/widgets`. Responses: 200. RBAC: `list` on
/// `widgets`. [Errors](self#errors).
///
/// Further query parameters, which [`with`](crate::params::ListParams::with) sets: `depth` (integer),
/// `shares` (list of numbers), `tenant` (string), `trace` (boolean).
#[doc(alias = "listExampleComV1NamespacedWidget")]
pub fn list(namespace: &str, params: &ListParams) -> Result<Request<WidgetList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/widgets?watch=true`. Responses: 200. RBAC: `watch`
/// on `widgets`. [Errors](self#errors).
///
/// Further query parameters, which [`with`](crate::params::WatchParams::with) sets: `depth` (integer),
/// `shares` (list of numbers), `tenant` (string), `trace` (boolean).
#[doc(alias = "listExampleComV1NamespacedWidget")]
pub fn watch(namespace: &str, params: &WatchParams) -> Result<Request<Watch<Widget>>, Error>
/// `DELETE /apis/example.com/v1/namespaces/{namespace}/widgets`. Responses: 200. RBAC:
/// `deletecollection` on `widgets`. [Errors](self#errors).
///
/// Further query parameters, which [`with`](crate::params::DeleteCollectionParams::with) sets: `tenant`
/// (string), `trace` (boolean).
#[doc(alias = "deleteExampleComV1CollectionNamespacedWidget")]
pub fn delete_collection(namespace: &str, params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<WidgetList>>, Error>
/// `GET /apis/example.com/v1/namespaces/{namespace}/widgets/{name}`. Responses: 200. RBAC: `get` on
/// `widgets`. [Errors](self#errors).
///
/// Further query parameters, which [`with`](crate::params::GetParams::with) sets: `trace` (boolean).
#[doc(alias = "readExampleComV1NamespacedWidget")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Widget>, Error>
/// `DELETE /apis/example.com/v1/namespaces/{namespace}/widgets/{name}`. Responses: 200. RBAC: `delete`
/// on `widgets`. [Errors](self#errors).
///
/// Further query parameters, which [`with`](crate::params::DeleteParams::with) sets: `tenant` (string),
/// `trace` (boolean).
#[doc(alias = "deleteExampleComV1NamespacedWidget")]
pub fn delete(namespace: &str, name: &str, params: &DeleteParams) -> Result<Request<Deleted<Widget>>, Error>
/// `GET /apis/example.com/v1/namespaces/{namespace}/widgets/{name}/status`. Responses: 200. RBAC: `get`
/// on `widgets/status`. [Errors](self#errors).
///
/// Further query parameters, which [`with`](crate::params::GetParams::with) sets: `trace` (boolean).
#[doc(alias = "readExampleComV1NamespacedWidgetStatus")]
pub fn get_status(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Widget>, Error>
/// `GET /apis/example.com/v1/namespaces/{namespace}/widgets/{name}/log`. Responses: 200. RBAC: `get` on
/// `widgets/log`. [Errors](self#errors).
#[doc(alias = "readExampleComV1NamespacedWidgetLog")]
pub fn get_log(namespace: &str, name: &str, params: &LogParams) -> Result<Request<Text>, Error>
/// Deprecated operations, which servers still have.
pub mod legacy {
    use super::super::Widget;
    use super::LEGACY_WATCH_LIST;
    use kapigen_runtime::__private::Builder;
    use kapigen_runtime::params::LegacyWatchParams;
    use kapigen_runtime::{Error, Request, Watch};
    /// `GET /apis/example.com/v1/watch/namespaces/{namespace}/widgets?watch=true`. Responses: 200. RBAC:
    /// `watch` on `widgets`. [Errors](super#errors).
    ///
    /// Further query parameters, which [`with`](crate::params::LegacyWatchParams::with) sets: `depth`
    /// (integer), `shares` (list of numbers), `tenant` (string), `trace` (boolean).
    #[doc(alias = "watchExampleComV1NamespacedWidgetList")]
    #[deprecated(note = "use `widgets::watch`")]
    pub fn watch_list(namespace: &str, params: &LegacyWatchParams) -> Result<Request<Watch<Widget>>, Error>
}

// file: src/example_com_v1/widgets/operations.rs
//! The operations on `widgets` as data.
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1NamespacedWidget", "GET", "/apis/example.com/v1/namespaces/{namespace}/widgets")
    .resource("example.com", "v1", "widgets")
    .kind("Widget")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "depth",
        "labelSelector",
        "limit",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "shares",
        "tenant",
        "timeoutSeconds",
        "trace",
        "watch",
    ])
    .extra_parameters(&[
        ExtraParameter::integer("depth"),
        ExtraParameter::number("shares").list(),
        ExtraParameter::string("tenant"),
        ExtraParameter::boolean("trace"),
    ]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1CollectionNamespacedWidget", "DELETE", "/apis/example.com/v1/namespaces/{namespace}/widgets")
    .resource("example.com", "v1", "widgets")
    .kind("Widget")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "labelSelector",
        "orphanDependents",
        "propagationPolicy",
        "tenant",
        "trace",
    ])
    .extra_parameters(&[ExtraParameter::string("tenant"), ExtraParameter::boolean("trace")])
    .media_types(&["*/*"]);
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1NamespacedWidget", "GET", "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}")
    .resource("example.com", "v1", "widgets")
    .kind("Widget")
    .parameters(&["pretty", "resourceVersion", "trace"])
    .extra_parameters(&[ExtraParameter::boolean("trace")]);
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1NamespacedWidget", "DELETE", "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}")
    .resource("example.com", "v1", "widgets")
    .kind("Widget")
    .parameters(&["dryRun", "gracePeriodSeconds", "tenant", "trace"])
    .extra_parameters(&[ExtraParameter::string("tenant"), ExtraParameter::boolean("trace")])
    .media_types(&["*/*"]);
pub const GET_STATUS: Operation = Operation::new(Verb::Get, "readExampleComV1NamespacedWidgetStatus", "GET", "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/status")
    .resource("example.com", "v1", "widgets")
    .kind("Widget")
    .subresource("status")
    .parameters(&["pretty", "resourceVersion", "trace"])
    .extra_parameters(&[ExtraParameter::boolean("trace")]);
pub const GET_LOG: Operation = Operation::new(Verb::Get, "readExampleComV1NamespacedWidgetLog", "GET", "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/log")
    .resource("example.com", "v1", "widgets")
    .kind("Widget")
    .subresource("log")
    .parameters(&["follow", "pretty", "trace"]);
pub const LEGACY_WATCH_LIST: Operation = Operation::new(Verb::Watch, "watchExampleComV1NamespacedWidgetList", "GET", "/apis/example.com/v1/watch/namespaces/{namespace}/widgets")
    .resource("example.com", "v1", "widgets")
    .kind("Widget")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "depth",
        "labelSelector",
        "limit",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "shares",
        "tenant",
        "timeoutSeconds",
        "trace",
        "watch",
    ])
    .extra_parameters(&[
        ExtraParameter::integer("depth"),
        ExtraParameter::number("shares").list(),
        ExtraParameter::string("tenant"),
        ExtraParameter::boolean("trace"),
    ])
    .deprecated();
impl Listable for crate::example_com_v1::Widget
impl Watchable for crate::example_com_v1::Widget {}
impl Gettable for crate::example_com_v1::Widget
impl Deletable for crate::example_com_v1::Widget
impl CollectionDeletable for crate::example_com_v1::Widget
impl HasLog for crate::example_com_v1::Widget {}

// file: src/example_com_v1/widgets/params.rs
//! Query parameters of requests for `widgets`.
/// Query parameters of [`get_log`](super::get_log).
///
/// Parameters that are not set are not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogParams {
    /// Query parameter `follow`.
    pub follow: Option<bool>,
    /// Query parameter `pretty`.
    pub pretty: Option<String>,
    /// Whether the server explains itself.
    ///
    /// Query parameter `trace`.
    pub trace: Option<bool>,
}
impl LogParams {
    pub fn follow(mut self, follow: bool) -> Self
    pub fn pretty(mut self, pretty: impl Into<String>) -> Self
    pub fn trace(mut self, trace: bool) -> Self
}
impl Params for LogParams
        query.add("follow", &self.follow);
        query.add("pretty", &self.pretty);
        query.add("trace", &self.trace);
        source.read("follow", &mut self.follow);
        source.read("pretty", &mut self.pretty);
        source.read("trace", &mut self.trace);

