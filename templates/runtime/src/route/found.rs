//! A request whose operation is known.

use super::{Accept, MediaType, Refusal};
use crate::codec::query::{Pairs, Params, Source};
use crate::codec::{Value, json};
use crate::operation::{Operation, Verb};
use crate::request::Patch;
use http::HeaderMap;
use http::header::CONTENT_TYPE;

/// A request whose operation is known: arguments, parameters and body, to be decoded when they are asked for.
#[derive(Clone, Debug)]
pub struct Route<'a> {
    operation: &'static Operation,
    arguments: Vec<String>,
    query: Pairs,
    headers: &'a HeaderMap,
    /// Without its parameters. Empty where the request states none.
    content_type: &'a str,
    body: &'a [u8],
}

impl<'a> Route<'a> {
    pub(super) fn new<B: AsRef<[u8]>>(
        operation: &'static Operation,
        arguments: Vec<String>,
        request: &'a http::Request<B>,
    ) -> Result<Self, Refusal> {
        let headers = request.headers();
        let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let content_type = content_type.split(';').next().unwrap_or_default().trim();
        let body = request.body().as_ref();
        let query = Pairs::parse(request.uri().query().unwrap_or_default());
        let route = Self { operation, arguments, query, headers, content_type, body };
        route.check_content_type()?;
        Ok(route)
    }

    /// Servers take a body without a type for JSON. Only a patch has to state its form.
    fn check_content_type(&self) -> Result<(), Refusal> {
        let accepted = self.operation.media_types;
        let is_stated = !self.content_type.is_empty();
        let is_checked = self.operation.verb == Verb::Patch || is_stated && !self.body.is_empty();
        let takes = |known: &&str| *known == "*/*" || known.eq_ignore_ascii_case(self.content_type);
        if !is_checked || accepted.is_empty() || accepted.iter().any(takes) {
            return Ok(());
        }
        Err(Refusal::unsupported_media_type(accepted))
    }

    /// The operation: equal to a constant of a generated crate, such as `pods::CREATE`.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// The path arguments, decoded, in the order of the path.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The path argument with this name, such as `namespace`.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&str> {
        let names = self.operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let index = names.into_iter().position(|known| known == name)?;
        self.arguments.get(index).map(String::as_str)
    }

    /// Whether the response is a stream of events: a list with `watch=true`, or a deprecated path of its own.
    #[must_use]
    pub fn is_watch(&self) -> bool {
        let is_set =
            || self.parameter("watch").is_some_and(|value| value != "0" && !value.eq_ignore_ascii_case("false"));
        match self.operation.verb {
            Verb::Watch => true,
            Verb::List => is_set(),
            _ => false,
        }
    }

    /// The query parameter with this name; the first one of a list.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Decodes the parameters into the struct that the function of the operation takes. For a delete, the body becomes
    /// its `options`.
    ///
    /// The struct is not compared with the [`operation`](Self::operation): that of another one gets the parameters that
    /// both have, and no error.
    ///
    /// # Errors
    /// 400 if a value, or the options of the body, cannot be decoded.
    pub fn params<P: Params + Default>(&self) -> Result<P, Refusal> {
        let mut params = P::default();
        let mut source = Source::new(&self.query, self.operation.extra_parameters, self.body);
        params.read_from(&mut source);
        source.finish().map_err(Refusal::bad_request)?;
        Ok(params)
    }

    /// Decodes the body, an object in JSON, as the type that the function of the operation takes.
    ///
    /// The type is not compared with the [`operation`](Self::operation): another one refuses the requests that the
    /// operation is for.
    ///
    /// # Errors
    /// 400 if it cannot be decoded, or is an object of another kind.
    pub fn body<T: Value>(&self) -> Result<T, Refusal> {
        json::from_slice(self.body).map_err(|error| {
            let Operation { kind, version, .. } = self.operation;
            Refusal::bad_request(format!("{kind} in version \"{version}\" cannot be handled as a {kind}: {error}"))
        })
    }

    /// The body as it came.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.body
    }

    /// The body as a patch, whose form the media type states.
    ///
    /// # Errors
    /// 415 if the request is no patch.
    pub fn patch(&self) -> Result<Patch, Refusal> {
        let refuse = || Refusal::unsupported_media_type(self.operation.media_types);
        Patch::of_media_type(self.content_type, self.body.to_vec()).ok_or_else(refuse)
    }

    /// The form of the response that the client likes best.
    ///
    /// # Errors
    /// 406 if it accepts none of the offered media types.
    pub fn accept(&self, offered: &[MediaType]) -> Result<Accept, Refusal> {
        let names: Vec<_> = offered.iter().map(|media_type| media_type.as_str()).collect();
        Accept::negotiate(self.headers, offered).ok_or_else(|| Refusal::not_acceptable(&names))
    }
}
