//! The root of the crate.

use super::docs;
use super::paths::ident;
use crate::emit::markdown::{Block, Markdown};
use crate::model::Api;
use crate::model::wellknown;
use proc_macro2::TokenStream;
use quote::quote;

/// `lib.rs`.
pub(super) fn file(api: &Api) -> TokenStream {
    let modules = api.modules.keys().filter(|name| *name != wellknown::META).map(|name| {
        let module = ident(name);
        quote! {
            #[cfg(feature = #name)]
            #[rustfmt::skip]
            pub mod #module;
        }
    });
    let meta = ident(wellknown::META);
    // Documents may have shared types that the runtime does not have.
    let (own_meta, runtime_meta) = if api.modules.contains_key(wellknown::META) {
        (quote!(#[rustfmt::skip] pub mod #meta;), quote!())
    } else {
        (quote!(), quote!(#[doc(inline)] pub use kapigen_runtime::#meta;))
    };
    let docs = docs::inner(&about(api));
    quote! {
        #docs
        #![forbid(unsafe_code)]
        #![deny(missing_docs)]
        #![cfg_attr(docsrs, feature(doc_cfg))]

        #[rustfmt::skip]
        mod operations;
        #own_meta
        #(#modules)*

        // Short lines in this order, which every formatter leaves as they are.
        #runtime_meta
        pub use kapigen_runtime::{ApiError, DecodeError, Error, Response, Warning};
        pub use kapigen_runtime::{Deleted, DeletedCollection, Text, Upgrade};
        pub use kapigen_runtime::{Items, Watch, WatchEvent};
        pub use kapigen_runtime::{Kind, Resource, ResourceList};
        pub use kapigen_runtime::{Api, Operation, Patch, Request, Verb};
        pub use kapigen_runtime::{Unknown, drop_unknown};
        #[doc(inline)]
        pub use kapigen_runtime::{change, codec, items, params, request, response, route, watch};
        pub use kapigen_runtime::{from_reader, from_slice, from_slice_strict, from_str};
        pub use kapigen_runtime::{http, jiff, to_vec, to_writer};
        #[doc(inline)]
        pub use kapigen_runtime::{prelude, scope, verbs};
        pub use operations::{API, OPERATIONS};

        // Does not compile with a runtime of another version: generate the crate again.
        const _: () = kapigen_runtime::__private::CODEGEN_1;
    }
}

fn about(api: &Api) -> Vec<Block> {
    let modules = api.modules.iter().filter(|(name, _)| *name != wellknown::META).map(|(name, module)| {
        let version = module.group_version.api_version();
        Markdown::code(name).and_own(": ").and_code(&version).and_own(", with the feature of that name")
    });
    let shared = Markdown::own("[`").and_own(wellknown::META).and_own("`]: types that all groups share");
    vec![
        Block::own("Types of Kubernetes-style APIs, one module for each group and version."),
        Block::Items(modules.chain([shared]).collect()),
        Block::own(
            "The functions of a resource, such as `core_v1::pods::list`, build requests and do no I/O: see [`request`], \
             [`response`], [`watch`] and, for large lists, [`items`].",
        ),
        Block::own(
            "The type of a nested schema is named after the schema around it and the properties on the way to it. \
             Nested schemas of a module that differ in nothing but descriptions, limits and rules are one type. Within \
             one schema it has one name for each property that leads to it, by the shortest way; names beyond the first \
             are re-exports. So no name depends on the other kinds of the crate.",
        ),
        Block::own(
            "Structs are plain: public fields, `Default`, and serde's traits. Each has a field for unknown \
             members, so end struct literals with `..Default::default()`. [`Kind`] and [`Resource`] have the names of \
             a kind. [`codec`] documents how values are decoded and encoded, and its guarantees. All of this is in \
             the crate `kapigen_runtime`, which generated crates share.",
        ),
    ]
}
