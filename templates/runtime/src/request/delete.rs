//! Options of a delete.

use super::InvalidRequest;
use crate::codec::json;
use crate::codec::path::{KEY, shortened};
use crate::codec::query::Query;
use crate::codec::{Object, View, visit_encoded};
use std::fmt::Write;

/// Encodes `DeleteOptions` as the body of a delete, with the same options of the query moved into it.
///
/// A server that gets a body does not look into the query for them: `dryRun=All` beside an empty body really deletes.
///
/// # Errors
/// When body and query set an option to different values.
pub(super) fn fold_options(query: &mut Query, options: &dyn Object) -> Result<Vec<u8>, InvalidRequest> {
    let mut stated: Vec<(&str, Vec<u8>)> = Vec::new();
    visit_encoded(options, &mut |name, value| {
        let value = json::write(&value);
        if value != b"null" {
            stated.push((name, value));
        }
    });
    let names = options.table().keys.names();
    let (mut body, mut contradictions) = (vec![b'{'], String::new());
    for name in names {
        let said = stated.iter().find(|(other, _)| other == name).map(|(_, said)| said);
        match (query.take(name), said) {
            (Some(asked), Some(said)) if asked != *said => contradict(&mut contradictions, name, &asked, said),
            (Some(value), _) => add(&mut body, name, &value),
            (None, Some(value)) => add(&mut body, name, value),
            (None, None) => {}
        }
    }
    // An extra parameter may be an option that this type does not have. It stays in the query, too: it may be none.
    for (name, value) in query.extra_values().filter(|(name, _)| stated.iter().all(|(other, _)| other != name)) {
        add(&mut body, name, value);
    }
    // Unknown members.
    for (name, value) in stated.iter().filter(|(name, _)| !names.contains(name)) {
        add(&mut body, name, value);
    }
    body.push(b'}');
    if contradictions.is_empty() { Ok(body) } else { Err(InvalidRequest::Parameters(contradictions)) }
}

/// Adds a member, which is encoded already, to an object.
fn add(body: &mut Vec<u8>, name: &str, value: &[u8]) {
    if body.len() > 1 {
        body.push(b',');
    }
    json::append(body, &View::Str(name));
    body.push(b':');
    body.extend_from_slice(value);
}

fn contradict(message: &mut String, name: &str, asked: &[u8], said: &[u8]) {
    let (asked, said) = (String::from_utf8_lossy(asked), String::from_utf8_lossy(said));
    if !message.is_empty() {
        message.push_str("; ");
    }
    let (asked, said) = (shortened(&asked, KEY), shortened(&said, KEY));
    write!(message, "`{name}` is {asked} in the parameters and {said} in the options of the body")
        .expect("a string takes everything");
}
