//! Merge rules: how servers combine two values of a member.

/// The rule by which servers merge a member that is applied or patched, where it is not the usual one.
///
/// The usual way replaces a list as a whole, and merges objects and maps entry by entry.
#[derive(Clone, Copy, Debug)]
pub struct Merge {
    /// The rule of server-side apply.
    pub list: ListType,
    /// The rule of a strategic merge patch.
    pub patch: PatchStrategy,
    /// Whether a strategic merge patch may name the members to retain.
    pub retains_keys: bool,
}

/// The rule by which server-side apply merges a member.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ListType {
    /// As usual for its type.
    Usual,
    /// As one value.
    Atomic,
    /// As a set of scalars.
    Set,
    /// As objects that are identified by these members, each with its default as JSON; `""` is no default.
    Map(&'static [(&'static str, &'static str)]),
}

/// The rule by which a strategic merge patch changes a member.
#[derive(Clone, Copy, Debug)]
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

    /// The members that identify the elements of a list, by either rule.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static str> {
        let several: &[_] = if let ListType::Map(keys) = self.list { keys } else { &[] };
        let one = if let PatchStrategy::Merge(key) = self.patch { key } else { "" };
        several.iter().map(|(key, _)| *key).chain([one].into_iter().filter(|key| !key.is_empty()))
    }

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
