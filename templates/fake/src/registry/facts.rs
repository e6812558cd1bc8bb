//! Facts about a kind that documents do not state.

use super::Resource;
use crate::validate::NameRule;
use crate::write::METADATA;

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
    /// A warning with every response.
    pub(crate) warning: Option<&'static str>,
}

/// Built-in kinds with a status but no generation.
const WITHOUT_GENERATION: &[&str] =
    &["namespaces", "nodes", "persistentvolumeclaims", "persistentvolumes", "resourcequotas", "services"];

/// Built-in kinds that a PUT creates.
const CREATED_ON_UPDATE: &[&str] = &[
    "endpoints",
    "endpointslices",
    "events",
    "leases",
    "limitranges",
    "resourcequotas",
    "rolebindings",
    "roles",
    "clusterroles",
    "clusterrolebindings",
    "services",
    "serviceaccounts",
];

/// Built-in kinds of which a PUT has to state the version.
const WITHOUT_BLIND_UPDATE: &[&str] = &[
    "apiservices",
    "csidrivers",
    "csinodes",
    "customresourcedefinitions",
    "flowschemas",
    "images",
    "imagestreams",
    "leases",
    "mutatingwebhookconfigurations",
    "poddisruptionbudgets",
    "prioritylevelconfigurations",
    "runtimeclasses",
    "validatingwebhookconfigurations",
    "volumeattachments",
];

/// Built-in kinds of which a write to the status changes no metadata.
const STATUS_ALONE: &[&str] =
    &["apiservices", "customresourcedefinitions", "flowschemas", "prioritylevelconfigurations", "volumeattachments"];

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

impl Facts {
    pub(super) fn of(resource: &Resource) -> Self {
        if resource.custom.is_some() {
            return Self { has_generation: true, kept_by_status: METADATA, ..Self::default() };
        }
        let name = resource.plural.as_str();
        let (short_names, categories, selectable) = names(name);
        Self {
            has_generation: resource.has_status() && !WITHOUT_GENERATION.contains(&name),
            creates_on_update: CREATED_ON_UPDATE.contains(&name),
            allows_blind_update: !WITHOUT_BLIND_UPDATE.contains(&name),
            returns_deleted: matches!(
                name,
                "namespaces" | "pods" | "services" | "serviceaccounts" | "persistentvolumes"
            ),
            grace: (name == "pods").then_some(30),
            selectable,
            short_names,
            categories,
            name_rule: name_rule(&resource.group, name),
            kept_by_status: kept_by_status(name),
            warning: (name == "endpoints")
                .then_some("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"),
        }
    }
}

fn kept_by_status(plural: &str) -> &'static [&'static str] {
    match plural {
        // Kubelets of old corrupt them.
        "pods" => &["deletionTimestamp", "ownerReferences"],
        "deployments" => &["labels"],
        _ if STATUS_ALONE.contains(&plural) => METADATA,
        _ => &[],
    }
}

fn name_rule(group: &str, plural: &str) -> NameRule {
    match (group, plural) {
        ("", "namespaces") => NameRule::Label,
        // `sha256:…` and `stream:tag`, `system:node`.
        ("image.openshift.io", "images" | "imagesignatures" | "imagestreamtags" | "imagetags")
        | ("rbac.authorization.k8s.io", _) => NameRule::PathSegment,
        _ => NameRule::Subdomain,
    }
}

type Names = (&'static [&'static str], &'static [&'static str], &'static [&'static str]);

fn names(plural: &str) -> Names {
    match plural {
        "componentstatuses" => (&["cs"], &[], &[]),
        "limitranges" => (&["limits"], &[], &[]),
        "persistentvolumeclaims" => (&["pvc"], &[], &[]),
        "persistentvolumes" => (&["pv"], &[], &[]),
        "replicationcontrollers" => (&["rc"], &["all"], &["status.replicas"]),
        "resourcequotas" => (&["quota"], &[], &[]),
        "configmaps" => (&["cm"], &[], &[]),
        "deployments" => (&["deploy"], &["all"], &[]),
        "endpoints" => (&["ep"], &[], &[]),
        "events" => (&["ev"], &[], EVENT_FIELDS),
        "namespaces" => (&["ns"], &[], &["status.phase"]),
        "nodes" => (&["no"], &[], &["spec.unschedulable"]),
        "pods" => (&["po"], &["all"], POD_FIELDS),
        "replicasets" => (&["rs"], &["all"], &["status.replicas"]),
        "secrets" => (&[], &[], &["type"]),
        "serviceaccounts" => (&["sa"], &[], &[]),
        "services" => (&["svc"], &["all"], &["spec.clusterIP", "spec.type"]),
        _ => (&[], &[], &[]),
    }
}
