//! An API as data: the operations and kinds of a generated crate.

use crate::codec::Object;
#[cfg(feature = "change")]
use crate::codec::schema::Schema;
use crate::kind::Kind;
use crate::operation::Operation;
use std::fmt;

/// The operations and kinds of a generated crate, as its constant `API` lists them.
///
/// It is the input of a [`Router`](crate::route::Router), and of programs that work with kinds that they do not name.
/// A crate that never mentions its constant has none of it in the binary.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Api {
    /// All operations, those of the enabled features.
    pub operations: &'static [Operation],
    /// All kinds, those of the enabled features. Lists are kinds, too.
    pub kinds: &'static [ApiKind],
}

/// A kind as a value, rather than as a type that has [`Kind`].
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ApiKind {
    /// Group, empty for core.
    pub group: &'static str,
    /// Version, such as `v1`.
    pub version: &'static str,
    /// Kind, such as `Pod`.
    pub kind: &'static str,
    /// Makes an object of the kind without any member, not even `apiVersion` and `kind`.
    pub empty: fn() -> Box<dyn Object>,
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
        self.kinds.iter().find(|known| (known.group, known.version, known.kind) == (group, version, kind))
    }
}

impl ApiKind {
    /// The kind that a type has.
    #[must_use]
    pub const fn of<T: Kind + 'static>() -> Self {
        Self { group: T::GROUP, version: T::VERSION, kind: T::KIND, empty: || Box::new(T::empty()) }
    }

    /// The structure of the kind, by which objects are changed as trees.
    #[cfg(feature = "change")]
    #[must_use]
    pub fn schema(&self) -> Schema {
        Schema::of_empty((self.empty)().as_mut())
    }
}

impl fmt::Debug for ApiKind {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, version, kind, .. } = self;
        f.debug_struct("ApiKind").field("group", group).field("version", version).field("kind", kind).finish()
    }
}
