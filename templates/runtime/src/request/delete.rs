//! Options of a delete.

use super::InvalidRequest;
use crate::codec::json;
use crate::codec::path::{KEY, shortened};
use crate::codec::query::Query;
use crate::codec::{Object, View, visit_encoded};

/// Encodes `DeleteOptions` as the body of a delete, with the same options of the query moved into it.
///
/// A server that gets a body does not look into the query for them: `dryRun=All` beside an empty body really deletes.
///
/// # Errors
/// When body and query set an option to different values.
pub(super) fn fold_options(query: &mut Query, options: &dyn Object) -> Result<Vec<u8>, InvalidRequest> {
    let names = options.table().keys.names();
    let mut members: Vec<(&str, Vec<u8>)> = names.iter().filter_map(|name| Some((*name, query.take(name)?))).collect();
    let mut contradictions = Vec::new();
    visit_encoded(options, &mut |name, said| {
        let said = json::write(&said);
        match members.iter().find(|(other, _)| *other == name) {
            _ if said == b"null" => {}
            Some((_, asked)) if *asked != said => {
                let [asked, said] = [asked, &said].map(|text| String::from_utf8_lossy(text));
                let [asked, said] = [&asked, &said].map(|text| shortened(text, KEY));
                contradictions
                    .push(format!("`{name}` is {asked} in the parameters and {said} in the options of the body"));
            }
            Some(_) => {}
            None => members.push((name, said)),
        }
    });
    // In the order of the table, with unknown members behind.
    members.sort_by_key(|(name, _)| names.iter().position(|other| other == name).unwrap_or(names.len()));
    if contradictions.is_empty() {
        Ok(object(&members))
    } else {
        Err(InvalidRequest::Parameters(contradictions.join("; ")))
    }
}

/// Encodes an object whose members are encoded already.
fn object(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut text = vec![b'{'];
    for (name, member) in members {
        if text.len() > 1 {
            text.push(b',');
        }
        text.extend(json::write(&View::Str(name)));
        text.push(b':');
        text.extend(member);
    }
    text.push(b'}');
    text
}
