//! From the bytes of a file to objects.

use crate::error::{Error, Errors, MOST, Origin};
use crate::manifests::{Manifest, Manifests};
use kapigen_runtime::dynamic::Object;
use kapigen_yaml::pointer::escape;
use kapigen_yaml::{Document, Place, Position, Reader, Step};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::Arc;

/// An object, or why there is none, and the pointer within its document at which that is.
struct Found {
    document: usize,
    item: Option<usize>,
    pointer: String,
    /// The position of the document, if the pointer has none, or that of the error.
    position: Position,
    object: Result<Object, String>,
}

/// The findings of a file.
#[derive(Default)]
struct File {
    found: Vec<Found>,
    empty: usize,
    /// The number of errors, also of those that are not kept.
    errors: usize,
}

/// Parses a file that is in memory. Its name is for errors.
///
/// # Errors
/// All errors of the file at once.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Manifests, Errors> {
    let reader = Reader::new();
    let mut file = File::default();
    let name: Arc<str> = name.into();
    let mut end = None;
    for document in reader.documents(bytes) {
        match document {
            Ok(document) => file.take(document),
            Err(error) => end = Some(error),
        }
    }
    let mut errors = Errors::beyond(file.errors.saturating_sub(MOST));
    let mut manifests = Manifests { empty: file.empty, ..Manifests::default() };
    let places = places(&reader, bytes, &file.found);
    for Found { document, item, pointer, position, object } in file.found {
        let place = deepest(places.get(&document), &pointer);
        let Position { line, column } = place.map_or(position, |place| place.value);
        let origin = Origin { file: name.clone(), document, item, line, column };
        match object {
            Ok(object) => manifests.objects.push(Manifest { object, origin }),
            Err(message) => errors.push(Error { origin, message }),
        }
    }
    if let Some(error) = end {
        let origin = match error.position() {
            Some(Position { line, column }) => {
                Origin { document: error.document(), line, column, ..Origin::file(&name) }
            }
            None => Origin::file(&name),
        };
        errors.push(Error { origin, message: message(&error) });
    }
    errors.into_result(manifests)
}

/// The message of an error without its position, which precedes it.
fn message(error: &kapigen_yaml::Error) -> String {
    let text = error.to_string();
    match text.split_once(error.message()) {
        Some((before, _)) => format!("{before}{}", error.message()),
        None => text,
    }
}

/// The positions of what is not at the beginning of its document, in one pass.
fn places(
    reader: &Reader,
    bytes: &[u8],
    found: &[Found],
) -> BTreeMap<usize, BTreeMap<String, Place>> {
    let mut wanted: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for found in found.iter().filter(|found| !found.pointer.is_empty()) {
        let pointers = wanted.entry(found.document).or_default();
        let ends =
            found.pointer.match_indices('/').skip(1).map(|(at, _)| at).chain([found.pointer.len()]);
        // Those around it, too: a member may be absent.
        pointers.extend(ends.map(|end| &found.pointer[..end]));
    }
    if wanted.is_empty() { BTreeMap::new() } else { reader.positions_in(bytes, &wanted) }
}

/// The place of a pointer, or of what is around it.
fn deepest<'a>(
    places: Option<&'a BTreeMap<String, Place>>,
    mut pointer: &str,
) -> Option<&'a Place> {
    let places = places?;
    while !pointer.is_empty() {
        if let Some(place) = places.get(pointer) {
            return Some(place);
        }
        pointer = pointer.rsplit_once('/').map_or("", |(around, _)| around);
    }
    None
}

impl File {
    fn take(&mut self, document: Document) {
        let Document { number, position, value, repeated, .. } = document;
        let at = At { document: number, position, item: None, pointer: "" };
        for repeated in &repeated {
            let is_root = repeated.path.is_empty();
            let help = if is_root && matches!(&*repeated.name, "apiVersion" | "kind" | "metadata") {
                ": is `---` missing between two objects?"
            } else {
                ""
            };
            let at = At { position: repeated.place.key.unwrap_or(repeated.place.value), ..at };
            self.refuse(
                &at,
                "",
                format!("`{}` is there twice{help}", path(&repeated.path, &repeated.name)),
            );
        }
        match value {
            _ if !repeated.is_empty() => {}
            Value::Null => self.empty += 1,
            Value::Object(members) => self.object(members, &at),
            other => self.refuse(&at, "", expected_object(&other)),
        }
    }

