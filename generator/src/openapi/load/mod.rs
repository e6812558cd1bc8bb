//! Loads documents as plain data of a limited size.

mod foreign;
mod value;

pub(crate) use foreign::{check_text, check_version};

use crate::error::{Error, Location};
use crate::input::{LARGEST, Source, parse};
use serde_json::Value;
use value::Budget;

/// A document as plain data, before it is interpreted.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    /// The name of its source.
    pub name: String,
    /// Its content.
    pub value: Value,
}

/// The number of bytes that a short document may unfold to.
const MOST_UNFOLDED: usize = 1_000_000;

/// Without aliases there are fewer values than bytes, and an escape such as `\L` becomes three bytes at most.
const UNFOLDED_TO_LENGTH: usize = 3;

/// Reads an OpenAPI document.
///
/// # Errors
/// When the source is not YAML or JSON, or is not an OpenAPI 3.0 document.
pub fn document(source: &Source) -> Result<Raw, Error> {
    let length = source.text.len();
    if length > LARGEST {
        let message = format!("the document has {length} bytes, more than the limit of {LARGEST}");
        return Err(Error::at(Location::document(&source.name), message));
    }
    foreign::check_text(source)?;
    let value = parse::read(source, &mut Budget::new((UNFOLDED_TO_LENGTH * length).max(MOST_UNFOLDED)))?;
    foreign::check_version(&source.name, &value)?;
    Ok(Raw { name: source.name.clone(), value })
}
