//! The types of Go that documents do not state, by which errors name members.

/// The structs that are embedded in others, by the members that these then have. After `!`, they
/// have all but those.
const EMBEDDED: &[(&str, &str, &str)] = &[
    ("ConfigMapEnvSource", "name", "LocalObjectReference"),
    ("ConfigMapKeySelector", "name", "LocalObjectReference"),
    ("ConfigMapProjection", "name", "LocalObjectReference"),
    ("ConfigMapVolumeSource", "name", "LocalObjectReference"),
    ("EphemeralContainer", "!targetContainerName", "EphemeralContainerCommon"),
    ("IngressRule", "http", "IngressRuleValue"),
    (
        "PersistentVolumeSpec",
        "!accessModes capacity claimRef mountOptions nodeAffinity persistentVolumeReclaimPolicy \
         storageClassName volumeAttributesClassName volumeMode",
        "PersistentVolumeSource",
    ),
    ("Probe", "exec grpc httpGet tcpSocket", "ProbeHandler"),
    ("RuleWithOperations", "!operations", "Rule"),
    ("SecretEnvSource", "name", "LocalObjectReference"),
    ("SecretKeySelector", "name", "LocalObjectReference"),
    ("SecretProjection", "name", "LocalObjectReference"),
    ("Volume", "!name", "VolumeSource"),
];

