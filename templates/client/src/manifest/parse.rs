//! From the bytes of a file to objects.

use super::error::{Error, Errors, MOST, Origin};
use super::manifests::{Manifest, Manifests};
use kapigen_runtime::dynamic::Object;
use kapigen_yaml::pointer::escape;
use kapigen_yaml::{Document, Places, Position, Reader, described};
use serde_json::{Map, Value};
use std::mem;
use std::sync::Arc;

/// The document and the pointer of an object or error.
struct Location {
    document: usize,
    pointer: String,
}

/// The objects and errors of a file. At first each has the position of its document; `locate` then
/// finds the positions of their pointers.
#[derive(Default)]
struct File {
    name: Arc<str>,
    objects: Vec<Manifest>,
    /// The locations of the objects.
    locations: Vec<Location>,
    /// The first errors, and their locations.
    errors: Vec<(Error, Location)>,
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
    let mut errors = Errors::with_uncollected(file.count.saturating_sub(MOST));
    for (error, _) in file.errors {
        errors.push(error);
    }
    let manifests = Manifests { objects: file.objects, empty: file.empty };
    if let Some(error) = end {
        let origin = match error.position() {
            Some(Position { line, column }) => {
                Origin { document: error.document(), line, column, ..Origin::whole_file(&name) }
            }
            None => Origin::whole_file(&name),
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
fn deepest(positions: &Places, location: &Location) -> Option<Position> {
    around(&location.pointer)
        .find_map(|pointer| positions.get(location.document, pointer))
        .map(|at| at.value)
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
        let objects = self.locations.iter().filter(|location| !location.pointer.is_empty());
        let objects = objects.map(|location| (location.document, &*location.pointer));
        // The position of an error can be one of an ancestor: a member may be absent.
        let errors = self.errors.iter().flat_map(|(_, location)| {
            around(&location.pointer).map(|pointer| (location.document, pointer))
        });
        let found = reader.locate(bytes, objects.chain(errors));
        let objects = self.objects.iter_mut().map(|manifest| &mut manifest.origin);
        let objects = objects.zip(&self.locations);
        let errors = self.errors.iter_mut().map(|(error, at)| (&mut error.origin, &*at));
        for (origin, location) in objects.chain(errors) {
            if let Some(Position { line, column }) = deepest(&found, location) {
                (origin.line, origin.column) = (line, column);
            }
        }
    }

    /// Adds the objects of a document, or its errors.
    fn take(&mut self, document: Document) {
        let number = document.number;
        for repeated in &document.repeated {
            let is_root = repeated.path.is_empty();
            let help = if is_root && matches!(&*repeated.name, "apiVersion" | "kind" | "metadata") {
                ": is `---` missing between two objects?"
            } else {
                ""
            };
            let origin = self.origin(number, repeated.place.start(), None);
            let location = Location { document: number, pointer: String::new() };
            self.refuse(origin, location, format!("{repeated}{help}"));
        }
        if !document.repeated.is_empty() {
            return;
        }
        self.empty += usize::from(document.value.is_null());
        document.each_object(|object| {
            let origin = self.origin(number, object.position, object.item);
            let location = Location { document: number, pointer: object.pointer };
            match object.members {
                Ok(members) => self.object(members, origin, location),
                Err(message) => self.refuse(origin, location, message),
            }
        });
    }

    fn object(&mut self, members: Map<String, Value>, origin: Origin, mut location: Location) {
        for name in ["apiVersion", "kind"] {
            let problem = match members.get(name) {
                None | Some(Value::Null) => format!("the object has no `{name}`"),
                Some(Value::String(text)) if text.is_empty() => {
                    format!("the `{name}` of the object is empty")
                }
                Some(Value::String(_)) => continue,
                Some(other) => format!("`{name}`: expected a string, found {}", described(other)),
            };
            if members.contains_key(name) {
                location.pointer = format!("{}/{name}", location.pointer);
            }
            return self.refuse(origin, location, problem);
        }
        match kapigen_runtime::from_str::<Object>(&Value::Object(members).to_string()) {
            Ok(object) => {
                self.objects.push(Manifest { object, origin });
                self.locations.push(location);
            }
            Err(error) => {
                location.pointer += &pointer_in(error.message());
                self.refuse(origin, location, error.message().to_owned());
            }
        }
    }

    fn origin(&self, document: usize, position: Position, item: Option<usize>) -> Origin {
        let Position { line, column } = position;
        Origin { file: self.name.clone(), document, item, line, column }
    }

    /// Adds an error. Only as many are kept as are shown: an input may have one for every few
    /// bytes.
    fn refuse(&mut self, origin: Origin, location: Location, message: String) {
        self.count += 1;
        if self.count <= MOST {
            self.errors.push((Error { origin, message }, location));
        }
    }
}

/// The pointer of the path at the beginning of a message, such as
/// `metadata.labels["a/b"]: expected a string`. If a path is cut or has keys with quotes, the
/// pointer resolves to an ancestor of the value.
fn pointer_in(message: &str) -> String {
    let path = message.split_once(": ").map_or("", |(path, _)| path);
    let mut pointer = String::new();
    let mut step = String::new();
    let mut is_quoted = false;
    for character in path.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            '.' | '[' | ']' if !is_quoted => take_step(&mut step, &mut pointer),
            character => step.push(character),
        }
    }
    take_step(&mut step, &mut pointer);
    pointer
}

/// Moves the last step of a path into a pointer, if there is one.
fn take_step(step: &mut String, pointer: &mut String) {
    if !step.is_empty() {
        pointer.push('/');
        pointer.push_str(&escape(&mem::take(step)));
    }
}
