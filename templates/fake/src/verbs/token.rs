//! The subresource `token` of service accounts: tokens that expire, and reviews of them.
//!
//! A token is a JSON Web Token without a signature. Nothing here is secret: it only has to differ from others.

use super::commit::Prepared;
use super::ownership::Writer;
use super::parts::Part;
use super::{Outcome, body, ownership, stored};
use crate::change::track_update;
use crate::failure::{Cause, Failure};
use crate::key::Key;
use crate::names;
use crate::object::Tree;
use crate::request::Request;
use crate::schema::Schema;
use crate::state::State;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};

const VERSION: &str = "authentication.k8s.io/v1";
/// The issuer and the only audience of the server.
const SERVER: &str = "https://kubernetes.default.svc";
/// The header of all tokens.
const HEADER: &str = r#"{"alg":"none","typ":"JWT"}"#;
/// The prefix of the names by which requests of service accounts are known.
const ACCOUNT: &str = "system:serviceaccount:";
/// Seconds for which a token is valid if the request does not state them.
const DEFAULT: i64 = 3600;
/// The fewest and the most of them.
const SHORTEST: i64 = 600;
const LONGEST: i64 = 1 << 32;
/// Plural names of the kinds to whose objects tokens can be bound.
const BOUND: &[(&str, &str)] = &[("Node", "nodes"), ("Pod", "pods"), ("Secret", "secrets")];

/// POST on `token`.
pub(super) fn prepare(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    body::check_options(request)?;
    let stated = body::decode_part(request, "TokenRequest", "authentication")?;
    for (name, wanted) in [("name", Some(request.name)), ("namespace", request.namespace)] {
        let found = stated.text(name);
        if let Some(wanted) = wanted.filter(|wanted| !found.is_empty() && found != *wanted) {
            return Err(mismatched(name, found, wanted));
        }
    }
    let account = stored(state, request)?.tree();
    let seconds = stated.at("spec.expirationSeconds").and_then(Value::as_i64).unwrap_or(DEFAULT);
    check_seconds(seconds)?;
    let bound = stated.at("spec.boundObjectRef").filter(|bound| !bound.is_null());
    if let Some(bound) = bound {
        check_bound(state, request, bound)?;
    }
    let object = issued(request, &account, &stated, seconds);
    Ok(Prepared::ready(Outcome::Object { code: 201, object, stored: None }))
}

fn mismatched(member: &str, found: &str, wanted: &str) -> Failure {
    let why = format!("must match the service account {member} if specified");
    let cause = Cause::invalid(format!("metadata.{member}"), &json!(found), &why);
    Failure::invalid("authentication.k8s.io", "TokenRequest", wanted, &[cause])
}

fn check_seconds(seconds: i64) -> Result<(), Failure> {
    let why = match seconds {
        _ if seconds < SHORTEST => "may not specify a duration less than 10 minutes",
        _ if seconds > LONGEST => "may not specify a duration larger than 2^32 seconds",
        _ => return Ok(()),
    };
    let cause = Cause::invalid("spec.expirationSeconds", &json!(seconds), why);
    Err(Failure::invalid("authentication.k8s.io", "TokenRequest", "", &[cause]))
}

/// Checks the object that a token is bound to: it exists, and a pod runs as the account.
fn check_bound(state: &State, request: &Request<'_>, bound: &Value) -> Result<(), Failure> {
    let text = |name: &str| bound.get(name).and_then(Value::as_str).unwrap_or_default();
    let (kind, name) = (text("kind"), text("name"));
    let (group, version) = text("apiVersion").split_once('/').unwrap_or(("", text("apiVersion")));
    let Some((_, plural)) = BOUND.iter().find(|(known, _)| *known == kind && group.is_empty()) else {
        let shown = format!("{group}/{version}, Kind={kind}");
        return Err(Failure::bad_request(format!("cannot bind token to object of type {shown}")));
    };
    let namespace = request.namespace.filter(|_| *plural != "nodes");
    let found = state.store.tree(&Key::new("", plural, namespace, name));
    let found = found.ok_or_else(|| Failure::not_found("", plural, name))?;
    let account = found.at("spec.serviceAccountName").and_then(Value::as_str).unwrap_or_default();
    if *plural == "pods" && account != request.name {
        return Err(Failure::bad_request(format!(
            "cannot bind token for serviceaccount {:?} to pod running with different serviceaccount name.",
            request.name
        )));
    }
    let (stated, known) = (text("uid"), found.text("uid"));
    if stated.is_empty() || stated == known {
        return Ok(());
    }
    let why = format!(
        "the UID in the bound object reference ({stated}) does not match the UID in record. The object might have been \
         deleted and then recreated"
    );
    Err(Failure::conflict("", kind, name, &why))
}

