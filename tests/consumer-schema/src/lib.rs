//! A custom resource that is defined in Rust, with types of Kubernetes in it, and its controller.

pub mod controller;

use kube::CustomResource;
use openshift_api::core_v1::{PodTemplateSpec, ResourceRequirements, Toleration};
use openshift_api::custom_resource;
use openshift_api::meta_v1::{IntOrString, LabelSelector, Quantity, RawJson, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

custom_resource! {
    /// A workshop: pods that are made of a template.
    #[resource(group = "example.com", version = "v1", plural = "workshops", scope = Namespaced, list = WorkshopList)]
    pub struct Workshop {
        /// The workshop as it should be.
        pub spec: WorkshopSpec,
        /// The workshop as it is.
        pub status: Option<WorkshopStatus>,
    }
}

/// The desired state of a workshop. The derive macro of kube makes `WorkshopDefinition`, which has
/// the definition.
#[derive(CustomResource, Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Workshop",
    root = "WorkshopDefinition",
    namespaced,
    status = "WorkshopStatus"
)]
#[serde(rename_all = "camelCase")]
pub struct WorkshopSpec {
    /// The pods of the workshop.
    pub template: PodTemplateSpec,
    /// The pods that belong to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<LabelSelector>,
    /// The port of all pods.
    pub port: IntOrString,
    /// The share of pods that may be unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrString>,
    /// The size of each volume.
    pub sizes: BTreeMap<String, Quantity>,
    /// Settings of any form.
    pub settings: RawJson,
    /// More of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<RawJson>,
    /// Added to those of the template.
    #[serde(default)]
    pub tolerations: Vec<Toleration>,
}

/// The state of a workshop.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkshopStatus {
    /// The time at which it opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened: Option<Time>,
    /// The resources of all pods together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<ResourceRequirements>,
}
