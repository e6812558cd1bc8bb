//! Loads documents as plain data of a limited size.

mod value;

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

/// Without aliases there are fewer values than bytes, and an escape such as `\L` stands for three bytes at most.
const UNFOLDED_TO_LENGTH: usize = 3;

/// Reads an OpenAPI document.
///
/// # Errors
/// When the text is not YAML or JSON, or is not an OpenAPI 3.0 document.
pub fn document(source: &Source) -> Result<Raw, Error> {
    let length = source.text.len();
    if length > LARGEST {
        let message = format!("the document has {length} bytes, more than the limit of {LARGEST}");
        return Err(Error::at(Location::document(&source.name), message));
    }
    let value = parse::read(source, &mut Budget::new((UNFOLDED_TO_LENGTH * length).max(MOST_UNFOLDED)))?;
    check_version(&source.name, &value)?;
    Ok(Raw { name: source.name.clone(), value })
}

fn check_version(name: &str, value: &Value) -> Result<(), Error> {
    let help = "give the OpenAPI 3.0 document, as `kubectl get --raw /openapi/v3/apis/<group>/<version>` prints it";
    let refuse = |place: &str, found: String, help: &str| {
        let at = if place.is_empty() { Location::document(name) } else { Location::pointer(name, place) };
        Err(Error::at(at, format!("not an OpenAPI 3.0 document: {found}")).help(help))
    };
    match (value.get("openapi"), value.get("swagger")) {
        (Some(Value::String(version)), _) if version == "3.0" || version.starts_with("3.0.") => Ok(()),
        (Some(Value::Number(version)), _) => {
            refuse("/openapi", format!("`openapi` is the number {version}"), "write it as a text, such as `\"3.0.3\"`")
        }
        (Some(version), _) => refuse("/openapi", format!("`openapi` is {version}"), help),
        (None, Some(version)) => refuse("/swagger", format!("`swagger` is {version}"), help),
        (None, None) => refuse("", "it has no `openapi` version".to_owned(), help),
    }
}
