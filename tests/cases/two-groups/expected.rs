// file: src/route_openshift_io_v1/mod.rs
//! `route.openshift.io/v1`: types, and a module of requests for each resource.
pub mod routes;
pub use types::*;

// file: src/route_openshift_io_v1/routes.rs
//! Requests for `routes`.
/// `GET /apis/route.openshift.io/v1/namespaces/{namespace}/routes`. Responses: 200. RBAC: `list` on
/// `routes`. [Errors](self#errors).
#[doc(alias = "listRouteOpenshiftIoV1NamespacedRoute")]
pub fn list(namespace: &str) -> Result<Request<RouteList>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listRouteOpenshiftIoV1NamespacedRoute", "GET", "/apis/route.openshift.io/v1/namespaces/{namespace}/routes")
    .resource("route.openshift.io", "v1", "routes")
    .kind("Route");

// file: src/route_openshift_io_v1/types/mod.rs
pub use route::Route;
pub use route_list::RouteList;

// file: src/route_openshift_io_v1/types/route.rs
/// A route, which servers send in either group.
///
/// Kind `Route` of `route.openshift.io/v1`. Schema `com.github.openshift.api.route.v1.Route`.
#[derive(Clone, PartialEq)]
pub struct Route {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of every stored object: identity, labels, version, ownership and the state of its deletion.
    pub metadata: ObjectMeta,
    /// `host`.
    pub host: Option<String>,
}
impl Route {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Route
    const GROUP: &'static str = "route.openshift.io";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Route";
    const API_VERSION: &'static str = "route.openshift.io/v1";
impl Resource for Route
    const PLURAL: &'static str = "routes";
impl AnyResource for Route
static TABLE: codec::Table =
    codec::Table::new("Route", "! apiVersion kind metadata! host").identities(&[
        codec::Identity::new("v1", "Route"),
        codec::Identity::new("route.openshift.io/v1", "Route"),
    ]);

// file: src/route_openshift_io_v1/types/route_list.rs
/// Routes.
///
/// Kind `RouteList` of `route.openshift.io/v1`. Schema `com.github.openshift.api.route.v1.RouteList`.
#[derive(Clone, PartialEq)]
pub struct RouteList {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `items`.
    pub items: Vec<Route>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of a list, and of responses such as Status that are not stored objects.
    pub metadata: ListMeta,
}
impl RouteList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for RouteList
    const GROUP: &'static str = "route.openshift.io";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "RouteList";
    const API_VERSION: &'static str = "route.openshift.io/v1";
impl ResourceList for RouteList
static TABLE: codec::Table =
    codec::Table::new("RouteList", "! apiVersion items! kind metadata!").identities(&[
        codec::Identity::new("v1", "RouteList"),
        codec::Identity::new("route.openshift.io/v1", "RouteList"),
    ]);

