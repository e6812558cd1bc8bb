//! The code in emitted files: tokens and literals.

use kapigen::{Output, emit, functions};
use proc_macro2::{TokenStream, TokenTree};

/// The compared parts of all files: their tokens with names and literals left out, and their
/// literals.
#[derive(Debug, PartialEq)]
pub(crate) struct Code {
    pub(crate) structure: Vec<String>,
    pub(crate) literals: Vec<String>,
}

/// Reads the files as the compiler would, and looks for code that must never be in them.
pub(crate) fn code(name: &str, output: &Output) -> Code {
    let mut literals = Vec::new();
    #[expect(clippy::case_sensitive_file_extension_comparisons, reason = "they are of our making")]
    for (path, text) in output.tree.iter().filter(|(path, _)| path.ends_with(".rs")) {
        assert!(is_plain(path), "{name}: {path}");
        let bidi = |c: char| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!text.contains(bidi), "{name}: {path} turns text around");
        let mut words = Vec::new();
        walk(lex(name, path, text), &mut words, &mut literals);
        assert!(
            !words.iter().any(|word| word == "pwned"),
            "{name}: {path} has code of the document:\n{text}"
        );
    }
    literals.sort();
    let endpoints = functions::plan(&output.api);
    let of_file = |file: &emit::File<'_>| {
        let emit::FileBody { items, tables, .. } = file.body();
        shape(&items) + &shape(&lex(name, &file.path, &tables))
    };
    let mut structure: Vec<String> =
        emit::files(&output.api, &endpoints, None).iter().map(of_file).collect();
    structure.sort();
    Code { structure, literals }
}

/// Whether a path stays in the folder, on every system.
fn is_plain(path: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let stem = path.strip_prefix("src/").and_then(|path| path.strip_suffix(".rs"));
    stem.is_some_and(|stem| stem.split('/').all(|step| !step.is_empty() && step.chars().all(plain)))
}

fn lex(name: &str, path: &str, text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{name}: {path}: {error}\n{text}"))
}

/// Collects words, and the content of literals that are not names. Documentation is none of both.
fn walk(tokens: TokenStream, words: &mut Vec<String>, literals: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => words.push(ident.to_string()),
            TokenTree::Literal(literal) => {
                let text = unquoted(&literal.to_string());
                let is_list = words.ends_with(&["Table".to_owned(), "new".to_owned()]);
                let values =
                    if is_list { names(text.as_deref()) } else { text.into_iter().collect() };
                literals.extend(values.into_iter().filter(|value| !is_name(value)));
            }
            TokenTree::Group(group) if !is_doc(&group.stream()) => {
                walk(group.stream(), words, literals);
            }
            TokenTree::Group(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn is_doc(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(ident)) if ident == "doc")
}

/// The names in an argument of a table. The second character stands before each name, the first one
/// after each required name.
fn names(list: Option<&str>) -> Vec<String> {
    let mut characters = list.unwrap_or_default().chars();
    let (Some(mark), Some(separator)) = (characters.next(), characters.next()) else {
        return Vec::new();
    };
    let members = list.unwrap_or_default().split(separator).skip(1);
    members.map(|member| member.strip_suffix(mark).unwrap_or(member).to_owned()).collect()
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The value of a string literal, read without the code that wrote it.
fn unquoted(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        let escape = if c == '\\' { chars.next() } else { None };
        // A line break that the compiler ignores, with the spaces behind it.
        if escape == Some('\n') {
            while chars.clone().next().is_some_and(char::is_whitespace) {
                chars.next();
            }
            continue;
        }
        text.push(match escape {
            None => c,
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some('x') => number(&chars.by_ref().take(2).collect::<String>()),
            Some('u') => number(
                chars
                    .by_ref()
                    .take_while(|c| *c != '}')
                    .collect::<String>()
                    .trim_start_matches('{'),
            ),
            Some(other) => other,
        });
    }
    Some(text)
}

fn number(digits: &str) -> char {
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).expect("an escape is a character")
}

/// Words of the language, which no name can be.
const KEYWORDS: [&str; 24] = [
    "as", "const", "crate", "else", "enum", "extern", "fn", "for", "if", "impl", "in", "let",
    "match", "mod", "mut", "pub", "ref", "self", "static", "struct", "super", "trait", "unsafe",
    "use",
];

/// The tokens with every name as `_` and every literal as `""`, without documentation.
fn shape(tokens: &TokenStream) -> String {
    let mut text = String::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) if KEYWORDS.iter().any(|keyword| ident == keyword) => {
                text.extend([" ", &ident.to_string(), " "]);
            }
            TokenTree::Ident(_) => text.push('_'),
            TokenTree::Literal(_) => text.push_str("\"\""),
            TokenTree::Punct(punct) => text.push(punct.as_char()),
            TokenTree::Group(group) if is_doc(&group.stream()) => {
                text.truncate(text.trim_end_matches(['#', '!']).len());
            }
            TokenTree::Group(group) => {
                // A long list has a comma behind its last element.
                let inner = shape(&group.stream());
                text.extend([
                    &format!("{:?}(", group.delimiter()),
                    inner.trim_end_matches(','),
                    ")",
                ]);
            }
        }
    }
    text
}
