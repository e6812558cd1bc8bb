//! Imports originals into the data, without the parts that are for people.

use super::pack;
use crate::{Failure, at};
use kapigen_yaml::{Reader, Rules};
use serde_json::{Deserializer, Value};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::{fs, str};
use test_data::archive::{self, Files};
use test_data::texts;

/// A set and its originals.
#[derive(Clone, Copy, Debug)]
struct Set {
    name: &'static str,
    /// The folder or file of its originals.
    originals: &'static str,
    from: Origin,
}

/// The source of a set, which decides which parts are left out beside descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// We recorded or wrote it, and all sentences in it are ours or a server's.
    Us,
    /// Documents and definitions of others: messages of their rules become names of the rules.
    Others,
    /// Objects and documents with sentences anywhere: their letters become `x`.
    Anywhere,
}

const fn set(name: &'static str, originals: &'static str, from: Origin) -> Set {
    Set { name, originals, from }
}

const SETS: [Set; 21] = [
    set("behaviours", "testdata/behaviours", Origin::Us),
    set("behaviours-2", "testdata/behaviours-2", Origin::Us),
    set("cel", "testdata/cel", Origin::Us),
    set("corpus", "specs/corpus", Origin::Anywhere),
    set("crds", "specs/crds", Origin::Others),
    set("defects", "specs/defects", Origin::Others),
    set("documented", "documented-groups.json", Origin::Us),
    set("kubeconfig", "testdata/kubeconfig", Origin::Us),
    set("kubernetes-1.23", "specs/kubernetes/1.23", Origin::Others),
    set("kubernetes-1.27", "specs/kubernetes/1.27", Origin::Others),
    set("kubernetes-1.34", "specs/kubernetes/1.34", Origin::Others),
    set("kubernetes-1.36", "specs/kubernetes/1.36", Origin::Others),
    set("manifests", "specs/manifests", Origin::Others),
    set("openshift", "specs/openshift", Origin::Others),
    set("policies", "testdata/policies", Origin::Us),
    set("protobuf", "testdata/protobuf", Origin::Us),
    set("real-server", "testdata/real-server", Origin::Anywhere),
    set("rules", "testdata/rules", Origin::Us),
    set("streams", "testdata/streams", Origin::Us),
    set("webhooks", "testdata/webhooks", Origin::Us),
    set("wire", "testdata/wire", Origin::Us),
];

/// The file of a set that states the source and the licence of each other one.
const INDEX: &str = "index.json";

/// The set of the hashes of servers' descriptions in their documents.
const WORDS: &str = "words";

/// The documents of servers that ours describe in our own words.
const WORDED: [&str; 11] = [
    "specs/kubernetes/1.34/api/v1.json",
    "specs/kubernetes/1.34/apis/coordination.k8s.io/v1.json",
    "specs/kubernetes/1.36/api/v1.json",
    "specs/kubernetes/1.36/apis/apps/v1.json",
    "specs/kubernetes/1.36/apis/batch/v1.json",
    "specs/kubernetes/1.36/apis/events.k8s.io/v1.json",
    "specs/kubernetes/1.36/apis/networking.k8s.io/v1.json",
    "specs/kubernetes/1.36/apis/policy/v1.json",
    "specs/kubernetes/1.36/apis/rbac.authorization.k8s.io/v1.json",
    "specs/openshift/apis__image.openshift.io__v1.json",
    "specs/openshift/manifests/routes.crd.yaml",
];

/// The hashes of all runs of words in the descriptions of these documents, and in a server's texts
/// about custom resources.
fn words(folder: &Path) -> Result<Files, Failure> {
    let mut hashes = BTreeSet::new();
    for path in WORDED {
        texts::each_description(&document(&folder.join(path))?, "", &mut |_, text| {
            hashes.extend(texts::runs(text).iter().map(|run| texts::hash(run) + "\n"));
        });
    }
    let text: String = hashes.into_iter().collect();
    let mut files = Files::from([("published.txt".to_owned(), text.into_bytes())]);
    let projects = folder.join("specs/manifests");
    for path in archive::files_of_folder(&projects).map_err(at(&projects))?.into_keys() {
        let Some((_, name)) = path.split_once("/documents/") else { continue };
        let hashes = texts::of_server(&document(&projects.join(&path))?);
        let text = serde_json::json!(hashes).to_string();
        files.insert(format!("documents/{name}"), text.into_bytes());
    }
    Ok(files)
}

/// The first document of a file.
fn document(path: &Path) -> Result<Value, Failure> {
    let bytes = fs::read(path).map_err(at(path))?;
    let document = Reader::new().rules(Rules::Core).documents(&bytes).next().transpose();
    let document = document.map_err(|error| Failure::in_file(path.display(), error))?;
    Ok(document.map(|document| document.value).unwrap_or_default())
}

