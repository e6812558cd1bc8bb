//! What is emitted, as plain data: no OpenAPI, no Rust tokens.

mod aliases;
mod operations;

pub use aliases::Alias;
pub use operations::{Answer, Body, Operation, Param, Resource, Scope, Verb};

use crate::error::Location;
use crate::names;
use crate::wellknown::{META, RUNTIME};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The query parameters of a standard parameter struct, which the runtime has.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StandardParams {
    /// JSON types of the query parameters, by their names.
    pub query: BTreeMap<String, String>,
    /// Whether the struct has `DeleteOptions` for the request body.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub options: bool,
}

/// Everything that one crate has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Api {
    /// The modules by name.
    pub modules: BTreeMap<String, Module>,
    /// Types of other crates.
    pub externs: BTreeMap<TypeId, ExternType>,
    /// The standard parameter structs by name.
    pub standard_params: BTreeMap<String, StandardParams>,
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

/// A named type, by where it is emitted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeId {
    /// The crate that has the type, as it is imported. `None` for the emitted crate itself.
    pub package: Option<String>,
    /// Name of the module.
    pub module: String,
    /// Name of the type.
    pub name: String,
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
}

/// A named type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDef {
    /// Name of the schema, or the pointer of a nested one.
    pub schema: String,
    /// The number of other nested schemas that it stands for too.
    pub copies: usize,
    /// What it means.
    pub description: Option<String>,
    /// What servers check of it.
    pub rules: Vec<Rule>,
    /// Whether the document advises against it.
    pub deprecated: bool,
    /// Fields or variants.
    pub shape: Shape,
    /// What it is among the kinds, if it is one.
    pub kind: Option<Kind>,
    /// Where its schema is.
    pub location: Location,
}

/// What a named type looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// An object with known members.
    Struct(Vec<Field>),
    /// A string with known values. Other values may come.
    Enum(Vec<Variant>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its key in JSON.
    pub wire: String,
    /// Its name in Rust.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// What servers check of it, and of what is in it that has no type of its own.
    pub rules: Vec<Rule>,
    /// Whether the document advises against it.
    pub deprecated: bool,
    /// What it holds.
    pub ty: Type,
    /// Whether it is always there.
    pub presence: Presence,
    /// How servers merge it.
    pub merge: Merge,
}

/// A paragraph about something that servers check.
pub type Rule = Vec<Words>;

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Words {
    /// Words of ours or of the document.
    Prose(String),
    /// An expression of the document.
    Code(String),
}

/// Whether a member is always there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// Always, as a plain value.
    Required,
    /// Not always.
    Optional,
    /// Not always, and kept on the heap.
    Boxed,
}

/// What a server does with a list or a map when it merges changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Merge {
    /// `x-kubernetes-list-type`: `atomic`, `set` or `map`.
    pub list_type: Option<String>,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: Vec<String>,
    /// `x-kubernetes-map-type`: `atomic` or `granular`.
    pub map_type: Option<String>,
    /// `x-kubernetes-patch-strategy`.
    pub patch_strategy: Option<String>,
    /// `x-kubernetes-patch-merge-key`.
    pub patch_merge_key: Option<String>,
}

/// One of the known values of an open enum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variant {
    /// Its text in JSON.
    pub wire: String,
    /// Its name in Rust.
    pub name: String,
}

/// What a field, a list or a map holds.
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
    /// Text.
    String,
    /// A type with hand-written Rust.
    WellKnown(&'static str),
    /// A type of this model.
    Named(TypeId),
    /// A list.
    List(Box<Type>),
    /// A map with strings as keys.
    Map(Box<Type>),
}

/// What a type is among the kinds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The group, version and kind that a new object states.
    pub identity: GroupVersionKind,
    /// All that an object may state. Empty: anything.
    pub accepted: Vec<GroupVersionKind>,
    /// What it is used for.
    pub role: Role,
}

/// What a kind is used for.
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
        /// What is listed.
        item: TypeId,
    },
    /// Anything else with `apiVersion` and `kind`.
    Other,
}

impl GroupVersion {
    /// `group/version`, or just the version for core: what `apiVersion` holds.
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

impl TypeDef {
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

    /// All types, by module and name.
    pub fn types(&self) -> impl Iterator<Item = (TypeId, &TypeDef)> {
        self.modules
            .iter()
            .flat_map(|(module, content)| content.types.iter().map(move |(name, def)| (TypeId::own(module, name), def)))
    }

    /// For each module the other modules that it cannot do without, each with the crate that has it if that is another.
    #[must_use]
    pub fn module_needs<'a>(&'a self) -> BTreeMap<&'a str, BTreeSet<(Option<&'a str>, &'a str)>> {
        let mut needs = BTreeMap::new();
        for (name, module) in &self.modules {
            let mut others = BTreeSet::new();
            let mut note = |id: &'a TypeId| _ = others.insert((id.package.as_deref(), id.module.as_str()));
            module.types.values().flat_map(TypeDef::fields).for_each(|field| field.ty.each_named(&mut note));
            module.resources.values().flat_map(|r| &r.operations).for_each(|operation| operation.each_named(&mut note));
            others.remove(&(None, name.as_str()));
            needs.insert(name.as_str(), others);
        }
        needs
    }
}
