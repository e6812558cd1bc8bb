//! Parameter structs.

use super::docs;
use super::paths::{ident, type_tokens};
use crate::emit::markdown::{Block, Markdown, prose};
use crate::functions::{Field, ParamsDef};
use crate::model::{Param, Type, Verb};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;

/// The standard structs, which the runtime has.
pub(super) fn file(standard: &BTreeMap<&'static str, ParamsDef<'_>>) -> TokenStream {
    let docs = docs::inner(&[Block::own("Query parameters of the operations of most resources.")]);
    let structs = standard.iter().map(|(name, def)| structure(name, def));
    quote! { #docs #(#structs)* }
}

/// The struct, its setters, and its encoding as a query.
pub(super) fn structure(name: &str, def: &ParamsDef<'_>) -> TokenStream {
    let struct_name = ident(name);
    let about = Markdown::own(about(def.verb)).and_own(". Those that are not set are not sent.");
    let docs = docs::attributes(&[about.into()]);
    let fields = def.params.iter().map(|Field { name, param }| {
        let (name, ty, docs) = (ident(name), field_type(param), param_docs(param));
        quote! { #docs pub #name: #ty }
    });
    let options = def.options.map(|ty| type_tokens(ty, ""));
    let options_field = options.as_ref().map(|ty| {
        let docs = docs::attributes(&[Block::own(
            "Options, which are sent as the request body. Parameters above that are among them move into the body, \
             because a server ignores the query of a request with a body. Where both are set, they must be equal.",
        )]);
        quote! { #docs pub options: Option<#ty>, }
    });
    let setters = def.params.iter().map(setter);
    let options_setter = options.as_ref().map(|ty| {
        quote! {
            /// Sets `options`.
            #[must_use]
            pub fn options(mut self, options: #ty) -> Self {
                self.options = Some(options);
                self
            }
        }
    });
    let adds = def.params.iter().map(|Field { name, param }| {
        let (name, wire) = (ident(name), &param.wire);
        quote! { query.add(#wire, &self.#name); }
    });
    let reads = def.params.iter().map(|Field { name, param }| {
        let (name, wire) = (ident(name), &param.wire);
        quote! { source.read(#wire, &mut self.#name); }
    });
    let options_read = options.as_ref().map(|_| quote! { source.read_options(&mut self.options); });
    // Structs of the API and numbers with a fraction have no `Eq`.
    let partial = options.is_some() || def.params.iter().any(|field| has_fraction(&field.param.ty));
    let eq = if partial { quote!() } else { quote!(, Eq) };
    quote! {
        #docs
        #[derive(Clone, Debug, Default, PartialEq #eq)]
        pub struct #struct_name {
            #(#fields,)*
            #options_field
        }

        impl #struct_name {
            #(#setters)*
            #options_setter
        }

        impl kapigen_runtime::__private::Params for #struct_name {
            fn add_to(&self, query: &mut kapigen_runtime::__private::Query) {
                #(#adds)*
            }
            fn read_from(&mut self, source: &mut kapigen_runtime::__private::Source<'_>) {
                #(#reads)*
                #options_read
            }
        }
    }
}

fn about(verb: Verb) -> &'static str {
    match verb {
        Verb::Get => "Query parameters of a get",
        Verb::List => "Query parameters of a list",
        Verb::Watch => "Query parameters of a watch",
        Verb::Create => "Query parameters of a create",
        Verb::Replace => "Query parameters of a replace",
        Verb::Patch => "Query parameters of a patch",
        Verb::Delete => "Query parameters of a delete",
        Verb::DeleteCollection => "Query parameters of a delete of a collection",
        Verb::Connect => "Query parameters of a connection",
    }
}

fn param_docs(param: &Param) -> TokenStream {
    let mut blocks = param.description.as_deref().map(prose).unwrap_or_default();
    blocks.push(Markdown::own("Query parameter ").and_code(&param.wire).and_own(".").into());
    docs::attributes(&blocks)
}

fn has_fraction(ty: &Type) -> bool {
    match ty {
        Type::List(inner) => has_fraction(inner),
        ty => *ty == Type::Double,
    }
}

/// A list is empty when it is not set; everything else is an option.
fn field_type(param: &Param) -> TokenStream {
    let ty = type_tokens(&param.ty, "");
    if matches!(param.ty, Type::List(_)) { ty } else { quote!(Option<#ty>) }
}

fn setter(Field { name, param }: &Field<'_>) -> TokenStream {
    let name = ident(name);
    let docs = docs::attributes(&[Markdown::own("Sets ").and_code(&param.wire).and_own(".").into()]);
    let (argument, value) = match &param.ty {
        Type::String => (quote!(impl Into<String>), quote!(Some(#name.into()))),
        Type::List(inner) if **inner == Type::String => {
            (quote!(impl IntoIterator<Item = impl Into<String>>), quote!(#name.into_iter().map(Into::into).collect()))
        }
        Type::List(inner) => {
            let inner = type_tokens(inner, "");
            (quote!(impl IntoIterator<Item = #inner>), quote!(#name.into_iter().collect()))
        }
        other => (type_tokens(other, ""), quote!(Some(#name))),
    };
    quote! {
        #docs
        #[must_use]
        pub fn #name(mut self, #name: #argument) -> Self {
            self.#name = #value;
            self
        }
    }
}
