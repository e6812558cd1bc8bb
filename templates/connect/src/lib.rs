//! Finds a Kubernetes cluster as kubectl does, and reaches it: kubeconfig files, the service
//! account of a pod, credentials that renew themselves, TLS and proxies, as a tower service.
//!
//! There are four layers, and each can be used alone:
//!
//! | layer | what it is |
//! |---|---|
//! | [`Kubeconfig`] | the content of kubeconfig files, merged as kubectl does |
//! | [`Config`] | one cluster and one user, found by [`Config::find`] or a [`Finder`] |
//! | [`Credentials`] | the headers of a user, which are renewed while a program runs |
//! | [`Connection`] | a [`tower_service::Service`] that sends requests to the cluster |
//!
//! ```no_run
//! use kapigen_connect::{Config, Connection, Error};
//!
//! /// A service for `kapigen_client::Client::new`.
//! fn connect() -> Result<Connection, Error> {
//!     Connection::new(Config::find()?)
//! }
//! ```
//!
//! # Differences from kubectl
//!
//! - A missing context, cluster or user is an error, also in a pod: a typo must not send requests
//!   as somebody else. So is `auth-provider`, which `exec` has replaced.
//! - Without a kubeconfig, and outside of a pod, there is no fallback to `localhost:8080`: the error
//!   lists the files that were looked for.
//! - Values that the program sets have precedence, also a token over a `tokenFile`.
//! - After a 401 the credential is renewed, and the request repeated once.
//! - Redirects are not followed.
//! - A server without a scheme, a user in a URL, and a proxy that is not a URL are errors.
//! - No error quotes a value of a file.
#![forbid(unsafe_code)]

mod config;
mod connection;
mod credentials;
mod dial;
mod environment;
mod error;
mod exec;
mod find;
mod idn;
mod kubeconfig;
mod pem;
mod pod;
mod proxy;
mod read;
mod secret;
mod server;
#[cfg(test)]
mod tests;
mod tls;
mod token;

pub use config::{Config, Credential, Impersonate, Pem};
pub use connection::{Body, Connection};
pub use credentials::Credentials;
pub use error::{Error, Problem};
pub use find::Finder;
pub use kubeconfig::{Cluster, Context, Exec, InteractiveMode, Kubeconfig, User};
pub use proxy::{ProxyRules, ProxyScheme, ProxyUrl};
pub use secret::Secret;

/// The crate of the providers of cryptography in the public API of this one.
pub use rustls;

/// The programs of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
