//! The rules of writing in `spec/`: all that a user sets is described, in our own words, and in
//! whole sentences.

use super::documents::{Documents, references};
use kapigen_tests::places::{self, log};
use kapigen_yaml::pointer::escape;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use test_data::texts;

/// The longest description, in characters.
const LONGEST: usize = 430;

#[test]
fn everything_that_a_user_sets_is_described() {
    let texts = described();
    let documents = Documents::ours();
    let set = set_by_users(&documents);
    let is_set = |place: &str| match place.split_once("#/components/schemas/") {
        Some((_, path)) => set.contains(path),
        None => true,
    };
    let missing: Vec<_> = texts
        .iter()
        .filter(|text| text.text.is_empty() && is_set(&text.place))
        .map(|text| &*text.place)
        .collect();
    assert!(missing.is_empty(), "no description:\n{}", missing.join("\n"));
    assert!(texts.len() > 1000, "only {} places were looked at", texts.len());
    log(&format!("{} descriptions in spec/", texts.len()));
}

#[test]
fn descriptions_are_whole_sentences() {
    let faults: Vec<_> = described()
        .iter()
        .filter(|text| !text.text.is_empty())
        .flat_map(|text| {
            let place = text.place.clone();
            faults(&text.text).into_iter().map(move |fault| format!("{place}: {fault}"))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn faults_are_found() {
    assert_eq!(faults("Says `a`, and more (in brackets.)"), [""; 0]);
    for (text, fault) in [
        ("No end", "ends without a full stop"),
        ("The Field says a.", "says `the field`"),
        ("This parameter does.", "says `this parameter`"),
        ("Two  blanks.", "has a line break or two blanks"),
        ("Odd ` quotes.", "has an odd number of backticks"),
        ("See https://example.com.", "has an address"),
    ] {
        assert_eq!(faults(text), [fault]);
    }
    assert_eq!(
        faults(&format!("{}.", "a".repeat(LONGEST))),
        [format!("has {} characters", LONGEST + 1)]
    );
}

/// Places that share words with published documents, and the reason.
const SHARED_WORDS: [(&str, &str); 1] = [(
    "image.openshift.io/v1.yaml#/components/schemas/com.github.openshift.api.image.v1.\
     ImageManifest/properties/mediaType",
    "the names of two media types, one after the other",
)];

#[test]
fn words_are_our_own() {
    // The data has only hashes of published descriptions.
    let theirs = places::text(&places::data("words/published.txt"));
    let theirs: BTreeSet<&str> = theirs.lines().collect();
    assert!(theirs.len() > 10_000, "only {} runs were found", theirs.len());
    let copied = |text: &Text| {
        let is_theirs = |run: &String| theirs.contains(texts::hash(run).as_str());
        let run = texts::runs(&text.text).into_iter().find(is_theirs)?;
        Some((text.place.clone(), run))
    };
    let mut copied: BTreeMap<_, _> = described().iter().filter_map(copied).collect();
    for (place, reason) in SHARED_WORDS {
        assert!(
            copied.remove(place).is_some(),
            "{place} shares no words any more: strike it ({reason})"
        );
    }
    assert!(
        copied.is_empty(),
        "{} words in a row that servers publish, too: {copied:#?}",
        texts::RUN
    );
}

/// The schemas that request bodies reach otherwise than by a status, and their properties; neither
/// `apiVersion` nor `kind`, which objects state by themselves.
fn set_by_users(documents: &Documents) -> BTreeSet<String> {
    let schemas = documents.schemas();
    let operations = documents.operations(|_| true);
    let bodies = operations.values().flat_map(members).map(|(_, op)| &op["requestBody"]);
    let mut waiting: Vec<String> = Vec::new();
    bodies.for_each(|body| references(body, &mut waiting));
    let mut set = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if set.insert(name.clone()) {
            set_properties(&name, &schemas[&name], &mut set, &mut waiting);
        }
    }
    set
}

fn set_properties(
    place: &str,
    schema: &Value,
    set: &mut BTreeSet<String>,
    waiting: &mut Vec<String>,
) {
    const OTHERS: [&str; 3] = ["apiVersion", "kind", "status"];
    for (name, property) in
        members(&schema["properties"]).filter(|(name, _)| !OTHERS.contains(name))
    {
        let place = format!("{place}/properties/{name}");
        set_properties(&place, property, set, waiting);
        set_properties(&place, &property["items"], set, waiting);
        set.insert(place);
        references(property, waiting);
    }
}

/// An item that should have a description.
struct Text {
    place: String,
    text: String,
}

/// All schemas and their members, operations and parameters.
fn described() -> Vec<Text> {
    let mut texts = Vec::new();
    for (name, document) in Documents::ours().0 {
        for (schema, value) in members(&document["components"]["schemas"]) {
            described_schema(format!("{name}#/components/schemas/{schema}"), value, &mut texts);
        }
        for (parameter, value) in members(&document["components"]["parameters"]) {
            note(format!("{name}#/components/parameters/{parameter}"), value, &mut texts);
        }
        for (path, item) in members(&document["paths"]) {
            let place = format!("{name}#/paths/{}", escape(path));
            described_parameters(&place, item, &mut texts);
            for (method, operation) in members(item).filter(|(key, _)| *key != "parameters") {
                note(format!("{place}/{method}"), operation, &mut texts);
                described_parameters(&format!("{place}/{method}"), operation, &mut texts);
            }
        }
    }
    texts
}

fn described_schema(place: String, schema: &Value, texts: &mut Vec<Text>) {
    for (name, member) in members(&schema["properties"]) {
        described_schema(format!("{place}/properties/{name}"), member, texts);
    }
    note(place, schema, texts);
}

fn described_parameters(place: &str, owner: &Value, texts: &mut Vec<Text>) {
    for (index, parameter) in owner["parameters"].as_array().into_iter().flatten().enumerate() {
        // Shared ones are elsewhere.
        if parameter.get("$ref").is_none() {
            note(format!("{place}/parameters/{index}"), parameter, texts);
        }
    }
}

fn note(place: String, value: &Value, texts: &mut Vec<Text>) {
    texts.push(Text { place, text: value["description"].as_str().unwrap_or_default().to_owned() });
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

/// The rules that a description breaks.
fn faults(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let phrases = ["the field", "this field", "the parameter", "this parameter"];
    let empty = phrases.into_iter().filter(|phrase| has_words(&lower, phrase));
    let mut faults: Vec<String> = empty.map(|phrase| format!("says `{phrase}`")).collect();
    let length = text.chars().count();
    let rules = [
        (!text.ends_with(['.', ')']), "ends without a full stop".to_owned()),
        (text.contains('\n') || text.contains("  "), "has a line break or two blanks".to_owned()),
        (text.matches('`').count() % 2 == 1, "has an odd number of backticks".to_owned()),
        (lower.contains("http://") || lower.contains("https://"), "has an address".to_owned()),
        (length > LONGEST, format!("has {length} characters")),
    ];
    faults.extend(rules.into_iter().filter_map(|(broken, fault)| broken.then_some(fault)));
    faults
}

/// Whether a string has words as words, not as parts of others.
fn has_words(text: &str, words: &str) -> bool {
    let part = |c: char| c.is_alphanumeric();
    text.match_indices(words).any(|(start, found)| {
        !text[..start].ends_with(part) && !text[start + found.len()..].starts_with(part)
    })
}
