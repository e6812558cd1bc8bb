//! The package that is written, and its dependencies.

/// A package to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// The source of its runtime.
    pub runtime: Runtime,
    /// The crates whose types it uses.
    pub externs: Vec<Extern>,
}

/// The source of the runtime of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// A folder of its own, into which the sources are copied.
    Vendored,
    /// A dependency.
    Depend(Dependency),
}

/// A dependency, as it stands in a `Cargo.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependency {
    /// The name of the package, if it is not that of the dependency.
    pub package: Option<String>,
    /// The version.
    pub version: Option<String>,
    /// The path of its folder.
    pub path: Option<String>,
}

/// A crate whose types are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extern {
    /// The name of its package.
    pub package: String,
    /// The path of its folder.
    pub path: String,
}
