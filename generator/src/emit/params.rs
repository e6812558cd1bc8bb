//! Parameter structs.

use super::paths::{ident, type_tokens};
use super::{ResourceRef, docs};
use crate::emit::markdown::{Block, Markdown, prose};
use crate::functions::{Field, ParamsDef, ResourceEndpoints};
use crate::model::{Param, Type, wellknown};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;

/// The standard structs, which the runtime has.
pub(super) fn file(standard: &BTreeMap<&'static str, ParamsDef<'_>>) -> TokenStream {
    let docs = docs::inner(&[Block::own(
        "Query parameters of the operations of most resources, one struct for each verb.",
    )]);
    let structs =
        standard.iter().map(|(name, def)| structure(name, &of_verb(name), def, Extra::Taken));
    let values = wellknown::PARAMETERS.map(|(_, name)| ident(name));
    quote! {
        #docs
        pub use crate::values::{#(#values),*};

        #(#structs)*
    }
}

/// The structs that only a resource has.
pub(super) fn own(resource: &ResourceRef<'_>) -> TokenStream {
    let ResourceRef { plural, endpoints, .. } = *resource;
    let docs = docs::inner(&[Markdown::own("Query parameters of requests for ")
        .and_code(plural)
        .and_own(".")
        .into()]);
    let structs = endpoints
        .own
        .iter()
        .map(|(name, def)| structure(name, &of_functions(name, endpoints), def, Extra::None));
    quote! { #docs #(#structs)* }
}

/// Whether a struct also takes parameters that it has no field for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Extra {
    Taken,
    None,
}

/// The struct, its setters, and its encoding as a query.
pub(super) fn structure(
    name: &str,
    about: &Markdown,
    def: &ParamsDef<'_>,
    extra: Extra,
) -> TokenStream {
    let struct_name = ident(name);
    let docs = docs::attributes(&[
        about.clone().into(),
        Block::own("Parameters that are not set are not sent."),
    ]);
    let fields = def.params.iter().map(|Field { name, param }| {
        let name = ident(name);
        let ty = field_type(param);
        let docs = param_docs(param);
        quote! { #docs pub #name: #ty }
    });
    let options = def.options.map(|ty| {
        let ty = type_tokens(ty, "");
        let docs = docs::attributes(&[Block::own(
            "Options, which are sent as the request body. Parameters above that are among them \
             move into the body, because a server ignores the query of a request with a body. \
             Where both are set, they must be equal.",
        )]);
        quote! { #docs pub options: Option<#ty>, }
    });
    // Structs of the API and numbers with a fraction have no `Eq`.
    let partial = options.is_some() || def.params.iter().any(|field| has_fraction(&field.param.ty));
    let eq = if partial { quote!() } else { quote!(, Eq) };
    let extra_field = (extra == Extra::Taken).then(|| {
        quote! {
            /// Names and values of parameters that this struct has no field for, see [`with`](Self::with).
            pub extra: Vec<(String, String)>,
        }
    });
    let setters = setters(def, extra);
    let encoding = encoding(def, extra);
    quote! {
        #docs
        #[derive(Clone, Debug, Default, PartialEq #eq)]
        pub struct #struct_name {
            #(#fields,)*
            #options
            #extra_field
        }

        impl #struct_name {
            #setters
        }

        impl kapigen_runtime::__private::Params for #struct_name {
            #encoding
        }
    }
}

