// file: notes.txt
note    spec.yaml#/components/schemas/Defaults/properties/wrongObject: its default does not fit its type: expected a string, found `{}`; an object in which a server sets it cannot be decoded: correct the default or the type
note    spec.yaml#/components/schemas/Defaults/properties/wrongText: its default does not fit its type: expected an integer of 64 bits, found `"text"`; an object in which a server sets it cannot be decoded: correct the default or the type
note    spec.yaml#/components/schemas/Defaults/properties/wrongWidth: its default does not fit its type: expected an integer of 32 bits, found `8589934592`; an object in which a server sets it cannot be decoded: correct the default or the type
note    spec.yaml#/components/schemas/Defaults/properties/wrongPort: its default does not fit its type: expected an integer of 32 bits or a string, found `8589934592`; an object in which a server sets it cannot be decoded: correct the default or the type
note    spec.yaml#/components/schemas/Defaults/properties/wrongElements: its default does not fit its type: expected an integer of 64 bits, found `["x"]`; an object in which a server sets it cannot be decoded: correct the default or the type

// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/defaults.rs
/// A default of every type, right and wrong.
///
/// Schema `Defaults`.
#[derive(Clone, Default, PartialEq)]
pub struct Defaults {
    /// `name`.
    pub name: String,
    /// Default `TCP`.
    pub protocol: Option<String>,
    /// Default `0`.
    pub count: Option<i32>,
    /// Default `86400`.
    pub ttl: Option<i64>,
    /// Default `0.5`.
    pub ratio: Option<f64>,
    /// Default `false`.
    pub enabled: Option<bool>,
    /// Default `[]`.
    pub list: Option<Vec<String>>,
    /// Default `{}`.
    pub map: Option<BTreeMap<String, i64>>,
    /// Default `{"name":"x"}`.
    pub object: Option<Box<Inner>>,
    /// Default `{}`.
    pub wrong_object: Option<String>,
    /// Default `text`.
    pub wrong_text: Option<i64>,
    /// Default `8589934592`.
    pub wrong_width: Option<i32>,
    /// Default `8589934592`.
    pub wrong_port: Option<IntOrString>,
    /// Default `[{"n":1},{"n":["x"]}]`.
    pub wrong_elements: Option<Vec<DefaultsWrongElements>>,
    /// Default `1000.0`.
    pub whole_float: Option<i32>,
    /// `nothing`.
    pub nothing: Option<String>,
    /// One of `A`, `B`.
    ///
    /// Default `A`.
    pub choice: Option<DefaultsChoice>,
}
static TABLE: codec::Table =
    codec::Table::new("Defaults", "! name! protocol count ttl ratio enabled list map object wrongObject wrongText wrongWidth \
        wrongPort wrongElements wholeFloat nothing choice");

// file: src/spec/types/defaults_choice.rs
/// Schema `Defaults/properties/choice`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DefaultsChoice {
    /// `A`
    A,
    /// `B`
    B,
    /// A value that the document does not list.
    Other(String),
}
impl DefaultsChoice {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::A => "A",
            Self::B => "B",
}
impl From<&str> for DefaultsChoice
            "A" => Self::A,
            "B" => Self::B,
kapigen_runtime::__private::open_enum!(DefaultsChoice);

// file: src/spec/types/defaults_wrong_elements.rs
/// Schema `Defaults/properties/wrongElements/items`.
#[derive(Clone, Default, PartialEq)]
pub struct DefaultsWrongElements {
    /// `n`.
    pub n: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("DefaultsWrongElements", "! n");

// file: src/spec/types/inner.rs
/// An object.
///
/// Schema `Inner`.
#[derive(Clone, Default, PartialEq)]
pub struct Inner {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Inner", "! name");

// file: src/spec/types/mod.rs
pub use defaults::Defaults;
pub use defaults_choice::DefaultsChoice;
pub use defaults_wrong_elements::DefaultsWrongElements;
pub use inner::Inner;

