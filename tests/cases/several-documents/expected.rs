// file: src/apps_v1/mod.rs
//! `apps/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/apps_v1/types/app.rs
/// Refers to other documents in every way.
///
/// Schema `com.example.apps.v1.App`.
#[derive(Clone, Default, PartialEq)]
pub struct App {
    /// A part.
    pub near: Option<Box<Part>>,
    /// The same name in another version.
    pub beside: Option<Box<crate::apps_v2::App>>,
    /// Used from elsewhere.
    pub above: Option<Box<Label>>,
    /// Prose of its own.
    pub around: Option<Box<Label>>,
    /// `inside`.
    pub inside: Option<Box<AppInside>>,
    /// Here in these words.
    pub shared: Option<Box<Shared>>,
}
static TABLE: codec::Table =
    codec::Table::new("App", "! near beside above around inside shared");

// file: src/apps_v1/types/mod.rs
pub use app::App;
pub use part::Part;

// file: src/apps_v1/types/part.rs
/// A part.
///
/// Schema `com.example.apps.v1.Part`.
#[derive(Clone, Default, PartialEq)]
pub struct Part {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Part", "! name");

// file: src/apps_v2/mod.rs
//! `apps/v2`: types, and a module of requests for each resource.
pub use types::*;

// file: src/apps_v2/types/app.rs
/// The same name in another version.
///
/// Schema `com.example.apps.v2.App`.
#[derive(Clone, Default, PartialEq)]
pub struct App {
    /// Refers to other documents in every way.
    pub old: Option<Box<crate::apps_v1::App>>,
    /// Here in these words.
    pub shared: Option<Box<Shared>>,
}
static TABLE: codec::Table =
    codec::Table::new("App", "! old shared");

// file: src/apps_v2/types/mod.rs
pub use app::App;

// file: src/common_v1/mod.rs
//! `common/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/common_v1/types/app_inside.rs
/// Schema `com.example.common.v1.Label/properties/inner`.
#[derive(Clone, Default, PartialEq)]
pub struct AppInside {
    /// `deep`.
    pub deep: Option<bool>,
}
static TABLE: codec::Table =
    codec::Table::new("AppInside", "! deep");

// file: src/common_v1/types/label.rs
/// Used from elsewhere.
///
/// Schema `com.example.common.v1.Label`.
#[derive(Clone, Default, PartialEq)]
pub struct Label {
    /// `inner`.
    pub inner: Option<Box<AppInside>>,
}
static TABLE: codec::Table =
    codec::Table::new("Label", "! inner");

// file: src/common_v1/types/mod.rs
pub use app_inside::AppInside;
pub use label::Label;
pub use shared::Shared;

// file: src/common_v1/types/shared.rs
/// Here in these words.
///
/// Schema `com.example.common.v1.Shared`.
#[derive(Clone, Default, PartialEq)]
pub struct Shared {
    /// Here.
    pub description: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Shared", "! description");

