//! From a request to its response.

mod path;
mod render;

pub(crate) use path::verb;
pub(crate) use render::Rendering;

use crate::discovery::{self, About, Documents};
use crate::failure::Failure;
use crate::request::{Incoming, Request};
use crate::state::State;
use crate::verbs::{self, Outcome, Plan, Reading, Target};
use bytes::Bytes;
use http::header::{CONTENT_TYPE, RETRY_AFTER, WARNING};
use http::{HeaderValue, StatusCode};
use kapigen_runtime::__private::ResourcePath;
use kapigen_runtime::Verb;
use kapigen_runtime::jiff::Timestamp;
use render::plain;
use serde_json::Value;

/// The largest body of a request that is accepted, in bytes.
pub(crate) const LARGEST_BODY: usize = 3 << 20;

/// The body of a response.
#[derive(Debug)]
pub(crate) enum Content {
    Whole(Bytes),
    /// The events of a watch, in this form.
    Watch(Plan, Rendering),
    /// The lines of a log, as they are written.
    Log(Reading),
    /// A stream of a pod, to which the request is upgraded.
    Stream(Box<Target>),
}

/// The response to a request, with the parts of its path if that belongs to a resource.
pub(crate) fn respond(
    state: &mut State,
    documents: &Documents,
    request: &Incoming<'_>,
    path: Option<&ResourcePath<'_>>,
    now: Timestamp,
) -> http::Response<Content> {
    let plain = plain(request);
    if let Some(about) = discovery::about(&state.registry, request, documents) {
        return about_response(about, request, &plain);
    }
    let call = match path.map(|path| call(state, request, path, now)) {
        Some(Ok(call)) => call,
        Some(Err(failure)) => return failure_response(&failure, request, &plain),
        None => {
            return failure_response(
                &path::unknown(&state.registry, &request.path),
                request,
                &plain,
            );
        }
    };
    let is_watch = call.verb == Verb::Watch;
    let rendering = match render::rendering(request, is_watch) {
        Ok(rendering) => rendering,
        Err(failure) => return failure_response(&failure, request, &render::of_errors(request)),
    };
    if request.body.len() > LARGEST_BODY {
        return failure_response(&Failure::too_large(LARGEST_BODY), request, &rendering);
    }
    let (result, warnings) = verbs::handle(state, &call);
    match result {
        Ok(outcome) => outcome_response(outcome, &call, rendering, &warnings),
        Err(mut failure) => {
            failure.warnings.extend(warnings);
            failure_response(&failure, request, &rendering)
        }
    }
}

/// The request to a resource, if the server has it and the path the method.
fn call<'a>(
    state: &State,
    incoming: &'a Incoming<'a>,
    path: &ResourcePath<'a>,
    now: Timestamp,
) -> Result<Request<'a>, Failure> {
    let resource = path::resource(&state.registry, path)?;
    path::check_method(&resource, path, incoming.method)?;
    let verb = verb(path, incoming).ok_or_else(Failure::method_not_allowed)?;
    let namespace = path.namespace.filter(|_| resource.namespaced);
    let name = path.name.unwrap_or_default();
    let subresource = path.subresource.unwrap_or_default();
    let is_checked = !state.is_lenient;
    Ok(Request {
        incoming,
        tree: None,
        verb,
        resource,
        namespace,
        name,
        subresource,
        now,
        is_checked,
    })
}

fn outcome_response(
    outcome: Outcome,
    request: &Request<'_>,
    mut rendering: Rendering,
    warnings: &[String],
) -> http::Response<Content> {
    let Request { resource, now, .. } = request;
    let is_list = match &outcome {
        Outcome::Stored { .. } | Outcome::Object { .. } => Some(false),
        Outcome::List { .. } => Some(true),
        _ => None,
    };
    if let Some(Err(failure)) = is_list.map(|is_list| rendering.check_form(resource, is_list)) {
        return failure_response(&failure, request.incoming, &rendering);
    }
    let content_type = rendering.content_type();
    let (code, body, content_type) = match outcome {
        Outcome::Stored { code, object } => {
            (code, Content::Whole(rendering.stored(resource, &object, *now)), content_type)
        }
        Outcome::Object { code, object, stored } => (
            code,
            Content::Whole(rendering.written(resource, &object, stored.as_deref(), *now)),
            content_type,
        ),
        Outcome::List { items, metadata } => (
            200,
            Content::Whole(rendering.list(resource, &items, &metadata, *now).into()),
            content_type,
        ),
        Outcome::Plain { code, body } => {
            (code, Content::Whole(rendering.bytes(&body).into()), content_type)
        }
        Outcome::Nothing => (204, Content::Whole(Bytes::new()), content_type),
        Outcome::Text(text) => (200, Content::Whole(text.into()), "text/plain"),
        Outcome::Watch(plan) => (200, Content::Watch(plan, rendering), content_type),
        Outcome::Follow(reading) => (200, Content::Log(reading), "text/plain"),
        Outcome::Connect(target) => (101, Content::Stream(target), "text/plain"),
    };
    response(code, body, content_type, warnings)
}

