//! The root of the crate.

use super::docs;
use super::example;
use super::paths::ident;
use crate::emit::markdown::{Block, Markdown};
use crate::functions::Endpoints;
use crate::model::Api;
use crate::model::wellknown::{self, OWN_FEATURES, RUNTIME_FEATURES};
use proc_macro2::TokenStream;
use quote::quote;

/// `lib.rs`.
pub(super) fn file(api: &Api, endpoints: &Endpoints<'_>, crate_name: Option<&str>) -> TokenStream {
    let modules = api.modules.keys().filter(|name| *name != wellknown::META).map(|name| {
        let module = ident(name);
        quote! {
            #[cfg(feature = #name)]
            #[rustfmt::skip]
            pub mod #module;
        }
    });
    let (own_meta, runtime_meta) = shared_types(api);
    let releases = releases(api);
    let documents = documents(api);
    let exports = exports(&runtime_meta);
    let docs = docs::inner(&about(api, crate_name.and_then(|name| example::of_list(name, api, endpoints))));
    quote! {
        #docs
        #![forbid(unsafe_code)]
        #![deny(missing_docs)]
        #![cfg_attr(docsrs, feature(doc_cfg))]

        #[rustfmt::skip]
        mod operations;
        #own_meta
        #(#modules)*

        #exports

        #releases

        #documents

        // Does not compile with a runtime of another version: generate the crate again.
        const _: () = kapigen_runtime::__private::CODEGEN_1;
    }
}

/// The module of shared types: one of the crate, or else that of the runtime. Documents may have shared types that the
/// runtime does not have.
fn shared_types(api: &Api) -> (TokenStream, TokenStream) {
    let meta = ident(wellknown::META);
    if api.modules.contains_key(wellknown::META) {
        (quote!(#[rustfmt::skip] pub mod #meta;), quote!())
    } else {
        (quote!(), quote!(#[doc(inline)] pub use kapigen_runtime::#meta;))
    }
}

/// The constant that names the releases of the documents, if these are known.
fn releases(api: &Api) -> TokenStream {
    if api.releases.is_empty() {
        return quote!();
    }
    let (names, versions) = (api.releases.keys(), api.releases.values());
    quote! {
        /// The releases that the documents of this crate are of: names of servers, and their versions.
        pub const RELEASES: &[(&str, &str)] = &[#((#names, #versions)),*];
    }
}

/// The constant with the documents.
fn documents(api: &Api) -> TokenStream {
    let entries = api.documents().into_iter().map(|document| {
        let module = document.module;
        let path = document.path();
        let file = document.file();
        let file = file.trim_start_matches("src/");
        quote!(#[cfg(feature = #module)] (#path, include_str!(#file)))
    });
    let feature = wellknown::DOCUMENTS;
    quote! {
        /// The OpenAPI documents of this crate, one for each group and version: the path below `/openapi/v3/` where
        /// servers have it, and JSON. They describe what the crate has, corrected and without descriptions, and each
        /// stands alone.
        #[cfg(feature = #feature)]
        pub const DOCUMENTS: &[(&str, &str)] = &[#(#entries),*];
    }
}

/// A sentence about the releases of the documents, if these are known.
fn origin(api: &Api) -> Option<Block> {
    let names: Vec<String> = api.releases.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let sentence = Markdown::own("The documents are those of ").and(&Markdown::codes(&names)).and_own(".");
    (!api.releases.is_empty()).then(|| sentence.into())
}

/// The items of the runtime that users name.
fn exports(meta: &TokenStream) -> TokenStream {
    quote! {
        // Short lines in this order, which every formatter leaves as they are.
        #[cfg(feature = "admission")]
        #[doc(inline)]
        pub use kapigen_runtime::admission;
        #[doc(hidden)]
        pub use kapigen_runtime::codec;
        #[cfg(feature = "dynamic")]
        #[doc(inline)]
        pub use kapigen_runtime::dynamic;
        #meta
        #[cfg(feature = "route")]
        #[doc(inline)]
        pub use kapigen_runtime::route;
        pub use kapigen_runtime::{AnyKind, AnyResource, Kind, Resource, ResourceList};
        pub use kapigen_runtime::{Api, Operation, Patch, Request, Verb};
        pub use kapigen_runtime::{ApiError, DecodeError, Error, Response, Warning};
        pub use kapigen_runtime::{Deleted, DeletedCollection, Text, Upgrade};
        #[cfg(feature = "machines")]
        pub use kapigen_runtime::{Election, ElectionEvent, Informer, Input, Machine};
        pub use kapigen_runtime::{Items, Watch, WatchEvent};
        #[cfg(feature = "machines")]
        pub use kapigen_runtime::{LogEvent, LogFollower, PageEvent, Pages, Queue};
        #[cfg(feature = "machines")]
        pub use kapigen_runtime::{Step, Store, Update};
        pub use kapigen_runtime::{Unknown, UnknownMembers, deserialize_strict, drop_unknown};
        #[doc(inline)]
        pub use kapigen_runtime::{change, items, params, request, response, watch};
        #[cfg(feature = "machines")]
        #[doc(inline)]
        pub use kapigen_runtime::{election, informer, log, machine, pages, queue, store, update};
        pub use kapigen_runtime::{from_reader, from_slice, from_slice_strict, from_str};
        pub use kapigen_runtime::{http, jiff, serde_json, to_string, to_vec, to_writer};
        #[doc(inline)]
        pub use kapigen_runtime::{prelude, scope, verbs};
        pub use operations::{API, OPERATIONS};
    }
}

fn about(api: &Api, example: Option<Block>) -> Vec<Block> {
    let modules = api.modules.iter().filter(|(name, _)| *name != wellknown::META).map(|(name, module)| {
        let version = module.group_version.api_version();
        Markdown::link(name).and_own(": ").and_code(&version).and_own(", with the feature of that name")
    });
    let shared = Markdown::link(wellknown::META).and_own(": metadata and other types that all groups share");
    let features = OWN_FEATURES.iter().chain(&RUNTIME_FEATURES);
    let overview = vec![
        Block::own("Types and requests of Kubernetes-style APIs, one module for each group and version."),
        Block::Items(modules.chain([shared]).collect()),
        Block::own("These features are off by default:"),
        Block::Items(features.map(|(name, about)| Markdown::code(name).and_own(": ").and_own(about)).collect()),
        Block::own(
            "The functions in the module of a resource build requests and do no I/O: send a [`Request`] with any \
             client, and it decodes the response. See [`response`] for errors, [`watch`], and [`items`] for large \
             lists. Functions that serve all kinds use the traits in [`verbs`].",
        ),
    ];
    let details = [
        Block::own(
            "Structs are plain: public fields, `Default`, and serde's traits. Each has a field for members that it \
             does not know, so end struct literals with `..Default::default()`. A kind has its names as constants of \
             [`Kind`] and [`Resource`]. How values are decoded and encoded is in the documentation of the crate \
             `kapigen_runtime`, which crates generated by kapigen share.",
        ),
        Block::own(
            "The type of a nested schema is named after the schema that it is in and the properties that lead to it. \
             Nested schemas of a module that differ in nothing but descriptions, limits and rules are one type. Within \
             one schema it has one name for each property that leads to it, by the shortest way; names beyond the \
             first are re-exports. So no name depends on the other kinds of the crate.",
        ),
    ];
    overview.into_iter().chain(origin(api)).chain(example).chain(details).collect()
}
