//! Replacing objects.

use super::ownership::Writer;
use super::parts::ObjectPart;
use super::prepared::{Prepared, Response};
use super::{Warnings, body, create, live, options, replace, stored};
use crate::failure::Failure;
use crate::request::Request;
use crate::state::State;

/// PUT on an object, or on a part of it.
pub(super) fn prepare(
    state: &mut State,
    request: &Request<'_>,
    part: ObjectPart,
    warnings: &mut Warnings,
) -> Result<Prepared, Failure> {
    options::check(request)?;
    let object = body::decode(state, request, warnings)?;
    body::check_name(request, &object)?;
    let writer = Writer::new(request, false, part);
    let found = match stored(state, request) {
        Ok(found) => found,
        Err(_) if part == ObjectPart::Main && request.resource.facts.creates_on_update => {
            replace::check_uid(request, &object, None)?;
            return create::prepare_object(state, request, object, &writer, warnings);
        }
        Err(failure) => return Err(failure),
    };
    let live = live(request, &found);
    replace::check_version(request, &object, &live)?;
    let candidate = replace::replace(request, found, &live, object, &writer, warnings)?;
    Ok(Prepared::write(candidate, Response::Object(200)))
}