/// The types of strings and of elements that are strings, by struct and member.
const STRINGS: &[(&str, &str, &str)] = &[
    ("ContainerPort", "protocol", "v1.Protocol"),
    ("ContainerResizePolicy", "resourceName", "v1.ResourceName"),
    ("CronJobSpec", "concurrencyPolicy", "v1.ConcurrencyPolicy"),
    ("CustomResourceDefinitionSpec", "scope", "v1.ResourceScope"),
    ("DaemonSetUpdateStrategy", "type", "v1.DaemonSetUpdateStrategyType"),
    ("DeploymentStrategy", "type", "v1.DeploymentStrategyType"),
    ("EndpointPort", "protocol", "v1.Protocol"),
    ("EndpointSlice", "addressType", "v1.AddressType"),
    ("HPAScalingPolicy", "type", "v2.HPAScalingPolicyType"),
    ("HPAScalingRules", "selectPolicy", "v2.ScalingPolicySelect"),
    ("HTTPGetAction", "scheme", "v1.URIScheme"),
    ("HTTPIngressPath", "pathType", "v1.PathType"),
    ("HostPathVolumeSource", "type", "v1.HostPathType"),
    ("JobSpec", "completionMode", "v1.CompletionMode"),
    ("JobSpec", "podReplacementPolicy", "v1.PodReplacementPolicy"),
    ("LabelSelectorRequirement", "operator", "v1.LabelSelectorOperator"),
    ("LimitRangeItem", "type", "v1.LimitType"),
    ("MetricSpec", "type", "v2.MetricSourceType"),
    ("MetricTarget", "type", "v2.MetricTargetType"),
    ("MutatingWebhook", "failurePolicy", "v1.FailurePolicyType"),
    ("MutatingWebhook", "matchPolicy", "v1.MatchPolicyType"),
    ("MutatingWebhook", "reinvocationPolicy", "v1.ReinvocationPolicyType"),
    ("MutatingWebhook", "sideEffects", "v1.SideEffectClass"),
    ("NetworkPolicyPort", "protocol", "v1.Protocol"),
    ("NetworkPolicySpec", "policyTypes", "v1.PolicyType"),
    ("NodeSelectorRequirement", "operator", "v1.NodeSelectorOperator"),
    ("PersistentVolumeClaimSpec", "accessModes", "v1.PersistentVolumeAccessMode"),
    ("PersistentVolumeClaimSpec", "volumeMode", "v1.PersistentVolumeMode"),
    ("PersistentVolumeSpec", "accessModes", "v1.PersistentVolumeAccessMode"),
    ("PersistentVolumeSpec", "persistentVolumeReclaimPolicy", "v1.PersistentVolumeReclaimPolicy"),
    ("PersistentVolumeSpec", "volumeMode", "v1.PersistentVolumeMode"),
    ("PodDisruptionBudgetSpec", "unhealthyPodEvictionPolicy", "v1.UnhealthyPodEvictionPolicyType"),
    (
        "PodFailurePolicyOnExitCodesRequirement",
        "operator",
        "v1.PodFailurePolicyOnExitCodesOperator",
    ),
    ("PodFailurePolicyOnPodConditionsPattern", "status", "v1.ConditionStatus"),
    ("PodFailurePolicyOnPodConditionsPattern", "type", "v1.PodConditionType"),
    ("PodFailurePolicyRule", "action", "v1.PodFailurePolicyAction"),
    ("PodReadinessGate", "conditionType", "v1.PodConditionType"),
    ("PodSpec", "dnsPolicy", "v1.DNSPolicy"),
    ("PodSpec", "preemptionPolicy", "v1.PreemptionPolicy"),
    ("PodSpec", "restartPolicy", "v1.RestartPolicy"),
    ("PriorityClass", "preemptionPolicy", "v1.PreemptionPolicy"),
    ("ResourceMetricSource", "name", "v1.ResourceName"),
    ("ResourceQuotaSpec", "scopes", "v1.ResourceQuotaScope"),
    ("RuleWithOperations", "operations", "v1.OperationType"),
    ("RuleWithOperations", "scope", "v1.ScopeType"),
    ("Secret", "type", "v1.SecretType"),
    ("ServicePort", "protocol", "v1.Protocol"),
    ("ServiceSpec", "externalTrafficPolicy", "v1.ServiceExternalTrafficPolicy"),
    ("ServiceSpec", "internalTrafficPolicy", "v1.ServiceInternalTrafficPolicy"),
    ("ServiceSpec", "ipFamilies", "v1.IPFamily"),
    ("ServiceSpec", "ipFamilyPolicy", "v1.IPFamilyPolicy"),
    ("ServiceSpec", "sessionAffinity", "v1.ServiceAffinity"),
    ("ServiceSpec", "type", "v1.ServiceType"),
    ("StatefulSetSpec", "podManagementPolicy", "v1.PodManagementPolicyType"),
    ("StatefulSetUpdateStrategy", "type", "v1.StatefulSetUpdateStrategyType"),
    ("StorageClass", "reclaimPolicy", "v1.PersistentVolumeReclaimPolicy"),
    ("StorageClass", "volumeBindingMode", "v1.VolumeBindingMode"),
    ("Toleration", "effect", "v1.TaintEffect"),
    ("Toleration", "operator", "v1.TolerationOperator"),
    ("TopologySpreadConstraint", "whenUnsatisfiable", "v1.UnsatisfiableConstraintAction"),
    ("ValidatingWebhook", "failurePolicy", "v1.FailurePolicyType"),
    ("ValidatingWebhook", "matchPolicy", "v1.MatchPolicyType"),
    ("ValidatingWebhook", "sideEffects", "v1.SideEffectClass"),
];

/// The embedded struct that has a member of another struct.
pub(super) fn embedded(owner: &str, member: &str) -> Option<&'static str> {
    let mut found = EMBEDDED.iter().filter(|(known, ..)| *known == owner);
    let (.., name) = found.find(|(_, members, _)| match members.strip_prefix('!') {
        Some(others) => others.split(' ').all(|other| other != member),
        None => members.split(' ').any(|known| known == member),
    })?;
    Some(name)
}

/// The type of a string, or of an element that is one.
pub(super) fn string(owner: &str, member: &str) -> &'static str {
    let found = STRINGS.iter().find(|(known, name, _)| (*known, *name) == (owner, member));
    found.map_or("string", |(.., name)| name)
}
