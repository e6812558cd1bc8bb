//! The kubeconfig of a server without TLS, and its file.

use crate::files::shown;
use serde_json::{Value, json};
use std::env;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The name of everything in a kubeconfig of this program.
const NAME: &str = "fake";

/// A kubeconfig with the server at this URL as its current context. It is JSON, which is valid YAML
/// and needs no extra quoting.
pub(crate) fn render(url: &str, token: Option<&str>) -> String {
    let user = token.map_or_else(|| json!({}), |token| json!({"token": token}));
    // The JavaScript client refuses HTTP unless it need not verify.
    let cluster = json!({"server": url, "insecure-skip-tls-verify": true});
    let kubeconfig: Value = json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": NAME, "cluster": cluster}],
        "users": [{"name": NAME, "user": user}],
        "contexts": [{"name": NAME, "context": {"cluster": NAME, "user": NAME}}],
        "current-context": NAME,
    });
    format!("{kubeconfig:#}\n")
}

/// Whether a file contains only a kubeconfig of this program.
fn is_own(content: &[u8]) -> bool {
    let Ok(kubeconfig) = serde_json::from_slice::<Value>(content) else {
        return content.trim_ascii().is_empty();
    };
    kubeconfig["kind"] == "Config"
        && ["clusters", "users", "contexts"].iter().all(|list| {
            let entries = kubeconfig[*list].as_array().map(Vec::as_slice);
            matches!(entries, Some([only]) if only["name"] == NAME)
        })
}

/// The most bytes of a kubeconfig of this program. Larger files are not read.
const MOST: u64 = 64 << 10;

/// Refuses to replace anything but a kubeconfig of this program. A link is not followed, and a
/// device or a pipe is not read.
fn check_replaceable(target: &Path) -> Result<(), String> {
    let found = match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found.map_err(|error| cannot_write(target, &error))?,
    };
    let path = shown(target);
    if !found.is_file() {
        let what = if found.is_symlink() { "a symbolic link" } else { "no regular file" };
        return Err(format!("`{path}` is {what}\n  help: name a regular file"));
    }
    let is_ours = found.len() <= MOST
        && is_own(&fs::read(target).map_err(|error| cannot_write(target, &error))?);
    if is_ours {
        return Ok(());
    }
    Err(format!(
        "`{path}` exists and is not a kubeconfig of kapigen-fake\n  help: remove it, or name \
         another file"
    ))
}

/// A file that will be a kubeconfig. Only this user can read it. It is removed with this value,
/// unless it is published.
#[derive(Debug)]
pub(crate) struct Draft {
    file: File,
    path: PathBuf,
    /// The file that it will replace, if the user named one.
    target: Option<PathBuf>,
}

impl Draft {
    /// Creates a draft of the file that the user named, or of a temporary file.
    ///
    /// # Errors
    /// When no file can be written there, or when another program's file exists there.
    pub(crate) fn new(target: Option<&Path>) -> Result<Self, String> {
        let Some(target) = target else {
            let folder = env::temp_dir();
            let created = create(&folder.join("kapigen-fake"), ".kubeconfig");
            let (file, path) = created.map_err(|error| cannot_write(&folder, &error))?;
            return Ok(Self { file, path, target: None });
        };
        check_replaceable(target)?;
        // Beside it, so that it can be replaced at once.
        let (file, path) = create(target, ".new").map_err(|error| cannot_write(target, &error))?;
        Ok(Self { file, path, target: Some(target.to_owned()) })
    }

    /// Writes the kubeconfig and moves it to its place.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn publish(mut self, text: &str) -> Result<Kubeconfig, String> {
        self.file.write_all(text.as_bytes()).map_err(|error| cannot_write(&self.path, &error))?;
        let path = match &self.target {
            Some(target) => {
                // Something else may have taken its place.
                check_replaceable(target)?;
                fs::rename(&self.path, target).map_err(|error| cannot_write(target, &error))?;
                target.clone()
            }
            None => self.path.clone(),
        };
        let is_temporary = self.target.is_none();
        // It is not a draft any more.
        self.path = PathBuf::new();
        Ok(Kubeconfig { path, is_temporary })
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.path));
    }
}

/// The kubeconfig of a running server. One that the user did not name is removed when the program
/// exits.
#[derive(Debug)]
pub(crate) struct Kubeconfig {
    pub(crate) path: PathBuf,
    is_temporary: bool,
}

impl Drop for Kubeconfig {
    fn drop(&mut self) {
        if self.is_temporary {
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Creates a file that only this user can read, under an unpredictable name: its beginning, some
/// digits, its end.
fn create(start: &Path, end: &str) -> io::Result<(File, PathBuf)> {
    let mut options = OpenOptions::new();
    // Never opens an existing file, not even a link.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    loop {
        let mut path = start.as_os_str().to_owned();
        path.push(format!("-{:016x}{end}", RandomState::new().hash_one(())));
        match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, path.into())),
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("cannot write `{}`: {error}", shown(path))
}
