//! How servers merge changes of lists and objects.

/// The way in which server-side apply merges a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListType {
    /// It is replaced as a whole.
    #[default]
    Atomic,
    /// Its elements are distinct scalars.
    Set,
    /// Its elements are distinguished by some of their members.
    Map,
}

/// The way in which server-side apply merges an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MapType {
    /// It is replaced as a whole.
    Atomic,
    /// Its members are merged one by one.
    Granular,
}

/// One of the ways in which a strategic merge patch changes a list or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatchStrategy {
    /// Elements are merged: objects by a key, scalars as a set.
    Merge,
    /// It is replaced as a whole.
    Replace,
    /// The patch may name the members that stay.
    RetainKeys,
}

impl ListType {
    /// All names, in the order in which servers list them.
    pub const NAMES: [&'static str; 3] =
        [Self::Atomic.as_str(), Self::Set.as_str(), Self::Map.as_str()];

    /// The name, such as `atomic`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Set => "set",
            Self::Map => "map",
        }
    }

    /// The list type with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Atomic, Self::Set, Self::Map].into_iter().find(|ty| ty.as_str() == name)
    }
}

impl MapType {
    /// All names, in the order in which servers list them.
    pub const NAMES: [&'static str; 2] = [Self::Atomic.as_str(), Self::Granular.as_str()];

    /// The name, such as `granular`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Granular => "granular",
        }
    }

    /// The map type with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Atomic, Self::Granular].into_iter().find(|ty| ty.as_str() == name)
    }
}

impl PatchStrategy {
    /// The name, such as `retainKeys`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::Replace => "replace",
            Self::RetainKeys => "retainKeys",
        }
    }

    /// The strategy with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Merge, Self::Replace, Self::RetainKeys].into_iter().find(|one| one.as_str() == name)
    }
}
