//! Requests turned back into operations and their arguments.
//!
//! A [`Router`] takes the `API` constants of generated crates, and turns an [`http::Request`] into a [`Route`]: its
//! operation, path arguments, parameters and body. It is the inverse of the generated functions, for programs that
//! receive requests: admission webhooks, proxies, servers in tests. What it refuses, it refuses as an API server does,
//! with a [`Refusal`] that is a `Status`.
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
mod found;
mod refusal;
mod router;

pub use accept::{Accept, Form, MediaType};
pub use found::Route;
pub use refusal::Refusal;
pub use router::Router;
