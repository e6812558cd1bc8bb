//! Facts about kinds that documents do not state, and clients notice: data by kind.

mod built_in;
mod normal;
mod rules;

pub(crate) use normal::normalize;
pub(crate) use rules::causes;

use crate::validate::NameRule;

/// The members of metadata that a request can change, apart from the record of managers.
pub(crate) const WRITABLE_METADATA: &[&str] =
    &["annotations", "deletionTimestamp", "finalizers", "generateName", "labels", "ownerReferences", "selfLink"];

/// The facts of a kind that documents do not state.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub(crate) struct Facts {
    /// Whether objects have a `generation`, if they have a status or are custom resources.
    pub(crate) has_generation: bool,
    /// Whether they have one although the kind has no status.
    pub(crate) counts_without_status: bool,
    /// Whether a PUT of a missing object creates it.
    pub(crate) creates_on_update: bool,
    /// Whether a PUT without a version overwrites.
    pub(crate) allows_blind_update: bool,
    /// Whether the response to a delete is the object, and not a `Status`. Documents state it of all but namespaces.
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
    /// Members of metadata that a write to the status does not change.
    pub(crate) kept_by_status: &'static [&'static str],
    /// Those of them that are reset fields: a manager of the status does not own what it states there.
    pub(crate) reset_by_status: &'static [&'static str],
    /// Members that never change.
    pub(crate) immutable: &'static [&'static str],
    /// A warning with every response.
    pub(crate) warning: Option<&'static str>,
    /// The group and version in which objects are stored, if it is not the one of highest priority.
    pub(crate) stored_as: Option<&'static str>,
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
    immutable: &[],
    warning: None,
    stored_as: None,
};

impl Facts {
    /// The facts of a resource by its group and plural name.
    pub(crate) fn of(named: (&str, &str), has_status: bool, is_custom: bool) -> Self {
        if is_custom {
            return Self {
                allows_blind_update: false,
                kept_by_status: WRITABLE_METADATA,
                reset_by_status: WRITABLE_METADATA,
                ..USUAL
            };
        }
        let found = built_in::KINDS.binary_search_by(|(group, plural, _)| (*group, *plural).cmp(&named));
        let facts = found.map_or(USUAL, |index| built_in::KINDS[index].2);
        Self { has_generation: facts.has_generation && (has_status || facts.counts_without_status), ..facts }
    }
}