/// Imports sets from a folder of originals: these, or all that it has.
pub(super) fn run(folder: &Path, sets: &[String], out: &mut dyn Write) -> Result<(), Failure> {
    for name in sets {
        let known: Vec<&str> = SETS.iter().map(|set| set.name).chain([WORDS]).collect();
        if !known.contains(&name.as_str()) {
            return Err(Failure::Manifest(format!(
                "no set `{name}` is imported\n  help: these are: {}",
                known.join(", ")
            )));
        }
    }
    if sets.is_empty() || sets.iter().any(|name| name == WORDS) {
        pack(WORDS, &words(folder)?, out)?;
    }
    for set in SETS {
        let originals = folder.join(set.originals);
        let is_wanted = if sets.is_empty() {
            originals.exists()
        } else {
            sets.iter().any(|name| name == set.name)
        };
        if is_wanted {
            pack(set.name, &imported(&originals, set.from)?, out)?;
        }
    }
    Ok(())
}

/// The files of a set as they enter.
fn imported(originals: &Path, from: Origin) -> Result<Files, Failure> {
    let files = if originals.is_dir() {
        archive::files_of_folder(originals).map_err(at(originals))?
    } else {
        let name = originals.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Files::from([(name, fs::read(originals).map_err(at(originals))?)])
    };
    let index = free(&files)?;
    let mut imported = Files::new();
    for (path, bytes) in files {
        if index.as_ref().is_some_and(|index| index.iter().all(|entry| entry["file"] != path)) {
            continue;
        }
        let text = str::from_utf8(&bytes).map_err(|error| Failure::in_file(&path, error))?;
        let bytes = match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("json") => json(text, from),
            Some("jsonl") => lines(text, from),
            Some("yaml" | "yml") => yaml(text, from),
            _ => continue,
        };
        let bytes = bytes.map_err(|why| Failure::in_file(&path, why))?.into_bytes();
        imported.insert(path, bytes);
    }
    if let Some(index) = index {
        imported.insert(INDEX.to_owned(), format!("{:#}\n", Value::from(index)).into_bytes());
    }
    Ok(imported)
}

/// The entries of an index for the files that may enter, if a set has one: files with the licence
/// of this repository, and without malice. Such files are generated anew.
fn free(files: &Files) -> Result<Option<Vec<Value>>, Failure> {
    let Some(index) = files.get(INDEX) else { return Ok(None) };
    let mut index: Vec<Value> =
        serde_json::from_slice(index).map_err(|error| Failure::in_file(INDEX, error))?;
    index.retain(|entry| {
        let licence = entry["licence"].as_str().unwrap_or_default();
        licence.contains("Apache-2.0") && entry["upstream_label"] != "malicious"
    });
    Ok(Some(index))
}

/// A value as it enters.
fn entering(mut value: Value, from: Origin) -> Value {
    texts::remove(&mut value);
    match from {
        Origin::Us => {}
        Origin::Others => {
            texts::name_rules(&mut value);
            rename(&mut value);
        }
        Origin::Anywhere => mask(&mut value),
    }
    value
}

/// The link in place of all others.
const LINK: &str = "https://example.com";

/// Replaces links in annotations, which state where something was approved, and warnings of
/// versions in a definition.
fn rename(value: &mut Value) {
    let versions = value.pointer_mut("/spec/versions").and_then(Value::as_array_mut);
    for version in versions.into_iter().flatten() {
        if let Some(warning) = version.get_mut("deprecationWarning") {
            *warning = "a later version is there".into();
        }
    }
    let annotations = value.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut);
    for annotation in annotations.into_iter().flat_map(serde_json::Map::values_mut) {
        if annotation.as_str().is_some_and(|text| text.starts_with("https://")) {
            *annotation = LINK.into();
        }
    }
}

/// Replaces links, and the letters of sentences: of texts with more than four words.
fn mask(value: &mut Value) {
    match value {
        Value::String(text) if text.starts_with("http") && text.contains("://") => {
            LINK.clone_into(text);
        }
        Value::String(text) if text.split_whitespace().count() > 4 => {
            *text = text.chars().map(|c| if c.is_alphabetic() { 'x' } else { c }).collect();
        }
        Value::Array(elements) => elements.iter_mut().for_each(mask),
        Value::Object(members) => members.values_mut().for_each(mask),
        _ => {}
    }
}

/// A file that is one value. It is kept unchanged if nothing has to be removed.
fn json(text: &str, from: Origin) -> Result<String, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let entering = entering(value.clone(), from);
    Ok(if entering == value { text.to_owned() } else { entering.to_string() })
}

