//! A named type: its struct or enum, and how it is read and written.

use super::paths::{ident, type_tokens};
use super::{Rust, docs, kinds, tables};
use crate::model::{Field, Merge, Presence, Shape, TypeDef, TypeId, Variant};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;

/// The content of the file of a type.
pub(super) fn file(module: &str, name: &str, def: &TypeDef) -> Rust {
    let id = TypeId::own(module, name);
    match &def.shape {
        Shape::Struct(fields) => structure(&id, def, fields),
        Shape::Enum(variants) => enumeration(&id, def, variants).into(),
    }
}

/// `mod` and `pub use` of every type of a module, given their files.
pub(super) fn index(files: &BTreeMap<&str, String>) -> TokenStream {
    let items = files.iter().map(|(name, file)| {
        let (file, name) = (ident(file), ident(name));
        quote! {
            mod #file;
            pub use #file::#name;
        }
    });
    quote! { #(#items)* }
}

fn structure(id: &TypeId, def: &TypeDef, fields: &[Field]) -> Rust {
    let name = ident(&id.name);
    let docs = type_docs(def);
    let members = fields.iter().map(|field| {
        let (name, ty, docs) = (ident(&field.name), field_type(field, &id.module), field_docs(field));
        quote! { #docs pub #name: #ty }
    });
    // A kind has a default of its own.
    let default = if def.kind.is_some() { quote!() } else { quote!(Default,) };
    let kind = def.kind.as_ref().map(|kind| kinds::items(id, fields, kind));
    // The trait gives the members their methods. Everything else is named in full: a type may be called like it.
    let methods = (!fields.is_empty()).then(|| quote!(, Value as _));
    let items = quote! {
        use kapigen_runtime::__private::{self as codec #methods};

        #docs
        #[derive(Clone, #default PartialEq)]
        pub struct #name { #(#members,)* }

        #kind
    };
    Rust { items, tables: tables::object(&id.name, def, fields) }
}

fn type_docs(def: &TypeDef) -> TokenStream {
    let mut paragraphs = def.description.as_deref().map(docs::escape).unwrap_or_default();
    if def.deprecated {
        paragraphs.push("Deprecated.".to_owned());
    }
    let of_kind = def.kind.as_ref().map(|kind| {
        let identity = &kind.identity;
        let (kind, version) = (docs::code(&identity.kind), docs::code(&identity.group_version.api_version()));
        format!("Kind {kind} of {version}. ")
    });
    paragraphs.push(format!("{}Schema {}.", of_kind.unwrap_or_default(), docs::code(&def.schema)));
    docs::attributes(&paragraphs)
}

fn field_docs(field: &Field) -> TokenStream {
    let mut paragraphs = field.description.as_deref().map(docs::escape).unwrap_or_default();
    if paragraphs.is_empty() {
        paragraphs.push(format!("{}.", docs::code(&field.wire)));
    }
    if field.deprecated {
        paragraphs.push("Deprecated.".to_owned());
    }
    paragraphs.push(merge_docs(&field.merge));
    docs::attributes(&paragraphs)
}

fn merge_docs(merge: &Merge) -> String {
    let code = |names: &[String]| names.iter().map(|name| docs::code(name)).collect::<Vec<_>>().join(", ");
    let mut sentences = Vec::new();
    match (merge.list_type.as_deref(), merge.map_type.as_deref()) {
        (Some("map"), _) if !merge.list_map_keys.is_empty() => {
            sentences.push(format!("Apply merges the elements by {}.", code(&merge.list_map_keys)));
        }
        (Some("set"), _) => sentences.push("Apply merges the elements as a set.".to_owned()),
        (Some("atomic"), _) => sentences.push("Apply replaces the whole list.".to_owned()),
        (_, Some("atomic")) => sentences.push("Apply replaces the whole value.".to_owned()),
        _ => {}
    }
    let strategy = merge.patch_strategy.as_deref().unwrap_or_default();
    match &merge.patch_merge_key {
        Some(key) if strategy.contains("merge") => {
            sentences.push(format!("A strategic merge patch merges the elements by {}.", docs::code(key)));
        }
        _ if strategy == "merge" => sentences.push("A strategic merge patch merges the elements.".to_owned()),
        _ => {}
    }
    if strategy.contains("retainKeys") {
        sentences.push("A strategic merge patch may name the keys to retain.".to_owned());
    }
    sentences.join(" ")
}

fn field_type(field: &Field, module: &str) -> TokenStream {
    let ty = type_tokens(&field.ty, module);
    match field.presence {
        Presence::Required => ty,
        Presence::Optional => quote!(Option<#ty>),
        Presence::Boxed => quote!(Option<Box<#ty>>),
    }
}

/// An open enum: the known values, and whatever else may come.
fn enumeration(id: &TypeId, def: &TypeDef, variants: &[Variant]) -> TokenStream {
    let name = ident(&id.name);
    let docs = type_docs(def);
    let items = variants.iter().map(|variant| {
        let (name, docs) = (ident(&variant.name), docs::attributes(&[docs::code(&variant.wire)]));
        quote! { #docs #name }
    });
    let names = || variants.iter().map(|variant| ident(&variant.name));
    let wires = || variants.iter().map(|variant| &variant.wire);
    let (read_names, read_wires) = (names(), wires());
    let (write_names, write_wires) = (names(), wires());
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum #name {
            #(#items,)*
            /// A value that the document does not know.
            Other(String),
        }

        impl #name {
            /// The text of the value in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#write_names => #write_wires,)*
                    Self::Other(text) => text,
                }
            }
        }

        impl std::convert::From<&str> for #name {
            fn from(text: &str) -> Self {
                match text {
                    #(#read_wires => Self::#read_names,)*
                    _ => Self::Other(text.to_owned()),
                }
            }
        }

        kapigen_runtime::__private::open_enum!(#name);
    }
}
