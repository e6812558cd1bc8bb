//! An API as data: the operations and kinds of a generated crate.

use crate::kind::Kind;
use crate::operation::Operation;

/// The operations and kinds of a generated crate, as its constant `API` lists them.
///
/// It is the input of a [`Router`](crate::route::Router), and of programs that work with kinds that
/// they do not name. A crate that never mentions its constant has none of it in the binary.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Api {
    /// All operations of the enabled features.
    pub operations: &'static [Operation],
    /// All kinds of the enabled features. Lists are kinds, too.
    pub kinds: &'static [ApiKind],
}

/// A kind as a value, rather than as a type that has [`Kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiKind {
    /// Group, empty for core.
    pub group: &'static str,
    /// Version, such as `v1`.
    pub version: &'static str,
    /// Kind, such as `Pod`.
    pub kind: &'static str,
}

impl Api {
    /// Puts an API together. The constant `API` of a generated crate is made so.
    #[must_use]
    pub const fn new(operations: &'static [Operation], kinds: &'static [ApiKind]) -> Self {
        Self { operations, kinds }
    }

    /// The kind with this group, version and name.
    #[must_use]
    #[inline]
    pub fn kind(&self, group: &str, version: &str, kind: &str) -> Option<&'static ApiKind> {
        self.kinds
            .iter()
            .find(|known| (known.group, known.version, known.kind) == (group, version, kind))
    }
}

impl ApiKind {
    /// The kind that a type has.
    #[must_use]
    pub const fn of<T: Kind>() -> Self {
        Self { group: T::GROUP, version: T::VERSION, kind: T::KIND }
    }
}
