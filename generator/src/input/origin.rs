//! Where this kapigen comes from, which has the runtime beside it.

use super::crates::{RuntimeChoice, absolute, existing_manifest, is_generated};
use std::path::{Path, PathBuf};
use toml_edit::DocumentMut;

/// The sources that this kapigen was compiled from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A repository that Cargo fetched.
    Git {
        /// Where from.
        url: String,
        /// The commit.
        revision: String,
    },
    /// A folder: a clone, unless it is gone or a package.
    Folder(PathBuf),
}

impl Origin {
    /// The sources of the kapigen that runs.
    #[must_use]
    pub fn of_this_build() -> Self {
        match (option_env!("KAPIGEN_GIT_URL"), option_env!("KAPIGEN_GIT_REVISION")) {
            (Some(url), Some(revision)) => {
                Self::Git { url: url.to_owned(), revision: revision.to_owned() }
            }
            _ => Self::Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")),
        }
    }

    /// The runtime of a new crate in a folder: by revision, or by path if both are in one
    /// repository or workspace.
    ///
    /// # Errors
    /// The reason why the crate needs a copy.
    pub(crate) fn runtime(&self, out: &Path) -> Result<RuntimeChoice, &'static str> {
        let folder = match self {
            Self::Git { url, revision } => {
                let (url, revision) = (url.clone(), Some(revision.clone()));
                return Ok(RuntimeChoice::Git { url, revision });
            }
            Self::Folder(folder) => folder.join("templates/runtime"),
        };
        if !is_generated(&folder) {
            return Err("kapigen has no repository that the crate could depend on");
        }
        let (Ok(folder), Ok(out)) = (absolute(&folder), absolute(out)) else {
            return Err("its place is not known");
        };
        match root(&out) {
            Some(root) if folder.starts_with(root) => Ok(RuntimeChoice::Folder(folder)),
            _ => Err("the clone of kapigen is outside of the crate's repository"),
        }
    }

    /// The revision to use of a repository: the one that this kapigen is of, rather than an
    /// earlier one.
    pub(crate) fn revision(&self, of: &str) -> Option<&str> {
        match self {
            Self::Git { url, revision } if url == of => Some(revision),
            _ => None,
        }
    }
}

/// The repository around a folder, or else the workspace.
fn root(folder: &Path) -> Option<&Path> {
    let mut all = folder.ancestors();
    let repository = all.clone().find(|folder| folder.join(".git").exists());
    repository.or_else(|| all.find(|folder| is_workspace(folder)))
}

fn is_workspace(folder: &Path) -> bool {
    let text = existing_manifest(folder).ok().flatten().unwrap_or_default();
    text.parse::<DocumentMut>().is_ok_and(|manifest| manifest.contains_key("workspace"))
}
