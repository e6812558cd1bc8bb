//! Paths to which functions of a test respond.

use bytes::Bytes;
use http::{Request, Response};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A function that responds to requests.
type Respond = Arc<dyn Fn(&Request<Bytes>) -> Response<Bytes> + Send + Sync>;

/// The functions by path.
#[derive(Default)]
pub(crate) struct Paths(BTreeMap<String, Respond>);

impl Paths {
    pub(super) fn set(&mut self, path: String, respond: Respond) {
        self.0.insert(path, respond);
    }

    pub(super) fn get(&self, path: &str) -> Option<Respond> {
        self.0.get(path).cloned()
    }
}

impl fmt::Debug for Paths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
