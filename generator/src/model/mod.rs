//! The model of the emitted crate, as plain data: no OpenAPI, no Rust tokens.

mod aliases;
pub mod boxing;
mod display;
pub mod documents;
mod externs;
mod fields;
pub mod inlining;
pub mod json_type;
mod operations;
pub mod rustc;
pub mod wellknown;

pub use aliases::Alias;
pub use externs::{ExternType, StandardParams};
pub use fields::{Field, Merge, Presence, Rule, Words};
pub use operations::{Body, Operation, Param, Resource, Response, Scope, Verb};
pub use wellknown::WellKnown;

use crate::error::{Location, Position};
use crate::names;
use std::collections::BTreeMap;
use std::fmt;
use wellknown::{META, RUNTIME};

/// The API of one crate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Api {
    /// The modules by name.
    pub modules: BTreeMap<String, Module>,
    /// The releases that the documents are of, by the names of servers.
    pub releases: BTreeMap<String, String>,
    /// Types of other crates.
    pub externs: BTreeMap<TypeId, ExternType>,
    /// The standard parameter structs by name.
    pub standard_params: BTreeMap<String, StandardParams>,
    /// Parameters that the standard structs have although no operation takes them, by the names of the structs.
    pub announced_params: BTreeMap<String, Vec<Param>>,
}

/// A module of the emitted crate: a group-version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// Group and version, as in a path. The group is empty for core.
    pub group_version: GroupVersion,
    /// The types by name.
    pub types: BTreeMap<String, TypeDef>,
    /// Further names of types, for nested schemas that are the same.
    pub aliases: BTreeMap<String, Alias>,
    /// The resources by plural name.
    pub resources: BTreeMap<String, Resource>,
}

/// A group and a version.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupVersion {
    /// The group, empty for core.
    pub group: String,
    /// The version, such as `v1`.
    pub version: String,
}

/// A group, a version and a kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupVersionKind {
    /// Group and version.
    pub group_version: GroupVersion,
    /// The kind.
    pub kind: String,
}

/// The ID of a named type: the module it is emitted to, and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeId {
    /// The crate that has the type, as it is imported. `None` for the emitted crate itself.
    pub package: Option<String>,
    /// Name of the module.
    pub module: String,
    /// Name of the type.
    pub name: String,
}

/// A named type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDef {
    /// Name of the schema, or the pointer of a nested one.
    pub schema: String,
    /// The number of other nested schemas that have the same type.
    pub copies: usize,
    /// Its description.
    pub description: Option<String>,
    /// The rules that servers check of it.
    pub rules: Vec<Rule>,
    /// Whether the document advises against it.
    pub deprecated: bool,
    /// Fields or variants.
    pub shape: Shape,
    /// Its kind, if it has one.
    pub kind: Option<Kind>,
    /// Whether server-side apply replaces its values as a whole.
    pub is_atomic: bool,
    /// Whether its functions are compiled in the crates that use it, and not in its own.
    pub is_inline: bool,
    /// The location of its schema.
    pub location: Location,
}

/// The shape of a named type.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// An object with known properties.
    Struct(Vec<Field>),
    /// A string with known values. Other values are allowed.
    Enum(Vec<Variant>),
}

/// One of the known values of an open enum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variant {
    /// Its string in JSON.
    pub wire: String,
    /// Its name in Rust.
    pub name: String,
}

/// The type of a field, an element of a list or a value of a map.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// A number of 32 bits.
    Int32,
    /// A number of 64 bits.
    Int64,
    /// Any number.
    Double,
    /// A string.
    String,
    /// A type with hand-written Rust.
    WellKnown(WellKnown),
    /// A type of this model.
    Named(TypeId),
    /// A list.
    List(Box<Type>),
    /// A map with strings as keys.
    Map(Box<Type>),
}

/// The kind of a type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The group, version and kind that a new object states.
    pub identity: GroupVersionKind,
    /// All that an object may state. Empty: anything.
    pub accepted: Vec<GroupVersionKind>,
    /// Its role.
    pub role: Role,
}

