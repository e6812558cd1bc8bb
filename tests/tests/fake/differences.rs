//! The differences of the fake server from the recordings.

/// Built-in kinds are not validated, and later steps find objects that a real server refused.
const VALIDATION: &str = "built-in kinds are not validated";
/// Built-in kinds have no defaults.
const DEFAULTS: &str = "built-in kinds have no defaults";
const OTHER_VERSION: &str = "it is another server, with other groups, versions and documents";
const COLUMNS: &str = "it knows the columns of few built-in kinds";
const CREDENTIALS: &str = "it has no users, and issues no tokens";
const SCALE_OF_CUSTOM: &str = "the scale of a custom resource is checked by its schema alone";
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
    ("merge-patch-basics", &[23], "a patch that removes `apiVersion` is not decoded as an object of no kind"),
    ("merge-patch-cr", &[27], SCALE_OF_CUSTOM),
    ("namespace-finalize-and-status", &[6, 7], "times that Go writes as `null` are left out"),
    ("patch-unchanged", &[11, 12], DEFAULTS),
    ("pod-ephemeralcontainers", &[4, 5, 6, 7, 8, 9, 10, 11], VALIDATION),
    ("read-tables", &[11], DEFAULTS),
    ("read-tables", &[12, 13, 14, 17, 18, 21, 25, 32], COLUMNS),
    ("read-tables", &[23], "no controller accepts the names of a definition"),
    ("read-tables", &[30], "tables are of `v1`, also for clients that ask for `v1beta1`"),
    ("serviceaccount-token", &[2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14], CREDENTIALS),
    ("update-lease-election", &[6, 7, 8, 9, 10, 11, 12], VALIDATION),
    ("update-mismatch", &[16], "members are not checked against a version that is refused"),
    ("update-scale", &[35, 40], SCALE_OF_CUSTOM),
    ("update-scale", &[15, 39, 42], SCALE_RECORD),
    ("update-service", &[3, 6, 9, 10, 11], VALIDATION),
    ("watch-bookmark-long", &[2], "it sends one bookmark before the end, a real server may send more"),
    ("watch-cr", &[4], "the recording took more than a second"),
];
