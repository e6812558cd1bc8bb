//! The files that a server begins with: OpenAPI documents, definitions of custom resources, and
//! objects.

use crate::files::{self, cannot_read, shown};
use kapigen_definitions::schema_keywords::PRESERVE;
use kapigen_fake::Server;
use kapigen_yaml::{Format, Position, Reader};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

/// Other files in folders of documents: `kapigen` reads them to select from documents and to
/// correct them.
const OTHERS: [&str; 2] = ["groups.yaml", "fixups.yaml"];

/// Loads files into a server and collects the errors.
pub(crate) struct Input<'a> {
    server: &'a Server,
    loaded: Loaded,
    errors: Vec<String>,
    /// The objects, which are created last, because definitions may follow them.
    objects: Vec<Object>,
}

/// The numbers of loaded documents, definitions and objects.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// None if the kinds are the built-in ones.
    documents: Option<usize>,
    definitions: usize,
    objects: usize,
    /// Manifests in folders that are neither documents nor definitions.
    skipped: usize,
}

/// An object of a file.
struct Object {
    place: FilePosition,
    value: Value,
}

/// The position of an object, for errors.
#[derive(Clone)]
struct FilePosition {
    path: PathBuf,
    position: Position,
}

impl<'a> Input<'a> {
    pub(crate) fn new(server: &'a Server, has_documents: bool) -> Self {
        let loaded = Loaded { documents: has_documents.then_some(0), ..Loaded::default() };
        Self { server, loaded, errors: Vec::new(), objects: Vec::new() }
    }

    /// Loads documents and definitions, from files and from all files of folders.
    pub(crate) fn documents(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if !path.is_dir() {
                self.document_file(path, false);
                continue;
            }
            let before =
                self.loaded.documents.unwrap_or_default() + self.objects.len() + self.errors.len();
            let mut files = BTreeSet::new();
            if let Err(error) = collect(path, &mut files) {
                self.errors.push(error);
            }
            for file in files {
                self.document_file(&file, true);
            }
            if self.loaded.documents.unwrap_or_default() + self.objects.len() + self.errors.len()
                == before
            {
                self.errors.push(format!(
                    "{}: there is neither an OpenAPI document nor a CustomResourceDefinition in \
                     this folder",
                    shown(path)
                ));
            }
        }
    }

    /// Loads a file. In a folder, other files than documents are skipped.
    fn document_file(&mut self, path: &Path, is_of_folder: bool) {
        let Some(text) = self.read(path, !is_of_folder) else { return };
        // Parsed when a request needs it, unless it is wrong.
        if Format::detect(&text) == Format::Json
            && self.server.add_document_text(text.as_str()).is_ok()
        {
            self.loaded.add_document();
            return;
        }
        for Object { place, value } in self.values(path, &text, is_of_folder) {
            if value.get("openapi").is_some() {
                match self.server.add_document_text(value.to_string()) {
                    Ok(()) => self.loaded.add_document(),
                    Err(error) => self.errors.push(place.error(&error)),
                }
            } else if is_definition(&value) {
                self.objects.push(Object { place, value });
            } else if is_of_folder {
                self.loaded.skipped += 1;
            } else {
                let message = "this is neither an OpenAPI document nor a CustomResourceDefinition";
                self.errors.push(place.error(message));
            }
        }
    }

    /// Loads objects and definitions.
    pub(crate) fn objects(&mut self, paths: &[PathBuf]) {
        for path in paths {
            let Some(text) = self.read(path, true) else { continue };
            let objects = self.values(path, &text, false);
            self.objects.extend(objects);
        }
    }

    /// Creates the objects: first definitions, then namespaces, then the others.
    pub(crate) fn finish(mut self) -> (Loaded, Vec<String>) {
        // Where documents have the kind of definitions, this is refused.
        drop(self.server.add_definition(&definitions()));
        let mut objects = std::mem::take(&mut self.objects);
        objects.sort_by_key(|object| match object.value.get("kind").and_then(Value::as_str) {
            _ if is_definition(&object.value) => 0,
            Some("Namespace") => 1,
            _ => 2,
        });
        for object in &objects {
            match create(self.server, object) {
                Ok(()) if is_definition(&object.value) => self.loaded.definitions += 1,
                Ok(()) => self.loaded.objects += 1,
                Err(error) => self.errors.push(object.place.error(&error)),
            }
        }
        let default =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}});
        // Without that kind, every namespace exists, and some file may have it.
        drop(self.server.create(&default));
        (self.loaded, self.errors)
    }

    fn read(&mut self, path: &Path, is_named: bool) -> Option<String> {
        files::read(path, is_named).map_err(|error| self.errors.push(error)).ok()
    }

    /// The documents of a file and the items of lists, up to an error. In a folder, values that are
    /// no objects are skipped.
    fn values(&mut self, path: &Path, text: &str, is_of_folder: bool) -> Vec<Object> {
        let reader = Reader::new();
        let mut found = Vec::new();
        for document in reader.documents(text.as_bytes()) {
            match document {
                Ok(document) => document.each_object(|object| found.push(object)),
                Err(error) => {
                    self.errors.push(format!("{}: {error}", shown(path)));
                    break;
                }
            }
        }
        let items = found.iter().filter(|object| !object.pointer.is_empty());
        // In one pass, however many lists there are.
        let places =
            reader.locate(text.as_bytes(), items.map(|object| (object.document, &*object.pointer)));
        let mut objects = Vec::new();
        for object in found {
            let located = places.get(object.document, &object.pointer);
            let position = located.map_or(object.position, |place| place.start());
            let place = FilePosition { path: path.to_owned(), position };
            match object.members {
                Ok(members) => objects.push(Object { place, value: members.into() }),
                Err(_) if is_of_folder => self.loaded.skipped += 1,
                Err(message) => self.errors.push(place.error(&message)),
            }
        }
        objects
    }
}