/// The role of a kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// An object with metadata that has its own path.
    Resource {
        /// Plural name in paths.
        plural: String,
        /// Whether its objects live in namespaces.
        namespaced: bool,
    },
    /// A list of such objects.
    List {
        /// The type of the items.
        item: TypeId,
    },
    /// Anything else with `apiVersion` and `kind`.
    Other,
}

impl GroupVersion {
    /// `group/version`, or just the version for core: the value of `apiVersion`.
    #[must_use]
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }
}

impl fmt::Display for TypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(package) = &self.package {
            write!(f, "{}::", names::package_ident(package))?;
        }
        write!(f, "{}::{}", self.module, self.name)
    }
}

impl TypeId {
    /// A type of the emitted crate.
    #[must_use]
    pub fn own(module: impl Into<String>, name: impl Into<String>) -> Self {
        Self { package: None, module: module.into(), name: name.into() }
    }

    /// Whether this is the shared type with this name: that of the runtime, also while the runtime itself is made.
    #[must_use]
    pub fn is_shared(&self, name: &str) -> bool {
        let in_runtime = self.package.as_deref().is_none_or(|package| package == RUNTIME);
        in_runtime && self.module == META && self.name == name
    }
}

impl Type {
    /// Calls `f` with every named type in it.
    pub fn each_named<'a>(&'a self, f: &mut dyn FnMut(&'a TypeId)) {
        match self {
            Type::Named(id) => f(id),
            Type::List(inner) | Type::Map(inner) => inner.each_named(f),
            _ => {}
        }
    }

    /// The named type in it, to change it.
    pub fn named_mut(&mut self) -> Option<&mut TypeId> {
        match self {
            Type::Named(id) => Some(id),
            Type::List(inner) | Type::Map(inner) => inner.named_mut(),
            _ => None,
        }
    }
}

impl Module {
    /// The names of the schemas that are types of it. Nested schemas have none.
    pub fn schemas(&self) -> impl Iterator<Item = &str> {
        self.types.values().filter(|def| def.is_named()).map(|def| def.schema.as_str())
    }
}

impl TypeDef {
    /// Whether its schema has a name under `components/schemas`.
    #[must_use]
    pub fn is_named(&self) -> bool {
        let Position::Pointer(pointer) = &self.location.position else { return false };
        pointer.strip_prefix("/components/schemas/").is_some_and(|name| !name.contains('/'))
    }

    /// The fields of a struct, none of an enum.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        match &self.shape {
            Shape::Struct(fields) => fields,
            Shape::Enum(_) => &[],
        }
    }

    /// The fields of a struct, to change them.
    pub fn fields_mut(&mut self) -> &mut [Field] {
        match &mut self.shape {
            Shape::Struct(fields) => fields,
            Shape::Enum(_) => &mut [],
        }
    }
}

impl Api {
    /// A type of the emitted crate by its id, or by a further name.
    #[must_use]
    pub fn get(&self, id: &TypeId) -> Option<&TypeDef> {
        if id.package.is_some() {
            return None;
        }
        let id = self.resolve(id);
        self.modules.get(&id.module)?.types.get(&id.name)
    }

    /// A type by its id, to change it.
    pub fn get_mut(&mut self, id: &TypeId) -> Option<&mut TypeDef> {
        if id.package.is_some() {
            return None;
        }
        self.modules.get_mut(&id.module)?.types.get_mut(&id.name)
    }

    /// Whether a module of a group has a resource with this plural name.
    #[must_use]
    pub fn has_resource(&self, group: &str, plural: &str) -> bool {
        let mut modules = self.modules.values().filter(|module| module.group_version.group == group);
        modules.any(|module| module.resources.contains_key(plural))
    }

    /// All types, by module and name.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, &TypeDef)> {
        self.modules
            .iter()
            .flat_map(|(module, content)| content.types.iter().map(move |(name, def)| (TypeId::own(module, name), def)))
    }
}
