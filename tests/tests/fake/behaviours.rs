//! Replays what a real server did.

use crate::compare::{Extent, Relations, differences};
use crate::replay::{self, Reply, Step};
use kapigen_tests::places;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Built-in resources whose defaults the fake server does not know: what it has must be right, but more may be there.
const DEFAULTED: [&str; 9] =
    ["deployments", "endpoints", "events", "nodes", "pods", "replicasets", "secrets", "services", "tokenreviews"];

/// Compares a response with the recorded one.
fn compare(step: &Step, reply: &Reply, relations: &mut Relations) -> Vec<String> {
    let Some(recorded) = &step.response else { return Vec::new() };
    let mut faults = Vec::new();
    if recorded.status != reply.status {
        let message = reply.body.get("message").unwrap_or(&Value::Null);
        faults.push(format!("status: recorded {}, found {} {message}", recorded.status, reply.status));
        return faults;
    }
    for name in ["Content-Type", "Warning", "Retry-After"] {
        if recorded.headers.get(name) != reply.headers.get(name) {
            faults.push(format!("{name}: recorded {:?}, found {:?}", recorded.headers.get(name), reply.headers.get(name)));
        }
    }
    let extent = extent(&step.request.path);
    match (&step.events, &reply.events) {
        (Some(recorded), Some(found)) => faults.extend(compare_events(recorded, found, extent, relations)),
        _ => faults.extend(compare_bodies(&recorded.body, &reply.body, extent, relations)),
    }
    faults
}

fn compare_bodies(recorded: &Value, found: &Value, extent: Extent, relations: &mut Relations) -> Vec<String> {
    if recorded.as_str().is_some_and(|text| text.starts_with("<dropped")) {
        return Vec::new();
    }
    let [recorded, found] = [recorded, found].map(|body| match body {
        Value::String(text) => serde_yaml::from_str(text).unwrap_or_else(|_| body.clone()),
        other => other.clone(),
    });
    let mut faults = relations.learn(&recorded, &found);
    faults.extend(differences(&relations.translate_tree(&recorded), &found, extent));
    faults
}

fn extent(path: &str) -> Extent {
    if path.split('/').any(|step| DEFAULTED.contains(&step)) { Extent::Found } else { Extent::All }
}

fn compare_events(recorded: &[Value], found: &[Value], extent: Extent, relations: &mut Relations) -> Vec<String> {
    let types = |events: &[Value]| events.iter().map(|event| event["type"].clone()).collect::<Vec<_>>();
    if types(recorded) != types(found) {
        return vec![format!("events: recorded {:?}, found {:?}", types(recorded), types(found))];
    }
    let pairs = recorded.iter().zip(found).enumerate();
    let compare = |(index, (recorded, found)): (usize, (&Value, &Value))| {
        let faults = compare_bodies(&recorded["object"], &found["object"], extent, relations);
        faults.into_iter().map(|fault| format!("event {index}{fault}")).collect::<Vec<_>>()
    };
    pairs.flat_map(compare).collect()
}

#[test]
fn agrees_with_a_real_server() {
    let Some(folder) = places::shared("testdata/behaviours") else { return };
    let documents = replay::documents(&places::shared("specs/kubernetes/1.34").expect("documents"));
    let definition = serde_json::from_str(&places::text(&folder.join("crd.json"))).expect("a definition");
    let mut report = BTreeMap::new();
    let (mut agreed, mut all) = (0, 0);
    for scenario in replay::scenarios(&folder) {
        let server = replay::server(&documents, &definition);
        replay::replay(&server, &scenario, |index, step, reply, relations| {
            let faults = compare(step, &reply, relations);
            all += 1;
            if faults.is_empty() {
                agreed += 1;
            } else {
                report.insert((scenario.name.clone(), index), (step.request.method.clone(), faults));
            }
        });
    }
    let mut text = String::new();
    for ((scenario, index), (method, faults)) in &report {
        writeln!(text, "{scenario} {index} {method}\n    {}", faults.join("\n    ")).expect("a string");
    }
    let _ = json!(null);
    println!("{text}\n{agreed} of {all} steps agree");
}
