// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/mod.rs
pub use planet::Planet;
pub use star::Star;
pub use star_spec::StarSpec;

// file: src/spec/types/planet.rs
/// A planet.
///
/// Schema `Planet`.
#[derive(Clone, Default, PartialEq)]
pub struct Planet {
    /// Its name.
    pub name: String,
}
static TABLE: codec::Table =
    codec::Table::new("Planet", "! name!");

// file: src/spec/types/star.rs
/// A star.
///
/// Schema `Star`.
#[derive(Clone, Default, PartialEq)]
pub struct Star {
    /// The wish.
    pub spec: StarSpec,
    /// Its only planet.
    pub planet: Option<Box<Planet>>,
    /// Its planets.
    ///
    /// Apply merges the elements by `name`. A strategic merge patch merges the elements by `name`.
    pub planets: Option<Vec<Planet>>,
    /// Required.
    pub near: Planet,
    /// A list without null.
    pub moons: Option<Vec<Planet>>,
    /// A map without null.
    pub rings: Option<BTreeMap<String, Planet>>,
    /// Of the type of the reference, in spite of what stands beside it.
    pub kind: Option<Box<StarSpec>>,
    /// Another one.
    pub other: Option<Box<Planet>>,
}
static TABLE: codec::Table =
    codec::Table::new("Star", "! spec! planet planets near! moons rings kind other").merge(&[
        (2, codec::Merge::USUAL.map(&[("name", "")]).patch_by("name")),
    ]);

// file: src/spec/types/star_spec.rs
/// The wish of a star.
///
/// Schema `StarSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct StarSpec {
    /// The size.
    pub size: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("StarSpec", "! size");

