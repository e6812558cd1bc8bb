// file: src/definitions/gliders_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"gliders.example.com"
},
"spec":{
"group":"example.com",
"scope":"Cluster",
"names":{
"plural":"gliders",
"kind":"Glider"
},
"versions":[
{
"name":"v1alpha1",
"served":true,
"storage":true,
"schema":{
"openAPIV3Schema":{
"type":"object",
"properties":{
"spec":{
"type":"object",
"properties":{
"color":{
"type":"string"
}
}
}
}
}
}
}
]
}
}

// file: src/definitions/kites_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"kites.example.com"
},
"spec":{
"group":"example.com",
"scope":"Cluster",
"names":{
"plural":"kites",
"kind":"Kite"
},
"versions":[
{
"name":"v1beta1",
"served":true,
"storage":true,
"schema":{
"openAPIV3Schema":{
"type":"object",
"properties":{
"spec":{
"type":"object",
"required":[
"line"
],
"properties":{
"line":{
"type":"object",
"properties":{"length":{"type":"integer","maximum":90},"knot":{"type":"string","enum":["Bowline"]}}
},
"tails":{
"type":"array",
"items":{"type":"object","description":"In beta.","properties":{"color":{"type":"string","description":"In beta."}}}
}
}
},
"status":{
"type":"object",
"properties":{
"wind":{
"type":"object",
"properties":{"speed":{"type":"number"}}
}
}
}
}
}
}
},
{
"name":"v1",
"served":true,
"storage":false,
"schema":{
"openAPIV3Schema":{
"type":"object",
"properties":{
"spec":{
"type":"object",
"required":[
"line"
],
"properties":{
"line":{
"type":"object",
"properties":{"length":{"type":"integer","maximum":200},"knot":{"type":"string","enum":["Bowline"]}}
},
"tails":{
"type":"array",
"items":{"type":"object","properties":{"color":{"type":"string","description":"A name."}}}
}
}
},
"status":{
"type":"object",
"properties":{
"wind":{
"type":"object",
"properties":{"speed":{"type":"number"},"gusts":{"type":"number"}}
}
}
}
}
}
}
},
{
"name":"v1alpha1",
"served":true,
"storage":false,
"schema":{
"openAPIV3Schema":{
"type":"object",
"properties":{
"spec":{
"type":"object",
"properties":{
"rope":{
"type":"object",
"properties":{"length":{"type":"integer"},"knot":{"type":"string","enum":["Bowline"]}}
}
}
},
"status":{
"type":"object",
"properties":{
"wind":{
"type":"object",
"properties":{"speed":{"type":"number"}}
}
}
}
}
}
}
}
]
}
}

