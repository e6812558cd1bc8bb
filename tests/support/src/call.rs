//! A function of the crate as a value, so that a test can go through all of them.

use http::{HeaderMap, Request as HttpRequest, StatusCode};
use openshift_api::meta_v1::{DeleteOptions, Preconditions};
use openshift_api::request::InvalidRequest;
use openshift_api::response::{FromResponse, FromStream};
use openshift_api::route::{Refusal, Route};
use openshift_api::{Error, OPERATIONS, Operation, Patch, Request, Upgrade};
use serde_json::json;
use std::any::type_name;
use std::fmt;

/// A function, and ways to call it with all of its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The module of its group.
    pub module: &'static str,
    /// The plural name of its resource.
    pub resource: &'static str,
    /// Its name.
    pub function: &'static str,
    /// Whether it is in the module `legacy`.
    pub legacy: bool,
    /// Whether it adds `watch=true`.
    pub watch: bool,
    /// Whether the call sends [`options`].
    pub options: bool,
    /// The `operationId` of its operation.
    pub operation: &'static str,
    /// Calls it. Arguments of the path are their names and `-1`; parameters are set to the values
    /// of [`of_type`].
    pub send: fn() -> Result<Sent, Error>,
    /// Calls it with the arguments, parameters and body of a route.
    pub again: fn(&Route<'_>) -> Result<Sent, Error>,
}

/// A request without the type of its response.
pub struct Sent {
    /// The operation of the request.
    pub operation: &'static Operation,
    /// The HTTP request.
    pub http: HttpRequest<Vec<u8>>,
    /// The name of the type that its response is decoded as, without its path.
    pub response: String,
    /// Decodes a response, and formats the body.
    pub decode: Box<Decode>,
}

/// From status, headers and body to the decoded response.
type Decode = dyn Fn(StatusCode, &HeaderMap, &[u8]) -> Result<String, Error>;

impl Sent {
    /// Erases the type of a request's response.
    ///
    /// # Errors
    /// When there is none.
    pub fn of<T: FromResponse + fmt::Debug + 'static>(
        request: Result<Request<T>, Error>,
    ) -> Result<Self, Error> {
        let request = request?;
        let http = request.to_http();
        Ok(Self::new::<T>(constant(&request), http, move |status, headers, body| {
            request
                .decode_parts(status, headers, body)
                .map(|response| format!("{:?}", response.body))
        }))
    }

    /// As [`Sent::of`], for a response that is decoded while it arrives: here all at once.
    ///
    /// # Errors
    /// When there is none.
    pub fn of_stream<T: FromStream<Item: fmt::Debug> + fmt::Debug + 'static>(
        request: Result<Request<T>, Error>,
    ) -> Result<Self, Error> {
        let request = request?;
        let http = request.to_http();
        Ok(Self::new::<T>(constant(&request), http, move |status, headers, body| {
            let mut stream =
                request.open(status, headers).map_err(|refusal| refusal.decode(body))?.body;
            stream.push(body);
            let items = std::iter::from_fn(|| stream.next_item()).collect::<Result<Vec<_>, _>>()?;
            stream.finish().map(|_| format!("{items:?}"))
        }))
    }

    /// As [`Sent::of`], for a response that switches the connection.
    ///
    /// # Errors
    /// When there is none.
    pub fn of_upgrade<S: fmt::Debug + 'static>(
        request: Result<Request<Upgrade<S>>, Error>,
    ) -> Result<Self, Error> {
        let request = request?;
        let http = request.to_http();
        Ok(Self::new::<Upgrade<S>>(constant(&request), http, move |status, headers, body| {
            request
                .decode_upgrade(status, headers, body)
                .map(|response| format!("{:?}", response.body))
        }))
    }

    fn new<T>(
        operation: &'static Operation,
        http: HttpRequest<Vec<u8>>,
        decode: impl Fn(StatusCode, &HeaderMap, &[u8]) -> Result<String, Error> + 'static,
    ) -> Self {
        Self { operation, http, response: short_name(type_name::<T>()), decode: Box::new(decode) }
    }
}

/// The operation of a request, as the crate lists it.
fn constant<T>(request: &Request<T>) -> &'static Operation {
    let operation = request.operation();
    OPERATIONS
        .iter()
        .find(|known| **known == operation)
        .expect("requests are for operations of the crate")
}

/// `Watch<Pod>`, not `openshift_api::watch::Watch<openshift_api::core_v1::types::pod::Pod>`.
fn short_name(name: &str) -> String {
    let words = name.split('<').map(|part| part.rsplit("::").next().unwrap_or(part));
    words.collect::<Vec<_>>().join("<")
}

impl Call {
    /// `core_v1::pods::legacy::watch_list`.
    #[must_use]
    pub fn path(&self) -> String {
        let legacy = if self.legacy { "legacy::" } else { "" };
        format!("{}::{}::{legacy}{}", self.module, self.resource, self.function)
    }

    /// Calls the function.
    ///
    /// # Panics
    /// When it refuses.
    #[must_use]
    pub fn sent(&self) -> Sent {
        (self.send)().unwrap_or_else(|error| panic!("{}: {error}", self.path()))
    }
}

impl fmt::Debug for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sent")
            .field("http", &self.http)
            .field("response", &self.response)
            .finish_non_exhaustive()
    }
}

/// The path argument of a route with this index.
///
/// # Panics
/// When there are fewer.
#[must_use]
pub fn text<'a>(route: &'a Route<'_>, index: usize) -> &'a str {
    &route.arguments()[index]
}

/// A refusal as an error of building a request, so that one closure can have both.
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn refused(refusal: Refusal) -> Error {
    Error::Invalid(InvalidRequest::Parameters(refusal.to_string()))
}

/// The values of a parameter in a call, as they are written in a query.
#[must_use]
pub fn of_type(wire: &str, ty: &str, repeated: bool) -> Vec<String> {
    if wire == "dryRun" {
        return vec!["All".to_owned()];
    }
    let one = |number: &str| match ty {
        "boolean" => "true".to_owned(),
        "integer" => format!("7{number}"),
        _ => format!("{wire}-value{number}"),
    };
    if repeated { vec![one("1"), one("2")] } else { vec![one("")] }
}

/// Options that only a body can hold.
#[must_use]
pub fn options() -> DeleteOptions {
    let preconditions = Preconditions { uid: Some("uid-1".to_owned()), ..Preconditions::default() };
    DeleteOptions { preconditions: Some(Box::new(preconditions)), ..DeleteOptions::default() }
}

/// A patch that takes all parameters that patches have.
///
/// # Panics
/// Never: this can be written.
#[must_use]
pub fn patch() -> Patch {
    Patch::apply(&json!({"metadata": {"labels": {"app": "web"}}}))
}
