// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod things;
pub use types::*;

// file: src/example_com_v1/things.rs
//! Requests for `things`, the objects of the [kind `Thing`](super::Thing).
/// `GET /apis/example.com/v1/things`. Responses: 200. RBAC: `list` on `things`. [Errors](self#errors).
#[doc(alias = "listExampleComV1Thing")]
pub fn list() -> Result<Request<ThingList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/things?watch=true`. Responses: 200. RBAC: `watch` on `things`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1Thing")]
pub fn watch() -> Result<Request<Watch<Thing>>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1Thing", "GET", "/apis/example.com/v1/things")
    .resource("example.com", "v1", "things")
    .kind("Thing")
    .parameters(&["watch"]);
impl Listable for crate::example_com_v1::Thing
impl Watchable for crate::example_com_v1::Thing {}

// file: src/example_com_v1/types/mod.rs
pub use thing::Thing;
pub use thing_list::ThingList;

// file: src/example_com_v1/types/thing.rs
/// A thing.
///
/// Kind `Thing` of `example.com/v1`. Schema `com.example.v1.Thing`. Requests:
/// [`things`](crate::example_com_v1::things).
#[derive(Clone, PartialEq)]
pub struct Thing {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of an object.
    pub metadata: ObjectMeta,
}
impl Thing {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Thing
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Thing";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Thing
    const PLURAL: &'static str = "things";
impl AnyResource for Thing
static TABLE: codec::Table =
    codec::Table::new("Thing", "! apiVersion kind metadata!").identities(&[codec::Identity::new("example.com/v1", "Thing")]);

// file: src/example_com_v1/types/thing_list.rs
/// A list of things.
///
/// Kind `ThingList` of `example.com/v1`. Schema `com.example.v1.ThingList`.
#[derive(Clone, PartialEq)]
pub struct ThingList {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `items`.
    pub items: Vec<Thing>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of a list.
    pub metadata: ListMeta,
}
impl ThingList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for ThingList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "ThingList";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for ThingList
static TABLE: codec::Table =
    codec::Table::new("ThingList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1", "ThingList")]);

