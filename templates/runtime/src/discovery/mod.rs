//! Discovery: the resources of a server, and the names that people use for them.
//!
//! A [`Mapper`] finds a resource by its kind, plural, singular or short name, and all of a
//! category, as kubectl does. The machine [`Discovery`] makes the requests: two where all groups
//! come at once, and one for each group and version of older servers.
//!
//! ```
//! use kapigen_runtime::discovery::{APIGroupDiscoveryList, Mapper};
//!
//! let text = r#"{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{
//!     "metadata":{"name":"apps"},"versions":[{"version":"v1","resources":[{"resource":"deployments",
//!     "responseKind":{"group":"","version":"","kind":"Deployment"},"scope":"Namespaced",
//!     "singularResource":"deployment","shortNames":["deploy"],"categories":["all"],"verbs":["get","list"]}]}]}]}"#;
//! let mut mapper = Mapper::default();
//! mapper.add_groups(&kapigen_runtime::from_str::<APIGroupDiscoveryList>(text)?);
//! for name in ["deployments", "deploy", "Deployment", "deployments.apps", "deployments.v1.apps"] {
//!     assert_eq!(mapper.resource(name)?.resource.api_version(), "apps/v1");
//! }
//! let error = mapper.resource("deploymets").unwrap_err();
//! assert_eq!(error.to_string(), "the server has no resource `deploymets`: did you mean `deployments`?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "machines")]
mod machine;
mod mapper;

pub use crate::apidiscovery_v2::*;
#[cfg(feature = "machines")]
pub use machine::Discovery;
pub use mapper::{Discovered, Mapper, UnknownResource};
