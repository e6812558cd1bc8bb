//! The differences of the fake server from the recordings.

/// Some rules of built-in kinds are not checked, or print types of Go.
const VALIDATION: &str = "only rules of built-in kinds decide it";
const OTHER_VERSION: &str = "it is another server, with other groups, versions and documents";

/// A scenario, the steps that differ, and the reason.
pub(crate) const DIFFERENCES: &[(&str, &[usize], &str)] = &[
    ("create-accept", &[16], "it does not speak protobuf, not even to refuse it"),
    ("discovery-apis", &[0, 1, 7], OTHER_VERSION),
    ("discovery-method-not-allowed", &[4], OTHER_VERSION),
    ("discovery-openapi", &[0, 1, 2, 3], OTHER_VERSION),
    ("discovery-root", &[0, 1], OTHER_VERSION),
    ("discovery-version", &[0, 1], OTHER_VERSION),
    ("pod-ephemeralcontainers", &[4, 9, 10], VALIDATION),
    ("strategic-deployment-strategy", &[19, 20], VALIDATION),
    ("strategic-pod", &[5], VALIDATION),
    ("update-immutable", &[14, 16, 17], VALIDATION),
];
