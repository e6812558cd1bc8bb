//! A custom resource whose specification has types of Kubernetes in it.

use kube::CustomResource;
use openshift_api::core_v1::{PodTemplateSpec, ResourceRequirements, Toleration};
use openshift_api::meta_v1::{IntOrString, LabelSelector, Quantity, RawJson, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A workshop: pods that are made of a template.
#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Workshop",
    namespaced,
    status = "WorkshopStatus"
)]
#[serde(rename_all = "camelCase")]
pub struct WorkshopSpec {
    /// The pods of the workshop.
    pub template: PodTemplateSpec,
    /// The pods that belong to it.
    pub selector: Option<LabelSelector>,
    /// The port of all pods.
    pub port: IntOrString,
    /// The share of pods that may be unavailable.
    pub max_unavailable: Option<IntOrString>,
    /// The size of each volume.
    pub sizes: BTreeMap<String, Quantity>,
    /// Settings of any form.
    pub settings: RawJson,
    /// More of them.
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
    pub opened: Option<Time>,
    /// The resources of all pods together.
    pub resources: Option<ResourceRequirements>,
}
