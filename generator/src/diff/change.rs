//! A change, and whether it breaks programs.

use std::fmt;

/// A change of an item of a crate, or of a part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The item.
    pub item: Item,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The part of the item that has changed: a field, a variant or a query parameter, by its name
    /// in Rust. `None` for the item as a whole.
    pub part: Option<String>,
    /// The part's name in JSON or in the query.
    pub wire: Option<String>,
    /// Its state before: a type, a name, a signature. `None` where there was none.
    pub old: Option<String>,
    /// Its new state. `None` if it was removed or has none.
    pub new: Option<String>,
    /// Whether a crate that is generated over the older one keeps the old state. `None`: nobody
    /// asked, or it breaks nothing.
    pub held: Option<bool>,
}

/// An item of a crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// Its path from the root of the crate, such as `core_v1::Pod`.
    pub path: String,
    /// The kind of item.
    pub kind: ItemKind,
}

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemKind {
    /// A module, which is a Cargo feature too.
    Module,
    /// A struct that a schema becomes.
    Struct,
    /// An open enum.
    Enum,
    /// A struct of query parameters.
    Parameters,
    /// A function that builds a request.
    Function,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The item is gone.
    Removed,
    /// The type of a schema has another name or module.
    Renamed,
    /// A name of a type that several schemas shared denotes a type of its own now: values of the
    /// other no longer fit.
    Split,
    /// A name denotes the type of another name now. Programs that implement a trait of theirs for
    /// both no longer compile; all others do.
    Joined,
    /// A struct is an enum now, or the other way round.
    ShapeChanged,
    /// The item is new.
    Added,
    /// Objects state another `apiVersion` or `kind`, or their type no longer implements `Kind`.
    KindChanged,
    /// The type implements `Kind`.
    KindAdded,
    /// Objects of the kind moved into or out of namespaces, are served under another plural, or no
    /// longer by themselves.
    RoleChanged,
    /// Objects of the kind have a path of their own now, or the list of a kind has a trait.
    RoleAdded,
    /// A field is gone.
    FieldRemoved,
    /// The field of a property has another name.
    FieldRenamed,
    /// The field of a property has another type.
    FieldTypeChanged,
    /// A field became an `Option`, or is one no longer.
    OptionalityChanged,
    /// There is a new field. Programs that end their struct literals with `..Default::default()`
    /// still compile.
    FieldAdded,
    /// There is a new field that servers require.
    RequiredFieldAdded,
    /// A known value of an enum is gone.
    ValueRemoved,
    /// The variant of a value has another name.
    ValueRenamed,
    /// There is a new variant for a value that was decoded as `Other` before.
    ValueAdded,
    /// The arguments or the response of a function are of other types.
    SignatureChanged,
    /// A function no longer sends a query parameter: requests that set it are refused.
    QueryParameterRemoved,
    /// A function sends one more query parameter.
    QueryParameterAdded,
    /// A function sends another method or path.
    RequestChanged,
    /// The document advises against it now.
    Deprecated,
    /// The document no longer advises against it.
    Undeprecated,
    /// Servers merge changes of a list or a map in another way.
    MergeChanged,
}

impl ItemKind {
    /// The kind in a word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Parameters => "parameters",
            Self::Function => "function",
        }
    }
}

impl ChangeKind {
    /// All kinds of change.
    pub const ALL: [Self; 26] = [
        Self::Removed,
        Self::Renamed,
        Self::Split,
        Self::Joined,
        Self::ShapeChanged,
        Self::Added,
        Self::KindChanged,
        Self::KindAdded,
        Self::RoleChanged,
        Self::RoleAdded,
        Self::FieldRemoved,
        Self::FieldRenamed,
        Self::FieldTypeChanged,
        Self::OptionalityChanged,
        Self::FieldAdded,
        Self::RequiredFieldAdded,
        Self::ValueRemoved,
        Self::ValueRenamed,
        Self::ValueAdded,
        Self::SignatureChanged,
        Self::QueryParameterRemoved,
        Self::QueryParameterAdded,
        Self::RequestChanged,
        Self::Deprecated,
        Self::Undeprecated,
        Self::MergeChanged,
    ];

    /// The name of the kind in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Renamed => "renamed",
            Self::Split => "split",
            Self::Joined => "joined",
            Self::ShapeChanged => "shape-changed",
            Self::Added => "added",
            Self::KindChanged => "kind-changed",
            Self::KindAdded => "kind-added",
            Self::RoleChanged => "role-changed",
            Self::RoleAdded => "role-added",
            Self::FieldRemoved => "field-removed",
            Self::FieldRenamed => "field-renamed",
            Self::FieldTypeChanged => "field-type-changed",
            Self::OptionalityChanged => "optionality-changed",
            Self::FieldAdded => "field-added",
            Self::RequiredFieldAdded => "required-field-added",
            Self::ValueRemoved => "value-removed",
            Self::ValueRenamed => "value-renamed",
            Self::ValueAdded => "value-added",
            Self::SignatureChanged => "signature-changed",
            Self::QueryParameterRemoved => "query-parameter-removed",
            Self::QueryParameterAdded => "query-parameter-added",
            Self::RequestChanged => "request-changed",
            Self::Deprecated => "deprecated",
            Self::Undeprecated => "undeprecated",
            Self::MergeChanged => "merge-changed",
        }
    }

    /// Whether programs that were right before may no longer compile, or may be refused.
    #[must_use]
    pub fn is_breaking(self) -> bool {
        match self {
            Self::Removed
            | Self::Renamed
            | Self::Split
            | Self::ShapeChanged
            | Self::KindChanged
            | Self::RoleChanged
            | Self::FieldRemoved
            | Self::FieldRenamed
            | Self::FieldTypeChanged
            | Self::OptionalityChanged
            | Self::RequiredFieldAdded
            | Self::ValueRemoved
            | Self::ValueRenamed
            | Self::SignatureChanged
            | Self::QueryParameterRemoved => true,
            Self::Added
            | Self::Joined
            | Self::KindAdded
            | Self::RoleAdded
            | Self::FieldAdded
            | Self::ValueAdded
            | Self::QueryParameterAdded
            | Self::RequestChanged
            | Self::Deprecated
            | Self::Undeprecated
            | Self::MergeChanged => false,
        }
    }
}

impl Change {
    /// Whether programs that were right before may no longer compile, or may be refused.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        self.kind.is_breaking()
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.as_str(), self.path)
    }
}
