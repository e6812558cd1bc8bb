// file: notes.txt
note    crd.yaml:21:17: the field is `field_2`: cannot derive a Rust name from `()`; give it a name in groups.yaml: `rename: { "com.example.v1.Star/properties/spec.()": name }`
note    crd.yaml:22:17: the field is `field_3`: cannot derive a Rust name from `*`; give it a name in groups.yaml: `rename: { "com.example.v1.Star/properties/spec.*": name }`
note    crd.yaml:20:17: the field is `field_4`: cannot derive a Rust name from `{}`; give it a name in groups.yaml: `rename: { "com.example.v1.Star/properties/spec.{}": name }`
note    crd.yaml:22:50: the field is `field`: cannot derive a Rust name from `-`; give it a name in groups.yaml: `rename: { "com.example.v1.Star/properties/spec/properties/*.-": name }`

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
"schema":{
"openAPIV3Schema":{
"type":"object",
"properties":{
"spec":{
"type":"object",
"properties":{
"{}":{
"type":"string"
},
"()":{
"type":"string"
},
"*":{
"type":"object",
"properties":{"-":{"type":"string"}}
},
"field":{
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
pub use star_spec_field3::StarSpecField3;

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
/// Schema `com.example.v1.Star/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct StarSpec {
    /// `()`.
    pub field_2: Option<String>,
    /// `*`.
    pub field_3: Option<Box<StarSpecField3>>,
    /// `field`.
    pub field: Option<String>,
    /// `{}`.
    pub field_4: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("StarSpec", "! () * field {}");

// file: src/example_com_v1/types/star_spec_field3.rs
/// Schema `com.example.v1.Star/properties/spec/properties/*`.
#[derive(Clone, Default, PartialEq)]
pub struct StarSpecField3 {
    /// `-`.
    pub field: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("StarSpecField3", "! -");

