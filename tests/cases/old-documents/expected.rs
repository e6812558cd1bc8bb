// file: notes.txt
note    spec.yaml#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta/properties/clusterName: `kapigen_runtime::meta_v1::ObjectMeta` has no field for `clusterName`

// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod widgets;
pub use types::*;

// file: src/example_com_v1/types/mod.rs
pub use widget::Widget;
pub use widget_spec::WidgetSpec;

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
    /// Its metadata.
    pub metadata: ObjectMeta,
    /// What is wanted.
    ///
    /// A strategic merge patch merges the elements.
    pub spec: WidgetSpec,
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
    codec::Table::new("Widget", "! apiVersion kind metadata! spec!").identities(&[codec::Identity::new("example.com/v1", "Widget")]).merge(&[
        (3, codec::Merge::USUAL.patch_by("")),
    ]);

// file: src/example_com_v1/types/widget_spec.rs
/// What is wanted of a widget.
///
/// Schema `com.example.v1.WidgetSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct WidgetSpec {
    /// How big it is.
    pub size: Option<Quantity>,
    /// `port`.
    pub port: Option<IntOrString>,
    /// `since`.
    pub since: Option<Time>,
}
static TABLE: codec::Table =
    codec::Table::new("WidgetSpec", "! size port since");

// file: src/example_com_v1/widgets.rs
//! Requests for `widgets`, the objects of the [kind `Widget`](super::Widget).
/// Reads a widget.
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/widgets/{name}`. Responses: 200. RBAC: `get` on
/// `widgets`. [Errors](self#errors).
#[doc(alias = "readExampleComV1NamespacedWidget")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Widget>, Error>
/// Changes parts of a widget.
///
/// `PATCH /apis/example.com/v1/namespaces/{namespace}/widgets/{name}`. Responses: 200. RBAC: `patch` on
/// `widgets`. [Errors](self#errors).
#[doc(alias = "patchExampleComV1NamespacedWidget")]
pub fn patch(namespace: &str, name: &str, patch: &Patch) -> Result<Request<Widget>, Error>
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1NamespacedWidget", "GET", "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}")
    .resource("example.com", "v1", "widgets")
    .kind("Widget")
    .parameters(&["resourceVersion"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1NamespacedWidget", "PATCH", "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}")
    .resource("example.com", "v1", "widgets")
    .media_types(&["application/json"]);
impl Gettable for crate::example_com_v1::Widget
impl Patchable for crate::example_com_v1::Widget

