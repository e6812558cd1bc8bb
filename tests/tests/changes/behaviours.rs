//! Patches as a real API server applied them.

use crate::exceptions::{DEFAULTED, EXCEPTIONS};
use kapigen_fake::change::{
    ApplyError, FieldWriter, Schema, apply_configuration, apply_json, apply_merge, apply_strategic,
    track_update,
};
use kapigen_tests::places;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use test_support::compare::{Difference, differences};

/// Schemas of the server's kinds.
struct Kinds {
    documents: Vec<Value>,
    widget: Schema,
}

impl Kinds {
    fn read() -> Self {
        let folder = places::data("kubernetes-1.34");
        let read = |path: &std::path::Path| {
            serde_json::from_str(&places::text(path)).expect("a document is JSON")
        };
        let documents: Vec<Value> =
            places::files(&folder, &["json"]).iter().map(|path| read(path)).collect();
        let definition = read(&places::data("behaviours/crd.json"));
        let widget = Schema::from_definition(
            &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"],
        );
        Self { documents, widget }
    }

    fn schema(&self, object: &Value) -> Option<Schema> {
        if object["kind"] == "Widget" {
            return Some(self.widget.clone());
        }
        let (group, version) = match object["apiVersion"].as_str()?.split_once('/') {
            Some((group, version)) => (group, version),
            None => ("", object["apiVersion"].as_str()?),
        };
        let identity = json!({ "group": group, "version": version, "kind": object["kind"] });
        self.documents.iter().find_map(|document| {
            let schemas = document["components"]["schemas"].as_object()?;
            let states = |schema: &Value| {
                schema["x-kubernetes-group-version-kind"]
                    .as_array()
                    .is_some_and(|all| all.contains(&identity))
            };
            let (name, _) = schemas.iter().find(|(_, schema)| states(schema))?;
            Schema::from_document(document, name).ok()
        })
    }
}

/// A step of a scenario that patches an object in a known state.
struct Step<'a> {
    name: String,
    before: &'a Value,
    request: &'a Value,
    response: &'a Value,
    schema: Schema,
}

/// Calls `check` with each patch of the recordings.
fn every_patch(file: &str, check: &mut dyn FnMut(&Step<'_>)) {
    let kinds = Kinds::read();
    let folders = ["behaviours", "behaviours-2"];
    let text: String =
        folders.iter().map(|folder| places::text(&places::data(folder).join(file))).collect();
    for line in text.lines() {
        let scenario: Value = serde_json::from_str(line).expect("a line is JSON");
        // None: a request of a subresource has changed it.
        let mut objects: BTreeMap<String, Option<Value>> = BTreeMap::new();
        for (index, step) in scenario["steps"].as_array().into_iter().flatten().enumerate() {
            let request = &step["request"];
            let response = &step["response"];
            let path = request["path"].as_str().unwrap_or_default();
            let is_object = response["body"]["metadata"]["name"].is_string();
            // Subresources change a part only, or have a kind of their own.
            let is_subresource = path.ends_with("/status") || path.ends_with("/scale");
            if request["method"] == "PATCH" && !is_subresource {
                let Some(before) = objects.get(path).map_or(Some(Value::Null), Clone::clone) else {
                    continue;
                };
                let stated = if before.is_null() { &request["body"] } else { &before };
                if let Some(schema) = kinds.schema(stated) {
                    let name =
                        format!("{} {index}", scenario["scenario"].as_str().unwrap_or_default());
                    check(&Step { name, before: &before, request, response, schema });
                }
            }
            let is_done = response["status"].as_u64().is_some_and(|status| status < 300);
            if let Some(object) = path.strip_suffix("/scale").filter(|_| request["method"] != "GET")
            {
                objects.insert(object.to_owned(), None);
            } else if is_done && is_object && !is_dry(request) && !path.ends_with("/scale") {
                let body = &response["body"];
                let path = match request["method"].as_str() {
                    Some("POST") => {
                        format!("{path}/{}", body["metadata"]["name"].as_str().unwrap_or_default())
                    }
                    _ => path.trim_end_matches("/status").to_owned(),
                };
                objects.insert(path, Some(body.clone()));
            }
            if request["method"] == "DELETE" {
                objects.remove(path);
            }
        }
    }
}

fn parameter<'a>(request: &'a Value, name: &str) -> Option<&'a str> {
    request["query"].as_array()?.iter().find(|pair| pair[0] == name)?[1].as_str()
}

fn is_dry(request: &Value) -> bool {
    parameter(request, "dryRun").is_some()
}

