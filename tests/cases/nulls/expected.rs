// file: src/definitions/doors_nulls_example_com.json
{
"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition",
"metadata":{
"name":"doors.nulls.example.com"
},
"spec":{
"group":"nulls.example.com",
"scope":"Namespaced",
"names":{
"plural":"doors",
"kind":"Door"
},
"versions":[
{
"name":"v1",
"served":true,
"storage":true,
"schema":{
"openAPIV3Schema":{
"type":"object",
"required":[
"spec"
],
"properties":{
"spec":{
"type":"object",
"required":[
"any",
"bolts",
"count",
"free",
"frame",
"grade",
"handle",
"mode",
"notes",
"opened",
"plain",
"priority",
"size"
],
"properties":{
"priority":{
"description":"Required and nullable.",
"type":"integer",
"format":"int32",
"nullable":true
},
"mode":{
"type":"string",
"nullable":true
},
"opened":{
"type":"string",
"format":"date-time",
"nullable":true
},
"size":{
"x-kubernetes-int-or-string":true,
"nullable":true
},
"grade":{
"type":"string",
"enum":["A","B"],
"nullable":true
},
"bolts":{
"type":"array",
"nullable":true,
"items":{"type":"string"}
},
"notes":{
"type":"object",
"nullable":true,
"additionalProperties":{"type":"string"}
},
"handle":{
"type":"object",
"nullable":true,
"required":["key"],
"properties":{"key":{"type":"string"},"side":{"type":"string","nullable":true}}
},
"any":{
"description":"Anything or null.",
"x-kubernetes-preserve-unknown-fields":true,
"nullable":true
},
"free":{
"x-kubernetes-preserve-unknown-fields":true
},
"frame":{
"type":"object",
"properties":{"width":{"type":"number","nullable":true}}
},
"count":{
"description":"Required and never null.",
"type":"integer"
},
"plain":{
"type":"string"
},
"color":{
"description":"Nullable with a default.",
"type":"string",
"nullable":true,
"default":"red"
},
"weight":{
"type":"number",
"nullable":true
},
"open":{
"type":"boolean",
"nullable":true
},
"data":{
"type":"string",
"format":"byte",
"nullable":true
},
"choice":{
"description":"An integer, a string or null.",
"x-kubernetes-int-or-string":true,
"nullable":true,
"anyOf":[{"type":"integer"},{"type":"string"}]
},
"optional":{
"x-kubernetes-preserve-unknown-fields":true
},
"never":{
"description":"Optional and never null.",
"type":"string"
},
"left":{
"type":"object",
"properties":{"pin":{"type":"string"}}
},
"right":{
"type":"object",
"properties":{"pin":{"type":"string","nullable":true}}
},
"hinges":{
"type":"array",
"items":{"type":"string","nullable":true}
},
"panes":{
"type":"array",
"items":{"type":"object","nullable":true,"properties":{"tint":{"type":"string","nullable":true}}}
},
"limits":{
"type":"object",
"additionalProperties":{"type":"integer","nullable":true}
},
"groups":{
"type":"object",
"additionalProperties":{"type":"array","nullable":true,"items":{"type":"string","nullable":true}}
},
"locks":{
"type":"array",
"x-kubernetes-list-type":"map",
"x-kubernetes-list-map-keys":["name"],
"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"pin":{"type":"string","nullable":true}}}
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

// file: src/nulls_example_com_v1/doors.rs
//! Requests for `doors`, the objects of the [kind `Door`](super::Door).
/// list objects of kind Door
///
/// `GET /apis/nulls.example.com/v1/doors`. Responses: 200. RBAC: `list` on `doors`.
/// [Errors](self#errors).
#[doc(alias = "listNullsExampleComV1DoorForAllNamespaces")]
pub fn list_all_namespaces(params: &ListParams) -> Result<Request<DoorList>, Error>
/// Watches what [`list_all_namespaces`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/nulls.example.com/v1/doors?watch=true`. Responses: 200. RBAC: `watch` on `doors`.
/// [Errors](self#errors).
#[doc(alias = "listNullsExampleComV1DoorForAllNamespaces")]
pub fn watch_all_namespaces(params: &WatchParams) -> Result<Request<Watch<Door>>, Error>
/// list objects of kind Door
///
/// `GET /apis/nulls.example.com/v1/namespaces/{namespace}/doors`. Responses: 200. RBAC: `list` on
/// `doors`. [Errors](self#errors).
#[doc(alias = "listNullsExampleComV1NamespacedDoor")]
pub fn list(namespace: &str, params: &ListParams) -> Result<Request<DoorList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/nulls.example.com/v1/namespaces/{namespace}/doors?watch=true`. Responses: 200. RBAC:
/// `watch` on `doors`. [Errors](self#errors).
#[doc(alias = "listNullsExampleComV1NamespacedDoor")]
pub fn watch(namespace: &str, params: &WatchParams) -> Result<Request<Watch<Door>>, Error>
/// create a Door
///
/// `POST /apis/nulls.example.com/v1/namespaces/{namespace}/doors`. Responses: 200, 201, 202. RBAC:
/// `create` on `doors`. [Errors](self#errors).
#[doc(alias = "createNullsExampleComV1NamespacedDoor")]
pub fn create(namespace: &str, body: &Door, params: &CreateParams) -> Result<Request<Door>, Error>
/// delete collection of Door
///
/// `DELETE /apis/nulls.example.com/v1/namespaces/{namespace}/doors`. Responses: 200. RBAC:
/// `deletecollection` on `doors`. [Errors](self#errors).
#[doc(alias = "deleteNullsExampleComV1CollectionNamespacedDoor")]
pub fn delete_collection(namespace: &str, params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<DoorList>>, Error>
/// read the specified Door
///
/// `GET /apis/nulls.example.com/v1/namespaces/{namespace}/doors/{name}`. Responses: 200. RBAC: `get` on
/// `doors`. [Errors](self#errors).
#[doc(alias = "readNullsExampleComV1NamespacedDoor")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Door>, Error>
/// replace the specified Door
///
/// `PUT /apis/nulls.example.com/v1/namespaces/{namespace}/doors/{name}`. Responses: 200, 201. RBAC:
/// `update` on `doors`. [Errors](self#errors).
#[doc(alias = "replaceNullsExampleComV1NamespacedDoor")]
pub fn replace(namespace: &str, name: &str, body: &Door, params: &ReplaceParams) -> Result<Request<Door>, Error>
/// delete a Door
///
/// `DELETE /apis/nulls.example.com/v1/namespaces/{namespace}/doors/{name}`. Responses: 200, 202. RBAC:
/// `delete` on `doors`. [Errors](self#errors).
#[doc(alias = "deleteNullsExampleComV1NamespacedDoor")]
pub fn delete(namespace: &str, name: &str, params: &DeleteParams) -> Result<Request<Deleted<Door>>, Error>
/// partially update the specified Door
///
/// `PATCH /apis/nulls.example.com/v1/namespaces/{namespace}/doors/{name}`. Responses: 200. RBAC:
/// `patch` on `doors`. [Errors](self#errors).
#[doc(alias = "patchNullsExampleComV1NamespacedDoor")]
pub fn patch(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Door>, Error>
pub const LIST_ALL_NAMESPACES: Operation = Operation::new(Verb::List, "listNullsExampleComV1DoorForAllNamespaces", "GET", "/apis/nulls.example.com/v1/doors")
    .resource("nulls.example.com", "v1", "doors")
    .kind("Door")
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
pub const LIST: Operation = LIST_ALL_NAMESPACES.sibling(Verb::List, "listNullsExampleComV1NamespacedDoor", "GET", "/apis/nulls.example.com/v1/namespaces/{namespace}/doors");
pub const CREATE: Operation = Operation::new(Verb::Create, "createNullsExampleComV1NamespacedDoor", "POST", "/apis/nulls.example.com/v1/namespaces/{namespace}/doors")
    .resource("nulls.example.com", "v1", "doors")
    .kind("Door")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteNullsExampleComV1CollectionNamespacedDoor", "DELETE", "/apis/nulls.example.com/v1/namespaces/{namespace}/doors")
    .resource("nulls.example.com", "v1", "doors")
    .kind("Door")
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
pub const GET: Operation = Operation::new(Verb::Get, "readNullsExampleComV1NamespacedDoor", "GET", "/apis/nulls.example.com/v1/namespaces/{namespace}/doors/{name}")
    .resource("nulls.example.com", "v1", "doors")
    .kind("Door")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceNullsExampleComV1NamespacedDoor", "PUT", "/apis/nulls.example.com/v1/namespaces/{namespace}/doors/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteNullsExampleComV1NamespacedDoor", "DELETE", "/apis/nulls.example.com/v1/namespaces/{namespace}/doors/{name}")
    .resource("nulls.example.com", "v1", "doors")
    .kind("Door")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "ignoreStoreReadErrorWithClusterBreakingPotential",
        "orphanDependents",
        "pretty",
        "propagationPolicy",
    ])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchNullsExampleComV1NamespacedDoor", "PATCH", "/apis/nulls.example.com/v1/namespaces/{namespace}/doors/{name}")
    .resource("nulls.example.com", "v1", "doors")
    .kind("Door")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::nulls_example_com_v1::Door
impl Watchable for crate::nulls_example_com_v1::Door {}
impl Gettable for crate::nulls_example_com_v1::Door
impl Creatable for crate::nulls_example_com_v1::Door
impl Replaceable for crate::nulls_example_com_v1::Door
impl Patchable for crate::nulls_example_com_v1::Door
impl Deletable for crate::nulls_example_com_v1::Door
impl CollectionDeletable for crate::nulls_example_com_v1::Door

// file: src/nulls_example_com_v1/mod.rs
//! `nulls.example.com/v1`: types, and a module of requests for each resource.
pub mod doors;
pub use types::*;

// file: src/nulls_example_com_v1/types/door.rs
/// Kind `Door` of `nulls.example.com/v1`. Schema `com.example.nulls.v1.Door`. Requests:
/// [`doors`](crate::nulls_example_com_v1::doors).
#[derive(Clone, PartialEq)]
pub struct Door {
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
    pub spec: DoorSpec,
}
impl Door {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Door
    const GROUP: &'static str = "nulls.example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Door";
    const API_VERSION: &'static str = "nulls.example.com/v1";
impl Resource for Door
    const PLURAL: &'static str = "doors";
impl AnyResource for Door
static TABLE: codec::Table =
    codec::Table::new("Door", "! apiVersion kind metadata! spec!").identities(&[codec::Identity::new("nulls.example.com/v1", "Door")]);

// file: src/nulls_example_com_v1/types/door_list.rs
/// DoorList is a list of Door
///
/// Kind `DoorList` of `nulls.example.com/v1`. Schema `com.example.nulls.v1.DoorList`.
#[derive(Clone, PartialEq)]
pub struct DoorList {
    /// APIVersion defines the versioned schema of this representation of an object. Servers should convert
    /// recognized schemas to the latest internal value, and may reject unrecognized values. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources>
    pub api_version: Option<String>,
    /// List of doors. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md>
    pub items: Vec<Door>,
    /// Kind is a string value representing the REST resource this object represents. Servers may infer this
    /// from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub kind: Option<String>,
    /// Standard list metadata. More info:
    /// <https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds>
    pub metadata: ListMeta,
}
impl DoorList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for DoorList
    const GROUP: &'static str = "nulls.example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "DoorList";
    const API_VERSION: &'static str = "nulls.example.com/v1";
impl ResourceList for DoorList
static TABLE: codec::Table =
    codec::Table::new("DoorList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("nulls.example.com/v1", "DoorList")]);

// file: src/nulls_example_com_v1/types/door_spec.rs
/// Schema `com.example.nulls.v1.Door/properties/spec`.
#[derive(Clone, Default)]
pub struct DoorSpec {
    /// Anything or null.
    pub any: Option<RawJson>,
    /// May be `null`, which is kept in `unknown_`.
    pub bolts: Option<Vec<String>>,
    /// An integer, a string or null.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub choice: Option<Int64OrString>,
    /// Nullable with a default.
    ///
    /// Default `red`.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub color: Option<String>,
    /// Required and never null.
    pub count: i64,
    /// May be `null`, which is kept in `unknown_`.
    pub data: Option<ByteString>,
    /// `frame`.
    pub frame: DoorSpecFrame,
    /// `free`.
    pub free: RawJson,
    /// One of `A`, `B`.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub grade: Option<DoorSpecGrade>,
    /// `groups`.
    pub groups: Option<BTreeMap<String, Option<Vec<Option<String>>>>>,
    /// May be `null`, which is kept in `unknown_`.
    pub handle: Option<Box<DoorSpecHandle>>,
    /// `hinges`.
    pub hinges: Option<Vec<Option<String>>>,
    /// `left`.
    pub left: Option<Box<DoorSpecLeft>>,
    /// `limits`.
    pub limits: Option<BTreeMap<String, Option<i64>>>,
    /// `locks`.
    ///
    /// Apply merges the elements by `name`.
    pub locks: Option<Vec<DoorSpecLocks>>,
    /// May be `null`, which is kept in `unknown_`.
    pub mode: Option<String>,
    /// Optional and never null.
    pub never: Option<String>,
    /// May be `null`, which is kept in `unknown_`.
    pub notes: Option<BTreeMap<String, String>>,
    /// May be `null`, which is kept in `unknown_`.
    pub open: Option<bool>,
    /// Format `date-time`.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub opened: Option<String>,
    /// `optional`.
    pub optional: Option<RawJson>,
    /// `panes`.
    pub panes: Option<Vec<Option<DoorSpecPanes>>>,
    /// `plain`.
    pub plain: String,
    /// Required and nullable.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub priority: Option<i32>,
    /// `right`.
    pub right: Option<Box<DoorSpecRight>>,
    /// May be `null`, which is kept in `unknown_`.
    pub size: Option<Int64OrString>,
    /// May be `null`, which is kept in `unknown_`.
    pub weight: Option<f64>,
}
impl PartialEq for DoorSpec
static TABLE: codec::Table =
    codec::Table::new("DoorSpec", "! any!! bolts!! choice!! color!! count! data!! frame! free!!! grade!! groups handle!! hinges left \
        limits locks mode!! never notes!! open!! opened!! optional!! panes plain! priority!! right size!! \
        weight!!").merge(&[
        (14, codec::Merge::USUAL.map(&[("name", "")])),
    ]);

// file: src/nulls_example_com_v1/types/door_spec_frame.rs
/// Schema `com.example.nulls.v1.Door/properties/spec/properties/frame`.
#[derive(Clone, Default)]
pub struct DoorSpecFrame {
    /// May be `null`, which is kept in `unknown_`.
    pub width: Option<f64>,
}
impl PartialEq for DoorSpecFrame
static TABLE: codec::Table =
    codec::Table::new("DoorSpecFrame", "! width!!");

// file: src/nulls_example_com_v1/types/door_spec_grade.rs
/// Schema `com.example.nulls.v1.Door/properties/spec/properties/grade`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DoorSpecGrade {
    /// `A`
    A,
    /// `B`
    B,
    /// A value that the document does not list.
    Other(String),
}
impl DoorSpecGrade {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::A => "A",
            Self::B => "B",
}
impl From<&str> for DoorSpecGrade
            "A" => Self::A,
            "B" => Self::B,
kapigen_runtime::__private::open_enum!(DoorSpecGrade);

// file: src/nulls_example_com_v1/types/door_spec_handle.rs
/// Schema `com.example.nulls.v1.Door/properties/spec/properties/handle`.
#[derive(Clone, Default)]
pub struct DoorSpecHandle {
    /// `key`.
    pub key: String,
    /// May be `null`, which is kept in `unknown_`.
    pub side: Option<String>,
}
impl PartialEq for DoorSpecHandle
static TABLE: codec::Table =
    codec::Table::new("DoorSpecHandle", "! key! side!!");

// file: src/nulls_example_com_v1/types/door_spec_left.rs
/// Schema `com.example.nulls.v1.Door/properties/spec/properties/left`.
#[derive(Clone, Default, PartialEq)]
pub struct DoorSpecLeft {
    /// `pin`.
    pub pin: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("DoorSpecLeft", "! pin");

// file: src/nulls_example_com_v1/types/door_spec_locks.rs
/// Schema `com.example.nulls.v1.Door/properties/spec/properties/locks/items`.
#[derive(Clone, Default)]
pub struct DoorSpecLocks {
    /// `name`.
    pub name: String,
    /// May be `null`, which is kept in `unknown_`.
    pub pin: Option<String>,
}
impl PartialEq for DoorSpecLocks
static TABLE: codec::Table =
    codec::Table::new("DoorSpecLocks", "! name! pin!!");

// file: src/nulls_example_com_v1/types/door_spec_panes.rs
/// Schema `com.example.nulls.v1.Door/properties/spec/properties/panes/items`.
#[derive(Clone, Default)]
pub struct DoorSpecPanes {
    /// May be `null`, which is kept in `unknown_`.
    pub tint: Option<String>,
}
impl PartialEq for DoorSpecPanes
static TABLE: codec::Table =
    codec::Table::new("DoorSpecPanes", "! tint!!");

// file: src/nulls_example_com_v1/types/door_spec_right.rs
/// Schema `com.example.nulls.v1.Door/properties/spec/properties/right`.
#[derive(Clone, Default)]
pub struct DoorSpecRight {
    /// May be `null`, which is kept in `unknown_`.
    pub pin: Option<String>,
}
impl PartialEq for DoorSpecRight
static TABLE: codec::Table =
    codec::Table::new("DoorSpecRight", "! pin!!");

// file: src/nulls_example_com_v1/types/mod.rs
pub use door::Door;
pub use door_list::DoorList;
pub use door_spec::DoorSpec;
pub use door_spec_frame::DoorSpecFrame;
pub use door_spec_grade::DoorSpecGrade;
pub use door_spec_handle::DoorSpecHandle;
pub use door_spec_left::DoorSpecLeft;
pub use door_spec_locks::DoorSpecLocks;
pub use door_spec_panes::DoorSpecPanes;
pub use door_spec_right::DoorSpecRight;