fn setters(def: &ParamsDef<'_>, extra: Extra) -> TokenStream {
    let setters = def.params.iter().map(setter);
    let options = def.options.map(|ty| {
        let ty = type_tokens(ty, "");
        quote! {
            /// Sets `options`.
            #[must_use]
            pub fn options(mut self, options: #ty) -> Self {
                self.options = Some(options);
                self
            }
        }
    });
    let extra = (extra == Extra::Taken).then(with);
    quote! { #(#setters)* #options #extra }
}

/// The setter of parameters that a struct has no field for.
fn with() -> TokenStream {
    let docs = docs::attributes(&[
        Block::own("Sets a parameter that this struct has no field for."),
        Block::own(
            "The documentation of a function lists those that its operation has, with their \
             types. Of a list, each call adds an element; of any other type, the last value is \
             sent. A parameter that the operation does not have, or a value of another type, is \
             an error of the request.",
        ),
    ]);
    quote! {
        #docs
        #[must_use]
        pub fn with(mut self, name: impl Into<String>, value: impl std::fmt::Display) -> Self {
            self.extra.push((name.into(), value.to_string()));
            self
        }
    }
}

/// The methods that encode the parameters as a query, and decode them.
fn encoding(def: &ParamsDef<'_>, extra: Extra) -> TokenStream {
    let adds = def.params.iter().map(|Field { name, param }| {
        let name = ident(name);
        let wire = &param.wire;
        flag(param).map_or_else(
            || quote! { query.add(#wire, &self.#name); },
            |value| quote! { query.flag(#wire, #value, self.#name); },
        )
    });
    let reads = def.params.iter().map(|Field { name, param }| {
        let name = ident(name);
        let wire = &param.wire;
        flag(param).map_or_else(
            || quote! { source.read(#wire, &mut self.#name); },
            |value| quote! { source.flag(#wire, #value, &mut self.#name); },
        )
    });
    let options = def.options.map(|_| quote! { source.read_options(&mut self.options); });
    let (add_extra, read_extra) = match extra {
        Extra::Taken => {
            (quote! { query.extra(&self.extra); }, quote! { source.extra(&mut self.extra); })
        }
        Extra::None => Default::default(),
    };
    quote! {
        fn add_to(&self, query: &mut kapigen_runtime::__private::Query) {
            #(#adds)*
            #add_extra
        }
        #[inline]
        fn read_from(&mut self, source: &mut dyn kapigen_runtime::__private::Source) {
            #(#reads)*
            #options
            #read_extra
        }
    }
}

/// The first line of the docs of a struct that only a resource has: the functions that take it.
fn of_functions(name: &str, endpoints: &ResourceEndpoints<'_>) -> Markdown {
    let functions = endpoints.functions.iter().filter(|function| {
        function.params.as_ref().is_some_and(|params| !params.standard && params.name == name)
    });
    let links = functions.map(|function| {
        let legacy = if function.legacy { "legacy::" } else { "" };
        Markdown::link(&format!("super::{legacy}{}", ident(&function.name)))
    });
    let links: Vec<_> = links.collect();
    let mut all = Markdown::own("Query parameters of ");
    for (index, link) in links.iter().enumerate() {
        all = match index {
            0 => all,
            _ if index + 1 == links.len() => all.and_own(" and "),
            _ => all.and_own(", "),
        };
        all = all.and(link);
    }
    all.and_own(".")
}

/// The first line of the docs of a standard struct.
fn of_verb(name: &str) -> Markdown {
    Markdown::own(match name {
        "GetParams" => "Query parameters of `get`.",
        "ListParams" => "Query parameters of `list`.",
        "WatchParams" => "Query parameters of `watch`.",
        "LegacyWatchParams" => "Query parameters of watches in the modules `legacy`.",
        "CreateParams" => "Query parameters of `create`.",
        "ReplaceParams" => "Query parameters of `replace`.",
        "PatchParams" => "Query parameters of `patch`.",
        "DeleteParams" => "Query parameters of `delete`.",
        "DeleteCollectionParams" => "Query parameters of `delete_collection`.",
        _ => "Query parameters.",
    })
}

fn param_docs(param: &Param) -> TokenStream {
    let mut blocks = param.description.as_deref().map(prose).unwrap_or_default();
    let query =
        flag(param).map_or_else(|| param.wire.clone(), |value| format!("{}={value}", param.wire));
    blocks.push(Markdown::own("Query parameter ").and_code(&query).and_own(".").into());
    docs::attributes(&blocks)
}

fn has_fraction(ty: &Type) -> bool {
    match ty {
        Type::List(inner) => has_fraction(inner),
        ty => *ty == Type::Double,
    }
}

/// The only value of a parameter that is a flag.
fn flag(param: &Param) -> Option<&'static str> {
    let is_string = match &param.ty {
        Type::List(inner) => **inner == Type::String,
        ty => *ty == Type::String,
    };
    let known = wellknown::FLAGS.iter().find(|(wire, _)| is_string && *wire == param.wire);
    known.map(|(_, value)| *value)
}

/// The enum of a parameter with known values.
fn known_values(param: &Param) -> Option<TokenStream> {
    let known = wellknown::PARAMETERS
        .iter()
        .find(|(wire, _)| param.ty == Type::String && *wire == param.wire);
    known.map(|(_, name)| {
        let name = ident(name);
        quote!(kapigen_runtime::params::#name)
    })
}

/// A list is empty when it is not set; everything else but a flag is an option.
fn field_type(param: &Param) -> TokenStream {
    if flag(param).is_some() {
        return quote!(bool);
    }
    let ty = known_values(param).unwrap_or_else(|| type_tokens(&param.ty, ""));
    if matches!(param.ty, Type::List(_)) { ty } else { quote!(Option<#ty>) }
}

fn setter(Field { name, param }: &Field<'_>) -> TokenStream {
    let name = ident(name);
    let docs =
        docs::attributes(&[Markdown::own("Sets ").and_code(&param.wire).and_own(".").into()]);
    let (argument, value) = match &param.ty {
        _ if flag(param).is_some() => (quote!(bool), quote!(#name)),
        Type::String => {
            let ty = known_values(param).unwrap_or_else(|| quote!(String));
            (quote!(impl Into<#ty>), quote!(Some(#name.into())))
        }
        Type::List(inner) if **inner == Type::String => (
            quote!(impl IntoIterator<Item = impl Into<String>>),
            quote!(#name.into_iter().map(Into::into).collect()),
        ),
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
