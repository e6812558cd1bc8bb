//! The subresources `exec`, `attach` and `portforward` of pods, which upgrade a request to a
//! stream. They are not supported.

use super::commit::Prepared;
use super::stored;
use crate::failure::Failure;
use crate::object::Tree;
use crate::request::Request;
use crate::state::State;
use serde_json::Value;

/// Refuses a request to a stream. Nothing runs here: a pod either has no host, or a host that
/// serves no streams.
pub(super) fn prepare(state: &State, request: &Request<'_>) -> Result<Prepared, Failure> {
    let pod = stored(state, request)?.tree();
    if pod.at("spec.nodeName").and_then(Value::as_str).unwrap_or_default().is_empty() {
        return Err(Failure::bad_request(format!(
            "pod {} does not have a host assigned",
            request.name
        )));
    }
    let subresource = request.subresource;
    Err(Failure::new(501, format!("the fake server has no subresource {subresource}")))
}
