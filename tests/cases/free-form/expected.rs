// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/holder.rs
/// All of them as members.
///
/// Schema `Holder`.
#[derive(Clone, Default, PartialEq)]
pub struct Holder {
    /// A struct without members.
    pub nothing: Option<Box<Nothing>>,
    /// A struct without members.
    pub required_nothing: Nothing,
    /// No type at all.
    ///
    /// Apply replaces the whole value.
    pub anything: Option<RawJson>,
    /// Says what it is not, which says nothing of what it is.
    ///
    /// Apply replaces the whole value.
    pub constrained: Option<RawJson>,
    /// `requiredAny`.
    ///
    /// Apply replaces the whole value.
    pub required_any: RawJson,
    /// `object`.
    ///
    /// Apply replaces the whole value.
    pub object: Option<RawJson>,
    /// `closed`.
    ///
    /// Apply replaces the whole value.
    pub closed: Option<RawJson>,
    /// `open`.
    pub open: Option<BTreeMap<String, RawJson>>,
    /// `openMap`.
    ///
    /// Apply replaces each value as a whole.
    pub open_map: Option<BTreeMap<String, RawJson>>,
    /// `openList`.
    pub open_list: Option<Vec<RawJson>>,
    /// `noMembers`.
    ///
    /// Apply replaces the whole value.
    pub no_members: Option<RawJson>,
    /// Arbitrary JSON, usually an object with its own `kind` and `apiVersion`, whose schema is defined by
    /// the component that consumes it.
    ///
    /// Apply replaces the whole value.
    pub raw: Option<RawExtension>,
}
static TABLE: codec::Table =
    codec::Table::new("Holder", "! nothing requiredNothing! anything constrained requiredAny!!! object!! closed!! open openMap \
        openList noMembers!! raw").merge(&[
        (2, codec::Merge::USUAL.atomic()),
        (3, codec::Merge::USUAL.atomic()),
        (4, codec::Merge::USUAL.atomic()),
        (5, codec::Merge::USUAL.atomic()),
        (6, codec::Merge::USUAL.atomic()),
        (8, codec::Merge::USUAL.atomic_values()),
        (10, codec::Merge::USUAL.atomic()),
        (11, codec::Merge::USUAL.atomic()),
    ]);

// file: src/spec/types/mod.rs
pub use holder::Holder;
pub use nothing::Nothing;

// file: src/spec/types/nothing.rs
/// A struct without members.
///
/// Schema `Nothing`.
#[derive(Clone, Default, PartialEq)]
pub struct Nothing {
}
static TABLE: codec::Table =
    codec::Table::new("Nothing", "");

