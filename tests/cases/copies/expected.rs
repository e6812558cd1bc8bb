// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod widgets;
pub use types::*;

// file: src/example_com_v1/types/mod.rs
pub use odd_v2::OddV2;
pub use tree::Tree;
pub use tree_v3::TreeV3;
pub use widget::Widget;

// file: src/example_com_v1/types/odd_v2.rs
/// A copy of nothing.
///
/// Schema `com.example.v1.Odd_v2`.
#[derive(Clone, Default, PartialEq)]
pub struct OddV2 {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("OddV2", "! name");

// file: src/example_com_v1/types/tree.rs
/// Holds itself.
///
/// Schema `com.example.v1.Tree`.
#[derive(Clone, Default, PartialEq)]
pub struct Tree {
    /// `trees`.
    pub trees: Option<Vec<super::Tree>>,
}
static TABLE: codec::Table =
    codec::Table::new("Tree", "! trees");

// file: src/example_com_v1/types/tree_v3.rs
/// Has one member more.
///
/// Schema `com.example.v1.Tree_v3`.
#[derive(Clone, Default, PartialEq)]
pub struct TreeV3 {
    /// `trees`.
    pub trees: Option<Vec<super::TreeV3>>,
    /// `height`.
    pub height: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("TreeV3", "! trees height");

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
    /// `metadata`.
    pub metadata: ObjectMeta,
    /// Holds itself.
    pub tree: Option<Box<Tree>>,
    /// Has one member more.
    pub other: Option<Box<TreeV3>>,
    /// A copy of nothing.
    pub version: Option<Box<OddV2>>,
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
    codec::Table::new("Widget", "! apiVersion kind metadata! tree other version").identities(&[codec::Identity::new("example.com/v1", "Widget")]);

// file: src/example_com_v1/widgets.rs
//! Requests for `widgets`, the objects of the [kind `Widget`](super::Widget).
/// `GET /apis/example.com/v1/widgets/{name}`. Responses: 200. RBAC: `get` on `widgets`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1Widget")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Widget>, Error>
/// `DELETE /apis/example.com/v1/widgets/{name}`. Responses: 200. RBAC: `delete` on `widgets`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1Widget")]
pub fn delete(name: &str) -> Result<Request<Deleted<Widget>>, Error>
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1Widget", "GET", "/apis/example.com/v1/widgets/{name}")
    .resource("example.com", "v1", "widgets")
    .kind("Widget")
    .parameters(&["resourceVersion"]);
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1Widget", "DELETE", "/apis/example.com/v1/widgets/{name}")
    .resource("example.com", "v1", "widgets")
    .kind("Widget");
impl Gettable for crate::example_com_v1::Widget
impl Deletable for crate::example_com_v1::Widget

