//! Paths of fields in an object.

use kapigen_yaml::pointer::{escape, unescape};
use std::fmt;

/// The path of a field: on the stack while an object is checked, and printed for an error alone.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Path<'a> {
    /// Where a path begins: the name of the field in the server's words, and its JSON pointer.
    Start(&'a str, &'a str),
    /// A member: `a.b`.
    Member(&'a Path<'a>, &'a str),
    /// An entry of a map: `a[b]`.
    Key(&'a Path<'a>, &'a str),
    /// An element of a list: `a[0]`.
    Index(&'a Path<'a>, usize),
}

impl Path<'static> {
    /// The object itself.
    pub const ROOT: Self = Path::Start("", "");
}

impl<'a> Path<'a> {
    #[must_use]
    pub fn member(&'a self, name: &'a str) -> Self {
        Path::Member(self, name)
    }

    #[must_use]
    pub fn key(&'a self, key: &'a str) -> Self {
        Path::Key(self, key)
    }

    #[must_use]
    pub fn index(&'a self, index: usize) -> Self {
        Path::Index(self, index)
    }

    /// The JSON pointer in the object.
    #[must_use]
    pub fn pointer(&self) -> String {
        match self {
            Path::Start(_, pointer) => (*pointer).to_owned(),
            Path::Member(parent, name) | Path::Key(parent, name) => {
                parent.pointer() + "/" + &escape(name)
            }
            Path::Index(parent, index) => format!("{}/{index}", parent.pointer()),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Start(name, _) | Path::Member(Path::Start("", _), name) => f.write_str(name),
            Path::Member(parent, name) => write!(f, "{parent}.{name}"),
            Path::Key(parent, key) => write!(f, "{parent}[{key}]"),
            Path::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// Converts a JSON pointer to the path of its field, as servers write it: `spec.versions[0].name`.
pub(crate) fn field(pointer: &str) -> String {
    let parts = pointer.split('/').skip(1).map(|token| match token.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!(".{}", unescape(token)),
    });
    let field: String = parts.collect();
    field.trim_start_matches('.').to_owned()
}
