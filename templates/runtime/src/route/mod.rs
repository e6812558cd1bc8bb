//! Requests turned back into operations and their arguments.
//!
//! A [`Router`] takes the `API` constants of generated crates, and turns an [`http::Request`] into
//! a [`Route`]: its operation, path arguments, parameters and body. It is the inverse of the
//! generated functions, for programs that receive requests: admission webhooks, proxies, servers in
//! tests. It refuses requests as an API server does, with a [`Refusal`] that is a `Status`.
//!
//! ```
//! use kapigen_runtime::route::Router;
//! use kapigen_runtime::{Api, Operation};
//!
//! # fn route(api: Api, request: &http::Request<Vec<u8>>) -> http::Response<Vec<u8>> {
//! let router = Router::new(&[api]);
//! match router.route(request) {
//!     Ok(route) => {
//!         let Operation { verb, resource, .. } = route.operation();
//!         let namespace = route.argument("namespace");
//!         http::Response::new(format!("{verb} {resource} in {namespace:?}").into_bytes())
//!     }
//!     Err(refusal) => refusal.to_http(),
//! }
//! # }
//! # let not_found = route(Api::new(&[], &[]), &http::Request::get("/api/v1/nodes").body(Vec::new()).unwrap());
//! # assert_eq!(not_found.status(), http::StatusCode::NOT_FOUND);
//! ```

mod accept;
mod query;
mod refusal;

use query::{Pairs, Query};

pub use accept::{Accept, Form, MediaType};
pub use refusal::Refusal;

use crate::api::Api;
use crate::codec::query::{Params, is_true};
use crate::codec::{Value, json};
use crate::operation::{Operation, Verb};
use crate::request::Patch;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;

/// Finds the operation of a request among the operations of generated crates.
///
/// Where two crates have the same path and method, the first one counts.
#[derive(Clone, Debug, Default)]
pub struct Router {
    root: Node,
}

/// A segment of a path, and the segments that follow it.
#[derive(Clone, Debug, Default)]
struct Node {
    literals: BTreeMap<&'static str, Node>,
    /// A parameter that is one segment.
    parameter: Option<Box<Node>>,
    /// A parameter that is the rest of the path.
    rest: Vec<&'static Operation>,
    /// The operations of the path that ends here.
    operations: Vec<&'static Operation>,
}

impl Router {
    /// Makes a router for the operations of these crates.
    #[must_use]
    pub fn new(apis: &[Api]) -> Self {
        let mut router = Self::default();
        for operation in apis.iter().flat_map(|api| api.operations) {
            router.add(operation);
        }
        router
    }

    fn add(&mut self, operation: &'static Operation) {
        let is_proxied =
            operation.subresource == Some("proxy") && operation.path.ends_with("/proxy/{path}");
        let template =
            if is_proxied { operation.path.trim_end_matches("/{path}") } else { operation.path };
        let mut node = &mut self.root;
        for segment in segments(template) {
            node = if segment.starts_with('{') {
                node.parameter.get_or_insert_default()
            } else {
                node.literals.entry(segment).or_default()
            };
        }
        if is_proxied { node.rest.push(operation) } else { node.operations.push(operation) }
    }

    /// Finds the operation and the path arguments of a request. The body is not decoded yet, see
    /// [`Route::body`].
    ///
    /// # Errors
    /// 404 if no path fits, 405 if none of the operations on the path has this method, 415 if the
    /// operation does not take a body of this type.
    pub fn route<'a, B: AsRef<[u8]>>(
        &self,
        request: &'a http::Request<B>,
    ) -> Result<Route<'a>, Refusal> {
        let (operations, arguments) =
            self.find(request.uri().path()).ok_or_else(Refusal::no_such_path)?;
        let fits = |operation: &&Operation| operation.method == request.method().as_str();
        let operation =
            operations.iter().copied().find(fits).ok_or_else(Refusal::method_not_allowed)?;
        Route::new(operation, arguments, request)
    }

    /// The operations on a path, and its arguments. One slash too many at the end does not matter.
    ///
    /// API servers split a path after it is decoded: `%2F` is a slash like any other. An argument
    /// with a slash would name another object for them, and possibly one that the client may not
    /// reach.
    fn find(&self, path: &str) -> Option<(&[&'static Operation], Vec<String>)> {
        let path = percent_decode_str(path).decode_utf8_lossy();
        let segments: Vec<_> = segments(&path).collect();
        let mut arguments = Vec::new();
        let found =
            self.root.find(&segments, &mut arguments).or_else(|| match segments.split_last() {
                Some((&"", segments)) => self.root.find(segments, &mut arguments),
                _ => None,
            });
        found.map(|operations| (operations, arguments))
    }
}

