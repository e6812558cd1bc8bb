//! A change of a definition, and the parties that it affects.

/// A change of a definition that breaks clients, stored objects, or both.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DefinitionChange {
    /// The definition by its plural name and group, such as `widgets.example.com`.
    pub resource: String,
    /// The version. `None` for properties of all versions.
    pub version: Option<String>,
    /// The path of the field in objects, such as `spec.ports[].name`: `[]` are elements, `.*` is
    /// any entry of a map. Empty for the object as a whole.
    pub field: String,
    /// The kind of change.
    pub kind: DefinitionChangeKind,
    /// The state before: a type, a bound, a rule. `None` where there was none.
    pub old: Option<String>,
    /// The new state. `None` if it was removed or has none.
    pub new: Option<String>,
}

/// The parties that a change affects: clients, stored objects, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Affected {
    /// Requests that were valid are refused, or mean something else.
    Clients,
    /// Stored objects become invalid, lose members, or cannot be read.
    Objects,
    /// Both.
    Both,
}

/// The kind of a change of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DefinitionChangeKind {
    /// The definition was removed.
    Removed,
    /// Objects moved into or out of namespaces.
    ScopeChanged,
    /// Objects have another kind.
    KindChanged,
    /// Lists have another kind.
    ListKindChanged,
    /// The version is no longer served.
    VersionUnserved,
    /// The version in which objects were stored is gone.
    StorageRemoved,
    /// Objects are stored in another version.
    StorageChanged,
    /// There is a subresource `status`: writes of the object no longer change its status.
    StatusAdded,
    /// No webhook converts objects any more: versions differ only in `apiVersion`.
    ConversionRemoved,
    /// The subresource `status` is gone.
    StatusRemoved,
    /// The subresource `scale` is gone.
    ScaleRemoved,
    /// The subresource `scale` has other paths.
    ScaleChanged,
    /// Field selectors may not name the field any more.
    SelectableRemoved,
    /// The field is gone: servers drop it.
    FieldRemoved,
    /// Unknown members are no longer kept.
    UnknownPruned,
    /// The field has another type.
    TypeChanged,
    /// The field is required, and has no default.
    RequiredAdded,
    /// The field may not be `null` any more.
    NullableRemoved,
    /// An absent field has a value.
    DefaultAdded,
    /// An absent field has another value.
    DefaultChanged,
    /// An absent field stays absent.
    DefaultRemoved,
    /// Fewer values are allowed.
    EnumNarrowed,
    /// There is a pattern, or another one.
    PatternChanged,
    /// There is a format, or another one.
    FormatChanged,
    /// A bound is new or narrower.
    BoundNarrowed,
    /// A list is merged in another way, or its elements must be distinct.
    ListTypeChanged,
    /// Elements of a list are distinguished by other keys.
    ListKeysChanged,
    /// An object is merged in another way.
    MapTypeChanged,
    /// An embedded object must have `apiVersion` and `kind`.
    EmbeddedAdded,
    /// `allOf`, `anyOf`, `oneOf` or `not` is new or another one.
    AlternativesChanged,
    /// There is a new rule.
    RuleAdded,
    /// A rule is another one.
    RuleChanged,
}

impl DefinitionChangeKind {
    /// All kinds of change.
    pub const ALL: [Self; 32] = [
        Self::Removed,
        Self::ScopeChanged,
        Self::KindChanged,
        Self::ListKindChanged,
        Self::VersionUnserved,
        Self::StorageRemoved,
        Self::StorageChanged,
        Self::StatusAdded,
        Self::StatusRemoved,
        Self::ConversionRemoved,
        Self::ScaleRemoved,
        Self::ScaleChanged,
        Self::SelectableRemoved,
        Self::FieldRemoved,
        Self::UnknownPruned,
        Self::TypeChanged,
        Self::RequiredAdded,
        Self::NullableRemoved,
        Self::DefaultAdded,
        Self::DefaultChanged,
        Self::DefaultRemoved,
        Self::EnumNarrowed,
        Self::PatternChanged,
        Self::FormatChanged,
        Self::BoundNarrowed,
        Self::ListTypeChanged,
        Self::ListKeysChanged,
        Self::MapTypeChanged,
        Self::EmbeddedAdded,
        Self::AlternativesChanged,
        Self::RuleAdded,
        Self::RuleChanged,
    ];

    /// The name of the kind in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::ScopeChanged => "scope-changed",
            Self::KindChanged => "kind-changed",
            Self::ListKindChanged => "list-kind-changed",
            Self::VersionUnserved => "version-unserved",
            Self::StorageRemoved => "storage-removed",
            Self::StorageChanged => "storage-changed",
            Self::StatusAdded => "status-added",
            Self::StatusRemoved => "status-removed",
            Self::ConversionRemoved => "conversion-removed",
            Self::ScaleRemoved => "scale-removed",
            Self::ScaleChanged => "scale-changed",
            Self::SelectableRemoved => "selectable-removed",
            Self::FieldRemoved => "field-removed",
            Self::UnknownPruned => "unknown-pruned",
            Self::TypeChanged => "type-changed",
            Self::RequiredAdded => "required-added",
            Self::NullableRemoved => "nullable-removed",
            Self::DefaultAdded => "default-added",
            Self::DefaultChanged => "default-changed",
            Self::DefaultRemoved => "default-removed",
            Self::EnumNarrowed => "enum-narrowed",
            Self::PatternChanged => "pattern-changed",
            Self::FormatChanged => "format-changed",
            Self::BoundNarrowed => "bound-narrowed",
            Self::ListTypeChanged => "list-type-changed",
            Self::ListKeysChanged => "list-keys-changed",
            Self::MapTypeChanged => "map-type-changed",
            Self::EmbeddedAdded => "embedded-added",
            Self::AlternativesChanged => "alternatives-changed",
            Self::RuleAdded => "rule-added",
            Self::RuleChanged => "rule-changed",
        }
    }

    /// The parties that a change of this kind affects.
    #[must_use]
    pub fn affects(self) -> Affected {
        match self {
            Self::ListKindChanged
            | Self::VersionUnserved
            | Self::StatusAdded
            | Self::StatusRemoved
            | Self::ScaleRemoved
            | Self::ScaleChanged
            | Self::SelectableRemoved
            | Self::DefaultAdded
            | Self::DefaultChanged
            | Self::DefaultRemoved
            | Self::MapTypeChanged => Affected::Clients,
            Self::StorageRemoved | Self::StorageChanged => Affected::Objects,
            _ => Affected::Both,
        }
    }
}

impl Affected {
    /// The name in reports and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clients => "clients",
            Self::Objects => "objects",
            Self::Both => "clients, objects",
        }
    }
}
