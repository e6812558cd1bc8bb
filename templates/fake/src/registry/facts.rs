//! Facts about a kind that documents do not state.

use super::Resource;
use crate::validate::NameRule;

/// The members of metadata that a request can change, apart from the record of managers.
pub(crate) const WRITABLE_METADATA: &[&str] =
    &["annotations", "deletionTimestamp", "finalizers", "generateName", "labels", "ownerReferences", "selfLink"];

/// Facts about a kind that documents do not state, and clients notice.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub(crate) struct Facts {
    /// Whether objects have a `generation`.
    pub(crate) has_generation: bool,
    /// Whether a PUT of a missing object creates it.
    pub(crate) creates_on_update: bool,
    /// Whether a PUT without a version overwrites.
    pub(crate) allows_blind_update: bool,
    /// Whether the response to a delete is the object, and not a `Status`.
    pub(crate) returns_deleted: bool,
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
    /// A warning with every response.
    pub(crate) warning: Option<&'static str>,
}

/// Group and plural of a built-in resource. The plural alone does not identify it: other groups have pods and images.
type GroupResource = (&'static str, &'static str);

/// Built-in resources with a status but no generation.
const WITHOUT_GENERATION: &[GroupResource] = &[
    ("", "namespaces"),
    ("", "nodes"),
    ("", "persistentvolumeclaims"),
    ("", "persistentvolumes"),
    ("", "resourcequotas"),
    ("", "services"),
];

/// Built-in resources that a PUT creates.
const CREATED_ON_UPDATE: &[GroupResource] = &[
    ("", "endpoints"),
    ("", "events"),
    ("", "limitranges"),
    ("", "services"),
    ("coordination.k8s.io", "leasecandidates"),
    ("coordination.k8s.io", "leases"),
    ("events.k8s.io", "events"),
    ("node.k8s.io", "runtimeclasses"),
    ("rbac.authorization.k8s.io", "clusterrolebindings"),
    ("rbac.authorization.k8s.io", "clusterroles"),
    ("rbac.authorization.k8s.io", "rolebindings"),
    ("rbac.authorization.k8s.io", "roles"),
];

/// Built-in resources of which a PUT has to state the version.
const WITHOUT_BLIND_UPDATE: &[GroupResource] = &[
    ("admissionregistration.k8s.io", "mutatingadmissionpolicies"),
    ("admissionregistration.k8s.io", "mutatingadmissionpolicybindings"),
    ("admissionregistration.k8s.io", "mutatingwebhookconfigurations"),
    ("admissionregistration.k8s.io", "validatingadmissionpolicies"),
    ("admissionregistration.k8s.io", "validatingadmissionpolicybindings"),
    ("admissionregistration.k8s.io", "validatingwebhookconfigurations"),
    ("apiextensions.k8s.io", "customresourcedefinitions"),
    ("apiregistration.k8s.io", "apiservices"),
    ("certificates.k8s.io", "clustertrustbundles"),
    ("certificates.k8s.io", "podcertificaterequests"),
    ("coordination.k8s.io", "leasecandidates"),
    ("coordination.k8s.io", "leases"),
    ("image.openshift.io", "images"),
    ("image.openshift.io", "imagestreams"),
    ("internal.apiserver.k8s.io", "storageversions"),
    ("node.k8s.io", "runtimeclasses"),
    ("policy", "poddisruptionbudgets"),
    ("storage.k8s.io", "csidrivers"),
    ("storage.k8s.io", "csinodes"),
    ("storage.k8s.io", "csistoragecapacities"),
    ("storage.k8s.io", "volumeattachments"),
    ("storagemigration.k8s.io", "storageversionmigrations"),
];

/// Built-in resources of which a write to the status changes no metadata. Definitions of custom resources are not among
/// them: their server copies the metadata of the new object, and not of the stored one, onto the new object.
const STATUS_KEEPS_METADATA: &[GroupResource] = &[
    ("admissionregistration.k8s.io", "validatingadmissionpolicies"),
    ("apiregistration.k8s.io", "apiservices"),
    ("certificates.k8s.io", "podcertificaterequests"),
    ("flowcontrol.apiserver.k8s.io", "flowschemas"),
    ("flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations"),
    ("internal.apiserver.k8s.io", "storageversions"),
    ("networking.k8s.io", "servicecidrs"),
    ("resource.k8s.io", "devicetaintrules"),
    ("resource.k8s.io", "resourceclaims"),
    ("scheduling.k8s.io", "podgroups"),
    ("storage.k8s.io", "volumeattachments"),
    ("storagemigration.k8s.io", "storageversionmigrations"),
];

