//! Built-in kinds: facts that clients notice and no document states.

use super::{Facts, USUAL, WRITABLE_METADATA};
use crate::validate::NameRule;

/// Group, plural name and facts of the kinds that are unusual, sorted. The plural alone does not
/// identify a resource: other groups have pods and images.
///
/// A write to the status of a custom resource definition changes metadata: its server copies the
/// metadata of the new object, and not of the stored one, onto the new object. Old kubelets corrupt
/// what the status of a pod keeps.
pub(super) const KINDS: &[(&str, &str, Facts)] = &[
    ("", "componentstatuses", Facts { short_names: &["cs"], ..USUAL }),
    ("", "configmaps", Facts { short_names: &["cm"], ..USUAL }),
    (
        "",
        "endpoints",
        Facts {
            short_names: &["ep"],
            creates_on_update: true,
            warning: Some(
                "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
            ),
            ..USUAL
        },
    ),
    (
        "",
        "events",
        Facts {
            has_dependents: false,
            short_names: &["ev"],
            selectable: EVENT_FIELDS,
            creates_on_update: true,
            ..USUAL
        },
    ),
    ("", "limitranges", Facts { short_names: &["limits"], creates_on_update: true, ..USUAL }),
    (
        "",
        "namespaces",
        Facts {
            short_names: &["ns"],
            name_rule: NameRule::Label,
            selectable: &["status.phase"],
            has_generation: false,
            returns_deleted: true,
            ..USUAL
        },
    ),
    (
        "",
        "nodes",
        Facts {
            short_names: &["no"],
            selectable: &["spec.unschedulable"],
            has_generation: false,
            ..USUAL
        },
    ),
    ("", "persistentvolumeclaims", Facts { short_names: &["pvc"], has_generation: false, ..USUAL }),
    ("", "persistentvolumes", Facts { short_names: &["pv"], has_generation: false, ..USUAL }),
    (
        "",
        "pods",
        Facts {
            short_names: &["po"],
            categories: &["all"],
            selectable: POD_FIELDS,
            grace: Some(30),
            kept_by_status: &["deletionTimestamp", "ownerReferences"],
            reset_by_status: &["deletionTimestamp", "ownerReferences"],
            ..USUAL
        },
    ),
    ("", "podtemplates", Facts { counts_without_status: true, ..USUAL }),
    (
        "",
        "replicationcontrollers",
        Facts {
            short_names: &["rc"],
            categories: &["all"],
            selectable: &["status.replicas"],
            ..USUAL
        },
    ),
    ("", "resourcequotas", Facts { short_names: &["quota"], has_generation: false, ..USUAL }),
    ("", "secrets", Facts { selectable: &["type"], ..USUAL }),
    ("", "serviceaccounts", Facts { short_names: &["sa"], ..USUAL }),
    (
        "",
        "services",
        Facts {
            short_names: &["svc"],
            name_rule: NameRule::Label,
            categories: &["all"],
            selectable: &["spec.clusterIP", "spec.type"],
            has_generation: false,
            creates_on_update: true,
            ..USUAL
        },
    ),
    (
        "admissionregistration.k8s.io",
        "mutatingadmissionpolicies",
        Facts { allows_blind_update: false, ..USUAL },
    ),
    (
        "admissionregistration.k8s.io",
        "mutatingadmissionpolicybindings",
        Facts { allows_blind_update: false, ..USUAL },
    ),
    (
        "admissionregistration.k8s.io",
        "mutatingwebhookconfigurations",
        Facts { allows_blind_update: false, counts_without_status: true, ..USUAL },
    ),
    (
        "admissionregistration.k8s.io",
        "validatingadmissionpolicies",
        Facts {
            allows_blind_update: false,
            kept_by_status: WRITABLE_METADATA,
            reset_by_status: WRITABLE_METADATA,
            ..USUAL
        },
    ),
    (
        "admissionregistration.k8s.io",
        "validatingadmissionpolicybindings",
        Facts { allows_blind_update: false, counts_without_status: true, ..USUAL },
    ),
    (
        "admissionregistration.k8s.io",
        "validatingwebhookconfigurations",
        Facts { allows_blind_update: false, counts_without_status: true, ..USUAL },
    ),
    (
        "apiextensions.k8s.io",
        "customresourcedefinitions",
        Facts {
            short_names: &["crd", "crds"],
            categories: &["api-extensions"],
            allows_blind_update: false,
            stored_as: Some("apiextensions.k8s.io/v1beta1"),
            ..USUAL
        },
    ),
    (
        "apiregistration.k8s.io",
        "apiservices",
        Facts {
            allows_blind_update: false,
            has_generation: false,
            kept_by_status: WRITABLE_METADATA,
            reset_by_status: WRITABLE_METADATA,
            ..USUAL
        },
    ),
    ("apps", "controllerrevisions", Facts { has_generation: false, ..USUAL }),
    ("apps", "daemonsets", Facts { short_names: &["ds"], categories: &["all"], ..USUAL }),
    (
        "apps",
        "deployments",
        Facts {
            short_names: &["deploy"],
            categories: &["all"],
            kept_by_status: &["labels"],
            reset_by_status: &["labels"],
            ..USUAL
        },
    ),
    (
        "apps",
        "replicasets",
        Facts {
            short_names: &["rs"],
            categories: &["all"],
            selectable: &["status.replicas"],
            ..USUAL
        },
    ),
    (
        "apps",
        "statefulsets",
        Facts {
            short_names: &["sts"],
            categories: &["all"],
            selectable: &["status.successful"],
            ..USUAL
        },
    ),
    (
        "autoscaling",
        "horizontalpodautoscalers",
        Facts { short_names: &["hpa"], categories: &["all"], has_generation: false, ..USUAL },
    ),
    (
        "batch",
        "cronjobs",
        Facts {
            short_names: &["cj"],
            categories: &["all"],
            selectable: &["status.successful"],
            ..USUAL
        },
    ),
    ("batch", "jobs", Facts { categories: &["all"], selectable: &["status.successful"], ..USUAL }),
    (
        "certificates.k8s.io",
        "certificatesigningrequests",
        Facts {
            short_names: &["csr"],
            selectable: &["spec.signerName"],
            has_generation: false,
            ..USUAL
        },
    ),
    (
        "certificates.k8s.io",
        "clustertrustbundles",
        Facts { allows_blind_update: false, selectable: &["spec.signerName"], ..USUAL },
    ),
    (
        "certificates.k8s.io",
        "podcertificaterequests",
        Facts { allows_blind_update: false, kept_by_status: WRITABLE_METADATA, ..USUAL },
    ),
    (
        "coordination.k8s.io",
        "leasecandidates",
        Facts { creates_on_update: true, allows_blind_update: false, ..USUAL },
    ),
    (
        "coordination.k8s.io",
        "leases",
        Facts { creates_on_update: true, allows_blind_update: false, ..USUAL },
    ),
    ("discovery.k8s.io", "endpointslices", Facts { counts_without_status: true, ..USUAL }),
    (
        "events.k8s.io",
        "events",
        Facts {
            has_dependents: false,
            short_names: &["ev"],
            selectable: EVENTS_FIELDS,
            creates_on_update: true,
            stored_as: Some("/v1"),
            ..USUAL
        },
    ),
    (
        "flowcontrol.apiserver.k8s.io",
        "flowschemas",
        Facts { kept_by_status: WRITABLE_METADATA, reset_by_status: WRITABLE_METADATA, ..USUAL },
    ),
    (
        "flowcontrol.apiserver.k8s.io",
        "prioritylevelconfigurations",
        Facts { kept_by_status: WRITABLE_METADATA, reset_by_status: WRITABLE_METADATA, ..USUAL },
    ),
    (
        "image.openshift.io",
        "images",
        Facts {
            has_dependents: false,
            name_rule: NameRule::PathSegment,
            allows_blind_update: false,
            ..USUAL
        },
    ),
    (
        "image.openshift.io",
        "imagesignatures",
        Facts { has_dependents: false, name_rule: NameRule::PathSegment, ..USUAL },
    ),
    (
        "image.openshift.io",
        "imagestreams",
        Facts {
            short_names: &["is"],
            categories: &["all"],
            has_dependents: false,
            allows_blind_update: false,
            ..USUAL
        },
    ),
    (
        "image.openshift.io",
        "imagestreamtags",
        Facts { has_dependents: false, name_rule: NameRule::PathSegment, ..USUAL },
    ),
    (
        "image.openshift.io",
        "imagetags",
        Facts { has_dependents: false, name_rule: NameRule::PathSegment, ..USUAL },
    ),
    (
        "internal.apiserver.k8s.io",
        "storageversions",
        Facts { allows_blind_update: false, kept_by_status: WRITABLE_METADATA, ..USUAL },
    ),
    ("networking.k8s.io", "ingressclasses", Facts { counts_without_status: true, ..USUAL }),
    ("networking.k8s.io", "ingresses", Facts { short_names: &["ing"], ..USUAL }),
    ("networking.k8s.io", "ipaddresses", Facts { short_names: &["ip"], ..USUAL }),
    (
        "networking.k8s.io",
        "networkpolicies",
        Facts { short_names: &["netpol"], counts_without_status: true, ..USUAL },
    ),
    (
        "networking.k8s.io",
        "servicecidrs",
        Facts {
            has_generation: false,
            kept_by_status: WRITABLE_METADATA,
            is_spec_owned_by_status: true,
            ..USUAL
        },
    ),
    (
        "node.k8s.io",
        "runtimeclasses",
        Facts { creates_on_update: true, allows_blind_update: false, ..USUAL },
    ),
    (
        "policy",
        "poddisruptionbudgets",
        Facts {
            short_names: &["pdb"],
            allows_blind_update: false,
            name_rule: NameRule::PathSegment,
            ..USUAL
        },
    ),
    (
        "rbac.authorization.k8s.io",
        "clusterrolebindings",
        Facts { name_rule: NameRule::PathSegment, creates_on_update: true, ..USUAL },
    ),
    (
        "rbac.authorization.k8s.io",
        "clusterroles",
        Facts { name_rule: NameRule::PathSegment, creates_on_update: true, ..USUAL },
    ),
    (
        "rbac.authorization.k8s.io",
        "rolebindings",
        Facts { name_rule: NameRule::PathSegment, creates_on_update: true, ..USUAL },
    ),
    (
        "rbac.authorization.k8s.io",
        "roles",
        Facts { name_rule: NameRule::PathSegment, creates_on_update: true, ..USUAL },
    ),
    ("resource.k8s.io", "deviceclasses", Facts { counts_without_status: true, ..USUAL }),
    (
        "resource.k8s.io",
        "devicetaintrules",
        Facts { kept_by_status: WRITABLE_METADATA, reset_by_status: WRITABLE_METADATA, ..USUAL },
    ),
    (
        "resource.k8s.io",
        "resourceclaims",
        Facts { has_generation: false, kept_by_status: WRITABLE_METADATA, ..USUAL },
    ),
    (
        "resource.k8s.io",
        "resourceslices",
        Facts {
            counts_without_status: true,
            selectable: &["spec.driver", "spec.nodeName"],
            ..USUAL
        },
    ),
    (
        "scheduling.k8s.io",
        "podgroups",
        Facts { kept_by_status: WRITABLE_METADATA, reset_by_status: WRITABLE_METADATA, ..USUAL },
    ),
    (
        "scheduling.k8s.io",
        "priorityclasses",
        Facts { short_names: &["pc"], counts_without_status: true, ..USUAL },
    ),
    ("storage.k8s.io", "csidrivers", Facts { allows_blind_update: false, ..USUAL }),
    ("storage.k8s.io", "csinodes", Facts { allows_blind_update: false, ..USUAL }),
    ("storage.k8s.io", "csistoragecapacities", Facts { allows_blind_update: false, ..USUAL }),
    ("storage.k8s.io", "storageclasses", Facts { short_names: &["sc"], ..USUAL }),
    (
        "storage.k8s.io",
        "volumeattachments",
        Facts {
            allows_blind_update: false,
            has_generation: false,
            kept_by_status: WRITABLE_METADATA,
            reset_by_status: WRITABLE_METADATA,
            ..USUAL
        },
    ),
    ("storage.k8s.io", "volumeattributesclasses", Facts { short_names: &["vac"], ..USUAL }),
    (
        "storagemigration.k8s.io",
        "storageversionmigrations",
        Facts {
            allows_blind_update: false,
            kept_by_status: WRITABLE_METADATA,
            reset_by_status: WRITABLE_METADATA,
            ..USUAL
        },
    ),
];

/// Members of pods that field selectors may name.
const POD_FIELDS: &[&str] = &[
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
];

/// Members of events that field selectors may name.
const EVENT_FIELDS: &[&str] = &[
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
];

/// Members of the same events in the group `events.k8s.io` that field selectors may name.
const EVENTS_FIELDS: &[&str] = &[
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reason",
    "reportingController",
    "source",
    "type",
];

#[cfg(test)]
mod tests {
    use super::KINDS;

    #[test]
    fn kinds_are_sorted() {
        assert!(KINDS.is_sorted_by_key(|(group, plural, _)| (group, plural)));
    }
}
