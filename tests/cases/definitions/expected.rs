// file: notes.txt
note    crds.yaml:57:17: no server accepts the schema of `Galaxy` of example.com/v1: spec.versions[0].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields

// file: src/autoscaling_v1/mod.rs
//! `autoscaling/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/autoscaling_v1/types/mod.rs
pub use scale::Scale;
pub use scale_spec::ScaleSpec;
pub use scale_status::ScaleStatus;

// file: src/autoscaling_v1/types/scale.rs
/// The number of instances that an object asks for, and has.
///
/// Kind `Scale` of `autoscaling/v1`. Schema `io.k8s.api.autoscaling.v1.Scale`.
#[derive(Clone, PartialEq)]
pub struct Scale {
    /// Group and version of the scale, `autoscaling/v1`.
    pub api_version: Option<String>,
    /// Kind of the scale, `Scale`.
    pub kind: Option<String>,
    /// Metadata of the scaled object. Only `name`, `namespace`, `uid`, `resourceVersion` and
    /// `creationTimestamp` are set.
    pub metadata: ObjectMeta,
    /// The number that is asked for.
    pub spec: Option<Box<ScaleSpec>>,
    /// The number that was observed. Read-only.
    pub status: Option<Box<ScaleStatus>>,
}
impl Scale {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Scale
    const GROUP: &'static str = "autoscaling";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Scale";
    const API_VERSION: &'static str = "autoscaling/v1";
static TABLE: codec::Table =
    codec::Table::new("Scale", "! apiVersion kind metadata! spec status").identities(&[codec::Identity::new("autoscaling/v1", "Scale")]);

// file: src/autoscaling_v1/types/scale_spec.rs
/// The number of instances that is asked for.
///
/// Schema `io.k8s.api.autoscaling.v1.ScaleSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ScaleSpec {
    /// Number of instances that the object should have.
    ///
    /// Default `0`.
    pub replicas: Option<i32>,
}
static TABLE: codec::Table =
    codec::Table::new("ScaleSpec", "! replicas");

// file: src/autoscaling_v1/types/scale_status.rs
/// The number of instances that was observed.
///
/// Schema `io.k8s.api.autoscaling.v1.ScaleStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct ScaleStatus {
    /// Number of instances that the object has.
    pub replicas: i32,
    /// Label selector of the counted pods, in the form of the query parameter `labelSelector`.
    pub selector: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("ScaleStatus", "! replicas! selector");

// file: src/definitions/galaxies_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"galaxies.example.com"
},
"spec":{
"group":"example.com",
"scope":"Cluster",
"names":{
"plural":"galaxies",
"kind":"Galaxy"
},
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
"description":"No type."
}
}
}
}
}
]
}
}

// file: src/definitions/stars_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"stars.example.com"
},
"spec":{
"group":"example.com",
"scope":"Namespaced",
"names":{
"plural":"stars",
"kind":"Star"
},
"versions":[
{
"name":"v1",
"served":true,
"storage":true,
"subresources":{
"status":{},
"scale":{
"specReplicasPath":".spec.planets",
"statusReplicasPath":".status.planets"
}
},
"schema":{
"openAPIV3Schema":{
"description":"A star.",
"type":"object",
"properties":{
"spec":{
"type":"object",
"required":[
"class"
],
"properties":{
"class":{
"type":"string",
"enum":["O","y","on"]
},
"planets":{
"type":"integer",
"format":"int32",
"minimum":0
},
"port":{
"x-kubernetes-int-or-string":true
},
"orbit":{
"type":"object",
"x-kubernetes-embedded-resource":true,
"x-kubernetes-preserve-unknown-fields":true
}
}
}
}
}
}
},
{
"name":"v0",
"served":false,
"storage":false,
"schema":{
"openAPIV3Schema":{
"type":"object"
}
}
}
]
}
}

