//! Reads: one object, many, and their changes.

mod list;
mod log;
mod token;

pub(crate) use log::Reading;

use crate::call::{Call, Outcome};
use crate::failure::Failure;

impl Call<'_> {
    /// GET on an object.
    pub(crate) fn get(&mut self) -> Result<Outcome, Failure> {
        if self.request.has("export") {
            return Err(Failure::bad_request("the export parameter, deprecated since v1.14, is no longer supported"));
        }
        let wanted = self.request.get("resourceVersion");
        if !wanted.is_empty() {
            let version = version(wanted).map_err(Failure::internal)?;
            self.check_not_too_new(version)?;
        }
        self.stored().map(Outcome::stored)
    }

    fn check_not_too_new(&self, wanted: u64) -> Result<(), Failure> {
        let current = self.state.store.version();
        if wanted > current { Err(Failure::too_new(wanted, current)) } else { Ok(()) }
    }
}

/// A version, which only servers may take for a number.
pub(crate) fn version(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        format!("resourceVersion: Invalid value: \"{text}\": strconv.ParseUint: parsing \"{text}\": invalid syntax")
    })
}
