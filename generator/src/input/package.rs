//! The package that is written, and its dependencies.

use std::collections::BTreeSet;

/// A package to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// Its name. A manifest that exists must have the same one. `None`: the one of the manifest, or
    /// else `folder`.
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
    /// The crates that it takes types from.
    pub externs: Vec<Extern>,
    /// The crates that are copied into its folder, over the same runtime.
    pub vendor: BTreeSet<Sibling>,
}

impl Package {
    /// A package with a name and the source of its runtime.
    #[must_use]
    pub fn new(name: impl Into<String>, runtime: Runtime) -> Self {
        Self { name: Some(name.into()), runtime, ..Self::default() }
    }
}

/// A hand-written crate over the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sibling {
    /// kapigen-client, which runs requests over any tower service.
    Client,
    /// kapigen-fake, an API server in memory.
    Fake,
    /// kapigen-kube, which gives generated kinds the traits of kube.
    Kube,
    /// The client with its feature `manifest`, which reads manifests.
    Manifest,
}

impl Sibling {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Client, Self::Fake, Self::Kube, Self::Manifest];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Fake => "fake",
            Self::Kube => "kube",
            Self::Manifest => "manifest",
        }
    }

    /// The folder of its copy.
    pub(crate) fn folder(self) -> &'static str {
        if self == Self::Manifest { "client" } else { self.name() }
    }

    /// A file that only a copy of it has.
    pub(crate) fn mark(self) -> String {
        if self == Self::Manifest {
            "client/src/manifest/mod.rs".to_owned()
        } else {
            format!("{}/Cargo.toml", self.folder())
        }
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
    /// The name of the package, if the dependency has another name.
    pub package: Option<String>,
    /// The version.
    pub version: Option<String>,
    /// The URL of its repository.
    pub git: Option<String>,
    /// The commit there.
    pub rev: Option<String>,
    /// The path of its folder.
    pub path: Option<String>,
    /// Whether its default features are on.
    pub default_features: bool,
}

impl Default for Dependency {
    fn default() -> Self {
        Self {
            package: None,
            version: None,
            git: None,
            rev: None,
            path: None,
            default_features: true,
        }
    }
}

impl Dependency {
    /// The keys that locate it, with their values.
    pub(crate) fn keys(&self) -> [(&'static str, Option<&str>); 5] {
        let Self { package, version, git, rev, path, default_features: _ } = self;
        [("package", package), ("version", version), ("git", git), ("rev", rev), ("path", path)]
            .map(|(key, value)| (key, value.as_deref()))
    }

    /// The same dependency, as seen from a folder one level below the package's.
    pub(crate) fn one_folder_down(&self) -> Self {
        let path = self
            .path
            .as_ref()
            .map(|path| if is_absolute(path) { path.clone() } else { format!("../{path}") });
        Self { path, ..self.clone() }
    }
}

/// Whether a path with `/` begins at a root, on the systems that have drives too.
fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.split('/').next().is_some_and(|first| first.ends_with(':'))
}

/// A crate that types are taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extern {
    /// The name of its package.
    pub package: String,
    /// The path of its folder.
    pub path: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_begin_one_folder_deeper() {
        let one_folder_down = |path: &str| {
            let path = Some(path.to_owned());
            Dependency { path, ..Dependency::default() }.one_folder_down().path.unwrap()
        };
        assert_eq!(one_folder_down("runtime"), "../runtime");
        assert_eq!(one_folder_down("../stars/runtime"), "../../stars/runtime");
        assert_eq!(one_folder_down("/opt/runtime"), "/opt/runtime");
        assert_eq!(one_folder_down("C:/runtime"), "C:/runtime");
    }
}
