//! From the body of a request to an object of the kind.

use super::{Warnings, namespace};
use crate::failure::{Cause, Failure};
use crate::object::{Tree, is_too_deep};
use crate::registry::Resource;
use crate::request::{Request, Verb};
use crate::schema::conform::{self, MOST_REPORTED};
use crate::schema::structural;
use serde_json::{Value, json};

/// Refuses bodies that are neither JSON nor YAML: above all protobuf, in which some commands of kubectl encode.
pub(super) fn check_media_type(request: &Request<'_>) -> Result<(), Failure> {
    let has_object = matches!(request.verb, Verb::Create | Verb::Update) && !request.incoming.body.is_empty();
    if !has_object || matches!(request.incoming.content_type(), "" | "application/json" | "application/yaml") {
        return Ok(());
    }
    let accepted = "accepted media types include: application/json, application/yaml";
    let message = format!("the body of the request was in an unknown format - {accepted}");
    Err(Failure::new(415, "UnsupportedMediaType", message))
}

/// Fits a body to the kind: removes unknown members, and reports them and those that the body has twice, as
/// `fieldValidation` demands.
pub(super) fn decode(
    request: &Request<'_>,
    object: &mut Value,
    duplicates: &[String],
    warnings: &mut Warnings,
) -> Result<(), Failure> {
    let refuse = |found: &str| {
        let kind = &request.resource.kind;
        let version = &request.resource.version;
        Failure::bad_request(format!("{kind} in version \"{version}\" cannot be handled as a {kind}: {found}"))
    };
    check_kind(request, object)?;
    check_types(request, object).map_err(|found| refuse(&found))?;
    match strictness(request, object, duplicates, warnings)? {
        Some(problems) => Err(refuse(&problems)),
        None => Ok(()),
    }
}

/// Refuses an object that is nested too deeply.
pub(super) fn check_depth(object: &Value) -> Result<(), Failure> {
    if is_too_deep(object) { Err(Failure::bad_request("the object is nested too deeply")) } else { Ok(()) }
}

/// The name of the body must be that of the path.
pub(super) fn check_name(request: &Request<'_>, object: &Value) -> Result<(), Failure> {
    let stated = object.text("name");
    let wanted = request.name;
    if stated.is_empty() {
        let message =
            format!("the name of the object ({wanted} based on URL) was undeterminable: name must be provided");
        return Err(Failure::bad_request(message));
    }
    if stated != wanted {
        let message = format!("the name of the object ({stated}) does not match the name on the URL ({wanted})");
        return Err(Failure::bad_request(message));
    }
    namespace::check_stated(request, object)
}

/// Checks the `apiVersion` and `kind` of a body, and sets absent ones.
pub(super) fn check_kind(request: &Request<'_>, object: &mut Value) -> Result<(), Failure> {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (stated_version, stated_kind) = (text("apiVersion"), text("kind"));
    let resource = &request.resource;
    let expected = resource.api_version();
    let kind = &resource.kind;
    if !object.is_object() {
        let found = conform::mistyped(request.resource.schema.root(), object);
        return Err(Failure::bad_request(format!(
            "couldn't get version/kind; json parse error: {}",
            found.unwrap_or_default()
        )));
    }
    if request.resource.custom.is_some() {
        let unrecognized = |what: &str| {
            let message = format!(
                "the object provided is unrecognized (must be of type {kind}): Object '{what}' is missing in '{object}' ({object})"
            );
            Failure::bad_request(message)
        };
        if stated_kind.is_empty() {
            return Err(unrecognized("Kind"));
        }
        if stated_version.is_empty() {
            return Err(unrecognized("apiVersion"));
        }
    }
    let is_other_version = !stated_version.is_empty() && stated_version != expected;
    if is_other_version && (request.resource.custom.is_some() || stated_kind == *kind) {
        let message = format!(
            "the API version in the data ({stated_version}) does not match the expected API version ({expected})"
        );
        return Err(Failure::bad_request(message));
    }
    if !stated_kind.is_empty() && stated_kind != *kind {
        let (_, version) = stated_version.rsplit_once('/').unwrap_or(("", &stated_version));
        let own = if resource.group.is_empty() { "core" } else { resource.group.split('.').next().unwrap_or_default() };
        let message = format!(
            "{stated_kind} in version \"{version}\" cannot be handled as a {kind}: converting ({version}.{stated_kind}) to \
             ({own}.{kind}): unknown conversion"
        );
        return Err(Failure::bad_request(message));
    }
    state_kind(object, expected, kind);
    Ok(())
}

