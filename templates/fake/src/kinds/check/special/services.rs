//! The addresses and node ports of services.

use crate::kinds::check::syntax;
use crate::kinds::check::walk::{Check, NONE, Walk, elements, is_zero, text};
use kapigen_definitions::Cause;
use serde_json::{Value, json};
use std::net::Ipv4Addr;

pub(super) const CHECKS: &[(&str, Check)] =
    &[("cluster_addresses", cluster_addresses), ("node_ports", node_ports)];

/// The first two parts of all addresses of services.
const NETWORK: [u8; 2] = [10, 0];
const FIRST_PORT: u64 = 30_000;
const LAST_PORT: u64 = 32_767;

const HEADLESS: &str = "None";

fn has_address(spec: &Value) -> bool {
    text(&spec["type"]) != "ExternalName"
}

fn has_node_ports(spec: &Value) -> bool {
    match text(&spec["type"]) {
        "NodePort" => true,
        "LoadBalancer" => spec["allocateLoadBalancerNodePorts"] != json!(false),
        _ => false,
    }
}

/// A stated address is of the network of services, and stays.
fn cluster_addresses<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    let address = text(&spec["clusterIP"]);
    let old = walk.live.and_then(|live| live.get("spec")).unwrap_or(NONE);
    let known = text(&old["clusterIP"]);
    let shown = json!([address]);
    if !has_address(spec) || address == known {
        return;
    }
    if !known.is_empty() && has_address(old) {
        return walk.invalid(".clusterIPs[0]", &shown, "may not change once set");
    }
    let errors = if matches!(address, "" | HEADLESS) { Vec::new() } else { syntax::ip(address) };
    for why in &errors {
        walk.invalid(".clusterIPs[0]", &json!(address), why);
    }
    let is_own = address.parse::<Ipv4Addr>().is_ok_and(|address| {
        address.octets()[..2] == NETWORK && !matches!(address.octets(), [.., 0, 0])
    });
    if errors.is_empty() && !matches!(address, "" | HEADLESS) && !is_own {
        let why = format!(
            "failed to allocate IP {address}: the provided network does not match the current range"
        );
        walk.invalid(".clusterIPs", &shown, &why);
    }
}

/// A stated port of nodes is in their range, and the type of the service has such ports.
fn node_ports<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    for (index, port) in elements(&spec["ports"]).iter().enumerate() {
        let Some(number) = port["nodePort"].as_u64().filter(|number| *number != 0) else {
            continue;
        };
        let place = format!(".ports[{index}].nodePort");
        if text(&spec["type"]) == "ClusterIP" {
            let why = "may not be used when `type` is 'ClusterIP'";
            walk.below(&place, |path| Cause::forbidden(path, why));
        } else if !(FIRST_PORT..=LAST_PORT).contains(&number) {
            let why = format!(
                "provided port is not in the valid range. The range of valid ports is \
                 {FIRST_PORT}-{LAST_PORT}"
            );
            walk.invalid(&place, &json!(number), &why);
        }
    }
}

/// Gives a service the addresses and ports that it needs. A number makes them different from the
/// ones of other services.
pub(super) fn admit(service: &mut Value, live: Option<&Value>, number: u64) {
    let old = live.map_or(NONE, |live| &live["spec"]);
    let Some(spec) = service.get_mut("spec") else { return };
    for name in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
        keep(spec, old, name, has_address(spec), !has_address(spec) && has_address(old));
    }
    if has_address(spec) {
        address(spec, number);
    }
    node_ports_of(spec, old, number);
}

/// Keeps a member that the object does not state, or drops one that only the old one needed.
fn keep(spec: &mut Value, old: &Value, name: &str, is_kept: bool, is_dropped: bool) {
    if is_kept && is_zero(&spec[name]) && !is_zero(&old[name]) {
        spec[name] = old[name].clone();
    } else if is_dropped && spec[name] == old[name] || spec[name].is_null() {
        spec.as_object_mut().map(|members| members.shift_remove(name));
    }
}

fn address(spec: &mut Value, number: u64) {
    if is_zero(&spec["clusterIP"]) {
        let [high, low] = (1 + number % 0xFFFE).to_be_bytes()[6..] else { return };
        spec["clusterIP"] = json!(Ipv4Addr::from([NETWORK[0], NETWORK[1], high, low]).to_string());
    }
    if is_zero(&spec["clusterIPs"]) {
        spec["clusterIPs"] = json!([spec["clusterIP"]]);
    }
    let is_open = text(&spec["clusterIP"]) == HEADLESS && is_zero(&spec["selector"]);
    let (policy, families): (_, &[&str]) =
        if is_open { ("RequireDualStack", &["IPv4", "IPv6"]) } else { ("SingleStack", &["IPv4"]) };
    if is_zero(&spec["ipFamilyPolicy"]) {
        spec["ipFamilyPolicy"] = json!(policy);
    }
    if is_zero(&spec["ipFamilies"]) {
        spec["ipFamilies"] = json!(families);
    }
}

fn node_ports_of(spec: &mut Value, old: &Value, number: u64) {
    let [is_needed, was_needed] = [has_node_ports(spec), has_node_ports(old)];
    let known = elements(&old["ports"]);
    let ports = spec.get_mut("ports").and_then(Value::as_array_mut).into_iter().flatten();
    for (index, port) in ports.enumerate() {
        let same = known
            .iter()
            .find(|old| old["port"] == port["port"] && old["protocol"] == port["protocol"]);
        let own = same.map_or(NONE, |old| &old["nodePort"]);
        if is_needed && is_zero(&port["nodePort"]) {
            let free = FIRST_PORT + (number * 7 + index as u64) % (LAST_PORT + 1 - FIRST_PORT);
            port["nodePort"] = if is_zero(own) { json!(free) } else { own.clone() };
        } else if !is_needed && was_needed && port["nodePort"] == *own {
            port.as_object_mut().map(|members| members.shift_remove("nodePort"));
        }
    }
}
