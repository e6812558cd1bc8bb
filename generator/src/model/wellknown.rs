//! Schemas with hand-written Rust types, and names that the runtime reserves.

use crate::model::GroupVersion;
use crate::names;

/// The package of the runtime.
pub const RUNTIME: &str = "kapigen-runtime";

/// The features of the runtime that users choose, each with a description of its contents. Each
/// crate over it has features of these names, which enable them.
pub const RUNTIME_FEATURES: [(&str, &str); 6] = [
    ("admission", "reviews of admission and conversion, for webhooks"),
    ("change", "comparing, merging and patching objects"),
    ("dynamic", "objects of kinds that are known at run time only"),
    ("machines", "informers and other tasks of several requests"),
    ("route", "requests turned back into operations"),
    ("schemars", "`JsonSchema` for all types"),
];

/// The features of a crate that are neither modules nor of the runtime, each with a description of
/// its contents.
pub const OWN_FEATURES: [(&str, &str); 1] =
    [(DOCUMENTS, "the OpenAPI documents of the crate, as text")];

/// The feature of a crate that has definitions, with a description of its contents.
pub const OF_DEFINITIONS: (&str, &str) =
    (DEFINITIONS, "the definitions of the custom resources of the crate, as text");

/// The feature with the definitions.
pub const DEFINITIONS: &str = "definitions";

/// The feature with the documents.
pub const DOCUMENTS: &str = "documents";

/// The module of the shared types, in the runtime and in every crate over it.
pub const META: &str = "meta_v1";

/// The package of the shared types: the part of their schema names before the last dot.
pub const META_PACKAGE: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// Packages that no resource uses. The runtime has all of their types: reviews of webhooks, and
/// discovery.
pub const RUNTIME_PACKAGES: [&str; 3] = [
    "io.k8s.api.admission.v1",
    "io.k8s.api.apidiscovery.v2",
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
];

/// The shared types that most programs use. They and the types of their members are compiled in the
/// runtime.
pub const OFTEN_USED: [&str; 6] =
    ["Condition", "DeleteOptions", "LabelSelector", "ListMeta", "ObjectMeta", "Status"];

/// Query parameters with known values, which documents list only in prose, and their types in the
/// module `params` of the runtime.
pub const PARAMETERS: [(&str, &str); 3] = [
    ("fieldValidation", "FieldValidation"),
    ("propagationPolicy", "PropagationPolicy"),
    ("resourceVersionMatch", "ResourceVersionMatch"),
];

/// Query parameters that servers accept with a single value only, so that they are flags.
pub const FLAGS: [(&str, &str); 1] = [("dryRun", "All")];

/// A type with hand-written Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WellKnown {
    /// Base64.
    ByteString,
    /// The fields that a manager owns.
    FieldsV1,
    /// A number of 64 bits or a string.
    Int64OrString,
    /// A number of 32 bits or a string.
    IntOrString,
    /// A time with microseconds.
    MicroTime,
    /// A quantity with a unit.
    Quantity,
    /// An object of any kind.
    RawExtension,
    /// Any JSON.
    RawJson,
    /// A time with seconds.
    Time,
}

/// Schemas with hand-written Rust.
const BY_SCHEMA: [(&str, WellKnown); 8] = [
    ("io.k8s.apimachinery.pkg.api.resource.Quantity", WellKnown::Quantity),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", WellKnown::FieldsV1),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", WellKnown::MicroTime),
    // The content of a patch depends on its media type: an object, or a list of steps.
    ("io.k8s.apimachinery.pkg.apis.meta.v1.Patch", WellKnown::RawJson),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.Time", WellKnown::Time),
    ("io.k8s.apimachinery.pkg.runtime.RawExtension", WellKnown::RawExtension),
    ("io.k8s.apimachinery.pkg.util.intstr.IntOrString", WellKnown::IntOrString),
    ("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON", WellKnown::RawJson),
];

impl WellKnown {
    /// All of them, by name.
    pub const ALL: [Self; 9] = [
        Self::ByteString,
        Self::FieldsV1,
        Self::Int64OrString,
        Self::IntOrString,
        Self::MicroTime,
        Self::Quantity,
        Self::RawExtension,
        Self::RawJson,
        Self::Time,
    ];

    /// The name of the type in [`META`].
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ByteString => "ByteString",
            Self::FieldsV1 => "FieldsV1",
            Self::Int64OrString => "Int64OrString",
            Self::IntOrString => "IntOrString",
            Self::MicroTime => "MicroTime",
            Self::Quantity => "Quantity",
            Self::RawExtension => "RawExtension",
            Self::RawJson => "RawJson",
            Self::Time => "Time",
        }
    }

    /// The type with a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// The type of a schema, by the name of the schema.
    #[must_use]
    pub fn by_schema(schema: &str) -> Option<Self> {
        BY_SCHEMA.iter().find(|(name, _)| *name == schema).map(|(_, ty)| *ty)
    }

    /// The JSON types of its values. None: any.
    #[must_use]
    pub fn json_types(self) -> Option<&'static [&'static str]> {
        Some(match self {
            Self::ByteString | Self::MicroTime | Self::Time => &["string"],
            Self::FieldsV1 | Self::RawExtension => &["object"],
            Self::Int64OrString | Self::IntOrString => &["integer", "string"],
            Self::Quantity => &["integer", "number", "string"],
            Self::RawJson => return None,
        })
    }
}

/// Whether a feature may exist in any crate, independently of its modules.
#[must_use]
pub fn is_common_feature(name: &str) -> bool {
    name == DEFINITIONS
        || RUNTIME_FEATURES.iter().chain(&OWN_FEATURES).any(|(feature, _)| *feature == name)
}

/// Whether a module of an emitted crate cannot have this name: emitted code names something else
/// of the root so, or it is no name for a feature or for a file.
#[must_use]
pub fn is_reserved_module(name: &str) -> bool {
    const ROOT: [&str; 13] = [
        "bin",
        "codec",
        "default",
        "http",
        "items",
        "lib",
        "main",
        "operations",
        "params",
        "prelude",
        "response",
        "verbs",
        "watch",
    ];
    name == META
        || ROOT.contains(&name)
        || is_common_feature(name)
        || name == "kapigen_runtime"
        || names::is_device(name)
}

/// The group-version of a package that has no kinds.
#[must_use]
pub fn package_group_version(package: &str) -> Option<GroupVersion> {
    let shared = package == META_PACKAGE;
    shared.then(|| GroupVersion::new("", "v1"))
}