/// Prunes an object, and reports as `fieldValidation` demands. Returns the problems that refuse the request.
pub(super) fn strictness(
    request: &Request<'_>,
    object: &mut Value,
    duplicates: &[String],
    warnings: &mut Warnings,
) -> Result<Option<String>, Failure> {
    let unknown = conform::prune(request.resource.schema.root(), object);
    let is_unknown = |path: &String| {
        let is_below = |known: &String| path.strip_prefix(known.as_str()).is_some_and(|rest| !starts_name(rest));
        request.resource.custom.is_none() && unknown.iter().any(is_below)
    };
    let duplicates = duplicates.iter().filter(|path| !is_unknown(path)).map(|path| ("duplicate", path));
    let problems = duplicates.chain(unknown.iter().map(|path| ("unknown", path)));
    let lines: Vec<_> =
        problems.map(|(what, path)| format!("{what} field {}", json!(path))).take(MOST_REPORTED).collect();
    match request.get("fieldValidation") {
        "Ignore" => {}
        "Strict" if !lines.is_empty() => return Ok(Some(format!("strict decoding error: {}", lines.join(", ")))),
        "" | "Warn" | "Strict" => lines.into_iter().for_each(|line| warnings.add(line)),
        other => {
            let supported = ["", "Ignore", "Strict", "Warn"];
            let cause = Cause::unsupported("fieldValidation", &json!(other), &supported);
            return Err(Failure::invalid_options(request.verb.options_kind(), cause));
        }
    }
    Ok(None)
}

/// Refuses values of a mismatched type, as decoding into a struct does.
pub(super) fn check_types(request: &Request<'_>, object: &Value) -> Result<(), String> {
    if request.resource.custom.is_some() {
        let metadata = request.resource.schema.root().member("metadata");
        let value = object.get("metadata").unwrap_or(&Value::Null);
        return conform::mistyped(metadata, value).map_or(Ok(()), Err);
    }
    conform::mistyped(request.resource.schema.root(), object).map_or(Ok(()), Err)
}

/// Fills in the members that objects of the kind always have, and the defaults of a custom resource.
pub(super) fn complete(resource: &Resource, object: &mut Value) {
    let schema = resource.schema.root();
    if resource.custom.is_some() {
        structural::fill_defaults(schema, object);
        if let Some(value) = object.get_mut("metadata") {
            conform::complete(schema.member("metadata"), value);
        }
    } else {
        conform::complete(schema, object);
        if resource.group.is_empty() && resource.plural == "secrets" {
            encode_strings(object);
        }
    }
}

/// The checks of parameters that all writes have.
pub(super) fn check_options(request: &Request<'_>) -> Result<(), Failure> {
    let refuse = |cause| Err(Failure::invalid_options(request.verb.options_kind(), cause));
    if request.incoming.has("dryRun") && request.get("dryRun") != "All" {
        let cause = Cause::unsupported("dryRun", &json!([request.get("dryRun")]), &["All"]);
        return refuse(cause);
    }
    if request.get("fieldManager").len() > 128 {
        let message = "Too long: may not be more than 128 bytes".to_owned();
        let field = "fieldManager".to_owned();
        return refuse(Cause { reason: "FieldValueTooLong", field, message });
    }
    Ok(())
}

/// `stringData` of a secret becomes `data`.
fn encode_strings(secret: &mut Value) {
    use base64::Engine;
    let Value::Object(members) = &mut *secret else { return };
    let Some(Value::Object(strings)) = members.shift_remove("stringData") else { return };
    for (name, text) in strings {
        let text = text.as_str().unwrap_or_default();
        let encoded = base64::engine::general_purpose::STANDARD.encode(text);
        let mut data = secret.get("data").cloned().unwrap_or_else(|| json!({}));
        data[name] = json!(encoded);
        secret["data"] = data;
    }
}

/// Whether the rest of a path goes on with the name of a member, rather than below it.
fn starts_name(rest: &str) -> bool {
    !(rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Puts kind and version in front.
pub(super) fn state_kind(object: &mut Value, api_version: &str, kind: &str) {
    let Value::Object(members) = object else { return };
    members.shift_remove("kind");
    members.shift_remove("apiVersion");
    let rest = std::mem::take(members);
    members.insert("kind".to_owned(), json!(kind));
    members.insert("apiVersion".to_owned(), json!(api_version));
    members.extend(rest);
}

/// The version that a body states, unless it states none.
pub(super) fn stated_version(object: &Value) -> Option<&str> {
    Some(object.text("resourceVersion")).filter(|version| !version.is_empty() && *version != "0")
}
