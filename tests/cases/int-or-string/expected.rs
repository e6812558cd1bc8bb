// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/budget.rs
/// Numbers or strings.
///
/// Schema `Budget`.
#[derive(Clone, Default, PartialEq)]
pub struct Budget {
    /// `required`.
    pub required: IntOrString,
    /// `anyOf`.
    pub any_of: Option<IntOrString>,
    /// Matches `^[0-9]+%?$`.
    pub all_of: Option<IntOrString>,
    /// A quantity of a custom resource.
    ///
    /// Matches `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))$`.
    pub pattern: Option<IntOrString>,
    /// `oldFormat`.
    pub old_format: Option<IntOrString>,
    /// `newFormat`.
    pub new_format: Option<IntOrString>,
    /// Either a 32-bit integer or a string, and plain JSON of that type on the wire: say a port by number
    /// or by name, or a count or a percentage such as `25%`. `80` and `"80"` are different values.
    pub named: Option<IntOrString>,
    /// `list`.
    pub list: Option<Vec<IntOrString>>,
    /// `map`.
    pub map: Option<BTreeMap<String, IntOrString>>,
    /// Default `25%`.
    pub defaulted: Option<IntOrString>,
}
static TABLE: codec::Table =
    codec::Table::new("Budget", "! required! anyOf allOf pattern oldFormat newFormat named list map defaulted");

// file: src/spec/types/mod.rs
pub use budget::Budget;

