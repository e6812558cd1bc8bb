//! Merge rules: how servers combine two values of a member.

/// How servers merge a member when a change of it is applied or patched, where that is not the usual way.
///
/// The usual way replaces a list as a whole, and merges objects and maps entry by entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    /// How server-side apply sees the member.
    pub list: ListType,
    /// What a strategic merge patch does to the member.
    pub patch: PatchStrategy,
    /// Whether a strategic merge patch may name the members to retain.
    pub retains_keys: bool,
}

/// How server-side apply sees a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListType {
    /// As usual for its type.
    Usual,
    /// As one value, whatever its parts are.
    Atomic,
    /// As a set of scalars.
    Set,
    /// As objects that are told apart by these members, each with its default as JSON; `""` is no default.
    Map(&'static [(&'static str, &'static str)]),
}

/// What a strategic merge patch does to a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchStrategy {
    /// As usual for its type.
    Usual,
    /// Replaces an object as a whole.
    Replace,
    /// Merges the elements of a list: objects by this member, scalars as a set if it is empty.
    Merge(&'static str),
}

impl Merge {
    /// The usual way.
    pub const USUAL: Self = Self { list: ListType::Usual, patch: PatchStrategy::Usual, retains_keys: false };

    /// Apply replaces the whole value.
    #[must_use]
    pub const fn atomic(self) -> Self {
        Self { list: ListType::Atomic, ..self }
    }

    /// Apply merges the elements as a set.
    #[must_use]
    pub const fn set(self) -> Self {
        Self { list: ListType::Set, ..self }
    }

    /// Apply merges the elements by these members. Each has its default as JSON, or `""`.
    #[must_use]
    pub const fn map(self, keys: &'static [(&'static str, &'static str)]) -> Self {
        Self { list: ListType::Map(keys), ..self }
    }

    /// A strategic merge patch merges the elements by this member, or as a set of scalars if it is `""`.
    #[must_use]
    pub const fn patch_by(self, key: &'static str) -> Self {
        Self { patch: PatchStrategy::Merge(key), ..self }
    }

    /// A strategic merge patch replaces the whole object.
    #[must_use]
    pub const fn patch_replaces(self) -> Self {
        Self { patch: PatchStrategy::Replace, ..self }
    }

    /// A strategic merge patch may name the members to retain.
    #[must_use]
    pub const fn retains_keys(self) -> Self {
        Self { retains_keys: true, ..self }
    }
}
