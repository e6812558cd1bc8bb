//! Services, endpoints, ingresses and network policies.

use crate::kinds::check::syntax;
use crate::kinds::check::walk::{Check, NONE, Walk, elements, is_zero, text};
use kapigen_definitions::{Cause, subdomain_errors};
use serde_json::{Value, json};
use std::collections::HashSet;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("service_ports", service_ports),
    ("name_of_several", name_of_several),
    ("name_of_port", name_of_port),
    ("external_name", external_name),
    ("port_pairs", port_pairs),
    ("addresses", addresses),
    ("special_address", special_address),
    ("slice_addresses", slice_addresses),
    ("several_named", several_named),
    ("host", host),
    ("tls_host", tls_host),
    ("ingress_path", ingress_path),
    ("backend", backend),
    ("has_backend", has_backend),
    ("controller", controller),
    ("most_two", most_two),
    ("end_port", end_port),
    ("peer", peer),
];

fn service_ports<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    let is_open = text(&spec["clusterIP"]) == "None" || text(&spec["type"]) == "ExternalName";
    if elements(&spec["ports"]).is_empty() && !is_open {
        walk.required(".ports", "");
    }
}

/// The ports of the service of which this is one.
fn siblings<'a>(walk: &Walk<'a>) -> &'a [Value] {
    elements(walk.object.pointer("/spec/ports").unwrap_or(NONE))
}

fn name_of_several<'a>(walk: &mut Walk<'a>, name: &'a Value) {
    if text(name).is_empty() && siblings(walk).len() > 1 {
        walk.required("", "");
    }
}

/// The first port of a name has it.
fn name_of_port<'a>(walk: &mut Walk<'a>, port: &'a Value) {
    let name = text(&port["name"]);
    let mut earlier = siblings(walk).iter().take_while(|other| !std::ptr::eq(*other, port));
    if !name.is_empty() && earlier.any(|other| text(&other["name"]) == name) {
        walk.duplicate(".name", &json!(name));
    }
}

fn external_name<'a>(walk: &mut Walk<'a>, name: &'a Value) {
    if walk.object.pointer("/spec/type") != Some(&json!("ExternalName")) {
        return;
    }
    let name = text(name).trim_end_matches('.');
    if name.is_empty() {
        walk.required("", "");
        return;
    }
    for why in subdomain_errors(name) {
        walk.invalid("", &json!(name), &why);
    }
}

/// Ports differ by protocol and number.
fn port_pairs<'a>(walk: &mut Walk<'a>, ports: &'a Value) {
    for (index, port) in repeated_ports(ports, "nodePort") {
        walk.duplicate(&format!("[{index}].nodePort"), &port["nodePort"]);
    }
    for (index, port) in repeated_ports(ports, "port") {
        let shown = json!({
            "Name": "", "Protocol": port["protocol"].as_str().unwrap_or("TCP"),
            "AppProtocol": null, "Port": port["port"], "TargetPort": 0, "NodePort": 0,
        });
        walk.duplicate(&format!("[{index}]"), &shown);
    }
}

/// The ports that state the protocol and the number of an earlier one, and their indices.
fn repeated_ports<'a>(ports: &'a Value, member: &str) -> Vec<(usize, &'a Value)> {
    let mut known = HashSet::new();
    let repeated = elements(ports).iter().enumerate().filter(|(_, port)| {
        let number = port[member].as_i64().unwrap_or_default();
        let protocol = port["protocol"].as_str().unwrap_or("TCP");
        number != 0 && !known.insert((protocol, number))
    });
    repeated.collect()
}

fn addresses<'a>(walk: &mut Walk<'a>, subset: &'a Value) {
    if is_zero(&subset["addresses"]) && is_zero(&subset["notReadyAddresses"]) {
        walk.required("", "must specify `addresses` or `notReadyAddresses`");
    }
}

/// An address that is no endpoint: the second check of it.
fn special_address<'a>(walk: &mut Walk<'a>, address: &'a Value) {
    let Ok(parsed) = text(address).parse::<std::net::IpAddr>() else {
        walk.invalid("", &json!(text(address)), "must be a valid IP address");
        return;
    };
    let is_local = match parsed {
        std::net::IpAddr::V4(address) => address.is_link_local(),
        std::net::IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    for (is_wrong, why) in [
        (parsed.is_unspecified(), "may not be unspecified (0.0.0.0 or ::)"),
        (parsed.is_loopback(), "may not be in the loopback range (127.0.0.0/8, ::1/128)"),
        (is_local, "may not be in the link-local range (169.254.0.0/16, fe80::/10)"),
    ] {
        if is_wrong {
            walk.invalid("", address, why);
        }
    }
}

fn slice_addresses<'a>(walk: &mut Walk<'a>, endpoint: &'a Value) {
    let is_name = text(&walk.object["addressType"]) == "FQDN";
    for (index, address) in elements(&endpoint["addresses"]).iter().enumerate() {
        let errors = if is_name { subdomain_errors } else { syntax::ip };
        for why in errors(text(address)) {
            walk.invalid(&format!(".addresses[{index}]"), &json!(text(address)), &why);
        }
    }
}

fn several_named<'a>(walk: &mut Walk<'a>, ports: &'a Value) {
    for (index, port) in elements(ports).iter().enumerate() {
        if elements(ports).len() > 1 && text(&port["name"]).is_empty() {
            walk.required(&format!("[{index}].name"), "");
        }
    }
}

