//! The modules of a crate, and the public path of what a path in them names.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, UseTree, Visibility};

/// The segments of a path. The crate itself is `crate`.
pub(super) type Segments = Vec<String>;

/// The modules of a crate, inline ones too.
#[derive(Default)]
pub(super) struct Crate {
    pub(super) modules: BTreeMap<Segments, Module>,
    /// Modules that only re-exports reach, as far as they are in a public one.
    private: BTreeSet<Segments>,
}

/// A module.
#[derive(Default)]
pub(super) struct Module {
    pub(super) items: Vec<Item>,
    /// The paths behind the names of its imports and its own items.
    names: BTreeMap<String, Segments>,
    /// The modules of its imports of everything.
    globs: Vec<Segments>,
}

impl Crate {
    /// Parses the files of a crate by their paths.
    pub(super) fn parse(files: &BTreeMap<&str, &str>) -> Result<Self, String> {
        let mut krate = Self::default();
        let root = parse_file(files, "src/lib.rs")?.ok_or("the crate has no src/lib.rs")?;
        let mut items = Vec::new();
        for item in root {
            match item {
                Item::Macro(item) if is_called(&item.mac.path, "generated") => {
                    // The number of the runtime's interface is before the items.
                    let tokens = item.mac.tokens.into_iter().skip(1).collect();
                    let file: syn::File = syn::parse2(tokens).map_err(|error| error.to_string())?;
                    items.extend(file.items);
                }
                other => items.push(other),
            }
        }
        krate.add(vec!["crate".to_owned()], items, files)?;
        Ok(krate)
    }

    fn add(
        &mut self,
        path: Segments,
        mut items: Vec<Item>,
        files: &BTreeMap<&str, &str>,
    ) -> Result<(), String> {
        let mut module = Module::default();
        for item in &items {
            if let Some(name) = name(item) {
                module.names.insert(name.to_string(), child(&path, name));
            }
        }
        for item in &mut items {
            match item {
                Item::Use(item) => module.import(&path, &[], &item.tree),
                Item::Mod(item) => {
                    let own = child(&path, &item.ident);
                    if !is_public(&item.vis) {
                        self.private.insert(own.clone());
                    }
                    let items = match item.content.take() {
                        Some((_, items)) => items,
                        None => file_of(files, &own)?,
                    };
                    self.add(own, items, files)?;
                }
                _ => {}
            }
        }
        module.items = items;
        self.modules.insert(path, module);
        Ok(())
    }

    /// The path by which programs name an item: without private modules, the items of which their
    /// parents re-export.
    pub(super) fn public(&self, path: &[String]) -> String {
        let mut named = Vec::new();
        for (index, segment) in path.iter().enumerate() {
            if index + 1 == path.len() || !self.private.contains(&path[..=index]) {
                named.push(segment.as_str());
            }
        }
        match named.split_first() {
            Some((&"crate", rest)) => [&["api"], rest].concat().join("::"),
            _ => named.join("::"),
        }
    }

    /// The segments from the root of the crate that a path in a module names.
    pub(super) fn absolute(&self, module: &Segments, path: &[String]) -> Segments {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let base = match first.as_str() {
            "crate" => vec![first.clone()],
            "self" => module.clone(),
            "super" => {
                let parent = module[..module.len() - 1].to_vec();
                return match rest.first().map(String::as_str) {
                    Some("super") => self.absolute(&parent, rest),
                    _ => [&parent, rest].concat(),
                };
            }
            name => {
                let own = self.modules.get(module);
                let named = own.and_then(|own| own.names.get(name).cloned());
                named.or_else(|| self.of_globs(own?, name)).unwrap_or_else(|| vec![first.clone()])
            }
        };
        [&base, rest].concat()
    }

    fn of_globs(&self, module: &Module, name: &str) -> Option<Segments> {
        module.globs.iter().find_map(|glob| self.modules.get(glob)?.names.get(name).cloned())
    }

