//! Changes as the code of Kubernetes makes them: `tests/oracle/vectors.jsonl`, see the README there.

use kapigen_tests::compare::differences;
use kapigen_tests::{oracle, places};
use openshift_api::change::{FieldWriter, Schema, apply_configuration, apply_strategic, extract, merge};
use openshift_api::core_v1::Pod;
use openshift_api::{Kind, Resource};
use serde_json::{Value, json};

/// Inputs for which the results differ, and the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("replaces the object", "kubectl prints no object without a kind"),
    ("retains members of a new element", "`$retainKeys` stays in a new element, until a server decodes it"),
];

/// The members of every object that no manager owns.
const UNOWNED: [&str; 2] = ["f:apiVersion", "f:kind"];

type Check = fn(&Value) -> Result<(), String>;

/// Checks all results with this member.
fn every(member: &str, check: Check) {
    let vectors = places::text(&places::root().join("tests/oracle/vectors.jsonl"));
    let vectors = vectors.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"));
    let inputs = oracle::inputs();
    let vectors: Vec<_> = vectors.collect();
    assert_eq!(vectors.len(), inputs.len(), "run the oracle again");
    let (mut faults, mut count) = (Vec::new(), 0);
    for (vector, input) in vectors.iter().zip(&inputs) {
        let name = vector["name"].as_str().expect("a name");
        for (key, value) in input.as_object().expect("an object") {
            assert_eq!(&vector[key], value, "{name}: run the oracle again");
        }
        if vector.get(member).is_none() {
            continue;
        }
        count += 1;
        let exception = EXCEPTIONS.iter().find(|(exception, _)| *exception == name);
        match (check(vector), exception) {
            (Err(fault), None) => faults.push(format!("{name}: {fault}")),
            (Ok(()), Some(_)) => faults.push(format!("{name}: is the same: remove the exception")),
            _ => {}
        }
    }
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
    assert!(count > 20, "{count}");
}

fn same(expected: &Value, found: &Value) -> Result<(), String> {
    let all: Vec<_> = differences(expected, found).iter().map(ToString::to_string).collect();
    if all.is_empty() { Ok(()) } else { Err(all.join("; ")) }
}

fn pod(value: &Value) -> Pod {
    serde_json::from_value(value.clone()).expect("a pod")
}

fn tree(pod: &Pod) -> Value {
    serde_json::to_value(pod).expect("a pod is JSON")
}

/// The object as a server decodes it, where `null` is absent. What is no pod stays as it is.
fn decoded(value: &Value) -> Value {
    serde_json::from_value::<Pod>(value.clone()).map_or_else(|_| value.clone(), |pod| tree(&pod))
}

#[test]
fn strategic_merge_patches_mean_the_same() {
    every("patch", |vector| {
        let mut found = vector["old"].clone();
        match (apply_strategic(&mut found, &vector["patch"], &Schema::of::<Pod>()), &vector["result"]) {
            (Err(_), Value::Null) => Ok(()),
            (Err(error), _) => Err(format!("refused here: {error}")),
            (Ok(()), expected) => same(&decoded(expected), &decoded(&found)),
        }
    });
}

#[test]
fn patches_between_pods_make_the_new_one_of_the_old() {
    let pairs = oracle::pairs();
    let vectors = places::text(&places::root().join("tests/oracle/vectors.jsonl"));
    let vectors = vectors.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"));
    let mut count = 0;
    for vector in vectors.filter(|vector| vector.get("patch").is_some()) {
        let Some(pair) = pairs.iter().find(|pair| vector["name"] == pair.name) else { continue };
        let clean = |value: &Value| tree(&pod(value));
        assert_eq!(same(&clean(&pair.pods[1]), &clean(&vector["result"])), Ok(()), "{}", pair.name);
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn managers_own_the_same_fields() {
    every("fields", |vector| {
        let live = configured(&vector["config"]);
        let mut found = live["metadata"]["managedFields"][0]["fieldsV1"].clone();
        let mut expected = vector["fields"].clone();
        for fields in [&mut found, &mut expected] {
            let fields = fields.as_object_mut().expect("fields");
            fields.retain(|key, _| !UNOWNED.contains(&key.as_str()));
            let metadata = fields.entry("f:metadata").or_insert_with(|| json!({}));
            metadata.as_object_mut().expect("fields").remove("f:name");
        }
        same(&expected, &found)
    });
}

/// The configuration as a server keeps it after it was applied.
fn configured(config: &Value) -> Value {
    let writer = FieldWriter { name: "test", subresource: "", api_version: Pod::API_VERSION, time: None };
    apply_configuration(&Value::Null, config, &Schema::of::<Pod>(), &writer, false).expect("a configuration")
}

#[test]
fn configurations_are_merged_alike() {
    every("fields", |vector| {
        let mut merged = pod(&vector["live"]);
        merge(&mut merged, &pod(&vector["config"])).map_err(|error| error.to_string())?;
        same(&sorted(&tree(&pod(&vector["merged"]))), &sorted(&tree(&merged)))
    });
}

#[test]
fn managers_extract_the_same_part() {
    every("fields", |vector| {
        let mut live = pod(&vector["merged"]);
        live.metadata_mut().managed_fields = pod(&configured(&vector["config"])).metadata.managed_fields;
        let part = extract(&live, "test", "").map_err(|error| error.to_string())?;
        same(&tree(&pod(&vector["owned"])), &without_empty(&tree(&part)))
    });
}

/// The value without empty objects: an extract here has those that the manager owns, to apply them again.
fn without_empty(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.clone(), without_empty(value)));
            members.filter(|(_, value)| *value != json!({})).collect()
        }
        Value::Array(elements) => elements.iter().map(without_empty).collect(),
        value => value.clone(),
    }
}

/// The value with merged lists in an order of their own: later releases have another one, which
/// `change::list_order` holds.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| (key.clone(), sorted_member(key, value));
            members.iter().map(member).collect()
        }
        value => value.clone(),
    }
}

/// Lists that are replaced as a whole keep their order.
fn sorted_member(key: &str, value: &Value) -> Value {
    let Value::Array(elements) = value else { return sorted(value) };
    let mut elements: Vec<_> = elements.iter().map(sorted).collect();
    let is_merged = elements.iter().all(Value::is_object) && key != "tolerations" || key == "finalizers";
    if is_merged {
        elements.sort_by_key(Value::to_string);
    }
    elements.into()
}