// file: src/example_com_v1/kites.rs
//! Requests for `kites`, the objects of the [kind `Kite`](super::Kite).
/// list objects of kind Kite
///
/// `GET /apis/example.com/v1/kites`. Responses: 200. RBAC: `list` on `kites`. [Errors](self#errors).
#[doc(alias = "listExampleComV1Kite")]
pub fn list(params: &ListParams) -> Result<Request<KiteList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/kites?watch=true`. Responses: 200. RBAC: `watch` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1Kite")]
pub fn watch(params: &WatchParams) -> Result<Request<Watch<Kite>>, Error>
/// create a Kite
///
/// `POST /apis/example.com/v1/kites`. Responses: 200, 201, 202. RBAC: `create` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "createExampleComV1Kite")]
pub fn create(body: &Kite, params: &CreateParams) -> Result<Request<Kite>, Error>
/// delete collection of Kite
///
/// `DELETE /apis/example.com/v1/kites`. Responses: 200. RBAC: `deletecollection` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1CollectionKite")]
pub fn delete_collection(params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<KiteList>>, Error>
/// read the specified Kite
///
/// `GET /apis/example.com/v1/kites/{name}`. Responses: 200. RBAC: `get` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1Kite")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Kite>, Error>
/// replace the specified Kite
///
/// `PUT /apis/example.com/v1/kites/{name}`. Responses: 200, 201. RBAC: `update` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "replaceExampleComV1Kite")]
pub fn replace(name: &str, body: &Kite, params: &ReplaceParams) -> Result<Request<Kite>, Error>
/// delete a Kite
///
/// `DELETE /apis/example.com/v1/kites/{name}`. Responses: 200, 202. RBAC: `delete` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1Kite")]
pub fn delete(name: &str, params: &DeleteParams) -> Result<Request<Deleted<Kite>>, Error>
/// partially update the specified Kite
///
/// `PATCH /apis/example.com/v1/kites/{name}`. Responses: 200. RBAC: `patch` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "patchExampleComV1Kite")]
pub fn patch(name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Kite>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1Kite", "GET", "/apis/example.com/v1/kites")
    .resource("example.com", "v1", "kites")
    .kind("Kite")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "fieldSelector",
        "labelSelector",
        "limit",
        "pretty",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "shardSelector",
        "timeoutSeconds",
        "watch",
    ]);
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1Kite", "POST", "/apis/example.com/v1/kites")
    .resource("example.com", "v1", "kites")
    .kind("Kite")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1CollectionKite", "DELETE", "/apis/example.com/v1/kites")
    .resource("example.com", "v1", "kites")
    .kind("Kite")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "dryRun",
        "fieldSelector",
        "gracePeriodSeconds",
        "labelSelector",
        "limit",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "shardSelector",
        "timeoutSeconds",
        "watch",
    ])
    .media_types(&["application/json"]);
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1Kite", "GET", "/apis/example.com/v1/kites/{name}")
    .resource("example.com", "v1", "kites")
    .kind("Kite")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1Kite", "PUT", "/apis/example.com/v1/kites/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1Kite", "DELETE", "/apis/example.com/v1/kites/{name}")
    .resource("example.com", "v1", "kites")
    .kind("Kite")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1Kite", "PATCH", "/apis/example.com/v1/kites/{name}")
    .resource("example.com", "v1", "kites")
    .kind("Kite")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1::Kite
impl Watchable for crate::example_com_v1::Kite {}
impl Gettable for crate::example_com_v1::Kite
impl Creatable for crate::example_com_v1::Kite
impl Replaceable for crate::example_com_v1::Kite
impl Patchable for crate::example_com_v1::Kite
impl Deletable for crate::example_com_v1::Kite
impl CollectionDeletable for crate::example_com_v1::Kite

// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod kites;
pub use types::*;

// file: src/example_com_v1/types/kite.rs
/// Kind `Kite` of `example.com/v1`. Schema `com.example.v1.Kite`. Requests:
/// [`kites`](crate::example_com_v1::kites).
#[derive(Clone, PartialEq)]
pub struct Kite {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard object's metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata>
    pub metadata: ObjectMeta,
    /// `spec`.
    pub spec: Option<Box<KiteSpec>>,
    /// `status`.
    pub status: Option<Box<KiteStatus>>,
}
impl Kite {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Kite
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Kite";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Kite
    const PLURAL: &'static str = "kites";
impl AnyResource for Kite
static TABLE: codec::Table =
    codec::Table::new("Kite", "! apiVersion kind metadata! spec status").identities(&[codec::Identity::new("example.com/v1", "Kite")]);

// file: src/example_com_v1/types/kite_list.rs
/// KiteList is a list of Kite
///
/// Kind `KiteList` of `example.com/v1`. Schema `com.example.v1.KiteList`.
#[derive(Clone, PartialEq)]
pub struct KiteList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of kites. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Kite>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl KiteList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for KiteList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "KiteList";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for KiteList
static TABLE: codec::Table =
    codec::Table::new("KiteList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1", "KiteList")]);

// file: src/example_com_v1/types/kite_spec.rs
/// Schema `com.example.v1.Kite/properties/spec`, and an identical one.
#[derive(Clone, Default, PartialEq)]
pub struct KiteSpec {
    /// `line`.
    pub line: KiteSpecLine,
    /// `tails`.
    pub tails: Option<Vec<KiteSpecTails>>,
}
static TABLE: codec::Table =
    codec::Table::new("KiteSpec", "! line! tails");

// file: src/example_com_v1/types/kite_spec_line.rs
/// Schema `com.example.v1.Kite/properties/spec/properties/line`, and 2 identical ones.
#[derive(Clone, Default, PartialEq)]
pub struct KiteSpecLine {
    /// Only `Bowline`.
    pub knot: Option<KiteSpecLineKnot>,
    /// In `com.example.v1.Kite/properties/spec/properties/line`: At most 200.
    ///
    /// In `com.example.v1beta1.Kite/properties/spec/properties/line`: At most 90.
    pub length: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("KiteSpecLine", "! knot length");

// file: src/example_com_v1/types/kite_spec_line_knot.rs
/// Schema `com.example.v1.Kite/properties/spec/properties/line/properties/knot`, and 2 identical ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum KiteSpecLineKnot {
    /// `Bowline`
    Bowline,
    /// A value that the document does not list.
    Other(String),
}
impl KiteSpecLineKnot {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Bowline => "Bowline",
}
impl From<&str> for KiteSpecLineKnot
            "Bowline" => Self::Bowline,
kapigen_runtime::__private::open_enum!(KiteSpecLineKnot);

// file: src/example_com_v1/types/kite_spec_tails.rs
/// Schema `com.example.v1.Kite/properties/spec/properties/tails/items`, and an identical one.
#[derive(Clone, Default, PartialEq)]
pub struct KiteSpecTails {
    /// A name.
    pub color: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("KiteSpecTails", "! color");

// file: src/example_com_v1/types/kite_status.rs
/// Schema `com.example.v1.Kite/properties/status`.
#[derive(Clone, Default, PartialEq)]
pub struct KiteStatus {
    /// `wind`.
    pub wind: Option<Box<KiteStatusWind>>,
}
static TABLE: codec::Table =
    codec::Table::new("KiteStatus", "! wind");

// file: src/example_com_v1/types/kite_status_wind.rs
/// Schema `com.example.v1.Kite/properties/status/properties/wind`.
#[derive(Clone, Default, PartialEq)]
pub struct KiteStatusWind {
    /// `gusts`.
    pub gusts: Option<f64>,
    /// `speed`.
    pub speed: Option<f64>,
}
static TABLE: codec::Table =
    codec::Table::new("KiteStatusWind", "! gusts speed");

// file: src/example_com_v1/types/mod.rs
pub use kite::Kite;
pub use kite_list::KiteList;
pub use kite_spec::KiteSpec;
pub use kite_spec_line::KiteSpecLine;
pub use kite_spec_line_knot::KiteSpecLineKnot;
pub use kite_spec_tails::KiteSpecTails;
pub use kite_status::KiteStatus;
pub use kite_status_wind::KiteStatusWind;

// file: src/example_com_v1alpha1/gliders.rs
//! Requests for `gliders`, the objects of the [kind `Glider`](super::Glider).
/// list objects of kind Glider
///
/// `GET /apis/example.com/v1alpha1/gliders`. Responses: 200. RBAC: `list` on `gliders`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1alpha1Glider")]
pub fn list(params: &ListParams) -> Result<Request<GliderList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1alpha1/gliders?watch=true`. Responses: 200. RBAC: `watch` on `gliders`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1alpha1Glider")]
pub fn watch(params: &WatchParams) -> Result<Request<Watch<Glider>>, Error>
/// create a Glider
///
/// `POST /apis/example.com/v1alpha1/gliders`. Responses: 200, 201, 202. RBAC: `create` on `gliders`.
/// [Errors](self#errors).
#[doc(alias = "createExampleComV1alpha1Glider")]
pub fn create(body: &Glider, params: &CreateParams) -> Result<Request<Glider>, Error>
/// delete collection of Glider
///
/// `DELETE /apis/example.com/v1alpha1/gliders`. Responses: 200. RBAC: `deletecollection` on `gliders`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1alpha1CollectionGlider")]
pub fn delete_collection(params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<GliderList>>, Error>
/// read the specified Glider
///
/// `GET /apis/example.com/v1alpha1/gliders/{name}`. Responses: 200. RBAC: `get` on `gliders`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1alpha1Glider")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Glider>, Error>
/// replace the specified Glider
///
/// `PUT /apis/example.com/v1alpha1/gliders/{name}`. Responses: 200, 201. RBAC: `update` on `gliders`.
/// [Errors](self#errors).
#[doc(alias = "replaceExampleComV1alpha1Glider")]
pub fn replace(name: &str, body: &Glider, params: &ReplaceParams) -> Result<Request<Glider>, Error>
/// delete a Glider
///
/// `DELETE /apis/example.com/v1alpha1/gliders/{name}`. Responses: 200, 202. RBAC: `delete` on
/// `gliders`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1alpha1Glider")]
pub fn delete(name: &str, params: &DeleteParams) -> Result<Request<Deleted<Glider>>, Error>
/// partially update the specified Glider
///
/// `PATCH /apis/example.com/v1alpha1/gliders/{name}`. Responses: 200. RBAC: `patch` on `gliders`.
/// [Errors](self#errors).
#[doc(alias = "patchExampleComV1alpha1Glider")]
pub fn patch(name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Glider>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1alpha1Glider", "GET", "/apis/example.com/v1alpha1/gliders")
    .resource("example.com", "v1alpha1", "gliders")
    .kind("Glider")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "fieldSelector",
        "labelSelector",
        "limit",
        "pretty",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "shardSelector",
        "timeoutSeconds",
        "watch",
    ]);
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1alpha1Glider", "POST", "/apis/example.com/v1alpha1/gliders")
    .resource("example.com", "v1alpha1", "gliders")
    .kind("Glider")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1alpha1CollectionGlider", "DELETE", "/apis/example.com/v1alpha1/gliders")
    .resource("example.com", "v1alpha1", "gliders")
    .kind("Glider")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "dryRun",
        "fieldSelector",
        "gracePeriodSeconds",
        "labelSelector",
        "limit",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "shardSelector",
        "timeoutSeconds",
        "watch",
    ])
    .media_types(&["application/json"]);
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1alpha1Glider", "GET", "/apis/example.com/v1alpha1/gliders/{name}")
    .resource("example.com", "v1alpha1", "gliders")
    .kind("Glider")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1alpha1Glider", "PUT", "/apis/example.com/v1alpha1/gliders/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1alpha1Glider", "DELETE", "/apis/example.com/v1alpha1/gliders/{name}")
    .resource("example.com", "v1alpha1", "gliders")
    .kind("Glider")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1alpha1Glider", "PATCH", "/apis/example.com/v1alpha1/gliders/{name}")
    .resource("example.com", "v1alpha1", "gliders")
    .kind("Glider")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1alpha1::Glider
