//! The functions of a resource, and the list of all operations.

use super::constants::Constant;
use super::paths::{ident, type_tokens};
use super::{FileBody, constants, docs, function_docs, params, verbs};
use crate::emit::markdown::Block;
use crate::functions::{Endpoints, Function, ParamsRef, RequestBody, ResourceEndpoints, ResponseKind};
use crate::model::{Api, Operation, Type, TypeId};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeSet;

/// The module of a resource.
pub(super) fn file(module: &str, plural: &str, endpoints: &ResourceEndpoints<'_>) -> FileBody {
    let docs = docs::inner(&function_docs::module(module, plural, endpoints));
    let operations: Vec<_> = operations(endpoints).collect();
    let own = endpoints
        .own
        .iter()
        .map(|(name, def)| params::structure(name, &function_docs::params(name, endpoints), def, params::Extra::None));
    let functions = |legacy: bool, up: &TokenStream| {
        let functions = endpoints.functions.iter().filter(|function| function.legacy == legacy);
        let context = Context { module, plural, endpoints, operations: &operations, up };
        functions.map(|f| function(f, &context)).collect::<Vec<_>>()
    };
    let (current, legacy) = (functions(false, &quote!()), functions(true, &quote!(super::)));
    let legacy = (!legacy.is_empty()).then(|| {
        quote! {
            /// Deprecated operations, which servers still have.
            pub mod legacy {
                use kapigen_runtime::__private::Builder;
                use kapigen_runtime::{Error, Request};

                #(#legacy)*
            }
        }
    });
    let named = operations.iter().map(|(name, operation)| Constant {
        name: constant_name(name).to_string(),
        operation,
        extra: endpoints.extra(operation),
    });
    let named: Vec<_> = named.collect();
    let extra = named.iter().any(|constant| !constant.extra.is_empty());
    let extra = extra.then(|| {
        quote!(
            use kapigen_runtime::ExtraParameter;
        )
    });
    let items = quote! {
        #docs
        use kapigen_runtime::__private::Builder;
        #extra
        use kapigen_runtime::{Error, Operation, Request, Verb};

        #(#current)*
        #legacy
        #(#own)*
    };
    let mut tables = constants::all(&named, plural);
    tables.extend(verbs::implementations(endpoints, &operations));
    FileBody { items, tables: tables.join("\n") }
}

