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
    for key in options.table().keys {
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
