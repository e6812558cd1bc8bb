//! Imports: replaces paths by names where nothing else in a file has the name.
//!
//! A document may call a type like anything that generated code uses. So all other modules emit
//! whole paths, and here a path to a type or trait becomes its last name and a `use`, unless the
//! name means something else in the same module.

use super::paths::ident;
use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, BTreeSet};
use std::iter;

/// The name under which files import the interface of the runtime for generated code. It is short
/// enough.
const CODEC: &str = "codec";

/// Paths with a last name that is in scope in every module.
const PRELUDE: [&str; 1] = ["std::convert::From"];

/// The names that paths become, by path.
type Names = BTreeMap<String, Ident>;

/// Shortens the paths in the items of a file, which has these imports in any case.
pub(super) fn shorten(items: TokenStream, wanted: &BTreeSet<String>) -> TokenStream {
    module(pieces(items), wanted)
}

/// A part of the items of a module.
enum Piece {
    /// A path to a type, trait or constant.
    Path(Vec<Ident>),
    Use(Vec<TokenTree>),
    /// The items of a module in braces, which has imports of its own.
    Module(Vec<Piece>),
    Group(Delimiter, Vec<Piece>),
    /// A token, and whether it is a name in a path.
    Token(TokenTree, bool),
}

fn pieces(tokens: TokenStream) -> Vec<Piece> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let in_path = at >= 2 && is_separator(&tokens[at - 2..at]);
        let path = if in_path { None } else { path(&tokens[at..]) };
        let (piece, length) = match token {
            TokenTree::Ident(word) if word == "use" => {
                let end = tokens[at..]
                    .iter()
                    .position(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ';'));
                let length = end.map_or(tokens.len() - at, |end| end + 1);
                (Piece::Use(tokens[at..at + length].to_vec()), length)
            }
            TokenTree::Group(group) if is_module(&tokens[..at]) => {
                (Piece::Module(self::pieces(group.stream())), 1)
            }
            TokenTree::Group(group) => {
                (Piece::Group(group.delimiter(), self::pieces(group.stream())), 1)
            }
            token => match path {
                Some(path) => {
                    let length = path.len() * 3 - 2;
                    (Piece::Path(path), length)
                }
                None => (Piece::Token(token.clone(), in_path), 1),
            },
        };
        pieces.push(piece);
        at += length;
    }
    pieces
}

/// The path to an item that tokens begin with: names of crates and modules, and the first that
/// begins with a capital.
fn path(tokens: &[TokenTree]) -> Option<Vec<Ident>> {
    let mut path = Vec::new();
    for name in tokens.chunks(3) {
        let Some(TokenTree::Ident(word)) = name.first() else { return None };
        path.push(word.clone());
        if is_item(&word.to_string()) {
            return (path.len() > 1).then_some(path);
        }
        if path[0] == CODEC || !is_separator(&name[1..]) {
            return None;
        }
    }
    None
}

fn is_separator(tokens: &[TokenTree]) -> bool {
    match tokens {
        [TokenTree::Punct(one), TokenTree::Punct(two)] => {
            one.as_char() == ':' && one.spacing() == Spacing::Joint && two.as_char() == ':'
        }
        _ => false,
    }
}

/// Whether the tokens end with the head of a module.
fn is_module(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [.., TokenTree::Ident(word), TokenTree::Ident(_)] if word == "mod")
}

