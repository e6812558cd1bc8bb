// file: notes.txt
note    spec.yaml#/components/schemas/com.example.v1.Star: all of it but its metadata is kept as JSON, in `unknown_`: an object with members beside those in `properties`; a type needs one schema with all members: correct the document
note    spec.yaml#/components/schemas/com.example.v1.Orbit/properties/shape: its values are kept as JSON: a choice between schemas (`oneOf`, `anyOf`); a type needs one schema with all members: correct the document
note    spec.yaml#/components/schemas/com.example.v1.Orbit/properties/center: its values are kept as JSON: a choice between schemas (`oneOf`, `anyOf`); a type needs one schema with all members: correct the document
note    spec.yaml#/components/schemas/com.example.v1.Orbit/properties/period: its values are kept as JSON: unknown type `seconds`; the types of OpenAPI are string, number, integer, boolean, array and object
note    spec.yaml#/components/schemas/com.example.v1.Orbit/properties/distances/items: its values are kept as JSON: `properties` beside a schema in `additionalProperties`; a type needs one schema with all members: correct the document
note    spec.yaml#/components/schemas/com.example.v1.Orbit/properties/moons/additionalProperties: its values are kept as JSON: an object with members beside those in `properties`; a type needs one schema with all members: correct the document

// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/example_com_v1/types/mod.rs
pub use orbit::Orbit;
pub use star::Star;

// file: src/example_com_v1/types/orbit.rs
/// Schema `com.example.v1.Orbit`.
#[derive(Clone, Default, PartialEq)]
pub struct Orbit {
    /// Matches exactly one of `{"type":"string"}`, `{"type":"boolean"}`.
    ///
    /// Apply replaces the whole value.
    pub shape: RawJson,
    /// Matches at least one of `com.example.v1.Orbit`, `{"type":"string"}`.
    ///
    /// Apply replaces the whole value.
    pub center: Option<RawJson>,
    /// `period`.
    ///
    /// Apply replaces the whole value.
    pub period: Option<RawJson>,
    /// `distances`.
    pub distances: Option<Vec<RawJson>>,
    /// Each value: Matches `{"type":"object","properties":{"size":{"type":"integer"}}}`.
    ///
    /// Apply replaces each value as a whole.
    pub moons: Option<BTreeMap<String, RawJson>>,
    /// `notes`.
    pub notes: Option<RawJson>,
}
static TABLE: codec::Table =
    codec::Table::new("Orbit", "! shape!!! center!! period!! distances moons notes!!").merge(&[
        (0, codec::Merge::USUAL.atomic()),
        (1, codec::Merge::USUAL.atomic()),
        (2, codec::Merge::USUAL.atomic()),
        (4, codec::Merge::USUAL.atomic_values()),
    ]);

// file: src/example_com_v1/types/star.rs
/// A star of one of two sorts.
///
/// Matches exactly one of `{"properties":{"dwarf":{"type":"boolean"}}}`,
/// `{"properties":{"giant":{"type":"boolean"}}}`.
///
/// Kind `Star` of `example.com/v1`. Schema `com.example.v1.Star`.
#[derive(Clone, PartialEq)]
pub struct Star {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of every stored object: identity, labels, version, ownership and the state of its deletion.
    pub metadata: ObjectMeta,
}
impl Star {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Star
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Star";
    const API_VERSION: &'static str = "example.com/v1";
static TABLE: codec::Table =
    codec::Table::new("Star", "! apiVersion kind metadata!").identities(&[codec::Identity::new("example.com/v1", "Star")]);

