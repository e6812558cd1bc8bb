//! The documents that Kubernetes publishes with a release, in a folder of its git repository. Git
//! fetches that folder alone.

use super::offers::{Offer, Offers};
use crate::error::Error;
use crate::input::LARGEST;
use crate::visible::visible;
use std::env;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};
use std::process::{Command, Stdio, id};

/// The repository of Kubernetes.
pub(super) const REPOSITORY: &str = "https://github.com/kubernetes/kubernetes";

/// The folder of the documents: `api__v1_openapi.json`, `apis__apps__v1_openapi.json` and so on.
const FOLDER: &str = "api/openapi-spec/v3";

/// The end of a file's name, after the path of the group and version.
const SUFFIX: &str = "_openapi.json";

/// The folder of a release, in a clone that is removed with it.
pub(super) struct Release {
    /// The name of its tag, such as `v1.36.2`.
    pub(super) tag: String,
    /// The number of bytes that git fetched.
    pub(super) fetched: u64,
    clone: Folder,
}

impl Release {
    /// Fetches a release: `1.36` is its newest patch.
    ///
    /// # Errors
    /// When there is no git, it cannot reach the repository, or the repository has no such release.
    pub(super) fn fetch(release: &str, repository: &str) -> Result<Self, Error> {
        let repository = &address(repository);
        let tag = tag(release, repository)?;
        let clone = Folder::new().map_err(|error| {
            Error::new(format!("cannot make a folder for temporary files: {error}"))
        })?;
        let folder = clone.0.to_string_lossy().into_owned();
        git(&[
            "clone",
            "--quiet",
            "--no-checkout",
            "--no-local",
            "--depth=1",
            "--filter=blob:none",
            "--template=",
            "--branch",
            &tag,
            "--",
            repository,
            &folder,
        ])?;
        let inside = ["-C", &folder, "-c", "core.autocrlf=false", "-c", "core.symlinks=false"];
        let only = format!("/{FOLDER}/*");
        git(&[&inside[..], &["sparse-checkout", "set", "--no-cone", &only]].concat())?;
        git(&[&inside[..], &["checkout", "--quiet"]].concat())?;
        let fetched = size(&clone.0.join(".git/objects"));
        Ok(Self { tag, fetched, clone })
    }

    /// The documents of the release.
    ///
    /// # Errors
    /// When it has none, as releases before 1.23.
    pub(super) fn offers(&self) -> Result<Offers, Error> {
        let Self { tag, clone, .. } = self;
        let folder = clone.0.join(FOLDER);
        let names = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort_unstable();
        let offers = names.into_iter().filter_map(|name| {
            let path = name.strip_suffix(SUFFIX)?.replace("__", "/");
            Offer::new(&path, name)
        });
        let offers: Vec<Offer> = offers.collect();
        if offers.is_empty() {
            return Err(Error::new(format!("{tag} has no OpenAPI 3.0 documents in {FOLDER}"))
                .help("Kubernetes publishes them since 1.23"));
        }
        Ok(Offers { origin: format!("Kubernetes {tag}"), offers })
    }

    /// The text of a document.
    pub(super) fn read(&self, offer: &Offer) -> Result<String, Error> {
        let path = self.clone.0.join(FOLDER).join(&offer.place);
        let metadata = path.symlink_metadata().map_err(|error| self.unreadable(offer, &error))?;
        if metadata.len() > LARGEST as u64 {
            return Err(self.unreadable(offer, &format_args!("it has more than {LARGEST} bytes")));
        }
        fs::read_to_string(path).map_err(|error| self.unreadable(offer, &error))
    }

    fn unreadable(&self, offer: &Offer, why: &dyn Display) -> Error {
        Error::new(format!("cannot read {FOLDER}/{} of {}: {why}", offer.place, self.tag))
    }
}

/// A repository as git finds it in each folder that it works in.
fn address(repository: &str) -> String {
    let path = Path::new(repository);
    let whole = path::absolute(path).ok().filter(|_| path.exists());
    whole.map_or_else(|| repository.to_owned(), |path| path.to_string_lossy().into_owned())
}

/// The tag of a release, or of the newest patch of it.
fn tag(release: &str, repository: &str) -> Result<String, Error> {
    let release = release.strip_prefix('v').unwrap_or(release);
    let is_plain = release.bytes().all(|b| b.is_ascii_alphanumeric() || b".-".contains(&b));
    if release.is_empty() || !is_plain {
        let message = format!("`{}` is not a release of Kubernetes", visible(release));
        return Err(Error::new(message).help(FORMS));
    }
    let listed = git(&["ls-remote", "--tags", "--refs", "--", repository, "refs/tags/v*"])?;
    let tags: Vec<&str> =
        listed.lines().filter_map(|line| Some(line.split_once("refs/tags/")?.1)).collect();
    let whole = format!("v{release}");
    let patches = tags.iter().filter_map(|tag| {
        let patch: u64 = tag.strip_prefix(&whole)?.strip_prefix('.')?.parse().ok()?;
        Some((patch, *tag))
    });
    let newest = patches.max().map(|(_, tag)| tag);
    let found = tags.iter().copied().find(|tag| *tag == whole).or(newest);
    found.map(str::to_owned).ok_or_else(|| {
        let help = newest_release(&tags).map_or_else(
            || {
                "the tags of a release are `v1.36.2` and so on: is it a clone of Kubernetes with \
                its tags?"
                    .to_owned()
            },
            |tag| format!("its newest release is {}", &tag[1..]),
        );
        Error::new(format!("{} has no release {release}", visible(repository))).help(help)
    })
}

const FORMS: &str = "name it as `1.36`, which is its newest patch, or as `1.36.2`";

/// The tag with the highest numbers that is not of a release candidate or the like.
fn newest_release<'a>(tags: &[&'a str]) -> Option<&'a str> {
    tags.iter().copied().filter(|tag| numbers(tag).is_some()).max_by_key(|tag| numbers(tag))
}

fn numbers(tag: &str) -> Option<Vec<u64>> {
    tag.strip_prefix('v')?.split('.').map(|part| part.parse().ok()).collect()
}

/// The output of git.
///
/// # Errors
/// When there is no git, or it fails.
fn git(arguments: &[&str]) -> Result<String, Error> {
    let mut command = Command::new("git");
    command.args(arguments).stdin(Stdio::null());
    // It asks for no password, speaks English, and does not work in the repository of the caller.
    command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"] {
        command.env_remove(variable);
    }
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Error::new("`git` is not found on PATH").help("install git, which fetches releases")
        }
        _ => Error::new(format!("cannot run `git`: {error}")),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let message = stderr
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("fatal:") || line.starts_with("error:"))
        .unwrap_or("it states no reason");
    Err(Error::new(format!("`git` cannot fetch the documents: {}", visible(message)))
        .help("check the network and its proxy, or name a clone or a mirror with `--from`"))
}

/// The bytes of the files below a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => size(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}

/// A folder for temporary files, which is removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        let path = env::temp_dir().join(format!("kapigen-pull-{}", id()));
        // One that is there belongs to someone else.
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
