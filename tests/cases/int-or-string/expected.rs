// file: notes.txt
note    spec.yaml#/components/schemas/Budget/properties/fraction: its default does not fit its type: expected an integer of 64 bits or a string, found `1.5`; an object in which a server sets it cannot be decoded: correct the default or the type

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
    pub required: Int64OrString,
    /// `anyOf`.
    pub any_of: Option<Int64OrString>,
    /// Matches `^[0-9]+%?$`.
    pub all_of: Option<Int64OrString>,
    /// A quantity of a custom resource.
    ///
    /// Matches `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))$`.
    pub pattern: Option<Int64OrString>,
    /// `oldFormat`.
    pub old_format: Option<IntOrString>,
    /// `newFormat`.
    pub new_format: Option<IntOrString>,
    /// Either a 32-bit integer or a string, and plain JSON of that type on the wire: say a port by number
    /// or by name, or a count or a percentage such as `25%`. `80` and `"80"` are different values.
    pub named: Option<IntOrString>,
    /// `list`.
    pub list: Option<Vec<Int64OrString>>,
    /// `map`.
    pub map: Option<BTreeMap<String, Int64OrString>>,
    /// Default `25%`.
    pub defaulted: Option<Int64OrString>,
    /// Default `8589934592`.
    pub large: Option<Int64OrString>,
    /// Default `1.0`.
    pub choice: Option<Int64OrString>,
    /// At most 9 characters.
    ///
    /// Matches exactly one of `{"type":"integer","format":"int64"}`, `{"type":"string","enum":["auto"]}`.
    pub exclusive: Option<Int64OrString>,
    /// `formatOfInteger`.
    pub format_of_integer: Option<Int64OrString>,
    /// No server takes this default.
    ///
    /// Default `1.5`.
    pub fraction: Option<Int64OrString>,
}
static TABLE: codec::Table =
    codec::Table::new("Budget", "! required! anyOf allOf pattern oldFormat newFormat named list map defaulted large choice \
        exclusive formatOfInteger fraction");

// file: src/spec/types/mod.rs
pub use budget::Budget;

