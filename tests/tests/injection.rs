//! No text of a document becomes code. Whatever stands in its names, its prose and its values, the files that come have
//! the same structure as for harmless words: the same tokens but for names, comments and the content of literals. And
//! the literals hold what was given.

use kapigen::load::Source;
use kapigen::{Output, Sources, emit, endpoints};
use kapigen_tests::places::{self, say};
use proc_macro2::{TokenStream, TokenTree};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What stands where nothing is tried. It is no name, so that names that are made of it are told from it.
const HARMLESS: &str = "harmless words";

/// Texts that would become code, if any text did. What they try to smuggle in is called `pwned`.
const HOSTILE: [&str; 24] = [
    "\"; fn pwned() {} //",
    "\"] fn pwned() {} #[doc = \"",
    "x\"# fn pwned() {} r#\"",
    "*/ fn pwned() {} /*",
    "\nfn pwned() {}\n",
    "\r\nfn pwned() {}",
    "\u{2028}fn pwned() {}\u{85}fn pwned() {}",
    "/// x\n}\nfn pwned() {}",
    "#![feature(pwned)] a",
    "#[derive(pwned)] a",
    "pwned!() a",
    "} pub mod pwned { a",
    "a { b: pwned } c",
    "`` ``` a ```\n```rust\npwned()\n```",
    "```\npwned();\n``` a",
    "[a](javascript:pwned) <script>pwned()</script>",
    "\u{202e}} nwp nf\u{2066} a \u{200b}\u{feff}",
    "\\\" \\u{22} \\x22 \\n a",
    "\0\u{1}\u{7f} a",
    "{} {0} {pwned} %s $a ${pwned} $crate",
    "include!(\"/etc/passwd\") a",
    "'a' b'x' c\"x\" r\"x\"",
    "日本 a",
    "r#type self crate super Self unsafe extern",
];

/// Where a text may stand that is never made a name of.
const PROSE: [&str; 15] = [
    "/info/title",
    "/paths/~1apis~1example.com~1v1~1widgets~1{name}/get/description",
    "/paths/~1apis~1example.com~1v1~1widgets~1{name}/get/tags/0",
    "/paths/~1apis~1example.com~1v1~1widgets~1{name}/get/parameters/0/description",
    "/paths/~1apis~1example.com~1v1~1widgets~1{name}/get/responses/200/description",
    "/paths/~1apis~1example.com~1v1~1widgets~1{name}/parameters/0/description",
    "/components/schemas/com.example.v1.Widget/description",
    "/components/schemas/com.example.v1.Widget/x-kubernetes-validations/0/rule",
    "/components/schemas/com.example.v1.Widget/x-kubernetes-validations/0/message",
    "/components/schemas/com.example.v1.Widget/properties/size/description",
    "/components/schemas/com.example.v1.Widget/properties/size/default",
    "/components/schemas/com.example.v1.Widget/properties/size/format",
    "/components/schemas/com.example.v1.Widget/properties/size/pattern",
    "/components/schemas/com.example.v1.Widget/properties/list/x-kubernetes-list-map-keys/0",
    "/components/schemas/com.example.v1.Widget/properties/list/x-kubernetes-patch-merge-key",
];

/// Where names are made of a text, or it is a name on the wire.
const NAMES: [&str; 7] = ["member", "value", "schema", "parameter", "operation", "kind", "media type"];

/// Where a text comes to be in a literal.
const WRITTEN: [&str; 5] = ["member", "value", "parameter", "operation", "kind"];

/// A document with one text in all of the prose and, where something is named, another.
fn document(prose: &str, named: Option<(&str, &str)>) -> Value {
    let name = |place: &str, otherwise: &str| match named {
        Some((there, text)) if there == place => text.to_owned(),
        _ => otherwise.to_owned(),
    };
    let schema = format!("com.example.v1.{}", name("schema", HARMLESS));
    let gvk = json!({"group": "example.com", "version": "v1", "kind": "Widget"});
    let other = json!({"group": "example.com", "version": "v1", "kind": name("kind", HARMLESS)});
    let widget = json!({"$ref": "#/components/schemas/com.example.v1.Widget"});
    let text = || json!({"type": "string"});
    let mut document = json!({
        "openapi": "3.0.0",
        "info": {"title": "", "version": "v1"},
        "paths": {"/apis/example.com/v1/widgets/{name}": {
            "parameters": [{"name": "name", "in": "path", "required": true, "schema": text()}],
            "get": {
                "operationId": name("operation", HARMLESS),
                "tags": [""],
                "x-kubernetes-action": "get",
                "x-kubernetes-group-version-kind": gvk,
                "parameters": [{"name": name("parameter", HARMLESS), "in": "query", "schema": text()}],
                "responses": {"200": {"content": {(name("media type", HARMLESS)): {"schema": widget}}}},
            },
        }},
        "components": {"schemas": {
            "com.example.v1.Widget": {
                "type": "object",
                "properties": {
                    "apiVersion": text(),
                    "kind": text(),
                    "metadata": {"$ref": "meta/v1.yaml#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"},
                    (name("member", HARMLESS)): text(),
                    "size": text(),
                    "list": {"type": "array", "items": text(), "x-kubernetes-list-type": "map",
                        "x-kubernetes-list-map-keys": [""], "x-kubernetes-patch-strategy": "merge"},
                    "choice": {"type": "string", "enum": ["plain", name("value", HARMLESS)]},
                    "other": {"$ref": format!("#/components/schemas/{}", schema.replace('~', "~0").replace('/', "~1"))},
                },
                "x-kubernetes-validations": [{"rule": "", "message": ""}],
                "x-kubernetes-group-version-kind": [gvk, other],
            },
            (schema): {"type": "object", "properties": {"a": text()}},
        }},
    });
    for pointer in PROSE {
        put(&mut document, pointer, prose);
    }
    document
}