impl Watchable for crate::example_com_v1alpha1::Glider {}
impl Gettable for crate::example_com_v1alpha1::Glider
impl Creatable for crate::example_com_v1alpha1::Glider
impl Replaceable for crate::example_com_v1alpha1::Glider
impl Patchable for crate::example_com_v1alpha1::Glider
impl Deletable for crate::example_com_v1alpha1::Glider
impl CollectionDeletable for crate::example_com_v1alpha1::Glider

// file: src/example_com_v1alpha1/kites.rs
//! Requests for `kites`, the objects of the [kind `Kite`](super::Kite).
/// list objects of kind Kite
///
/// `GET /apis/example.com/v1alpha1/kites`. Responses: 200. RBAC: `list` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1alpha1Kite")]
pub fn list(params: &ListParams) -> Result<Request<KiteList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1alpha1/kites?watch=true`. Responses: 200. RBAC: `watch` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1alpha1Kite")]
pub fn watch(params: &WatchParams) -> Result<Request<Watch<Kite>>, Error>
/// create a Kite
///
/// `POST /apis/example.com/v1alpha1/kites`. Responses: 200, 201, 202. RBAC: `create` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "createExampleComV1alpha1Kite")]
pub fn create(body: &Kite, params: &CreateParams) -> Result<Request<Kite>, Error>
/// delete collection of Kite
///
/// `DELETE /apis/example.com/v1alpha1/kites`. Responses: 200. RBAC: `deletecollection` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1alpha1CollectionKite")]
pub fn delete_collection(params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<KiteList>>, Error>
/// read the specified Kite
///
/// `GET /apis/example.com/v1alpha1/kites/{name}`. Responses: 200. RBAC: `get` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1alpha1Kite")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Kite>, Error>
/// replace the specified Kite
///
/// `PUT /apis/example.com/v1alpha1/kites/{name}`. Responses: 200, 201. RBAC: `update` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "replaceExampleComV1alpha1Kite")]
pub fn replace(name: &str, body: &Kite, params: &ReplaceParams) -> Result<Request<Kite>, Error>
/// delete a Kite
///
/// `DELETE /apis/example.com/v1alpha1/kites/{name}`. Responses: 200, 202. RBAC: `delete` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1alpha1Kite")]
pub fn delete(name: &str, params: &DeleteParams) -> Result<Request<Deleted<Kite>>, Error>
/// partially update the specified Kite
///
/// `PATCH /apis/example.com/v1alpha1/kites/{name}`. Responses: 200. RBAC: `patch` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "patchExampleComV1alpha1Kite")]
pub fn patch(name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Kite>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1alpha1Kite", "GET", "/apis/example.com/v1alpha1/kites")
    .resource("example.com", "v1alpha1", "kites")
    .kind("Kite")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "fieldSelector",
        "labelSelector",
        "limit",
        "pretty",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "shardSelector",
        "timeoutSeconds",
        "watch",
    ]);
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1alpha1Kite", "POST", "/apis/example.com/v1alpha1/kites")
    .resource("example.com", "v1alpha1", "kites")
    .kind("Kite")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1alpha1CollectionKite", "DELETE", "/apis/example.com/v1alpha1/kites")
    .resource("example.com", "v1alpha1", "kites")
    .kind("Kite")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "dryRun",
        "fieldSelector",
        "gracePeriodSeconds",
        "labelSelector",
        "limit",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "shardSelector",
        "timeoutSeconds",
        "watch",
    ])
    .media_types(&["application/json"]);
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1alpha1Kite", "GET", "/apis/example.com/v1alpha1/kites/{name}")
    .resource("example.com", "v1alpha1", "kites")
    .kind("Kite")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1alpha1Kite", "PUT", "/apis/example.com/v1alpha1/kites/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1alpha1Kite", "DELETE", "/apis/example.com/v1alpha1/kites/{name}")
    .resource("example.com", "v1alpha1", "kites")
    .kind("Kite")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1alpha1Kite", "PATCH", "/apis/example.com/v1alpha1/kites/{name}")
    .resource("example.com", "v1alpha1", "kites")
    .kind("Kite")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1alpha1::Kite
impl Watchable for crate::example_com_v1alpha1::Kite {}
impl Gettable for crate::example_com_v1alpha1::Kite
impl Creatable for crate::example_com_v1alpha1::Kite
impl Replaceable for crate::example_com_v1alpha1::Kite
impl Patchable for crate::example_com_v1alpha1::Kite
impl Deletable for crate::example_com_v1alpha1::Kite
impl CollectionDeletable for crate::example_com_v1alpha1::Kite

// file: src/example_com_v1alpha1/mod.rs
//! `example.com/v1alpha1`: types, and a module of requests for each resource.
pub mod gliders;
pub mod kites;
pub use types::*;

// file: src/example_com_v1alpha1/types/glider.rs
/// Kind `Glider` of `example.com/v1alpha1`. Schema `com.example.v1alpha1.Glider`. Requests:
/// [`gliders`](crate::example_com_v1alpha1::gliders).
#[derive(Clone, PartialEq)]
pub struct Glider {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard object's metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata>
    pub metadata: ObjectMeta,
    /// `spec`.
    pub spec: Option<Box<GliderSpec>>,
}
impl Glider {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Glider
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1alpha1";
    const KIND: &'static str = "Glider";
    const API_VERSION: &'static str = "example.com/v1alpha1";
impl Resource for Glider
    const PLURAL: &'static str = "gliders";
impl AnyResource for Glider
static TABLE: codec::Table =
    codec::Table::new("Glider", "! apiVersion kind metadata! spec").identities(&[codec::Identity::new("example.com/v1alpha1", "Glider")]);

// file: src/example_com_v1alpha1/types/glider_list.rs
/// GliderList is a list of Glider
///
/// Kind `GliderList` of `example.com/v1alpha1`. Schema `com.example.v1alpha1.GliderList`.
#[derive(Clone, PartialEq)]
pub struct GliderList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of gliders. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Glider>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl GliderList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for GliderList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1alpha1";
    const KIND: &'static str = "GliderList";
    const API_VERSION: &'static str = "example.com/v1alpha1";
impl ResourceList for GliderList
static TABLE: codec::Table =
    codec::Table::new("GliderList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1alpha1", "GliderList")]);

// file: src/example_com_v1alpha1/types/glider_spec.rs
/// Schema `com.example.v1alpha1.Glider/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct GliderSpec {
    /// `color`.
    pub color: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("GliderSpec", "! color");

// file: src/example_com_v1alpha1/types/kite.rs
/// Kind `Kite` of `example.com/v1alpha1`. Schema `com.example.v1alpha1.Kite`. Requests:
/// [`kites`](crate::example_com_v1alpha1::kites).
#[derive(Clone, PartialEq)]
pub struct Kite {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard object's metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata>
    pub metadata: ObjectMeta,
    /// `spec`.
    pub spec: Option<Box<KiteSpec>>,
    /// `status`.
    pub status: Option<Box<KiteStatus>>,
}
impl Kite {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Kite
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1alpha1";
    const KIND: &'static str = "Kite";
    const API_VERSION: &'static str = "example.com/v1alpha1";
impl Resource for Kite
    const PLURAL: &'static str = "kites";
impl AnyResource for Kite
static TABLE: codec::Table =
    codec::Table::new("Kite", "! apiVersion kind metadata! spec status").identities(&[codec::Identity::new("example.com/v1alpha1", "Kite")]);

// file: src/example_com_v1alpha1/types/kite_list.rs
/// KiteList is a list of Kite
///
/// Kind `KiteList` of `example.com/v1alpha1`. Schema `com.example.v1alpha1.KiteList`.
#[derive(Clone, PartialEq)]
pub struct KiteList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of kites. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Kite>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl KiteList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for KiteList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1alpha1";
    const KIND: &'static str = "KiteList";
    const API_VERSION: &'static str = "example.com/v1alpha1";
impl ResourceList for KiteList
static TABLE: codec::Table =
    codec::Table::new("KiteList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1alpha1", "KiteList")]);

