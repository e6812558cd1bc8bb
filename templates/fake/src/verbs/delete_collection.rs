//! Deleting many objects.

use super::commit::{Prepared, Response};
use super::delete::{self, Options};
use super::{Outcome, list};
use crate::failure::Failure;
use crate::request::Request;
use crate::select::Selection;
use crate::state::State;

/// DELETE on a collection. The response lists the objects as they were.
pub(super) fn prepare(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    let options = Options::of(request)?;
    let selection = Selection::of(request.incoming, &request.resource)?;
    let limit = request.limit()?;
    let found = state.store.list(request.resource.key(), request.namespace);
    let found = found.into_iter().map(|(path, object)| (path.as_ref().to_owned(), object));
    let found: Vec<_> = found.filter(|(_, object)| selection.selects(object)).collect();
    let count = limit.unwrap_or(found.len()).min(found.len());
    let metadata = list::metadata(request, state.store.version(), &found, count);
    let items: Vec<_> = found.into_iter().take(count).map(|(_, object)| object).collect();
    let candidates = items.iter().map(|live| Ok(delete::prepare_object(request, live.clone(), &options)?.0));
    let candidates = candidates.collect::<Result<_, Failure>>()?;
    Ok(Prepared { candidates, response: Response::Ready(Outcome::List { items, metadata }) })
}