/// Puts a text where a pointer leads; the last step may be new.
fn put(document: &mut Value, pointer: &str, text: &str) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer has steps");
    match document.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}")) {
        Value::Array(list) => list[key.parse::<usize>().expect("an index")] = text.into(),
        parent => parent[key] = text.into(),
    }
}

fn generate(name: &str, document: &Value) -> Result<Output, kapigen::error::Errors> {
    let meta = places::text(&places::root().join("spec/meta/v1.yaml"));
    let documents = vec![Source::new(name, document.to_string()), Source::new("meta/v1.yaml", meta)];
    kapigen::generate(&Sources { documents, ..Sources::default() })
}

/// What is compared of all files: their tokens with names and literals left out, and their literals.
#[derive(Debug, PartialEq)]
struct Code {
    structure: Vec<String>,
    literals: Vec<String>,
}

/// Reads the files as the compiler would, and looks for what must never be in them.
fn code(name: &str, output: &Output) -> Code {
    let mut literals = Vec::new();
    for (path, text) in output.tree.iter().filter(|(path, _)| !is_template(path)) {
        assert!(is_plain(path), "{name}: {path}");
        let bidi = |c: char| matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!text.contains(bidi), "{name}: {path} turns text around");
        let mut words = Vec::new();
        walk(lex(name, path, text), &mut words, &mut literals);
        assert!(!words.iter().any(|word| word == "pwned"), "{name}: {path} has code of the document:\n{text}");
    }
    literals.sort();
    let endpoints = endpoints::plan(&output.api);
    let mut structure: Vec<String> =
        emit::files(&output.api, &endpoints).iter().map(|file| shape(&file.tokens())).collect();
    structure.sort();
    Code { structure, literals }
}

fn is_template(path: &str) -> bool {
    kapigen::templates::FILES.iter().any(|(template, _)| *template == path)
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

/// Collects words, and the content of literals that are no names. Documentation is none of both.
fn walk(tokens: TokenStream, words: &mut Vec<String>, literals: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => words.push(ident.to_string()),
            TokenTree::Literal(literal) => literals.extend(content(&literal.to_string())),
            TokenTree::Group(group) if !is_doc(&group.stream()) => walk(group.stream(), words, literals),
            TokenTree::Group(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn is_doc(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(ident)) if ident == "doc")
}

/// The text of a literal, unless it is a name or a number.
fn content(literal: &str) -> Option<String> {
    let text = literal.parse::<proc_macro2::Literal>().ok().and_then(|literal| unquoted(&literal.to_string()))?;
    let name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (!name).then_some(text)
}

/// What a string literal holds, read without the code that wrote it.
fn unquoted(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        let escape = if c == '\\' { chars.next() } else { None };
        text.push(match escape {
            None => c,
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('0') => '\0',
            Some('x') => number(&chars.by_ref().take(2).collect::<String>()),
            Some('u') => number(chars.by_ref().take_while(|c| *c != '}').collect::<String>().trim_start_matches('{')),
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
    "as", "const", "crate", "else", "enum", "extern", "fn", "for", "if", "impl", "in", "let", "match", "mod", "mut",
    "pub", "ref", "self", "static", "struct", "super", "trait", "unsafe", "use",
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
                text.extend([&format!("{:?}(", group.delimiter()), &*shape(&group.stream()), ")"]);
            }
        }
    }
    text
}

fn harmless() -> Code {
    code("harmless", &generate("spec.yaml", &document(HARMLESS, None)).unwrap_or_else(|errors| panic!("{errors}")))
}

#[test]
fn prose_is_never_code() {
    let harmless = harmless();
    for text in HOSTILE.map(str::to_owned).into_iter().chain([format!("{} a", "\"]}/**/`".repeat(20_000))]) {
        check_prose(&harmless, &text);
    }
}

