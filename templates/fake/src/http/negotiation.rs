//! The form of responses, as clients ask for it.

use super::render::Rendering;
use crate::failure::Failure;
use crate::request::Incoming;
use crate::tables::Include;
use kapigen_runtime::route::{Accept, Form, MediaType};
use serde_json::json;

/// The form of responses that do not depend on what the client accepts.
pub(super) fn plain(request: &Incoming<'_>) -> Rendering {
    Rendering::new(Accept::plain(MediaType::Json), Include::Metadata, request.is_set("pretty"))
}

/// The form of the response that the client asks for.
pub(super) fn rendering(request: &Incoming<'_>, is_watch: bool) -> Result<Rendering, Failure> {
    // Nothing separates the events of a stream in YAML.
    let offered: &[_] = if is_watch { &[MediaType::Json] } else { &[MediaType::Json, MediaType::Yaml] };
    let accept = Accept::negotiate(request.headers, offered).ok_or_else(|| not_acceptable(request, is_watch))?;
    let include = match request.get("includeObject") {
        "None" => Include::Nothing,
        "" | "Metadata" => Include::Metadata,
        "Object" => Include::Object,
        other if accept.form == Form::Table => {
            let why =
                format!("includeObject: Invalid value: \"{other}\": must be 'Metadata', 'Object', 'None', or empty");
            return Err(Failure::bad_request(format!("Unable to convert to Table as requested: {why}")));
        }
        _ => Include::Metadata,
    };
    Ok(Rendering::new(accept, include, request.is_set("pretty")))
}

fn not_acceptable(request: &Incoming<'_>, is_watch: bool) -> Failure {
    const OFFERED: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
    const STREAMS: &str = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
    let stated = request.headers.get(http::header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_known = ["application/json", "application/yaml"].iter().any(|known| stated.contains(known));
    if is_known {
        let offered = if is_watch { STREAMS } else { OFFERED };
        let message = format!("only the following media types are accepted: {offered}");
        return Failure::new(406, "NotAcceptable", message);
    }
    let message = format!("406: Not Acceptable\n\nAvailable representations: {OFFERED}");
    Failure::new(406, "NotAcceptable", message).with_details(json!({}))
}
