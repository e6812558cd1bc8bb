//! Programs over kapigen-client. They are the examples of this package; its tests run them.

/// The programs of kapigen-client's README compile.
#[cfg(doctest)]
#[doc = include_str!("../../../templates/client/README.md")]
struct Readme;

/// The programs of the page about programs compile with the clients that they name.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/programs.md")]
struct ProgramsPage;

/// The programs of the page about processes of pods compile.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/pods.md")]
struct PodsPage;

/// The examples of the page about tests compile and hold, with the kinds that are on by default.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tests.md")]
struct TestsPage;

/// The examples of the page about kube, k8s-openapi and kopium compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/from-kube.md")]
struct FromKubePage;
