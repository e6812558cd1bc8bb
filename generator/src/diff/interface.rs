//! The interface of a crate, as far as its changes matter to programs.

use super::change::{Item, ItemKind};
use super::names::Names;
use crate::functions::{self, Function, ParamsDef, RequestBody, ResponseKind};
use crate::model::{
    Api, Field, Kind, ListType, MapType, Merge, Presence, Role, Shape, Type, TypeDef, TypeId,
};
use std::collections::BTreeMap;

/// The items of a crate by their current paths.
pub(super) struct Interface {
    pub(super) modules: BTreeMap<String, String>,
    pub(super) types: BTreeMap<TypeId, TypeItem>,
    pub(super) parameters: BTreeMap<String, ParametersItem>,
    pub(super) functions: BTreeMap<String, FunctionItem>,
}

/// A string for people, and a key that ignores differences that do not matter: another name of a
/// type, or other names of a function's arguments.
#[derive(Clone, Debug)]
pub(super) struct Written {
    text: String,
    meaning: String,
}

impl Written {
    /// A string for which the two are the same.
    fn plain(text: String) -> Self {
        Self { meaning: text.clone(), text }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether places that write it need no change. A name that denotes another type now has a
    /// change of its own.
    pub(super) fn is_same(&self, now: &Self) -> bool {
        self.meaning == now.meaning || self.text == now.text
    }
}

/// A struct or an enum, by one of its names.
pub(super) struct TypeItem {
    /// Its path in its own crate.
    pub(super) path: String,
    /// Whether the type has this name only now.
    pub(super) is_renamed: bool,
    /// The name that the type is defined under: another one if this is a further name of it.
    pub(super) definition: TypeId,
    /// The type that this is a further name of.
    pub(super) target: Option<TypeId>,
    pub(super) shape: ShapeItem,
    pub(super) deprecated: bool,
    /// The `apiVersion` and `kind` of its objects.
    pub(super) kind: Option<Written>,
    /// Its role among the kinds: a resource, or a list of one.
    pub(super) role: Option<Written>,
}

pub(super) enum ShapeItem {
    Struct(Vec<Member>),
    /// Names of the variants by values.
    Enum(BTreeMap<String, String>),
}

/// A field of a struct.
pub(super) struct Member {
    pub(super) name: String,
    /// The property or query parameter. `None` for the options of a delete.
    pub(super) wire: Option<String>,
    pub(super) ty: Written,
    /// Its type within an `Option`.
    pub(super) inner: Type,
    pub(super) optional: bool,
    /// Whether servers require it.
    pub(super) required: bool,
    pub(super) deprecated: bool,
    /// The rules by which servers merge it: extensions of the property.
    pub(super) merge: MergeRules,
}

/// Rules of merging, as names and values.
pub(super) type MergeRules = BTreeMap<&'static str, String>;

pub(super) struct ParametersItem {
    pub(super) module: String,
    pub(super) members: Vec<Member>,
}

pub(super) struct FunctionItem {
    /// Its path in its own crate.
    pub(super) path: String,
    pub(super) module: String,
    pub(super) signature: Written,
    /// Its method and path.
    pub(super) request: String,
    pub(super) deprecated: bool,
    /// The query parameters that it takes of a standard parameter struct: their Rust names by their
    /// wire names. A parameter without a field in the struct keeps its wire name.
    pub(super) standard: Option<BTreeMap<String, String>>,
}

impl Interface {
    pub(super) fn new(api: &Api, names: &Names<'_>) -> Self {
        let mut interface = Self {
            modules: api
                .modules
                .keys()
                .map(|name| (names.module(name).to_owned(), name.clone()))
                .collect(),
            types: BTreeMap::new(),
            parameters: BTreeMap::new(),
            functions: BTreeMap::new(),
        };
        for (module, content) in &api.modules {
            for (name, def) in &content.types {
                let id = TypeId::own(module, name);
                interface.types.insert(names.key(&id), TypeItem::new(&id, def, names));
            }
            for (name, alias) in &content.aliases {
                let id = TypeId::own(module, name);
                let Some(def) = api.get(&alias.target) else { continue };
                let target = Some(names.target(&alias.target));
                interface
                    .types
                    .insert(names.key(&id), TypeItem { target, ..TypeItem::new(&id, def, names) });
            }
        }
        for ((module, _), resource) in functions::plan(api).resources {
            let own = format!("{module}::{}", resource.module);
            let current = names.module(module).to_owned();
            let key = format!("{current}::{}", resource.module);
            for (name, def) in &resource.own {
                let item =
                    ParametersItem { module: current.clone(), members: parameters(def, names) };
                interface.parameters.insert(format!("{key}::{name}"), item);
            }
            for function in &resource.functions {
                let legacy = if function.legacy { "legacy::" } else { "" };
                let item = FunctionItem {
                    path: format!("{own}::{legacy}{}", function.name),
                    module: current.clone(),
                    signature: signature(function, &key, names),
                    request: request(function),
                    deprecated: function.operation.deprecated,
                    standard: standard(function),
                };
                interface.functions.insert(format!("{key}::{legacy}{}", function.name), item);
            }
        }
        interface
    }
}

impl TypeItem {
    pub(super) fn item(&self) -> Item {
        let kind = match self.shape {
            ShapeItem::Struct(_) => ItemKind::Struct,
            ShapeItem::Enum(_) => ItemKind::Enum,
        };
        Item { path: self.path.clone(), kind }
    }

