// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/egg.rs
/// No egg without a hen.
///
/// Schema `Egg`.
#[derive(Clone, Default, PartialEq)]
pub struct Egg {
    /// No hen without an egg.
    pub hen: Option<Box<Hen>>,
    /// Holds nothing of the circle, so it stands in the egg.
    pub shell: Shell,
}
static TABLE: codec::Table =
    codec::Table::new("Egg", "! hen shell!");

// file: src/spec/types/hen.rs
/// No hen without an egg.
///
/// Schema `Hen`.
#[derive(Clone, Default, PartialEq)]
pub struct Hen {
    /// No egg without a hen.
    pub egg: Option<Box<Egg>>,
}
static TABLE: codec::Table =
    codec::Table::new("Hen", "! egg");

// file: src/spec/types/mod.rs
pub use egg::Egg;
pub use hen::Hen;
pub use self_::Self_;
pub use shell::Shell;
pub use tree::Tree;

// file: src/spec/types/self_.rs
/// Required to hold itself, which nothing can.
///
/// Schema `Self`.
#[derive(Clone, Default, PartialEq)]
pub struct Self_ {
    /// Required to hold itself, which nothing can.
    pub self_: Option<Box<super::Self_>>,
}
static TABLE: codec::Table =
    codec::Table::new("Self_", "! self");

// file: src/spec/types/shell.rs
/// Holds nothing of the circle, so it stands in the egg.
///
/// Schema `Shell`.
#[derive(Clone, Default, PartialEq)]
pub struct Shell {
    /// `color`.
    pub color: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Shell", "! color");

// file: src/spec/types/tree.rs
/// A tree.
///
/// Schema `Tree`.
#[derive(Clone, Default, PartialEq)]
pub struct Tree {
    /// A tree.
    pub left: Option<Box<super::Tree>>,
    /// `children`.
    pub children: Vec<super::Tree>,
    /// `byName`.
    pub by_name: Option<BTreeMap<String, super::Tree>>,
    /// No egg without a hen.
    pub egg: Option<Box<Egg>>,
}
static TABLE: codec::Table =
    codec::Table::new("Tree", "! left children! byName egg");

