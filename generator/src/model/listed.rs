//! Types of Kubernetes that definitions of custom resources write out again. A nested schema that
//! fits one of them becomes it.

/// A type that nested schemas may become.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// The name of its schema.
    pub schema: &'static str,
    /// Parts of the names of properties that tell it from another type with the same members.
    pub words: &'static [&'static str],
}

const fn listed(schema: &'static str) -> Listed {
    Listed { schema, words: &[] }
}

/// Each is here because programs pass its values to functions, or copy them to objects of built-in
/// kinds. Shape alone decides nothing: `name` alone fits 37 types of Kubernetes.
pub const LISTED: [Listed; 19] = [
    // The helpers for conditions take it.
    listed("io.k8s.apimachinery.pkg.apis.meta.v1.Condition"),
    // Lists and watches select by it.
    listed("io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector"),
    // References that programs follow.
    listed("io.k8s.api.core.v1.ObjectReference"),
    listed("io.k8s.api.core.v1.LocalObjectReference"),
    Listed { schema: "io.k8s.api.core.v1.SecretKeySelector", words: &["secret"] },
    Listed { schema: "io.k8s.api.core.v1.ConfigMapKeySelector", words: &["configmap"] },
    // Parts of pods that custom resources pass on, the whole before its parts.
    listed("io.k8s.api.core.v1.PodTemplateSpec"),
    listed("io.k8s.api.core.v1.PodSpec"),
    listed("io.k8s.api.core.v1.Container"),
    listed("io.k8s.api.core.v1.EnvVar"),
    listed("io.k8s.api.core.v1.Volume"),
    listed("io.k8s.api.core.v1.VolumeMount"),
    listed("io.k8s.api.core.v1.Probe"),
    listed("io.k8s.api.core.v1.ResourceRequirements"),
    listed("io.k8s.api.core.v1.SecurityContext"),
    listed("io.k8s.api.core.v1.PodSecurityContext"),
    listed("io.k8s.api.core.v1.Affinity"),
    listed("io.k8s.api.core.v1.Toleration"),
    listed("io.k8s.api.core.v1.TopologySpreadConstraint"),
];
