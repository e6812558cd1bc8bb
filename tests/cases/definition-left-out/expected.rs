// file: notes.txt
note    crd.yaml:21:3: `StarList` of example.com/v1 is left out, as a server does: `StarList` is also a kind or list kind of `Star`

// file: src/definitions/stars_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"stars.example.com"
},
"spec":{
"group":"example.com",
"scope":"Cluster",
"names":{
"plural":"stars",
"kind":"Star"
},
"versions":[
{
"name":"v1",
"served":true,
"storage":true,
"schema":{
"openAPIV3Schema":{
"type":"object"
}
}
}
]
}
}

// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod stars;
pub use types::*;

// file: src/example_com_v1/stars.rs
//! Requests for `stars`, the objects of the [kind `Star`](super::Star).
/// list objects of kind Star
///
/// `GET /apis/example.com/v1/stars`. Responses: 200. RBAC: `list` on `stars`. [Errors](self#errors).
#[doc(alias = "listExampleComV1Star")]
pub fn list(params: &ListParams) -> Result<Request<StarList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/stars?watch=true`. Responses: 200. RBAC: `watch` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1Star")]
pub fn watch(params: &WatchParams) -> Result<Request<Watch<Star>>, Error>
/// create a Star
///
/// `POST /apis/example.com/v1/stars`. Responses: 200, 201, 202. RBAC: `create` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "createExampleComV1Star")]
pub fn create(body: &Star, params: &CreateParams) -> Result<Request<Star>, Error>
/// delete collection of Star
///
/// `DELETE /apis/example.com/v1/stars`. Responses: 200. RBAC: `deletecollection` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1CollectionStar")]
pub fn delete_collection(params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<StarList>>, Error>
/// read the specified Star
///
/// `GET /apis/example.com/v1/stars/{name}`. Responses: 200. RBAC: `get` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1Star")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Star>, Error>
/// replace the specified Star
///
/// `PUT /apis/example.com/v1/stars/{name}`. Responses: 200, 201. RBAC: `update` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "replaceExampleComV1Star")]
pub fn replace(name: &str, body: &Star, params: &ReplaceParams) -> Result<Request<Star>, Error>
/// delete a Star
///
/// `DELETE /apis/example.com/v1/stars/{name}`. Responses: 200, 202. RBAC: `delete` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1Star")]
pub fn delete(name: &str, params: &DeleteParams) -> Result<Request<Deleted<Star>>, Error>
/// partially update the specified Star
///
/// `PATCH /apis/example.com/v1/stars/{name}`. Responses: 200. RBAC: `patch` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "patchExampleComV1Star")]
pub fn patch(name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Star>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1Star", "GET", "/apis/example.com/v1/stars")
    .resource("example.com", "v1", "stars")
    .kind("Star")
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
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1Star", "POST", "/apis/example.com/v1/stars")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1CollectionStar", "DELETE", "/apis/example.com/v1/stars")
    .resource("example.com", "v1", "stars")
    .kind("Star")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1Star", "GET", "/apis/example.com/v1/stars/{name}")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1Star", "PUT", "/apis/example.com/v1/stars/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1Star", "DELETE", "/apis/example.com/v1/stars/{name}")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1Star", "PATCH", "/apis/example.com/v1/stars/{name}")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1::Star
impl Watchable for crate::example_com_v1::Star {}
impl Gettable for crate::example_com_v1::Star
impl Creatable for crate::example_com_v1::Star
impl Replaceable for crate::example_com_v1::Star
impl Patchable for crate::example_com_v1::Star
impl Deletable for crate::example_com_v1::Star
impl CollectionDeletable for crate::example_com_v1::Star

// file: src/example_com_v1/types/mod.rs
pub use star::Star;
pub use star_list::StarList;

// file: src/example_com_v1/types/star.rs
/// Kind `Star` of `example.com/v1`. Schema `com.example.v1.Star`. Requests:
/// [`stars`](crate::example_com_v1::stars).
#[derive(Clone, PartialEq)]
pub struct Star {
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
}
impl Star {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Star
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Star";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Star
    const PLURAL: &'static str = "stars";
impl AnyResource for Star
static TABLE: codec::Table =
    codec::Table::new("Star", "! apiVersion kind metadata!").identities(&[codec::Identity::new("example.com/v1", "Star")]);

// file: src/example_com_v1/types/star_list.rs
/// StarList is a list of Star
///
/// Kind `StarList` of `example.com/v1`. Schema `com.example.v1.StarList`.
#[derive(Clone, PartialEq)]
pub struct StarList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of stars. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Star>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl StarList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for StarList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "StarList";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for StarList
static TABLE: codec::Table =
    codec::Table::new("StarList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1", "StarList")]);

