//! The layers of the runtime: a module uses only modules that stand below it.

use kapigen_tests::places;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;

/// The modules from the lowest layer to the highest, with what a layer is. Modules of one layer do not use each other. A
/// module that is not listed belongs to the one around it; "" is the root.
const LAYERS: &[(&[&str], &str)] = &[
    (&["lexer"], "bytes of JSON"),
    (&["codec"], "tables, slots and views, which know no format"),
    (&["codec::json", "codec::serde", "codec::query"], "drivers: one for each format, over the same tables"),
    (&["values"], "types that are written by hand"),
    (&["meta_v1"], "types that all kinds share"),
    (&["kind", "operation", "params", "invalid"], "traits of kinds, and what requests are made of"),
    (&["response"], "whole responses"),
    (&["request"], "requests, which decode their responses"),
    (&["items", "watch"], "responses that are decoded while they arrive"),
    (&["__private"], "the interface of generated code"),
    (&["", "macros", "sources"], "the interface of the crate"),
];

/// Uses that the layers do not allow: the module, what it uses, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("codec::query", "codec::json", "a parameter can move into the body of a request, which is JSON"),
    ("meta_v1", "__private", "it is generated code, which is the same in every crate"),
    ("meta_v1", "", "its kinds implement `Kind`, which is above it for the sake of `ObjectMeta`"),
    ("macros", "", "an exported macro stands in the root, wherever it is written"),
    ("params", "__private", "it is generated code, which is the same in every crate"),
];

#[test]
fn modules_use_only_lower_layers() {
    let (mut faults, mut needed) = (BTreeSet::new(), BTreeSet::new());
    for (from, to) in uses() {
        let (Some((above, from)), Some((below, to))) = (layer(&from), layer(&to)) else {
            faults.insert(format!("`{from}` or `{to}` is in no layer: add the module to one"));
            continue;
        };
        if below < above || from == to {
            continue;
        }
        match EXCEPTIONS.iter().find(|(user, used, _)| (*user, *used) == (from, to)) {
            Some(exception) => _ = needed.insert(exception),
            None => _ = faults.insert(format!("`{from}` uses `{to}`, which is not below it")),
        }
    }
    let unneeded = EXCEPTIONS.iter().filter(|exception| !needed.contains(exception));
    faults.extend(unneeded.map(|(from, to, _)| format!("`{from}` may use `{to}` without need: remove the exception")));
    assert!(faults.is_empty(), "{}", Vec::from_iter(faults).join("\n"));
}

#[test]
fn layers_and_modules_agree() {
    let modules: BTreeSet<String> = files().into_iter().map(|(module, _)| module.join("::")).collect();
    let homeless: Vec<_> = modules.iter().filter(|module| layer(module).is_none()).collect();
    assert!(homeless.is_empty(), "in no layer: {homeless:?}");
    let listed = LAYERS.iter().flat_map(|(homes, _)| *homes);
    let gone: Vec<_> = listed.filter(|home| **home != "__private" && !modules.contains(**home)).collect();
    assert!(gone.is_empty(), "in a layer, but no module: {gone:?}");
}

#[test]
fn uses_are_found() {
    let code = "use crate::a::{b::C, d::{self, E}}; use super::f; use child::G; use serde::de; \
        fn g() -> $crate::h::I { let x: [kapigen_runtime::J; 1] = super::super::K; crate::l!() } \
        pub(crate) mod m { use super::super::a; } #[cfg(test)] mod tests { use crate::n; }";
    let modules = BTreeSet::from(["x::y::child".to_owned()]);
    let mut found = Vec::new();
    collect(&tokens(code.parse().unwrap()), &["x".to_owned(), "y".to_owned()], &modules, &mut found);
    let expected =
        ["a::b::C", "a::d", "a::d::E", "x::f", "x::y::child::G", "h::I", "J", "K", "l", "x::a"].map(str::to_owned);
    assert_eq!(found, expected);
}

