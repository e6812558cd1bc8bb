// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/mod.rs
pub use template::Template;
pub use template_claim::TemplateClaim;
pub use template_claim_spec::TemplateClaimSpec;

// file: src/spec/types/template.rs
/// Where whole objects stand.
///
/// Schema `Template`.
#[derive(Clone, Default, PartialEq)]
pub struct Template {
    /// `any`.
    pub any: Option<RawJson>,
    /// `bare`.
    pub bare: Option<RawJson>,
    /// `most`.
    pub most: Option<RawJson>,
    /// A claim, as the definition describes it.
    pub claim: Option<Box<TemplateClaim>>,
    /// `many`.
    pub many: Option<Vec<RawJson>>,
}
static TABLE: codec::Table =
    codec::Table::new("Template", "! any!! bare!! most!! claim many");

// file: src/spec/types/template_claim.rs
/// A claim, as the definition describes it.
///
/// Schema `Template/properties/claim`.
#[derive(Clone, Default, PartialEq)]
pub struct TemplateClaim {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata`.
    pub metadata: Option<Box<ObjectMeta>>,
    /// `spec`.
    pub spec: Option<Box<TemplateClaimSpec>>,
}
static TABLE: codec::Table =
    codec::Table::new("TemplateClaim", "! apiVersion! kind! metadata spec");

// file: src/spec/types/template_claim_spec.rs
/// Schema `Template/properties/claim/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct TemplateClaimSpec {
    /// `storage`.
    pub storage: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("TemplateClaimSpec", "! storage");