impl Node {
    fn find<'n>(
        &'n self,
        path: &[&str],
        arguments: &mut Vec<String>,
    ) -> Option<&'n [&'static Operation]> {
        let Some((first, others)) = path.split_first() else {
            return Some(&*self.operations).filter(|operations| !operations.is_empty());
        };
        if let Some(found) = self.literals.get(*first).and_then(|node| node.find(others, arguments))
        {
            return Some(found);
        }
        if let Some(node) = self.parameter.as_deref().filter(|_| !first.is_empty()) {
            let before = arguments.len();
            arguments.push((*first).to_owned());
            if let Some(found) = node.find(others, arguments) {
                return Some(found);
            }
            arguments.truncate(before);
        }
        if self.rest.is_empty() {
            return None;
        }
        arguments.push(path.join("/"));
        Some(&self.rest)
    }
}

/// The segments of a path. Behind a last slash there is an empty one.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('/').unwrap_or(path).split('/')
}

/// A request with its operation: arguments, parameters and body, decoded on demand.
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
    fn new<B: AsRef<[u8]>>(
        operation: &'static Operation,
        arguments: Vec<String>,
        request: &'a http::Request<B>,
    ) -> Result<Self, Refusal> {
        let headers = request.headers();
        let content_type =
            headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
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
        let names = self
            .operation
            .path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let index = names.into_iter().position(|known| known == name)?;
        self.arguments.get(index).map(String::as_str)
    }

    /// Whether the response is a stream of events: a list with `watch=true`, or a deprecated path
    /// of its own.
    #[must_use]
    pub fn is_watch(&self) -> bool {
        match self.operation.verb {
            Verb::Watch => true,
            Verb::List => self.parameter("watch").is_some_and(is_true),
            _ => false,
        }
    }

    /// The query parameter with this name; the first one of a list.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Decodes the parameters into the struct that the function of the operation takes. For a
    /// delete, the body becomes its `options`.
    ///
    /// The struct is not compared with the [`operation`](Self::operation): a struct of another
    /// operation gets the parameters that both have, and no error.
    ///
    /// # Errors
    /// 400 if a value, or the options of the body, cannot be decoded.
    pub fn params<P: Params + Default>(&self) -> Result<P, Refusal> {
        let mut params = P::default();
        let mut source = Query::new(&self.query, self.operation.extra_parameters, self.body);
        params.read_from(&mut source);
        source.finish().map_err(Refusal::bad_request)?;
        Ok(params)
    }

    /// Decodes the body, an object in JSON, as the type that the function of the operation takes.
    ///
    /// The type is not compared with the [`operation`](Self::operation): another one refuses the
    /// requests that the operation is for.
    ///
    /// # Errors
    /// 400 if it cannot be decoded, or is an object of another kind.
    pub fn body<T: Value>(&self) -> Result<T, Refusal> {
        json::from_slice(self.body).map_err(|error| {
            let Operation { kind, version, .. } = self.operation;
            Refusal::bad_request(format!(
                "{kind} in version \"{version}\" cannot be handled as a {kind}: {error}"
            ))
        })
    }

    /// The body as it came.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.body
    }

    /// The body as a patch, of the form that the media type states.
    ///
    /// # Errors
    /// 415 if the request is not a patch.
    pub fn patch(&self) -> Result<Patch, Refusal> {
        let refuse = || Refusal::unsupported_media_type(self.operation.media_types);
        Patch::of_media_type(self.content_type, self.body.to_vec()).ok_or_else(refuse)
    }

    /// The form of the response that the client prefers.
    ///
    /// # Errors
    /// 406 if it accepts none of the offered media types.
    pub fn accept(&self, offered: &[MediaType]) -> Result<Accept, Refusal> {
        let names: Vec<_> = offered.iter().map(|media_type| media_type.as_str()).collect();
        Accept::negotiate(self.headers, offered).ok_or_else(|| Refusal::not_acceptable(&names))
    }
}
