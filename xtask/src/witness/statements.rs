//! The statements of a program for each public item: all that it can do with one.

use super::krate::{Crate, Module, Segments, is_called, is_public};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{
    Attribute, Fields, FnArg, Generics, ImplItem, Item, ItemEnum, ItemImpl, ItemMacro, ItemStruct,
    ItemUse, Pat, ReceiverKind, ReturnType, Signature, UseTree,
};

/// The statements about all items, in the order of modules.
pub(super) fn all(krate: &Crate) -> Result<Vec<String>, String> {
    let mut statements = Statements { krate, lines: Vec::new(), traits: BTreeMap::new() };
    for (path, module) in &krate.modules {
        statements.module(path, module).map_err(|error| format!("{}: {error}", path.join("::")))?;
    }
    let Statements { mut lines, traits, .. } = statements;
    for (name, bounds) in traits {
        let bounds: Vec<String> = bounds.into_iter().collect();
        let has = format!("fn has<T: {}>() {{}}", bounds.join(" + "));
        lines.push(format!("const _: fn() = || {{ {has} has::<{name}>() }};"));
    }
    Ok(lines)
}

struct Statements<'a> {
    krate: &'a Crate,
    lines: Vec<String>,
    /// The traits of each type.
    traits: BTreeMap<String, BTreeSet<String>>,
}

