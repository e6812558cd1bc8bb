// file: src/definitions/planets_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"planets.example.com"
},
"spec":{
"group":"example.com",
"scope":"Cluster",
"names":{
"plural":"planets",
"kind":"Planet"
},
"versions":[
{
"name":"v1beta1",
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

// file: src/definitions/stars_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"stars.example.com",
"annotations":{
"example.com/kept":"yes"
}
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
"name":"v1beta1",
"served":true,
"storage":false,
"deprecated":true,
"deprecationWarning":"`v1beta1` is *old*: use [v1]",
"subresources":{
"status":{}
},
"schema":{
"openAPIV3Schema":{
"type":"object",
"properties":{
"spec":{
"type":"object",
"properties":{
"mass":{
"type":"integer"
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
"deprecated":true,
"schema":{
"openAPIV3Schema":{
"type":"object"
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
},
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
"properties":{
"mass":{
"type":"integer"
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
pub const LIST_ALL_NAMESPACES: Operation = LIST.sibling(Verb::List, "listExampleComV1StarForAllNamespaces", "GET", "/apis/example.com/v1/stars");
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
pub use star_spec::StarSpec;

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
/// Schema `com.example.v1.Star/properties/spec`, and an identical one.
#[derive(Clone, Default, PartialEq)]
pub struct StarSpec {
    /// `mass`.
    pub mass: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("StarSpec", "! mass");

// file: src/example_com_v1alpha1/mod.rs
//! `example.com/v1alpha1`: types, and a module of requests for each resource.
#[deprecated(note = "example.com/v1alpha1 Star is deprecated")]
pub mod stars;
pub use types::*;

// file: src/example_com_v1alpha1/stars.rs
//! Requests for `stars`, the objects of the [kind `Star`](super::Star).
/// list objects of kind Star
///
/// `GET /apis/example.com/v1alpha1/namespaces/{namespace}/stars`. Responses: 200. RBAC: `list` on
/// `stars`. [Errors](self#errors).
#[doc(alias = "listExampleComV1alpha1NamespacedStar")]
pub fn list(namespace: &str, params: &ListParams) -> Result<Request<StarList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1alpha1/namespaces/{namespace}/stars?watch=true`. Responses: 200. RBAC:
/// `watch` on `stars`. [Errors](self#errors).
#[doc(alias = "listExampleComV1alpha1NamespacedStar")]
pub fn watch(namespace: &str, params: &WatchParams) -> Result<Request<Watch<Star>>, Error>
/// create a Star
///
/// `POST /apis/example.com/v1alpha1/namespaces/{namespace}/stars`. Responses: 200, 201, 202. RBAC:
/// `create` on `stars`. [Errors](self#errors).
#[doc(alias = "createExampleComV1alpha1NamespacedStar")]
pub fn create(namespace: &str, body: &Star, params: &CreateParams) -> Result<Request<Star>, Error>
/// delete collection of Star
///
/// `DELETE /apis/example.com/v1alpha1/namespaces/{namespace}/stars`. Responses: 200. RBAC:
/// `deletecollection` on `stars`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1alpha1CollectionNamespacedStar")]
pub fn delete_collection(namespace: &str, params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<StarList>>, Error>
/// read the specified Star
///
/// `GET /apis/example.com/v1alpha1/namespaces/{namespace}/stars/{name}`. Responses: 200. RBAC: `get` on
/// `stars`. [Errors](self#errors).
#[doc(alias = "readExampleComV1alpha1NamespacedStar")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Star>, Error>
/// replace the specified Star
///
/// `PUT /apis/example.com/v1alpha1/namespaces/{namespace}/stars/{name}`. Responses: 200, 201. RBAC:
/// `update` on `stars`. [Errors](self#errors).
#[doc(alias = "replaceExampleComV1alpha1NamespacedStar")]
pub fn replace(namespace: &str, name: &str, body: &Star, params: &ReplaceParams) -> Result<Request<Star>, Error>
/// delete a Star
///
/// `DELETE /apis/example.com/v1alpha1/namespaces/{namespace}/stars/{name}`. Responses: 200, 202. RBAC:
/// `delete` on `stars`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1alpha1NamespacedStar")]
pub fn delete(namespace: &str, name: &str, params: &DeleteParams) -> Result<Request<Deleted<Star>>, Error>
/// partially update the specified Star
///
/// `PATCH /apis/example.com/v1alpha1/namespaces/{namespace}/stars/{name}`. Responses: 200. RBAC:
/// `patch` on `stars`. [Errors](self#errors).
#[doc(alias = "patchExampleComV1alpha1NamespacedStar")]
pub fn patch(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Star>, Error>
/// list objects of kind Star
///
/// `GET /apis/example.com/v1alpha1/stars`. Responses: 200. RBAC: `list` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1alpha1StarForAllNamespaces")]
pub fn list_all_namespaces(params: &ListParams) -> Result<Request<StarList>, Error>
/// Watches what [`list_all_namespaces`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1alpha1/stars?watch=true`. Responses: 200. RBAC: `watch` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1alpha1StarForAllNamespaces")]
pub fn watch_all_namespaces(params: &WatchParams) -> Result<Request<Watch<Star>>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1alpha1NamespacedStar", "GET", "/apis/example.com/v1alpha1/namespaces/{namespace}/stars")
    .resource("example.com", "v1alpha1", "stars")
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
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1alpha1NamespacedStar", "POST", "/apis/example.com/v1alpha1/namespaces/{namespace}/stars")
    .resource("example.com", "v1alpha1", "stars")
    .kind("Star")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1alpha1CollectionNamespacedStar", "DELETE", "/apis/example.com/v1alpha1/namespaces/{namespace}/stars")
    .resource("example.com", "v1alpha1", "stars")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1alpha1NamespacedStar", "GET", "/apis/example.com/v1alpha1/namespaces/{namespace}/stars/{name}")
    .resource("example.com", "v1alpha1", "stars")
    .kind("Star")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1alpha1NamespacedStar", "PUT", "/apis/example.com/v1alpha1/namespaces/{namespace}/stars/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1alpha1NamespacedStar", "DELETE", "/apis/example.com/v1alpha1/namespaces/{namespace}/stars/{name}")
    .resource("example.com", "v1alpha1", "stars")
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
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1alpha1NamespacedStar", "PATCH", "/apis/example.com/v1alpha1/namespaces/{namespace}/stars/{name}")
    .resource("example.com", "v1alpha1", "stars")
    .kind("Star")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
pub const LIST_ALL_NAMESPACES: Operation = LIST.sibling(Verb::List, "listExampleComV1alpha1StarForAllNamespaces", "GET", "/apis/example.com/v1alpha1/stars");
impl Listable for crate::example_com_v1alpha1::Star
impl Watchable for crate::example_com_v1alpha1::Star {}
impl Gettable for crate::example_com_v1alpha1::Star
impl Creatable for crate::example_com_v1alpha1::Star
impl Replaceable for crate::example_com_v1alpha1::Star
impl Patchable for crate::example_com_v1alpha1::Star
impl Deletable for crate::example_com_v1alpha1::Star
impl CollectionDeletable for crate::example_com_v1alpha1::Star

// file: src/example_com_v1alpha1/types/mod.rs
pub use star::Star;
pub use star_list::StarList;

// file: src/example_com_v1alpha1/types/star.rs
/// Kind `Star` of `example.com/v1alpha1`. Schema `com.example.v1alpha1.Star`. Requests:
/// [`stars`](crate::example_com_v1alpha1::stars).
#[deprecated(note = "example.com/v1alpha1 Star is deprecated")]
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
    const VERSION: &'static str = "v1alpha1";
    const KIND: &'static str = "Star";
    const API_VERSION: &'static str = "example.com/v1alpha1";
impl Resource for Star
    const PLURAL: &'static str = "stars";
impl AnyResource for Star
static TABLE: codec::Table =
    codec::Table::new("Star", "! apiVersion kind metadata!").identities(&[codec::Identity::new("example.com/v1alpha1", "Star")]);

// file: src/example_com_v1alpha1/types/star_list.rs
/// StarList is a list of Star
///
/// Kind `StarList` of `example.com/v1alpha1`. Schema `com.example.v1alpha1.StarList`.
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
    const VERSION: &'static str = "v1alpha1";
    const KIND: &'static str = "StarList";
    const API_VERSION: &'static str = "example.com/v1alpha1";
impl ResourceList for StarList
static TABLE: codec::Table =
    codec::Table::new("StarList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1alpha1", "StarList")]);

// file: src/example_com_v1beta1/mod.rs
//! `example.com/v1beta1`: types, and a module of requests for each resource.
pub mod planets;
#[deprecated(note = "`v1beta1` is \\*old\\*: use \\[v1\\]")]
pub mod stars;
pub use types::*;

// file: src/example_com_v1beta1/planets.rs
//! Requests for `planets`, the objects of the [kind `Planet`](super::Planet).
/// list objects of kind Planet
///
/// `GET /apis/example.com/v1beta1/planets`. Responses: 200. RBAC: `list` on `planets`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1beta1Planet")]
pub fn list(params: &ListParams) -> Result<Request<PlanetList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1beta1/planets?watch=true`. Responses: 200. RBAC: `watch` on `planets`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1beta1Planet")]
pub fn watch(params: &WatchParams) -> Result<Request<Watch<Planet>>, Error>
/// create a Planet
///
/// `POST /apis/example.com/v1beta1/planets`. Responses: 200, 201, 202. RBAC: `create` on `planets`.
/// [Errors](self#errors).
#[doc(alias = "createExampleComV1beta1Planet")]
pub fn create(body: &Planet, params: &CreateParams) -> Result<Request<Planet>, Error>
/// delete collection of Planet
///
/// `DELETE /apis/example.com/v1beta1/planets`. Responses: 200. RBAC: `deletecollection` on `planets`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1beta1CollectionPlanet")]
pub fn delete_collection(params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<PlanetList>>, Error>
/// read the specified Planet
///
/// `GET /apis/example.com/v1beta1/planets/{name}`. Responses: 200. RBAC: `get` on `planets`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1beta1Planet")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Planet>, Error>
/// replace the specified Planet
///
/// `PUT /apis/example.com/v1beta1/planets/{name}`. Responses: 200, 201. RBAC: `update` on `planets`.
/// [Errors](self#errors).
#[doc(alias = "replaceExampleComV1beta1Planet")]
pub fn replace(name: &str, body: &Planet, params: &ReplaceParams) -> Result<Request<Planet>, Error>
/// delete a Planet
///
/// `DELETE /apis/example.com/v1beta1/planets/{name}`. Responses: 200, 202. RBAC: `delete` on `planets`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1beta1Planet")]
pub fn delete(name: &str, params: &DeleteParams) -> Result<Request<Deleted<Planet>>, Error>
/// partially update the specified Planet
///
/// `PATCH /apis/example.com/v1beta1/planets/{name}`. Responses: 200. RBAC: `patch` on `planets`.
/// [Errors](self#errors).
#[doc(alias = "patchExampleComV1beta1Planet")]
pub fn patch(name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Planet>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1beta1Planet", "GET", "/apis/example.com/v1beta1/planets")
    .resource("example.com", "v1beta1", "planets")
    .kind("Planet")
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
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1beta1Planet", "POST", "/apis/example.com/v1beta1/planets")
    .resource("example.com", "v1beta1", "planets")
    .kind("Planet")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1beta1CollectionPlanet", "DELETE", "/apis/example.com/v1beta1/planets")
    .resource("example.com", "v1beta1", "planets")
    .kind("Planet")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1beta1Planet", "GET", "/apis/example.com/v1beta1/planets/{name}")
    .resource("example.com", "v1beta1", "planets")
    .kind("Planet")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1beta1Planet", "PUT", "/apis/example.com/v1beta1/planets/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1beta1Planet", "DELETE", "/apis/example.com/v1beta1/planets/{name}")
    .resource("example.com", "v1beta1", "planets")
    .kind("Planet")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1beta1Planet", "PATCH", "/apis/example.com/v1beta1/planets/{name}")
    .resource("example.com", "v1beta1", "planets")
    .kind("Planet")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1beta1::Planet
impl Watchable for crate::example_com_v1beta1::Planet {}
impl Gettable for crate::example_com_v1beta1::Planet
impl Creatable for crate::example_com_v1beta1::Planet
impl Replaceable for crate::example_com_v1beta1::Planet
impl Patchable for crate::example_com_v1beta1::Planet
impl Deletable for crate::example_com_v1beta1::Planet
impl CollectionDeletable for crate::example_com_v1beta1::Planet

// file: src/example_com_v1beta1/stars.rs
//! Requests for `stars`, the objects of the [kind `Star`](super::Star).
/// list objects of kind Star
///
/// `GET /apis/example.com/v1beta1/namespaces/{namespace}/stars`. Responses: 200. RBAC: `list` on
/// `stars`. [Errors](self#errors).
#[doc(alias = "listExampleComV1beta1NamespacedStar")]
pub fn list(namespace: &str, params: &ListParams) -> Result<Request<StarList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1beta1/namespaces/{namespace}/stars?watch=true`. Responses: 200. RBAC:
/// `watch` on `stars`. [Errors](self#errors).
#[doc(alias = "listExampleComV1beta1NamespacedStar")]
pub fn watch(namespace: &str, params: &WatchParams) -> Result<Request<Watch<Star>>, Error>
/// create a Star
///
/// `POST /apis/example.com/v1beta1/namespaces/{namespace}/stars`. Responses: 200, 201, 202. RBAC:
/// `create` on `stars`. [Errors](self#errors).
#[doc(alias = "createExampleComV1beta1NamespacedStar")]
pub fn create(namespace: &str, body: &Star, params: &CreateParams) -> Result<Request<Star>, Error>
/// delete collection of Star
///
/// `DELETE /apis/example.com/v1beta1/namespaces/{namespace}/stars`. Responses: 200. RBAC:
/// `deletecollection` on `stars`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1beta1CollectionNamespacedStar")]
pub fn delete_collection(namespace: &str, params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<StarList>>, Error>
/// read the specified Star
///
/// `GET /apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}`. Responses: 200. RBAC: `get` on
/// `stars`. [Errors](self#errors).
#[doc(alias = "readExampleComV1beta1NamespacedStar")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Star>, Error>
/// replace the specified Star
///
/// `PUT /apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}`. Responses: 200, 201. RBAC:
/// `update` on `stars`. [Errors](self#errors).
#[doc(alias = "replaceExampleComV1beta1NamespacedStar")]
pub fn replace(namespace: &str, name: &str, body: &Star, params: &ReplaceParams) -> Result<Request<Star>, Error>
/// delete a Star
///
/// `DELETE /apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}`. Responses: 200, 202. RBAC:
/// `delete` on `stars`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1beta1NamespacedStar")]
pub fn delete(namespace: &str, name: &str, params: &DeleteParams) -> Result<Request<Deleted<Star>>, Error>
/// partially update the specified Star
///
/// `PATCH /apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}`. Responses: 200. RBAC: `patch`
/// on `stars`. [Errors](self#errors).
#[doc(alias = "patchExampleComV1beta1NamespacedStar")]
pub fn patch(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Star>, Error>
/// read status of the specified Star
///
/// `GET /apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}/status`. Responses: 200. RBAC:
/// `get` on `stars/status`. [Errors](self#errors).
#[doc(alias = "readExampleComV1beta1NamespacedStarStatus")]
pub fn get_status(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Star>, Error>
/// replace status of the specified Star
///
/// `PUT /apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}/status`. Responses: 200, 201.
/// RBAC: `update` on `stars/status`. [Errors](self#errors).
#[doc(alias = "replaceExampleComV1beta1NamespacedStarStatus")]
pub fn replace_status(namespace: &str, name: &str, body: &Star, params: &ReplaceParams) -> Result<Request<Star>, Error>
/// partially update status of the specified Star
///
/// `PATCH /apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}/status`. Responses: 200. RBAC:
/// `patch` on `stars/status`. [Errors](self#errors).
#[doc(alias = "patchExampleComV1beta1NamespacedStarStatus")]
pub fn patch_status(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Star>, Error>
/// list objects of kind Star
///
/// `GET /apis/example.com/v1beta1/stars`. Responses: 200. RBAC: `list` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1beta1StarForAllNamespaces")]
pub fn list_all_namespaces(params: &ListParams) -> Result<Request<StarList>, Error>
/// Watches what [`list_all_namespaces`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1beta1/stars?watch=true`. Responses: 200. RBAC: `watch` on `stars`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1beta1StarForAllNamespaces")]
pub fn watch_all_namespaces(params: &WatchParams) -> Result<Request<Watch<Star>>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1beta1NamespacedStar", "GET", "/apis/example.com/v1beta1/namespaces/{namespace}/stars")
    .resource("example.com", "v1beta1", "stars")
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
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1beta1NamespacedStar", "POST", "/apis/example.com/v1beta1/namespaces/{namespace}/stars")
    .resource("example.com", "v1beta1", "stars")
    .kind("Star")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1beta1CollectionNamespacedStar", "DELETE", "/apis/example.com/v1beta1/namespaces/{namespace}/stars")
    .resource("example.com", "v1beta1", "stars")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1beta1NamespacedStar", "GET", "/apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}")
    .resource("example.com", "v1beta1", "stars")
    .kind("Star")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1beta1NamespacedStar", "PUT", "/apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1beta1NamespacedStar", "DELETE", "/apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}")
    .resource("example.com", "v1beta1", "stars")
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
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1beta1NamespacedStar", "PATCH", "/apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}")
    .resource("example.com", "v1beta1", "stars")
    .kind("Star")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
pub const GET_STATUS: Operation = Operation::new(Verb::Get, "readExampleComV1beta1NamespacedStarStatus", "GET", "/apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}/status")
    .resource("example.com", "v1beta1", "stars")
    .kind("Star")
    .subresource("status")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE_STATUS: Operation = Operation::new(Verb::Replace, "replaceExampleComV1beta1NamespacedStarStatus", "PUT", "/apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}/status")
    .resource("example.com", "v1beta1", "stars")
    .kind("Star")
    .subresource("status")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH_STATUS: Operation = Operation::new(Verb::Patch, "patchExampleComV1beta1NamespacedStarStatus", "PATCH", "/apis/example.com/v1beta1/namespaces/{namespace}/stars/{name}/status")
    .resource("example.com", "v1beta1", "stars")
    .kind("Star")
    .subresource("status")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
pub const LIST_ALL_NAMESPACES: Operation = LIST.sibling(Verb::List, "listExampleComV1beta1StarForAllNamespaces", "GET", "/apis/example.com/v1beta1/stars");
impl Listable for crate::example_com_v1beta1::Star
impl Watchable for crate::example_com_v1beta1::Star {}
impl Gettable for crate::example_com_v1beta1::Star
impl Creatable for crate::example_com_v1beta1::Star
impl Replaceable for crate::example_com_v1beta1::Star
impl Patchable for crate::example_com_v1beta1::Star
impl Deletable for crate::example_com_v1beta1::Star
impl CollectionDeletable for crate::example_com_v1beta1::Star
impl HasStatus for crate::example_com_v1beta1::Star

// file: src/example_com_v1beta1/types/mod.rs
pub use planet::Planet;
pub use planet_list::PlanetList;
pub use star::Star;
pub use star_list::StarList;
/// Schema `com.example.v1beta1.Star/properties/spec`, which is the same as that of
/// `example_com_v1::StarSpec`.
#[doc(inline)]
pub use crate::example_com_v1::StarSpec;

// file: src/example_com_v1beta1/types/planet.rs
/// Kind `Planet` of `example.com/v1beta1`. Schema `com.example.v1beta1.Planet`. Requests:
/// [`planets`](crate::example_com_v1beta1::planets).
#[derive(Clone, PartialEq)]
pub struct Planet {
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
impl Planet {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Planet
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1beta1";
    const KIND: &'static str = "Planet";
    const API_VERSION: &'static str = "example.com/v1beta1";
impl Resource for Planet
    const PLURAL: &'static str = "planets";
impl AnyResource for Planet
static TABLE: codec::Table =
    codec::Table::new("Planet", "! apiVersion kind metadata!").identities(&[codec::Identity::new("example.com/v1beta1", "Planet")]);

// file: src/example_com_v1beta1/types/planet_list.rs
/// PlanetList is a list of Planet
///
/// Kind `PlanetList` of `example.com/v1beta1`. Schema `com.example.v1beta1.PlanetList`.
#[derive(Clone, PartialEq)]
pub struct PlanetList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of planets. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Planet>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl PlanetList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for PlanetList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1beta1";
    const KIND: &'static str = "PlanetList";
    const API_VERSION: &'static str = "example.com/v1beta1";
impl ResourceList for PlanetList
static TABLE: codec::Table =
    codec::Table::new("PlanetList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1beta1", "PlanetList")]);

// file: src/example_com_v1beta1/types/star.rs
/// Kind `Star` of `example.com/v1beta1`. Schema `com.example.v1beta1.Star`. Requests:
/// [`stars`](crate::example_com_v1beta1::stars).
#[deprecated(note = "`v1beta1` is \\*old\\*: use \\[v1\\]")]
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
    const VERSION: &'static str = "v1beta1";
    const KIND: &'static str = "Star";
    const API_VERSION: &'static str = "example.com/v1beta1";
impl Resource for Star
    const PLURAL: &'static str = "stars";
impl AnyResource for Star
static TABLE: codec::Table =
    codec::Table::new("Star", "! apiVersion kind metadata! spec").identities(&[codec::Identity::new("example.com/v1beta1", "Star")]);

// file: src/example_com_v1beta1/types/star_list.rs
/// StarList is a list of Star
///
/// Kind `StarList` of `example.com/v1beta1`. Schema `com.example.v1beta1.StarList`.
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
    const VERSION: &'static str = "v1beta1";
    const KIND: &'static str = "StarList";
    const API_VERSION: &'static str = "example.com/v1beta1";
impl ResourceList for StarList
static TABLE: codec::Table =
    codec::Table::new("StarList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1beta1", "StarList")]);

