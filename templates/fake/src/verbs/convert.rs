//! Conversion between the versions of custom resources by a webhook. The server calls none, so
//! objects that need a conversion are refused.

use crate::failure::Failure;
use crate::object::Tree;
use crate::registry::Resource;
use serde_json::Value;
use std::net::IpAddr;

/// Refuses to show or change objects of a resource that are stored in another version.
pub(super) fn check_stored(resource: &Resource) -> Result<(), Failure> {
    resource.custom.as_deref().map_or(Ok(()), |custom| check(resource, &custom.storage))
}

/// Refuses to store a new object if the resource is stored in another version.
pub(super) fn check_new(resource: &Resource) -> Result<(), Failure> {
    check(resource, &resource.version)
}

/// Refuses to convert an object that has this version, from the stored version or to it.
fn check(resource: &Resource, version: &str) -> Result<(), Failure> {
    let custom = resource.custom.as_deref().filter(|custom| custom.storage != resource.version);
    let Some(webhook) = custom.and_then(|custom| custom.webhook.as_ref()) else { return Ok(()) };
    let object = format!("{}/{version}, Kind={}", resource.group, resource.kind);
    Err(Failure::internal(format!(
        "conversion webhook for {object} failed: {}",
        unreachable(webhook)
    )))
}

/// The error of an unreachable webhook.
fn unreachable(webhook: &Value) -> String {
    let client = &webhook["clientConfig"];
    if let Some(url) = client["url"].as_str() {
        let authority =
            url.split("://").nth(1).unwrap_or_default().split('/').next().unwrap_or_default();
        let end = if authority.starts_with('[') {
            authority.find(']').map(|end| end + 1)
        } else {
            authority.find(':')
        };
        let (host, port) = authority.split_at(end.unwrap_or(authority.len()));
        let why = if host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok() {
            let port = if port.is_empty() { ":443" } else { port };
            format!("dial tcp {host}{port}: connect: connection refused")
        } else {
            format!("dial tcp: lookup {host}: no such host")
        };
        return format!("Post \"{url}?timeout=30s\": {why}");
    }
    let port = client["service"]["port"].as_i64().unwrap_or(443);
    let name = client["service"].text("name");
    let namespace = client["service"].text("namespace");
    let path = client["service"].text("path").trim_start_matches('/');
    format!(
        "Post \"https://{name}.{namespace}.svc:{port}/{path}?timeout=30s\": service \"{name}\" \
         not found"
    )
}
