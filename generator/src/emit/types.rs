//! A named type: its struct or enum, its table, and its traits as a kind.

use super::paths::{ident, type_tokens};
use super::{FileBody, Gates, cfg, docs, tables};
use crate::emit::markdown::{Block, Markdown, prose};
use crate::model::{
    Alias, Field, Kind, ListType, MapType, Merge, PatchStrategy, Presence, Role, Rule, Shape, Type,
    TypeDef, TypeId, Variant, Words, wellknown,
};
use crate::names;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// The content of the file of a type.
pub(super) fn file(module: &str, name: &str, def: &TypeDef, requests: Option<&str>) -> FileBody {
    let id = TypeId::own(module, name);
    let requests = requests.map(|resource| Markdown::link(&format!("crate::{module}::{resource}")));
    let docs = type_docs(def, requests.as_ref());
    match &def.shape {
        Shape::Struct(fields) => structure(&id, def, fields, &docs),
        Shape::Enum(variants) => enumeration(&id, variants, &docs).into(),
    }
}

/// `mod` and `pub use` of every type of a module, given their files, and its further names.
pub(super) fn index(
    module: &str,
    files: &BTreeMap<&str, String>,
    aliases: &BTreeMap<String, Alias>,
    gates: &Gates,
) -> TokenStream {
    let modules = files.iter().map(|(name, file)| {
        let cfg = gates.get(*name).map(cfg);
        let file = ident(file);
        quote!(#cfg mod #file;)
    });
    let types = files.iter().map(|(name, file)| {
        let file = ident(file);
        let cfg = gates.get(*name).map(cfg);
        let name = ident(name);
        quote!(#cfg pub use #file::#name;)
    });
    // Not aliases of types: those cannot name the variants of an enum in a `use`.
    let aliases = aliases.iter().filter_map(|(name, Alias { target, schema })| {
        let cfg = gates.get(name).map(cfg);
        let is_own = target.module == module;
        let shown = if is_own { target.name.clone() } else { target.to_string() };
        let schema =
            Markdown::own("Schema ").and_code(schema).and_own(", which is the same as that of ");
        let docs = docs::attributes(&[schema.and_code(&shown).and_own(".").into()]);
        let renamed = (target.name != *name).then(|| {
            let name = ident(name);
            quote!(as #name)
        });
        let ty = ident(&target.name);
        let path = if is_own {
            let file = ident(files.get(target.name.as_str())?);
            quote!(#file::#ty)
        } else {
            let home = ident(&target.module);
            quote!(crate::#home::#ty)
        };
        // The documentation of a module has all of its types.
        let inline = (!is_own).then(|| quote!(#[doc(inline)]));
        Some(quote! { #docs #inline #cfg pub use #path #renamed; })
    });
    quote! { #(#modules)* #(#types)* #(#aliases)* }
}

fn structure(id: &TypeId, def: &TypeDef, fields: &[Field], docs: &TokenStream) -> FileBody {
    let name = ident(&id.name);
    let members = fields.iter().map(|field| {
        let name = ident(&field.name);
        let ty = field_type(field, &id.module);
        let docs = field_docs(field);
        quote! { #docs pub #name: #ty }
    });
    // A kind has a default of its own.
    let default = if def.kind.is_some() { quote!() } else { quote!(, Default) };
    let has_null = fields.iter().any(|field| field.nullable && !field.ty.is_free());
    let equality = if has_null { quote!() } else { quote!(, PartialEq) };
    let comparison = has_null.then(|| comparison(&name, fields));
    let kind = def.kind.as_ref().map(|kind| kind_items(id, def, fields, kind));
    let unknown = ident(names::UNKNOWN);
    let deprecated = def.warning.as_deref().map(docs::warned);
    // The trait gives the members their methods, and has no name: a type may be called like it.
    let access = fields.iter().any(|field| !tables::is_string(field));
    let import =
        if access { quote!(::{self as codec, MemberAccess as _}) } else { quote!(as codec) };
    let items = quote! {
        use kapigen_runtime::__private #import;

        #docs
        #deprecated
        #[derive(Clone #default #equality)]
        pub struct #name {
            #(#members,)*
            /// Members that this type has no field for.
            pub #unknown: kapigen_runtime::Unknown,
        }

        #comparison

        #kind
    };
    FileBody { items, tables: tables::object(&id.name, def, fields), guard: None }
}

/// The comparison of a struct that keeps a `null` beside its fields: one that ended when its field
/// was set does not count.
fn comparison(name: &Ident, fields: &[Field]) -> TokenStream {
    let fields = fields.iter().map(|field| ident(&field.name));
    let unknown = ident(names::UNKNOWN);
    quote! {
        impl std::cmp::PartialEq for #name {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                #(self.#fields == other.#fields &&)*
                codec::same_unknown(self, &self.#unknown, &other.#unknown)
            }
        }
    }
}

/// `requests` is a link to the module of the resource.
fn type_docs(def: &TypeDef, requests: Option<&Markdown>) -> TokenStream {
    let mut blocks = description(def.description.as_deref(), &def.rules);
    if def.deprecated {
        blocks.push(Block::own("Deprecated."));
    }
    let of_kind = def.kind.as_ref().map(|kind| {
        let version = kind.identity.group_version.api_version();
        Markdown::own("Kind ")
            .and_code(&kind.identity.kind)
            .and_own(" of ")
            .and_code(&version)
            .and_own(". ")
    });
    let schema = of_kind.unwrap_or_default().and_own("Schema ").and_code(&def.schema);
    let schema = match def.copies {
        0 => schema,
        1 => schema.and_own(", and an identical one"),
        copies => schema
            .and_own(", and ")
            .and(&Markdown::line(&copies.to_string()))
            .and_own(" identical ones"),
    };
    let requests = requests.map(|module| Markdown::own(" Requests: ").and(module).and_own("."));
    blocks.push(schema.and_own(".").and(&requests.unwrap_or_default()).into());
    docs::attributes(&blocks)
}

fn field_docs(field: &Field) -> TokenStream {
    let mut blocks = description(field.description.as_deref(), &field.rules);
    if blocks.is_empty() {
        blocks.push(Markdown::code(&field.wire).and_own(".").into());
    }
    if field.deprecated {
        blocks.push(Block::own("Deprecated."));
    }
    let merge = merge_docs(&field.merge)
        .into_iter()
        .reduce(|all, sentence| all.and_own(" ").and(&sentence));
    blocks.extend(merge.map(Block::from));
    docs::attributes(&blocks)
}

fn description(description: Option<&str>, rules: &[Rule]) -> Vec<Block> {
    let mut blocks = description.map(prose).unwrap_or_default();
    blocks.extend(rules.iter().map(|rule| {
        Block::from(rule.iter().map(markdown).fold(Markdown::default(), |all, part| all.and(&part)))
    }));
    blocks
}

fn markdown(words: &Words) -> Markdown {
    match words {
        Words::Prose(prose) => Markdown::line(prose),
        Words::Code(code) => Markdown::code(code),
    }
}

/// A sentence for each action of servers.
fn merge_docs(merge: &Merge) -> Vec<Markdown> {
    let mut sentences = Vec::new();
    match (merge.list_type, merge.map_type) {
        (Some(ListType::Map), _) if !merge.list_map_keys.is_empty() => {
            let keys = Markdown::codes(&merge.list_map_keys);
            sentences.push(Markdown::own("Apply merges the elements by ").and(&keys).and_own("."));
        }
        (Some(ListType::Set), _) => {
            sentences.push(Markdown::own("Apply merges the elements as a set."));
        }
        (Some(ListType::Atomic), _) => {
            sentences.push(Markdown::own("Apply replaces the whole list."));
        }
        (_, Some(MapType::Atomic)) => {
            sentences.push(Markdown::own("Apply replaces the whole value."));
        }
        _ if merge.map_type_of_values == Some(MapType::Atomic) => {
            sentences.push(Markdown::own("Apply replaces each value as a whole."));
        }
        _ => {}
    }
    if merge.patch_strategies.contains(&PatchStrategy::Merge) {
        let merges = Markdown::own("A strategic merge patch merges the elements");
        let by = merge
            .patch_merge_key
            .iter()
            .map(|key| Markdown::own(" by ").and_code(key))
            .next()
            .unwrap_or_default();
        sentences.push(merges.and(&by).and_own("."));
    }
    if merge.patch_strategies.contains(&PatchStrategy::RetainKeys) {
        sentences.push(Markdown::own("A strategic merge patch may name the keys to retain."));
    }
    sentences
}

fn field_type(field: &Field, module: &str) -> TokenStream {
    let ty = type_tokens(&field.ty, module);
    match field.presence {
        Presence::Required => ty,
        Presence::Optional => quote!(Option<#ty>),
        Presence::Boxed => quote!(Option<Box<#ty>>),
    }
}

/// An open enum: the known values, and any other value. A `match` needs `_`, so that it compiles
/// when a document lists another value.
fn enumeration(id: &TypeId, variants: &[Variant], docs: &TokenStream) -> TokenStream {
    let name = ident(&id.name);
    let items = variants.iter().map(|variant| {
        let name = ident(&variant.name);
        let docs = docs::attributes(&[Markdown::code(&variant.wire).into()]);
        quote! { #docs #name }
    });
    let names: Vec<_> = variants.iter().map(|variant| ident(&variant.name)).collect();
    let wires: Vec<_> = variants.iter().map(|variant| &variant.wire).collect();
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#items,)*
            /// A value that the document does not list.
            Other(String),
        }

        impl #name {
            /// The string of the value in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#names => #wires,)*
                    Self::Other(text) => text,
                }
            }
        }

        impl std::convert::From<&str> for #name {
            fn from(text: &str) -> Self {
                match text {
                    #(#wires => Self::#names,)*
                    _ => Self::Other(text.to_owned()),
                }
            }
        }

        kapigen_runtime::__private::open_enum!(#name);
    }
}

/// The constructor and the traits of kinds.
fn kind_items(id: &TypeId, def: &TypeDef, fields: &[Field], kind: &Kind) -> TokenStream {
    let name = ident(&id.name);
    let group = &kind.identity.group_version.group;
    let version = &kind.identity.group_version.version;
    let api_version = kind.identity.group_version.api_version();
    let kind_name = &kind.identity.kind;
    let members = fields.iter().map(|field| {
        let name = ident(&field.name);
        let argument = match field.wire.as_str() {
            "apiVersion" => "api_version",
            "kind" => "kind",
            _ => return quote!(#name: codec::Value::empty()),
        };
        // A field may have another name.
        if field.name == argument {
            return quote!(#name);
        }
        let argument = ident(argument);
        quote!(#name: #argument)
    });
    let unknown = ident(names::UNKNOWN);
    let inline = def.is_inline.then(|| quote!(#[inline]));
    let role = role_items(id, fields, &kind.role);
    quote! {
        impl #name {
            /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
            #inline
            fn stating(api_version: Option<String>, kind: Option<String>) -> Self {
                Self { #(#members,)* #unknown: codec::Value::empty() }
            }
        }

        impl kapigen_runtime::Kind for #name {
            const GROUP: &'static str = #group;
            const VERSION: &'static str = #version;
            const KIND: &'static str = #kind_name;
            const API_VERSION: &'static str = #api_version;
        }

        #role
    }
}

fn role_items(id: &TypeId, fields: &[Field], role: &Role) -> TokenStream {
    let name = ident(&id.name);
    let meta = ident(wellknown::META);
    let metadata =
        fields.iter().find(|field| field.wire == "metadata").map(|field| ident(&field.name));
    match role {
        Role::Other => quote!(),
        Role::Resource { plural, namespaced } => {
            let object_meta = quote!(kapigen_runtime::#meta::ObjectMeta);
            let scope = ident(if *namespaced { "Namespaced" } else { "Cluster" });
            quote! {
                impl kapigen_runtime::Resource for #name {
                    type Scope = kapigen_runtime::scope::#scope;
                    const PLURAL: &'static str = #plural;
                }

                impl kapigen_runtime::AnyResource for #name {
                    fn metadata(&self) -> &#object_meta {
                        &self.#metadata
                    }
                    fn metadata_mut(&mut self) -> &mut #object_meta {
                        &mut self.#metadata
                    }
                }
            }
        }
        Role::List { item } => {
            let list_meta = quote!(kapigen_runtime::#meta::ListMeta);
            let item = type_tokens(&Type::Named(item.clone()), &id.module);
            let items = fields.iter().find(|field| field.wire == "items");
            let items_name = items.map(|field| ident(&field.name));
            let required = items.is_some_and(|field| field.presence == Presence::Required);
            let access = if required {
                quote!(std::mem::take(&mut self.#items_name))
            } else {
                quote!(self.#items_name.take().unwrap_or_default())
            };
            quote! {
                impl kapigen_runtime::ResourceList for #name {
                    type Item = #item;
                    fn metadata(&self) -> &#list_meta {
                        &self.#metadata
                    }
                    fn take_items(&mut self) -> Vec<Self::Item> {
                        #access
                    }
                }
            }
        }
    }
}