// file: src/example_com_v1alpha1/types/kite_spec.rs
/// Schema `com.example.v1alpha1.Kite/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct KiteSpec {
    /// `rope`.
    pub rope: Option<Box<KiteSpecRope>>,
}
static TABLE: codec::Table =
    codec::Table::new("KiteSpec", "! rope");

// file: src/example_com_v1alpha1/types/mod.rs
pub use glider::Glider;
pub use glider_list::GliderList;
pub use glider_spec::GliderSpec;
pub use kite::Kite;
pub use kite_list::KiteList;
pub use kite_spec::KiteSpec;
/// Schema `com.example.v1alpha1.Kite/properties/spec/properties/rope`, which is the same as that of
/// `example_com_v1::KiteSpecLine`.
#[doc(inline)]
pub use crate::example_com_v1::KiteSpecLine as KiteSpecRope;
/// Schema `com.example.v1alpha1.Kite/properties/spec/properties/rope/properties/knot`, which is the
/// same as that of `example_com_v1::KiteSpecLineKnot`.
#[doc(inline)]
pub use crate::example_com_v1::KiteSpecLineKnot as KiteSpecRopeKnot;
/// Schema `com.example.v1alpha1.Kite/properties/status`, which is the same as that of
/// `example_com_v1beta1::KiteStatus`.
#[doc(inline)]
pub use crate::example_com_v1beta1::KiteStatus;
/// Schema `com.example.v1alpha1.Kite/properties/status/properties/wind`, which is the same as that of
/// `example_com_v1beta1::KiteStatusWind`.
#[doc(inline)]
pub use crate::example_com_v1beta1::KiteStatusWind;

