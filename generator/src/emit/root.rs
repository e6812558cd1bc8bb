//! The root of the crate.

use super::paths::ident;
use super::{docs, inner};
use crate::model::Api;
use crate::wellknown;
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
    let docs = inner(&docs::attributes(&about(api)));
    quote! {
        #docs
        #![forbid(unsafe_code)]
        #![deny(missing_docs)]

        pub mod codec;
        pub mod items;
        mod json;
        mod kind;
        mod operation;
        pub mod request;
        pub mod response;
        mod values;
        pub mod watch;

        #[rustfmt::skip]
        mod operations;
        #[rustfmt::skip]
        pub mod params;
        #[rustfmt::skip]
        pub mod #meta;
        #(#modules)*

        pub use items::Items;
        pub use json::{DecodeError, to_vec, to_writer};
        pub use json::{from_reader, from_slice, from_slice_strict, from_str};
        pub use kind::{Kind, Resource, ResourceList};
        pub use operation::{Operation, Verb};
        pub use operations::OPERATIONS;
        pub use request::{Patch, Request};
        // Short lines, which every formatter leaves as they are.
        pub use response::{ApiError, Error, Response, Warning};
        pub use response::{Deleted, DeletedCollection, Text, Upgrade};
        pub use watch::Watch;
    }
}

fn about(api: &Api) -> Vec<String> {
    let list = api.modules.iter().map(|(name, module)| {
        let version = module.group_version.api_version();
        if name == wellknown::META {
            format!("- [`{name}`]: what all groups share")
        } else {
            format!("- `{name}`: `{version}`, with the feature of that name")
        }
    });
    vec![
        "Types of Kubernetes-style APIs, one module for each group and version.".to_owned(),
        list.collect::<Vec<_>>().join("\n"),
        "The functions of a resource, such as `core_v1::pods::list`, build requests and do no I/O: see [`request`], \
         [`response`], [`watch`] and, for large lists, [`items`]."
            .to_owned(),
        "Structs are plain: public fields, `Default`, and serde's traits. A kind knows its names through [`Kind`] and \
         [`Resource`]. How values are read and written, and what is guaranteed of it, is told in [`codec`]."
            .to_owned(),
    ]
}
