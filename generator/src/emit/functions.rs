//! The functions of a resource.

use super::operations::{constant_of, scalar};
use super::paths::{ident, type_tokens};
use super::{ResourceRef, docs, operations};
use crate::emit::markdown::{Block, Markdown, prose};
use crate::functions::{Function, ParamsRef, RequestBody, ResourceEndpoints, ResponseKind};
use crate::model::{Operation, Scope, Type, Verb};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The module of a resource. Its other parts may be in files of their own.
pub(super) fn file(resource: &ResourceRef<'_>, has_parts: bool) -> TokenStream {
    let ResourceRef { module, plural, endpoints } = *resource;
    let docs = docs::inner(&module_docs(module, plural, endpoints));
    let operations: Vec<_> = operations::named(endpoints).collect();
    let context = Context { module, plural, endpoints, operations: &operations, up: &quote!() };
    let current = functions(false, &context);
    let legacy = functions(true, &Context { up: &quote!(super::), ..context });
    let legacy = (!legacy.is_empty()).then(|| {
        quote! {
            /// Deprecated operations, which servers still have.
            pub mod legacy {
                #(#legacy)*
            }
        }
    });
    let parts = has_parts
        .then(|| quote! { mod operations; mod params; pub use operations::*; pub use params::*; });
    quote! { #docs #parts #(#current)* #legacy }
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
            Type::Named(id) if id.package.is_none() && id.module == self.module => {
                quote!(#up #tokens)
            }
            _ => tokens,
        }
    }
}

fn functions(legacy: bool, context: &Context<'_>) -> Vec<TokenStream> {
    let functions = context.endpoints.functions.iter().filter(|f| f.legacy == legacy);
    functions.map(|f| function(f, context)).collect()
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
        RequestBody::Patch => {
            (Some(quote!(patch: &kapigen_runtime::Patch,)), Some(quote!(.patch(patch))))
        }
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
    let docs = function_docs(function, context.plural);
    let deprecated = function.legacy.then(|| deprecation(function, &context.endpoints.module));
    let alias = alias(function);
    quote! {
        #docs
        #alias
        #deprecated
        #[inline]
        pub fn #name(#(#arguments: &str,)* #body_argument #params_argument) -> Result<kapigen_runtime::Request<#response>, kapigen_runtime::Error> {
            kapigen_runtime::__private::Builder::new(&#up #constant, &[#(#arguments),*]) #accept #params_step #watch #body_step .finish()
        }
    }
}