// file: src/example_com_v1/galaxies.rs
//! Requests for `galaxies`, the objects of the [kind `Galaxy`](super::Galaxy).
/// list objects of kind Galaxy
///
/// `GET /apis/example.com/v1/galaxies`. Responses: 200. RBAC: `list` on `galaxies`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1Galaxy")]
pub fn list(params: &ListParams) -> Result<Request<GalaxyList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/galaxies?watch=true`. Responses: 200. RBAC: `watch` on `galaxies`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1Galaxy")]
pub fn watch(params: &WatchParams) -> Result<Request<Watch<Galaxy>>, Error>
/// create a Galaxy
///
/// `POST /apis/example.com/v1/galaxies`. Responses: 200, 201, 202. RBAC: `create` on `galaxies`.
/// [Errors](self#errors).
#[doc(alias = "createExampleComV1Galaxy")]
pub fn create(body: &Galaxy, params: &CreateParams) -> Result<Request<Galaxy>, Error>
/// delete collection of Galaxy
///
/// `DELETE /apis/example.com/v1/galaxies`. Responses: 200. RBAC: `deletecollection` on `galaxies`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1CollectionGalaxy")]
pub fn delete_collection(params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<GalaxyList>>, Error>
/// read the specified Galaxy
///
/// `GET /apis/example.com/v1/galaxies/{name}`. Responses: 200. RBAC: `get` on `galaxies`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1Galaxy")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Galaxy>, Error>
/// replace the specified Galaxy
///
/// `PUT /apis/example.com/v1/galaxies/{name}`. Responses: 200, 201. RBAC: `update` on `galaxies`.
/// [Errors](self#errors).
#[doc(alias = "replaceExampleComV1Galaxy")]
pub fn replace(name: &str, body: &Galaxy, params: &ReplaceParams) -> Result<Request<Galaxy>, Error>
/// delete a Galaxy
///
/// `DELETE /apis/example.com/v1/galaxies/{name}`. Responses: 200, 202. RBAC: `delete` on `galaxies`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1Galaxy")]
pub fn delete(name: &str, params: &DeleteParams) -> Result<Request<Deleted<Galaxy>>, Error>
/// partially update the specified Galaxy
///
/// `PATCH /apis/example.com/v1/galaxies/{name}`. Responses: 200. RBAC: `patch` on `galaxies`.
/// [Errors](self#errors).
#[doc(alias = "patchExampleComV1Galaxy")]
pub fn patch(name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Galaxy>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1Galaxy", "GET", "/apis/example.com/v1/galaxies")
    .resource("example.com", "v1", "galaxies")
    .kind("Galaxy")
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
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1Galaxy", "POST", "/apis/example.com/v1/galaxies")
    .resource("example.com", "v1", "galaxies")
    .kind("Galaxy")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1CollectionGalaxy", "DELETE", "/apis/example.com/v1/galaxies")
    .resource("example.com", "v1", "galaxies")
    .kind("Galaxy")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1Galaxy", "GET", "/apis/example.com/v1/galaxies/{name}")
    .resource("example.com", "v1", "galaxies")
    .kind("Galaxy")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1Galaxy", "PUT", "/apis/example.com/v1/galaxies/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1Galaxy", "DELETE", "/apis/example.com/v1/galaxies/{name}")
    .resource("example.com", "v1", "galaxies")
    .kind("Galaxy")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1Galaxy", "PATCH", "/apis/example.com/v1/galaxies/{name}")
    .resource("example.com", "v1", "galaxies")
    .kind("Galaxy")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1::Galaxy
impl Watchable for crate::example_com_v1::Galaxy {}
impl Gettable for crate::example_com_v1::Galaxy
impl Creatable for crate::example_com_v1::Galaxy
impl Replaceable for crate::example_com_v1::Galaxy
impl Patchable for crate::example_com_v1::Galaxy
impl Deletable for crate::example_com_v1::Galaxy
impl CollectionDeletable for crate::example_com_v1::Galaxy

// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod galaxies;
pub mod stars;
pub use types::*;

// file: src/example_com_v1/stars.rs
//! Requests for `stars`, the objects of the [kind `Star`](super::Star).
/// list objects of kind Star
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/stars`. Responses: 200. RBAC: `list` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1NamespacedStar")]
pub fn list(namespace: &str, params: &ListParams) -> Result<Request<StarList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/stars?watch=true`. Responses: 200. RBAC: `watch` on
/// `stars`. [Errors](self#errors).
#[doc(alias = "listExampleComV1NamespacedStar")]
pub fn watch(namespace: &str, params: &WatchParams) -> Result<Request<Watch<Star>>, Error>
/// create a Star
///
/// `POST /apis/example.com/v1/namespaces/{namespace}/stars`. Responses: 200, 201, 202. RBAC: `create`
/// on `stars`. [Errors](self#errors).
#[doc(alias = "createExampleComV1NamespacedStar")]
pub fn create(namespace: &str, body: &Star, params: &CreateParams) -> Result<Request<Star>, Error>
/// delete collection of Star
///
/// `DELETE /apis/example.com/v1/namespaces/{namespace}/stars`. Responses: 200. RBAC: `deletecollection`
/// on `stars`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1CollectionNamespacedStar")]
pub fn delete_collection(namespace: &str, params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<StarList>>, Error>
/// read the specified Star
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/stars/{name}`. Responses: 200. RBAC: `get` on
/// `stars`. [Errors](self#errors).
#[doc(alias = "readExampleComV1NamespacedStar")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Star>, Error>
/// replace the specified Star
///
/// `PUT /apis/example.com/v1/namespaces/{namespace}/stars/{name}`. Responses: 200, 201. RBAC: `update`
/// on `stars`. [Errors](self#errors).
#[doc(alias = "replaceExampleComV1NamespacedStar")]
pub fn replace(namespace: &str, name: &str, body: &Star, params: &ReplaceParams) -> Result<Request<Star>, Error>
/// delete a Star
///
/// `DELETE /apis/example.com/v1/namespaces/{namespace}/stars/{name}`. Responses: 200, 202. RBAC:
/// `delete` on `stars`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1NamespacedStar")]
pub fn delete(namespace: &str, name: &str, params: &DeleteParams) -> Result<Request<Deleted<Star>>, Error>
/// partially update the specified Star
///
/// `PATCH /apis/example.com/v1/namespaces/{namespace}/stars/{name}`. Responses: 200. RBAC: `patch` on
/// `stars`. [Errors](self#errors).
#[doc(alias = "patchExampleComV1NamespacedStar")]
pub fn patch(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Star>, Error>
/// read scale of the specified Star
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/stars/{name}/scale`. Responses: 200. RBAC: `get` on
/// `stars/scale`. [Errors](self#errors).
#[doc(alias = "readExampleComV1NamespacedStarScale")]
pub fn get_scale(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Scale>, Error>
/// replace scale of the specified Star
///
/// `PUT /apis/example.com/v1/namespaces/{namespace}/stars/{name}/scale`. Responses: 200, 201. RBAC:
/// `update` on `stars/scale`. [Errors](self#errors).
#[doc(alias = "replaceExampleComV1NamespacedStarScale")]
pub fn replace_scale(namespace: &str, name: &str, body: &Scale, params: &ReplaceParams) -> Result<Request<Scale>, Error>
/// partially update scale of the specified Star
///
/// `PATCH /apis/example.com/v1/namespaces/{namespace}/stars/{name}/scale`. Responses: 200. RBAC:
/// `patch` on `stars/scale`. [Errors](self#errors).
#[doc(alias = "patchExampleComV1NamespacedStarScale")]
pub fn patch_scale(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Scale>, Error>
/// read status of the specified Star
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/stars/{name}/status`. Responses: 200. RBAC: `get`
/// on `stars/status`. [Errors](self#errors).
#[doc(alias = "readExampleComV1NamespacedStarStatus")]
pub fn get_status(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Star>, Error>
/// replace status of the specified Star
///
/// `PUT /apis/example.com/v1/namespaces/{namespace}/stars/{name}/status`. Responses: 200, 201. RBAC:
/// `update` on `stars/status`. [Errors](self#errors).
#[doc(alias = "replaceExampleComV1NamespacedStarStatus")]
pub fn replace_status(namespace: &str, name: &str, body: &Star, params: &ReplaceParams) -> Result<Request<Star>, Error>
/// partially update status of the specified Star
///
/// `PATCH /apis/example.com/v1/namespaces/{namespace}/stars/{name}/status`. Responses: 200. RBAC:
/// `patch` on `stars/status`. [Errors](self#errors).
#[doc(alias = "patchExampleComV1NamespacedStarStatus")]
pub fn patch_status(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Star>, Error>
/// list objects of kind Star
///
/// `GET /apis/example.com/v1/stars`. Responses: 200. RBAC: `list` on `stars`. [Errors](self#errors).
#[doc(alias = "listExampleComV1StarForAllNamespaces")]
pub fn list_all_namespaces(params: &ListParams) -> Result<Request<StarList>, Error>
/// Watches what [`list_all_namespaces`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/stars?watch=true`. Responses: 200. RBAC: `watch` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1StarForAllNamespaces")]
pub fn watch_all_namespaces(params: &WatchParams) -> Result<Request<Watch<Star>>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1NamespacedStar", "GET", "/apis/example.com/v1/namespaces/{namespace}/stars")
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
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1NamespacedStar", "POST", "/apis/example.com/v1/namespaces/{namespace}/stars")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1CollectionNamespacedStar", "DELETE", "/apis/example.com/v1/namespaces/{namespace}/stars")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1NamespacedStar", "GET", "/apis/example.com/v1/namespaces/{namespace}/stars/{name}")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1NamespacedStar", "PUT", "/apis/example.com/v1/namespaces/{namespace}/stars/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1NamespacedStar", "DELETE", "/apis/example.com/v1/namespaces/{namespace}/stars/{name}")
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
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1NamespacedStar", "PATCH", "/apis/example.com/v1/namespaces/{namespace}/stars/{name}")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
pub const GET_SCALE: Operation = Operation::new(Verb::Get, "readExampleComV1NamespacedStarScale", "GET", "/apis/example.com/v1/namespaces/{namespace}/stars/{name}/scale")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .subresource("scale")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE_SCALE: Operation = Operation::new(Verb::Replace, "replaceExampleComV1NamespacedStarScale", "PUT", "/apis/example.com/v1/namespaces/{namespace}/stars/{name}/scale")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .subresource("scale")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH_SCALE: Operation = Operation::new(Verb::Patch, "patchExampleComV1NamespacedStarScale", "PATCH", "/apis/example.com/v1/namespaces/{namespace}/stars/{name}/scale")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .subresource("scale")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
pub const GET_STATUS: Operation = Operation::new(Verb::Get, "readExampleComV1NamespacedStarStatus", "GET", "/apis/example.com/v1/namespaces/{namespace}/stars/{name}/status")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .subresource("status")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE_STATUS: Operation = Operation::new(Verb::Replace, "replaceExampleComV1NamespacedStarStatus", "PUT", "/apis/example.com/v1/namespaces/{namespace}/stars/{name}/status")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .subresource("status")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH_STATUS: Operation = Operation::new(Verb::Patch, "patchExampleComV1NamespacedStarStatus", "PATCH", "/apis/example.com/v1/namespaces/{namespace}/stars/{name}/status")
    .resource("example.com", "v1", "stars")
    .kind("Star")
    .subresource("status")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
pub const LIST_ALL_NAMESPACES: Operation = LIST.sibling(Verb::List, "listExampleComV1StarForAllNamespaces", "GET", "/apis/example.com/v1/stars");
impl Listable for crate::example_com_v1::Star
impl Watchable for crate::example_com_v1::Star {}
impl Gettable for crate::example_com_v1::Star
impl Creatable for crate::example_com_v1::Star
impl Replaceable for crate::example_com_v1::Star
impl Patchable for crate::example_com_v1::Star
impl Deletable for crate::example_com_v1::Star
impl CollectionDeletable for crate::example_com_v1::Star
impl HasStatus for crate::example_com_v1::Star

// file: src/example_com_v1/types/galaxy.rs
/// Kind `Galaxy` of `example.com/v1`. Schema `com.example.v1.Galaxy`. Requests:
/// [`galaxies`](crate::example_com_v1::galaxies).
#[derive(Clone, PartialEq)]
pub struct Galaxy {
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
    /// No type.
    ///
    /// Apply replaces the whole value.
    pub spec: Option<RawJson>,
}
impl Galaxy {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Galaxy
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Galaxy";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Galaxy
    const PLURAL: &'static str = "galaxies";
impl AnyResource for Galaxy
static TABLE: codec::Table =
    codec::Table::new("Galaxy", "! apiVersion kind metadata! spec!!").identities(&[codec::Identity::new("example.com/v1", "Galaxy")]).merge(&[
        (3, codec::Merge::USUAL.atomic()),
    ]);

// file: src/example_com_v1/types/galaxy_list.rs
/// GalaxyList is a list of Galaxy
///
/// Kind `GalaxyList` of `example.com/v1`. Schema `com.example.v1.GalaxyList`.
#[derive(Clone, PartialEq)]
pub struct GalaxyList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of galaxies. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Galaxy>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl GalaxyList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for GalaxyList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "GalaxyList";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for GalaxyList
static TABLE: codec::Table =
    codec::Table::new("GalaxyList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1", "GalaxyList")]);

