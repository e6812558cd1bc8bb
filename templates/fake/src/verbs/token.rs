//! The subresource `token` of service accounts: tokens that expire, and reviews of them.
//!
//! A token is a JSON Web Token, with a signature by the secret of the server.

use super::delete::{Member, check_types};
use super::ownership::Writer;
use super::parts::ObjectPart;
use super::prepared::Prepared;
use super::{Outcome, body, options, ownership, stored};
use crate::change::track_update;
use crate::failure::{Cause, Failure};
use crate::key::Key;
use crate::names;
use crate::object::Tree;
use crate::request::Request;
use crate::schema::Schema;
use crate::secret::Secret;
use crate::state::State;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kapigen_definitions::quoted;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const VERSION: &str = "authentication.k8s.io/v1";
/// The issuer and the only audience of the server.
const SERVER: &str = "https://kubernetes.default.svc";
/// The header of all tokens.
const HEADER: &str = r#"{"alg":"HS256","typ":"JWT"}"#;
/// The prefix of the user names of service accounts.
const ACCOUNT: &str = "system:serviceaccount:";
/// Seconds for which a token is valid if the request does not state them.
const DEFAULT: i64 = 3600;
/// The fewest and the most of them.
const SHORTEST: i64 = 600;
const LONGEST: i64 = 1 << 32;
/// The kinds that tokens can be bound to, their plural names, and the claims that name the object.
const BOUND: [(&str, &str, &str); 3] =
    [("Node", "nodes", "node"), ("Pod", "pods", "pod"), ("Secret", "secrets", "secret")];

const MEMBERS: &[Member] = &[
    ("spec", "TokenRequest", "v1.TokenRequestSpec", Value::is_object),
    ("spec.audiences", "TokenRequestSpec", "[]string", Value::is_array),
    ("spec.expirationSeconds", "TokenRequestSpec", "int64", Value::is_i64),
    ("spec.boundObjectRef", "TokenRequestSpec", "v1.BoundObjectReference", Value::is_object),
    ("spec.boundObjectRef.kind", "BoundObjectReference", "string", Value::is_string),
    ("spec.boundObjectRef.apiVersion", "BoundObjectReference", "string", Value::is_string),
    ("spec.boundObjectRef.name", "BoundObjectReference", "string", Value::is_string),
    ("spec.boundObjectRef.uid", "BoundObjectReference", "types.UID", Value::is_string),
];

