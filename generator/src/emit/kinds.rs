//! Items of a kind beside its struct.

use super::paths::{ident, type_tokens};
use crate::model::wellknown;
use crate::model::{Field, Kind, Presence, Role, Type, TypeDef, TypeId};
use crate::names;
use proc_macro2::TokenStream;
use quote::quote;

/// The constructor and the traits of kinds.
pub(super) fn items(id: &TypeId, def: &TypeDef, fields: &[Field], kind: &Kind) -> TokenStream {
    let name = ident(&id.name);
    let group = &kind.identity.group_version.group;
    let version = &kind.identity.group_version.version;
    let (api_version, kind_name) = (kind.identity.group_version.api_version(), &kind.identity.kind);
    let members = fields.iter().map(|field| {
        let name = ident(&field.name);
        let argument = match field.wire.as_str() {
            "apiVersion" => "api_version",
            "kind" => "kind",
            _ => return quote!(#name: codec::Value::empty()),
        };
        // A field may have another name.
        if field.name == argument {
            return quote!(#name);
        }
        let argument = ident(argument);
        quote!(#name: #argument)
    });
    let unknown = ident(names::UNKNOWN);
    let inline = def.is_inline.then(|| quote!(#[inline]));
    let role = role_items(id, fields, &kind.role);
    quote! {
        impl #name {
            /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
            #inline
            fn stating(api_version: Option<String>, kind: Option<String>) -> Self {
                Self { #(#members,)* #unknown: codec::Value::empty() }
            }
        }

        impl kapigen_runtime::Kind for #name {
            const GROUP: &'static str = #group;
            const VERSION: &'static str = #version;
            const KIND: &'static str = #kind_name;
            const API_VERSION: &'static str = #api_version;
        }

        #role
    }
}

fn role_items(id: &TypeId, fields: &[Field], role: &Role) -> TokenStream {
    let name = ident(&id.name);
    let meta = |name: &str| {
        let (meta, name) = (ident(wellknown::META), ident(name));
        quote!(kapigen_runtime::#meta::#name)
    };
    let metadata = fields.iter().find(|field| field.wire == "metadata").map(|field| ident(&field.name));
    match role {
        Role::Other => quote!(),
        Role::Resource { plural, namespaced } => {
            let object_meta = meta("ObjectMeta");
            let scope = ident(if *namespaced { "Namespaced" } else { "Cluster" });
            quote! {
                impl kapigen_runtime::Resource for #name {
                    type Scope = kapigen_runtime::scope::#scope;
                    const PLURAL: &'static str = #plural;
                }

                impl kapigen_runtime::AnyResource for #name {
                    fn metadata(&self) -> &#object_meta {
                        &self.#metadata
                    }
                    fn metadata_mut(&mut self) -> &mut #object_meta {
                        &mut self.#metadata
                    }
                }
            }
        }
        Role::List { item } => {
            let list_meta = meta("ListMeta");
            let item = type_tokens(&Type::Named(item.clone()), &id.module);
            let items = fields.iter().find(|field| field.wire == "items");
            let items_name = items.map(|field| ident(&field.name));
            let required = items.is_some_and(|field| field.presence == Presence::Required);
            let access = if required {
                quote!(std::mem::take(&mut self.#items_name))
            } else {
                quote!(self.#items_name.take().unwrap_or_default())
            };
            quote! {
                impl kapigen_runtime::ResourceList for #name {
                    type Item = #item;
                    fn metadata(&self) -> &#list_meta {
                        &self.#metadata
                    }
                    fn take_items(&mut self) -> Vec<Self::Item> {
                        #access
                    }
                }
            }
        }
    }
}
