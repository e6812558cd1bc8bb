//! Objects as servers send them: our own in `tests/fixtures`, recorded ones in the data, and
//! objects with every member.

use crate::documents::Documents;
use crate::filler::Filler;
use crate::places;
use serde_json::Value;
use std::path::Path;

/// An object and where it was found.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The folder it is from.
    pub origin: &'static str,
    /// The path of its file, with that folder, and with the number of the line where the file has
    /// many.
    pub file: String,
    /// Its bytes as they are there, in UTF-8.
    pub text: String,
    /// The same, parsed.
    pub value: Value,
}

/// The folder of our own objects.
const FIXTURES: &str = "tests/fixtures";
/// Objects and streams of servers.
const SERVER: &str = "real-server";
/// The origin of objects that we fill.
const FILLED: &str = "filled";
/// Their schemas, kinds of several groups and those that hold or concern other objects, with the
/// `apiVersion` of objects that state one.
const FILLED_SCHEMAS: [(&str, &str); 8] = [
    ("com.github.openshift.api.image.v1.Image", "image.openshift.io/v1"),
    ("io.k8s.api.coordination.v1.Lease", "coordination.k8s.io/v1"),
    ("io.k8s.api.core.v1.Endpoints", "v1"),
    ("io.k8s.api.core.v1.Event", "v1"),
    ("io.k8s.api.core.v1.Pod", "v1"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", "v1"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.Status", "v1"),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent", "v1"),
];

/// The objects in `tests/fixtures`. A line of a watch counts twice: as an event, and as the object
/// in it.
///
/// # Panics
/// When a file is not JSON.
#[must_use]
pub fn fixtures() -> Vec<Sample> {
    of_folder(FIXTURES, &places::root().join(FIXTURES))
}

/// The objects of servers, and one of some kinds that has every member.
///
/// # Panics
/// When a file is not JSON.
#[must_use]
pub fn recorded() -> Vec<Sample> {
    let mut samples = of_folder(SERVER, &places::data(SERVER));
    samples.extend(FILLED_SCHEMAS.map(|(schema, version)| {
        let documents = Documents::read();
        let mut value = Filler::new(documents, schema.len()).fill(documents.named(schema));
        // Filled objects may be of any kind that a schema has.
        if let Some(api_version) = value.get_mut("apiVersion") {
            *api_version = version.into();
        }
        sample(FILLED, format!("{FILLED}/{schema}"), value.to_string())
    }));
    samples
}

/// Every fourth of the [recorded] objects, or all of them where tests take
/// [everything](places::takes_everything).
///
/// # Panics
/// As [`recorded`].
#[must_use]
pub fn some_recorded() -> Vec<Sample> {
    recorded().into_iter().step_by(if places::takes_everything() { 1 } else { 4 }).collect()
}

fn of_folder(origin: &'static str, folder: &Path) -> Vec<Sample> {
    let mut samples = Vec::new();
    for path in places::files(folder, &["json", "jsonl"]) {
        let file = format!("{origin}/{}", places::relative(&path, folder));
        let text = places::text(&path);
        if path.extension().is_some_and(|ending| ending == "json") {
            samples.push(sample(origin, file, text));
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            let event = sample(origin, format!("{file}:{}", index + 1), line.to_owned());
            let object = event.value["object"].to_string();
            samples.push(sample(origin, format!("{} object", event.file), object));
            samples.push(event);
        }
    }
    samples
}

/// Recorded conversations with a server.
const RECORDED: &str = "behaviours";

/// Kinds that hold objects of other kinds, and kinds of discovery.
const SHARED_KINDS: [&str; 7] = [
    "APIGroup",
    "APIGroupList",
    "APIResourceList",
    "APIVersions",
    "PartialObjectMetadata",
    "PartialObjectMetadataList",
    "Table",
];

/// Recorded objects of the kinds that all groups share.
///
/// # Panics
/// When recordings are absent, or a line is not JSON.
#[must_use]
pub fn of_shared_kinds() -> Vec<Sample> {
    let mut samples = Vec::new();
    let folder = places::data(RECORDED);
    for path in places::files(&folder, &["jsonl"]) {
        let file = format!("{RECORDED}/{}", places::relative(&path, &folder));
        for (index, line) in places::text(&path).lines().enumerate() {
            let scenario = sample(RECORDED, format!("{file}:{}", index + 1), line.to_owned());
            for step in scenario.value["steps"].as_array().into_iter().flatten() {
                let events =
                    step["events"].as_array().into_iter().flatten().map(|event| &event["object"]);
                let objects =
                    events.chain([&step["response"]["body"]]).filter(|object| is_shared(object));
                let objects = objects
                    .map(|object| sample(RECORDED, scenario.file.clone(), object.to_string()));
                samples.extend(objects);
            }
        }
    }
    samples
}

/// Whether an object is of such a kind, in a current version.
fn is_shared(object: &Value) -> bool {
    SHARED_KINDS.iter().any(|kind| object["kind"] == *kind)
        && object["apiVersion"] != "meta.k8s.io/v1beta1"
}

fn sample(origin: &'static str, file: String, text: String) -> Sample {
    let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    Sample { origin, file, text, value }
}

impl Sample {
    /// `apiVersion` and `kind`. An event of a watch states neither.
    #[must_use]
    pub fn kind(&self) -> (&str, &str) {
        let text = |key: &str| self.value[key].as_str();
        match (text("apiVersion"), text("kind")) {
            (None, None) if text("type").is_some() => ("v1", "WatchEvent"),
            // Of the core group, servers list versions and resources without stating theirs.
            (None, Some(kind)) => ("v1", kind),
            (api_version, kind) => (api_version.unwrap_or_default(), kind.unwrap_or_default()),
        }
    }
}