// file: src/example_com_v1beta1/kites.rs
//! Requests for `kites`, the objects of the [kind `Kite`](super::Kite).
/// list objects of kind Kite
///
/// `GET /apis/example.com/v1beta1/kites`. Responses: 200. RBAC: `list` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1beta1Kite")]
pub fn list(params: &ListParams) -> Result<Request<KiteList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1beta1/kites?watch=true`. Responses: 200. RBAC: `watch` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1beta1Kite")]
pub fn watch(params: &WatchParams) -> Result<Request<Watch<Kite>>, Error>
/// create a Kite
///
/// `POST /apis/example.com/v1beta1/kites`. Responses: 200, 201, 202. RBAC: `create` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "createExampleComV1beta1Kite")]
pub fn create(body: &Kite, params: &CreateParams) -> Result<Request<Kite>, Error>
/// delete collection of Kite
///
/// `DELETE /apis/example.com/v1beta1/kites`. Responses: 200. RBAC: `deletecollection` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1beta1CollectionKite")]
pub fn delete_collection(params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<KiteList>>, Error>
/// read the specified Kite
///
/// `GET /apis/example.com/v1beta1/kites/{name}`. Responses: 200. RBAC: `get` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1beta1Kite")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Kite>, Error>
/// replace the specified Kite
///
/// `PUT /apis/example.com/v1beta1/kites/{name}`. Responses: 200, 201. RBAC: `update` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "replaceExampleComV1beta1Kite")]
pub fn replace(name: &str, body: &Kite, params: &ReplaceParams) -> Result<Request<Kite>, Error>
/// delete a Kite
///
/// `DELETE /apis/example.com/v1beta1/kites/{name}`. Responses: 200, 202. RBAC: `delete` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1beta1Kite")]
pub fn delete(name: &str, params: &DeleteParams) -> Result<Request<Deleted<Kite>>, Error>
/// partially update the specified Kite
///
/// `PATCH /apis/example.com/v1beta1/kites/{name}`. Responses: 200. RBAC: `patch` on `kites`.
/// [Errors](self#errors).
#[doc(alias = "patchExampleComV1beta1Kite")]
pub fn patch(name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Kite>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1beta1Kite", "GET", "/apis/example.com/v1beta1/kites")
    .resource("example.com", "v1beta1", "kites")
    .kind("Kite")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "fieldSelector",
        "labelSelector",
        "limit",
        "pretty",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "shardSelector",
        "timeoutSeconds",
        "watch",
    ]);
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1beta1Kite", "POST", "/apis/example.com/v1beta1/kites")
    .resource("example.com", "v1beta1", "kites")
    .kind("Kite")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1beta1CollectionKite", "DELETE", "/apis/example.com/v1beta1/kites")
    .resource("example.com", "v1beta1", "kites")
    .kind("Kite")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "dryRun",
        "fieldSelector",
        "gracePeriodSeconds",
        "labelSelector",
        "limit",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
        "resourceVersion",
        "resourceVersionMatch",
        "sendInitialEvents",
        "shardSelector",
        "timeoutSeconds",
        "watch",
    ])
    .media_types(&["application/json"]);
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1beta1Kite", "GET", "/apis/example.com/v1beta1/kites/{name}")
    .resource("example.com", "v1beta1", "kites")
    .kind("Kite")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1beta1Kite", "PUT", "/apis/example.com/v1beta1/kites/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1beta1Kite", "DELETE", "/apis/example.com/v1beta1/kites/{name}")
    .resource("example.com", "v1beta1", "kites")
    .kind("Kite")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1beta1Kite", "PATCH", "/apis/example.com/v1beta1/kites/{name}")
    .resource("example.com", "v1beta1", "kites")
    .kind("Kite")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1beta1::Kite
impl Watchable for crate::example_com_v1beta1::Kite {}
impl Gettable for crate::example_com_v1beta1::Kite
impl Creatable for crate::example_com_v1beta1::Kite
impl Replaceable for crate::example_com_v1beta1::Kite
impl Patchable for crate::example_com_v1beta1::Kite
impl Deletable for crate::example_com_v1beta1::Kite
impl CollectionDeletable for crate::example_com_v1beta1::Kite

// file: src/example_com_v1beta1/mod.rs
//! `example.com/v1beta1`: types, and a module of requests for each resource.
pub mod kites;
pub use types::*;

// file: src/example_com_v1beta1/types/kite.rs
/// Kind `Kite` of `example.com/v1beta1`. Schema `com.example.v1beta1.Kite`. Requests:
/// [`kites`](crate::example_com_v1beta1::kites).
#[derive(Clone, PartialEq)]
pub struct Kite {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard object's metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata>
    pub metadata: ObjectMeta,
    /// `spec`.
    pub spec: Option<Box<KiteSpec>>,
    /// `status`.
    pub status: Option<Box<KiteStatus>>,
}
impl Kite {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Kite
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1beta1";
    const KIND: &'static str = "Kite";
    const API_VERSION: &'static str = "example.com/v1beta1";
impl Resource for Kite
    const PLURAL: &'static str = "kites";
impl AnyResource for Kite
static TABLE: codec::Table =
    codec::Table::new("Kite", "! apiVersion kind metadata! spec status").identities(&[codec::Identity::new("example.com/v1beta1", "Kite")]);

// file: src/example_com_v1beta1/types/kite_list.rs
/// KiteList is a list of Kite
///
/// Kind `KiteList` of `example.com/v1beta1`. Schema `com.example.v1beta1.KiteList`.
#[derive(Clone, PartialEq)]
pub struct KiteList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of kites. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Kite>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl KiteList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for KiteList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1beta1";
    const KIND: &'static str = "KiteList";
    const API_VERSION: &'static str = "example.com/v1beta1";
impl ResourceList for KiteList
static TABLE: codec::Table =
    codec::Table::new("KiteList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1beta1", "KiteList")]);

// file: src/example_com_v1beta1/types/kite_status.rs
/// Schema `com.example.v1beta1.Kite/properties/status`, and an identical one.
#[derive(Clone, Default, PartialEq)]
pub struct KiteStatus {
    /// `wind`.
    pub wind: Option<Box<KiteStatusWind>>,
}
static TABLE: codec::Table =
    codec::Table::new("KiteStatus", "! wind");

// file: src/example_com_v1beta1/types/kite_status_wind.rs
/// Schema `com.example.v1beta1.Kite/properties/status/properties/wind`, and an identical one.
#[derive(Clone, Default, PartialEq)]
pub struct KiteStatusWind {
    /// `speed`.
    pub speed: Option<f64>,
}
static TABLE: codec::Table =
    codec::Table::new("KiteStatusWind", "! speed");

// file: src/example_com_v1beta1/types/mod.rs
pub use kite::Kite;
pub use kite_list::KiteList;
pub use kite_status::KiteStatus;
pub use kite_status_wind::KiteStatusWind;
/// Schema `com.example.v1beta1.Kite/properties/spec`, which is the same as that of
/// `example_com_v1::KiteSpec`.
#[doc(inline)]
pub use crate::example_com_v1::KiteSpec;
/// Schema `com.example.v1beta1.Kite/properties/spec/properties/line`, which is the same as that of
/// `example_com_v1::KiteSpecLine`.
#[doc(inline)]
pub use crate::example_com_v1::KiteSpecLine;
/// Schema `com.example.v1beta1.Kite/properties/spec/properties/line/properties/knot`, which is the same
/// as that of `example_com_v1::KiteSpecLineKnot`.
#[doc(inline)]
pub use crate::example_com_v1::KiteSpecLineKnot;
/// Schema `com.example.v1beta1.Kite/properties/spec/properties/tails/items`, which is the same as that
/// of `example_com_v1::KiteSpecTails`.
#[doc(inline)]
pub use crate::example_com_v1::KiteSpecTails;

