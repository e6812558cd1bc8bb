//! Replays recorded requests, and compares the responses with the recorded ones of a real server.

use crate::compare::{Extent, Relations, differences};
use crate::differences::DIFFERENCES;
use crate::replay::{self, Reply, Step};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use test_data::texts;
use test_support::places;

/// Built-in resources that get no defaults from the fake server: the members that it returns must
/// be right, but the recording may have more.
const DEFAULTED: [&str; 8] =
    ["deployments", "endpoints", "events", "nodes", "pods", "replicasets", "secrets", "services"];

/// Compares a response with the recorded one.
fn compare(step: &Step, reply: &Reply, relations: &mut Relations) -> Vec<String> {
    let Some(recorded) = &step.response else { return Vec::new() };
    let mut faults = Vec::new();
    if recorded.status != reply.status {
        let message = reply.body.get("message").unwrap_or(&Value::Null);
        faults.push(format!(
            "status: recorded {}, found {} {message}",
            recorded.status, reply.status
        ));
        return faults;
    }
    for name in ["Content-Type", "Warning", "Retry-After"] {
        if recorded.headers.get(name) != reply.headers.get(name) {
            faults.push(format!(
                "{name}: recorded {:?}, found {:?}",
                recorded.headers.get(name),
                reply.headers.get(name)
            ));
        }
    }
    let extent = extent(&step.request.path);
    let prefix = step.request.body["metadata"]["generateName"].as_str().unwrap_or_default();
    relations.learn_generated(prefix, &recorded.body, &reply.body);
    match (&step.events, &reply.events) {
        (Some(recorded), Some(found)) => {
            faults.extend(compare_events(recorded, found, extent, relations));
        }
        _ => faults.extend(compare_bodies(&recorded.body, &reply.body, extent, relations)),
    }
    faults
}

fn compare_bodies(
    recorded: &Value,
    found: &Value,
    extent: Extent,
    relations: &mut Relations,
) -> Vec<String> {
    if recorded.as_str().is_some_and(|text| text.starts_with("<dropped")) {
        return Vec::new();
    }
    let [recorded, mut found] = [recorded, found].map(|body| match body {
        Value::String(text) => serde_yaml::from_str(text).unwrap_or_else(|_| body.clone()),
        other => other.clone(),
    });
    // Recordings enter the data without them.
    texts::remove(&mut found);
    let mut faults = relations.learn(&recorded, &found);
    faults.extend(differences(&relations.translate_tree(&recorded), &found, extent));
    faults
}

fn extent(path: &str) -> Extent {
    if path.split('/').any(|step| DEFAULTED.contains(&step)) { Extent::Found } else { Extent::All }
}

fn compare_events(
    recorded: &[Value],
    found: &[Value],
    extent: Extent,
    relations: &mut Relations,
) -> Vec<String> {
    let types =
        |events: &[Value]| events.iter().map(|event| event["type"].clone()).collect::<Vec<_>>();
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
    let [folder, more] = ["behaviours", "behaviours-2"].map(places::data);
    let documents = replay::documents(&places::data("kubernetes-1.34"));
    let definition =
        serde_json::from_str(&places::text(&folder.join("crd.json"))).expect("a definition");
    let mut found = BTreeMap::new();
    let mut agreed = 0;
    for scenario in replay::scenarios(&folder).into_iter().chain(replay::scenarios(&more)) {
        let server = replay::server(documents, &definition);
        replay::replay(&server, &scenario, |index, step, reply, relations| {
            let faults = compare(step, &reply, relations);
            if faults.is_empty() {
                agreed += 1;
            } else {
                found.insert((scenario.name.clone(), index), faults);
            }
        });
    }
    let all = agreed + found.len();
    places::log(&format!(
        "{agreed} of {all} recorded steps agree, and {} differ for known reasons",
        found.len()
    ));
    let mut known = BTreeSet::new();
    for (scenario, steps, _) in DIFFERENCES {
        known.extend(steps.iter().map(|step| ((*scenario).to_owned(), *step)));
    }
    let mut report = String::new();
    for ((scenario, index), faults) in found.iter().filter(|(step, _)| !known.contains(step)) {
        writeln!(report, "{scenario} {index}:\n    {}", faults.join("\n    "))
            .expect("a string takes everything");
    }
    for (scenario, index) in known.iter().filter(|step| !found.contains_key(step)) {
        writeln!(report, "{scenario} {index} agrees: remove it from the known differences")
            .expect("a string");
    }
    assert!(report.is_empty(), "{report}");
    check_readme(agreed, all);
}

/// Checks that the README has the figures of this run.
fn check_readme(agreed: usize, all: usize) {
    let readme = places::text(&places::root().join("templates/fake/README.md"));
    let words = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let figures = format!("replay {} requests", with_comma(all));
    assert!(words.contains(&figures), "the README says other than: {figures}");
    let figures = format!("{} responses agree", with_comma(agreed));
    assert!(words.contains(&figures), "the README says other than: {figures}");
}

fn with_comma(number: usize) -> String {
    if number < 1000 {
        number.to_string()
    } else {
        format!("{},{:03}", number / 1000, number % 1000)
    }
}
