//! Names and paths of emitted items.

use crate::model::wellknown;
use crate::model::{Type, TypeId};
use crate::names;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// An identifier. Names come from [`names`], which makes only valid identifiers.
pub(super) fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// The tokens of a type, in a file of a type of this module.
pub(super) fn type_tokens(ty: &Type, module: &str) -> TokenStream {
    match ty {
        Type::Bool => quote!(bool),
        Type::Int32 => quote!(i32),
        Type::Int64 => quote!(i64),
        Type::Double => quote!(f64),
        Type::String => quote!(String),
        Type::WellKnown(ty) => {
            let meta = ident(wellknown::META);
            let name = ident(ty.name());
            quote!(kapigen_runtime::#meta::#name)
        }
        Type::Named(id) => named(id, module),
        Type::List(inner) => {
            let inner = type_tokens(inner, module);
            quote!(Vec<#inner>)
        }
        Type::Map(inner) => {
            let inner = type_tokens(inner, module);
            quote!(std::collections::BTreeMap<String, #inner>)
        }
        Type::Nullable(inner) => {
            let inner = type_tokens(inner, module);
            quote!(Option<#inner>)
        }
    }
}

fn named(id: &TypeId, module: &str) -> TokenStream {
    let name = ident(&id.name);
    let home = ident(&id.module);
    match &id.package {
        Some(package) => {
            let package = ident(&names::package_ident(package));
            quote!(#package::#home::#name)
        }
        None if id.module == module => quote!(super::#name),
        None => quote!(crate::#home::#name),
    }
}
