//! Paths of fields in a definition.

use std::fmt;

/// The path of a field: on the stack while a definition is checked, and printed for an error alone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'a> {
    /// A place that servers name otherwise than the manifest: the name of the server, and the pointer.
    Renamed(&'a str, &'a str),
    /// A member that the type declares: `a.b`.
    Member(&'a Path<'a>, &'a str),
    /// An entry of a map: `a[b]`.
    Key(&'a Path<'a>, &'a str),
    /// An element of a list: `a[0]`.
    Index(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    pub(crate) fn member(&'a self, name: &'a str) -> Self {
        Path::Member(self, name)
    }

    pub(crate) fn key(&'a self, key: &'a str) -> Self {
        Path::Key(self, key)
    }

    pub(crate) fn index(&'a self, index: usize) -> Self {
        Path::Index(self, index)
    }

    /// The JSON pointer in the manifest.
    pub(crate) fn pointer(&self) -> String {
        match self {
            Path::Renamed(_, pointer) => (*pointer).to_owned(),
            Path::Member(parent, name) | Path::Key(parent, name) => parent.pointer() + "/" + &escaped(name),
            Path::Index(parent, index) => format!("{}/{index}", parent.pointer()),
        }
    }
}

/// A token of a JSON pointer.
pub(crate) fn escaped(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// The string behind a token of a JSON pointer.
pub(crate) fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Renamed(name, _) => f.write_str(name),
            Path::Member(parent, name) => write!(f, "{parent}.{name}"),
            Path::Key(parent, key) => write!(f, "{parent}[{key}]"),
            Path::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// The path of a field that a JSON pointer leads to, as servers write it: `spec.versions[0].name`.
pub(crate) fn field(pointer: &str) -> String {
    let parts = pointer.split('/').skip(1).map(|token| match token.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!(".{}", unescaped(token)),
    });
    let field: String = parts.collect();
    field.trim_start_matches('.').to_owned()
}
