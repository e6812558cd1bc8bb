//! Options of a delete.

use super::{Invalid, Query};
use crate::codec::{Object, View};

/// Writes `DeleteOptions` as the body of a delete, with everything that the query says about the same options.
///
/// A server that gets a body does not look into the query for them: `dryRun=All` beside an empty body really deletes.
///
/// # Errors
/// When body and query say different things about an option.
pub(super) fn fold_options(query: &mut Query, options: &dyn Object) -> Result<Vec<u8>, Invalid> {
    let unwritable = |error: serde_json::Error| Invalid::Body(error.to_string());
    let mut body = serde_json::to_value(View::Object(options)).map_err(unwritable)?;
    for key in options.table().keys.names {
        let Some(asked) = query.take(key) else { continue };
        match body.get(*key).filter(|said| !said.is_null()) {
            Some(said) if *said != asked => {
                return Err(Invalid::Parameters(format!(
                    "`{key}` is {asked} in the parameters and {said} in the options of the body"
                )));
            }
            _ => body[*key] = asked,
        }
    }
    serde_json::to_vec(&body).map_err(unwritable)
}

#[cfg(test)]
mod tests {
    use super::{Query, fold_options};
    use crate::meta_v1::Status;

    /// Any object can be the options. What it and the query both know is the code.
    fn fold(asked: Option<i64>, said: Option<i32>) -> (Result<String, String>, Query) {
        let mut query = Query::default();
        query.set("pretty", true);
        query.add("code", &asked);
        let options = Status { api_version: None, kind: None, code: said, ..Status::default() };
        let body = fold_options(&mut query, &options);
        (body.map(|body| String::from_utf8(body).unwrap()).map_err(|error| error.to_string()), query)
    }

    #[test]
    fn what_the_options_know_moves_into_the_body() {
        let mut rest = Query::default();
        rest.set("pretty", true);
        let with = r#"{"code":7,"metadata":{}}"#;
        for (asked, said, body) in
            [(None, None, r#"{"metadata":{}}"#), (Some(7), None, with), (None, Some(7), with), (Some(7), Some(7), with)]
        {
            let (found, query) = fold(asked, said);
            // Members may come in any order.
            let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            assert_eq!((json(&found.unwrap()), &query), (json(body), &rest));
        }
    }

    #[test]
    fn contradictions_are_refused() {
        let (error, _) = fold(Some(7), Some(8));
        assert_eq!(error.unwrap_err(), "`code` is 7 in the parameters and 8 in the options of the body");
    }
}
