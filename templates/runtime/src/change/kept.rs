//! Required members whose empty value differs from an absent one on a server.

/// A required member that is applied even if it is empty.
struct Kept {
    type_name: &'static str,
    member: &'static str,
    #[allow(dead_code)] // for readers, and for the test that there is one
    reason: &'static str,
}

/// All others that an API server requires are the same to it when they are empty and when they are absent: members of
/// Go structs that are no pointers, or pointers whose empty value it refuses.
const KEPT: &[Kept] = &[
    Kept {
        type_name: "NetworkPolicySpec",
        member: "podSelector",
        reason: "an empty selector selects all pods of the namespace; required up to 1.33",
    },
    Kept {
        type_name: "CapacityRequestPolicyRange",
        member: "min",
        reason: "a pointer in Go: 0 is a lower bound, and without one the range is refused",
    },
];

/// Groups whose objects are Go structs on the server, which cannot tell an empty string from an absent one. The objects
/// of all other groups are custom resources.
const BUILT_IN: &[&str] = &[
    "",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "extensions",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
    // Served by openshift-apiserver and oauth-apiserver; the other groups of OpenShift are custom resources.
    "apps.openshift.io",
    "authorization.openshift.io",
    "build.openshift.io",
    "image.openshift.io",
    "oauth.openshift.io",
    "project.openshift.io",
    "quota.openshift.io",
    "route.openshift.io",
    "security.openshift.io",
    "template.openshift.io",
    "user.openshift.io",
];

/// Whether a required member of the type with this name is applied even if it is empty.
#[must_use]
pub fn is_kept(type_name: &str, member: &str) -> bool {
    KEPT.iter().any(|kept| kept.type_name == type_name && kept.member == member)
}

/// Whether the objects of a group are custom resources.
#[must_use]
pub fn is_custom(group: &str) -> bool {
    !BUILT_IN.contains(&group)
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, KEPT, is_custom};

    #[test]
    fn every_exception_has_a_reason() {
        assert!(KEPT.iter().all(|kept| !kept.reason.is_empty()));
        assert!(BUILT_IN.is_sorted_by_key(|group| (group.ends_with("openshift.io"), *group)));
    }

    #[test]
    fn unknown_groups_have_custom_resources() {
        assert!(!is_custom("") && !is_custom("apps") && !is_custom("image.openshift.io"));
        assert!(is_custom("argoproj.io") && is_custom("config.openshift.io") && is_custom("gateway.networking.k8s.io"));
    }
}
