// file: src/autoscaling_v1/mod.rs
//! `autoscaling/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/autoscaling_v1/types/mod.rs
pub use scale::Scale;
pub use scale_spec::ScaleSpec;

// file: src/autoscaling_v1/types/scale.rs
/// How many there are.
///
/// Kind `Scale` of `autoscaling/v1`. Schema `io.k8s.api.autoscaling.v1.Scale`.
#[derive(Clone, PartialEq)]
pub struct Scale {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// `metadata`.
    pub metadata: ObjectMeta,
    /// `spec`.
    pub spec: Option<Box<ScaleSpec>>,
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
    codec::Table::new("Scale", "! apiVersion kind metadata! spec").identities(&[codec::Identity::new("autoscaling/v1", "Scale")]);

// file: src/autoscaling_v1/types/scale_spec.rs
/// How many are wanted.
///
/// Schema `io.k8s.api.autoscaling.v1.ScaleSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct ScaleSpec {
    /// Default `0`.
    pub replicas: Option<i32>,
}
static TABLE: codec::Table =
    codec::Table::new("ScaleSpec", "! replicas");

// file: src/stable_example_com_v1/backups.rs
//! Requests for `backups`, the objects of the [kind `Backup`](super::Backup).
/// Lists `backups` of all namespaces.
///
/// `GET /apis/stable.example.com/v1/backups`. Responses: 200. RBAC: `list` on `backups`.
/// [Errors](self#errors).
#[doc(alias = "listStableExampleComV1BackupForAllNamespaces")]
pub fn list_all_namespaces(params: &ListParams) -> Result<Request<BackupList>, Error>
/// Watches what [`list_all_namespaces`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/stable.example.com/v1/backups?watch=true`. Responses: 200. RBAC: `watch` on `backups`.
/// [Errors](self#errors).
#[doc(alias = "listStableExampleComV1BackupForAllNamespaces")]
pub fn watch_all_namespaces(params: &WatchParams) -> Result<Request<Watch<Backup>>, Error>
/// list objects of kind Backup
///
/// `GET /apis/stable.example.com/v1/namespaces/{namespace}/backups`. Responses: 200. RBAC: `list` on
/// `backups`. [Errors](self#errors).
#[doc(alias = "listStableExampleComV1NamespacedBackup")]
pub fn list(namespace: &str, params: &ListParams) -> Result<Request<BackupList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/stable.example.com/v1/namespaces/{namespace}/backups?watch=true`. Responses: 200. RBAC:
/// `watch` on `backups`. [Errors](self#errors).
#[doc(alias = "listStableExampleComV1NamespacedBackup")]
pub fn watch(namespace: &str, params: &WatchParams) -> Result<Request<Watch<Backup>>, Error>
/// create a Backup
///
/// `POST /apis/stable.example.com/v1/namespaces/{namespace}/backups`. Responses: 200, 201, 202. RBAC:
/// `create` on `backups`. [Errors](self#errors).
#[doc(alias = "createStableExampleComV1NamespacedBackup")]
pub fn create(namespace: &str, body: &Backup, params: &CreateParams) -> Result<Request<Backup>, Error>
/// delete collection of Backup
///
/// `DELETE /apis/stable.example.com/v1/namespaces/{namespace}/backups`. Responses: 200. RBAC:
/// `deletecollection` on `backups`. [Errors](self#errors).
#[doc(alias = "deleteStableExampleComV1CollectionNamespacedBackup")]
pub fn delete_collection(namespace: &str, params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<BackupList>>, Error>
/// read the specified Backup
///
/// `GET /apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}`. Responses: 200. RBAC: `get`
/// on `backups`. [Errors](self#errors).
#[doc(alias = "readStableExampleComV1NamespacedBackup")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Backup>, Error>
/// replace the specified Backup
///
/// `PUT /apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}`. Responses: 200, 201. RBAC:
/// `update` on `backups`. [Errors](self#errors).
#[doc(alias = "replaceStableExampleComV1NamespacedBackup")]
pub fn replace(namespace: &str, name: &str, body: &Backup, params: &ReplaceParams) -> Result<Request<Backup>, Error>
/// delete a Backup
///
/// `DELETE /apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}`. Responses: 200. RBAC:
/// `delete` on `backups`. [Errors](self#errors).
#[doc(alias = "deleteStableExampleComV1NamespacedBackup")]
pub fn delete(namespace: &str, name: &str, params: &DeleteParams) -> Result<Request<Deleted<Backup>>, Error>
/// partially update the specified Backup
///
/// `PATCH /apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}`. Responses: 200. RBAC:
/// `patch` on `backups`. [Errors](self#errors).
#[doc(alias = "patchStableExampleComV1NamespacedBackup")]
pub fn patch(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Backup>, Error>
/// read scale of the specified Backup
///
/// `GET /apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/scale`. Responses: 200. RBAC:
/// `get` on `backups/scale`. [Errors](self#errors).
#[doc(alias = "readStableExampleComV1NamespacedBackupScale")]
pub fn get_scale(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Scale>, Error>
/// replace scale of the specified Backup
///
/// `PUT /apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/scale`. Responses: 200. RBAC:
/// `update` on `backups/scale`. [Errors](self#errors).
#[doc(alias = "replaceStableExampleComV1NamespacedBackupScale")]
pub fn replace_scale(namespace: &str, name: &str, body: &Scale, params: &ReplaceParams) -> Result<Request<Scale>, Error>
/// partially update scale of the specified Backup
///
/// `PATCH /apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/scale`. Responses: 200.
/// RBAC: `patch` on `backups/scale`. [Errors](self#errors).
#[doc(alias = "patchStableExampleComV1NamespacedBackupScale")]
pub fn patch_scale(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Scale>, Error>
/// read status of the specified Backup
///
/// `GET /apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/status`. Responses: 200.
/// RBAC: `get` on `backups/status`. [Errors](self#errors).
#[doc(alias = "readStableExampleComV1NamespacedBackupStatus")]
pub fn get_status(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Backup>, Error>
/// replace status of the specified Backup
///
/// `PUT /apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/status`. Responses: 200, 201.
/// RBAC: `update` on `backups/status`. [Errors](self#errors).
#[doc(alias = "replaceStableExampleComV1NamespacedBackupStatus")]
pub fn replace_status(namespace: &str, name: &str, body: &Backup, params: &ReplaceParams) -> Result<Request<Backup>, Error>
/// partially update status of the specified Backup
///
/// `PATCH /apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/status`. Responses: 200.
/// RBAC: `patch` on `backups/status`. [Errors](self#errors).
#[doc(alias = "patchStableExampleComV1NamespacedBackupStatus")]
pub fn patch_status(namespace: &str, name: &str, patch: &Patch, params: &PatchParams) -> Result<Request<Backup>, Error>
pub const LIST_ALL_NAMESPACES: Operation = Operation::new(Verb::List, "listStableExampleComV1BackupForAllNamespaces", "GET", "/apis/stable.example.com/v1/backups")
    .resource("stable.example.com", "v1", "backups")
    .kind("Backup")
    .parameters(&[
        "allowWatchBookmarks",
        "continue",
        "fieldSelector",
        "labelSelector",
        "limit",
        "pretty",
        "resourceVersion",
        "timeoutSeconds",
        "watch",
    ]);
pub const LIST: Operation = LIST_ALL_NAMESPACES.sibling(Verb::List, "listStableExampleComV1NamespacedBackup", "GET", "/apis/stable.example.com/v1/namespaces/{namespace}/backups");
pub const CREATE: Operation = Operation::new(Verb::Create, "createStableExampleComV1NamespacedBackup", "POST", "/apis/stable.example.com/v1/namespaces/{namespace}/backups")
    .resource("stable.example.com", "v1", "backups")
    .kind("Backup")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteStableExampleComV1CollectionNamespacedBackup", "DELETE", "/apis/stable.example.com/v1/namespaces/{namespace}/backups")
    .resource("stable.example.com", "v1", "backups")
    .kind("Backup")
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
        "timeoutSeconds",
        "watch",
    ])
    .media_types(&["application/json"]);
pub const GET: Operation = Operation::new(Verb::Get, "readStableExampleComV1NamespacedBackup", "GET", "/apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}")
    .resource("stable.example.com", "v1", "backups")
    .kind("Backup")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE: Operation = CREATE.sibling(Verb::Replace, "replaceStableExampleComV1NamespacedBackup", "PUT", "/apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}");
pub const DELETE: Operation = Operation::new(Verb::Delete, "deleteStableExampleComV1NamespacedBackup", "DELETE", "/apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}")
    .resource("stable.example.com", "v1", "backups")
    .kind("Backup")
    .parameters(&["gracePeriodSeconds", "pretty", "propagationPolicy"])
    .media_types(&["application/json"]);
pub const PATCH: Operation = Operation::new(Verb::Patch, "patchStableExampleComV1NamespacedBackup", "PATCH", "/apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}")
    .resource("stable.example.com", "v1", "backups")
    .kind("Backup")
    .parameters(&["fieldManager", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
pub const GET_SCALE: Operation = Operation::new(Verb::Get, "readStableExampleComV1NamespacedBackupScale", "GET", "/apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/scale")
    .resource("stable.example.com", "v1", "backups")
    .kind("Scale")
    .subresource("scale")
    .parameters(&["pretty"]);
pub const REPLACE_SCALE: Operation = Operation::new(Verb::Replace, "replaceStableExampleComV1NamespacedBackupScale", "PUT", "/apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/scale")
    .resource("stable.example.com", "v1", "backups")
    .kind("Scale")
    .subresource("scale")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json"]);
pub const PATCH_SCALE: Operation = Operation::new(Verb::Patch, "patchStableExampleComV1NamespacedBackupScale", "PATCH", "/apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/scale")
    .resource("stable.example.com", "v1", "backups")
    .kind("Scale")
    .subresource("scale")
    .parameters(&["fieldManager", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
pub const GET_STATUS: Operation = Operation::new(Verb::Get, "readStableExampleComV1NamespacedBackupStatus", "GET", "/apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/status")
    .resource("stable.example.com", "v1", "backups")
    .kind("Backup")
    .subresource("status")
    .parameters(&["pretty", "resourceVersion"]);
pub const REPLACE_STATUS: Operation = Operation::new(Verb::Replace, "replaceStableExampleComV1NamespacedBackupStatus", "PUT", "/apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/status")
    .resource("stable.example.com", "v1", "backups")
    .kind("Backup")
    .subresource("status")
    .parameters(&["dryRun", "fieldManager", "fieldValidation", "pretty"])
    .media_types(&["application/json", "application/yaml"]);
pub const PATCH_STATUS: Operation = Operation::new(Verb::Patch, "patchStableExampleComV1NamespacedBackupStatus", "PATCH", "/apis/stable.example.com/v1/namespaces/{namespace}/backups/{name}/status")
    .resource("stable.example.com", "v1", "backups")
    .kind("Backup")
    .subresource("status")
    .parameters(&["fieldManager", "force", "pretty"])
    .media_types(&[
        "application/apply-patch+yaml",
        "application/json-patch+json",
        "application/merge-patch+json",
    ]);
impl Listable for crate::stable_example_com_v1::Backup
impl Watchable for crate::stable_example_com_v1::Backup {}
impl Gettable for crate::stable_example_com_v1::Backup
impl Creatable for crate::stable_example_com_v1::Backup
impl Replaceable for crate::stable_example_com_v1::Backup
impl Patchable for crate::stable_example_com_v1::Backup
impl Deletable for crate::stable_example_com_v1::Backup
impl CollectionDeletable for crate::stable_example_com_v1::Backup
impl HasStatus for crate::stable_example_com_v1::Backup

// file: src/stable_example_com_v1/mod.rs
//! `stable.example.com/v1`: types, and a module of requests for each resource.
pub mod backups;
pub use types::*;

// file: src/stable_example_com_v1/types/backup.rs
/// Kind `Backup` of `stable.example.com/v1`. Schema `com.example.stable.v1.Backup`. Requests:
/// [`backups`](crate::stable_example_com_v1::backups).
#[derive(Clone, PartialEq)]
pub struct Backup {
    /// The version of its schema.
    pub api_version: Option<String>,
    /// What it is.
    pub kind: Option<String>,
    /// Standard metadata.
    pub metadata: ObjectMeta,
    /// What is wanted.
    pub spec: BackupSpec,
    /// `status`.
    pub status: Option<Box<BackupStatus>>,
}
impl Backup {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Backup
    const GROUP: &'static str = "stable.example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Backup";
    const API_VERSION: &'static str = "stable.example.com/v1";
impl Resource for Backup
    const PLURAL: &'static str = "backups";
impl AnyResource for Backup
static TABLE: codec::Table =
    codec::Table::new("Backup", "! apiVersion kind metadata! spec! status").identities(&[codec::Identity::new("stable.example.com/v1", "Backup")]);

// file: src/stable_example_com_v1/types/backup_list.rs
/// BackupList is a list of Backup
///
/// Kind `BackupList` of `stable.example.com/v1`. Schema `com.example.stable.v1.BackupList`.
#[derive(Clone, PartialEq)]
pub struct BackupList {
    /// The version of its schema.
    pub api_version: Option<String>,
    /// List of backups.
    pub items: Vec<Backup>,
    /// What it is.
    pub kind: Option<String>,
    /// Metadata of a list, and of responses such as Status that are not stored objects.
    pub metadata: ListMeta,
}
impl BackupList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for BackupList
    const GROUP: &'static str = "stable.example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "BackupList";
    const API_VERSION: &'static str = "stable.example.com/v1";
impl ResourceList for BackupList
static TABLE: codec::Table =
    codec::Table::new("BackupList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("stable.example.com/v1", "BackupList")]);

// file: src/stable_example_com_v1/types/backup_spec.rs
/// What is wanted.
///
/// Schema `com.example.stable.v1.Backup/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct BackupSpec {
    /// When.
    ///
    /// Matches `^.*$`.
    pub schedule: String,
    /// Default `1`.
    pub replicas: Option<i32>,
    /// Default `25%`.
    pub keep: Option<Int64OrString>,
    /// One of `Always`, `Never`.
    pub policy: Option<BackupSpecPolicy>,
    /// `options`.
    pub options: Option<RawJson>,
    /// `template`.
    pub template: Option<RawJson>,
    /// `targets`.
    ///
    /// Apply merges the elements by `name`.
    pub targets: Option<Vec<BackupSpecTargets>>,
}
static TABLE: codec::Table =
    codec::Table::new("BackupSpec", "! schedule! replicas keep policy options!! template!! targets").merge(&[
        (6, codec::Merge::USUAL.map(&[("name", "")])),
    ]);

