//! Query parameters that an operation has, and those that it does not have.

use super::InvalidRequest;
use crate::codec::nearest::nearest;
use crate::codec::path::{KEY, joined, shortened};
use crate::codec::query::Query;
use crate::operation::{ExtraParameter, Operation};

/// Compares the parameters that a program has named with those of the operation. Those that it does not have stay
/// aside, for [`check`].
///
/// A parameter that has a field may be named, too: it has had none in an earlier edition of the struct.
///
/// # Errors
/// When a value does not have the type of its parameter.
pub(super) fn resolve(query: &mut Query, operation: &Operation) -> Result<(), InvalidRequest> {
    let mut mismatches = Vec::new();
    for (name, text) in query.take_extra() {
        let extra = operation.extra_parameters.iter().find(|parameter| parameter.name == name);
        let known = operation.parameters.iter().find(|known| **known == name && name != WATCH);
        match (extra, known) {
            (Some(ExtraParameter { ty, .. }), _) if !ty.is_value(&text) => {
                let text = shortened(&text, KEY).escape_debug().to_string();
                mismatches.push(format!("`{name}` of `{}` is {ty}, not `{text}`", operation.id));
            }
            (Some(parameter), _) => query.add_extra(parameter, text),
            (None, Some(known)) => query.add_named(known, text),
            (None, None) => query.extra(&[(name, text)]),
        }
    }
    if mismatches.is_empty() { Ok(()) } else { Err(InvalidRequest::Parameters(mismatches.join("; "))) }
}

/// The parameter that makes a list a stream of events, so that the response has another type.
const WATCH: &str = "watch";

/// Refuses parameters that an operation does not have: servers ignore them silently.
///
/// # Errors
/// When there are such parameters. The error names them all.
pub(super) fn check(query: &Query, operation: &Operation) -> Result<(), InvalidRequest> {
    let mut foreign: Vec<&str> = query.unresolved().collect();
    for name in query.names() {
        if !operation.parameters.contains(&name) {
            foreign.push(name);
        }
    }
    if foreign.is_empty() {
        return Ok(());
    }
    let id = operation.id;
    if foreign.contains(&WATCH) && operation.parameters.contains(&WATCH) {
        let message = format!("`{id}` gets `{WATCH}` from the function that watches, not from `with`");
        return Err(InvalidRequest::Parameters(message));
    }
    let similar: Vec<_> =
        foreign.iter().filter_map(|name| nearest(name, operation.parameters.iter().copied())).collect();
    let help =
        if similar.is_empty() { String::new() } else { format!("; did you mean `{}`?", joined(&similar, "`, `")) };
    let foreign: Vec<_> = foreign.iter().map(|name| shortened(name, KEY).escape_debug().to_string()).collect();
    let (foreign, known) = (foreign.join("`, `"), joined(operation.parameters, ", "));
    Err(InvalidRequest::Parameters(format!("`{id}` has no parameter `{foreign}`, only {known}{help}")))
}