    fn new(id: &TypeId, def: &TypeDef, names: &Names<'_>) -> Self {
        let shape = match &def.shape {
            Shape::Struct(fields) => {
                ShapeItem::Struct(fields.iter().map(|field| member(field, names)).collect())
            }
            Shape::Enum(variants) => {
                let variants =
                    variants.iter().map(|variant| (variant.wire.clone(), variant.name.clone()));
                ShapeItem::Enum(variants.collect())
            }
        };
        Self {
            path: id.to_string(),
            is_renamed: names.is_renamed(id),
            definition: names.definition(id),
            target: None,
            shape,
            deprecated: def.deprecated || def.warning.is_some(),
            kind: def.kind.as_ref().map(identity),
            role: def.kind.as_ref().and_then(|kind| role(kind, names)),
        }
    }
}

fn identity(kind: &Kind) -> Written {
    Written::plain(format!(
        "{} of {}",
        kind.identity.kind,
        kind.identity.group_version.api_version()
    ))
}

fn role(kind: &Kind, names: &Names<'_>) -> Option<Written> {
    match &kind.role {
        Role::Resource { plural, namespaced } => {
            let text = format!(
                "{plural} {}",
                if *namespaced { "in namespaces" } else { "of the cluster" }
            );
            Some(Written::plain(text))
        }
        Role::List { item } => Some(Written {
            text: format!("list of {item}"),
            meaning: format!("list of {}", names.target(item)),
        }),
        Role::Other => None,
    }
}

fn written(ty: &Type, names: &Names<'_>, around: impl Fn(String) -> String) -> Written {
    Written { text: around(ty.to_string()), meaning: around(names.ty(ty).to_string()) }
}

fn member(field: &Field, names: &Names<'_>) -> Member {
    let ty = written(&field.ty, names, |ty| match field.presence {
        Presence::Required => ty,
        Presence::Optional => format!("Option<{ty}>"),
        Presence::Boxed => format!("Option<Box<{ty}>>"),
    });
    Member {
        name: field.name.clone(),
        wire: Some(field.wire.clone()),
        ty,
        inner: names.ty(&field.ty),
        optional: field.presence != Presence::Required,
        required: field.presence == Presence::Required,
        deprecated: field.deprecated,
        merge: merge(&field.merge),
    }
}

/// The extensions of a property, except for the ones that state the default behavior of servers.
fn merge(merge: &Merge) -> MergeRules {
    let keys = (!merge.list_map_keys.is_empty()).then(|| merge.list_map_keys.join(","));
    let strategies: Vec<&str> =
        merge.patch_strategies.iter().map(|strategy| strategy.as_str()).collect();
    let list_type = merge.list_type.filter(|ty| *ty != ListType::Atomic);
    let map_type = merge.map_type.filter(|ty| *ty != MapType::Granular);
    let extensions = [
        ("list-type", list_type.map(|ty| ty.as_str().to_owned())),
        ("list-map-keys", keys),
        ("map-type", map_type.map(|ty| ty.as_str().to_owned())),
        ("patch-strategy", (!strategies.is_empty()).then(|| strategies.join(","))),
        ("patch-merge-key", merge.patch_merge_key.clone()),
    ];
    extensions.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn parameters(def: &ParamsDef<'_>, names: &Names<'_>) -> Vec<Member> {
    let fields = def.params.iter().map(|field| Member {
        wire: Some(field.param.wire.clone()),
        required: field.param.required,
        ..optional_member(&field.name, &field.param.ty, names)
    });
    let options = def.options.map(|ty| optional_member("options", ty, names));
    fields.chain(options).collect()
}

/// A member of a parameter struct. Lists are never absent, but may be empty.
fn optional_member(name: &str, ty: &Type, names: &Names<'_>) -> Member {
    let is_list = matches!(ty, Type::List(_));
    Member {
        name: name.to_owned(),
        wire: None,
        ty: written(ty, names, |ty| if is_list { ty } else { format!("Option<{ty}>") }),
        inner: names.ty(ty),
        optional: true,
        required: false,
        deprecated: false,
        merge: BTreeMap::new(),
    }
}

/// `resource` is the path of the module of the function's resource.
fn signature(function: &Function<'_>, resource: &str, names: &Names<'_>) -> Written {
    let text = signature_with(
        function,
        |name| format!("{name}: &str"),
        &|ty| ty.to_string(),
        str::to_owned,
    );
    let meaning = signature_with(
        function,
        |_| "&str".to_owned(),
        &|ty| names.ty(ty).to_string(),
        |params| format!("{resource}::{params}"),
    );
    Written { text, meaning }
}

fn signature_with(
    function: &Function<'_>,
    argument: impl Fn(&str) -> String,
    ty: &dyn Fn(&Type) -> String,
    params: impl Fn(&str) -> String,
) -> String {
    let mut arguments: Vec<String> = function.arguments.iter().map(|name| argument(name)).collect();
    match function.body {
        RequestBody::Object(body) => arguments.push(format!("body: &{}", ty(body))),
        RequestBody::Patch => arguments.push("patch: &Patch".to_owned()),
        RequestBody::None | RequestBody::Options => {}
    }
    if let Some(def) = &function.params {
        let name = if def.standard { def.name.clone() } else { params(&def.name) };
        arguments.push(format!("params: &{name}"));
    }
    let response = response(&function.response, ty);
    format!("fn({}) -> Request<{response}>", arguments.join(", "))
}

/// The type of a response.
fn response(kind: &ResponseKind, ty: &dyn Fn(&Type) -> String) -> String {
    let (around, id) = match kind {
        ResponseKind::Text => return "Text".to_owned(),
        ResponseKind::Upgrade(None) => return "Upgrade".to_owned(),
        ResponseKind::Upgrade(Some(stream)) => return format!("Upgrade<{stream}>"),
        ResponseKind::Object(id) => return ty(&Type::Named(id.clone())),
        ResponseKind::Watch(id) => ("Watch", id),
        ResponseKind::Deleted(id) => ("Deleted", id),
        ResponseKind::DeletedCollection(id) => ("DeletedCollection", id),
    };
    format!("{around}<{}>", ty(&Type::Named(id.clone())))
}

fn request(function: &Function<'_>) -> String {
    let watch = if function.watch { "?watch=true" } else { "" };
    format!("{} {}{watch}", function.operation.method, function.operation.path)
}

fn standard(function: &Function<'_>) -> Option<BTreeMap<String, String>> {
    let fields = function.query.iter().map(|field| (field.param.wire.clone(), field.name.clone()));
    let names =
        fields.chain(function.extra.iter().map(|param| (param.wire.clone(), param.wire.clone())));
    function.params.as_ref().filter(|params| params.standard).map(|_| names.collect())
}