impl Statements<'_> {
    fn module(&mut self, path: &Segments, module: &Module) -> Result<(), String> {
        for item in &module.items {
            match item {
                Item::Struct(item) if is_public(&item.vis) => self.object(path, item)?,
                Item::Enum(item) if is_public(&item.vis) => self.variants(path, item)?,
                Item::Fn(item) if is_public(&item.vis) => {
                    let name = self.named(path, &item.sig.ident);
                    self.function(path, &name, None, &item.sig)?;
                }
                Item::Const(item) if is_public(&item.vis) => {
                    let name = self.named(path, &item.ident);
                    let kind = self.code(path, &item.ty);
                    self.lines.push(format!("const _: {kind} = {name};"));
                }
                Item::Type(item) if is_public(&item.vis) => {
                    let name = self.named(path, &item.ident);
                    self.alias(&name, &self.code(path, &item.ty));
                }
                Item::Use(item) if is_public(&item.vis) => self.reexports(path, item),
                Item::Impl(item) => self.implementation(path, item)?,
                Item::Macro(item) => self.macro_call(path, item)?,
                Item::Union(_) | Item::Trait(_) | Item::TraitAlias(_) | Item::ExternCrate(_) => {
                    return Err(unknown(item));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The path by which programs name an item of a module.
    fn named(&self, module: &Segments, name: &impl ToString) -> String {
        self.krate.public(&[&module[..], &[name.to_string()]].concat())
    }

    /// Code of a module, with paths as programs write them.
    fn code(&self, module: &Segments, tokens: &impl ToTokens) -> String {
        self.krate.rewritten(module, tokens).to_string()
    }

    /// Takes a struct apart, and makes it again.
    fn object(&mut self, path: &Segments, item: &ItemStruct) -> Result<(), String> {
        if !item.generics.params.is_empty() {
            return Err(unknown(item));
        }
        let name = self.named(path, &item.ident);
        self.derived(&name, &item.attrs);
        let (Fields::Named(fields), true) =
            (&item.fields, item.fields.iter().all(|field| is_public(&field.vis)))
        else {
            return Err(unknown(item));
        };
        let types: String =
            fields.named.iter().map(|field| self.code(path, &field.ty) + ", ").collect();
        let names = fields.named.iter().filter_map(|field| field.ident.as_ref());
        let names: String = names.map(|name| name.to_string() + ", ").collect();
        self.lines.push(format!(
            "const _: fn({name}) -> {name} = |it| {{ let {name} {{ {names}.. }} = it; let \
             ({names}): ({types}) = ({names}); {name} {{ {names}..Default::default() }} }};"
        ));
        Ok(())
    }

    /// Matches all variants of an enum, and makes each.
    fn variants(&mut self, path: &Segments, item: &ItemEnum) -> Result<(), String> {
        let name = self.named(path, &item.ident);
        self.derived(&name, &item.attrs);
        let (mut arms, mut made) = (Vec::new(), Vec::new());
        for variant in &item.variants {
            let ident = &variant.ident;
            match &variant.fields {
                Fields::Unit => {
                    arms.push(format!("{name}::{ident} => {{}} "));
                    made.push(format!("{name}::{ident}"));
                }
                Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    let value = self.code(path, &fields.unnamed[0].ty);
                    arms.push(format!("{name}::{ident}(value) => {{ let _: {value} = value; }} "));
                    made.push(format!("{name}::{ident}(<{value}>::default())"));
                }
                _ => return Err(unknown(item)),
            }
        }
        let (arms, made) = (arms.concat(), made.join(", "));
        self.lines.push(format!(
            "const _: fn({name}) -> Vec<{name}> = |it| {{ match it {{ {arms}_ => {{}} }} \
             vec![{made}] }};"
        ));
        Ok(())
    }

    /// A pointer to a function or, if it takes any argument of a trait, one that calls it.
    fn function(
        &mut self,
        path: &Segments,
        name: &str,
        own: Option<&str>,
        signature: &Signature,
    ) -> Result<(), String> {
        if has_parameters(&signature.generics) {
            return Err(unknown(signature));
        }
        let own = own.unwrap_or_default();
        let (mut names, mut kinds) = (Vec::new(), Vec::new());
        for (index, argument) in signature.inputs.iter().enumerate() {
            let (argument, kind) = match argument {
                FnArg::Receiver(receiver) => match &receiver.kind {
                    ReceiverKind::Value => (index, own.to_owned()),
                    ReceiverKind::Reference(_, None, None) => (index, format!("&{own}")),
                    ReceiverKind::Reference(_, None, Some(_)) => (index, format!("&mut {own}")),
                    _ => return Err(unknown(signature)),
                },
                FnArg::Typed(argument) if matches!(&*argument.pat, Pat::Ident(_)) => {
                    (index, self.code(path, &argument.ty))
                }
                FnArg::Typed(_) => return Err(unknown(signature)),
            };
            names.push(format!("a{argument}"));
            kinds.push(own_type(&kind, own));
        }
        let result = match &signature.output {
            ReturnType::Default => "()".to_owned(),
            ReturnType::Type(_, kind) => own_type(&self.code(path, kind), own),
        };
        self.lines.push(if kinds.iter().any(|kind| kind.starts_with("impl ")) {
            let typed = names.iter().zip(&kinds).map(|(name, kind)| format!("{name}: {kind}"));
            let typed = typed.collect::<Vec<_>>().join(", ");
            let names = names.join(", ");
            format!("const _: () = {{ fn call({typed}) -> {result} {{ {name}({names}) }} }};")
        } else {
            format!("const _: fn({}) -> {result} = {name};", kinds.join(", "))
        });
        Ok(())
    }

    fn alias(&mut self, name: &str, target: &str) {
        self.lines.push(format!("const _: fn({name}) -> {target} = |it| it;"));
    }

    /// Items that a module has from elsewhere by another path. The path of what a private module
    /// has is the one by which all other statements name it.
    fn reexports(&mut self, path: &Segments, item: &ItemUse) {
        let mut leaves = Vec::new();
        names("", &item.tree, &mut leaves);
        for leaf in leaves {
            let name = self.named(path, &leaf);
            let target = self.krate.public(&self.krate.absolute(path, std::slice::from_ref(&leaf)));
            if name == target {
                continue;
            }
            if leaf.starts_with(char::is_uppercase) && leaf.chars().any(char::is_lowercase) {
                self.alias(&name, &target);
            } else {
                self.lines.push(format!("const _: () = {{ use {name} as _; }};"));
            }
        }
    }

    fn derived(&mut self, name: &str, attributes: &[Attribute]) {
        for attribute in attributes.iter().filter(|attribute| is_called(attribute.path(), "derive"))
        {
            _ = attribute.parse_nested_meta(|meta| {
                let derived = meta.path.to_token_stream().to_string();
                self.has(name, derived);
                Ok(())
            });
        }
    }

    fn has(&mut self, name: &str, bound: impl Into<String>) {
        self.traits.entry(name.to_owned()).or_default().insert(bound.into());
    }

    fn implementation(&mut self, path: &Segments, item: &ItemImpl) -> Result<(), String> {
        if has_parameters(&item.generics) {
            return Err(unknown(item));
        }
        let name = self.code(path, &item.self_ty).replace(' ', "");
        let Some((implemented, _)) = &item.trait_ else {
            for part in &item.items {
                match part {
                    ImplItem::Fn(function) if is_public(&function.vis) => {
                        let function_name = format!("{name}::{}", function.sig.ident);
                        self.function(path, &function_name, Some(&name), &function.sig)?;
                    }
                    ImplItem::Const(constant) if is_public(&constant.vis) => {
                        let kind = self.code(path, &constant.ty);
                        let ident = &constant.ident;
                        self.lines.push(format!("const _: {kind} = {name}::{ident};"));
                    }
                    _ => {}
                }
            }
            return Ok(());
        };
        let plain = self.code(path, implemented).replace(' ', "").replace('&', "&'static ");
        if plain.contains("::__private::") {
            return Ok(());
        }
        let mut bound = plain.clone();
        for part in &item.items {
            match part {
                ImplItem::Type(part) => {
                    let kind = own_type(&self.code(path, &part.ty), &name);
                    bound = format!("{bound}<{} = {kind}>", part.ident);
                }
                ImplItem::Const(part) => {
                    if let syn::Expr::Lit(value) = &part.expr {
                        let (ident, value) = (&part.ident, value.to_token_stream());
                        self.lines.push(format!(
                            "const _: () = assert!(same(<{name} as {plain}>::{ident}, {value}));"
                        ));
                    }
                }
                _ => {}
            }
        }
        self.has(&name, bound.replace("><", ", "));
        Ok(())
    }

    /// The traits that the runtime's macros implement.
    fn macro_call(&mut self, path: &Segments, item: &ItemMacro) -> Result<(), String> {
        let tokens = item.mac.tokens.to_string();
        let mut words = tokens.split(',').map(str::trim);
        let name = self.named(path, &words.next().unwrap_or_default());
        if is_called(&item.mac.path, "object") {
            self.has(&name, "Default");
        } else if is_called(&item.mac.path, "open_enum") {
            self.has(&name, "Default");
            self.has(&name, "std::fmt::Display");
        } else {
            return Err(unknown(item));
        }
        for bound in ["Debug", "serde::Serialize", "serde::de::DeserializeOwned"] {
            self.has(&name, bound);
        }
        Ok(())
    }
}

/// The names that an import brings. `last` is the last part of the path before.
fn names(last: &str, tree: &UseTree, found: &mut Vec<String>) {
    match tree {
        UseTree::Path(tree) => names(&tree.ident.to_string(), &tree.tree, found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(last, tree, found)),
        UseTree::Name(tree) if tree.ident == "self" => found.push(last.to_owned()),
        UseTree::Name(tree) => found.push(tree.ident.to_string()),
        UseTree::Rename(tree) => found.push(tree.rename.to_string()),
        UseTree::Glob(_) => {}
    }
}

/// A type in an implementation for another one.
fn own_type(kind: &str, own: &str) -> String {
    let words: Vec<&str> =
        kind.split(' ').map(|word| if word == "Self" { own } else { word }).collect();
    words.join(" ")
}

fn has_parameters(generics: &Generics) -> bool {
    !generics.params.is_empty()
}

fn unknown(item: &impl ToTokens) -> String {
    let text: String = item.to_token_stream().to_string().chars().take(120).collect();
    format!("no statement covers `{text}`")
}
