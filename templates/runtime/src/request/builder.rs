//! Building requests.

use super::{InvalidRequest, Parts, Patch, Request, uri};
use crate::codec::nearest::nearest;
use crate::codec::path::{KEY, joined, shortened};
use crate::codec::query::{Params, Query};
use crate::codec::{Identified, Object, Value, View, by_serde, json, presence, visit_encoded};
use crate::operation::{ExtraParameter, Operation, SharedOperation};
use crate::response::{self, Error};
use http::{HeaderValue, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt::Write;
use std::marker::PhantomData;

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Builds a request. The generated functions call it; it is compiled once for all of them, and
/// small to move.
#[derive(Debug)]
pub struct Builder {
    pub(super) parts: Box<Parts>,
    /// The first error, which [`finish`](Self::finish) returns.
    fault: Option<Box<InvalidRequest>>,
}

impl Builder {
    /// Starts a request. It fails in the end when an argument is not valid in the path.
    #[must_use]
    pub fn new(operation: &'static Operation, arguments: &[&str]) -> Self {
        let mut builder = Self::empty(SharedOperation::Constant(operation));
        match fill_path(operation.path, operation.subresource, arguments) {
            Ok(path) => builder.parts.path = path,
            Err(invalid) => builder.refuse(invalid),
        }
        builder
    }

    /// Starts a request that fails in the end.
    #[must_use]
    pub(crate) fn refused(operation: &'static Operation, invalid: InvalidRequest) -> Self {
        let mut builder = Self::empty(SharedOperation::Constant(operation));
        builder.refuse(invalid);
        builder
    }

    pub(super) fn empty(operation: SharedOperation) -> Self {
        let parts = Parts {
            operation,
            path: String::new(),
            query: Query::default(),
            uri: Uri::default(),
            accept: response::JSON,
            content_type: None,
            body: Vec::new(),
            mask: None,
        };
        Self { parts: Box::new(parts), fault: None }
    }

    /// Records an error, unless an earlier step failed.
    pub(super) fn refuse(&mut self, invalid: InvalidRequest) {
        if self.fault.is_none() {
            self.fault = Some(Box::new(invalid));
        }
    }

    /// Adds the parameters that are set.
    #[must_use]
    pub fn params(mut self, params: &dyn Params) -> Self {
        params.add_to(&mut self.parts.query);
        if let Err(invalid) = resolve(&mut self.parts.query, self.parts.operation.constant()) {
            self.refuse(invalid);
        }
        self
    }

    /// Adds `watch=true`, which makes a list a stream of changes.
    #[must_use]
    pub fn watch(mut self) -> Self {
        self.parts.query.add("watch", &true);
        self
    }

    /// Accepts any media type, for responses that are not JSON.
    #[must_use]
    pub fn accept_any(mut self) -> Self {
        self.parts.accept = response::ANY;
        self
    }

    /// Sets the body to an object, with `apiVersion` and `kind` where it lacks them: servers refuse
    /// custom resources without. [`finish`](Self::finish) returns an error if the object states
    /// others than its type has.
    #[must_use]
    pub fn body(mut self, value: &dyn Value) -> Self {
        let operation = self.parts.operation.constant();
        let view = value.view();
        self.parts.content_type = Some(JSON);
        self.parts.body = match view {
            View::Object(object) => {
                if let Some(invalid) = unwritable(object) {
                    self.refuse(invalid);
                    return self;
                }
                match Identified::new(object, operation.group, operation.version) {
                    Ok(object) => json::write(&View::Object(&object)),
                    Err(why) => {
                        self.refuse(InvalidRequest::Body(why));
                        return self;
                    }
                }
            }
            _ => json::write(&view),
        };
        self
    }

    /// Sets the body to a patch. It fails in the end when the operation does not take such a patch,
    /// or its parameters do not fit it.
    #[must_use]
    pub fn patch(mut self, patch: &Patch) -> Self {
        match patch.check(self.parts.operation.constant(), &self.parts.query) {
            Ok(()) => {
                self.parts.content_type = Some(HeaderValue::from_static(patch.media_type()));
                self.parts.body = patch.body().to_vec();
            }
            Err(invalid) => self.refuse(invalid),
        }
        self
    }

    /// Sets the body to `DeleteOptions`, if there are any. A server that gets some ignores the
    /// parameters of the query that they have too, so those move into the body. It fails in the end
    /// when both set an option, to different values.
    #[must_use]
    pub fn delete_options<T: Object>(self, options: Option<&T>) -> Self {
        match options {
            Some(options) => self.options(options),
            None => self,
        }
    }

    fn options(mut self, options: &dyn Object) -> Self {
        if self.parts.operation.constant().media_types.is_empty() {
            let id = self.parts.operation.constant().id;
            self.refuse(InvalidRequest::Parameters(format!(
                "`{id}` takes no options, only parameters"
            )));
            return self;
        }
        match fold_options(&mut self.parts.query, options) {
            Ok(body) => {
                self.parts.body = body;
                self.parts.content_type = Some(JSON);
            }
            Err(invalid) => self.refuse(invalid),
        }
        self
    }

    /// Ends the request.
    ///
    /// # Errors
    /// When a step failed, or path and query are too long for a URL.
    pub fn finish<T>(self) -> Result<Request<T>, Error> {
        Ok(Request { parts: self.parts()?, response: PhantomData })
    }

    fn parts(self) -> Result<Box<Parts>, Error> {
        let Self { mut parts, fault } = self;
        if let Some(fault) = fault {
            return Err((*fault).into());
        }
        check(&parts.query, parts.operation.constant())?;
        check_required(&parts.query, parts.operation.constant())?;
        parts.uri = uri(&parts.path, &parts.query)?;
        Ok(parts)
    }
}

/// Why an object must not be sent, or cannot be.
pub(super) fn unwritable(object: &dyn Object) -> Option<InvalidRequest> {
    if presence::is_masked(object) {
        return Some(InvalidRequest::Masked { name: object.table().name });
    }
    let (member, error) = by_serde::unencodable(object)?;
    Some(InvalidRequest::Unencodable { member, error })
}

/// Compares the parameters that a program has named with the parameters of the operation. Unknown
/// ones are set aside, for [`check`].
///
/// A parameter that has a field may be named, too: an earlier version of the struct may have lacked
/// the field.
///
/// # Errors
/// When a value does not have the type of its parameter.
fn resolve(query: &mut Query, operation: &Operation) -> Result<(), InvalidRequest> {
    let mut mismatches = Vec::new();
    for (name, text) in query.take_extra() {
        let extra = operation.extra_parameters.iter().find(|parameter| parameter.name == name);
        let known = operation.parameters.iter().find(|known| **known == name && name != WATCH);
        match (extra, known) {
            (Some(ExtraParameter { ty, .. }), _) if !ty.is_value(&text) => {
                let text = shortened(&text, KEY).escape_debug().to_string();
                mismatches.push(format!("`{name}` of `{}` is {ty}, not `{text}`", operation.id));
            }
            (Some(parameter), _) => query.add_extra(parameter, text),
            (None, Some(known)) => query.add_named(known, text),
            (None, None) => query.extra(&[(name, text)]),
        }
    }
    if mismatches.is_empty() {
        Ok(())
    } else {
        Err(InvalidRequest::Parameters(mismatches.join("; ")))
    }
}

/// The parameter that makes a list a stream of events, so that the response has another type.
const WATCH: &str = "watch";

/// Refuses parameters that an operation does not have: servers ignore them silently.
///
/// # Errors
/// When there are such parameters. The error names them all.
fn check(query: &Query, operation: &Operation) -> Result<(), InvalidRequest> {
    let mut foreign: Vec<&str> = query.unresolved().collect();
    for name in query.names() {
        if !operation.parameters.contains(&name) {
            foreign.push(name);
        }
    }
    if foreign.is_empty() {
        return Ok(());
    }
    let id = operation.id;
    if foreign.contains(&WATCH) && operation.parameters.contains(&WATCH) {
        let message =
            format!("`{id}` gets `{WATCH}` from the function that watches, not from `with`");
        return Err(InvalidRequest::Parameters(message));
    }
    let similar: Vec<_> = foreign
        .iter()
        .filter_map(|name| nearest(name, operation.parameters.iter().copied()))
        .collect();
    let help = if similar.is_empty() {
        String::new()
    } else {
        format!("; did you mean `{}`?", joined(&similar, "`, `"))
    };
    let foreign: Vec<_> =
        foreign.iter().map(|name| shortened(name, KEY).escape_debug().to_string()).collect();
    let foreign = foreign.join("`, `");
    let known = joined(operation.parameters, ", ");
    Err(InvalidRequest::Parameters(format!(
        "`{id}` has no parameter `{foreign}`, only {known}{help}"
    )))
}

/// Refuses a request without parameters that servers require.
///
/// # Errors
/// When such parameters are not set. The error names them all.
fn check_required(query: &Query, operation: &Operation) -> Result<(), InvalidRequest> {
    let is_missing = |name: &&str| query.names().all(|set| set != *name);
    let required = operation.required_parameters.iter().copied();
    let missing: Vec<_> = required.filter(is_missing).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let is_set = if missing.len() == 1 { "which is not set" } else { "which are not set" };
    let (id, missing) = (operation.id, joined(&missing, "`, `"));
    Err(InvalidRequest::Parameters(format!("`{id}` requires `{missing}` now, {is_set}")))
}

/// Encodes `DeleteOptions` as the body of a delete, with the same options of the query moved into
/// it.
///
/// A server that gets a body does not look into the query for them: `dryRun=All` beside an empty
/// body really deletes.
///
/// # Errors
/// When body and query set an option to different values.
fn fold_options(query: &mut Query, options: &dyn Object) -> Result<Vec<u8>, InvalidRequest> {
    let mut stated: Vec<(&str, Vec<u8>)> = Vec::new();
    visit_encoded(options, &mut |name, value| {
        let value = json::write(&value);
        if value != b"null" {
            stated.push((name, value));
        }
    });
    let names = options.table().keys.names();
    let mut body = vec![b'{'];
    let mut contradictions = String::new();
    for name in names {
        let said = stated.iter().find(|(other, _)| other == name).map(|(_, said)| said);
        match (query.take(name), said) {
            (Some(asked), Some(said)) if asked != *said => {
                contradict(&mut contradictions, name, &asked, said);
            }
            (Some(value), _) => add(&mut body, name, &value),
            (None, Some(value)) => add(&mut body, name, value),
            (None, None) => {}
        }
    }
    // An extra parameter may be an option that this type does not have. It stays in the query, too:
    // it may be none.
    for (name, value) in
        query.extra_values().filter(|(name, _)| stated.iter().all(|(other, _)| other != name))
    {
        add(&mut body, name, value);
    }
    // Unknown members.
    for (name, value) in stated.iter().filter(|(name, _)| !names.contains(name)) {
        add(&mut body, name, value);
    }
    body.push(b'}');
    if contradictions.is_empty() {
        Ok(body)
    } else {
        Err(InvalidRequest::Parameters(contradictions))
    }
}

/// Adds a member, which is encoded already, to an object.
fn add(body: &mut Vec<u8>, name: &str, value: &[u8]) {
    if body.len() > 1 {
        body.push(b',');
    }
    json::append(body, &View::Str(name));
    body.push(b':');
    body.extend_from_slice(value);
}

fn contradict(message: &mut String, name: &str, asked: &[u8], said: &[u8]) {
    let asked = String::from_utf8_lossy(asked);
    let said = String::from_utf8_lossy(said);
    if !message.is_empty() {
        message.push_str("; ");
    }
    let asked = shortened(&asked, KEY);
    let said = shortened(&said, KEY);
    write!(message, "`{name}` is {asked} in the parameters and {said} in the options of the body")
        .expect("a string takes everything");
}

/// The characters that are escaped in a path segment (RFC 3986: all but `pchar`). Colons and at
/// signs are not, and occur in the names of images and image stream tags.
const NOT_IN_SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// The end of a template with a last parameter of more than one segment: the rest of a proxied
/// path.
const PROXIED: &str = "/proxy/{path}";

/// Substitutes arguments for the parameters of a path template, in order. The generator accepts
/// braces in a template only around a whole segment.
fn fill_path(
    template: &'static str,
    subresource: Option<&str>,
    arguments: &[&str],
) -> Result<String, InvalidRequest> {
    let mut path = String::with_capacity(template.len() + 32);
    let mut arguments = arguments.iter();
    // Below a resource that happens to be called `proxy` a `{path}` is the name of an object.
    let is_proxied = subresource == Some("proxy") && template.ends_with(PROXIED);
    for (index, segment) in template.split('/').enumerate() {
        if index > 0 {
            path.push('/');
        }
        match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            None => path.push_str(segment),
            Some(name) => {
                let argument = arguments.next().copied().unwrap_or_default();
                if is_proxied && name == "path" {
                    push_path(&mut path, argument)?;
                } else {
                    push_segment(&mut path, name, argument)?;
                }
            }
        }
    }
    Ok(path)
}

