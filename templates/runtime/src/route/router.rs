//! Finding the operation of a request.

use super::{Refusal, Route};
use crate::api::Api;
use crate::operation::Operation;
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;

/// Finds the operation of a request among those of generated crates.
///
/// Where two crates have the same path and method, the first one counts.
#[derive(Clone, Debug, Default)]
pub struct Router {
    root: Node,
}

/// A segment of a path, and those that follow it.
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
        let is_proxied = operation.subresource == Some("proxy") && operation.path.ends_with("/proxy/{path}");
        let template = if is_proxied { operation.path.trim_end_matches("/{path}") } else { operation.path };
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

    /// Finds the operation and the path arguments of a request. The body is not decoded yet, see [`Route::body`].
    ///
    /// # Errors
    /// 404 if no path fits, 405 if none of the operations on the path has this method, 415 if the operation does not
    /// take a body of this type.
    pub fn route<'a, B: AsRef<[u8]>>(&self, request: &'a http::Request<B>) -> Result<Route<'a>, Refusal> {
        let (operations, arguments) = self.find(request.uri().path()).ok_or_else(Refusal::no_such_path)?;
        let fits = |operation: &&Operation| operation.method == request.method().as_str();
        let operation = operations.iter().copied().find(fits).ok_or_else(Refusal::method_not_allowed)?;
        Route::new(operation, arguments, request)
    }

    /// The operations on a path, and its arguments. One slash too many at the end does not matter.
    ///
    /// API servers split a path after it is decoded: `%2F` is a slash like any other. An argument with a slash would
    /// name another object for them, and possibly one that the client may not reach.
    fn find(&self, path: &str) -> Option<(&[&'static Operation], Vec<String>)> {
        let path = percent_decode_str(path).decode_utf8_lossy();
        let segments: Vec<_> = segments(&path).collect();
        let mut arguments = Vec::new();
        let found = self.root.find(&segments, &mut arguments).or_else(|| match segments.split_last() {
            Some((&"", segments)) => self.root.find(segments, &mut arguments),
            _ => None,
        });
        found.map(|operations| (operations, arguments))
    }
}

impl Node {
    fn find<'n>(&'n self, path: &[&str], arguments: &mut Vec<String>) -> Option<&'n [&'static Operation]> {
        let Some((first, others)) = path.split_first() else {
            return Some(&*self.operations).filter(|operations| !operations.is_empty());
        };
        if let Some(found) = self.literals.get(*first).and_then(|node| node.find(others, arguments)) {
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
