//! The objects that a gateway becomes.

use crate::LABEL;
use gateway_api::gateway_networking_v1::Gateway;
use gateway_api::meta_v1::{LabelSelector, ObjectMeta};
use gateway_api::prelude::*;
use openshift_api::apps_v1::{Deployment, DeploymentSpec};
use openshift_api::core_v1::{
    Container, ContainerPort, PodSpec, PodTemplateSpec, Service, ServicePort, ServiceSpec,
};
use std::collections::BTreeMap;

fn labels(gateway: &Gateway) -> BTreeMap<String, String> {
    [(LABEL.to_owned(), gateway.name().to_owned())].into()
}

fn metadata(gateway: &Gateway) -> ObjectMeta {
    ObjectMeta {
        name: Some(gateway.name().to_owned()),
        labels: Some(labels(gateway)),
        owner_references: gateway.controller_reference().map(|owner| vec![owner]),
        ..ObjectMeta::default()
    }
}

pub(crate) fn deployment(gateway: &Gateway) -> Deployment {
    let ports = gateway.spec.listeners.iter().map(|listener| ContainerPort {
        container_port: listener.port,
        ..ContainerPort::default()
    });
    let proxy = Container {
        name: "proxy".to_owned(),
        image: Some("example.com/proxy:1".to_owned()),
        ports: Some(ports.collect()),
        ..Container::default()
    };
    let pod = PodSpec { containers: vec![proxy], ..PodSpec::default() };
    let template = PodTemplateSpec {
        metadata: Some(
            ObjectMeta { labels: Some(labels(gateway)), ..ObjectMeta::default() }.into(),
        ),
        spec: Some(pod.into()),
        ..PodTemplateSpec::default()
    };
    let selector =
        LabelSelector { match_labels: Some(labels(gateway)), ..LabelSelector::default() };
    let spec = DeploymentSpec { selector, template, ..DeploymentSpec::default() };
    Deployment { metadata: metadata(gateway), spec: Some(spec.into()), ..Deployment::default() }
}

pub(crate) fn service(gateway: &Gateway) -> Service {
    let ports = gateway.spec.listeners.iter().map(|listener| ServicePort {
        name: Some(listener.name.clone()),
        port: listener.port,
        ..ServicePort::default()
    });
    let spec = ServiceSpec {
        ports: Some(ports.collect()),
        selector: Some(labels(gateway)),
        ..ServiceSpec::default()
    };
    Service { metadata: metadata(gateway), spec: Some(spec.into()), ..Service::default() }
}
