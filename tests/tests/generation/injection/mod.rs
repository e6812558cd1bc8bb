//! No string of a document becomes code. Whatever is in its names, its prose and its values, the
//! files that come have the same structure as for harmless words: the same tokens but for names,
//! comments and the content of literals. And the literals hold the given strings.

mod code;
mod documents;

use code::{Code, code};
use documents::{HARMLESS, HOSTILE, NAMES, WRITTEN, document, generate};
use kapigen::Sources;
use kapigen::input::Source;
use kapigen::visible::visible;
use kapigen_tests::places::{self, log};
use openshift_api::informer::FailureKind;
use proptest::prelude::*;
use serde_json::Value;

fn harmless() -> Code {
    code(
        "harmless",
        &generate("spec.yaml", &document(HARMLESS, None))
            .unwrap_or_else(|errors| panic!("{errors}")),
    )
}

/// The command does not link the runtime, so each has a list of its own.
#[test]
fn command_and_runtime_escape_the_same_characters() {
    let all: String = ('\0'..=char::MAX).collect();
    let error = FailureKind::Disconnected(all.clone()).to_string();
    let escaped = error.strip_prefix("the connection broke: ").expect("the words of the runtime");
    let shown = visible(&all);
    let differs = escaped.char_indices().zip(shown.chars()).find(|((_, c), shown)| c != shown);
    if let Some(((at, _), _)) = differs {
        panic!("{} and {}", escaped[at..].split_at(9).0, shown[at..].split_at(9).0);
    }
    assert_eq!(escaped.len(), shown.len());
}

#[test]
fn prose_is_never_code() {
    let harmless = harmless();
    for text in
        HOSTILE.map(str::to_owned).into_iter().chain([format!("{} a", "\"]}/**/`".repeat(20_000))])
    {
        check_prose(&harmless, &text);
    }
}

/// Prose may be anything, and never fails a run.
fn check_prose(harmless: &Code, text: &str) {
    let output = generate("spec.yaml", &document(text, None))
        .unwrap_or_else(|errors| panic!("{text:?}: {errors}"));
    let code = code(text, &output);
    assert_eq!(code.structure, harmless.structure, "{text:?}");
    // Merge keys are values, which tables of types have as literals.
    let kept = |literal: &&String| *literal == HARMLESS || code.literals.contains(literal);
    assert_eq!(harmless.literals.iter().find(|literal| !kept(literal)), None, "{text:?}");
    let new: Vec<&String> =
        code.literals.iter().filter(|literal| !harmless.literals.contains(literal)).collect();
    assert!(new.iter().all(|literal| *literal == text), "{text:?} became {new:?}");
}

#[test]
fn names_are_never_code() {
    let harmless = harmless();
    let mut made = 0;
    let mut refused = 0;
    for text in HOSTILE {
        for place in NAMES {
            *if check_name(&harmless, place, text) { &mut made } else { &mut refused } += 1;
        }
    }
    log(&format!("hostile names: {made} make a crate, {refused} are refused"));
    assert!(made > 100, "{made}");
}

/// Whether a name makes a crate; if it does, nothing but names and literals differs from the
/// harmless one.
fn check_name(harmless: &Code, place: &str, text: &str) -> bool {
    // The name of a schema up to its last dot decides the module of its type.
    let text = if place == "schema" { text.replace('.', " ") } else { text.to_owned() };
    let document = document(HARMLESS, Some((place, &text)));
    let output = match generate("spec.yaml", &document) {
        Ok(output) => output,
        Err(errors) => {
            assert!(errors.iter().all(|error| !error.message.is_empty()));
            assert!(!errors.to_string().contains("bug of kapigen"), "{place} {text:?}: {errors}");
            return false;
        }
    };
    let code = code(&format!("{place} {text:?}"), &output);
    assert_eq!(code.structure, harmless.structure, "{place}: {text:?}");
    let new: Vec<&String> =
        code.literals.iter().filter(|literal| !harmless.literals.contains(literal)).collect();
    assert!(new.iter().all(|literal| **literal == text), "{place}: {text:?} became {new:?}");
    // Names on the wire are literals, unchanged. The others are not written at all.
    assert!(
        !WRITTEN.contains(&place) || code.literals.contains(&text),
        "{place}: {text:?} is in no literal"
    );
    true
}

/// Groups, versions and resources are modules, files, features and paths. A string that is not a
/// path is refused.
#[test]
fn parts_of_paths_are_never_code() {
    let plain = document(HARMLESS, None).to_string();
    let mut made = 0;
    let mut refused = 0;
    for text in HOSTILE {
        let quoted = Value::from(text).to_string();
        for part in ["example.com", "/v1/", "widgets"] {
            let slashes = if part.starts_with('/') { "/" } else { "" };
            let changed =
                plain.replace(part, &format!("{slashes}{}{slashes}", &quoted[1..quoted.len() - 1]));
            assert_ne!(changed, plain, "{part}");
            let document: Value = serde_json::from_str(&changed).expect("it stays JSON");
            match generate("spec.yaml", &document) {
                Ok(output) => {
                    code(text, &output);
                    made += 1;
                }
                Err(errors) => {
                    assert!(
                        !errors.to_string().contains("bug of kapigen"),
                        "{part} {text:?}: {errors}"
                    );
                    refused += 1;
                }
            }
        }
    }
    log(&format!("hostile paths: {made} make a crate, {refused} are refused"));
    assert!(made > 0 && refused > 20, "{made} and {refused}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_string_is_ever_code(
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

/// Malicious files do no harm: the files that are made of them are Rust, and stay in
/// their folder.
#[test]
fn malicious_documents_make_no_code() {
    let corpus = places::data("made/malicious");
    let files = places::files(&corpus, &["yaml", "yml", "json"]);
    assert!(!files.is_empty());
    let mut made = 0;
    let mut types = 0;
    for path in &files {
        let name = places::relative(path, &corpus);
        let text = places::text(path);
        // Their paths are none of an API server, so all of their schemas are asked for by name.
        let groups = Source::new("groups.yaml", format!("types: {:?}", schemas(&text)));
        let documents = vec![Source::new(&name, text)];
        let sources = Sources { documents, groups: Some(groups), ..Sources::default() };
        if let Ok(output) = kapigen::generate(&sources) {
            code(&name, &output);
            types += output.api.types().count();
            made += 1;
        }
    }
    assert!(made > 2 && made < files.len(), "{made} of {} documents make a crate", files.len());
    log(&format!(
        "malicious: {} documents, {made} of them make a crate, with {types} types",
        files.len()
    ));
}

/// The names of the schemas of a document, if it can be read at all.
fn schemas(text: &str) -> Vec<String> {
    let document: serde_yaml::Value = serde_yaml::from_str(text).unwrap_or_default();
    let schemas = document.get("components").and_then(|components| components.get("schemas"));
    let names = schemas
        .and_then(serde_yaml::Value::as_mapping)
        .into_iter()
        .flat_map(|schemas| schemas.keys());
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// A document is named in the first line of the files that are made of it.
#[test]
fn names_of_documents_are_never_code() {
    let harmless = harmless();
    for text in HOSTILE {
        let name = format!("{}.yaml", text.replace('/', " "));
        let output = generate(&name, &document(HARMLESS, None))
            .unwrap_or_else(|errors| panic!("{name:?}: {errors}"));
        assert_eq!(code(&name, &output), harmless, "{name:?}");
    }
}