/// The object that a token is bound to: a claim, and its value.
type Bound = (&'static str, Value);

/// POST on `token`.
pub(super) fn prepare(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    options::check(request)?;
    let stated = body::decode_part(request, "TokenRequest", "authentication")?;
    check_types(&stated, MEMBERS).map_err(|why| {
        let what = "TokenRequest in version \"v1\" cannot be handled as a TokenRequest";
        Failure::bad_request(format!("{what}: {why}"))
    })?;
    for (name, wanted) in [("name", Some(request.name)), ("namespace", request.namespace)] {
        let found = stated.metadata_text(name);
        if let Some(wanted) = wanted.filter(|wanted| !found.is_empty() && found != *wanted) {
            return Err(mismatched(name, found, wanted));
        }
    }
    let account = stored(state, request)?.tree();
    let seconds = stated.at("spec.expirationSeconds").and_then(Value::as_i64).unwrap_or(DEFAULT);
    check_seconds(seconds)?;
    let bound = stated.at("spec.boundObjectRef").filter(|bound| !bound.is_null());
    let bound = bound.map(|bound| check_bound(state, request, bound)).transpose()?;
    let object = issued(state, request, &account, &stated, seconds, bound);
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

/// The claim of the object that a token is bound to: it exists, and a pod runs as the account.
fn check_bound(state: &State, request: &Request<'_>, bound: &Value) -> Result<Bound, Failure> {
    let kind = bound.text("kind");
    let name = bound.text("name");
    let (group, version) =
        bound.text("apiVersion").split_once('/').unwrap_or(("", bound.text("apiVersion")));
    let Some((_, plural, claim)) =
        BOUND.into_iter().find(|(known, ..)| *known == kind && group.is_empty())
    else {
        let shown = format!("{group}/{version}, Kind={kind}");
        return Err(Failure::bad_request(format!("cannot bind token to object of type {shown}")));
    };
    let namespace = request.namespace.filter(|_| plural != "nodes");
    let found = state.store.tree(&Key::new("", plural, namespace, name));
    let found = found.ok_or_else(|| Failure::not_found("", plural, name))?;
    let account = found.at("spec.serviceAccountName").and_then(Value::as_str).unwrap_or_default();
    if plural == "pods" && account != request.name {
        return Err(Failure::bad_request(format!(
            "cannot bind token for serviceaccount {:?} to pod running with different \
             serviceaccount name.",
            request.name
        )));
    }
    let stated = bound.text("uid");
    let known = found.metadata_text("uid");
    if stated.is_empty() || stated == known {
        return Ok((claim, json!({"name": name, "uid": known})));
    }
    let why = format!(
        "the UID in the bound object reference ({stated}) does not match the UID in record. The \
         object might have been deleted and then recreated"
    );
    Err(Failure::conflict("", kind, name, &why))
}

/// The request with its token.
fn issued(
    state: &State,
    request: &Request<'_>,
    account: &Value,
    stated: &Value,
    seconds: i64,
    bound: Option<Bound>,
) -> Value {
    let spec = &stated["spec"];
    let audiences =
        Some(&spec["audiences"]).filter(|own| own.as_array().is_some_and(|own| !own.is_empty()));
    let mut object = json!({
        "kind": "TokenRequest", "apiVersion": VERSION,
        "metadata": {
            "name": request.name, "namespace": request.namespace, "uid": account.metadata_text("uid"),
            "creationTimestamp": names::time(request.now),
        },
        "spec": {"audiences": audiences, "expirationSeconds": seconds, "boundObjectRef": spec["boundObjectRef"]},
    });
    let blank =
        json!({"spec": {"audiences": null, "expirationSeconds": null, "boundObjectRef": null}});
    let mut writer =
        ownership::field_writer(request, &Writer::new(request, false, ObjectPart::All));
    writer.api_version = VERSION;
    track_update(&blank, &mut object, &Schema::any(), &writer);
    let audiences = audiences.cloned().unwrap_or_else(|| json!([SERVER]));
    let end = request.now.as_second().saturating_add(seconds);
    let mut own = json!({
        "namespace": request.namespace,
        "serviceaccount": {"name": request.name, "uid": account.metadata_text("uid")},
    });
    if let Some((claim, bound)) = bound {
        own[claim] = bound;
    }
    let token = encoded(
        &state.secret,
        &json!({
            "aud": audiences, "exp": end, "iat": request.now.as_second(), "iss": SERVER, "kubernetes.io": own,
            "sub": format!("{ACCOUNT}{}:{}", request.namespace.unwrap_or_default(), request.name),
        }),
    );
    object["spec"]["audiences"] = audiences;
    let end = Timestamp::from_second(end).unwrap_or(Timestamp::MAX);
    object["status"] = json!({"token": token, "expirationTimestamp": names::time(end)});
    object
}

fn encoded(secret: &Secret, claims: &Value) -> String {
    let parts = [HEADER.to_owned(), claims.to_string()].map(|part| URL_SAFE_NO_PAD.encode(part));
    let signed = parts.join(".");
    let signature = URL_SAFE_NO_PAD.encode(secret.sign(signed.as_bytes()));
    format!("{signed}.{signature}")
}

/// The claims of a token that this server has issued.
fn claims(secret: &Secret, token: &str) -> Option<Value> {
    let (signed, signature) = token.rsplit_once('.')?;
    let is_own = URL_SAFE_NO_PAD.decode(signature).ok()? == secret.sign(signed.as_bytes());
    let (_, claims) = signed.split_once('.').filter(|_| is_own)?;
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()
}

/// The status of the review of a token. It has to be for one of these audiences; without any, for
/// the server.
pub(super) fn review(state: &State, token: &str, audiences: &[&str], now: Timestamp) -> Value {
    let Some(claims) = claims(&state.secret, token) else {
        return json!({"user": {}, "error": "invalid bearer token"});
    };
    let wanted = if audiences.is_empty() { &[SERVER] } else { audiences };
    let stated = strings(&claims["aud"]);
    let known: BTreeSet<_> = wanted.iter().collect();
    let common: Vec<_> = stated.iter().filter(|audience| known.contains(audience)).collect();
    let checked = if common.is_empty() {
        let [stated, wanted] = [&stated, wanted].map(shown);
        Err(format!("token audiences {stated} is invalid for the target audiences {wanted}"))
    } else if claims["exp"].as_i64().is_none_or(|end| end < now.as_second().saturating_sub(LEEWAY))
    {
        Err("service account token has expired".to_owned())
    } else {
        check_objects(state, &claims["kubernetes.io"], now)
    };
    match checked {
        Ok(()) => {
            json!({"authenticated": true, "user": user(&claims["kubernetes.io"]), "audiences": common})
        }
        Err(why) => json!({"user": {}, "error": format!("[invalid bearer token, {why}]")}),
    }
}

/// The user of a token with these claims of the server.
fn user(own: &Value) -> Value {
    let account = &own["serviceaccount"];
    let [namespace, name] =
        [&own["namespace"], &account["name"]].map(|text| text.as_str().unwrap_or_default());
    let groups = [
        "system:serviceaccounts",
        &format!("system:serviceaccounts:{namespace}"),
        "system:authenticated",
    ];
    json!({"username": format!("{ACCOUNT}{namespace}:{name}"), "uid": account["uid"], "groups": groups})
}

/// Seconds for which a token is valid after it has expired, and after the deletion of an object
/// that waits for finalizers or for its containers.
const LEEWAY: i64 = 60;

/// The object that a claim names, as far as it can be found.
enum Claimed {
    Present,
    Missing,
    /// It has ended, and is still stored.
    Deleted,
    /// Another object has its name, with this ID.
    Replaced(String),
}

impl Claimed {
    fn new(state: &State, plural: &str, namespace: &str, claim: &Value, now: Timestamp) -> Self {
        let namespace = (plural != "nodes").then_some(namespace);
        let key = Key::new("", plural, namespace, claim.text("name"));
        let Some(found) = state.store.tree(&key) else { return Self::Missing };
        let end = found.metadata_text("deletionTimestamp").parse::<Timestamp>();
        if end.is_ok_and(|end| end.as_second() < now.as_second().saturating_sub(LEEWAY)) {
            return Self::Deleted;
        }
        let uid = found.metadata_text("uid");
        if claim["uid"] == uid { Self::Present } else { Self::Replaced(uid.to_owned()) }
    }
}

/// Refuses a token if its account, or the object that it is bound to, is gone.
fn check_objects(state: &State, own: &Value, now: Timestamp) -> Result<(), String> {
    let namespace = own.text("namespace");
    let account = &own["serviceaccount"];
    let [name, uid] = [account.text("name"), account.text("uid")];
    match Claimed::new(state, "serviceaccounts", namespace, account, now) {
        Claimed::Present => {}
        Claimed::Missing => return Err(format!("serviceaccounts {} not found", quoted(name))),
        Claimed::Deleted => {
            return Err(format!("service account {namespace}/{name} has been deleted"));
        }
        Claimed::Replaced(known) => {
            return Err(format!("service account UID ({known}) does not match claim ({uid})"));
        }
    }
    for (_, plural, claim) in BOUND {
        let Some(bound) = own.get(claim) else { continue };
        match Claimed::new(state, plural, namespace, bound, now) {
            Claimed::Present => {}
            Claimed::Missing | Claimed::Deleted => {
                return Err("service account token has been invalidated".to_owned());
            }
            Claimed::Replaced(known) => {
                let stated = bound.text("uid");
                return Err(format!(
                    "{claim} UID ({known}) does not match service account {claim} ref claim \
                     ({stated})"
                ));
            }
        }
    }
    Ok(())
}

/// The strings of a list.
pub(super) fn strings(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A list of strings as Go prints it.
fn shown(strings: &[&str]) -> String {
    let strings: Vec<_> = strings.iter().map(|text| quoted(text)).collect();
    format!("[{}]", strings.join(" "))
}

/// Whether a token is valid for requests to this server.
pub(crate) fn is_valid(state: &State, token: &str, now: Timestamp) -> bool {
    review(state, token, &[], now)["authenticated"] == true
}
