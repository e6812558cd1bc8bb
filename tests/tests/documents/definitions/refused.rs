//! Definitions that a server refused are refused with the same causes, and accepted ones are
//! accepted.

use super::{manifests, projects};
use kapigen_definitions::{Cause, refusals, refusals_of_change};
use serde_json::{Value, json};
use test_support::probes::{changed, lines};

/// Causes that only an interpreter of expressions or a validator of values finds. The README names
/// both.
fn is_beyond(cause: &Value) -> bool {
    let is_expression = cause["message"].as_str().unwrap().contains("compilation failed");
    let message = cause["message"].as_str().unwrap();
    let is_default =
        cause["field"].as_str().unwrap().ends_with(".default") && !message.starts_with("Required");
    is_expression || is_default
}

fn shown(causes: &[Cause]) -> Value {
    let shown = |cause: &Cause| json!({"reason": cause.reason, "message": cause.message, "field": cause.field});
    causes.iter().map(shown).collect()
}

#[test]
fn changes_are_refused_as_by_a_server() {
    let objects = lines("rules/objects.jsonl");
    let is_definition = |object: &&Value| object["stored"]["kind"] == "CustomResourceDefinition";
    let object = objects.iter().find(is_definition).expect("a definition was recorded");
    let mut failures = Vec::new();
    let mut count = 0;
    for probe in lines("rules/rules.jsonl") {
        // A body that no server decodes is refused before anything is checked, and metadata as of
        // any object.
        let is_ours = probe["kind"] == "CustomResourceDefinition" && probe["status"] != 400;
        if !is_ours || probe["at"].as_str().unwrap().starts_with("/metadata") {
            continue;
        }
        count += 1;
        let manifest = changed(&object["stored"], &probe);
        let causes = shown(&refusals_of_change(&manifest, &object["stored"]));
        let theirs =
            probe["causes"].as_array().into_iter().flatten().filter(|cause| !is_beyond(cause));
        let theirs: Value = theirs.cloned().collect();
        if causes != theirs {
            let change = json!({"at": probe["at"], "op": probe["op"], "with": probe["with"]});
            failures.push(format!("{change}\n  ours   {causes}\n  theirs {theirs}"));
        }
    }
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    assert!(count > 100, "only {count} probes");
}

#[test]
fn definitions_that_a_server_took_are_not_refused() {
    let manifests: Vec<Value> = projects().iter().flat_map(|project| manifests(project)).collect();
    assert!(manifests.len() > 50, "only {} definitions", manifests.len());
    for manifest in manifests {
        assert_eq!(refusals(&manifest), [], "{}", manifest["metadata"]["name"]);
    }
}

#[test]
fn definitions_are_refused_as_by_a_server() {
    let mut count = 0;
    for scenario in lines("behaviours-2/discovery.jsonl") {
        for step in scenario["steps"].as_array().unwrap() {
            let request = &step["request"];
            let response = &step["response"];
            let is_create =
                request["method"] == "POST" && kapigen_definitions::is_definition(&request["body"]);
            if !is_create || ![201, 422].map(Value::from).contains(&response["status"]) {
                continue;
            }
            count += 1;
            let theirs =
                response["body"]["details"].get("causes").cloned().unwrap_or_else(|| json!([]));
            assert_eq!(shown(&refusals(&request["body"])), theirs);
        }
    }
    assert!(count > 3, "only {count} definitions");
}
