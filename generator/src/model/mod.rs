//! The model of the emitted crate, as plain data: no OpenAPI, no Rust tokens.

use crate::error::{Location, Position};
use crate::names;
use json_type::JsonType;
pub use kapigen_definitions::schema_keywords::{ListType, MapType, PatchStrategy};
pub use operations::{Body, Operation, Param, Resource, Response, Scope, Verb};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
pub use wellknown::WellKnown;
use wellknown::{META, RUNTIME};

pub mod boxing;
pub mod documents;
pub mod features;
pub mod inlining;
pub mod json_type;
pub mod listed;
mod operations;
pub mod rustc;
pub mod wellknown;

/// The API of one crate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Api {
    /// The modules by name.
    pub modules: BTreeMap<String, Module>,
    /// The releases that the documents are of, by the names of servers.
    pub releases: BTreeMap<String, String>,
    /// The definitions of its custom resources, by their names.
    pub definitions: Vec<documents::Definition>,
    /// Types of other crates.
    pub externs: BTreeMap<TypeId, ExternType>,
    /// The standard parameter structs by name.
    pub standard_params: BTreeMap<String, StandardParams>,
    /// Parameters that the standard structs have although no operation takes them, by the names of
    /// the structs.
    pub announced_params: BTreeMap<String, Vec<Param>>,
}

/// A module of the emitted crate: a group-version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// Group and version, as in a path. The group is empty for core.
    pub group_version: GroupVersion,
    /// The types by name.
    pub types: BTreeMap<String, TypeDef>,
    /// Further names of types, its own or another version's, for nested schemas that are the same.
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
    /// The warning of servers about its version, if a definition has one.
    pub warning: Option<String>,
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
    /// An element of a list or a value of a map that may be `null`.
    Nullable(Box<Type>),
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
    /// A version of a group.
    #[must_use]
    pub fn new(group: impl Into<String>, version: impl Into<String>) -> Self {
        Self { group: group.into(), version: version.into() }
    }

    /// Parses an `apiVersion`.
    #[must_use]
    pub fn parse(api_version: &str) -> Self {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        Self::new(group, version)
    }

    /// `group/version`, or just the version for core: the value of `apiVersion`.
    #[must_use]
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.group, self.version)
        }
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

    /// Whether this is the runtime's shared type with this name, also while the runtime itself is
    /// generated.
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
            Type::List(inner) | Type::Map(inner) | Type::Nullable(inner) => inner.each_named(f),
            _ => {}
        }
    }

    /// Whether it is free JSON, which may be `null` itself.
    #[must_use]
    pub fn is_free(&self) -> bool {
        *self == Type::WellKnown(WellKnown::RawJson)
    }

    /// The named type in it, to change it.
    pub fn named_mut(&mut self) -> Option<&mut TypeId> {
        match self {
            Type::Named(id) => Some(id),
            Type::List(inner) | Type::Map(inner) | Type::Nullable(inner) => inner.named_mut(),
            _ => None,
        }
    }
}

impl Module {
    /// The resources that have a Cargo feature of their own, with it.
    pub fn apart(&self) -> impl Iterator<Item = (&Resource, &str)> {
        self.resources
            .values()
            .filter_map(|resource| Some((resource, resource.feature.as_deref()?)))
    }

    /// The names of the schemas that are types of it. Nested schemas have none.
    pub fn schemas(&self) -> impl Iterator<Item = &str> {
        self.types.values().filter(|def| def.is_named()).map(|def| def.schema.as_str())
    }