/// A file of values, one a line.
fn lines(text: &str, from: Origin) -> Result<String, String> {
    let mut all = String::new();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let mut other = entering(value.clone(), from);
        each_text(&mut other, &mut |text| {
            if let Some(body) = body(text)? {
                *text = body;
            }
            Ok(())
        })?;
        all += &if other == value { line.to_owned() } else { other.to_string() };
        all.push('\n');
    }
    Ok(all)
}

fn each_text(
    value: &mut Value,
    visit: &mut dyn FnMut(&mut String) -> Result<(), String>,
) -> Result<(), String> {
    match value {
        Value::String(text) => visit(text),
        Value::Array(elements) => {
            elements.iter_mut().try_for_each(|element| each_text(element, visit))
        }
        Value::Object(members) => {
            members.values_mut().try_for_each(|member| each_text(member, visit))
        }
        _ => Ok(()),
    }
}

/// A body that was recorded as text, without the parts that are for people; none if it has no such
/// parts. All else stays byte for byte.
fn body(text: &str) -> Result<Option<String>, String> {
    if !text.starts_with(['{', '[']) {
        return Ok(None);
    }
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    let mut body = String::new();
    let mut end = 0;
    let mut is_changed = false;
    while let Some(value) = values.next() {
        let Ok(value) = value else { return Ok(None) };
        let piece = &text[end..values.byte_offset()];
        end = values.byte_offset();
        let other = texts::removed(value.clone());
        if other == value {
            body += piece;
            continue;
        }
        is_changed = true;
        let forms = [false, true];
        let form = forms.into_iter().find(|is_pretty| go(&value, *is_pretty) == piece.trim());
        let is_pretty = form.ok_or_else(|| format!("not as Go writes it: {piece:.200}"))?;
        let start = piece.len() - piece.trim_start().len();
        body += &piece[..start];
        body += &go(&other, is_pretty);
    }
    body += &text[end..];
    Ok(is_changed.then_some(body))
}

/// JSON as Go writes it.
fn go(value: &Value, is_pretty: bool) -> String {
    let text = if is_pretty { format!("{value:#}") } else { value.to_string() };
    let escapes = [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026")];
    let escapes = escapes.into_iter().chain([('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")]);
    escapes.fold(text, |text, (sign, escape)| text.replace(sign, escape))
}

/// A file of YAML, without its comments.
fn yaml(text: &str, from: Origin) -> Result<String, String> {
    let reader = Reader::new().rules(Rules::Core);
    let mut parts = Vec::new();
    for document in reader.documents(text.as_bytes()) {
        let document = document.map_err(|error| error.to_string())?;
        parts.push(entering(document.value, from));
    }
    let text = parts.iter().map(kapigen_yaml::write).collect::<Vec<_>>().join("---\n");
    let again = reader.documents(text.as_bytes()).map(|document| document.map(|it| it.value));
    match again.collect::<Result<Vec<_>, _>>() {
        Ok(again) if again == parts => Ok(text),
        _ => Err("it would be another value when written again".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, body, json, lines, mask, yaml};
    use serde_json::json;

    #[test]
    fn bodies_keep_all_other_bytes() {
        let table = |text: &str| {
            format!(
                "{{\"kind\":\"Table\",\"columnDefinitions\":[{{\"description\":\"{text}\"}}],\
                 \"a\":\"\\u003cnone\\u003e\"}}\n"
            )
        };
        let all = |text: &str| format!("{}\n{{\"b\": 1}}\n{}", table(text), table(text));
        assert_eq!(body(&all("A name.")), Ok(Some(all(""))));
        assert_eq!(body(&all("")), Ok(None));
        assert_eq!(body("{no JSON"), Ok(None));
        let spaced = table("A name.").replace(':', ": ");
        assert!(body(&spaced).unwrap_err().starts_with("not as Go writes it"));
        let line = |text: &str| format!("{}\n", json!({"body": table(text)}));
        assert_eq!(lines(&line("A name."), Origin::Us), Ok(line("")));
    }

    #[test]
    fn files_without_texts_stay_as_they_are() {
        let text = "{ \"a\" : 1.50 }\n";
        assert_eq!(json(text, Origin::Others), Ok(text.to_owned()));
        let text = "# A sentence.\nspec: # another\n  description: x\n---\na: '1'\n";
        assert_eq!(
            yaml(text, Origin::Us),
            Ok("spec:\n  description: x\n---\na: \"1\"\n".to_owned())
        );
    }

    #[test]
    fn sentences_keep_their_form() {
        let few = "four words stay so";
        let mut value = json!({"a few words": [few, "a \"b\"\ncd: 7 élan 好.", "http://a.io"]});
        mask(&mut value);
        let masked = json!({"a few words": [few, "x \"x\"\nxx: 7 xxxx x.", "https://example.com"]});
        assert_eq!(value, masked);
    }
}
