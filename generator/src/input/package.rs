//! The package that is written, and its dependencies.

/// A package to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// Its name. A manifest that exists must have the same one. `None`: the one of the manifest, or else `folder`.
    pub name: Option<String>,
    /// The name of its folder.
    pub folder: String,
    /// Its version, when its manifest is written for the first time. `None`: `0.1.0`.
    pub version: Option<String>,
    /// Its license, as an SPDX expression, when its manifest is written for the first time.
    pub license: Option<String>,
    /// The manifest that exists. Only features and dependencies of it are changed.
    pub manifest: Option<String>,
    /// The source of the runtime.
    pub runtime: Runtime,
    /// The crates whose types it uses.
    pub externs: Vec<Extern>,
}

impl Package {
    /// A package with a name and the source of its runtime.
    #[must_use]
    pub fn new(name: impl Into<String>, runtime: Runtime) -> Self {
        Self { name: Some(name.into()), runtime, ..Self::default() }
    }
}

/// The source of the runtime of a crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Runtime {
    /// A folder of its own, into which the sources are copied.
    #[default]
    Vendored,
    /// A dependency.
    Depend(Dependency),
}

/// A dependency, as it is written in a `Cargo.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The name of the package, if it is not that of the dependency.
    pub package: Option<String>,
    /// The version.
    pub version: Option<String>,
    /// The path of its folder.
    pub path: Option<String>,
    /// Whether its default features are on.
    pub default_features: bool,
}

impl Default for Dependency {
    fn default() -> Self {
        Self { package: None, version: None, path: None, default_features: true }
    }
}

/// A crate whose types are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extern {
    /// The name of its package.
    pub package: String,
    /// The path of its folder.
    pub path: String,
}