    /// Tokens of a module with the public paths of what they name.
    pub(super) fn rewritten(&self, module: &Segments, tokens: &impl ToTokens) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.to_token_stream().into_iter().collect();
        let mut out = TokenStream::new();
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            index += 1;
            let ident = match token {
                TokenTree::Group(group) => {
                    let inner = self.rewritten(module, &group.stream());
                    out.extend([TokenTree::from(Group::new(group.delimiter(), inner))]);
                    continue;
                }
                TokenTree::Ident(ident) if !is_punct(tokens.get(index.wrapping_sub(2)), '\'') => {
                    ident
                }
                other => {
                    out.extend([other.clone()]);
                    continue;
                }
            };
            let mut path = vec![ident.to_string()];
            while let (Some(':'), Some(':'), Some(TokenTree::Ident(next))) =
                (punct(tokens.get(index)), punct(tokens.get(index + 1)), tokens.get(index + 2))
            {
                path.push(next.to_string());
                index += 3;
            }
            // Names of associated types and of arguments are no paths.
            let is_name = is_punct(tokens.get(index), '=')
                || is_punct(tokens.get(index), ':') && !is_punct(tokens.get(index + 1), ':');
            if is_name || path == ["Self"] {
                out.extend([token.clone()]);
                continue;
            }
            let public = self.public(&self.absolute(module, &path));
            let public: TokenStream = public.parse().unwrap_or_default();
            out.extend([TokenTree::from(Group::new(Delimiter::None, public))]);
        }
        out
    }
}

impl Module {
    fn import(&mut self, module: &Segments, before: &[String], tree: &UseTree) {
        match tree {
            UseTree::Path(tree) => self.import(module, &child(before, &tree.ident), &tree.tree),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(module, before, tree));
            }
            UseTree::Glob(_) => self.globs.push(self.imported(module, before)),
            UseTree::Name(tree) if tree.ident == "self" => {
                let name = before.last().cloned().unwrap_or_default();
                self.names.insert(name, self.imported(module, before));
            }
            UseTree::Name(tree) => {
                let target = self.imported(module, &child(before, &tree.ident));
                self.names.insert(tree.ident.to_string(), target);
            }
            UseTree::Rename(tree) => {
                let full =
                    if tree.ident == "self" { before.to_vec() } else { child(before, &tree.ident) };
                self.names.insert(tree.rename.to_string(), self.imported(module, &full));
            }
        }
    }

    /// The segments from the root that an import names: a module of its own, or another crate.
    fn imported(&self, module: &Segments, path: &[String]) -> Segments {
        let mut base = module.clone();
        let mut rest = path;
        let mut is_relative = false;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => base.truncate(1),
                "super" => _ = base.pop(),
                "self" => {}
                own if !is_relative && !self.names.contains_key(own) => return path.to_vec(),
                _ => break,
            }
            is_relative = true;
            rest = others;
        }
        [&base, rest].concat()
    }
}

fn parse_file(files: &BTreeMap<&str, &str>, path: &str) -> Result<Option<Vec<Item>>, String> {
    let Some(text) = files.get(path) else { return Ok(None) };
    let file = syn::parse_file(text).map_err(|error| format!("{path}: {error}"))?;
    Ok(Some(file.items))
}

/// The items of a module that has a file of its own.
fn file_of(files: &BTreeMap<&str, &str>, module: &[String]) -> Result<Vec<Item>, String> {
    let stem = format!("src/{}", module[1..].join("/"));
    let file = parse_file(files, &format!("{stem}.rs"))?;
    let file = file.map_or_else(|| parse_file(files, &format!("{stem}/mod.rs")), |f| Ok(Some(f)));
    file?.ok_or(format!("the crate has no {stem}.rs"))
}

/// The name of an item that other items can use.
fn name(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Mod(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        _ => None,
    }
}

fn child(path: &[String], name: &Ident) -> Segments {
    [path, &[name.to_string()]].concat()
}

pub(super) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether the last segment of a path is this one.
pub(super) fn is_called(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

fn punct(token: Option<&TokenTree>) -> Option<char> {
    match token {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        _ => None,
    }
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    punct(token) == Some(wanted)
}
