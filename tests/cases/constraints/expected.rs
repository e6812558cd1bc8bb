// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/mod.rs
pub use source::Source;
pub use source_at_most::SourceAtMost;
pub use source_exactly::SourceExactly;
pub use source_optional::SourceOptional;
/// Schema `Source/properties/none`, which is the same as that of `SourceAtMost`.
pub use source_at_most::SourceAtMost as SourceNone;
/// Schema `Source/properties/together`, which is the same as that of `SourceAtMost`.
pub use source_at_most::SourceAtMost as SourceTogether;

// file: src/spec/types/source.rs
/// Exactly one of its members, but for some.
///
/// Not all of `git`, `http` are set.
///
/// Matches at least one of `{"required":["git"]}`, `{"not":{"required":["name"]}}`.
///
/// At least one of `git`, `http` is set.
///
/// Matches exactly one of `{"required":["git"],"not":{"required":["http"]}}`,
/// `{"properties":{"http":{"pattern":"^https"}},"required":["http"]}`.
///
/// Has no `nothing`.
///
/// Schema `Source`.
#[derive(Clone, Default, PartialEq)]
pub struct Source {
    /// At least 1 character.
    ///
    /// Matches at least one of `{"pattern":"^ssh"}`, `{"pattern":"^https"}`.
    pub git: Option<String>,
    /// Does not match `{"pattern":" "}`.
    pub http: Option<String>,
    /// At most 63 characters.
    ///
    /// Matches `^[a-z]+$`.
    ///
    /// Matches exactly one of `{"format":"ipv4"}`, `{"format":"ipv6"}`.
    pub name: Option<String>,
    /// Matches at least one of `{"minimum":1024}`, `{"enum":[80,443]}`.
    pub number: Option<i32>,
    /// Matches exactly one of `{"minItems":1}`, `{"maxItems":0}`.
    pub list: Option<Vec<String>>,
    /// Matches at least one of `{"minProperties":1}`, `{"maxProperties":0}`.
    pub map: Option<BTreeMap<String, String>>,
    /// At least one of `a`, `b` is set.
    ///
    /// Apply replaces the whole value.
    pub untyped: Option<RawJson>,
    /// Has `a`.
    ///
    /// Has `b`.
    ///
    /// Apply replaces the whole value.
    pub free: Option<RawJson>,
    /// Does not match `{"type":"string"}`.
    ///
    /// Apply replaces the whole value.
    pub never: Option<RawJson>,
    /// Exactly one of `a`, `b` with `c` is set.
    pub exactly: Option<Box<SourceExactly>>,
    /// At most one of `a`, `b` is set.
    pub at_most: Option<Box<SourceAtMost>>,
    /// That of one member says nothing.
    pub optional: Option<Box<SourceOptional>>,
    /// Has `a`.
    ///
    /// Has `b`.
    ///
    /// Not all of `a`, `b` are set.
    pub together: Option<Box<SourceTogether>>,
    /// None of `a`, `b` is set.
    pub none: Option<Box<SourceNone>>,
    /// Each element: Format `uri`.
    ///
    /// Each element: Matches at least one of `{"pattern":"^http"}`, `{"pattern":"^file"}`.
    pub elements: Option<Vec<String>>,
    /// Matches `%$`.
    pub port: Option<Int64OrString>,
    /// The document has more conditions, in `oneOf`.
    pub long: Option<String>,
    /// The document has more conditions, in `not`.
    ///
    /// Apply replaces the whole value.
    pub deep: Option<RawJson>,
}
static TABLE: codec::Table =
    codec::Table::new("Source", "! git http name number list map untyped!! free!! never!! exactly atMost optional together none \
        elements port long deep!!").merge(&[
        (6, codec::Merge::USUAL.atomic()),
        (7, codec::Merge::USUAL.atomic()),
        (8, codec::Merge::USUAL.atomic()),
        (17, codec::Merge::USUAL.atomic()),
    ]);

// file: src/spec/types/source_at_most.rs
/// Schema `Source/properties/atMost`, and 2 identical ones.
#[derive(Clone, Default, PartialEq)]
pub struct SourceAtMost {
    /// `a`.
    pub a: Option<String>,
    /// `b`.
    pub b: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("SourceAtMost", "! a b");

// file: src/spec/types/source_exactly.rs
/// Schema `Source/properties/exactly`.
#[derive(Clone, Default, PartialEq)]
pub struct SourceExactly {
    /// `a`.
    pub a: Option<String>,
    /// `b`.
    pub b: Option<String>,
    /// `c`.
    pub c: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("SourceExactly", "! a b c");

// file: src/spec/types/source_optional.rs
/// That of one member says nothing.
///
/// Schema `Source/properties/optional`.
#[derive(Clone, Default, PartialEq)]
pub struct SourceOptional {
    /// `a`.
    pub a: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("SourceOptional", "! a");