impl Loaded {
    fn add_document(&mut self) {
        *self.documents.get_or_insert_default() += 1;
    }
}

impl fmt::Display for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let documents = self.documents.map(|documents| counted(documents, "OpenAPI document"));
        let kinds = documents.unwrap_or_else(|| "the kinds of Kubernetes 1.36".to_owned());
        let definitions = counted(self.definitions, "custom resource definition");
        write!(f, "{kinds}, {definitions} and {}", counted(self.objects, "object"))?;
        if self.skipped > 0 {
            write!(f, "; skipped {} other manifests", self.skipped)?;
        }
        Ok(())
    }
}

impl FilePosition {
    fn error(&self, problem: &str) -> String {
        let Position { line, column } = self.position;
        format!("{}:{line}:{column}: {problem}", shown(&self.path))
    }
}

fn counted(count: usize, name: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

/// The files below a folder that may be documents, without hidden ones.
fn collect(folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|error| cannot_read(folder, &error))? {
        let path = entry.map_err(|error| cannot_read(folder, &error))?.path();
        let name =
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().into_owned())
            .unwrap_or_default();
        if name.starts_with('.') || OTHERS.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else if ["json", "yaml", "yml"].contains(&ending.as_str()) {
            files.insert(path);
        }
    }
    Ok(())
}

fn is_definition(value: &Value) -> bool {
    value.get("kind").is_some_and(|kind| kind == "CustomResourceDefinition")
}

fn create(server: &Server, object: &Object) -> Result<(), String> {
    let [version, kind] = ["apiVersion", "kind"]
        .map(|name| object.value.get(name).and_then(Value::as_str).unwrap_or_default());
    if version.is_empty() || kind.is_empty() {
        return Err("an object needs `apiVersion` and `kind`".to_owned());
    }
    let Err(refusal) = server.create(&object.value) else { return Ok(()) };
    Err(match refusal.api() {
        _ if refusal.is_not_found() => format!(
            "the server has no kind {kind} of {version}: add its document with `--documents`, or \
             its definition with `--objects`"
        ),
        Some(api) => api.message().to_owned(),
        None => refusal.to_string(),
    })
}

/// The definition of the kind of definitions, which holds them to no schema: with it, clients can
/// add kinds.
fn definitions() -> Value {
    let any = json!({ "type": "object", PRESERVE: true });
    let schema = json!({"type": "object", "properties": {"spec": any, "status": any}});
    json!({"spec": {
        "group": "apiextensions.k8s.io",
        "scope": "Cluster",
        "names": {
            "plural": "customresourcedefinitions",
            "kind": "CustomResourceDefinition",
            "shortNames": ["crd", "crds"],
        },
        "versions": [{
            "name": "v1",
            "served": true,
            "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": schema},
        }],
    }})
}
