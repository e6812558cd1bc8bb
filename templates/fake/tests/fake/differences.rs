//! The differences of the fake server from the recordings.

/// Few rules of built-in kinds are checked, and later steps find objects that a real server
/// refused.
const VALIDATION: &str = "only rules of built-in kinds decide it";
/// Built-in kinds have no defaults.
const DEFAULTS: &str = "built-in kinds have no defaults";
/// Types and costs of expressions are not checked when a definition is made.
const EXPRESSIONS: &str = "a warning states what is not checked of expressions";
const OTHER_VERSION: &str = "it is another server, with other groups, versions and documents";

/// A scenario, the steps that differ, and the reason.
pub(crate) const DIFFERENCES: &[(&str, &[usize], &str)] = &[
    ("apply-deployment-lists", &[10, 11, 13, 14, 17], VALIDATION),
    ("crd-lifecycle", &[3], EXPRESSIONS),
    ("create-accept", &[16], "it does not speak protobuf, not even to refuse it"),
    ("create-status-ignored", &[3], DEFAULTS),
    ("create-validation-builtin", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], VALIDATION),
    ("discovery-apis", &[0, 1, 7], OTHER_VERSION),
    ("discovery-method-not-allowed", &[4], OTHER_VERSION),
    ("discovery-openapi", &[0, 1, 2, 3], OTHER_VERSION),
    ("discovery-root", &[0, 1], OTHER_VERSION),
    ("discovery-version", &[0, 1], OTHER_VERSION),
    ("patch-unchanged", &[11, 12], DEFAULTS),
    ("pod-ephemeralcontainers", &[4, 5, 6, 7, 8, 9, 10, 11], VALIDATION),
    ("read-tables", &[13, 32], DEFAULTS),
    ("strategic-deployment-containers", &[16, 17, 18, 19, 20, 21, 23, 24, 25], VALIDATION),
    ("strategic-deployment-strategy", &[2, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], VALIDATION),
    ("strategic-pod", &[5], VALIDATION),
    ("update-immutable", &[12, 14, 16, 17], VALIDATION),
    ("update-secret-and-endpoints", &[10, 11], VALIDATION),
    ("update-lease-election", &[10, 11, 12], VALIDATION),
    ("update-service", &[3, 6, 9, 10, 11], VALIDATION),
];
