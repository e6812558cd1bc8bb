//! The status of a gateway.

use crate::gateways::{Gateway, GatewayStatus, GatewayStatusAddresses, GatewayStatusListeners};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;
use kube::{Resource, ResourceExt};
use serde_json::{Value, json};

/// The patch of the status, if that is to be written.
pub(crate) fn of(gateway: &Gateway, is_programmed: bool, now: Timestamp) -> Option<Value> {
    let old = gateway.status.clone().unwrap_or_default();
    let (reason, message) = if is_programmed {
        ("Programmed", "the proxy has its configuration")
    } else {
        ("Pending", "no proxy has its configuration yet")
    };
    let updated = |conditions: &[Condition]| {
        let set = |type_, holds, reason, message| {
            condition(conditions, gateway, (type_, holds, reason, message), now)
        };
        vec![
            set("Accepted", true, "Accepted", "the class is ours"),
            set("Programmed", is_programmed, reason, message),
        ]
    };
    let listeners = gateway.spec.listeners.iter().map(|listener| {
        let known = old.listeners.iter().flatten().find(|known| known.name == listener.name);
        let conditions =
            updated(known.map(|known| known.conditions.as_slice()).unwrap_or_default());
        let name = listener.name.clone();
        GatewayStatusListeners { name, attached_routes: 0, conditions, supported_kinds: None }
    });
    let address = GatewayStatusAddresses {
        r#type: Some("Hostname".to_owned()),
        value: format!("{}.{}.svc", gateway.name_any(), gateway.namespace().unwrap_or_default()),
    };
    let status = GatewayStatus {
        addresses: Some(vec![address]),
        conditions: Some(updated(old.conditions.as_deref().unwrap_or_default())),
        listeners: Some(listeners.collect()),
        ..GatewayStatus::default()
    };
    let (api_version, kind) = (Gateway::api_version(&()), Gateway::kind(&()));
    let patch = json!({"apiVersion": api_version, "kind": kind, "status": status});
    (json!(status) != json!(gateway.status)).then_some(patch)
}

/// A condition, whose transition time stays while its status does.
fn condition(
    conditions: &[Condition],
    gateway: &Gateway,
    (type_, holds, reason, message): (&str, bool, &str, &str),
    now: Timestamp,
) -> Condition {
    let status = if holds { "True" } else { "False" };
    let known = conditions.iter().find(|known| known.type_ == type_ && known.status == status);
    Condition {
        type_: type_.to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message: message.to_owned(),
        observed_generation: gateway.metadata.generation,
        last_transition_time: known.map_or(Time(now), |known| known.last_transition_time.clone()),
    }
}
