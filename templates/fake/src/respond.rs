//! From a request to its response.

use crate::call::Outcome;
use crate::discovery::{self, About};
use crate::dispatch;
use crate::failure::Failure;
use crate::faults::{self, Action};
use crate::output::{Include, Rendering};
use crate::reply::{Body, Reply};
use crate::request::{Incoming, Target};
use crate::server::{Inner, Shared};
use crate::stream::{Events, Source};
use bytes::Bytes;
use http::header::{CONTENT_TYPE, RETRY_AFTER, WARNING};
use http::{HeaderValue, StatusCode};
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::route::{Accept, Form, MediaType};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// The largest body of a request that is accepted, in bytes.
pub(crate) const LARGEST_BODY: usize = 3 << 20;

impl Inner {
    /// Handles a request of a client, to which injected failures apply.
    pub(crate) fn handle(&mut self, request: &http::Request<Bytes>, now: Timestamp, shared: &Arc<Shared>) -> Reply {
        let incoming = Incoming::new(request);
        let target = Target::of(&incoming.path);
        let (verb, plural) =
            target.as_ref().map_or(("", ""), |target| (dispatch::verb(&incoming, target), target.plural));
        let actions = faults::take(&mut self.faults, verb, plural);
        let (mut delay, mut left, mut refusal) = (Duration::ZERO, None, None);
        for action in actions {
            match action {
                // The first refusal counts.
                Action::Refuse(code, retry_after) => _ = refusal.get_or_insert((code, retry_after)),
                Action::Delay(time) => delay = delay.saturating_add(time),
                Action::CutAfter(events) => left = Some(events),
                Action::Compact => self.state.store.compact(),
            }
        }
        let response = match refusal {
            Some((code, retry_after)) => refused(&incoming, code, retry_after),
            None => self.respond(&incoming, target.as_ref(), now, shared, left),
        };
        Reply { response, delay }
    }

    /// Handles a request to which no failures apply.
    pub(crate) fn serve(
        &mut self,
        request: &http::Request<Bytes>,
        now: Timestamp,
        shared: &Arc<Shared>,
    ) -> http::Response<Body> {
        let incoming = Incoming::new(request);
        self.respond(&incoming, Target::of(&incoming.path).as_ref(), now, shared, None)
    }

    fn respond(
        &mut self,
        request: &Incoming<'_>,
        target: Option<&Target<'_>>,
        now: Timestamp,
        shared: &Arc<Shared>,
        left: Option<usize>,
    ) -> http::Response<Body> {
        let plain = Rendering::new(Accept::plain(MediaType::Json), Include::Metadata, request.is_set("pretty"));
        if let Some(about) = discovery::about(&self.state.registry, request, &self.documents) {
            return about_response(about, request, &plain);
        }
        let found = target.and_then(|target| Some((target, dispatch::resource(&self.state, target)?)));
        let Some((target, resource)) = found else {
            return failure_response(&Failure::no_such_path(), request, &plain);
        };
        if let Err(failure) = dispatch::check_method(&resource, target, request.method) {
            return failure_response(&failure, request, &plain);
        }
        let is_watch = target.is_watch(request);
        let mut rendering = match rendering(request, is_watch) {
            Ok(rendering) => rendering,
            Err(failure) => return failure_response(&failure, request, &plain),
        };
        if request.body.len() > LARGEST_BODY {
            return failure_response(&Failure::too_large(LARGEST_BODY), request, &rendering);
        }
        let (result, warnings) = dispatch::handle(&mut self.state, request, target, resource.clone(), now);
        let content_type = rendering.content_type();
        let (code, body, content_type) = match result {
            Err(mut failure) => {
                failure.warnings.extend(warnings);
                return failure_response(&failure, request, &rendering);
            }
            Ok(Outcome::Stored { code, object }) => {
                (code, Body::Whole(rendering.stored(&resource, &object, now)), content_type)
            }
            Ok(Outcome::Object { code, object }) => {
                (code, Body::Whole(rendering.object(&resource, &object, now).into()), content_type)
            }
            Ok(Outcome::List { items, metadata }) => {
                (200, Body::Whole(rendering.list(&resource, &items, &metadata, now).into()), content_type)
            }
            Ok(Outcome::Plain { code, body }) => (code, Body::Whole(rendering.bytes(&body).into()), content_type),
            Ok(Outcome::Text(text)) => (200, Body::Whole(text.into()), "text/plain"),
            Ok(Outcome::Watch(watch)) => {
                let events = Events::new(shared.clone(), Source::Watch(watch, rendering), left, self.cuts);
                (200, Body::Stream(Box::new(events)), content_type)
            }
            Ok(Outcome::Follow(reading)) => {
                let events = Events::new(shared.clone(), Source::Log(reading), left, self.cuts);
                (200, Body::Stream(Box::new(events)), "text/plain")
            }
        };
        response(code, body, content_type, &warnings)
    }
}

