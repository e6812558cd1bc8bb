//! Deleting many objects.

use super::Outcome;
use super::commit::{Prepared, Response};
use super::delete::{self, Options};
use super::list::{self, Place};
use crate::failure::Failure;
use crate::request::Request;
use crate::select::Selection;
use crate::state::State;

/// DELETE on a collection. The response lists the objects as they were.
pub(super) fn prepare(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    let options = Options::of(request)?;
    let selection = Selection::of(request.incoming, &request.resource)?;
    let place = Place { version: state.store.version(), start: "", limit: request.limit()? };
    let (items, metadata) = list::page(state, request, &selection, place);
    let candidates = items.iter().map(|live| Ok(delete::prepare_object(request, live.clone(), &options)?.0));
    let candidates = candidates.collect::<Result<_, Failure>>()?;
    Ok(Prepared { candidates, response: Response::Ready(Outcome::List { items, metadata }) })
}
