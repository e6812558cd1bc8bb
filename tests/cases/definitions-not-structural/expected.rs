// file: notes.txt
note    crd.yaml:6:1: `Bare` of example.com/v1 has no schema, and so no members
note    crd.yaml:40:48: no server accepts the schema of `Lump` of example.com/v1: spec.versions[0].schema.openAPIV3Schema.additionalProperties: Forbidden: must not be used at the root, and 1 more
note    crd.yaml:59:15: left out of the schema of `Relic` of example.com/v1, as no server decodes it: spec.versions[0].schema.openAPIV3Schema.properties[spec].required: Invalid value: "boolean": must be a list of strings
note    crd.yaml:61:38: left out of the schema of `Relic` of example.com/v1, as no server decodes it: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[age].exclusiveMinimum: Invalid value: "integer": must be a boolean
note    crd.yaml:62:26: left out of the schema of `Relic` of example.com/v1, as no server decodes it: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[either].type: Invalid value: "array": must be a string
note    crd.yaml:63:17: left out of the schema of `Relic` of example.com/v1, as no server decodes it: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[any]: Invalid value: "boolean": must be a schema
note    crd.yaml:64:43: left out of the schema of `Relic` of example.com/v1, as no server decodes it: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[described].description: Invalid value: "integer": must be a string
note    crd.yaml:65:39: left out of the schema of `Relic` of example.com/v1, as no server decodes it: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[words].enum: Invalid value: "string": must be a list
note    crd.yaml:66:40: left out of the schema of `Relic` of example.com/v1, as no server decodes it: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[broken].properties: Invalid value: "array": must be a map of schemas
note    crd.yaml:73:75: the keyword is left out: `x-kubernetes-map-type` must be one of `atomic`, `granular`, and is `map`
note    crd.yaml:72:59: the keyword is left out: `x-kubernetes-list-type` must be one of `atomic`, `set`, `map`, and is `granular`
note    crd.yaml:69:17: its values are kept as JSON: `allOf` with more than one schema is out of scope; no API server of the Kubernetes family publishes such a schema; correct the document, or leave out what needs it
note    crd.yaml:74:17: its list type is ignored: a list of the list type `map` without keys; name the properties that distinguish its elements in `x-kubernetes-list-map-keys`, or let `x-kubernetes-list-type` be `atomic`
note    crd.yaml:70:17: its values are kept as JSON: an integer or a string cannot have the type `object`; leave out its type, or what makes it an integer or a string
note    crd.yaml:71:17: its values are kept as JSON: an integer or a string cannot have the type `array`; leave out its type, or what makes it an integer or a string
note    crd.yaml:67:17: its values are kept as JSON: an array without `items`; give the schema of its elements; `items: {}` allows any
note    crd.yaml:68:17: its values are kept as JSON: an array without `items`; give the schema of its elements; `items: {}` allows any

// file: src/definitions/bares_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"bares.example.com"
},
"spec":{
"group":"example.com",
"scope":"Namespaced",
"names":{
"plural":"bares",
"kind":"Bare"
},
"versions":[
{
"name":"v1",
"served":true,
"schema":{
"openAPIV3Schema":{
"type":"object",
"x-kubernetes-preserve-unknown-fields":true
}
},
"storage":true
}
]
}
}

