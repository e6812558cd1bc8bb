//! Code that the tests of this package share, beside [`test_support`]: [`cases`] reads folders of
//! documents, [`places`] has the output of the generator for the project's documents, [`schemas`]
//! has the schemas of the fake server, [`oracle`] has inputs for the code of Kubernetes.

pub mod cases;
pub mod oracle;
pub mod places;
pub mod schemas;

/// The examples of the page about types compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../docs/types.md")]
struct TypesPage;

/// The examples of the page about big clusters compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../docs/big-clusters.md")]
struct BigClustersPage;

/// The examples of the page about changes compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../docs/changes.md")]
struct ChangesPage;

/// The examples of the page about requests compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../docs/requests.md")]
struct RequestsPage;

/// The examples of the page about webhooks compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../docs/webhooks.md")]
struct WebhooksPage;

/// The examples of the crate's README compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../generated/README.md")]
struct CrateReadme;

/// The example of the runtime's README compiles and holds.
#[cfg(doctest)]
#[doc = include_str!("../../templates/runtime/README.md")]
struct RuntimeReadme;
