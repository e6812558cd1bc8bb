//! Schemas whose Rust is written by hand, and names that the runtime takes.

use crate::model::GroupVersion;
use crate::names;

/// The package of the runtime.
pub const RUNTIME: &str = "kapigen-runtime";

/// The module of the shared types, in the runtime and in every crate over it.
pub const META: &str = "meta_v1";

/// Names of packages: what stands before the last dot of a schema name.
pub const META_PACKAGE: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// Schemas with hand-written Rust, and the name of that type in [`META`].
const BY_NAME: [(&str, &str); 8] = [
    ("io.k8s.apimachinery.pkg.api.resource.Quantity", "Quantity"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", "FieldsV1"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", "MicroTime"),
    // What a patch may hold depends on its media type: an object, or a list of steps.
    ("io.k8s.apimachinery.pkg.apis.meta.v1.Patch", ANY),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.Time", "Time"),
    ("io.k8s.apimachinery.pkg.runtime.RawExtension", "RawExtension"),
    ("io.k8s.apimachinery.pkg.util.intstr.IntOrString", INT_OR_STRING),
    ("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON", ANY),
];

/// Any JSON.
pub const ANY: &str = "RawJson";
/// Base64.
pub const BYTES: &str = "ByteString";
/// A number or a string.
pub const INT_OR_STRING: &str = "IntOrString";

/// Every hand-written type, in the order in which [`META`] lists them.
pub const TYPES: [&str; 8] = [BYTES, "FieldsV1", INT_OR_STRING, "MicroTime", "Quantity", "RawExtension", ANY, "Time"];

/// The hand-written type of a schema.
#[must_use]
pub fn by_schema(name: &str) -> Option<&'static str> {
    BY_NAME.iter().find(|(schema, _)| *schema == name).map(|(_, ty)| *ty)
}

/// Types of JSON values that the hand-written types read. Those that are not here read any.
const READS: [(&str, &[&str]); 6] = [
    ("FieldsV1", &["object"]),
    (INT_OR_STRING, &["integer", "string"]),
    ("MicroTime", &["string"]),
    ("Quantity", &["integer", "number", "string"]),
    ("RawExtension", &["object"]),
    ("Time", &["string"]),
];

/// The types of JSON values that a hand-written type reads, if it does not read any.
#[must_use]
pub fn reads(ty: &str) -> Option<&'static [&'static str]> {
    READS.iter().find(|(name, _)| *name == ty).map(|(_, types)| *types)
}

/// Whether a module of an emitted crate cannot have this name: the root has something else that is called so, or it is
/// no name for a feature or for a file.
#[must_use]
pub fn is_reserved_module(name: &str) -> bool {
    const ROOT: [&str; 12] = [
        "change",
        "codec",
        "default",
        "http",
        "items",
        "jiff",
        "lib",
        "operations",
        "params",
        "request",
        "response",
        "watch",
    ];
    name == META || ROOT.contains(&name) || name == "kapigen_runtime" || names::is_device(name)
}

/// The group-version of a package that has no kinds to tell.
#[must_use]
pub fn package_group_version(package: &str) -> Option<GroupVersion> {
    let shared = package == META_PACKAGE;
    shared.then(|| GroupVersion { group: String::new(), version: "v1".to_owned() })
}
