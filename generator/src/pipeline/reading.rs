//! The input of a run: documents, made ones of definitions among them, with their corrections, and
//! the crates that types are taken from.

use crate::error::{Error, Errors};
use crate::input::definitions::{self, Definitions};
use crate::input::index::{ExternCrate, Index};
use crate::input::{Source, Sources};
use crate::model::wellknown::RUNTIME;
use crate::note::Note;
use crate::openapi::fixups::{self, Applied};
use crate::openapi::load::{self, RawDocument};
use crate::package::copies;
use crate::parallel;

/// The documents of a run, and the definitions that some of them are made of.
pub(super) struct Read {
    pub(super) raws: Vec<RawDocument>,
    pub(super) definitions: Definitions,
    pub(super) notes: Vec<Note>,
}

/// The crates that a run takes types from, the runtime first.
pub(super) fn externs(sources: &Sources) -> Result<Vec<ExternCrate>, Error> {
    let index = match &sources.runtime {
        Some(index) => index.clone(),
        None => Index::parse(&Source::new("index.json of the runtime", copies::INDEX))?,
    };
    let documents = copies::runtime_document().into_iter().collect();
    let runtime = ExternCrate { package: RUNTIME.to_owned(), index, documents };
    Ok([runtime].into_iter().chain(sources.externs.iter().cloned()).collect())
}

/// Reads the documents, and makes documents of definitions. Other objects of a server beside
/// definitions are counted.
pub(super) fn read(sources: &Sources, errors: &mut Errors) -> Read {
    let (mut definitions, has_some) = definitions::find(&sources.documents, errors);
    let others = sources.documents.iter().zip(has_some).filter(|(_, has_some)| !has_some);
    let others: Vec<_> = others.map(|(source, _)| source).collect();
    let loaded = parallel::map(others.clone(), load::document);
    let mut raws = Vec::new();
    let mut notes = Vec::new();
    for (source, raw) in others.into_iter().zip(loaded) {
        let error = raw.as_ref().err().filter(|_| !definitions.is_empty());
        match error.and_then(|_| definitions::skipped(source)) {
            Some(skipped) => {
                definitions.others += skipped.objects;
                notes.extend(skipped.note);
            }
            None => raws.extend(errors.ok(raw)),
        }
    }
    let made = definitions.publish(&sources.documents, errors, &mut notes);
    raws.extend(made.into_iter().map(|(name, value)| RawDocument { name, value }));
    Read { raws, definitions, notes }
}

/// Errors of documents that are made of definitions, at the places of these.
pub(super) fn relocated(errors: &Errors, definitions: &Definitions, sources: &Sources) -> Errors {
    let mut list: Vec<Error> = errors.iter().cloned().collect();
    let locations = list.iter_mut().filter_map(|error| error.location.as_mut());
    definitions.relocate(&sources.documents, locations);
    let mut relocated = Errors::default();
    for error in list {
        relocated.push(error);
    }
    relocated
}

/// Applies the corrections of the input, and the ones that are part of kapigen.
pub(super) fn corrected(
    sources: &Sources,
    fixups: Option<&Source>,
    raws: &mut [RawDocument],
    errors: &mut Errors,
) -> Vec<Applied> {
    let applied = fixups.map(|source| fixups::apply(source, raws, errors)).transpose();
    let mut applied = errors.ok(applied).flatten().unwrap_or_default();
    if sources.shipped_fixups {
        let shipped = fixups::apply_shipped(raws, errors);
        applied.extend(errors.ok(shipped).into_iter().flatten());
    }
    applied
}
