//! Lists, page by page, at a version.

use super::get::{check_not_too_new, version};
use super::{Outcome, convert, options};
use crate::failure::{Cause, Failure};
use crate::object::Tree;
use crate::request::Request;
use crate::select::Selection;
use crate::state::State;
use crate::store::{Query, Stored};
use crate::syntax;
use base64::alphabet::URL_SAFE;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, URL_SAFE_NO_PAD};
use base64::{DecodeError, Engine};
use serde_json::{Value, json};
use std::sync::Arc;

/// The option that states how `resourceVersion` is meant.
pub(super) const MATCH: &str = "resourceVersionMatch";

/// The version of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AsOf {
    Latest,
    Exactly(u64),
}

/// GET on a collection.
pub(super) fn list(state: &State, request: &Request<'_>) -> Result<Outcome, Failure> {
    let selection = Selection::from_request(request.incoming, &request.resource)?;
    let limit = request.limit()?;
    check_options(request)?;
    // A possibly outdated cache has no pages.
    let limit = limit.filter(|_| request.get("resourceVersion") != "0");
    let token = Some(request.get("continue")).filter(|token| !token.is_empty());
    let token = token.map(Token::decode).transpose().map_err(Failure::bad_request)?;
    let as_of = match &token {
        Some(Token { version: Some(version), .. }) => AsOf::Exactly(*version),
        Some(_) => AsOf::Latest,
        None => as_of(state, request, limit.is_some())?,
    };
    let version = match as_of {
        AsOf::Latest => state.store.version(),
        AsOf::Exactly(version) if version < state.store.compacted() => {
            return Err(expired(token.as_ref()));
        }
        AsOf::Exactly(version) => version,
    };
    let start = token.map(|token| token.start).unwrap_or_default();
    let (items, metadata) =
        page(state, request, &selection, PageBounds { version, start: &start, limit })?;
    Ok(Outcome::List { items, metadata })
}

/// The page of a list: its version, its first key below the namespace, and its length.
pub(super) struct PageBounds<'a> {
    pub(super) version: u64,
    pub(super) start: &'a str,
    pub(super) limit: Option<usize>,
}

/// The objects of a page, and the metadata of the list. Objects after the page are not visited. A
/// server converts all objects of a namespace before it selects.
pub(super) fn page(
    state: &State,
    request: &Request<'_>,
    selection: &Selection,
    PageBounds { version, start, limit }: PageBounds<'_>,
) -> Result<(Vec<Arc<Stored>>, Value), Failure> {
    check_convertible(state, request)?;
    let prefix = request.namespace.map_or_else(String::new, |namespace| format!("{namespace}/"));
    let start = format!("{prefix}{start}");
    let query = Query {
        resource: request.resource.key(),
        namespace: request.namespace,
        start: &start,
        selection,
    };
    let mut found = state.store.query(&query, version);
    let items: Vec<_> = found.by_ref().take(limit.unwrap_or(usize::MAX)).collect();
    let mut metadata = json!({"resourceVersion": version.to_string()});
    match (items.last(), found.next()) {
        (Some((last, _)), Some(_)) => {
            let token =
                Token { version: Some(version), start: format!("{}\0", &last[prefix.len()..]) };
            metadata["continue"] = json!(token.encode());
            if selection.is_everything() {
                metadata["remainingItemCount"] = json!(1 + found.count());
            }
        }
        _ if request.resource.custom.is_some() => metadata["continue"] = json!(""),
        _ => {}
    }
    Ok((items.into_iter().map(|(_, object)| object).collect(), metadata))
}

/// Refuses a collection if one of its objects cannot be converted to the version of the request.
pub(super) fn check_convertible(state: &State, request: &Request<'_>) -> Result<(), Failure> {
    let resource = &request.resource;
    if state.store.has_any(resource.key(), request.namespace) {
        convert::check_stored(resource)
    } else {
        Ok(())
    }
}

fn as_of(state: &State, request: &Request<'_>, is_paged: bool) -> Result<AsOf, Failure> {
    let text = request.get("resourceVersion");
    if text.is_empty() {
        return Ok(AsOf::Latest);
    }
    let wanted = version(text)
        .map_err(|why| Failure::bad_request(format!("invalid resource version: {why}")))?;
    check_not_too_new(state, wanted)?;
    let exactly = match request.get(MATCH) {
        "Exact" => true,
        "" => is_paged && wanted > 0,
        _ => false,
    };
    Ok(if exactly { AsOf::Exactly(wanted) } else { AsOf::Latest })
}