/// Whether a name belongs to an item: modules and functions begin with a lowercase letter.
fn is_item(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The items of a module with its imports, after its own attributes.
fn module(pieces: Vec<Piece>, wanted: &BTreeSet<String>) -> TokenStream {
    let names = names(&pieces, wanted);
    let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for path in names.keys().chain(wanted).filter(|path| !PRELUDE.contains(&path.as_str())) {
        let (home, name) = path.rsplit_once("::").unwrap_or_default();
        imports.entry(home).or_default().insert(name);
    }
    let mut imports: Vec<_> = imports.into_iter().collect();
    imports.sort_by_key(|(home, _)| rank(home));
    let imports = imports.into_iter().map(|(home, names)| {
        let home: Vec<Ident> = home.split("::").map(ident).collect();
        let names: Vec<Ident> = names.into_iter().map(ident).collect();
        match names.as_slice() {
            [name] => quote!(use #(#home)::* :: #name;),
            names => quote!(use #(#home)::* :: {#(#names),*};),
        }
    });
    let head = inner_attributes(&pieces);
    let mut pieces = pieces.into_iter();
    let head: TokenStream = pieces.by_ref().take(head).map(|piece| tokens(piece, &names)).collect();
    let items = pieces.map(|piece| tokens(piece, &names));
    iter::once(head).chain(imports).chain(items).collect()
}

/// The sort key of imports: paths of the crate, from near to far, then paths of other crates;
/// deeper modules come first.
fn rank(home: &str) -> (bool, bool, String) {
    let root = home.split("::").next().unwrap_or_default();
    (root != "super", root != "crate", format!("{home}::~"))
}

/// The number of pieces that are attributes of the module: `#`, `!` and a group.
fn inner_attributes(pieces: &[Piece]) -> usize {
    let attributes = pieces.chunks(3).take_while(|piece| {
        piece.len() == 3 && is_punctuation(&piece[0], '#') && is_punctuation(&piece[1], '!')
    });
    attributes.count() * 3
}

fn is_punctuation(piece: &Piece, c: char) -> bool {
    matches!(piece, Piece::Token(TokenTree::Punct(punct), _) if punct.as_char() == c)
}

/// The paths that become names. Nothing else in the module has the last name of such a path, and of
/// several paths with the same last name only a `wanted` one is chosen.
fn names(pieces: &[Piece], wanted: &BTreeSet<String>) -> Names {
    let mut paths: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let mut open: Vec<&Piece> = pieces.iter().collect();
    while let Some(piece) = open.pop() {
        match piece {
            Piece::Path(path) => {
                paths.entry(path[path.len() - 1].to_string()).or_default().insert(text(path));
            }
            Piece::Group(_, inner) => open.extend(inner),
            Piece::Token(TokenTree::Ident(word), false) => drop(taken.insert(word.to_string())),
            Piece::Use(tokens) => taken.extend(tokens.iter().flat_map(words)),
            Piece::Module(_) | Piece::Token(..) => {}
        }
    }
    for path in wanted {
        let name = path.rsplit("::").next().unwrap_or_default();
        paths.entry(name.to_owned()).or_default().insert(path.clone());
    }
    let mut names = Names::new();
    for (name, paths) in paths.into_iter().filter(|(name, _)| !taken.contains(name)) {
        let only = if paths.len() == 1 {
            paths.first()
        } else {
            paths.iter().find(|path| wanted.contains(*path))
        };
        names.extend(only.map(|path| (path.clone(), ident(&name))));
    }
    names
}

/// All names in a token.
fn words(token: &TokenTree) -> Vec<String> {
    match token {
        TokenTree::Ident(word) => vec![word.to_string()],
        TokenTree::Group(group) => {
            group.stream().into_iter().flat_map(|token| words(&token)).collect()
        }
        _ => Vec::new(),
    }
}

fn text(path: &[Ident]) -> String {
    path.iter().map(ToString::to_string).collect::<Vec<_>>().join("::")
}

fn tokens(piece: Piece, names: &Names) -> TokenStream {
    match piece {
        Piece::Path(path) => {
            let name = names.get(&text(&path));
            name.map_or_else(|| quote!(#(#path)::*), ToTokens::to_token_stream)
        }
        Piece::Use(tokens) => tokens.into_iter().collect(),
        Piece::Module(pieces) => {
            TokenTree::from(Group::new(Delimiter::Brace, module(pieces, &BTreeSet::new()))).into()
        }
        Piece::Group(delimiter, pieces) => {
            let inner = pieces.into_iter().map(|piece| tokens(piece, names)).collect();
            TokenTree::from(Group::new(delimiter, inner)).into()
        }
        Piece::Token(token, _) => token.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::shorten;
    use proc_macro2::TokenStream;
    use std::collections::BTreeSet;

    fn shortened(items: &str, wanted: &[&str]) -> String {
        let wanted: BTreeSet<String> = wanted.iter().map(|path| (*path).to_owned()).collect();
        shorten(items.parse().expect("tokens"), &wanted).to_string()
    }

    fn assert_shortened(items: &str, wanted: &[&str], expected: &str) {
        let expected: TokenStream = expected.parse().expect("tokens");
        assert_eq!(shortened(items, wanted), expected.to_string());
    }

    #[test]
    fn paths_become_names_behind_inner_attributes() {
        let items =
            "#![doc = \"a::B\"] fn f(a: &a::b::C, d: a::D) -> super::E<a::D> { a::b::C::new() }";
        let expected = "#![doc = \"a::B\"] use super::E; use a::b::C; use a::D; fn f(a: &C, d: D) \
                        -> E<D> { C::new() }";
        assert_shortened(items, &[], expected);
    }

    #[test]
    fn a_name_with_another_meaning_keeps_its_path() {
        assert_shortened("struct C(a::C);", &[], "struct C(a::C);");
        assert_shortened("fn f(a: a::C, b: b::C) {}", &[], "fn f(a: a::C, b: b::C) {}");
        assert_shortened(
            "fn f(a: a::Option) -> Option<u8> {}",
            &[],
            "fn f(a: a::Option) -> Option<u8> {}",
        );
        assert_shortened("use b::{C, d}; fn f(a: a::C) {}", &[], "use b::{C, d}; fn f(a: a::C) {}");
    }

    #[test]
    fn wanted_imports_come_before_others() {
        assert_shortened(
            "fn f(a: a::C, b: b::C) {}",
            &["b::C"],
            "use b::C; fn f(a: a::C, b: C) {}",
        );
    }

    #[test]
    fn modules_have_their_own_imports() {
        let items = "fn f(a: a::C) {} mod m { fn f(a: a::C) {} }";
        assert_shortened(items, &[], "use a::C; fn f(a: C) {} mod m { use a::C; fn f(a: C) {} }");
    }

    #[test]
    fn functions_macros_and_the_prelude_stay() {
        let items = "impl std::convert::From<u8> for A { fn f() { std::mem::take(codec::C::d()) } \
                     a::m!(); }";
        assert_shortened(items, &[], &items.replace("std::convert::From", "From"));
    }
}