// file: src/stable_example_com_v1/types/backup_spec_policy.rs
/// Schema `com.example.stable.v1.Backup/properties/spec/properties/policy`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BackupSpecPolicy {
    /// `Always`
    Always,
    /// `Never`
    Never,
    /// A value that the document does not list.
    Other(String),
}
impl BackupSpecPolicy {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Always => "Always",
            Self::Never => "Never",
}
impl From<&str> for BackupSpecPolicy
            "Always" => Self::Always,
            "Never" => Self::Never,
kapigen_runtime::__private::open_enum!(BackupSpecPolicy);

// file: src/stable_example_com_v1/types/backup_spec_targets.rs
/// Schema `com.example.stable.v1.Backup/properties/spec/properties/targets/items`.
#[derive(Clone, Default)]
pub struct BackupSpecTargets {
    /// `name`.
    pub name: String,
    /// May be `null`, which is kept in `unknown_`.
    pub nodes: Option<BTreeMap<String, Option<String>>>,
}
impl PartialEq for BackupSpecTargets
static TABLE: codec::Table =
    codec::Table::new("BackupSpecTargets", "! name! nodes!!");

// file: src/stable_example_com_v1/types/backup_status.rs
/// Schema `com.example.stable.v1.Backup/properties/status`.
#[derive(Clone, Default)]
pub struct BackupStatus {
    /// `replicas`.
    pub replicas: Option<i32>,
    /// Format `date-time`.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub last_time: Option<String>,
}
impl PartialEq for BackupStatus
static TABLE: codec::Table =
    codec::Table::new("BackupStatus", "! replicas lastTime!!");

// file: src/stable_example_com_v1/types/mod.rs
pub use backup::Backup;
pub use backup_list::BackupList;
pub use backup_spec::BackupSpec;
pub use backup_spec_policy::BackupSpecPolicy;
pub use backup_spec_targets::BackupSpecTargets;
pub use backup_status::BackupStatus;