/// The request with its token.
fn issued(request: &Request<'_>, account: &Value, stated: &Value, seconds: i64) -> Value {
    let spec = |name: &str| stated.at("spec").and_then(|spec| spec.get(name)).cloned().unwrap_or_default();
    let audiences = Some(spec("audiences")).filter(|own| own.as_array().is_some_and(|own| !own.is_empty()));
    let mut object = json!({
        "kind": "TokenRequest", "apiVersion": VERSION,
        "metadata": {
            "name": request.name, "namespace": request.namespace, "uid": account.text("uid"),
            "creationTimestamp": names::time(request.now),
        },
        "spec": {"audiences": audiences, "expirationSeconds": seconds, "boundObjectRef": spec("boundObjectRef")},
    });
    let blank = json!({"spec": {"audiences": null, "expirationSeconds": null, "boundObjectRef": null}});
    let mut writer = ownership::field_writer(request, &Writer::of(request, false, Part::All));
    writer.api_version = VERSION;
    track_update(&blank, &mut object, &Schema::any(), &writer);
    let audiences = audiences.unwrap_or_else(|| json!([SERVER]));
    let end = request.now.as_second().saturating_add(seconds);
    let token = encoded(&json!({
        "aud": audiences, "exp": end, "iat": request.now.as_second(), "iss": SERVER,
        "kubernetes.io": {
            "namespace": request.namespace,
            "serviceaccount": {"name": request.name, "uid": account.text("uid")},
        },
        "sub": format!("{ACCOUNT}{}:{}", request.namespace.unwrap_or_default(), request.name),
    }));
    object["spec"]["audiences"] = audiences;
    let end = Timestamp::from_second(end).unwrap_or(Timestamp::MAX);
    object["status"] = json!({"token": token, "expirationTimestamp": names::time(end)});
    object
}

fn encoded(claims: &Value) -> String {
    [HEADER.to_owned(), claims.to_string()].map(|part| URL_SAFE_NO_PAD.encode(part)).join(".") + "."
}

/// The claims of a token that this server has issued.
fn claims(token: &str) -> Option<Value> {
    let mut parts = token.split('.').map(|part| URL_SAFE_NO_PAD.decode(part).ok());
    let (header, claims, signature) = (parts.next()??, parts.next()??, parts.next()??);
    let is_own = header == HEADER.as_bytes() && signature.is_empty() && parts.next().is_none();
    let claims: Value = serde_json::from_slice(&claims).ok().filter(|_| is_own)?;
    (claims["iss"] == SERVER).then_some(claims)
}

/// The status of the review of a token.
pub(super) fn review(state: &State, token: &str, now: Timestamp) -> Value {
    let refuse = |why: &str| json!({"user": {}, "error": why});
    let Some(claims) = claims(token) else { return refuse("invalid bearer token") };
    if claims["exp"].as_i64().is_none_or(|end| end <= now.as_second()) {
        return refuse("[invalid bearer token, service account token has expired]");
    }
    let own = &claims["kubernetes.io"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (namespace, account) = (text(&own["namespace"]), &own["serviceaccount"]);
    let (name, uid) = (text(&account["name"]), text(&account["uid"]));
    let key = Key::new("", "serviceaccounts", Some(&namespace), &name);
    if state.store.tree(&key).is_none_or(|found| found.text("uid") != uid) {
        return refuse("[invalid bearer token, service account token has been invalidated]");
    }
    let groups = ["system:serviceaccounts", &format!("system:serviceaccounts:{namespace}"), "system:authenticated"];
    json!({
        "authenticated": true,
        "user": {"username": format!("{ACCOUNT}{namespace}:{name}"), "uid": uid, "groups": groups},
        "audiences": claims["aud"],
    })
}

/// Whether a token is valid for requests to this server.
pub(crate) fn is_valid(state: &State, token: &str, now: Timestamp) -> bool {
    let status = review(state, token, now);
    let audiences = status["audiences"].as_array();
    audiences.is_some_and(|audiences| audiences.iter().any(|audience| audience == SERVER))
}