/// Those of them whose metadata is no reset field of the status: managers own what they state there, as with custom
/// resources.
const STATUS_OWNS_METADATA: &[GroupResource] = &[
    ("certificates.k8s.io", "podcertificaterequests"),
    ("internal.apiserver.k8s.io", "storageversions"),
    ("networking.k8s.io", "servicecidrs"),
    ("resource.k8s.io", "resourceclaims"),
];

/// Built-in resources of which the response to a delete is the object. Documents state that of all but namespaces.
const RETURNS_DELETED: &[GroupResource] = &[
    ("", "namespaces"),
    ("", "persistentvolumeclaims"),
    ("", "persistentvolumes"),
    ("", "pods"),
    ("", "podtemplates"),
    ("", "resourcequotas"),
    ("", "serviceaccounts"),
    ("", "services"),
    ("resource.k8s.io", "deviceclasses"),
    ("resource.k8s.io", "devicetaintrules"),
    ("resource.k8s.io", "resourceclaims"),
    ("resource.k8s.io", "resourceclaimtemplates"),
    ("resource.k8s.io", "resourceslices"),
    ("storage.k8s.io", "csidrivers"),
    ("storage.k8s.io", "csinodes"),
    ("storage.k8s.io", "storageclasses"),
    ("storage.k8s.io", "volumeattachments"),
    ("storage.k8s.io", "volumeattributesclasses"),
];

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

/// Those of the same events in their own group.
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

impl Facts {
    pub(super) fn of(resource: &Resource) -> Self {
        if resource.custom.is_some() {
            return Self { has_generation: true, kept_by_status: WRITABLE_METADATA, ..Self::default() };
        }
        let named = (resource.group.as_str(), resource.plural.as_str());
        let (short_names, categories, selectable) = names(named);
        let kept_by_status = kept_by_status(named);
        Self {
            has_generation: resource.has_status() && !WITHOUT_GENERATION.contains(&named),
            creates_on_update: CREATED_ON_UPDATE.contains(&named),
            allows_blind_update: !WITHOUT_BLIND_UPDATE.contains(&named),
            returns_deleted: RETURNS_DELETED.contains(&named),
            grace: (named == ("", "pods")).then_some(30),
            selectable,
            short_names,
            categories,
            name_rule: name_rule(named),
            kept_by_status,
            reset_by_status: if STATUS_OWNS_METADATA.contains(&named) { &[] } else { kept_by_status },
            warning: (named == ("", "endpoints"))
                .then_some("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"),
        }
    }
}

fn kept_by_status(resource: (&str, &str)) -> &'static [&'static str] {
    match resource {
        // Old kubelets corrupt them.
        ("", "pods") => &["deletionTimestamp", "ownerReferences"],
        ("apps", "deployments") => &["labels"],
        _ if STATUS_KEEPS_METADATA.contains(&resource) => WRITABLE_METADATA,
        _ => &[],
    }
}

fn name_rule(resource: (&str, &str)) -> NameRule {
    match resource {
        ("", "namespaces") => NameRule::Label,
        // `sha256:…` and `stream:tag`, `system:node`.
        ("image.openshift.io", "images" | "imagesignatures" | "imagestreamtags" | "imagetags")
        | ("rbac.authorization.k8s.io", _) => NameRule::PathSegment,
        _ => NameRule::Subdomain,
    }
}

type Names = (&'static [&'static str], &'static [&'static str], &'static [&'static str]);

fn names(resource: (&str, &str)) -> Names {
    match resource {
        ("", "componentstatuses") => (&["cs"], &[], &[]),
        ("", "limitranges") => (&["limits"], &[], &[]),
        ("", "persistentvolumeclaims") => (&["pvc"], &[], &[]),
        ("", "persistentvolumes") => (&["pv"], &[], &[]),
        ("", "replicationcontrollers") => (&["rc"], &["all"], &["status.replicas"]),
        ("", "resourcequotas") => (&["quota"], &[], &[]),
        ("", "configmaps") => (&["cm"], &[], &[]),
        ("apps", "deployments") => (&["deploy"], &["all"], &[]),
        ("", "endpoints") => (&["ep"], &[], &[]),
        ("", "events") => (&["ev"], &[], EVENT_FIELDS),
        ("events.k8s.io", "events") => (&["ev"], &[], EVENTS_FIELDS),
        ("", "namespaces") => (&["ns"], &[], &["status.phase"]),
        ("", "nodes") => (&["no"], &[], &["spec.unschedulable"]),
        ("", "pods") => (&["po"], &["all"], POD_FIELDS),
        ("apps", "replicasets") => (&["rs"], &["all"], &["status.replicas"]),
        ("", "secrets") => (&[], &[], &["type"]),
        ("", "serviceaccounts") => (&["sa"], &[], &[]),
        ("", "services") => (&["svc"], &["all"], &["spec.clusterIP", "spec.type"]),
        _ => (&[], &[], &[]),
    }
}