/// Prose may be anything, and never fails a run.
fn check_prose(harmless: &Code, text: &str) {
    let output = generate("spec.yaml", &document(text, None)).unwrap_or_else(|errors| panic!("{text:?}: {errors}"));
    assert_eq!(&code(text, &output), harmless, "{text:?}");
}

#[test]
fn names_are_never_code() {
    let harmless = harmless();
    let (mut made, mut refused) = (0, 0);
    for text in HOSTILE {
        for place in NAMES {
            *if check_name(&harmless, place, text) { &mut made } else { &mut refused } += 1;
        }
    }
    say(&format!("hostile names: {made} make a crate, {refused} are refused"));
    assert!(made > 100, "{made}");
}

/// Whether a name makes a crate; if it does, nothing but names and literals differs from the harmless one.
fn check_name(harmless: &Code, place: &str, text: &str) -> bool {
    // What stands before the last dot of the name of a schema decides where its type goes.
    let text = if place == "schema" { text.replace('.', " ") } else { text.to_owned() };
    let document = document(HARMLESS, Some((place, &text)));
    let output = match generate("spec.yaml", &document) {
        Ok(output) => output,
        Err(errors) => {
            assert!(errors.iter().all(|error| !error.message.is_empty()));
            assert!(!errors.to_string().contains("fault of kapigen"), "{place} {text:?}: {errors}");
            return false;
        }
    };
    let code = code(&format!("{place} {text:?}"), &output);
    assert_eq!(code.structure, harmless.structure, "{place}: {text:?}");
    let new: Vec<&String> = code.literals.iter().filter(|literal| !harmless.literals.contains(literal)).collect();
    assert!(new.iter().all(|literal| **literal == text), "{place}: {text:?} became {new:?}");
    // What is on the wire is in a literal, as it was given. The rest is not written at all.
    assert!(!WRITTEN.contains(&place) || code.literals.contains(&text), "{place}: {text:?} is in no literal");
    true
}

/// Groups, versions and resources are modules, files, features and paths. What is no path is refused.
#[test]
fn parts_of_paths_are_never_code() {
    let plain = document(HARMLESS, None).to_string();
    let (mut made, mut refused) = (0, 0);
    for text in HOSTILE {
        let quoted = Value::from(text).to_string();
        for part in ["example.com", "/v1/", "widgets"] {
            let slashes = if part.starts_with('/') { "/" } else { "" };
            let changed = plain.replace(part, &format!("{slashes}{}{slashes}", &quoted[1..quoted.len() - 1]));
            assert_ne!(changed, plain, "{part}");
            let document: Value = serde_json::from_str(&changed).expect("it stays JSON");
            match generate("spec.yaml", &document) {
                Ok(output) => {
                    code(text, &output);
                    made += 1;
                }
                Err(errors) => {
                    assert!(!errors.to_string().contains("fault of kapigen"), "{part} {text:?}: {errors}");
                    refused += 1;
                }
            }
        }
    }
    say(&format!("hostile paths: {made} make a crate, {refused} are refused"));
    assert!(made > 20, "{made}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_ever_code(
        pieces in proptest::collection::vec(prop_oneof![
            any::<String>(),
            (0..HOSTILE.len()).prop_map(|index| HOSTILE[index].to_owned()),
            "[\\\\\"'`#{}\\[\\]()/*;!\n\r\t ]{0,6}",
        ], 1..4),
        place in 0..NAMES.len(),
    ) {
        let text = pieces.concat();
        let harmless = harmless();
        check_prose(&harmless, &text);
        // A name that is harmless by chance proves nothing, and may be one that is there already.
        check_name(&harmless, NAMES[place], &format!("{text} a"));
    }
}

/// Files of others that were made to do harm come to no harm: what is made of them is Rust, and stays in its folder.
#[test]
fn malicious_documents_make_no_code() {
    let Some(corpus) = places::shared("specs/corpus/malicious") else { return };
    let files = places::files(&corpus, &["yaml", "yml", "json"]);
    assert!(!files.is_empty());
    let mut made = 0;
    for path in &files {
        let (name, text) = (places::relative(path, &corpus), places::text(path));
        let sources = Sources { documents: vec![Source::new(&name, text)], ..Sources::default() };
        if let Ok(output) = kapigen::generate(&sources) {
            code(&name, &output);
            made += 1;
        }
    }
    say(&format!("malicious: {} documents, {made} of them make a crate", files.len()));
}

/// A document is named in the first line of what is made of it.
#[test]
fn names_of_documents_are_never_code() {
    let harmless = harmless();
    for text in HOSTILE {
        let name = format!("{}.yaml", text.replace('/', " "));
        let output = generate(&name, &document(HARMLESS, None)).unwrap_or_else(|errors| panic!("{name:?}: {errors}"));
        assert_eq!(code(&name, &output), harmless, "{name:?}");
    }
}
