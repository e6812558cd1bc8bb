// file: notes.txt
note    crd.yaml:12:15: `yes` is `true` for a server; write `true`, or `"yes"` if it is a string
note    crd.yaml:24:17: the key `y` is `true` for a server; write `true`, or `"y"` if it is a string
note    crd.yaml:24:44: `-1_000.0` is `-1000` for a server; write `-1000`, or `"-1_000.0"` if it is a string
note    crd.yaml:25:47: `010` is `8` for a server; write `8`, or `"010"` if it is a string
note    crd.yaml:26:31: `on` is `true` for a server; write `true`, or `"on"` if it is a string
note    crd.yaml:26:35: `off` is `false` for a server; write `false`, or `"off"` if it is a string
note    crd.yaml:9:3: servers drop the field `ofALaterRelease`, which definitions of apiextensions.k8s.io/v1 do not have
note    crd.yaml:20:15: servers drop the field `readOnly`, which definitions of apiextensions.k8s.io/v1 do not have, here and in another place

// file: src/definitions/points_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"points.example.com"
},
"spec":{
"group":"example.com",
"scope":"Cluster",
"names":{
"plural":"points",
"kind":"Point"
},
"ofALaterRelease":1,
"versions":[
{
"name":"v1",
"served":true,
"storage":true,
"schema":{
"openAPIV3Schema":{
"type":"object",
"properties":{
"spec":{
"type":"object",
"readOnly":true,
"x-of-a-tool":1,
"properties":{
"x":{
"type":"number",
"readOnly":true
},
"true":{
"type":"number",
"minimum":-1000
},
"n":{
"type":"integer",
"default":8,
"maximum":15
},
"mode":{
"enum":[true,false,"on"],
"type":"string"
},
"depth":{
"type":"number",
"minimum":0,
"maximum":1000
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

// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod points;
pub use types::*;

// file: src/example_com_v1/points.rs
//! Requests for `points`, the objects of the [kind `Point`](super::Point).
/// list objects of kind Point
///
/// `GET /apis/example.com/v1/points`. Responses: 200. RBAC: `list` on `points`. [Errors](self#errors).
#[doc(alias = "listExampleComV1Point")]
pub fn list(params: &ListParams) -> Result<Request<PointList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/points?watch=true`. Responses: 200. RBAC: `watch` on `points`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1Point")]
pub fn watch(params: &WatchParams) -> Result<Request<Watch<Point>>, Error>
/// create a Point
///
/// `POST /apis/example.com/v1/points`. Responses: 200, 201, 202. RBAC: `create` on `points`.
/// [Errors](self#errors).
#[doc(alias = "createExampleComV1Point")]
pub fn create(body: &Point, params: &CreateParams) -> Result<Request<Point>, Error>
/// delete collection of Point
///
/// `DELETE /apis/example.com/v1/points`. Responses: 200. RBAC: `deletecollection` on `points`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1CollectionPoint")]
pub fn delete_collection(params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<PointList>>, Error>
/// read the specified Point
///
/// `GET /apis/example.com/v1/points/{name}`. Responses: 200. RBAC: `get` on `points`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1Point")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Point>, Error>
/// replace the specified Point
///
/// `PUT /apis/example.com/v1/points/{name}`. Responses: 200, 201. RBAC: `update` on `points`.
/// [Errors](self#errors).
#[doc(alias = "replaceExampleComV1Point")]
pub fn replace(name: &str, body: &Point, params: &ReplaceParams) -> Result<Request<Point>, Error>
/// delete a Point
///
/// `DELETE /apis/example.com/v1/points/{name}`. Responses: 200, 202. RBAC: `delete` on `points`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1Point")]
pub fn delete(name: &str, params: &DeleteParams) -> Result<Request<Deleted<Point>>, Error>
/// partially update the specified Point
///
/// `PATCH /apis/example.com/v1/points/{name}`. Responses: 200. RBAC: `patch` on `points`.
/// [Errors](self#errors).
#[doc(alias = "patchExampleComV1Point")]
pub fn patch(name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Point>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1Point", "GET", "/apis/example.com/v1/points")
    .resource("example.com", "v1", "points")
    .kind("Point")
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
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1Point", "POST", "/apis/example.com/v1/points")
    .resource("example.com", "v1", "points")
    .kind("Point")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1CollectionPoint", "DELETE", "/apis/example.com/v1/points")
    .resource("example.com", "v1", "points")
    .kind("Point")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1Point", "GET", "/apis/example.com/v1/points/{name}")
    .resource("example.com", "v1", "points")
    .kind("Point")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1Point", "PUT", "/apis/example.com/v1/points/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1Point", "DELETE", "/apis/example.com/v1/points/{name}")
    .resource("example.com", "v1", "points")
    .kind("Point")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1Point", "PATCH", "/apis/example.com/v1/points/{name}")
    .resource("example.com", "v1", "points")
    .kind("Point")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1::Point
impl Watchable for crate::example_com_v1::Point {}
impl Gettable for crate::example_com_v1::Point
impl Creatable for crate::example_com_v1::Point
impl Replaceable for crate::example_com_v1::Point
impl Patchable for crate::example_com_v1::Point
impl Deletable for crate::example_com_v1::Point
impl CollectionDeletable for crate::example_com_v1::Point

// file: src/example_com_v1/types/mod.rs
pub use point::Point;
pub use point_list::PointList;
pub use point_spec::PointSpec;
pub use point_spec_mode::PointSpecMode;

// file: src/example_com_v1/types/point.rs
/// Kind `Point` of `example.com/v1`. Schema `com.example.v1.Point`. Requests:
/// [`points`](crate::example_com_v1::points).
#[derive(Clone, PartialEq)]
pub struct Point {
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
    pub spec: Option<Box<PointSpec>>,
}
impl Point {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Point
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Point";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Point
    const PLURAL: &'static str = "points";
impl AnyResource for Point
static TABLE: codec::Table =
    codec::Table::new("Point", "! apiVersion kind metadata! spec").identities(&[codec::Identity::new("example.com/v1", "Point")]);

// file: src/example_com_v1/types/point_list.rs
/// PointList is a list of Point
///
/// Kind `PointList` of `example.com/v1`. Schema `com.example.v1.PointList`.
#[derive(Clone, PartialEq)]
pub struct PointList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of points. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Point>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl PointList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for PointList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "PointList";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for PointList
static TABLE: codec::Table =
    codec::Table::new("PointList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1", "PointList")]);

// file: src/example_com_v1/types/point_spec.rs
/// Schema `com.example.v1.Point/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct PointSpec {
    /// At least 0. At most 1000.
    pub depth: Option<f64>,
    /// One of `true`, `false`, `on`.
    pub mode: Option<PointSpecMode>,
    /// At most 15.
    ///
    /// Default `8`.
    pub n: Option<i64>,
    /// At least -1000.
    pub true_: Option<f64>,
    /// `x`.
    pub x: Option<f64>,
}
static TABLE: codec::Table =
    codec::Table::new("PointSpec", "! depth mode n true x");

// file: src/example_com_v1/types/point_spec_mode.rs
/// Schema `com.example.v1.Point/properties/spec/properties/mode`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PointSpecMode {
    /// `on`
    On,
    /// A value that the document does not list.
    Other(String),
}
impl PointSpecMode {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::On => "on",
}
impl From<&str> for PointSpecMode
            "on" => Self::On,
kapigen_runtime::__private::open_enum!(PointSpecMode);

