//! Options of a delete.

use super::InvalidRequest;
use crate::codec::json;
use crate::codec::path::{KEY, shortened};
use crate::codec::query::Query;
use crate::codec::{Object, View};

/// Writes `DeleteOptions` as the body of a delete, with everything that the query says about the same options.
///
/// A server that gets a body does not look into the query for them: `dryRun=All` beside an empty body really deletes.
///
/// # Errors
/// When body and query say different things about an option.
pub(super) fn fold_options(query: &mut Query, options: &dyn Object) -> Result<Vec<u8>, InvalidRequest> {
    let keys = options.table().keys.names();
    let mut members: Vec<_> = keys.iter().map(|key| query.take(key)).collect();
    let mut contradictions = Vec::new();
    options.visit_members(&mut |index, said| {
        let said = json::write(&said);
        match &members[index] {
            _ if said == b"null" => {}
            Some(asked) if *asked != said => {
                let [asked, said] = [asked, &said].map(|text| String::from_utf8_lossy(text));
                let [asked, said] = [&asked, &said].map(|text| shortened(text, KEY));
                let key = keys[index];
                contradictions
                    .push(format!("`{key}` is {asked} in the parameters and {said} in the options of the body"));
            }
            _ => members[index] = Some(said),
        }
    });
    if contradictions.is_empty() {
        Ok(object(keys, &members))
    } else {
        Err(InvalidRequest::Parameters(contradictions.join("; ")))
    }
}

/// Writes an object whose members are written already.
fn object(keys: &[&str], members: &[Option<Vec<u8>>]) -> Vec<u8> {
    let mut text = vec![b'{'];
    for (key, member) in keys.iter().zip(members) {
        let Some(member) = member else { continue };
        if text.len() > 1 {
            text.push(b',');
        }
        text.extend(json::write(&View::Str(key)));
        text.push(b':');
        text.extend(member);
    }
    text.push(b'}');
    text
}
