//! From the bytes of a file to objects.

use crate::error::{Error, Errors, MOST, Origin};
use crate::manifests::{Manifest, Manifests};
use kapigen_runtime::dynamic::Object;
use kapigen_yaml::pointer::escape;
use kapigen_yaml::{Document, Position, Reader, Step};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::Arc;

/// The pointer within a document at which an object or error is, and the number of the document.
struct Place {
    document: usize,
    pointer: String,
}

/// The findings of a file. Each has the position of its document, or of the error, until positions
/// of pointers are looked for.
#[derive(Default)]
struct File {
    name: Arc<str>,
    objects: Vec<Manifest>,
    /// The places of the objects.
    places: Vec<Place>,
    /// The first errors, and their places.
    errors: Vec<(Error, Place)>,
    empty: usize,
    /// The number of errors, including the ones that are not kept.
    count: usize,
}

/// Parses a file that is in memory. Its name is for errors.
///
/// # Errors
/// All errors of the file at once.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Manifests, Errors> {
    let reader = Reader::new();
    let name: Arc<str> = name.into();
    let mut file = File { name: name.clone(), ..File::default() };
    let mut end = None;
    for document in reader.documents(bytes) {
        match document {
            Ok(document) => file.take(document),
            Err(error) => end = Some(error),
        }
    }
    file.locate(&reader, bytes);
    let mut errors = Errors::beyond(file.count.saturating_sub(MOST));
    for (error, _) in file.errors {
        errors.push(error);
    }
    let manifests = Manifests { objects: file.objects, empty: file.empty };
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

/// The position of a pointer, or of its nearest ancestor with a position.
fn deepest(
    places: &BTreeMap<usize, BTreeMap<String, kapigen_yaml::Place>>,
    place: &Place,
) -> Option<Position> {
    let places = places.get(&place.document)?;
    around(&place.pointer).find_map(|pointer| places.get(pointer)).map(|place| place.value)
}

/// A pointer and its ancestors, without the root of the document.
fn around(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |pointer| Some(pointer.rsplit_once('/')?.0))
        .take_while(|pointer| !pointer.is_empty())
}

impl File {
    /// Replaces the positions of documents by the positions of pointers, which are found in one
    /// pass.
    fn locate(&mut self, reader: &Reader, bytes: &[u8]) {
        let mut wanted: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for place in self.places.iter().filter(|place| !place.pointer.is_empty()) {
            wanted.entry(place.document).or_default().insert(&place.pointer);
        }
        // For errors, ancestors are located, too: a member may be absent.
        for (_, place) in self.errors.iter().filter(|(_, place)| !place.pointer.is_empty()) {
            wanted.entry(place.document).or_default().extend(around(&place.pointer));
        }
        if wanted.is_empty() {
            return;
        }
        let found = reader.positions_in(bytes, &wanted);
        let objects = self.objects.iter_mut().map(|manifest| &mut manifest.origin);
        let origins = objects.zip(&self.places);
        let errors = self.errors.iter_mut().map(|(error, place)| (&mut error.origin, &*place));
        for (origin, place) in origins.chain(errors) {
            if let Some(Position { line, column }) = deepest(&found, place) {
                (origin.line, origin.column) = (line, column);
            }
        }
    }

    fn take(&mut self, document: Document) {
        let Document { number, position, value, repeated, .. } = document;
        let at = At { document: number, position, item: None, pointer: "", levels: 0 };
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
            return self.items(items, &members, at);
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
            Ok(object) => {
                self.objects.push(Manifest { object, origin: at.origin(&self.name) });
                self.places.push(at.place(""));
            }
            Err(error) => self.refuse(at, &pointer_in(error.message()), error.message().to_owned()),
        }
    }

    /// Takes the items of a list.
    fn items(&mut self, items: Vec<Value>, list: &Map<String, Value>, at: &At<'_>) {
        if at.levels == MOST_LISTS {
            return self.refuse(
                at,
                "",
                format!("lists are nested deeper than {MOST_LISTS} levels"),
            );
        }
        let of_items = of_items(list);
        if let Some((name, _)) = of_items.iter().find(|(_, text)| text.len() > LONGEST) {
            let message = format!("the `{name}` of a list has more than {LONGEST} bytes");
            return self.refuse(at, &format!("/{name}"), message);
        }
        for (index, item) in items.into_iter().enumerate() {
            let pointer = format!("{}/items/{index}", at.pointer);
            let at = At { item: Some(index), pointer: &pointer, levels: at.levels + 1, ..*at };
            match item {
                Value::Object(mut item) => {
                    for (name, text) in &of_items {
                        item.entry(*name).or_insert_with(|| (*text).into());
                    }
                    self.object(item, &at);
                }
                other => self.refuse(&at, "", expected_object(&other)),
            }
        }
    }

    /// Adds an error. Only as many are kept as are shown: an input may have one for every few
    /// bytes.
    fn refuse(&mut self, at: &At<'_>, below: &str, message: String) {
        self.count += 1;
        if self.count <= MOST {
            let origin = at.origin(&self.name);
            self.errors.push((Error { origin, message }, at.place(below)));
        }
    }
}

/// The place of an object in its file.
#[derive(Clone, Copy)]
struct At<'a> {
    document: usize,
    position: Position,
    item: Option<usize>,
    pointer: &'a str,
    /// The number of lists around it.
    levels: usize,
}

impl At<'_> {
    fn origin(&self, file: &Arc<str>) -> Origin {
        let At { document, position: Position { line, column }, item, .. } = *self;
        Origin { file: file.clone(), document, item, line, column }
    }

    fn place(&self, below: &str) -> Place {
        Place { document: self.document, pointer: format!("{}{below}", self.pointer) }
    }
}

/// The greatest number of lists in each other. Each has a part of the path of its items.
const MOST_LISTS: usize = 8;

/// The longest `apiVersion` and `kind` of a list that items can have: each has a copy. A group has at
/// most 253 bytes, a version or kind 63.
const LONGEST: usize = 253 + 1 + 63;

/// The `apiVersion` and `kind` that the items of a typed list such as `PodList` do not state.
fn of_items(list: &Map<String, Value>) -> Vec<(&'static str, &str)> {
    let kind = text(list, "kind").and_then(|kind| kind.strip_suffix("List"));
    let Some(kind) = kind.filter(|kind| !kind.is_empty()) else { return Vec::new() };
    let version = text(list, "apiVersion").map(|version| ("apiVersion", version));
    version.into_iter().chain([("kind", kind)]).collect()
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
/// `metadata.labels["a/b"]: expected a string`. If a path is cut or has keys with quotes, the
/// pointer resolves to an ancestor of the value.
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
