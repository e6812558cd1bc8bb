//! For any input, a run ends with a crate or with errors that have a message.

use kapigen::Sources;
use kapigen::error::Errors;
use kapigen::input::Source;
use kapigen::model::wellknown::META_PACKAGE;
use kapigen_tests::cases;
use kapigen_tests::places::{self, log};
use serde_json::json;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use test_support::random::Random;

/// Documents of others: valid ones, invalid ones, and some that were made to do harm. Their paths
/// are none of an API server, so all of their schemas are asked for by name.
#[test]
fn documents_of_others_never_panic() {
    let folders = ["corpus", "made"].map(places::data);
    let endings = ["yaml", "yml", "json"];
    let files: Vec<_> = folders.iter().flat_map(|folder| places::files(folder, &endings)).collect();
    assert!(files.len() > 50, "{}", files.len());
    let run = |path: &PathBuf| {
        let folder = folders.iter().find(|folder| path.starts_with(folder));
        let name = places::relative(path, folder.expect("it is in one of them"));
        let text = places::text(path);
        let groups =
            schemas(&text).map(|names| Source::new("groups.yaml", format!("types: {names:?}")));
        let documents = vec![Source::new(&name, text), shared_types()];
        let sources = Sources { documents, groups, ..Sources::default() };
        ends(&name, || kapigen::generate(&sources)).is_ok()
    };
    let good = files.iter().filter(|path| run(path)).count();
    log(&format!("corpus: {} documents, {good} of them make a crate", files.len()));
    assert!(good > 10, "{good}");
}

/// The names of the schemas of a document, if it can be read at all.
fn schemas(text: &str) -> Option<Vec<String>> {
    let document: serde_yaml::Value = serde_yaml::from_str(text).ok()?;
    let schemas = document.get("components")?.get("schemas")?.as_mapping()?;
    Some(schemas.keys().filter_map(|name| name.as_str().map(str::to_owned)).collect())
}

/// The sets of documents of real servers.
const SERVERS: [&str; 5] =
    ["kubernetes-1.23", "kubernetes-1.27", "kubernetes-1.34", "kubernetes-1.36", "openshift"];

/// Documents of real servers that make no crate when they are given alone, and a part of the error.
const REFUSED: [(&str, &str); 2] = [
    // No documents of OpenAPI 3.0.
    (
        "openshift/discovery-image.openshift.io-v1.json",
        "it is an object, `APIResourceList` of `v1`",
    ),
    ("openshift/image.openshift.io.v1.definitions.swagger2.json", "`swagger` is \"2.0\""),
];

/// Each document of a real server can be read alone, and all documents of one server make a crate.
#[test]
fn documents_of_servers_make_crates() {
    let of = |set: &str| -> Vec<Source> {
        let folder = places::data(set);
        let name = |path: &Path| format!("{set}/{}", places::relative(path, &folder));
        let files = places::files(&folder, &["json"]).into_iter();
        files.map(|path| Source::new(name(&path), places::text(&path))).collect()
    };
    let alone: Vec<Source> = SERVERS.into_iter().flat_map(of).collect();
    assert!(alone.len() > 40, "{}", alone.len());
    let mut refused = BTreeMap::new();
    for source in &alone {
        let sources = Sources { documents: vec![source.clone()], ..Sources::default() };
        refused.extend(
            ends(&source.name, || kapigen::model(&sources))
                .err()
                .map(|why| (source.name.as_str(), why)),
        );
    }
    let is_known = |name: &str, why: &str| {
        REFUSED.iter().any(|(known, part)| *known == name && why.contains(part))
    };
    let unexpected: Vec<_> = refused.iter().filter(|(name, why)| !is_known(name, why)).collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    let mended: Vec<_> = REFUSED.iter().filter(|(name, _)| !refused.contains_key(name)).collect();
    assert!(mended.is_empty(), "these are understood now: {mended:?}");
    let sources = Sources { documents: of("kubernetes-1.34"), ..Sources::default() };
    ends("all of 1.34", || kapigen::generate(&sources)).unwrap();
    log(&format!(
        "servers: {} of {} documents are understood alone",
        alone.len() - refused.len(),
        alone.len()
    ));
}

