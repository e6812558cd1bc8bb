//! The chores of this repository, as functions: `cargo xtask` is a thin command line over them.

pub mod ci;
pub mod codegen;
pub mod data;
pub mod features;
mod lists;
pub mod package;
pub mod programs;
mod protobuf;
mod reference;
pub mod release;
mod shared;
pub mod witness;

use kapigen::error::Errors;
use std::path::Path;
use std::process::Command;
use std::{env, fmt, fs, io};

/// The cargo that runs this program, or that on the path, in the root of the repository.
fn cargo(root: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Runs a command to completion, and returns whether it succeeded. Its output shows why it failed.
fn succeeds(command: &mut Command) -> Result<bool, Failure> {
    match command.status() {
        Ok(status) => Ok(status.success()),
        Err(error) => {
            Err(Failure::Start(command.get_program().to_string_lossy().into_owned(), error))
        }
    }
}

/// Adds the path to an error of the disk.
fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The manifest of a package or workspace.
fn manifest(path: &Path) -> Result<toml::Table, Failure> {
    let text = fs::read_to_string(path).map_err(at(path))?;
    text.parse().map_err(|error: toml::de::Error| Failure::in_file(path.display(), error))
}

/// Why a chore could not be done.
#[derive(Debug)]
pub enum Failure {
    /// The documents are invalid, or cannot be read.
    Input(Errors),
    /// The disk failed, or something that is not ours is in the way.
    Disk(io::Error),
    /// A file that is kept by hand is invalid.
    Manifest(String),
    /// This program cannot be started.
    Start(String, io::Error),
}

impl Failure {
    fn in_file(path: impl fmt::Display, why: impl fmt::Display) -> Self {
        Self::Manifest(format!("{path}: {why}"))
    }
}

impl From<Errors> for Failure {
    fn from(errors: Errors) -> Self {
        Self::Input(errors)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(errors) => errors.fmt(f),
            Self::Disk(error) => write!(f, "error: {error}"),
            Self::Manifest(message) => write!(f, "error: {message}"),
            Self::Start(program, error) => {
                write!(
                    f,
                    "error: cannot run `{program}`: {error}\n  help: run `cargo xtask` with cargo \
                     on the path"
                )
            }
        }
    }
}

impl std::error::Error for Failure {}
