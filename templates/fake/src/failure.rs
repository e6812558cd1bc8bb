//! Refusals and successes that are a `Status`.

use crate::registry::{Resource, qualified};
use http::StatusCode;
pub(crate) use kapigen_definitions::Cause;
use kapigen_runtime::__private::usual_reason;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A refusal: a `Status` and its code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub(crate) code: u16,
    pub(crate) status: Value,
    pub(crate) retry_after: Option<u32>,
    /// Warnings that were found before.
    pub(crate) warnings: Vec<String>,
}

/// The object that a `Status` is about.
#[derive(Clone, Copy, Debug, Default)]
struct About<'a> {
    name: &'a str,
    group: &'a str,
    kind: &'a str,
}

impl About<'_> {
    fn to_value(self) -> Value {
        let mut details = json!({});
        for (key, text) in [("name", self.name), ("group", self.group), ("kind", self.kind)] {
            if !text.is_empty() {
                details[key] = json!(text);
            }
        }
        details
    }
}

impl Failure {
    /// A refusal with this code, and the usual reason of it.
    pub(crate) fn new(code: u16, message: impl Into<String>) -> Self {
        let reason = StatusCode::from_u16(code).map(usual_reason).unwrap_or_default();
        Self::with_reason(code, reason, message)
    }

    fn with_reason(code: u16, reason: &str, message: impl Into<String>) -> Self {
        let mut status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message.into(),
        });
        if !reason.is_empty() {
            status["reason"] = json!(reason);
        }
        status["code"] = json!(code);
        Self { code, status, retry_after: None, warnings: Vec::new() }
    }

    pub(crate) fn with_details(mut self, details: Value) -> Self {
        self.status["details"] = details;
        self
    }

    fn about(self, about: About<'_>) -> Self {
        self.with_details(about.to_value())
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    /// A refusal without a reason. Real servers have many of them where input is bad.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::with_reason(500, "", message)
    }

    pub(crate) fn no_such_path() -> Self {
        Self::new(404, "the server could not find the requested resource").with_details(json!({}))
    }

    /// The refusal of an object that a test creates. Its message is our own: a client would only
    /// get 404.
    pub(crate) fn unknown_kind(version: &str, kind: &str) -> Self {
        let help = "`Server::add_definition` and `Server::add_document` add kinds, and \
                    `Server::new` those of a crate";
        let message = match (version, kind) {
            ("", _) | (_, "") => "an object needs `apiVersion` and `kind`".to_owned(),
            _ => format!("the server has no kind `{kind}` of `{version}`: {help}"),
        };
        Self::new(404, message).with_details(json!({}))
    }

    /// A refusal in plain text.
    pub(crate) fn text(code: u16, text: String) -> Self {
        Self { status: Value::String(text), ..Self::new(code, "") }
    }

    /// 404 in plain text.
    pub(crate) fn no_page() -> Self {
        Self::text(404, "404 page not found\n".to_owned())
    }

    pub(crate) fn method_not_allowed() -> Self {
        let message = "the server does not allow this method on the requested resource";
        Self::new(405, message).with_details(json!({}))
    }

    pub(crate) fn not_found(group: &str, plural: &str, name: &str) -> Self {
        let message = format!("{} \"{name}\" not found", qualified(plural, group));
        Self::new(404, message).about(About { name, group, kind: plural })
    }

    pub(crate) fn missing(resource: &Resource, name: &str) -> Self {
        Self::not_found(&resource.group, &resource.plural, name)
    }

    pub(crate) fn exists(resource: &Resource, name: &str, is_terminating: bool) -> Self {
        let prefix = if is_terminating { "object is being deleted: " } else { "" };
        let message = format!("{prefix}{} \"{name}\" already exists", resource.qualified());
        Self::with_reason(409, "AlreadyExists", message).about(About {
            name,
            group: &resource.group,
            kind: &resource.plural,
        })
    }

    /// 409 for a write with an outdated version, or another precondition that does not hold.
    pub(crate) fn conflict(group: &str, kind: &str, name: &str, why: &str) -> Self {
        let message = format!(
            "Operation cannot be fulfilled on {} \"{name}\": {why}",
            qualified(kind, group)
        );
        Self::new(409, message).about(About { name, group, kind })
    }

    pub(crate) fn stale(resource: &Resource, name: &str) -> Self {
        let why = "the object has been modified; please apply your changes to the latest version \
                   and try again";
        Self::conflict(&resource.group, &resource.plural, name, why)
    }

    pub(crate) fn invalid(group: &str, kind: &str, name: &str, causes: &[Cause]) -> Self {
        let mut known = BTreeSet::new();
        let all = causes.iter().map(Cause::to_string);
        let lines: Vec<_> = all.filter(|line| known.insert(line.clone())).collect();
        let lines =
            if let [line] = &lines[..] { line.clone() } else { format!("[{}]", lines.join(", ")) };
        let message = format!("{} \"{name}\" is invalid: {lines}", qualified(kind, group));
        let mut details = About { name, group, kind }.to_value();
        details["causes"] = causes.iter().map(cause_in_status).collect();
        Self::new(422, message).with_details(details)
    }

    pub(crate) fn invalid_object(resource: &Resource, name: &str, causes: &[Cause]) -> Self {
        Self::invalid(&resource.group, &resource.kind, name, causes)
    }

    /// 422 for an update that has to state its version. It names the resource, and not the kind.
    pub(crate) fn unversioned(resource: &Resource, name: &str) -> Self {
        let cause = Cause::invalid(
            "metadata.resourceVersion",
            &json!(0),
            "must be specified for an update",
        );
        Self::invalid(&resource.group, &resource.plural, name, &[cause])
    }

    /// 422 for a JSON patch that does not fit.
    pub(crate) fn unfit() -> Self {
        let message = "the server rejected our request due to an error in our request";
        Self::new(422, message).with_details(json!({}))
    }

    /// 410: the version is no longer known.
    pub(crate) fn expired(message: impl Into<String>) -> Self {
        Self::new(410, message)
    }

    /// 413 for a body over the limit.
    pub(crate) fn too_large(limit: usize) -> Self {
        Self::new(413, format!("Request entity too large: limit is {limit}"))
    }

    /// 500 for an object that is larger than etcd takes.
    pub(crate) fn too_large_to_store() -> Self {
        Self::internal("etcdserver: request is too large")
    }

    /// 504 for a version that does not exist yet.
    pub(crate) fn too_new(wanted: u64, current: u64) -> Self {
        let message = format!("Timeout: Too large resource version: {wanted}, current: {current}");
        let cause =
            json!({"reason": "ResourceVersionTooLarge", "message": "Too large resource version"});
        let details = json!({"causes": [cause], "retryAfterSeconds": 1});
        let failure = Self::new(504, message).with_details(details);
        Self { retry_after: Some(1), ..failure }
    }
}

/// A cause as an element of `details.causes`.
fn cause_in_status(cause: &Cause) -> Value {
    let mut members = Map::new();
    for (key, text) in
        [("reason", cause.reason), ("message", &cause.message), ("field", &cause.field)]
    {
        if !text.is_empty() {
            members.insert(key.to_owned(), json!(text));
        }
    }
    Value::Object(members)
}

/// The `Status` of a completed delete.
pub(crate) fn deleted(resource: &Resource, name: &str, uid: &str) -> Value {
    let mut details = About { name, group: &resource.group, kind: &resource.plural }.to_value();
    details["uid"] = json!(uid);
    json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details})
}
