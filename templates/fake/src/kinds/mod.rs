//! Facts about kinds that clients notice and documents do not state.

mod built_in;
mod check;
pub(crate) mod events;
mod normal;
mod rules;

pub(crate) use check::{admit, causes, fill};
pub(crate) use normal::normalize;
pub(crate) use rules::{debugged, limits};

use crate::validate::{MetadataChecks, NameRule};

/// The members of metadata that a request can change, apart from the record of managers.
pub(crate) const WRITABLE_METADATA: &[&str] = &[
    "annotations",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "labels",
    "ownerReferences",
    "selfLink",
];

/// The facts of a kind that documents do not state.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Facts {
    /// Whether objects have a `generation`, if they have a status or are custom resources.
    pub(crate) has_generation: bool,
    /// Whether they have one although the kind has no status.
    pub(crate) counts_without_status: bool,
    /// Whether a PUT of a missing object creates it.
    pub(crate) creates_on_update: bool,
    /// Whether a PUT without a version overwrites.
    pub(crate) allows_blind_update: bool,
    /// Whether the response to a delete is the object, and not a `Status`. Documents state it of
    /// all but namespaces.
    pub(crate) returns_deleted: bool,
    /// Whether the policy of a delete becomes a finalizer, for the garbage collector to act on.
    pub(crate) has_dependents: bool,
    /// The grace period, in seconds, of a delete that does not state one.
    pub(crate) grace: Option<i64>,
    /// Members that field selectors may name beside name and namespace.
    pub(crate) selectable: &'static [&'static str],
    pub(crate) short_names: &'static [&'static str],
    pub(crate) categories: &'static [&'static str],
    pub(crate) name_rule: NameRule,
    /// Members of metadata that a write of the status does not change.
    pub(crate) kept_by_status: &'static [&'static str],
    /// The reset fields among them: a manager of the status does not own what it states there.
    pub(crate) reset_by_status: &'static [&'static str],
    /// Whether the specification is no reset field of the status, as it is of all other kinds: a
    /// manager of the status owns what it states there, although it changes nothing.
    pub(crate) is_spec_owned_by_status: bool,
    pub(crate) metadata_checks: MetadataChecks,
    /// A warning with every response.
    pub(crate) warning: Option<&'static str>,
    /// The group and version in which objects are stored, if it is not the one of highest priority.
    pub(crate) stored_as: Option<&'static str>,
}

/// The checks of most kinds.
const ONCE: MetadataChecks =
    MetadataChecks { on_update: 3, of_finalizers: 1, of_standard: true, is_apart: false };
/// The checks of kinds that check the whole object on update.
const TWICE: MetadataChecks = MetadataChecks { on_update: 4, of_finalizers: 2, ..ONCE };
pub(crate) const TWICE_APART: MetadataChecks = MetadataChecks { is_apart: true, ..TWICE };
/// The checks of custom resources, and of kinds that check metadata like them.
const PLAIN: MetadataChecks = MetadataChecks { of_standard: false, ..ONCE };
const PLAIN_TWICE: MetadataChecks = MetadataChecks { of_finalizers: 2, ..PLAIN };
/// The checks of kinds that add none of their own on update.
const FEWEST: MetadataChecks = MetadataChecks { on_update: 2, ..PLAIN };

/// The kinds that have other checks than most, by their groups and plural names.
const METADATA_CHECKS: [(&str, &[&str], MetadataChecks); 12] = [
    (
        "",
        &[
            "configmaps",
            "endpoints",
            "persistentvolumeclaims",
            "pods",
            "secrets",
            "serviceaccounts",
        ],
        TWICE,
    ),
    ("", &["namespaces", "nodes", "persistentvolumes"], TWICE_APART),
    ("", &["events"], FEWEST),
    (
        "admissionregistration.k8s.io",
        &["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
        PLAIN_TWICE,
    ),
    ("apiextensions.k8s.io", &["customresourcedefinitions"], PLAIN),
    ("batch", &["jobs"], TWICE_APART),
    ("coordination.k8s.io", &["leases"], PLAIN),
    ("image.openshift.io", &["images"], TWICE),
    ("networking.k8s.io", &["ingressclasses", "ingresses"], TWICE),
    ("policy", &["poddisruptionbudgets"], FEWEST),
    (
        "rbac.authorization.k8s.io",
        &["clusterrolebindings", "clusterroles", "rolebindings", "roles"],
        TWICE_APART,
    ),
    ("storage.k8s.io", &["storageclasses"], TWICE_APART),
];

/// The checks of the metadata of a built-in kind.
fn metadata_checks((group, plural): (&str, &str)) -> MetadataChecks {
    let known = METADATA_CHECKS
        .iter()
        .find(|(known, plurals, _)| *known == group && plurals.contains(&plural));
    known.map_or(ONCE, |(_, _, checks)| *checks)
}

/// Most kinds.
const USUAL: Facts = Facts {
    has_generation: true,
    counts_without_status: false,
    creates_on_update: false,
    allows_blind_update: true,
    returns_deleted: false,
    has_dependents: true,
    grace: None,
    selectable: &[],
    short_names: &[],
    categories: &[],
    name_rule: NameRule::Subdomain,
    kept_by_status: &[],
    reset_by_status: &[],
    is_spec_owned_by_status: false,
    metadata_checks: ONCE,
    warning: None,
    stored_as: None,
};

impl Facts {
    /// The facts of a resource by its group and plural name.
    pub(crate) fn new(named: (&str, &str), has_status: bool, is_custom: bool) -> Self {
        if is_custom {
            return Self {
                allows_blind_update: false,
                metadata_checks: PLAIN,
                kept_by_status: WRITABLE_METADATA,
                reset_by_status: WRITABLE_METADATA,
                ..USUAL
            };
        }
        let found =
            built_in::KINDS.binary_search_by(|(group, plural, _)| (*group, *plural).cmp(&named));
        let facts = found.map_or(USUAL, |index| built_in::KINDS[index].2);
        let has_generation = facts.has_generation && (has_status || facts.counts_without_status);
        Self { has_generation, metadata_checks: metadata_checks(named), ..facts }
    }
}
