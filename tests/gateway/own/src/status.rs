//! The status of a gateway.

use gateway_api::conditions;
use gateway_api::gateway_networking_v1::{
    Gateway, GatewayStatus, GatewayStatusAddresses, GatewayStatusListeners,
};
use gateway_api::jiff::Timestamp;
use gateway_api::meta_v1::Condition;
use gateway_api::prelude::*;

/// A gateway of the status alone, if that is to be written.
pub(crate) fn of(gateway: &Gateway, is_programmed: bool, now: Timestamp) -> Option<Gateway> {
    let old = gateway.status.as_deref().cloned().unwrap_or_default();
    let (reason, message) = if is_programmed {
        ("Programmed", "the proxy has its configuration")
    } else {
        ("Pending", "no proxy has its configuration yet")
    };
    let set = |conditions: &mut Vec<Condition>| {
        let all = [
            conditions::condition("Accepted", true, "Accepted", "the class is ours"),
            conditions::condition("Programmed", is_programmed, reason, message),
        ];
        for condition in all {
            let generation = gateway.metadata.generation;
            let condition = Condition { observed_generation: generation, ..condition };
            conditions::set(conditions, condition, now);
        }
    };
    let mut conditions = old.conditions.clone().unwrap_or_default();
    set(&mut conditions);
    let listeners = gateway.spec.listeners.iter().map(|listener| {
        let known = old.listeners.iter().flatten().find(|known| known.name == listener.name);
        let mut conditions = known.map(|known| known.conditions.clone()).unwrap_or_default();
        set(&mut conditions);
        let name = listener.name.clone();
        GatewayStatusListeners { name, conditions, ..GatewayStatusListeners::default() }
    });
    let address = GatewayStatusAddresses {
        type_: Some("Hostname".to_owned()),
        value: format!("{}.{}.svc", gateway.name(), gateway.namespace()),
        ..GatewayStatusAddresses::default()
    };
    let status = GatewayStatus {
        addresses: Some(vec![address]),
        conditions: Some(conditions),
        listeners: Some(listeners.collect()),
        ..GatewayStatus::default()
    };
    let new = Gateway { status: Some(status.into()), ..Gateway::default() };
    (new.status != gateway.status).then_some(new)
}