/// The input of the cases with something changed, anywhere and without sense.
#[test]
fn mutilated_documents_never_panic() {
    let cases = cases::all("cases");
    let mut random = Random::seeded();
    let mut good = 0;
    for round in 0..ROUNDS {
        let case = &cases[random.below(cases.len())];
        let mut sources = case.sources.clone();
        let texts =
            sources.documents.iter_mut().chain(&mut sources.groups).chain(&mut sources.fixups);
        let mut texts: Vec<&mut Source> = texts.collect();
        let chosen = random.below(texts.len());
        texts[chosen].text = mutilate(&texts[chosen].text, &mut random);
        sources.documents.push(shared_types());
        good += usize::from(
            ends(&format!("round {round}, {}", case.name), || kapigen::generate(&sources)).is_ok(),
        );
    }
    log(&format!("mutilated: {ROUNDS} runs, {good} of them make a crate"));
    assert!(good > 0 && good < ROUNDS, "what is changed matters now and then: {good}");
}

const ROUNDS: usize = 1000;

/// Runs, and returns the first line of the errors. Each must have a message, and none may be a bug
/// of the generator.
fn ends<T>(name: &str, run: impl Fn() -> Result<T, Errors>) -> Result<(), String> {
    let Ok(result) = catch_unwind(AssertUnwindSafe(run)) else {
        panic!("{name}: the run panicked, see above")
    };
    let Err(errors) = result else { return Ok(()) };
    let text = errors.to_string();
    assert!(errors.iter().all(|error| !error.message.trim().is_empty()), "{name}: {text}");
    assert!(!text.contains("bug of kapigen"), "{name}: {text}");
    Err(format!("{name}: {}", text.lines().next().unwrap_or_default()))
}

/// As short as they can be, so that thousands of runs take no time: only what every crate needs.
fn shared_types() -> Source {
    const NAMES: [&str; 5] = [
        "api.resource.Quantity",
        "apis.meta.v1.MicroTime",
        "apis.meta.v1.Time",
        "runtime.RawExtension",
        "util.intstr.IntOrString",
    ];
    let mut schemas = serde_json::Map::new();
    for name in NAMES {
        schemas.insert(format!("io.k8s.apimachinery.pkg.{name}"), json!({"type": "object"}));
    }
    for name in ["ListMeta", "ObjectMeta", "Status"] {
        schemas
            .insert(format!("{META_PACKAGE}.{name}"), json!({"type": "object", "properties": {}}));
    }
    Source::new(
        "meta/v1.yaml",
        json!({"openapi": "3.0.3", "components": {"schemas": schemas}}).to_string(),
    )
}

/// Changes a string at one to three positions.
fn mutilate(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let one = boundary(random, &text);
        let other = boundary(random, &text);
        let start = one.min(other);
        let end = one.max(other).min(one.min(other) + 40);
        let end = (start..=end).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(start);
        let piece = text[start..end].to_owned();
        match random.below(6) {
            0 => text.truncate(start),
            1 => text.replace_range(start..end, ""),
            2 => text.insert_str(start, PIECES[random.below(PIECES.len())]),
            3 => text.replace_range(start..end, PIECES[random.below(PIECES.len())]),
            4 => text.insert_str(boundary(random, &text), &piece),
            _ => text = swap_words(&text, random),
        }
    }
    text
}

/// Puts one word of the document in place of another, so that it mostly stays a document.
fn swap_words(text: &str, random: &mut Random) -> String {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return text.to_owned();
    }
    let one = words[random.below(words.len())];
    let other = words[random.below(words.len())];
    text.replacen(one, other, 1 + random.below(3))
}

/// Strings with a meaning in YAML, in OpenAPI or in the generator.
const PIECES: [&str; 24] = [
    "\n",
    "\t",
    "  ",
    ": ",
    "- ",
    "{",
    "}",
    "[]",
    "{}",
    "*a",
    "&a ",
    "!!binary ",
    "\"",
    "'",
    "#",
    "|",
    "~",
    "null",
    "true",
    "-9223372036854775808",
    "1e400",
    "$ref: '#/components/schemas/All'",
    "type: object, ",
    "\u{202e}\0",
];

/// A position between two characters.
fn boundary(random: &mut Random, text: &str) -> usize {
    let at = random.below(text.len() + 1);
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}