    /// Takes an object, or the items of a list.
    fn object(&mut self, mut members: Map<String, Value>, at: &At<'_>) {
        let is_list = text(&members, "kind").is_some_and(|kind| kind.ends_with("List"));
        let items = match members.get_mut("items").filter(|_| is_list) {
            Some(Value::Array(items)) => Some(mem::take(items)),
            // Go writes a list that was never made so.
            Some(Value::Null) => Some(Vec::new()),
            _ => None,
        };
        if let Some(items) = items {
            let of_items = self::of_items(&members);
            for (index, item) in items.into_iter().enumerate() {
                let pointer = format!("{}/items/{index}", at.pointer);
                let at = At { item: Some(index), pointer: &pointer, ..*at };
                match item {
                    Value::Object(mut item) => {
                        for (name, value) in
                            of_items.iter().filter(|_| text(&members, "kind") != Some("List"))
                        {
                            item.entry(*name).or_insert_with(|| value.clone());
                        }
                        self.object(item, &at);
                    }
                    other => self.refuse(&at, "", expected_object(&other)),
                }
            }
            return;
        }
        for name in ["apiVersion", "kind"] {
            let problem = match members.get(name) {
                None | Some(Value::Null) => format!("the object has no `{name}`"),
                Some(Value::String(text)) if text.is_empty() => {
                    format!("the `{name}` of the object is empty")
                }
                Some(Value::String(_)) => continue,
                Some(other) => format!("`{name}`: expected a string, found {}", described(other)),
            };
            let below = if members.contains_key(name) { format!("/{name}") } else { String::new() };
            return self.refuse(at, &below, problem);
        }
        match kapigen_runtime::from_str::<Object>(&Value::Object(members).to_string()) {
            Ok(object) => self.push(at, "", Ok(object)),
            Err(error) => self.refuse(at, &pointer_in(error.message()), error.message().to_owned()),
        }
    }

    fn refuse(&mut self, at: &At<'_>, below: &str, message: String) {
        self.push(at, below, Err(message));
    }

    /// Of errors, no more are kept than are shown: an input may have one for every few bytes.
    fn push(&mut self, at: &At<'_>, below: &str, object: Result<Object, String>) {
        if object.is_err() {
            self.errors += 1;
            if self.errors > MOST {
                return;
            }
        }
        let At { document, position, item, pointer } = *at;
        self.found.push(Found {
            document,
            item,
            pointer: format!("{pointer}{below}"),
            position,
            object,
        });
    }
}

/// The place of an object in its file.
#[derive(Clone, Copy)]
struct At<'a> {
    document: usize,
    position: Position,
    item: Option<usize>,
    pointer: &'a str,
}

/// The `apiVersion` and `kind` that the items of a typed list such as `PodList` do not state.
fn of_items(list: &Map<String, Value>) -> Vec<(&'static str, Value)> {
    let kind = text(list, "kind").and_then(|kind| kind.strip_suffix("List"));
    let members = [("apiVersion", text(list, "apiVersion")), ("kind", kind)];
    members.into_iter().filter_map(|(name, value)| Some((name, value?.into()))).collect()
}

fn text<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    members.get(name).and_then(Value::as_str)
}

fn expected_object(found: &Value) -> String {
    format!("expected an object, found {}", described(found))
}

fn described(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A path as errors show it.
fn path(steps: &[Step], name: &str) -> String {
    let steps = steps.iter().enumerate().map(|(index, step)| match step {
        Step::Member(name) if index == 0 => name.clone(),
        Step::Member(name) => format!(".{name}"),
        Step::Element(index) => format!("[{index}]"),
    });
    let path: String = steps.collect();
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The pointer of the path at the beginning of a message, such as
/// `metadata.labels["a/b"]: expected a string`. Where a path is cut or has keys with quotes, it
/// leads to something around the value.
fn pointer_in(message: &str) -> String {
    let path = message.split_once(": ").map_or("", |(path, _)| path);
    let mut pointer = String::new();
    let mut step = String::new();
    let mut is_quoted = false;
    let mut end = |step: &mut String| {
        if !step.is_empty() {
            pointer.push('/');
            pointer.push_str(&escape(&mem::take(step)));
        }
    };
    for character in path.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            '.' | '[' | ']' if !is_quoted => end(&mut step),
            character => step.push(character),
        }
    }
    end(&mut step);
    pointer
}
