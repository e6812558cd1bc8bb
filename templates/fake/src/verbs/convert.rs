//! Conversion between the versions of custom resources by a webhook, of which there is none: what has to be converted
//! cannot be had.

use crate::failure::Failure;
use crate::request::Request;
use crate::state::State;
use kapigen_runtime::Verb;
use serde_json::Value;

/// Refuses a request for which objects would have to be converted. Objects are stored in one version; only requests to that
/// need no webhook.
pub(super) fn check(state: &State, request: &Request<'_>) -> Result<(), Failure> {
    let resource = &request.resource;
    let Some(custom) = resource.custom.as_deref().filter(|custom| custom.storage != resource.version) else {
        return Ok(());
    };
    let Some(webhook) = &custom.webhook else { return Ok(()) };
    let is_converted = match request.verb {
        Verb::Create => true,
        _ if request.name.is_empty() => state.store.has_any(resource.key()),
        _ => state.store.get(&request.key(request.name)).is_some(),
    };
    if !is_converted {
        return Ok(());
    }
    let [from, to] = [&custom.storage, &resource.version];
    let version = if request.verb == Verb::Create { to } else { from };
    let object = format!("{}/{version}, Kind={}", resource.group, resource.kind);
    Err(Failure::internal(format!("conversion webhook for {object} failed: {}", unreachable(webhook))))
}

/// The error of a webhook that is not there.
fn unreachable(webhook: &Value) -> String {
    let client = &webhook["clientConfig"];
    let text = |name: &str| client["service"][name].as_str().unwrap_or_default();
    if let Some(url) = client["url"].as_str() {
        let host = url.split("://").nth(1).unwrap_or_default().split(['/', ':']).next().unwrap_or_default();
        return format!("Post \"{url}?timeout=30s\": dial tcp: lookup {host}: no such host");
    }
    let port = client["service"]["port"].as_i64().unwrap_or(443);
    let (name, namespace, path) = (text("name"), text("namespace"), text("path").trim_start_matches('/'));
    format!("Post \"https://{name}.{namespace}.svc:{port}/{path}?timeout=30s\": service \"{name}\" not found")
}