/// Refuses options that contradict each other, all at once.
pub(super) fn check_options(request: &Request<'_>) -> Result<(), Failure> {
    request.incoming.number("timeoutSeconds")?;
    let version = request.get("resourceVersion");
    let matching = request.get(MATCH);
    let is_continued = !request.get("continue").is_empty();
    let mut causes = Vec::new();
    if !matching.is_empty() {
        if version.is_empty() {
            let why = "resourceVersionMatch is forbidden unless resourceVersion is provided";
            causes.push(Cause::forbidden(MATCH, why));
        }
        if is_continued {
            let why = "resourceVersionMatch is forbidden when continue is provided";
            causes.push(Cause::forbidden(MATCH, why));
        }
        if !matches!(matching, "Exact" | "NotOlderThan") {
            let supported = ["Exact", "NotOlderThan", ""];
            causes.push(Cause::unsupported(MATCH, &json!(matching), &supported));
        }
        if matching == "Exact" && version == "0" {
            let why = "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"";
            causes.push(Cause::forbidden(MATCH, why));
        }
    }
    if request.incoming.has("sendInitialEvents") {
        causes
            .push(Cause::forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    options::refuse("ListOptions", &causes)?;
    if is_continued && !version.is_empty() && version != "0" {
        return Err(Failure::bad_request(
            "specifying resource version is not allowed when using continue",
        ));
    }
    Ok(())
}

/// 410. For a page, it offers an inconsistent continuation.
fn expired(token: Option<&Token>) -> Failure {
    let Some(token) = token else {
        return Failure::expired("The resourceVersion for the provided list is too old.");
    };
    let message = "The provided continue parameter is too old to display a consistent list \
                   result. You can start a new list without the continue parameter, or use the \
                   continue token in this response to retrieve the remainder of the results. \
                   Continuing with the provided token results in an inconsistent list - objects \
                   that were created, modified, or deleted between the time the first chunk was \
                   returned and now may show up in the list.";
    let mut failure = Failure::expired(message);
    let inconsistent = Token { version: None, start: token.start.clone() };
    failure.status["metadata"] = json!({"continue": inconsistent.encode()});
    failure
}

/// The decoder of tokens, which ignores bits after the last byte.
const LENIENT: GeneralPurpose = {
    let config = GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&URL_SAFE, config.with_decode_padding_mode(DecodePaddingMode::RequireNone))
};

/// The error of a token that is not base64, in the words of servers.
fn illegal(error: &DecodeError) -> String {
    let at = match error {
        DecodeError::InvalidByte(at, _) | DecodeError::InvalidLastSymbol(at, _) => *at,
        DecodeError::InvalidLength(length) => length.saturating_sub(1),
        DecodeError::InvalidPadding => 0,
    };
    format!("illegal base64 data at input byte {at}")
}

const VERSION: &str = "meta.k8s.io/v1";

/// The position at which a list continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// The version that is listed. `None` for the latest one.
    pub(super) version: Option<u64>,
    /// The key to begin with, below the namespace.
    pub(super) start: String,
}

impl Token {
    pub(super) fn encode(&self) -> String {
        let version = self.version.map_or(json!(-1), |version| json!(version));
        URL_SAFE_NO_PAD
            .encode(json!({"v": VERSION, "rv": version, "start": self.start}).to_string())
    }

    /// Decodes a token. Errors are worded as by a server.
    pub(super) fn decode(text: &str) -> Result<Self, String> {
        Self::read(text)
            .map_err(|why| format!("invalid continue token: continue key is not valid: {why}"))
    }

    fn read(text: &str) -> Result<Self, String> {
        let bytes = LENIENT.decode(text).map_err(|error| illegal(&error))?;
        let token: Value = serde_json::from_slice(&bytes)
            .map_err(|error| syntax::error(&bytes).unwrap_or_else(|| error.to_string()))?;
        let known = token.text("v");
        if known != VERSION {
            return Err(format!("server does not recognize this encoded version {known}"));
        }
        let start = token.text("start");
        let version = match token.get("rv").and_then(Value::as_i64) {
            None | Some(0) => {
                return Err(format!("incorrect encoded start resourceVersion (version {VERSION})"));
            }
            Some(version) => u64::try_from(version).ok(),
        };
        if start.is_empty() {
            return Err(format!("encoded start key empty (version {VERSION})"));
        }
        if start.split('/').any(|step| matches!(step, "." | "..")) {
            return Err(start.to_owned());
        }
        Ok(Self { version, start: start.trim_start_matches('/').to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::Token;

    #[test]
    fn tokens_survive_encoding_and_decoding() {
        for version in [Some(7), None] {
            let token = Token { version, start: "default/a\0".to_owned() };
            assert_eq!(Token::decode(&token.encode()), Ok(token));
        }
        for bad in ["", "x", "e30", "eyJ2IjoibWV0YS5rOHMuaW8vdjkiLCJydiI6NSwic3RhcnQiOiJhIn0"] {
            assert!(Token::decode(bad).unwrap_err().starts_with("invalid continue token"), "{bad}");
        }
    }
}
