//! Loads documents as plain data of a limited size.

mod foreign;

#[cfg(feature = "cli")] // `pull` reads in steps of its own
pub(crate) use foreign::{check_text, check_version};

use crate::error::Error;
use crate::input::{Source, parse};
use serde_json::Value;

/// A document as plain data, before it is interpreted.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    /// The name of its source.
    pub name: String,
    /// Its content.
    pub value: Value,
}

/// Reads an OpenAPI document.
///
/// # Errors
/// When the source is not YAML or JSON, or is not an OpenAPI 3.0 document.
pub fn document(source: &Source) -> Result<Raw, Error> {
    foreign::check_text(source)?;
    let value = parse::value(source)?;
    foreign::check_version(&source.name, &value)?;
    Ok(Raw { name: source.name.clone(), value })
}
