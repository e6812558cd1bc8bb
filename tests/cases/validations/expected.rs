// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/mod.rs
pub use scaler::Scaler;
pub use scaler_parts::ScalerParts;
pub use scaler_spec::ScalerSpec;

// file: src/spec/types/scaler.rs
/// Has rules for all of it.
///
/// Rule `self.min <= self.max`: min must not exceed max
///
/// Rule `!has(oldSelf.name) || self.name == oldSelf.name`: message `'name was ' + oldSelf.name`
///
/// Schema `Scaler`.
#[derive(Clone, Default, PartialEq)]
pub struct Scaler {
    /// The least.
    ///
    /// Rule `self >= 0`: must not be negative
    pub min: Option<i32>,
    /// Rule `self <= 100`
    pub max: Option<i32>,
    /// Cannot change.
    ///
    /// Rule `` self == oldSelf || self.matches('^`.*`$') ``: is immutable, and \[not\](a link) or two lines
    pub name: Option<String>,
    /// Rule `size(self.a) < 3 && self.a.all(x, x > 0)`: few and positive
    pub spec: Option<Box<ScalerSpec>>,
    /// `broken`.
    pub broken: Option<String>,
    /// Some names.
    ///
    /// Rule `size(self) < 9`
    ///
    /// Each element: Rule `self != ''`: must not be empty
    ///
    /// Each element: Rule `size(self) < 9`
    pub names: Option<Vec<String>>,
    /// Each value: Rule `self > 0`
    pub limits: Option<BTreeMap<String, i64>>,
    /// Each value: Rule `size(self) < 9`
    ///
    /// Each element of each value: Rule `self != ''`
    pub deep: Option<BTreeMap<String, Vec<String>>>,
    /// Each element: Rule `self.a > 0`
    pub parts: Option<Vec<ScalerParts>>,
}
static TABLE: codec::Table =
    codec::Table::new("Scaler", "! min max name spec broken names limits deep parts");

// file: src/spec/types/scaler_parts.rs
/// Schema `Scaler/properties/parts/items`.
#[derive(Clone, Default, PartialEq)]
pub struct ScalerParts {
    /// `a`.
    pub a: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("ScalerParts", "! a");

// file: src/spec/types/scaler_spec.rs
/// Schema `Scaler/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct ScalerSpec {
    /// `a`.
    pub a: Option<Vec<i64>>,
}
static TABLE: codec::Table =
    codec::Table::new("ScalerSpec", "! a");

