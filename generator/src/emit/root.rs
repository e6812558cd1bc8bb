//! The root of the crate, `lib.rs`.

use super::paths::ident;
use super::{FileBody, docs};
use crate::emit::markdown::{Block, Markdown};
use crate::functions::{Endpoints, Function, KindVerbs, ResourceEndpoints};
use crate::model::documents::Definition;
use crate::model::wellknown::{self, RUNTIME_FEATURES};
use crate::model::{Api, Operation, rustc};
use crate::names;
use proc_macro2::TokenStream;
use quote::quote;

/// The number of the interface `kapigen_runtime::__private` that emitted code needs. A runtime
/// compiles the items of a crate only if it has that interface.
const INTERFACE: u32 = 1;

/// `lib.rs`.
pub(super) fn file(api: &Api, endpoints: &Endpoints<'_>, crate_name: Option<&str>) -> FileBody {
    let modules = api.modules.keys().filter(|name| *name != wellknown::META).map(|name| {
        let module = ident(name);
        quote! {
            #[cfg(feature = #name)]
            #[rustfmt::skip]
            pub mod #module;
        }
    });
    let own_meta = own_meta(api);
    let releases = releases(api);
    let documents = documents(api);
    let definitions = definitions(api);
    let mut resources = api.modules.values().flat_map(|module| module.resources.values());
    let recursion_limit = rustc::is_deep(api).then(|| quote!(#![recursion_limit = "512"]));
    // The crate itself uses the items that it deprecates.
    let of_warnings =
        resources.any(|resource| resource.warning.is_some()).then(|| quote!(#![allow(deprecated)]));
    let has_capitals =
        crate_name.is_some_and(|name| name.contains(|c: char| c.is_ascii_uppercase()));
    let of_name = has_capitals.then(|| quote!(#![allow(non_snake_case)]));
    let docs = docs::inner(&about(api, crate_name.and_then(|name| example(name, api, endpoints))));
    let guard = Some(format!("kapigen_runtime::__private::generated! {{ {INTERFACE}"));
    let items = quote! {
        #docs
        #![forbid(unsafe_code)]
        #![deny(missing_docs)]
        #of_warnings
        #of_name
        #recursion_limit
        // Each module of requests documents its errors once.
        #![allow(clippy::missing_errors_doc)]
        #![cfg_attr(docsrs, feature(doc_cfg))]

        #[rustfmt::skip]
        mod operations;
        #own_meta
        #(#modules)*

        // Modules of this crate shadow its items.
        pub use kapigen_runtime::facade::*;
        // By name, so that their documentation is not repeated here.
        pub use kapigen_runtime::{self, http, jiff, serde_json};
        pub use operations::{API, OPERATIONS};

        #releases

        #documents

        #definitions
    };
    FileBody { items, guard, ..FileBody::default() }
}

/// The crate's own module of shared types, if its documents have some that the runtime's lacks.
fn own_meta(api: &Api) -> Option<TokenStream> {
    let meta = ident(wellknown::META);
    api.modules.contains_key(wellknown::META).then(|| quote!(#[rustfmt::skip] pub mod #meta;))
}

/// The constant that names the releases of the documents, if these are known.
fn releases(api: &Api) -> TokenStream {
    if api.releases.is_empty() {
        return quote!();
    }
    let names = api.releases.keys();
    let versions = api.releases.values();
    quote! {
        /// The releases that the documents of this crate are of: names of servers, and their
        /// versions.
        pub const RELEASES: &[(&str, &str)] = &[#((#names, #versions)),*];
    }
}

/// The constant with the documents.
fn documents(api: &Api) -> TokenStream {
    let entries = api.documents().into_iter().map(|document| {
        let feature = document.feature();
        let path = document.path();
        let file = document.file();
        let file = file.trim_start_matches("src/");
        quote!(#[cfg(feature = #feature)] (#path, include_str!(#file)))
    });
    let feature = wellknown::DOCUMENTS;
    let apart = api.modules.values().any(|module| module.apart().next().is_some()).then(|| {
        quote! {
            ///
            /// A resource with a feature of its own has a document of its own, with the path of its
            /// group and version.
        }
    });
    quote! {
        /// The OpenAPI documents of this crate, one for each group and version: the path below
        /// `/openapi/v3/` where servers have it, and JSON. They describe what the crate has,
        /// corrected and without descriptions, and each is self-contained.
        #apart
        #[cfg(feature = #feature)]
        pub const DOCUMENTS: &[(&str, &str)] = &[#(#entries),*];
    }
}

/// The constant with the definitions, if there are any.
fn definitions(api: &Api) -> Option<TokenStream> {
    let entries = api.definitions.iter().map(|Definition { name, file, modules }| {
        let file = file.trim_start_matches("src/");
        quote!(#[cfg(any(#(feature = #modules),*))] (#name, include_str!(#file)))
    });
    let feature = wellknown::DEFINITIONS;
    let constant = quote! {
        /// The definitions of the custom resources of this crate that it was generated from, each
        /// with its name: objects of `apiextensions.k8s.io/v1` as JSON, which clients apply and
        /// servers for tests take.
        #[cfg(feature = #feature)]
        pub const DEFINITIONS: &[(&str, &str)] = &[#(#entries),*];
    };
    (!api.definitions.is_empty()).then_some(constant)
}

/// A sentence about the releases of the documents, if these are known.
fn origin(api: &Api) -> Option<Block> {
    let names: Vec<String> =
        api.releases.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let sentence =
        Markdown::own("The documents are those of ").and(&Markdown::codes(&names)).and_own(".");
    (!api.releases.is_empty()).then(|| sentence.into())
}

fn about(api: &Api, example: Option<Block>) -> Vec<Block> {
    let modules =
        api.modules.iter().filter(|(name, _)| *name != wellknown::META).map(|(name, module)| {
            let version = module.group_version.api_version();
            // No link, which would lead nowhere where the feature is off.
            let module_feature = Markdown::code(name)
                .and_own(": ")
                .and_code(&version)
                .and_own(", with the feature of that name");
            let apart: Vec<String> =
                module.apart().map(|(_, feature)| feature.to_owned()).collect();
            if apart.is_empty() {
                return module_feature;
            }
            let more = module_feature.and_own("; some resources have a feature of their own: ");
            more.and(&Markdown::codes(&apart))
        });
    let shared =
        Markdown::link(wellknown::META).and_own(": metadata and other types that all groups share");
    let features = api.own_features().chain(RUNTIME_FEATURES);
    let overview = vec![
        Block::own(
            "Types and requests of Kubernetes-style APIs, one module for each group and version.",
        ),
        Block::Items(modules.chain([shared]).collect()),
        Block::own("These features are off by default:"),
        Block::Items(
            features
                .map(|(name, about)| Markdown::code(name).and_own(": ").and_own(about))
                .collect(),
        ),
        Block::own(
            "The functions in the module of a resource build requests and do no I/O: send a \
             [`Request`] with any client, and it decodes the response. See [`response`] for \
             errors, [`watch`], and [`items`] for large lists. Functions that serve all kinds use \
             the traits in [`verbs`].",
        ),
    ];
    let details = [
        Block::own(
            "Structs are plain: public fields, `Default`, and serde's traits. Each has a field \
             for members that it does not know, so end struct literals with \
             `..Default::default()`. A kind has its names as constants of [`Kind`] and \
             [`Resource`]. How values are decoded and encoded is in the documentation of the \
             crate [`kapigen_runtime`], which crates generated by kapigen share. Its examples \
             begin with its name, which is an item of this crate, too: `use` it first.",
        ),
        Block::own(
            "The type of a nested schema is named after the schema that it is in and the \
             properties that lead to it. Nested schemas of a module that differ in nothing but \
             descriptions, limits and rules are one type. Within one schema it has one name for \
             each property that leads to it, by the shortest way; names beyond the first are \
             re-exports. So no name depends on the other kinds of the crate.",
        ),
    ];
    overview.into_iter().chain(origin(api)).chain(example).chain(details).collect()
}

/// A request for a list, and its response: of the resource that has most functions.
fn example(crate_name: &str, api: &Api, endpoints: &Endpoints<'_>) -> Option<Block> {
    let root = names::package_ident(crate_name);
    let is_ident = root.starts_with(|c: char| c.is_ascii_alphabetic())
        && root.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let lists = endpoints
        .resources
        .iter()
        .filter(|((module, plural), _)| has_feature(api, module, plural) && is_ident)
        .filter_map(|((module, _), resource)| Some((*module, resource, list(resource)?)));
    let mut lists: Vec<_> = lists.collect();
    // Of several with as many the first one, since the sort is stable.
    lists.sort_by_key(|(_, resource, _)| std::cmp::Reverse(resource.functions.len()));
    let (module, resource, (verbs, function)) = lists.into_iter().next()?;
    let path = function.operation.path.replace("{namespace}", "default");
    let arguments = if path == function.operation.path { "" } else { "\"default\", " };
    let kind = &verbs.kind.name;
    let name = &function.name;
    let resource = &resource.module;
    let lines = [
        format!("# #[cfg(feature = \"{module}\")]"),
        format!("# fn example() -> Result<(), {root}::Error> {{"),
        format!("use {root}::{module}::{{{kind}, {resource}}};"),
        format!("use {root}::params::ListParams;"),
        format!("use {root}::prelude::*;"),
        String::new(),
        "// Nothing is sent: any HTTP client can do that.".to_owned(),
        format!("let request = {resource}::{name}({arguments}&ListParams::default())?;"),
        "let http = request.to_http();".to_owned(),
        format!("assert_eq!((http.method().as_str(), http.uri().path()), (\"GET\", \"{path}\"));"),
        String::new(),
        "// The request decodes the response.".to_owned(),
        format!(
            "let response = \
             {root}::http::Response::new(r#\"{{\"items\":[{{\"metadata\":{{\"name\":\"a\"}}}}]}}\"\
             #);"
        ),
        format!("let items: Vec<{kind}> = request.decode(&response)?.body.take_items();"),
        "assert_eq!(items[0].metadata().name.as_deref(), Some(\"a\"));".to_owned(),
        "# Ok(())".to_owned(),
        "# }".to_owned(),
        format!("# #[cfg(feature = \"{module}\")]"),
        "# example().unwrap();".to_owned(),
    ];
    Some(Block::Example(lines.into()))
}

/// Whether the feature of the module has a resource.
fn has_feature(api: &Api, module: &str, plural: &str) -> bool {
    let Some(content) = api.modules.get(module) else { return false };
    let is_apart = content.apart().any(|(resource, _)| resource.plural == plural);
    module != wellknown::META && !is_apart
}

/// The function that lists the kind of a resource, if anybody can call it with the standard
/// parameters.
fn list<'a>(resource: &'a ResourceEndpoints<'a>) -> Option<(&'a KindVerbs<'a>, &'a Function<'a>)> {
    let verbs = resource.verbs.as_ref()?;
    let operation: &Operation = verbs.list.as_ref()?.operation;
    let function = resource.functions.iter().find(|function| {
        let is_standard = function.params.as_ref().is_some_and(|params| params.standard);
        is_standard && !function.watch && std::ptr::eq(function.operation, operation)
    })?;
    let is_plain =
        operation.path.chars().all(|c| c.is_ascii_alphanumeric() || "/.-_{}".contains(c));
    is_plain.then_some((verbs, function))
}
