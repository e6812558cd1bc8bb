//! Options: the query parameters that creates, updates and patches share, and their validation for
//! all verbs.

use super::patch_form::PatchForm;
use crate::failure::{Cause, Failure};
use crate::request::{Request, options_kind};
use kapigen_definitions::is_printable;
use kapigen_runtime::Verb;
use serde_json::{Value, json};

/// The values of `fieldValidation`.
const VALIDATIONS: [&str; 4] = ["", "Ignore", "Strict", "Warn"];

/// The most bytes of a field manager.
const MOST_OF_MANAGER: usize = 128;

/// Refuses invalid options, all at once, before the body is decoded.
pub(super) fn check(request: &Request<'_>) -> Result<(), Failure> {
    let mut causes = Vec::new();
    let manager = request.get("fieldManager");
    if request.verb == Verb::Patch {
        let is_apply = PatchForm::from_request(request)?.is_none();
        if is_apply && manager.is_empty() {
            causes.push(Cause::required("fieldManager", "is required for apply patch"));
        }
        if !is_apply && request.incoming.has("force") {
            causes.push(Cause::forbidden("force", "may not be specified for non-apply patch"));
        }
    }
    causes.extend(wrong_manager(manager));
    causes.extend(wrong_dry_run(&json!(request.incoming.all("dryRun"))));
    let validation = request.get("fieldValidation");
    if !VALIDATIONS.contains(&validation) {
        causes.push(Cause::unsupported("fieldValidation", &json!(validation), &VALIDATIONS));
    }
    refuse(options_kind(request.verb), &causes)
}

/// Refuses options of a kind if there are causes.
pub(super) fn refuse(kind: &str, causes: &[Cause]) -> Result<(), Failure> {
    if causes.is_empty() { Ok(()) } else { Err(Failure::invalid("meta.k8s.io", kind, "", causes)) }
}

/// The cause for which a list of values of `dryRun` is refused. The only value is `All`.
pub(super) fn wrong_dry_run(stated: &Value) -> Option<Cause> {
    let is_wrong = stated.as_array().into_iter().flatten().any(|value| value != "All");
    is_wrong.then(|| Cause::unsupported("dryRun", stated, &["All"]))
}

/// The causes for which the name of a field manager is refused.
fn wrong_manager(name: &str) -> Vec<Cause> {
    let mut causes = Vec::new();
    if name.len() > MOST_OF_MANAGER {
        causes.push(Cause::too_long("fieldManager", MOST_OF_MANAGER));
    }
    let odd = name.char_indices().filter(|(_, c)| !is_printable(*c));
    // Each cause quotes the whole name, so an unlimited name would make unlimited causes.
    let most = 1 + MOST_OF_MANAGER * MOST_OF_MANAGER / name.len().max(1);
    causes.extend(odd.take(most).map(|(position, _)| {
        let why = format!("should only contain printable characters (at position {position})");
        Cause::invalid("fieldManager", &json!(name), &why)
    }));
    causes
}