// file: src/example_com_v1/types/mod.rs
pub use galaxy::Galaxy;
pub use galaxy_list::GalaxyList;
pub use star::Star;
pub use star_list::StarList;
pub use star_spec::StarSpec;
pub use star_spec_class::StarSpecClass;

// file: src/example_com_v1/types/star.rs
/// A star.
///
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
    /// `spec`.
    pub spec: Option<Box<StarSpec>>,
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
    codec::Table::new("Star", "! apiVersion kind metadata! spec").identities(&[codec::Identity::new("example.com/v1", "Star")]);

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

// file: src/example_com_v1/types/star_spec.rs
/// Schema `com.example.v1.Star/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct StarSpec {
    /// One of `O`, `y`, `on`.
    pub class: StarSpecClass,
    /// `orbit`.
    pub orbit: Option<RawJson>,
    /// At least 0.
    pub planets: Option<i32>,
    /// `port`.
    pub port: Option<Int64OrString>,
}
static TABLE: codec::Table =
    codec::Table::new("StarSpec", "! class! orbit!! planets port");

// file: src/example_com_v1/types/star_spec_class.rs
/// Schema `com.example.v1.Star/properties/spec/properties/class`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum StarSpecClass {
    /// `O`
    O,
    /// `y`
    Y,
    /// `on`
    On,
    /// A value that the document does not list.
    Other(String),
}
impl StarSpecClass {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::O => "O",
            Self::Y => "y",
            Self::On => "on",
}
impl From<&str> for StarSpecClass
            "O" => Self::O,
            "y" => Self::Y,
            "on" => Self::On,
kapigen_runtime::__private::open_enum!(StarSpecClass);

