//! The differences of the fake server from the recordings.

/// Built-in kinds are not validated, and later steps find objects that a real server refused.
const VALIDATION: &str = "built-in kinds are not validated";
/// Built-in kinds have no defaults.
const DEFAULTS: &str = "built-in kinds have no defaults";
const OTHER_VERSION: &str = "it is another server, with other groups, versions and documents";
const CREDENTIALS: &str = "it issues no tokens";
const SCALE_RECORD: &str = "a real server forgets who changed a scale when it is patched";

/// A scenario, the steps that differ, and the reason.
pub(crate) const DIFFERENCES: &[(&str, &[usize], &str)] = &[
    ("apply-deployment-lists", &[10, 11, 13, 14, 17], VALIDATION),
    ("create-accept", &[16], "it does not speak protobuf, not even to refuse it"),
    ("create-generate-name", &[5], "the name is made up, and the refusal quotes it"),
    ("create-status-ignored", &[3], DEFAULTS),
    ("create-validation-builtin", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], VALIDATION),
    ("discovery-api", &[2, 3], OTHER_VERSION),
    ("discovery-method-not-allowed", &[4], OTHER_VERSION),
    ("discovery-openapi", &[0, 1, 2, 3], OTHER_VERSION),
    ("discovery-root", &[0, 1], OTHER_VERSION),
    ("discovery-version", &[0, 1], OTHER_VERSION),
    ("namespace-finalize-and-status", &[6, 7], "times that Go writes as `null` are left out"),
    ("patch-unchanged", &[11, 12], DEFAULTS),
    ("pod-ephemeralcontainers", &[4, 5, 6, 7, 8, 9, 10, 11], VALIDATION),
    ("read-tables", &[11, 13, 32], DEFAULTS),
    ("read-tables", &[23], "no controller accepts the names of a definition"),
    ("serviceaccount-token", &[2, 3, 4, 5, 6, 7, 8, 9, 11], CREDENTIALS),
    ("update-lease-election", &[10, 11, 12], VALIDATION),
    ("update-mismatch", &[16], "members are not checked against a version that is refused"),
    ("update-scale", &[15, 39, 42], SCALE_RECORD),
    ("update-service", &[3, 6, 9, 10, 11], VALIDATION),
    ("watch-bookmark-long", &[2], "it sends one bookmark before the end, a real server may send more"),
    ("watch-cr", &[4], "the recording took more than a second"),
];