fn push_segment(
    path: &mut String,
    name: &'static str,
    argument: &str,
) -> Result<(), InvalidRequest> {
    let refuse = |why| Err(InvalidRequest::Argument { name, value: argument.to_owned(), why });
    match argument {
        // The path without it addresses the collection: a delete would delete everything.
        "" => refuse("it is empty"),
        "." | ".." => refuse("it would lead to another path"),
        _ if argument.as_bytes().contains(&b'/') => refuse("it has a slash"),
        _ => {
            push_encoded(path, argument);
            Ok(())
        }
    }
}

fn push_path(path: &mut String, argument: &str) -> Result<(), InvalidRequest> {
    // The template has a slash already.
    for (index, segment) in argument.strip_prefix('/').unwrap_or(argument).split('/').enumerate() {
        if matches!(segment, "." | "..") {
            let why = "it would lead to another path";
            return Err(InvalidRequest::Argument { name: "path", value: argument.to_owned(), why });
        }
        if index > 0 {
            path.push('/');
        }
        push_encoded(path, segment);
    }
    Ok(())
}

fn push_encoded(path: &mut String, text: &str) {
    write!(path, "{}", utf8_percent_encode(text, NOT_IN_SEGMENT))
        .expect("a string takes everything");
}

#[cfg(test)]
mod tests {
    use super::InvalidRequest;

    fn fill(template: &'static str, arguments: &[&str]) -> Result<String, InvalidRequest> {
        let subresource = template.contains("{name}/proxy/").then_some("proxy");
        super::fill_path(template, subresource, arguments)
    }

    /// The path without its last argument addresses the collection.
    #[test]
    fn a_path_that_is_not_proxied_is_a_segment() {
        for template in ["/apis/a/v1/files/{path}", "/apis/a/v1/proxy/{path}"] {
            assert!(fill(template, &[""]).is_err(), "{template}");
            assert!(fill(template, &["a/b"]).is_err(), "{template}");
            assert!(fill(template, &["a"]).is_ok(), "{template}");
        }
    }

    #[test]
    fn only_the_last_parameter_below_a_proxy_may_have_slashes() {
        let template = "/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}";
        let path = fill(template, &["default", "web:80", "/a/b c/"]).unwrap();
        assert_eq!(path, "/api/v1/namespaces/default/pods/web:80/proxy/a/b%20c/");
        for template in ["/api/v1/namespaces/{namespace}/widgets/{path}", "/{proxy}/{path}/status"]
        {
            for rest in ["", "a/b"] {
                assert!(fill(template, &["default", rest]).is_err(), "{template} with `{rest}`");
            }
        }
    }
}
