//! All that a server remembers of its objects.

use crate::logs::Logs;
use crate::names::Names;
use crate::registry::Registry;
use crate::secret::Secret;
use crate::store::Store;
use crate::taken_names::TakenNames;

/// All that a server remembers of its objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) registry: Registry,
    pub(crate) store: Store,
    pub(crate) names: Names,
    pub(crate) logs: Logs,
    pub(crate) taken_names: TakenNames,
    /// The key of the tokens of service accounts.
    pub(crate) secret: Secret,
    /// Whether objects of built-in kinds are stored as clients send them.
    pub(crate) is_lenient: bool,
}

/// The resource of definitions of custom resources.
pub(crate) const DEFINITIONS: &str = "customresourcedefinitions.apiextensions.k8s.io";

/// The resource of namespaces.
pub(crate) const NAMESPACES: &str = "namespaces.";