// file: src/definitions/blobs_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"blobs.example.com"
},
"spec":{
"group":"example.com",
"scope":"Namespaced",
"names":{
"plural":"blobs",
"kind":"Blob"
},
"versions":[
{
"name":"v1",
"served":true,
"storage":true,
"schema":{
"openAPIV3Schema":{
"type":"object",
"x-kubernetes-preserve-unknown-fields":true,
"properties":{
"spec":{
"type":"object",
"properties":{
"size":{
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

// file: src/definitions/lumps_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"lumps.example.com"
},
"spec":{
"group":"example.com",
"scope":"Cluster",
"names":{
"plural":"lumps",
"kind":"Lump"
},
"versions":[
{
"name":"v1",
"served":true,
"storage":true,
"schema":{
"openAPIV3Schema":{
"type":"string",
"additionalProperties":true,
"properties":{
"size":{
"type":"integer"
}
}
}
}
}
]
}
}

// file: src/definitions/relics_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"relics.example.com"
},
"spec":{
"group":"example.com",
"scope":"Namespaced",
"names":{
"plural":"relics",
"kind":"Relic"
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
"required":true,
"properties":{
"age":{
"type":"integer",
"exclusiveMinimum":0
},
"either":{
"type":["string","null"]
},
"any":true,
"described":{
"type":"string",
"description":7
},
"words":{
"type":"string",
"enum":"one"
},
"broken":{
"type":"object",
"properties":["a","b"]
},
"rows":{
"type":"array"
},
"tuple":{
"type":"array",
"items":[{"type":"string"},{"type":"integer"}]
},
"both":{
"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]
},
"port":{
"type":"object",
"x-kubernetes-int-or-string":true
},
"ports":{
"type":"array",
"format":"int-or-string",
"items":{"type":"string"}
},
"set":{
"type":"array",
"items":{"type":"string"},
"x-kubernetes-list-type":"granular"
},
"map":{
"type":"object",
"additionalProperties":{"type":"string"},
"x-kubernetes-map-type":"map"
},
"keyed":{
"type":"array",
"x-kubernetes-list-type":"map",
"items":{"type":"object","properties":{"name":{"type":"string"}}}
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

// file: src/example_com_v1/bares.rs
//! Requests for `bares`, the objects of the [kind `Bare`](super::Bare).
/// list objects of kind Bare
///
/// `GET /apis/example.com/v1/bares`. Responses: 200. RBAC: `list` on `bares`. [Errors](self#errors).
#[doc(alias = "listExampleComV1BareForAllNamespaces")]
pub fn list_all_namespaces(params: &ListParams) -> Result<Request<BareList>, Error>
/// Watches what [`list_all_namespaces`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/bares?watch=true`. Responses: 200. RBAC: `watch` on `bares`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1BareForAllNamespaces")]
pub fn watch_all_namespaces(params: &WatchParams) -> Result<Request<Watch<Bare>>, Error>
/// list objects of kind Bare
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/bares`. Responses: 200. RBAC: `list` on `bares`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1NamespacedBare")]
pub fn list(namespace: &str, params: &ListParams) -> Result<Request<BareList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/bares?watch=true`. Responses: 200. RBAC: `watch` on
/// `bares`. [Errors](self#errors).
#[doc(alias = "listExampleComV1NamespacedBare")]
pub fn watch(namespace: &str, params: &WatchParams) -> Result<Request<Watch<Bare>>, Error>
/// create a Bare
///
/// `POST /apis/example.com/v1/namespaces/{namespace}/bares`. Responses: 200, 201, 202. RBAC: `create`
/// on `bares`. [Errors](self#errors).
#[doc(alias = "createExampleComV1NamespacedBare")]
pub fn create(namespace: &str, body: &Bare, params: &CreateParams) -> Result<Request<Bare>, Error>
/// delete collection of Bare
///
/// `DELETE /apis/example.com/v1/namespaces/{namespace}/bares`. Responses: 200. RBAC: `deletecollection`
/// on `bares`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1CollectionNamespacedBare")]
pub fn delete_collection(namespace: &str, params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<BareList>>, Error>
/// read the specified Bare
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/bares/{name}`. Responses: 200. RBAC: `get` on
/// `bares`. [Errors](self#errors).
#[doc(alias = "readExampleComV1NamespacedBare")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Bare>, Error>
/// replace the specified Bare
///
/// `PUT /apis/example.com/v1/namespaces/{namespace}/bares/{name}`. Responses: 200, 201. RBAC: `update`
/// on `bares`. [Errors](self#errors).
#[doc(alias = "replaceExampleComV1NamespacedBare")]
pub fn replace(namespace: &str, name: &str, body: &Bare, params: &ReplaceParams) -> Result<Request<Bare>, Error>
/// delete a Bare
///
/// `DELETE /apis/example.com/v1/namespaces/{namespace}/bares/{name}`. Responses: 200, 202. RBAC:
/// `delete` on `bares`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1NamespacedBare")]
pub fn delete(namespace: &str, name: &str, params: &DeleteParams) -> Result<Request<Deleted<Bare>>, Error>
/// partially update the specified Bare
///
/// `PATCH /apis/example.com/v1/namespaces/{namespace}/bares/{name}`. Responses: 200. RBAC: `patch` on
/// `bares`. [Errors](self#errors).
#[doc(alias = "patchExampleComV1NamespacedBare")]
pub fn patch(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Bare>, Error>
pub const LIST_ALL_NAMESPACES: Operation = Operation::new(Verb::List, "listExampleComV1BareForAllNamespaces", "GET", "/apis/example.com/v1/bares")
    .resource("example.com", "v1", "bares")
    .kind("Bare")
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
pub const LIST: Operation = LIST_ALL_NAMESPACES.sibling(Verb::List, "listExampleComV1NamespacedBare", "GET", "/apis/example.com/v1/namespaces/{namespace}/bares");
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1NamespacedBare", "POST", "/apis/example.com/v1/namespaces/{namespace}/bares")
    .resource("example.com", "v1", "bares")
    .kind("Bare")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1CollectionNamespacedBare", "DELETE", "/apis/example.com/v1/namespaces/{namespace}/bares")
    .resource("example.com", "v1", "bares")
    .kind("Bare")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1NamespacedBare", "GET", "/apis/example.com/v1/namespaces/{namespace}/bares/{name}")
    .resource("example.com", "v1", "bares")
    .kind("Bare")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1NamespacedBare", "PUT", "/apis/example.com/v1/namespaces/{namespace}/bares/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1NamespacedBare", "DELETE", "/apis/example.com/v1/namespaces/{namespace}/bares/{name}")
    .resource("example.com", "v1", "bares")
    .kind("Bare")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1NamespacedBare", "PATCH", "/apis/example.com/v1/namespaces/{namespace}/bares/{name}")
    .resource("example.com", "v1", "bares")
    .kind("Bare")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1::Bare
impl Watchable for crate::example_com_v1::Bare {}
impl Gettable for crate::example_com_v1::Bare
impl Creatable for crate::example_com_v1::Bare
impl Replaceable for crate::example_com_v1::Bare
impl Patchable for crate::example_com_v1::Bare
impl Deletable for crate::example_com_v1::Bare
impl CollectionDeletable for crate::example_com_v1::Bare

// file: src/example_com_v1/blobs.rs
//! Requests for `blobs`, the objects of the [kind `Blob`](super::Blob).
/// list objects of kind Blob
///
/// `GET /apis/example.com/v1/blobs`. Responses: 200. RBAC: `list` on `blobs`. [Errors](self#errors).
#[doc(alias = "listExampleComV1BlobForAllNamespaces")]
pub fn list_all_namespaces(params: &ListParams) -> Result<Request<BlobList>, Error>
/// Watches what [`list_all_namespaces`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/blobs?watch=true`. Responses: 200. RBAC: `watch` on `blobs`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1BlobForAllNamespaces")]
pub fn watch_all_namespaces(params: &WatchParams) -> Result<Request<Watch<Blob>>, Error>
/// list objects of kind Blob
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/blobs`. Responses: 200. RBAC: `list` on `blobs`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1NamespacedBlob")]
pub fn list(namespace: &str, params: &ListParams) -> Result<Request<BlobList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/blobs?watch=true`. Responses: 200. RBAC: `watch` on
/// `blobs`. [Errors](self#errors).
#[doc(alias = "listExampleComV1NamespacedBlob")]
pub fn watch(namespace: &str, params: &WatchParams) -> Result<Request<Watch<Blob>>, Error>
/// create a Blob
///
/// `POST /apis/example.com/v1/namespaces/{namespace}/blobs`. Responses: 200, 201, 202. RBAC: `create`
/// on `blobs`. [Errors](self#errors).
#[doc(alias = "createExampleComV1NamespacedBlob")]
pub fn create(namespace: &str, body: &Blob, params: &CreateParams) -> Result<Request<Blob>, Error>
/// delete collection of Blob
///
/// `DELETE /apis/example.com/v1/namespaces/{namespace}/blobs`. Responses: 200. RBAC: `deletecollection`
/// on `blobs`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1CollectionNamespacedBlob")]
pub fn delete_collection(namespace: &str, params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<BlobList>>, Error>
/// read the specified Blob
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/blobs/{name}`. Responses: 200. RBAC: `get` on
/// `blobs`. [Errors](self#errors).
#[doc(alias = "readExampleComV1NamespacedBlob")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Blob>, Error>
/// replace the specified Blob
///
/// `PUT /apis/example.com/v1/namespaces/{namespace}/blobs/{name}`. Responses: 200, 201. RBAC: `update`
/// on `blobs`. [Errors](self#errors).
#[doc(alias = "replaceExampleComV1NamespacedBlob")]
pub fn replace(namespace: &str, name: &str, body: &Blob, params: &ReplaceParams) -> Result<Request<Blob>, Error>
/// delete a Blob
///
/// `DELETE /apis/example.com/v1/namespaces/{namespace}/blobs/{name}`. Responses: 200, 202. RBAC:
/// `delete` on `blobs`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1NamespacedBlob")]
pub fn delete(namespace: &str, name: &str, params: &DeleteParams) -> Result<Request<Deleted<Blob>>, Error>
/// partially update the specified Blob
///
/// `PATCH /apis/example.com/v1/namespaces/{namespace}/blobs/{name}`. Responses: 200. RBAC: `patch` on
/// `blobs`. [Errors](self#errors).
#[doc(alias = "patchExampleComV1NamespacedBlob")]
pub fn patch(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Blob>, Error>
pub const LIST_ALL_NAMESPACES: Operation = Operation::new(Verb::List, "listExampleComV1BlobForAllNamespaces", "GET", "/apis/example.com/v1/blobs")
    .resource("example.com", "v1", "blobs")
    .kind("Blob")
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
pub const LIST: Operation = LIST_ALL_NAMESPACES.sibling(Verb::List, "listExampleComV1NamespacedBlob", "GET", "/apis/example.com/v1/namespaces/{namespace}/blobs");
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1NamespacedBlob", "POST", "/apis/example.com/v1/namespaces/{namespace}/blobs")
    .resource("example.com", "v1", "blobs")
    .kind("Blob")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1CollectionNamespacedBlob", "DELETE", "/apis/example.com/v1/namespaces/{namespace}/blobs")
    .resource("example.com", "v1", "blobs")
    .kind("Blob")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1NamespacedBlob", "GET", "/apis/example.com/v1/namespaces/{namespace}/blobs/{name}")
    .resource("example.com", "v1", "blobs")
    .kind("Blob")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1NamespacedBlob", "PUT", "/apis/example.com/v1/namespaces/{namespace}/blobs/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1NamespacedBlob", "DELETE", "/apis/example.com/v1/namespaces/{namespace}/blobs/{name}")
    .resource("example.com", "v1", "blobs")
    .kind("Blob")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1NamespacedBlob", "PATCH", "/apis/example.com/v1/namespaces/{namespace}/blobs/{name}")
    .resource("example.com", "v1", "blobs")
    .kind("Blob")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1::Blob
impl Watchable for crate::example_com_v1::Blob {}
impl Gettable for crate::example_com_v1::Blob
impl Creatable for crate::example_com_v1::Blob
impl Replaceable for crate::example_com_v1::Blob
impl Patchable for crate::example_com_v1::Blob
impl Deletable for crate::example_com_v1::Blob
impl CollectionDeletable for crate::example_com_v1::Blob

// file: src/example_com_v1/lumps.rs
//! Requests for `lumps`, the objects of the [kind `Lump`](super::Lump).
/// list objects of kind Lump
///
/// `GET /apis/example.com/v1/lumps`. Responses: 200. RBAC: `list` on `lumps`. [Errors](self#errors).
#[doc(alias = "listExampleComV1Lump")]
pub fn list(params: &ListParams) -> Result<Request<LumpList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/lumps?watch=true`. Responses: 200. RBAC: `watch` on `lumps`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1Lump")]
pub fn watch(params: &WatchParams) -> Result<Request<Watch<Lump>>, Error>
/// create a Lump
///
/// `POST /apis/example.com/v1/lumps`. Responses: 200, 201, 202. RBAC: `create` on `lumps`.
/// [Errors](self#errors).
#[doc(alias = "createExampleComV1Lump")]
pub fn create(body: &Lump, params: &CreateParams) -> Result<Request<Lump>, Error>
/// delete collection of Lump
///
/// `DELETE /apis/example.com/v1/lumps`. Responses: 200. RBAC: `deletecollection` on `lumps`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1CollectionLump")]
pub fn delete_collection(params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<LumpList>>, Error>
/// read the specified Lump
///
/// `GET /apis/example.com/v1/lumps/{name}`. Responses: 200. RBAC: `get` on `lumps`.
/// [Errors](self#errors).
#[doc(alias = "readExampleComV1Lump")]
pub fn get(name: &str, params: &GetParams) -> Result<Request<Lump>, Error>
/// replace the specified Lump
///
/// `PUT /apis/example.com/v1/lumps/{name}`. Responses: 200, 201. RBAC: `update` on `lumps`.
/// [Errors](self#errors).
#[doc(alias = "replaceExampleComV1Lump")]
pub fn replace(name: &str, body: &Lump, params: &ReplaceParams) -> Result<Request<Lump>, Error>
/// delete a Lump
///
/// `DELETE /apis/example.com/v1/lumps/{name}`. Responses: 200, 202. RBAC: `delete` on `lumps`.
/// [Errors](self#errors).
#[doc(alias = "deleteExampleComV1Lump")]
pub fn delete(name: &str, params: &DeleteParams) -> Result<Request<Deleted<Lump>>, Error>
/// partially update the specified Lump
///
/// `PATCH /apis/example.com/v1/lumps/{name}`. Responses: 200. RBAC: `patch` on `lumps`.
/// [Errors](self#errors).
#[doc(alias = "patchExampleComV1Lump")]
pub fn patch(name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Lump>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1Lump", "GET", "/apis/example.com/v1/lumps")
    .resource("example.com", "v1", "lumps")
    .kind("Lump")
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
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1Lump", "POST", "/apis/example.com/v1/lumps")
    .resource("example.com", "v1", "lumps")
    .kind("Lump")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1CollectionLump", "DELETE", "/apis/example.com/v1/lumps")
    .resource("example.com", "v1", "lumps")
    .kind("Lump")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1Lump", "GET", "/apis/example.com/v1/lumps/{name}")
    .resource("example.com", "v1", "lumps")
    .kind("Lump")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1Lump", "PUT", "/apis/example.com/v1/lumps/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1Lump", "DELETE", "/apis/example.com/v1/lumps/{name}")
    .resource("example.com", "v1", "lumps")
    .kind("Lump")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1Lump", "PATCH", "/apis/example.com/v1/lumps/{name}")
    .resource("example.com", "v1", "lumps")
    .kind("Lump")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::example_com_v1::Lump
impl Watchable for crate::example_com_v1::Lump {}
impl Gettable for crate::example_com_v1::Lump
impl Creatable for crate::example_com_v1::Lump
impl Replaceable for crate::example_com_v1::Lump
impl Patchable for crate::example_com_v1::Lump
impl Deletable for crate::example_com_v1::Lump
impl CollectionDeletable for crate::example_com_v1::Lump

// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod bares;
pub mod blobs;
pub mod lumps;
pub mod relics;
pub use types::*;

// file: src/example_com_v1/relics.rs
//! Requests for `relics`, the objects of the [kind `Relic`](super::Relic).
/// list objects of kind Relic
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/relics`. Responses: 200. RBAC: `list` on `relics`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1NamespacedRelic")]
pub fn list(namespace: &str, params: &ListParams) -> Result<Request<RelicList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/relics?watch=true`. Responses: 200. RBAC: `watch`
/// on `relics`. [Errors](self#errors).
#[doc(alias = "listExampleComV1NamespacedRelic")]
pub fn watch(namespace: &str, params: &WatchParams) -> Result<Request<Watch<Relic>>, Error>
/// create a Relic
///
/// `POST /apis/example.com/v1/namespaces/{namespace}/relics`. Responses: 200, 201, 202. RBAC: `create`
/// on `relics`. [Errors](self#errors).
#[doc(alias = "createExampleComV1NamespacedRelic")]
pub fn create(namespace: &str, body: &Relic, params: &CreateParams) -> Result<Request<Relic>, Error>
/// delete collection of Relic
///
/// `DELETE /apis/example.com/v1/namespaces/{namespace}/relics`. Responses: 200. RBAC:
/// `deletecollection` on `relics`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1CollectionNamespacedRelic")]
pub fn delete_collection(namespace: &str, params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<RelicList>>, Error>
/// read the specified Relic
///
/// `GET /apis/example.com/v1/namespaces/{namespace}/relics/{name}`. Responses: 200. RBAC: `get` on
/// `relics`. [Errors](self#errors).
#[doc(alias = "readExampleComV1NamespacedRelic")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Relic>, Error>
/// replace the specified Relic
///
/// `PUT /apis/example.com/v1/namespaces/{namespace}/relics/{name}`. Responses: 200, 201. RBAC: `update`
/// on `relics`. [Errors](self#errors).
#[doc(alias = "replaceExampleComV1NamespacedRelic")]
pub fn replace(namespace: &str, name: &str, body: &Relic, params: &ReplaceParams) -> Result<Request<Relic>, Error>
/// delete a Relic
///
/// `DELETE /apis/example.com/v1/namespaces/{namespace}/relics/{name}`. Responses: 200, 202. RBAC:
/// `delete` on `relics`. [Errors](self#errors).
#[doc(alias = "deleteExampleComV1NamespacedRelic")]
pub fn delete(namespace: &str, name: &str, params: &DeleteParams) -> Result<Request<Deleted<Relic>>, Error>
/// partially update the specified Relic
///
/// `PATCH /apis/example.com/v1/namespaces/{namespace}/relics/{name}`. Responses: 200. RBAC: `patch` on
/// `relics`. [Errors](self#errors).
#[doc(alias = "patchExampleComV1NamespacedRelic")]
pub fn patch(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Relic>, Error>
/// list objects of kind Relic
///
/// `GET /apis/example.com/v1/relics`. Responses: 200. RBAC: `list` on `relics`. [Errors](self#errors).
#[doc(alias = "listExampleComV1RelicForAllNamespaces")]
pub fn list_all_namespaces(params: &ListParams) -> Result<Request<RelicList>, Error>
/// Watches what [`list_all_namespaces`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/relics?watch=true`. Responses: 200. RBAC: `watch` on `relics`.
/// [Errors](self#errors).
#[doc(alias = "listExampleComV1RelicForAllNamespaces")]
pub fn watch_all_namespaces(params: &WatchParams) -> Result<Request<Watch<Relic>>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listExampleComV1NamespacedRelic", "GET", "/apis/example.com/v1/namespaces/{namespace}/relics")
    .resource("example.com", "v1", "relics")
    .kind("Relic")
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
pub const CREATE: Operation = Operation::new(Verb::Create, "createExampleComV1NamespacedRelic", "POST", "/apis/example.com/v1/namespaces/{namespace}/relics")
    .resource("example.com", "v1", "relics")
    .kind("Relic")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteExampleComV1CollectionNamespacedRelic", "DELETE", "/apis/example.com/v1/namespaces/{namespace}/relics")
    .resource("example.com", "v1", "relics")
    .kind("Relic")
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
pub const GET: Operation = Operation::new(Verb::Get, "readExampleComV1NamespacedRelic", "GET", "/apis/example.com/v1/namespaces/{namespace}/relics/{name}")
    .resource("example.com", "v1", "relics")
    .kind("Relic")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceExampleComV1NamespacedRelic", "PUT", "/apis/example.com/v1/namespaces/{namespace}/relics/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteExampleComV1NamespacedRelic", "DELETE", "/apis/example.com/v1/namespaces/{namespace}/relics/{name}")
    .resource("example.com", "v1", "relics")
    .kind("Relic")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchExampleComV1NamespacedRelic", "PATCH", "/apis/example.com/v1/namespaces/{namespace}/relics/{name}")
    .resource("example.com", "v1", "relics")
    .kind("Relic")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
pub const LIST_ALL_NAMESPACES: Operation = LIST.sibling(Verb::List, "listExampleComV1RelicForAllNamespaces", "GET", "/apis/example.com/v1/relics");
impl Listable for crate::example_com_v1::Relic
impl Watchable for crate::example_com_v1::Relic {}
impl Gettable for crate::example_com_v1::Relic
impl Creatable for crate::example_com_v1::Relic
impl Replaceable for crate::example_com_v1::Relic
impl Patchable for crate::example_com_v1::Relic
impl Deletable for crate::example_com_v1::Relic
impl CollectionDeletable for crate::example_com_v1::Relic

// file: src/example_com_v1/types/bare.rs
/// Kind `Bare` of `example.com/v1`. Schema `com.example.v1.Bare`. Requests:
/// [`bares`](crate::example_com_v1::bares).
#[derive(Clone, PartialEq)]
pub struct Bare {
    /// Group and version of the object's schema.
    pub api_version: Option<String>,
    /// Kind of the object.
    pub kind: Option<String>,
    /// Standard metadata of the object.
    pub metadata: ObjectMeta,
}
impl Bare {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Bare
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Bare";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Bare
    const PLURAL: &'static str = "bares";
impl AnyResource for Bare
static TABLE: codec::Table =
    codec::Table::new("Bare", "! apiVersion kind metadata!").identities(&[codec::Identity::new("example.com/v1", "Bare")]);

// file: src/example_com_v1/types/bare_list.rs
/// BareList is a list of Bare
///
/// Kind `BareList` of `example.com/v1`. Schema `com.example.v1.BareList`.
#[derive(Clone, PartialEq)]
pub struct BareList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of bares. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Bare>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl BareList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for BareList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "BareList";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for BareList
static TABLE: codec::Table =
    codec::Table::new("BareList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1", "BareList")]);

// file: src/example_com_v1/types/blob.rs
/// Kind `Blob` of `example.com/v1`. Schema `com.example.v1.Blob`. Requests:
/// [`blobs`](crate::example_com_v1::blobs).
#[derive(Clone, PartialEq)]
pub struct Blob {
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
    pub spec: Option<Box<BlobSpec>>,
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
    codec::Table::new("Blob", "! apiVersion kind metadata! spec").identities(&[codec::Identity::new("example.com/v1", "Blob")]);

// file: src/example_com_v1/types/blob_list.rs
/// BlobList is a list of Blob
///
/// Kind `BlobList` of `example.com/v1`. Schema `com.example.v1.BlobList`.
#[derive(Clone, PartialEq)]
pub struct BlobList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of blobs. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Blob>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
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

// file: src/example_com_v1/types/blob_spec.rs
/// Schema `com.example.v1.Blob/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct BlobSpec {
    /// `size`.
    pub size: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("BlobSpec", "! size");

// file: src/example_com_v1/types/lump.rs
/// Kind `Lump` of `example.com/v1`. Schema `com.example.v1.Lump`. Requests:
/// [`lumps`](crate::example_com_v1::lumps).
#[derive(Clone, PartialEq)]
pub struct Lump {
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
    /// `size`.
    pub size: Option<i64>,
}
impl Lump {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Lump
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Lump";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Lump
    const PLURAL: &'static str = "lumps";
impl AnyResource for Lump
static TABLE: codec::Table =
    codec::Table::new("Lump", "! apiVersion kind metadata! size").identities(&[codec::Identity::new("example.com/v1", "Lump")]);

// file: src/example_com_v1/types/lump_list.rs
/// LumpList is a list of Lump
///
/// Kind `LumpList` of `example.com/v1`. Schema `com.example.v1.LumpList`.
#[derive(Clone, PartialEq)]
pub struct LumpList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of lumps. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Lump>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl LumpList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for LumpList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "LumpList";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for LumpList
static TABLE: codec::Table =
    codec::Table::new("LumpList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1", "LumpList")]);

// file: src/example_com_v1/types/mod.rs
pub use bare::Bare;
pub use bare_list::BareList;
pub use blob::Blob;
pub use blob_list::BlobList;
pub use blob_spec::BlobSpec;
pub use lump::Lump;
pub use lump_list::LumpList;
pub use relic::Relic;
pub use relic_list::RelicList;
pub use relic_spec::RelicSpec;
pub use relic_spec_keyed::RelicSpecKeyed;

// file: src/example_com_v1/types/relic.rs
/// Kind `Relic` of `example.com/v1`. Schema `com.example.v1.Relic`. Requests:
/// [`relics`](crate::example_com_v1::relics).
#[derive(Clone, PartialEq)]
pub struct Relic {
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
    pub spec: Option<Box<RelicSpec>>,
}
impl Relic {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Relic
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Relic";
    const API_VERSION: &'static str = "example.com/v1";
impl Resource for Relic
    const PLURAL: &'static str = "relics";
impl AnyResource for Relic
static TABLE: codec::Table =
    codec::Table::new("Relic", "! apiVersion kind metadata! spec").identities(&[codec::Identity::new("example.com/v1", "Relic")]);

// file: src/example_com_v1/types/relic_list.rs
/// RelicList is a list of Relic
///
/// Kind `RelicList` of `example.com/v1`. Schema `com.example.v1.RelicList`.
#[derive(Clone, PartialEq)]
pub struct RelicList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of relics. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Relic>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl RelicList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for RelicList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "RelicList";
    const API_VERSION: &'static str = "example.com/v1";
impl ResourceList for RelicList
static TABLE: codec::Table =
    codec::Table::new("RelicList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1", "RelicList")]);

// file: src/example_com_v1/types/relic_spec.rs
/// Schema `com.example.v1.Relic/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct RelicSpec {
    /// `age`.
    pub age: Option<i64>,
    /// `any`.
    ///
    /// Apply replaces the whole value.
    pub any: Option<RawJson>,
    /// Matches `{"type":"object","properties":{"a":{"type":"string"}}}`.
    ///
    /// Matches `{"type":"object","properties":{"b":{"type":"string"}}}`.
    ///
    /// Apply replaces the whole value.
    pub both: Option<RawJson>,
    /// `broken`.
    ///
    /// Apply replaces the whole value.
    pub broken: Option<RawJson>,
    /// `described`.
    pub described: Option<String>,
    /// `either`.
    ///
    /// Apply replaces the whole value.
    pub either: Option<RawJson>,
    /// `keyed`.
    pub keyed: Option<Vec<RelicSpecKeyed>>,
    /// `map`.
    pub map: Option<BTreeMap<String, String>>,
    /// `port`.
    ///
    /// Apply replaces the whole value.
    pub port: Option<RawJson>,
    /// `ports`.
    ///
    /// Apply replaces the whole value.
    pub ports: Option<RawJson>,
    /// `rows`.
    pub rows: Option<Vec<RawJson>>,
    /// `set`.
    pub set: Option<Vec<String>>,
    /// `tuple`.
    pub tuple: Option<Vec<RawJson>>,
    /// `words`.
    pub words: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("RelicSpec", "! age any!! both!! broken!! described either!! keyed map port!! ports!! rows set tuple words").merge(&[
        (1, codec::Merge::USUAL.atomic()),
        (2, codec::Merge::USUAL.atomic()),
        (3, codec::Merge::USUAL.atomic()),
        (5, codec::Merge::USUAL.atomic()),
        (8, codec::Merge::USUAL.atomic()),
        (9, codec::Merge::USUAL.atomic()),
    ]);

// file: src/example_com_v1/types/relic_spec_keyed.rs
/// Schema `com.example.v1.Relic/properties/spec/properties/keyed/items`.
#[derive(Clone, Default, PartialEq)]
pub struct RelicSpecKeyed {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("RelicSpecKeyed", "! name");