fn about_response(
    about: About,
    request: &Incoming<'_>,
    rendering: &Rendering,
) -> http::Response<Content> {
    let text = "text/plain; charset=utf-8";
    match about {
        About::Json(tree) => {
            response(200, Content::Whole(rendering.bytes(&tree).into()), "application/json", &[])
        }
        About::Listed(tree, listing) => match render::of_listing(request, listing) {
            Ok(rendering) => response(
                200,
                Content::Whole(rendering.bytes(&tree).into()),
                rendering.content_type(),
                &[],
            ),
            Err(failure) => failure_response(&failure, request, rendering),
        },
        About::Aggregated(tree) => {
            let form = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
            response(200, Content::Whole(rendering.bytes(&tree).into()), form, &[])
        }
        About::Index(tree) => {
            response(200, Content::Whole(rendering.bytes(&tree).into()), text, &[])
        }
        About::Text(content) => response(200, Content::Whole(content.into()), text, &[]),
        About::EmptyProtobuf => {
            response(200, Content::Whole(Bytes::new()), discovery::PROTOBUF, &[])
        }
        About::NotAllowed => failure_response(&Failure::method_not_allowed(), request, rendering),
        About::Nothing => {
            let mut response = http::Response::new(Content::Whole(Bytes::new()));
            *response.status_mut() = StatusCode::NOT_FOUND;
            response
        }
        About::NoPage => {
            response(404, Content::Whole(Bytes::from_static(b"404 page not found\n")), text, &[])
        }
    }
}

/// The response to a request that a test has refused.
pub(crate) fn refused(
    request: &Incoming<'_>,
    code: StatusCode,
    retry_after: Option<u32>,
) -> http::Response<Content> {
    let failure = Failure::new(code.as_u16(), format!("injected: {code}"));
    let failure = Failure { retry_after, ..failure };
    failed(request, &failure)
}

/// The response to a request without a known user.
pub(crate) fn unauthorized(request: &Incoming<'_>) -> http::Response<Content> {
    failed(request, &Failure::new(401, "Unauthorized"))
}

/// The response to a request that is refused after its own rules.
pub(crate) fn failed(request: &Incoming<'_>, failure: &Failure) -> http::Response<Content> {
    failure_response(failure, request, &plain(request))
}

fn failure_response(
    failure: &Failure,
    request: &Incoming<'_>,
    rendering: &Rendering,
) -> http::Response<Content> {
    let (body, content_type) = match &failure.status {
        _ if request.method == "HEAD" => (Vec::new(), rendering.content_type()),
        Value::String(text) => (text.clone().into_bytes(), "text/plain; charset=utf-8"),
        status => (rendering.bytes(status), rendering.content_type()),
    };
    let mut response =
        response(failure.code, Content::Whole(body.into()), content_type, &failure.warnings);
    if let Some(seconds) = failure.retry_after {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

fn response(
    code: u16,
    body: Content,
    content_type: &'static str,
    warnings: &[String],
) -> http::Response<Content> {
    let mut response = http::Response::new(body);
    *response.status_mut() =
        StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if !matches!(code, 101 | 204) {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    for value in warning_values(warnings) {
        response.headers_mut().append(WARNING, value);
    }
    response
}

/// The most characters of all warnings of a response.
const MOST_OF_WARNINGS: usize = 4 << 10;
/// The most characters of each warning, once that limit is exceeded.
const MOST_OF_WARNING: usize = 256;

/// The headers of warnings. If there are too many characters, each warning is cut, and the last
/// ones are left out.
fn warning_values(warnings: &[String]) -> Vec<HeaderValue> {
    let mut values = Vec::new();
    let mut written = 0;
    for (index, warning) in warnings.iter().enumerate() {
        let Some(value) = warning_value(warning) else { continue };
        written += warning.chars().count();
        if written > MOST_OF_WARNINGS {
            return cut_values(warnings, index);
        }
        values.push(value);
    }
    values
}

/// The headers of warnings that are cut: of all up to an index, and of more as long as they fit.
fn cut_values(warnings: &[String], least: usize) -> Vec<HeaderValue> {
    let mut values = Vec::new();
    let mut written = 0;
    for (index, warning) in warnings.iter().enumerate() {
        if index > least && written >= MOST_OF_WARNINGS {
            break;
        }
        let text: String = warning.chars().take(MOST_OF_WARNING).collect();
        if let Some(value) = warning_value(&text) {
            written += text.chars().count();
            values.push(value);
        }
    }
    values
}

/// A warning in the form of RFC 7234: quoted, and otherwise as it is, in UTF-8. A server drops one
/// with control characters.
fn warning_value(warning: &str) -> Option<HeaderValue> {
    if warning.is_empty() || warning.contains(char::is_control) {
        return None;
    }
    let quoted = warning.replace('\\', "\\\\").replace('"', "\\\"");
    HeaderValue::from_bytes(format!("299 - \"{quoted}\"").as_bytes()).ok()
}