/// The index of a module's layer, and the listed module that it belongs to.
fn layer(module: &str) -> Option<(usize, &'static str)> {
    let homes = LAYERS.iter().enumerate().flat_map(|(index, (homes, _))| homes.iter().map(move |home| (index, *home)));
    let is_in = |home: &str| module.strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    homes.filter(|(_, home)| is_in(home)).max_by_key(|(_, home)| home.len())
}

/// The uses of modules by modules.
fn uses() -> BTreeSet<(String, String)> {
    let files = files();
    let modules: BTreeSet<String> = files.iter().map(|(module, _)| module.join("::")).collect();
    let mut uses = BTreeSet::new();
    for (module, text) in &files {
        let mut paths = Vec::new();
        collect(&tokens(text.parse().expect("Rust")), module, &modules, &mut paths);
        // What stands in the root itself has no module in its path.
        let is_item = |path: &str| {
            let first = path.split("::").next().unwrap_or_default();
            first != "__private" && !modules.contains(first)
        };
        let targets = paths.into_iter().map(|path| if is_item(&path) { String::new() } else { path });
        uses.extend(targets.map(|target| (module.join("::"), target)));
    }
    uses
}

/// The path of each module of the runtime, without tests, and its text.
fn files() -> Vec<(Vec<String>, String)> {
    let folder = places::root().join("templates/runtime/src");
    let mut found = Vec::new();
    for path in places::files(&folder, &["rs"]) {
        let name = places::relative(&path, &folder);
        let mut module: Vec<String> = name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        if module.iter().any(|step| step == "tests") {
            continue;
        }
        module.pop_if(|step| ["mod", "lib"].contains(&step.as_str()));
        found.push((module, places::text(&path)));
    }
    found
}

fn tokens(stream: TokenStream) -> Vec<TokenTree> {
    stream.into_iter().collect()
}

/// Collects the paths of this crate that stand in the code of a module.
fn collect(code: &[TokenTree], module: &[String], modules: &BTreeSet<String>, found: &mut Vec<String>) {
    for (index, token) in code.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| code[index].to_string()).unwrap_or_default();
        match token {
            TokenTree::Group(group) => {
                let is_module = index >= 2 && code[index - 2].to_string() == "mod";
                let inner = [module, std::slice::from_ref(&before)].concat();
                if !is_module {
                    collect(&tokens(group.stream()), module, modules, found);
                } else if before != "tests" {
                    collect(&tokens(group.stream()), &inner, modules, found);
                }
            }
            TokenTree::Ident(word) if before != ":" => {
                let child = [module, &[word.to_string()]].concat().join("::");
                let is_anchored = is_colon(&code[index + 1..]) && ["super", "self"].iter().any(|anchor| word == anchor);
                if ["crate", "kapigen_runtime"].iter().any(|anchor| word == anchor) && is_colon(&code[index + 1..]) {
                    tree(&code[index + 3..], Vec::new(), found);
                } else if is_anchored || before == "use" && modules.contains(&child) {
                    tree(&code[index..], module.to_vec(), found);
                }
            }
            _ => {}
        }
    }
}

fn is_colon(code: &[TokenTree]) -> bool {
    matches!(code, [TokenTree::Punct(colon), TokenTree::Punct(_), ..] if colon.as_char() == ':')
}

/// Collects the paths that go on from a module here. There may be several, in braces.
fn tree(code: &[TokenTree], mut module: Vec<String>, found: &mut Vec<String>) {
    match code {
        [TokenTree::Group(group), ..] => {
            let parts = tokens(group.stream());
            let parts = parts.split(|token| token.to_string() == ",");
            parts.for_each(|part| tree(part, module.clone(), found));
        }
        [TokenTree::Ident(word), rest @ ..] => {
            match word.to_string().as_str() {
                "super" => _ = module.pop(),
                "self" => {}
                step => module.push(step.to_owned()),
            }
            if is_colon(rest) { tree(&rest[2..], module, found) } else { found.push(module.join("::")) }
        }
        [_, ..] => found.push(module.join("::")), // a star
        [] => {}
    }
}
