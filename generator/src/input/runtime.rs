//! The index of the runtime that all emitted crates depend on.

use super::Sources;
use super::index::{ExternCrate, Index};
use crate::error::Error;
use crate::model::wellknown::RUNTIME;

/// The crates whose types a run uses, the runtime first.
pub(crate) fn crates(sources: &Sources) -> Result<Vec<ExternCrate>, Error> {
    let index = sources.runtime.clone().map_or_else(bundled, Ok)?;
    let runtime = ExternCrate { package: RUNTIME.to_owned(), index };
    Ok([runtime].into_iter().chain(sources.externs.iter().cloned()).collect())
}

/// The index of the runtime that is part of kapigen.
#[cfg(feature = "runtime")]
fn bundled() -> Result<Index, Error> {
    Index::parse(&super::Source::new("index.json of the runtime", kapigen_runtime::sources::INDEX))
}

#[cfg(not(feature = "runtime"))]
fn bundled() -> Result<Index, Error> {
    Err(without_runtime())
}

#[cfg(not(feature = "runtime"))]
pub(crate) fn without_runtime() -> Error {
    Error::new("kapigen was built without its feature `runtime`").help("give the index of a runtime in `Sources`")
}