/// The lists of all operations and kinds of the crate.
pub(super) fn index(api: &Api, endpoints: &Endpoints<'_>) -> TokenStream {
    let entries = endpoints.resources.iter().flat_map(|((module, _), resource)| {
        operations(resource).map(move |(name, _)| {
            let (module_ident, resource, name) = (ident(module), ident(&resource.module), constant_name(&name));
            let cfg = feature(module);
            quote! { #cfg crate::#module_ident::#resource::#name }
        })
    });
    let kinds = api.modules.iter().flat_map(|(module, content)| {
        let kinds = content.types.iter().filter(|(_, def)| def.kind.is_some());
        kinds.map(move |(name, _)| {
            let (cfg, module, name) = (feature(module), ident(module), ident(name));
            quote! { #cfg ApiKind::of::<crate::#module::#name>() }
        })
    });
    let docs = docs::inner(&[Block::own("Every operation and kind of this crate.")]);
    quote! {
        #docs
        use kapigen_runtime::{Api, ApiKind, Operation};

        /// The operations and kinds of this crate, with the features that are on: for routers and other programs that
        /// work with data in place of functions and types.
        pub const API: Api = Api::new(OPERATIONS, KINDS);

        const KINDS: &[ApiKind] = &[#(#kinds),*];

        /// Every operation that this crate has a function for, with the features that are on.
        pub static OPERATIONS: &[Operation] = &[#(#entries),*];
    }
}

/// The condition on which a module is there.
fn feature(module: &str) -> Option<TokenStream> {
    (module != crate::model::wellknown::META).then(|| quote!(#[cfg(feature = #module)]))
}

/// Each operation once, under the name of its first function.
fn operations<'a>(endpoints: &'a ResourceEndpoints<'a>) -> impl Iterator<Item = (String, &'a Operation)> {
    let mut seen = BTreeSet::new();
    let once = endpoints.functions.iter().filter(move |f| seen.insert((&f.operation.path, &f.operation.method)));
    once.map(|f| (if f.legacy { format!("legacy_{}", f.name) } else { f.name.clone() }, f.operation))
}

fn constant_name(name: &str) -> Ident {
    ident(&name.to_uppercase())
}

/// The name of the constant of an operation.
pub(super) fn constant_of(operation: &Operation, operations: &[(String, &Operation)]) -> Ident {
    let name = operations.iter().find(|(_, other)| std::ptr::eq(*other, operation)).map(|(name, _)| name);
    constant_name(name.map_or("", String::as_str))
}

/// The resource to which functions belong, and its module.
struct Context<'a> {
    module: &'a str,
    plural: &'a str,
    endpoints: &'a ResourceEndpoints<'a>,
    operations: &'a [(String, &'a Operation)],
    /// The path to the module of the resource.
    up: &'a TokenStream,
}

impl Context<'_> {
    fn type_tokens(&self, ty: &Type) -> TokenStream {
        let tokens = type_tokens(ty, self.module);
        let up = self.up;
        match ty {
            Type::Named(id) if id.package.is_none() && id.module == self.module => quote!(#up #tokens),
            _ => tokens,
        }
    }
}

fn function(function: &Function<'_>, context: &Context<'_>) -> TokenStream {
    let operation = function.operation;
    let name = ident(&function.name);
    let constant = constant_of(operation, context.operations);
    let up = context.up;
    let arguments: Vec<Ident> = function.arguments.iter().map(|name| ident(name)).collect();
    let (body_argument, body_step) = match function.body {
        RequestBody::None => (None, None),
        RequestBody::Object(ty) => {
            let ty = context.type_tokens(ty);
            (Some(quote!(body: &#ty,)), Some(quote!(.body(body))))
        }
        RequestBody::Patch => (Some(quote!(patch: &kapigen_runtime::Patch,)), Some(quote!(.patch(patch)))),
        RequestBody::Options => (None, Some(quote!(.delete_options(params.options.as_ref())))),
    };
    let (params_argument, params_step) = match &function.params {
        Some(params) => {
            let ty = params_path(params, up);
            (Some(quote!(params: &#ty,)), Some(quote!(.params(params))))
        }
        None => (None, None),
    };
    let watch = function.sends_watch().then(|| quote!(.watch()));
    let accept = (function.response == ResponseKind::Text).then(|| quote!(.accept_any()));
    let response = response_type(&function.response, context);
    let docs = function_docs::function(function, context.plural);
    let deprecated = function.legacy.then(|| function_docs::deprecation(function, &context.endpoints.module));
    let alias = alias(function);
    quote! {
        #docs
        #alias
        #deprecated
        #[inline]
        pub fn #name(#(#arguments: &str,)* #body_argument #params_argument) -> Result<Request<#response>, Error> {
            Builder::new(&#up #constant, &[#(#arguments),*]) #accept #params_step #watch #body_step .finish()
        }
    }
}

fn params_path(params: &ParamsRef, up: &TokenStream) -> TokenStream {
    let name = ident(&params.name);
    if params.standard { quote!(kapigen_runtime::params::#name) } else { quote!(#up #name) }
}

/// The `operationId`, by which a search in the documentation finds the function too. Rustdoc takes no other names than
/// these.
fn alias(function: &Function<'_>) -> Option<TokenStream> {
    let id = &function.operation.id;
    let is_plain = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !id.is_empty();
    (is_plain && *id != function.name).then(|| quote!(#[doc(alias = #id)]))
}

fn response_type(response: &ResponseKind, context: &Context<'_>) -> TokenStream {
    let named = |id: &TypeId| context.type_tokens(&Type::Named(id.clone()));
    match response {
        ResponseKind::Object(id) => named(id),
        ResponseKind::Text => quote!(kapigen_runtime::Text),
        ResponseKind::Upgrade => quote!(kapigen_runtime::Upgrade),
        ResponseKind::Watch(id) => {
            let id = named(id);
            quote!(kapigen_runtime::Watch<#id>)
        }
        ResponseKind::Deleted(id) => {
            let id = named(id);
            quote!(kapigen_runtime::Deleted<#id>)
        }
        ResponseKind::DeletedCollection(id) => {
            let id = named(id);
            quote!(kapigen_runtime::DeletedCollection<#id>)
        }
    }
}
