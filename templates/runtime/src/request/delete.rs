//! Options of a delete.

use super::InvalidRequest;
use crate::codec::json;
use crate::codec::path::{KEY, shortened};
use crate::codec::query::Query;
use crate::codec::{Object, View, visit_encoded};

/// Writes `DeleteOptions` as the body of a delete, with everything that the query says about the same options.
///
/// A server that gets a body does not look into the query for them: `dryRun=All` beside an empty body really deletes.
///
/// # Errors
/// When body and query say different things about an option.
pub(super) fn fold_options(query: &mut Query, options: &dyn Object) -> Result<Vec<u8>, InvalidRequest> {
    let names = options.table().keys.names().iter();
    let mut members: Vec<(&str, Vec<u8>)> = names.filter_map(|name| Some((*name, query.take(name)?))).collect();
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
    if contradictions.is_empty() {
        Ok(object(&members))
    } else {
        Err(InvalidRequest::Parameters(contradictions.join("; ")))
    }
}

/// Writes an object whose members are written already.
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

#[cfg(test)]
mod tests {
    use super::{Query, fold_options};
    use crate::meta_v1::Status;

    /// Any object can be the options. What it and the query both know is the code.
    fn fold(asked: Option<i64>, said: Option<i32>) -> (Result<String, String>, Query) {
        let mut query = Query::default();
        query.add("pretty", &true);
        query.add("code", &asked);
        let options = Status { api_version: None, kind: None, code: said, ..Status::default() };
        let body = fold_options(&mut query, &options);
        (body.map(|body| String::from_utf8(body).unwrap()).map_err(|error| error.to_string()), query)
    }

    #[test]
    fn what_the_options_know_moves_into_the_body() {
        let mut rest = Query::default();
        rest.add("pretty", &true);
        let with = r#"{"code":7,"metadata":{}}"#;
        for (asked, said, body) in
            [(None, None, r#"{"metadata":{}}"#), (Some(7), None, with), (None, Some(7), with), (Some(7), Some(7), with)]
        {
            let (found, query) = fold(asked, said);
            assert_eq!((found.as_deref(), &query), (Ok(body), &rest));
        }
    }

    #[test]
    fn contradictions_are_refused() {
        let mut query = Query::default();
        query.add("code", &7_i32);
        query.add("reason", &"Gone".to_owned());
        let options = Status { code: Some(8), reason: Some("Expired".to_owned()), ..Status::default() };
        let said = fold_options(&mut query, &options).unwrap_err().to_string();
        let all = [
            "`code` is 7 in the parameters and 8 in the options of the body",
            r#"`reason` is "Gone" in the parameters and "Expired" in the options of the body"#,
        ];
        assert_eq!(said, all.join("; "));
    }
}
