//! Objects of any kind, which may be known at run time only.
//!
//! An [`Object`] has typed metadata; all else stays as JSON, which is not parsed until it is
//! needed. A [`Resource`] has the names of a kind, and builds the requests for its objects.
//! Informers, stores, watches, pages and patches take them like objects of any other kind.
//!
//! ```
//! use kapigen_runtime::dynamic::Resource;
//! use kapigen_runtime::params::{GetParams, PatchParams};
//! use kapigen_runtime::{Error, Patch};
//!
//! let stars = Resource::namespaced("example.com", "v1", "Star", "stars");
//! let get = stars.get("default", "sun", &GetParams::default())?;
//! assert_eq!(get.uri(), "/apis/example.com/v1/namespaces/default/stars/sun");
//!
//! let body = r#"{"metadata":{"name":"sun"},"spec":{"size":3,"tags":["hot"]}}"#;
//! let response = kapigen_runtime::http::Response::new(body);
//! let mut sun = get.decode(&response)?.body;
//! assert_eq!(sun.get::<u8>("spec.size").unwrap(), Some(3));
//! assert_eq!(sun.get::<String>("spec.tags[0]").unwrap().as_deref(), Some("hot"));
//! sun.set("spec.size", 4).unwrap();
//! # Ok::<(), Error>(())
//! ```

mod object;
mod operations;
mod path;
mod resource;

pub use object::{List, Object};
pub use path::PathError;
pub use resource::{Resource, Subresource};
