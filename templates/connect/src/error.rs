//! Errors of finding and reading a configuration, and of what it names.

use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

/// An error of a configuration: all problems that were found in it.
///
/// No message quotes a value of a file, since that may be a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    problems: Vec<Problem>,
    is_absent: bool,
}

/// A problem of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The file that has it.
    pub file: Option<PathBuf>,
    /// The line in the file, from 1.
    pub line: Option<usize>,
    /// The problem and its remedy.
    pub message: String,
}

impl Problem {
    pub(crate) fn of(message: impl Into<String>) -> Self {
        Self { file: None, line: None, message: message.into() }
    }

    pub(crate) fn in_file(file: Option<&Path>, message: impl Into<String>) -> Self {
        Self { file: file.map(Path::to_owned), ..Self::of(message) }
    }
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Problem::of(message).into()
    }

    pub(crate) fn of_file(file: &Path, message: impl Into<String>) -> Self {
        Problem::in_file(Some(file), message).into()
    }

    /// The error of a machine without a configuration.
    pub(crate) fn absent(message: String) -> Self {
        Self { is_absent: true, ..Self::new(message) }
    }

    pub(crate) fn unless_empty(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self { problems, is_absent: false }) }
    }

    /// The problems, in the order of the files.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether there is no configuration at all: no kubeconfig that selects a cluster, and no
    /// service account of a pod.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.is_absent
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self { problems: vec![problem], is_absent: false }
    }
}

/// `FILE:LINE: message`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", file.display())?,
            (Some(file), None) => write!(f, "{}: ", file.display())?,
            (None, _) => {}
        }
        self.message.chars().try_for_each(|c| match c {
            '\n' | '\t' => f.write_char(c),
            // It would control a terminal.
            c if c.is_control() => write!(f, "{}", c.escape_unicode()),
            c => f.write_char(c),
        })
    }
}

/// A line for each problem.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            write!(f, "{}{problem}", if index == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

/// The message, as where `main` returns it, and the parts in the form `{:#?}`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            f.debug_struct("Error")
                .field("problems", &self.problems)
                .field("is_absent", &self.is_absent)
                .finish()
        } else {
            fmt::Display::fmt(self, f)
        }
    }
}

impl std::error::Error for Error {}