impl Step<'_> {
    fn media_type(&self) -> &str {
        self.request["headers"]["Content-Type"].as_str().unwrap_or_default()
    }

    fn writer(&self) -> FieldWriter<'_> {
        let object = if self.before.is_null() { &self.request["body"] } else { self.before };
        FieldWriter {
            name: parameter(self.request, "fieldManager")
                .filter(|name| !name.is_empty())
                .unwrap_or("tester"),
            subresource: "",
            api_version: self.request["body"]["apiVersion"]
                .as_str()
                .or(object["apiVersion"].as_str())
                .unwrap_or_default(),
            time: None,
        }
    }

    /// The request body, with the name and the namespace of the path, as a server completes it.
    fn body(&self) -> Value {
        let mut body = self.request["body"].clone();
        let path: Vec<_> = self.request["path"].as_str().unwrap_or_default().split('/').collect();
        let namespace =
            path.iter().position(|step| *step == "namespaces").and_then(|at| path.get(at + 1));
        if let (Some(metadata), [.., name]) =
            (body.get_mut("metadata").and_then(Value::as_object_mut), path.as_slice())
        {
            metadata.entry("name").or_insert((*name).into());
            metadata.extend(
                namespace
                    .filter(|own| *own != name)
                    .map(|own| ("namespace".to_owned(), (*own).into())),
            );
        }
        body
    }

    /// The object after the patch, or the reason why there is none.
    fn apply(&self) -> Result<Value, String> {
        let body = &self.request["body"];
        let schema = &self.schema;
        if self.media_type() == "application/apply-patch+yaml" {
            let force = parameter(self.request, "force") == Some("true");
            return apply_configuration(self.before, &self.body(), schema, &self.writer(), force)
                .map_err(|error| match error {
                    ApplyError::Conflicts(conflicts) => {
                        conflicts.iter().map(ToString::to_string).collect::<Vec<_>>().join("|")
                    }
                    other => other.to_string(),
                });
        }
        let mut object = self.before.clone();
        match self.media_type() {
            "application/json-patch+json" => {
                apply_json(&mut object, body).map_err(|error| error.to_string())?;
            }
            "application/merge-patch+json" => apply_merge(&mut object, body),
            _ => apply_strategic(&mut object, body, schema).map_err(|error| error.to_string())?,
        }
        track_update(self.before, &mut object, schema, &self.writer());
        Ok(object)
    }

    /// The difference of the result from the response. None as well where the server refuses an
    /// invalid object: here only patches and conflicts are examined.
    fn mismatch(&self) -> Option<String> {
        let is_accepted = self.response["status"].as_u64().is_some_and(|status| status < 300);
        match self.apply() {
            Ok(found) if is_accepted => {
                let all = differences(&clean(&self.response["body"]), &clean(&found));
                let all: Vec<_> = all
                    .iter()
                    .filter(|difference| !is_default(difference))
                    .map(ToString::to_string)
                    .collect();
                (!all.is_empty()).then(|| all.join("; "))
            }
            Err(error) if is_accepted => Some(format!("refused here: {error}")),
            result => {
                let conflicts = self.conflicts();
                let error = result.err().unwrap_or_default();
                (!conflicts.is_empty() && conflicts != error)
                    .then(|| format!("`{error}` instead of `{conflicts}`"))
            }
        }
    }

    fn conflicts(&self) -> String {
        let causes = self.response["body"]["details"]["causes"].as_array().into_iter().flatten();
        let conflicts = causes.filter(|cause| cause["reason"] == "FieldManagerConflict");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let shown = conflicts
            .map(|cause| format!("{}: {}", text(&cause["message"]), text(&cause["field"])));
        shown.collect::<Vec<_>>().join("|")
    }
}

/// Whether the server alone has the value, and it is a default. Owners are found as `["f:name"]`.
fn is_default(difference: &Difference) -> bool {
    let name = difference.path.rsplit(['.', '[']).next().unwrap_or_default();
    let name = name.trim_end_matches(']').trim_matches('"').trim_start_matches("f:");
    let name = if difference.path.ends_with("kubernetes.io/metadata.name\"]") {
        "kubernetes.io/metadata.name"
    } else {
        name
    };
    difference.found.is_none() && DEFAULTED.contains(&name)
}

/// The object without members that differ from run to run, and those that the server alone counts.
fn clean(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        for key in ["resourceVersion", "generation", "uid", "creationTimestamp"] {
            metadata.remove(key);
        }
        let mut entries = metadata.remove("managedFields").unwrap_or_else(|| json!([]));
        entries.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut).for_each(
            |entry| {
                entry.remove("time");
            },
        );
        let text = |entry: &Value| {
            format!("{} {} {}", entry["operation"], entry["manager"], entry["subresource"])
        };
        let named =
            entries.as_array().into_iter().flatten().map(|entry| (text(entry), entry.clone()));
        let managers: Map<_, _> = named.collect();
        drop_empty(&mut object);
        object["managers"] = managers.into();
        return object;
    }
    object
}

/// Removes empty members: a server that holds objects as structs does not write them.
fn drop_empty(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(drop_empty);
            members.retain(|_, value| {
                !(value.is_null()
                    || *value == json!({})
                    || *value == json!([])
                    || *value == json!(""))
            });
        }
        Value::Array(elements) => elements.iter_mut().for_each(drop_empty),
        _ => {}
    }
}

fn compare(file: &str, expected: usize) {
    let mut failures = Vec::new();
    let mut count = 0;
    every_patch(file, &mut |step| {
        count += 1;
        let exception = EXCEPTIONS.iter().find(|(name, _)| *name == step.name);
        match (step.mismatch(), exception) {
            (Some(mismatch), None) => failures.push(format!("{}: {mismatch}", step.name)),
            (None, Some((name, _))) => {
                failures.push(format!("{name} is as recorded: remove the exception"));
            }
            _ => {}
        }
    });
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    assert_eq!(count, expected, "patches in {file}");
}

#[test]
fn server_side_apply_is_as_recorded() {
    compare("apply.jsonl", 174);
}

#[test]
fn patches_are_as_recorded() {
    compare("patch.jsonl", 206);
}
