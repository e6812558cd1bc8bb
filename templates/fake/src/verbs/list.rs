//! Lists, page by page, as of a version.

use super::Outcome;
use super::get::{check_not_too_new, version};
use super::token::Token;
use crate::failure::{Cause, Failure};
use crate::request::Request;
use crate::select::Selection;
use crate::state::State;
use crate::store::Stored;
use serde_json::{Value, json};
use std::sync::Arc;

/// Objects of a collection, by their paths below it.
type Objects = Vec<(String, Arc<Stored>)>;

/// Which version a list is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AsOf {
    Latest,
    Exactly(u64),
}

/// GET on a collection.
pub(super) fn list(state: &State, request: &Request<'_>) -> Result<Outcome, Failure> {
    let selection = Selection::of(request.incoming, &request.resource)?;
    check_list_options(request)?;
    let limit = request.limit()?;
    // A cache that may be old has no pages.
    let limit = limit.filter(|_| request.get("resourceVersion") != "0");
    let token = Some(request.get("continue")).filter(|token| !token.is_empty());
    let token = token.map(Token::decode).transpose().map_err(Failure::bad_request)?;
    let as_of = match &token {
        Some(Token { version: Some(version), .. }) => AsOf::Exactly(*version),
        Some(_) => AsOf::Latest,
        None => as_of(state, request, limit.is_some())?,
    };
    let (version, found) = objects(state, request, as_of, token.as_ref())?;
    let start = token.map(|token| token.start).unwrap_or_default();
    let rest = found.into_iter().filter(|(path, object)| *path >= start && selection.selects(object));
    let rest: Vec<_> = rest.collect();
    let count = limit.unwrap_or(rest.len()).min(rest.len());
    let metadata = metadata(request, version, &rest, count);
    let items = rest.into_iter().take(count).map(|(_, object)| object).collect();
    Ok(Outcome::List { items, metadata })
}

/// The metadata of a list of the first objects of those that were found.
pub(super) fn metadata(request: &Request<'_>, version: u64, rest: &[(String, Arc<Stored>)], count: usize) -> Value {
    let mut metadata = json!({"resourceVersion": version.to_string()});
    if let Some((last, _)) = count.checked_sub(1).map(|last| &rest[last]).filter(|_| count < rest.len()) {
        let token = Token { version: Some(version), start: format!("{last}\0") };
        metadata["continue"] = json!(token.encode());
        let is_selected = ["labelSelector", "fieldSelector"].iter().any(|name| !request.get(name).is_empty());
        if !is_selected {
            metadata["remainingItemCount"] = json!(rest.len() - count);
        }
    } else if request.resource.custom.is_some() {
        metadata["continue"] = json!("");
    }
    metadata
}

/// The objects of the collection as of a version, by their paths below it, and that version.
fn objects(
    state: &State,
    request: &Request<'_>,
    as_of: AsOf,
    token: Option<&Token>,
) -> Result<(u64, Objects), Failure> {
    let store = &state.store;
    let resource = request.resource.key();
    let namespace = request.namespace;
    let version = match as_of {
        AsOf::Latest => store.version(),
        AsOf::Exactly(version) if version < store.compacted() => return Err(expired(token)),
        AsOf::Exactly(version) => version,
    };
    let skipped = namespace.map_or(0, |namespace| namespace.len() + 1);
    let found = store.list_at(resource, namespace, version);
    Ok((version, found.into_iter().map(|(path, object)| (path[skipped..].to_owned(), object)).collect()))
}

fn as_of(state: &State, request: &Request<'_>, is_paged: bool) -> Result<AsOf, Failure> {
    let text = request.get("resourceVersion");
    if text.is_empty() {
        return Ok(AsOf::Latest);
    }
    let wanted = version(text).map_err(|why| Failure::bad_request(format!("invalid resource version: {why}")))?;
    check_not_too_new(state, wanted)?;
    let exactly = match request.get("resourceVersionMatch") {
        "Exact" => true,
        "" => is_paged && wanted > 0,
        _ => false,
    };
    Ok(if exactly { AsOf::Exactly(wanted) } else { AsOf::Latest })
}

fn check_list_options(request: &Request<'_>) -> Result<(), Failure> {
    let refuse = |cause| Err(Failure::invalid_options("ListOptions", cause));
    let (version, matching) = (request.get("resourceVersion"), request.get("resourceVersionMatch"));
    let is_continued = !request.get("continue").is_empty();
    if request.incoming.has("sendInitialEvents") {
        return refuse(Cause::forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    if is_continued && !version.is_empty() && version != "0" {
        return Err(Failure::bad_request("specifying resource version is not allowed when using continue"));
    }
    if matching.is_empty() {
        return Ok(());
    }
    if version.is_empty() {
        let why = "resourceVersionMatch is forbidden unless resourceVersion is provided";
        return refuse(Cause::forbidden("resourceVersionMatch", why));
    }
    if is_continued {
        return refuse(Cause::forbidden(
            "resourceVersionMatch",
            "resourceVersionMatch is forbidden when continue is provided",
        ));
    }
    if !matches!(matching, "Exact" | "NotOlderThan") {
        let supported = ["Exact", "NotOlderThan", ""];
        return refuse(Cause::unsupported("resourceVersionMatch", &json!(matching), &supported));
    }
    if matching == "Exact" && version == "0" {
        let why = "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"";
        return refuse(Cause::forbidden("resourceVersionMatch", why));
    }
    Ok(())
}

/// 410. For a page it offers to go on without consistency.
fn expired(token: Option<&Token>) -> Failure {
    let Some(token) = token else {
        return Failure::expired("The resourceVersion for the provided list is too old.");
    };
    let message = "The provided continue parameter is too old to display a consistent list result. You can start a new \
                   list without the continue parameter, or use the continue token in this response to retrieve the \
                   remainder of the results. Continuing with the provided token results in an inconsistent list - \
                   objects that were created, modified, or deleted between the time the first chunk was returned and now \
                   may show up in the list.";
    let mut failure = Failure::expired(message);
    let inconsistent = Token { version: None, start: token.start.clone() };
    failure.status["metadata"] = json!({"continue": inconsistent.encode()});
    failure
}
