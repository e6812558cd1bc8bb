//! The functions of a resource, and the list of all operations.

use super::paths::{ident, type_tokens};
use super::{FileBody, docs, params, tables, verbs};
use crate::emit::markdown::{Block, Markdown, prose};
use crate::functions::{Endpoints, Function, ParamsRef, RequestBody, ResourceEndpoints, ResponseKind};
use crate::model::{Api, Operation, Scope, Type, TypeId, Verb};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeSet;

/// The module of a resource.
pub(super) fn file(plural: &str, endpoints: &ResourceEndpoints<'_>) -> FileBody {
    let docs = docs::inner(&[
        Markdown::own("Requests for ").and_code(plural).and_own(".").into(),
        Block::own(
            "The functions do no I/O: each builds a request, which any client can send, and which decodes the response.",
        ),
    ]);
    let operations: Vec<_> = operations(endpoints).collect();
    let own = endpoints.own.iter().map(|(name, def)| params::structure(name, def));
    let functions = |legacy: bool, up: &TokenStream| {
        let functions = endpoints.functions.iter().filter(|function| function.legacy == legacy);
        functions.map(|f| function(f, endpoints, &operations, plural, up)).collect::<Vec<_>>()
    };
    let (current, legacy) = (functions(false, &quote!()), functions(true, &quote!(super::)));
    let legacy = (!legacy.is_empty()).then(|| {
        quote! {
            /// Functions with deprecated paths, which servers still have.
            pub mod legacy {
                use kapigen_runtime::__private::Builder;
                use kapigen_runtime::{Error, Request};

                #(#legacy)*
            }
        }
    });
    let items = quote! {
        #docs
        use kapigen_runtime::__private::Builder;
        use kapigen_runtime::{Error, Operation, Request, Verb};

        #(#current)*
        #legacy
        #(#own)*
    };
    let constants = operations
        .iter()
        .map(|(name, operation)| tables::operation(&constant_name(name).to_string(), operation, plural));
    let implemented = verbs::implementations(endpoints, &operations);
    FileBody { items, tables: constants.chain(implemented).collect::<Vec<_>>().join("\n") }
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

/// `up` leads to the module of the resource.
fn function(
    function: &Function<'_>,
    endpoints: &ResourceEndpoints<'_>,
    operations: &[(String, &Operation)],
    plural: &str,
    up: &TokenStream,
) -> TokenStream {
    let operation = function.operation;
    let name = ident(&function.name);
    let constant = constant_of(operation, operations);
    let arguments: Vec<Ident> = function.arguments.iter().map(|name| ident(name)).collect();
    let (body_argument, body_step) = match function.body {
        RequestBody::None => (None, None),
        RequestBody::Object(ty) => {
            let ty = type_tokens(ty, "");
            (Some(quote!(body: &#ty,)), Some(quote!(.body(body))))
        }
        RequestBody::Patch => (Some(quote!(patch: &kapigen_runtime::Patch,)), Some(quote!(.patch(patch)))),
        RequestBody::Options => {
            let options =
                quote!(params.options.as_ref().map(|options| options as &dyn kapigen_runtime::__private::Object));
            (None, Some(quote!(.delete_options(#options))))
        }
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
    let response = response_type(&function.response);
    let docs = function_docs(function, plural);
    let deprecated = function.legacy.then(|| deprecation(function, &endpoints.module));
    quote! {
        #docs
        #deprecated
        pub fn #name(#(#arguments: &str,)* #body_argument #params_argument) -> Result<Request<#response>, Error> {
            Builder::new(&#up #constant, &[#(#arguments),*]) #accept #params_step #watch #body_step .finish()
        }
    }
}

fn params_path(params: &ParamsRef, up: &TokenStream) -> TokenStream {
    let name = ident(&params.name);
    if params.standard { quote!(kapigen_runtime::params::#name) } else { quote!(#up #name) }
}

fn response_type(response: &ResponseKind) -> TokenStream {
    let named = |id: &TypeId| type_tokens(&Type::Named(id.clone()), "");
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

fn function_docs(function: &Function<'_>, plural: &str) -> TokenStream {
    let operation = function.operation;
    let mut blocks = about(function, plural);
    let query = if function.sends_watch() { "?watch=true" } else { "" };
    let request = Markdown::code(&format!("{} {}{query}", operation.method, operation.path)).and_own(".");
    let codes: Vec<String> = operation.responses.keys().map(ToString::to_string).collect();
    let responses = Markdown::own(" Responses: ").and(&Markdown::line(&codes.join(", "))).and_own(".");
    let responses = if codes.is_empty() { Markdown::default() } else { responses };
    blocks.push(request.and(&responses).and_own(" ").and(&rbac(function, plural)).into());
    blocks.extend([Block::Heading("Errors"), errors(function).into()]);
    docs::attributes(&blocks)
}

/// The description of a function: that of the document, unless it is about a list and a watch at once.
fn about(function: &Function<'_>, plural: &str) -> Vec<Block> {
    let Operation { description, scope, verb, .. } = function.operation;
    let description = description.as_deref().unwrap_or_default();
    if function.watch {
        let list = function.name.replacen("watch", "list", 1);
        return vec![
            Markdown::own("Watches what ").and_code(&list).and_own(" returns.").into(),
            Block::own(
                "The response is a stream of events since `resourceVersion`; without it, existing objects come first.",
            ),
        ];
    }
    let mut words = description.split(|c: char| !c.is_alphanumeric());
    if *verb == Verb::List && words.any(|word| word.eq_ignore_ascii_case("watch")) {
        let scope = match scope {
            Scope::Cluster => ".",
            Scope::Namespace => " of one namespace.",
            Scope::AllNamespaces => " of all namespaces.",
        };
        return vec![Markdown::own("Lists ").and_code(plural).and_own(scope).into()];
    }
    let mut blocks = prose(description);
    if function.operation.passes_body_on() {
        blocks.push(Block::own("`Request::payload` sets the body that is passed on."));
    }
    blocks
}

/// The RBAC verbs that a role must allow.
fn rbac(function: &Function<'_>, plural: &str) -> Markdown {
    let operation = function.operation;
    let subresource = operation.subresource.as_ref();
    let resource = subresource.map_or_else(|| plural.to_owned(), |subresource| format!("{plural}/{subresource}"));
    let mut verbs = Markdown::own("RBAC: ");
    for (index, verb) in function.rbac_verbs().iter().enumerate() {
        let and = if index == 0 { "" } else { " and " };
        verbs = verbs.and_own(and).and_code(verb);
    }
    verbs.and_own(" on ").and_code(&resource).and_own(".")
}

fn errors(function: &Function<'_>) -> Markdown {
    let mut reasons = Vec::new();
    if !function.operation.path_params.is_empty() {
        reasons.push("an argument is empty or would change the path");
    }
    match function.body {
        RequestBody::Patch => reasons.push("the parameters do not fit the form of the patch"),
        RequestBody::Options => reasons.push("the parameters contradict the options"),
        RequestBody::None | RequestBody::Object(_) => {}
    }
    if function.params.as_ref().is_some_and(|params| params.standard) {
        reasons.push("a parameter is set that the operation does not have");
    }
    reasons.push("path and query are too long for a URL");
    Markdown::line(&format!("When {}.", reasons.join(", or when ")))
}

/// The function to use in the place of one whose path servers advise against.
fn deprecation(function: &Function<'_>, module: &str) -> TokenStream {
    let Some(replacement) = &function.replacement else {
        return docs::deprecated(&Markdown::own("deprecated by servers"));
    };
    let instead = Markdown::own("use ").and_code(&format!("{module}::{}", replacement.function));
    let selector = if replacement.of_one { " with the field selector `metadata.name=…`" } else { "" };
    docs::deprecated(&instead.and_own(selector))
}