/// A host of an ingress, of which the first part may be any.
fn host<'a>(walk: &mut Walk<'a>, host: &'a Value) {
    let name = text(host);
    if name.parse::<std::net::IpAddr>().is_ok() {
        walk.invalid("", host, "must be a DNS name, not an IP address");
    } else if let Some(rest) = name.strip_prefix("*.") {
        if !subdomain_errors(rest).is_empty() {
            let why = "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS \
                       subdomain, which must consist of lower case alphanumeric characters, '-' or \
                       '.' and end with an alphanumeric character (e.g. '*.example.com', regex \
                       used for validation is \
                       '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
            walk.invalid("", host, why);
        }
    } else if !name.is_empty() {
        for why in subdomain_errors(name) {
            walk.invalid("", host, &why);
        }
    }
}

/// A host of a certificate, which is never empty.
fn tls_host<'a>(walk: &mut Walk<'a>, name: &'a Value) {
    match text(name) {
        "" => {
            for why in subdomain_errors("") {
                walk.invalid("", &json!(""), &why);
            }
        }
        _ => host(walk, name),
    }
}

fn ingress_path<'a>(walk: &mut Walk<'a>, path: &'a Value) {
    let kind = &path["pathType"];
    let stated = text(&path["path"]);
    let is_absolute = stated.starts_with('/');
    match text(kind) {
        "" if kind.is_null() => {}
        "Exact" | "Prefix" => {
            if !is_absolute {
                walk.invalid(".path", &json!(stated), "must be an absolute path");
            }
            for bad in ["//", "/./", "/../", "%2f", "%2F"] {
                if is_absolute && stated.contains(bad) {
                    walk.invalid(".path", &json!(stated), &format!("must not contain '{bad}'"));
                }
            }
        }
        "ImplementationSpecific" => {
            if !stated.is_empty() && !is_absolute {
                walk.invalid(".path", &json!(stated), "must be an absolute path");
            }
        }
        _ => walk.unsupported(".pathType", kind, &["Exact", "ImplementationSpecific", "Prefix"]),
    }
}

fn backend<'a>(walk: &mut Walk<'a>, backend: &'a Value) {
    let service = &backend["service"];
    if service.is_null() {
        if backend["resource"].is_null() {
            walk.invalid("", &json!(""), "resource or service backend is required");
        }
        return;
    }
    if !backend["resource"].is_null() {
        walk.invalid("", &json!(""), "cannot set both resource and service backends");
        return;
    }
    let port = &service["port"];
    let [name, number] = [&port["name"], &port["number"]];
    match (text(name).is_empty(), number.as_i64().unwrap_or_default()) {
        (true, 0) => walk.required("", "port name or number is required"),
        (false, 0) => {
            for why in syntax::port_name(text(name)) {
                walk.invalid(".service.port.name", name, why);
            }
        }
        (true, number) => {
            if !(1..=65535).contains(&number) {
                let why = "must be between 1 and 65535, inclusive";
                walk.invalid(".service.port.number", &json!(number), why);
            }
        }
        (false, _) => walk.invalid("", &json!(""), "cannot set both port name & port number"),
    }
}

fn has_backend<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    if is_zero(&spec["rules"]) && spec["defaultBackend"].is_null() {
        let why = "either `defaultBackend` or `rules` must be specified";
        walk.invalid("", &spec["rules"], why);
    }
}

fn controller<'a>(walk: &mut Walk<'a>, name: &'a Value) {
    if walk.live.is_some() {
        return;
    }
    let stated = text(name);
    if stated.len() > 250 {
        walk.push(|path| Cause::too_long(path, 250));
    }
    let is_path = stated
        .split_once('/')
        .is_some_and(|(domain, path)| subdomain_errors(domain).is_empty() && !path.is_empty());
    if !is_path {
        let why = "must be a domain-prefixed path (such as \"acme.io/foo\")";
        walk.invalid("", name, why);
    }
}

fn most_two<'a>(walk: &mut Walk<'a>, types: &'a Value) {
    if elements(types).len() > 2 {
        walk.invalid("", types, "may not specify more than two policyTypes");
    }
}

fn end_port<'a>(walk: &mut Walk<'a>, port: &'a Value) {
    let Some(end) = port["endPort"].as_i64() else { return };
    match &port["port"] {
        Value::Null => {
            let why = "may not be specified when `port` is not specified";
            walk.invalid(".endPort", &json!(end), why);
        }
        Value::String(_) => {
            let why = "may not be specified when `port` is non-numeric";
            walk.invalid(".endPort", &json!(end), why);
        }
        number if number.as_i64().is_some_and(|number| number > end) => {
            walk.invalid(".endPort", number, "must be greater than or equal to `port`");
        }
        _ => {}
    }
}

fn peer<'a>(walk: &mut Walk<'a>, peer: &'a Value) {
    let selects = !peer["podSelector"].is_null() || !peer["namespaceSelector"].is_null();
    match (selects, peer["ipBlock"].is_null()) {
        (false, true) => walk.required("", "must specify a peer"),
        (true, false) => {
            let why = "may not specify both ipBlock and another peer";
            walk.push(|path| Cause::forbidden(path, why));
        }
        _ => {}
    }
}
