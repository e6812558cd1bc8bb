//! Schemas whose Rust is written by hand, and what the crate cannot do without.

use crate::model::GroupVersion;
use crate::templates;

/// The module of the shared types. It is always there.
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

/// Schemas that the hand-written part of every crate uses, whoever selects them. Where no document has one of them it
/// comes from our own.
pub const NEEDED_SCHEMAS: [&str; 3] = ["ListMeta", "ObjectMeta", "Status"];

/// Members that it uses, and what for.
pub const NEEDED: [Needed; 11] = [
    Needed::new("ListMeta", "continue", Form::Text, "asking for the next page of a list"),
    Needed::new("ObjectMeta", "annotations", Form::Texts, "bookmarks of a watch"),
    Needed::new("ObjectMeta", "resourceVersion", Form::Text, "bookmarks of a watch"),
    Needed::new("Status", "code", Form::Integer, "errors that a server answers"),
    Needed::new("Status", "details", Form::Struct("StatusDetails"), "errors that a server answers"),
    Needed::new("Status", "kind", Form::Text, "errors that a server answers"),
    Needed::new("Status", "message", Form::Text, "errors that a server answers"),
    Needed::new("Status", "metadata", Form::Struct("ListMeta"), "resuming a list that has expired"),
    Needed::new("Status", "reason", Form::Text, "errors that a server answers"),
    Needed::new("Status", "status", Form::Text, "answers to a delete"),
    Needed::new("StatusDetails", "retryAfterSeconds", Form::Integer, "errors that a server answers"),
];

/// A member that every crate uses.
#[derive(Clone, Copy, Debug)]
pub struct Needed {
    /// The name of the schema without its package, see [`meta_schema`].
    pub schema: &'static str,
    /// The name in JSON.
    pub member: &'static str,
    /// What it holds. All but `metadata` are optional.
    pub form: Form,
    /// What it is used for.
    pub used_for: &'static str,
}

/// What a member holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A string.
    Text,
    /// A map of strings.
    Texts,
    /// An integer of either width.
    Integer,
    /// An object of that schema.
    Struct(&'static str),
}

impl Needed {
    const fn new(schema: &'static str, member: &'static str, form: Form, used_for: &'static str) -> Self {
        Self { schema, member, form, used_for }
    }
}

/// The whole name of a shared schema.
#[must_use]
pub fn meta_schema(name: &str) -> String {
    format!("{META_PACKAGE}.{name}")
}

/// Whether a module cannot have this name: every crate has such a module already, or it is no feature's name.
#[must_use]
pub fn is_reserved_module(name: &str) -> bool {
    let mut modules =
        templates::FILES.iter().filter_map(|(path, _)| path.strip_prefix("src/")?.split(['/', '.']).next());
    matches!(name, META | "default" | "lib" | "operations" | "params") || modules.any(|module| module == name)
}

/// The group-version of a package that has no kinds to tell.
#[must_use]
pub fn package_group_version(package: &str) -> Option<GroupVersion> {
    let shared = package == META_PACKAGE;
    shared.then(|| GroupVersion { group: String::new(), version: "v1".to_owned() })
}
