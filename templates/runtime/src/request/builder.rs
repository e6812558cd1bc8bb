//! Building requests.

use super::{InvalidRequest, Parts, Patch, Request, delete, parameters, path, uri};
use crate::codec::json;
use crate::codec::query::{Params, Query};
use crate::codec::{Identified, Object, Value, View};
use crate::operation::Operation;
use crate::response::{self, Error};
use http::{HeaderValue, Uri};
use std::marker::PhantomData;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Builds a request. The generated functions call it; it is compiled once for all of them, and small to move.
#[derive(Debug)]
pub struct Builder {
    parts: Box<Parts>,
    /// The first error, which [`finish`](Self::finish) returns.
    fault: Option<Box<InvalidRequest>>,
}

impl Builder {
    /// Starts a request. It fails in the end when an argument is not valid in the path.
    #[must_use]
    pub fn new(operation: &'static Operation, arguments: &[&str]) -> Self {
        let mut builder = Self::empty(operation);
        match path::fill(operation.path, operation.subresource, arguments) {
            Ok(path) => builder.parts.path = path,
            Err(invalid) => builder.refuse(invalid),
        }
        builder
    }

    /// Starts a request that fails in the end.
    #[must_use]
    pub(crate) fn refused(operation: &'static Operation, invalid: InvalidRequest) -> Self {
        let mut builder = Self::empty(operation);
        builder.refuse(invalid);
        builder
    }

    fn empty(operation: &'static Operation) -> Self {
        let parts = Parts {
            operation,
            path: String::new(),
            query: Query::default(),
            uri: Uri::default(),
            accept: response::JSON,
            content_type: None,
            body: Vec::new(),
        };
        Self { parts: Box::new(parts), fault: None }
    }

    /// Records an error, unless an earlier step failed.
    fn refuse(&mut self, invalid: InvalidRequest) {
        if self.fault.is_none() {
            self.fault = Some(Box::new(invalid));
        }
    }

    /// Adds the parameters that are set.
    #[must_use]
    pub fn params(mut self, params: &dyn Params) -> Self {
        params.add_to(&mut self.parts.query);
        if let Err(invalid) = parameters::resolve(&mut self.parts.query, self.parts.operation) {
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

    /// Sets the body to an object, with `apiVersion` and `kind` where it lacks them: servers refuse custom resources
    /// without. It fails in the end when the object states others than those of its type.
    #[must_use]
    pub fn body(mut self, value: &dyn Value) -> Self {
        let operation = self.parts.operation;
        let view = value.view();
        self.parts.content_type = Some(JSON);
        self.parts.body = match view {
            View::Object(object) => match Identified::new(object, operation.group, operation.version) {
                Ok(object) => json::write(&View::Object(&object)),
                Err(why) => {
                    self.refuse(InvalidRequest::Body(why));
                    return self;
                }
            },
            _ => json::write(&view),
        };
        self
    }

    /// Sets the body to a patch. It fails in the end when the operation does not take such a patch, or its parameters
    /// do not fit it.
    #[must_use]
    pub fn patch(mut self, patch: &Patch) -> Self {
        match patch.check(self.parts.operation, &self.parts.query) {
            Ok(()) => {
                self.parts.content_type = Some(HeaderValue::from_static(patch.media_type()));
                self.parts.body = patch.body().to_vec();
            }
            Err(invalid) => self.refuse(invalid),
        }
        self
    }

    /// Sets the body to `DeleteOptions`, if there are any. A server that gets some ignores the parameters of the query
    /// that they have too, so those move into the body. It fails in the end when both set an option, to different
    /// values.
    #[must_use]
    pub fn delete_options<T: Object>(self, options: Option<&T>) -> Self {
        match options {
            Some(options) => self.options(options),
            None => self,
        }
    }

    fn options(mut self, options: &dyn Object) -> Self {
        if self.parts.operation.media_types.is_empty() {
            let id = self.parts.operation.id;
            self.refuse(InvalidRequest::Parameters(format!("`{id}` takes no options, only parameters")));
            return self;
        }
        match delete::fold_options(&mut self.parts.query, options) {
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
        parameters::check(&parts.query, parts.operation)?;
        parts.uri = uri(&parts.path, &parts.query)?;
        Ok(parts)
    }
}
