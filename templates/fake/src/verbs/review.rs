//! Reviews, which are never stored: of the rights of a user, and of the user of a token.

use super::body::{self, check_depth};
use super::namespace;
use super::ownership::{Writer, record_creation};
use super::parts::ObjectPart;
use super::token;
use crate::failure::Failure;
use crate::names;
use crate::object::Tree;
use crate::request::Request;
use crate::state::State;
use serde_json::{Value, json};

/// Completes an object of a kind that cannot be read. A review gets its result: everybody may do
/// everything, all requests come from one administrator, and the tokens that the server has issued
/// are valid. Other kinds are returned without a status.
pub(super) fn review(
    state: &State,
    request: &Request<'_>,
    mut object: Value,
) -> Result<Value, Failure> {
    check_depth(&object)?;
    namespace::set(request, &mut object)?;
    body::complete(&request.resource, &mut object)?;
    let status = match (request.resource.group.as_str(), request.resource.kind.as_str()) {
        ("authorization.k8s.io", "SelfSubjectRulesReview") => all_rules(),
        ("authorization.k8s.io", kind) if kind.ends_with("SubjectAccessReview") => {
            json!({"allowed": true})
        }
        ("authentication.k8s.io", "TokenReview") => {
            let token = object.at("spec.token").and_then(Value::as_str).unwrap_or_default();
            if token.is_empty() {
                return Err(Failure::bad_request(
                    "token is required for TokenReview in authentication",
                ));
            }
            let audiences = object.at("spec.audiences").map(token::strings).unwrap_or_default();
            token::review(state, token, &audiences, request.now)
        }
        ("authentication.k8s.io", "SelfSubjectReview") => {
            object.set_metadata("creationTimestamp", json!(names::time(request.now)));
            let groups = ["system:masters", "system:authenticated"];
            json!({"userInfo": {"username": "admin", "uid": "1", "groups": groups}})
        }
        _ => return Ok(object),
    };
    if let Value::Object(members) = &mut object {
        members.shift_remove("status");
    }
    record_creation(request, &mut object, &Writer::new(request, false, ObjectPart::Main));
    object["status"] = status;
    Ok(object)
}

/// The rules of a user who may do everything.
fn all_rules() -> Value {
    json!({
        "resourceRules": [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}],
        "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["*"]}],
        "incomplete": false,
    })
}
