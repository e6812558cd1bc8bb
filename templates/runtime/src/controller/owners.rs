//! Owners of dependents: the keys to queue when an object that another one owns has changed.

use crate::controller::informer::{Event, Key};
use crate::kind::{HasMetadata, Resource, group_version};
use crate::mask::Observed;
use crate::meta_v1::OwnerReference;
use crate::scope::Scope;
use std::collections::HashMap;

/// The owners of the dependents that an informer reports: from an event about a dependent to the
/// keys of its owners of one kind.
///
/// It remembers the owners of each dependent, so that a dependent that is gone, or has other owners
/// now, is reported to its previous owners, also where no event has its last state.
///
/// ```
/// use kapigen_runtime::informer::{Event, Key};
/// use kapigen_runtime::meta_v1::PartialObjectMetadata;
/// use kapigen_runtime::owners::Owners;
/// use kapigen_runtime::{Queue, Resource};
/// use std::time::Duration;
///
/// /// Queues the owners of a changed dependent.
/// fn on_dependent<T: Resource>(owners: &mut Owners, event: &Event<T>, queue: &mut Queue<Key>, now: Duration) {
///     for owner in owners.of(event) {
///         queue.add(owner, now);
///     }
/// }
/// ```
#[doc(alias = "ownerReferences")]
#[derive(Clone, Debug)]
pub struct Owners {
    group: String,
    kind: String,
    is_namespaced: bool,
    is_controller_only: bool,
    /// The owners of each dependent that has some.
    known: HashMap<Key, Vec<Key>>,
}

impl Owners {
    /// The members of dependents by which their owners are found. A [mask](crate::mask) of
    /// dependents must have them, since one that leaves them out makes all dependents seem to have
    /// no owner.
    ///
    /// ```
    /// use kapigen_runtime::FieldMask;
    /// use kapigen_runtime::meta_v1::PartialObjectMetadata;
    /// use kapigen_runtime::owners::Owners;
    ///
    /// let mask = FieldMask::<PartialObjectMetadata>::only(["metadata.labels"])? | FieldMask::only(Owners::MEMBERS)?;
    /// assert_eq!(mask.has("metadata.ownerReferences"), Ok(true));
    /// # Ok::<(), kapigen_runtime::mask::MaskError>(())
    /// ```
    pub const MEMBERS: [&'static str; 4] = [
        "metadata.ownerReferences.apiVersion",
        "metadata.ownerReferences.controller",
        "metadata.ownerReferences.kind",
        "metadata.ownerReferences.name",
    ];

    /// The owners of this kind.
    #[must_use]
    pub fn of_kind<O: Resource>() -> Self {
        Self::named(O::GROUP, O::KIND, O::Scope::NAMESPACED)
    }

    /// The owners of a kind that is known only at run time, by its group, which is empty for core,
    /// its name, and whether its objects are in namespaces.
    #[must_use]
    pub fn named(group: &str, kind: &str, is_namespaced: bool) -> Self {
        Self {
            group: group.to_owned(),
            kind: kind.to_owned(),
            is_namespaced,
            is_controller_only: false,
            known: HashMap::new(),
        }
    }

    /// Counts only the owner that manages a dependent: the reference with `controller` set.
    #[must_use]
    pub fn controllers_only(mut self) -> Self {
        self.is_controller_only = true;
        self
    }

    /// Takes an event of the informer of the dependents. Returns the keys of the affected owners,
    /// old and new. If the dependents are masked, the mask must have [`MEMBERS`](Self::MEMBERS).
    pub fn of<T: Observed<Object: HasMetadata>>(&mut self, event: &Event<T>) -> Vec<Key> {
        let mut owners = match event {
            Event::Applied { key, object } => {
                let now = self.keys(references(&**object), key);
                let before = if now.is_empty() {
                    self.known.remove(key)
                } else {
                    self.known.insert(key.clone(), now.clone())
                };
                [now, before.unwrap_or_default()].concat()
            }
            Event::Deleted { key, object } => {
                let last = self.keys(object.as_deref().map(references).unwrap_or_default(), key);
                [last, self.known.remove(key).unwrap_or_default()].concat()
            }
            Event::Init | Event::InitDone | Event::Undecodable { .. } | Event::Failed(_) => {
                Vec::new()
            }
        };
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    fn keys(&self, references: &[OwnerReference], dependent: &Key) -> Vec<Key> {
        // Another version of a kind has the same objects.
        let is_owner = |reference: &&OwnerReference| {
            reference.kind == self.kind
                && group_version(&reference.api_version).0 == self.group
                && (!self.is_controller_only || reference.controller == Some(true))
        };
        let namespace = if self.is_namespaced { dependent.namespace() } else { "" };
        references
            .iter()
            .filter(is_owner)
            .map(|reference| Key::new(namespace, &reference.name))
            .collect()
    }
}

fn references<T: Observed<Object: HasMetadata>>(dependent: &T) -> &[OwnerReference] {
    dependent.object().object_meta().owner_references.as_deref().unwrap_or_default()
}