/// The form of the response that the client asks for.
fn rendering(request: &Incoming<'_>, is_watch: bool) -> Result<Rendering, Failure> {
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
    Failure::new(406, "NotAcceptable", message).with_details(serde_json::json!({}))
}

fn about_response(about: About, request: &Incoming<'_>, rendering: &Rendering) -> http::Response<Body> {
    let text = "text/plain; charset=utf-8";
    match about {
        About::Json(tree) => response(200, Body::Whole(rendering.bytes(&tree).into()), "application/json", &[]),
        About::Aggregated(tree) => {
            let form = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
            response(200, Body::Whole(rendering.bytes(&tree).into()), form, &[])
        }
        About::Index(tree) => response(200, Body::Whole(rendering.bytes(&tree).into()), text, &[]),
        About::Text(content) => response(200, Body::Whole(content.into()), text, &[]),
        About::EmptyProtobuf => response(200, Body::Whole(Bytes::new()), discovery::PROTOBUF, &[]),
        About::NotAllowed => failure_response(&Failure::method_not_allowed(), request, rendering),
        About::Nothing => {
            let mut response = http::Response::new(Body::Whole(Bytes::new()));
            *response.status_mut() = StatusCode::NOT_FOUND;
            response
        }
        About::NoPage => response(404, Body::Whole(Bytes::from_static(b"404 page not found\n")), text, &[]),
    }
}

fn refused(request: &Incoming<'_>, code: StatusCode, retry_after: Option<u32>) -> http::Response<Body> {
    let reason = match code.as_u16() {
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        409 => "Conflict",
        410 => "Expired",
        429 => "TooManyRequests",
        500 => "InternalError",
        503 => "ServiceUnavailable",
        504 => "Timeout",
        _ => "",
    };
    let failure = Failure::new(code.as_u16(), reason, format!("injected: {code}"));
    let failure = Failure { retry_after, ..failure };
    let plain = Rendering::new(Accept::plain(MediaType::Json), Include::Metadata, false);
    failure_response(&failure, request, &plain)
}

fn failure_response(failure: &Failure, request: &Incoming<'_>, rendering: &Rendering) -> http::Response<Body> {
    let (body, content_type) = match &failure.status {
        _ if request.method == "HEAD" => (Vec::new(), rendering.content_type()),
        Value::String(text) => (text.clone().into_bytes(), "text/plain; charset=utf-8"),
        status => (rendering.bytes(status), rendering.content_type()),
    };
    let mut response = response(failure.code, Body::Whole(body.into()), content_type, &failure.warnings);
    if let Some(seconds) = failure.retry_after {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

fn response(code: u16, body: Body, content_type: &'static str, warnings: &[String]) -> http::Response<Body> {
    let mut response = http::Response::new(body);
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    for warning in warnings {
        if let Some(value) = warning_value(warning) {
            response.headers_mut().append(WARNING, value);
        }
    }
    response
}

/// A warning in the form of RFC 7234: quoted, and otherwise as it is, in UTF-8. A server drops one with control
/// characters.
fn warning_value(warning: &str) -> Option<HeaderValue> {
    if warning.contains(char::is_control) {
        return None;
    }
    let quoted = warning.replace('\\', "\\\\").replace('"', "\\\"");
    HeaderValue::from_bytes(format!("299 - \"{quoted}\"").as_bytes()).ok()
}
