//! Model to tokens. The only place that quotes Rust.

mod docs;
mod paths;
mod types;

use crate::model::{Api, Module, TypeDef};
use crate::wellknown;
use paths::{file_names, ident};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::{BTreeMap, BTreeSet};

/// A file of the crate, before it is text.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path below the folder of the crate.
    pub path: String,
    /// What it was made of, for its header.
    pub origin: String,
    /// Its content.
    pub tokens: TokenStream,
}

/// All files of the crate that are not templates.
#[must_use]
pub fn emit(api: &Api) -> Vec<File> {
    let mut files = vec![root(api)];
    let meta = Module::default();
    let missing = (!api.modules.contains_key(wellknown::META)).then_some((wellknown::META, &meta));
    for (name, module) in api.modules.iter().map(|(name, module)| (name.as_str(), module)).chain(missing) {
        emit_module(name, module, &mut files);
    }
    files
}

/// The Cargo features: one for each module but the one that is always there, with the features that it needs.
#[must_use]
pub fn features(api: &Api) -> BTreeMap<String, Vec<String>> {
    let needs = api.module_needs().into_iter().filter(|(name, _)| *name != wellknown::META);
    let names = |needs: BTreeSet<&str>| {
        needs.into_iter().filter(|need| *need != wellknown::META).map(str::to_owned).collect::<Vec<_>>()
    };
    needs.map(|(name, needs)| (name.to_owned(), names(needs))).collect()
}

fn root(api: &Api) -> File {
    let modules = api.modules.keys().filter(|name| *name != wellknown::META).map(|name| {
        let module = ident(name);
        quote! {
            #[cfg(feature = #name)]
            #[rustfmt::skip]
            pub mod #module;
        }
    });
    let meta = ident(wellknown::META);
    let docs = docs::attributes(&crate_docs(api));
    let docs = inner(&docs);
    let tokens = quote! {
        #docs
        #![forbid(unsafe_code)]
        #![deny(missing_docs)]
        #![cfg_attr(docsrs, feature(doc_cfg))]

        pub mod codec;
        mod kind;
        mod values;

        pub use kind::{Kind, Resource, ResourceList};

        #[rustfmt::skip]
        pub mod #meta;
        #(#modules)*
    };
    File { path: "src/lib.rs".to_owned(), origin: "the selection of groups".to_owned(), tokens }
}

fn crate_docs(api: &Api) -> Vec<String> {
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
        "Structs are plain: public fields, `Default`, and serde's traits. A kind knows its names through [`Kind`] and \
         [`Resource`]. How values are read and written, and what is guaranteed of it, is told in [`codec`]."
            .to_owned(),
    ]
}

fn emit_module(name: &str, module: &Module, files: &mut Vec<File>) {
    let types = file_names(module.types.keys());
    let index = types::index(&types);
    let hand_written = (name == wellknown::META).then(|| {
        let names = wellknown::TYPES.map(ident);
        quote! { pub use crate::values::{#(#names),*}; }
    });
    let version = module.group_version.api_version();
    let about = if name == wellknown::META {
        "What all groups share: metadata, lists, the status of requests, and values such as times and quantities.".to_owned()
    } else {
        format!("`{version}`: types.")
    };
    let docs = inner(&docs::attributes(&[about]));
    let tokens = quote! { #docs mod types; pub use types::*; #hand_written };
    files.push(File { path: format!("src/{name}/mod.rs"), origin: format!("`{version}`"), tokens });
    files.push(File { path: format!("src/{name}/types/mod.rs"), origin: format!("`{version}`"), tokens: index });
    for (type_name, file) in types {
        let def = &module.types[type_name];
        let path = format!("src/{name}/types/{file}.rs");
        files.push(File { path, origin: origin(def), tokens: types::file(name, type_name, def) });
    }
}

fn origin(def: &TypeDef) -> String {
    format!("{}, schema {}", def.location.document, def.schema)
}

/// The same documentation, inside of what it documents.
fn inner(outer: &TokenStream) -> TokenStream {
    let mut tokens = TokenStream::new();
    for tree in outer.clone() {
        if matches!(tree, proc_macro2::TokenTree::Group(_)) {
            tokens.extend(quote!(!));
        }
        tokens.extend([tree]);
    }
    tokens
}
