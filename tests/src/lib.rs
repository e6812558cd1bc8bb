//! Code that the tests of this package share, beside [`test_support`]: [`cases`] reads folders of
//! documents, [`places`] has what the generator makes of the project's, [`schemas`] are those of the
//! fake server, [`oracle`] has inputs for the code of Kubernetes.

pub mod cases;
pub mod oracle;
pub mod places;
pub mod schemas;

/// The examples of the page about types compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../docs/types.md")]
struct TypesPage;

/// So do those of the page about tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/tests.md")]
struct TestsPage;

/// So do those of the page about big clusters.
#[cfg(doctest)]
#[doc = include_str!("../../docs/big-clusters.md")]
struct BigClustersPage;

/// So do those of the page about changes.
#[cfg(doctest)]
#[doc = include_str!("../../docs/changes.md")]
struct ChangesPage;

/// So do those of the page about k8s-openapi and kube.
#[cfg(doctest)]
#[doc = include_str!("../../docs/from-kube.md")]
struct FromKubePage;

/// So do those of the page about requests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/requests.md")]
struct RequestsPage;

/// So do those of the page about webhooks.
#[cfg(doctest)]
#[doc = include_str!("../../docs/webhooks.md")]
struct WebhooksPage;

/// So do those of the crate's own README.
#[cfg(doctest)]
#[doc = include_str!("../../generated/README.md")]
struct CrateReadme;

/// And that of the README of the runtime.
#[cfg(doctest)]
#[doc = include_str!("../../templates/runtime/README.md")]
struct RuntimeReadme;
