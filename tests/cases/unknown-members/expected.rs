// file: src/example_com_v1/blobs.rs
//! Requests for `blobs`, the objects of the [kind `Blob`](super::Blob).
/// `GET /apis/example.com/v1/blobs/{name}`. Responses: 200. RBAC: `get` on `blobs`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1Blob")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Blob>, Error>
/// `PUT /apis/example.com/v1/blobs/{name}`. Responses: 200. RBAC: `update` on `blobs`.
/// [Errors](self#errors).
#[doc(alias = "replaceExampleComV1Blob")]
pub fn replace(name: &str, body: &Blob) -> Result<Request<Blob>, Error>
/// `GET /apis/example.com/v1/blobs`. Responses: 200. RBAC: `list` on `blobs`. [Errors](self#errors).
#[doc(alias = "listExampleComV1Blob")]
pub fn list() -> Result<Request<BlobList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/blobs?watch=true`. Responses: 200. RBAC: `watch` on `blobs`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1Blob")]
pub fn watch() -> Result<Request<Watch<Blob>>, Error>
/// Deprecated operations, which servers still have.
pub mod legacy {
    use super::super::Blob;
    use super::LEGACY_WATCH_LIST;
    use kapigen_runtime::__private::Builder;
    use kapigen_runtime::{Error, Request, Watch};
    /// `GET /apis/example.com/v1/watch/blobs`. Responses: 200. RBAC: `watch` on `blobs`.
    /// [Errors](super#errors).
    #[doc(alias = "watchExampleComV1BlobList")]
    #[deprecated(note = "use `blobs::watch`")]
    pub fn watch_list() -> Result<Request<Watch<Blob>>, Error>
}
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1Blob", "GET", "/apis/example.com/v1/blobs/{name}")
    .resource("example.com", "v1", "blobs")
    .kind("Blob")
    .parameters(&["resourceVersion"]);
pub const REPLACE: Operation = Operation::new(Verb::Replace, "replaceExampleComV1Blob", "PUT", "/apis/example.com/v1/blobs/{name}")
    .resource("example.com", "v1", "blobs")
    .kind("Blob")
    .media_types(&["*/*"]);
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1Blob", "GET", "/apis/example.com/v1/blobs")
    .resource("example.com", "v1", "blobs")
    .kind("Blob")
    .parameters(&["watch"]);
pub const LEGACY_WATCH_LIST: Operation = Operation::new(Verb::Watch, "watchExampleComV1BlobList", "GET", "/apis/example.com/v1/watch/blobs")
    .resource("example.com", "v1", "blobs")
    .kind("Blob")
    .deprecated();
impl Listable for crate::example_com_v1::Blob
impl Watchable for crate::example_com_v1::Blob {}
impl Gettable for crate::example_com_v1::Blob
impl Replaceable for crate::example_com_v1::Blob

// file: src/example_com_v1/holders.rs
//! Requests for `holders`, the objects of the [kind `Holder`](super::Holder).
/// `GET /apis/example.com/v1/holders/{name}`. Responses: 200. RBAC: `get` on `holders`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1Holder")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Holder>, Error>
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1Holder", "GET", "/apis/example.com/v1/holders/{name}")
    .resource("example.com", "v1", "holders")
    .kind("Holder")
    .parameters(&["resourceVersion"]);
impl Gettable for crate::example_com_v1::Holder

// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod blobs;
pub mod holders;
pub use types::*;

// file: src/example_com_v1/types/blob.rs
/// A kind whose definition has no schema.
///
/// Kind `Blob` of `example.com/v1`. Schema `com.example.v1.Blob`. Requests:
/// [`blobs`](crate::example_com_v1::blobs).
#[derive(Clone, PartialEq)]
pub struct Blob {
    /// Group and version of the object's schema.
    pub api_version: Option<String>,
    /// Kind of the object.
    pub kind: Option<String>,
    /// Standard metadata of the object.
    pub metadata: ObjectMeta,
}
impl Blob {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Blob
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Blob";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Blob
    const PLURAL: &'static str = "blobs";
impl AnyResource for Blob
static TABLE: codec::Table =
    codec::Table::new("Blob", "! apiVersion kind metadata!").identities(&[codec::Identity::new("example.com/v1", "Blob")]);

// file: src/example_com_v1/types/blob_list.rs
/// A list of what has no schema.
///
/// Kind `BlobList` of `example.com/v1`. Schema `com.example.v1.BlobList`.
#[derive(Clone, PartialEq)]
pub struct BlobList {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `items`.
    pub items: Vec<Blob>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of a list, and of responses such as Status that are not stored objects.
    pub metadata: ListMeta,
}
impl BlobList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for BlobList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "BlobList";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for BlobList
static TABLE: codec::Table =
    codec::Table::new("BlobList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1", "BlobList")]);

// file: src/example_com_v1/types/holder.rs
/// Where such objects stand.
///
/// Kind `Holder` of `example.com/v1`. Schema `com.example.v1.Holder`. Requests:
/// [`holders`](crate::example_com_v1::holders).
#[derive(Clone, PartialEq)]
pub struct Holder {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of every stored object: identity, labels, version, ownership and the state of its deletion.
    pub metadata: ObjectMeta,
    /// `spec`.
    pub spec: HolderSpec,
}
impl Holder {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Holder
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Holder";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Holder
    const PLURAL: &'static str = "holders";
impl AnyResource for Holder
static TABLE: codec::Table =
    codec::Table::new("Holder", "! apiVersion kind metadata! spec!").identities(&[codec::Identity::new("example.com/v1", "Holder")]);

// file: src/example_com_v1/types/holder_spec.rs
/// Schema `com.example.v1.Holder/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct HolderSpec {
    /// `required`.
    pub required: RawJson,
    /// `anything`.
    pub anything: Option<RawJson>,
    /// Members that are known, and others.
    pub known: Option<RawJson>,
    /// `closed`.
    pub closed: Option<Box<HolderSpecClosed>>,
    /// `open`.
    ///
    /// Apply replaces the whole value.
    pub open: Option<RawJson>,
    /// `list`.
    pub list: Option<Vec<RawJson>>,
    /// `map`.
    pub map: Option<BTreeMap<String, RawJson>>,
}
static TABLE: codec::Table =
    codec::Table::new("HolderSpec", "! required!!! anything!! known!! closed open!! list map").merge(&[
        (4, codec::Merge::USUAL.atomic()),
    ]);

// file: src/example_com_v1/types/holder_spec_closed.rs
/// Schema `com.example.v1.Holder/properties/spec/properties/closed`.
#[derive(Clone, Default, PartialEq)]
pub struct HolderSpecClosed {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("HolderSpecClosed", "! name");

// file: src/example_com_v1/types/mod.rs
pub use blob::Blob;
pub use blob_list::BlobList;
pub use holder::Holder;
pub use holder_spec::HolderSpec;
pub use holder_spec_closed::HolderSpecClosed;