fn params_path(params: &ParamsRef, up: &TokenStream) -> TokenStream {
    let name = ident(&params.name);
    if params.standard { quote!(kapigen_runtime::params::#name) } else { quote!(#up #name) }
}

/// The `operationId`, by which a search in the documentation finds the function too. Rustdoc takes
/// no other names than these.
fn alias(function: &Function<'_>) -> Option<TokenStream> {
    let id = &function.operation.id;
    let is_plain = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !id.is_empty();
    (is_plain && *id != function.name).then(|| quote!(#[doc(alias = #id)]))
}

fn response_type(response: &ResponseKind, context: &Context<'_>) -> TokenStream {
    let (around, id) = match response {
        ResponseKind::Text => return quote!(kapigen_runtime::Text),
        ResponseKind::Upgrade(None) => return quote!(kapigen_runtime::Upgrade),
        ResponseKind::Upgrade(Some(stream)) => {
            let stream = ident(stream);
            return quote!(kapigen_runtime::Upgrade<kapigen_runtime::response::#stream>);
        }
        ResponseKind::Object(id) => return context.type_tokens(&Type::Named(id.clone())),
        ResponseKind::Watch(id) => ("Watch", id),
        ResponseKind::Deleted(id) => ("Deleted", id),
        ResponseKind::DeletedCollection(id) => ("DeletedCollection", id),
    };
    let around = ident(around);
    let ty = context.type_tokens(&Type::Named(id.clone()));
    quote!(kapigen_runtime::#around<#ty>)
}

/// The documentation of the module of a resource.
fn module_docs(module: &str, plural: &str, endpoints: &ResourceEndpoints<'_>) -> Vec<Block> {
    let requests = Markdown::own("Requests for ").and_code(plural);
    let kind = endpoints.verbs.as_ref().map(|verbs| {
        let kind = &verbs.kind;
        let path = if kind.module == module {
            format!("super::{}", kind.name)
        } else {
            format!("crate::{kind}")
        };
        let kind = Markdown::own("kind ").and_code(&kind.name).linked(&path);
        requests.clone().and_own(", the objects of the ").and(&kind)
    });
    let about = "The functions do no I/O: each builds a request, which any client can send, and \
                 which decodes the response.";
    let generic = Block::own("For functions that serve all kinds, see [`verbs`](crate::verbs).");
    let generic = kind.is_some().then_some(generic);
    let errors = [Block::Heading("Errors"), errors(endpoints).into()];
    let head = [kind.unwrap_or(requests).and_own(".").into(), Block::own(about)];
    head.into_iter().chain(generic).chain(errors).collect()
}

/// The documentation of a function.
fn function_docs(function: &Function<'_>, plural: &str) -> TokenStream {
    let operation = function.operation;
    let mut blocks = about(function, plural);
    let query = if function.sends_watch() { "?watch=true" } else { "" };
    let request =
        Markdown::code(&format!("{} {}{query}", operation.method, operation.path)).and_own(".");
    let codes: Vec<String> = operation.responses.keys().map(ToString::to_string).collect();
    let responses =
        Markdown::own(" Responses: ").and(&Markdown::line(&codes.join(", "))).and_own(".");
    let responses = if codes.is_empty() { Markdown::default() } else { responses };
    let errors =
        if function.legacy { " [Errors](super#errors)." } else { " [Errors](self#errors)." };
    blocks.push(
        request.and(&responses).and_own(" ").and(&rbac(function, plural)).and_own(errors).into(),
    );
    blocks.extend(extra(function));
    docs::attributes(&blocks)
}

/// The parameters that the parameter struct has no field for.
fn extra(function: &Function<'_>) -> Option<Block> {
    let params = function.params.as_ref().filter(|_| !function.extra.is_empty())?;
    let mut list = Markdown::own("Further query parameters, which ")
        .and(&Markdown::link(&format!("crate::params::{}::with", params.name)))
        .and_own(" sets: ");
    for (index, param) in function.extra.iter().enumerate() {
        let ty = match &param.ty {
            Type::List(element) => format!(" (list of {}s)", scalar(element)),
            ty => format!(" ({})", scalar(ty)),
        };
        list = list
            .and_own(if index == 0 { "" } else { ", " })
            .and_code(&param.wire)
            .and(&Markdown::line(&ty));
    }
    Some(list.and_own(".").into())
}

/// The description in the document, unless that is one of a list and a watch at once.
fn about(function: &Function<'_>, plural: &str) -> Vec<Block> {
    let Operation { description, scope, verb, .. } = function.operation;
    let description = description.as_deref().unwrap_or_default();
    if function.watch {
        let list = function.name.replacen("watch", "list", 1);
        return vec![
            Markdown::own("Watches what ").and(&Markdown::link(&list)).and_own(" returns.").into(),
            Block::own(
                "The response is a stream of the events after `resourceVersion`. Without it, the \
                 stream begins with the objects that exist.",
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
        blocks.push(Block::own(
            "[`payload`](crate::Request::payload) sets the body that is passed on.",
        ));
    }
    blocks
}

/// The permissions that a role needs.
fn rbac(function: &Function<'_>, plural: &str) -> Markdown {
    let operation = function.operation;
    let subresource = operation.subresource.as_ref();
    let resource = subresource
        .map_or_else(|| plural.to_owned(), |subresource| format!("{plural}/{subresource}"));
    let mut verbs = Markdown::own("RBAC: ");
    for (index, verb) in function.rbac_verbs().iter().enumerate() {
        let and = if index == 0 { "" } else { " and " };
        verbs = verbs.and_own(and).and_code(verb);
    }
    verbs.and_own(" on ").and_code(&resource).and_own(".")
}

/// The reasons for which functions of a resource fail.
fn errors(endpoints: &ResourceEndpoints<'_>) -> Markdown {
    let all = &endpoints.functions;
    let reasons = [
        (
            all.iter().any(|f| !f.operation.path_params.is_empty()),
            "an argument for the path is empty or would change the path",
        ),
        (
            all.iter().any(|f| f.body == RequestBody::Patch),
            "parameters do not fit the form of the patch",
        ),
        (
            all.iter().any(|f| f.body == RequestBody::Options),
            "parameters contradict the options of a delete",
        ),
        (
            all.iter().any(|f| f.params.as_ref().is_some_and(|params| params.standard)),
            "a parameter is set that the operation does not have",
        ),
        (true, "path and query are too long for a URL"),
    ];
    let reasons: Vec<&str> =
        reasons.into_iter().filter(|(applies, _)| *applies).map(|(_, reason)| reason).collect();
    Markdown::line(&format!("A function fails when {}.", reasons.join(", or when ")))
}

/// The deprecation of a function with a path that servers advise against. It names the replacement,
/// if there is one.
fn deprecation(function: &Function<'_>, module: &str) -> TokenStream {
    let Some(replacement) = &function.replacement else {
        return docs::deprecated(&Markdown::own("deprecated by servers"));
    };
    let instead = Markdown::own("use ").and_code(&format!("{module}::{}", replacement.function));
    let selector =
        if replacement.of_one { " with the field selector `metadata.name=…`" } else { "" };
    docs::deprecated(&instead.and_own(selector))
}
