//! Why a server refuses the conversion between the versions of a definition.

use crate::cause::{Cause, Causes};
use crate::names::{bad_label, bad_subdomain};
use crate::path::Path;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The places in the words of servers, which convert a definition before they check it, and in the
/// manifest.
const STRATEGY: Path<'static> =
    Path::Start("spec.conversion.strategy", "/spec/conversion/strategy");
const CLIENT: Path<'static> =
    Path::Start("spec.conversion.webhookClientConfig", "/spec/conversion/webhook/clientConfig");
const VERSIONS: Path<'static> = Path::Start(
    "spec.conversion.conversionReviewVersions",
    "/spec/conversion/webhook/conversionReviewVersions",
);

/// The versions of reviews that servers send.
const REVIEWS: [&str; 2] = ["v1", "v1beta1"];

/// Checks `spec.conversion`.
pub(crate) fn check(conversion: &Value, causes: &mut Causes) {
    let strategy = conversion["strategy"].as_str().unwrap_or_default();
    let webhook = &conversion["webhook"];
    let client = Some(&webhook["clientConfig"]).filter(|client| !client.is_null());
    let versions = webhook["conversionReviewVersions"].as_array().map_or(&[][..], Vec::as_slice);
    if !matches!(strategy, "" | "None" | "Webhook") {
        causes.unsupported(&STRATEGY, strategy, &["None", "Webhook"]);
    }
    if strategy == "Webhook" {
        match client {
            Some(client) => check_client(client, causes),
            None => {
                causes.required(&CLIENT, "required when strategy is set to Webhook");
            }
        }
        check_versions(versions, causes);
        return;
    }
    let why = "should not be set when strategy is not set to Webhook";
    if client.is_some() {
        causes.forbidden(&CLIENT, why);
    }
    if !versions.is_empty() {
        causes.forbidden(&VERSIONS, why);
    }
}

fn check_client(client: &Value, causes: &mut Causes) {
    match (client["url"].as_str(), &client["service"]) {
        (Some(url), Value::Null) => check_url(url, &CLIENT.member("url"), causes),
        (None, service @ Value::Object(_)) => check_service(service, causes),
        _ => causes.required(&CLIENT, "exactly one of url or service is required"),
    }
}

/// Checks the URL of a webhook, which has a host and a path alone.
fn check_url(url: &str, path: &Path<'_>, causes: &mut Causes) {
    const FORM: &str = "; desired format: https://host[/path]";
    let (rest, fragment) = url.split_once('#').unwrap_or((url, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (scheme, rest) = match rest.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        None => (String::new(), rest),
    };
    let authority = rest.strip_prefix("//").and_then(|rest| rest.split('/').next());
    let authority = authority.unwrap_or_default();
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    if scheme != "https" {
        let why = format!("'https' is the only allowed URL scheme{FORM}");
        causes.invalid(path, scheme, &why);
    }
    if host.is_empty() {
        causes.invalid(path, "", &format!("host must be specified{FORM}"));
    }
    if authority.contains('@') {
        causes.invalid(path, user, "user information is not permitted in the URL");
    }
    if !fragment.is_empty() {
        causes.invalid(path, fragment, "fragments are not permitted in the URL");
    }
    if !query.is_empty() {
        causes.invalid(path, query, "query parameters are not permitted in the URL");
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

fn check_service(service: &Value, causes: &mut Causes) {
    let place = CLIENT.member("service");
    for name in ["name", "namespace"] {
        if service[name].as_str().unwrap_or_default().is_empty() {
            causes.required(&place.member(name), "");
        }
    }
    let port = service["port"].as_i64().unwrap_or(443);
    if !(1..=65535).contains(&port) {
        let why = "port is not valid: must be between 1 and 65535, inclusive";
        causes.invalid(&place.member("port"), port, why);
    }
    let path = service["path"].as_str().unwrap_or_default();
    let place = place.member("path");
    if matches!(path, "" | "/") {
        return;
    }
    if path == "//" {
        return causes.invalid(&place, path, "segment[0] may not be empty");
    }
    if !path.starts_with('/') {
        causes.invalid(&place, path, "must start with a '/'");
    }
    // Servers drop the first character without checking it.
    let rest = path.strip_prefix(|_: char| true).unwrap_or_default();
    for (index, segment) in rest.strip_suffix('/').unwrap_or(rest).split('/').enumerate() {
        if segment.is_empty() {
            causes.invalid(&place, path, &format!("segment[{index}] may not be empty"));
        } else if let Some(why) = bad_subdomain(segment) {
            causes.invalid(&place, path, &format!("segment[{index}]: {why}"));
        }
    }
}

/// Checks the versions of reviews. They must include one that servers support.
fn check_versions(versions: &[Value], causes: &mut Causes) {
    if versions.is_empty() {
        causes.required(&VERSIONS, "");
        return;
    }
    let mut known = BTreeSet::new();
    for (index, version) in versions.iter().enumerate() {
        let name = version.as_str().unwrap_or_default();
        let place = VERSIONS.index(index);
        if !known.insert(name) {
            causes.push(|| Cause::invalid(&place, version, "duplicate version"));
        } else if let Some(why) = bad_label(name) {
            causes.push(|| Cause::invalid(&place, version, &why));
        }
    }
    if !REVIEWS.iter().any(|review| known.contains(review)) {
        let why = format!("must include at least one of {}", REVIEWS.join(", "));
        causes.push(|| Cause::invalid(&VERSIONS, &json!(versions), &why));
    }
}