    /// The names of all types, each with the schema that it is made of. Some types have several
    /// names.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        let types = self.types.iter().map(|(name, def)| (name.as_str(), def.schema.as_str()));
        types.chain(self.aliases.iter().map(|(name, alias)| (name.as_str(), alias.schema.as_str())))
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
        let mut modules =
            self.modules.values().filter(|module| module.group_version.group == group);
        modules.any(|module| module.resources.contains_key(plural))
    }

    /// The features that are neither modules nor of the runtime, each with a description of its
    /// contents.
    pub fn own_features(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let definitions = (!self.definitions.is_empty()).then_some(wellknown::OF_DEFINITIONS);
        definitions.into_iter().chain(wellknown::OWN_FEATURES)
    }

    /// All types, by module and name.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, &TypeDef)> {
        self.modules.iter().flat_map(|(module, content)| {
            content.types.iter().map(move |(name, def)| (TypeId::own(module, name), def))
        })
    }

    /// The ID of the type that a name is an alias of.
    #[must_use]
    pub fn resolve<'a>(&'a self, id: &'a TypeId) -> &'a TypeId {
        if id.package.is_some() {
            return id;
        }
        let alias = self.modules.get(&id.module).and_then(|module| module.aliases.get(&id.name));
        alias.map_or(id, |alias| &alias.target)
    }

    /// Whether a type is a struct.
    #[must_use]
    pub fn is_struct(&self, id: &TypeId) -> bool {
        let own = self.get(id).map(|def| matches!(def.shape, Shape::Struct(_)));
        own.or_else(|| self.externs.get(id).map(|ty| ty.is_struct)).unwrap_or_default()
    }

    /// Whether the objects of a type state an `apiVersion` and a `kind`.
    #[must_use]
    pub fn is_kind(&self, id: &TypeId) -> bool {
        let own = self.get(id).map(|def| def.kind.is_some());
        own.or_else(|| self.externs.get(id).map(|ty| ty.is_kind)).unwrap_or_default()
    }

    /// The type of the items of a list of a kind.
    #[must_use]
    pub fn list_item(&self, id: &TypeId) -> Option<&TypeId> {
        match self.get(id).and_then(|def| Some(&def.kind.as_ref()?.role)) {
            Some(Role::List { item }) => Some(item),
            Some(_) => None,
            None => self.externs.get(id)?.item.as_ref(),
        }
    }
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its key in JSON.
    pub wire: String,
    /// Its name in Rust.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// The rules that servers check of it, and of its parts that have no type of their own.
    pub rules: Vec<Rule>,
    /// Whether the document advises against it.
    pub deprecated: bool,
    /// Its type.
    pub ty: Type,
    /// Whether it may be absent.
    pub presence: Presence,
    /// Whether `null` is a value of it, other than its absence.
    pub nullable: bool,
    /// The way in which servers merge it.
    pub merge: Merge,
}

/// A paragraph about something that servers check.
pub type Rule = Vec<Words>;

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Words {
    /// Prose of kapigen or of the document.
    Prose(String),
    /// An expression of the document.
    Code(String),
}

/// Whether a field may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// Never absent: a plain value.
    Required,
    /// May be absent.
    Optional,
    /// May be absent, and is kept on the heap.
    Boxed,
}

/// The way in which servers merge changes of a list or a map.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Merge {
    /// `x-kubernetes-list-type`.
    pub list_type: Option<ListType>,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: Vec<String>,
    /// The defaults of these keys, as JSON. Keys without a default are absent.
    pub key_defaults: BTreeMap<String, String>,
    /// `x-kubernetes-map-type`, or the map type of a value without a type.
    pub map_type: Option<MapType>,
    /// The same for each value of a map.
    pub map_type_of_values: Option<MapType>,
    /// `x-kubernetes-patch-strategy`.
    pub patch_strategies: BTreeSet<PatchStrategy>,
    /// `x-kubernetes-patch-merge-key`.
    pub patch_merge_key: Option<String>,
}

/// The type in Rust, with paths from the root of the crate: `Vec<core_v1::Container>`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Int32 => f.write_str("i32"),
            Type::Int64 => f.write_str("i64"),
            Type::Double => f.write_str("f64"),
            Type::String => f.write_str("String"),
            Type::WellKnown(ty) => write!(f, "{META}::{}", ty.name()),
            // Each crate has the shared types in a module of its own, too.
            Type::Named(TypeId { package: Some(package), module, name }) if package == RUNTIME => {
                write!(f, "{module}::{name}")
            }
            Type::Named(id) => write!(f, "{id}"),
            Type::List(inner) => write!(f, "Vec<{inner}>"),
            Type::Map(inner) => write!(f, "BTreeMap<String, {inner}>"),
            Type::Nullable(inner) => write!(f, "Option<{inner}>"),
        }
    }
}

/// A further name of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The type.
    pub target: TypeId,
    /// The pointer of the nested schema that the name is made of.
    pub schema: String,
}

/// The query parameters of a standard parameter struct, which the runtime has.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StandardParams {
    /// JSON types of the query parameters, by their names.
    pub query: BTreeMap<String, JsonType>,
    /// Whether the struct has `DeleteOptions` for the request body.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub options: bool,
}

/// A type of another crate that the emitted one uses.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternType {
    /// Whether it is a struct.
    pub is_struct: bool,
    /// Whether its objects state an `apiVersion` and a `kind`.
    pub is_kind: bool,
    /// The type of its items, if it is the list of a kind.
    pub item: Option<TypeId>,
    /// The feature of its crate that has it, if that is not the one of its module.
    pub feature: Option<String>,
}
