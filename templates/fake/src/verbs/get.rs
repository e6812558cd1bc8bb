//! Reading one object.

use super::{Outcome, stored};
use crate::failure::Failure;
use crate::request::Request;
use crate::state::State;

/// GET on an object.
pub(super) fn get(state: &State, request: &Request<'_>) -> Result<Outcome, Failure> {
    if request.incoming.has("export") {
        return Err(Failure::bad_request(
            "the export parameter, deprecated since v1.14, is no longer supported",
        ));
    }
    let wanted = request.get("resourceVersion");
    if !wanted.is_empty() {
        let version = version(wanted).map_err(Failure::internal)?;
        check_not_too_new(state, version)?;
    }
    stored(state, request).map(Outcome::stored)
}

pub(super) fn check_not_too_new(state: &State, wanted: u64) -> Result<(), Failure> {
    let current = state.store.version();
    if wanted > current { Err(Failure::too_new(wanted, current)) } else { Ok(()) }
}

/// Parses a version. Only servers may treat versions as numbers.
pub(super) fn version(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        format!(
            "resourceVersion: Invalid value: \"{text}\": strconv.ParseUint: parsing \"{text}\": \
             invalid syntax"
        )
    })
}
