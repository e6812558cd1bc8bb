//! Changes as the code of Kubernetes makes them: `tests/oracle/vectors.jsonl`, see the README
//! there.

use kapigen_fake::change::{
    FieldWriter, apply_configuration, apply_json, apply_merge, apply_strategic,
};
use kapigen_tests::schemas;
use kapigen_tests::{oracle, places};
use openshift_api::change::{ChangeError, extract, merge};
use openshift_api::core_v1::Pod;
use openshift_api::{AnyResource, Kind, Patch};
use serde_json::{Value, json};
use test_support::compare::differences;

/// Inputs for which the results of patches differ, and the reason.
const EXCEPTIONS: Exceptions = &[
    ("strategic patch replaces the object", "kubectl prints no object without a kind"),
    (
        "strategic patch retains members of a new element",
        "`$retainKeys` stays in a new element, until a server decodes it",
    ),
    ("merge patch is an array", "RFC 7386 replaces the object, which must stay an object there"),
    ("merge patch is a string", "as an array"),
    ("merge patch is null", "as an array"),
    ("json patch adds nothing", "RFC 6902 requires a value; without one, `null` is added there"),
    (
        "json patch adds an element before the end",
        "RFC 6902 has no such index; it counts from the end there",
    ),
    (
        "json patch removes the last element from the end",
        "RFC 6902 has no such index; it counts from the end there",
    ),
    (
        "json patch adds an element at an index with a zero",
        "RFC 6902 has no such index; it is read as a number there",
    ),
    (
        "json patch replaces an absent member",
        "RFC 6902 requires it to be present; it is added there",
    ),
    (
        "json patch copies an absent member",
        "RFC 6902 requires it to be present; `null` is copied there",
    ),
    (
        "json patch tests that a member is absent",
        "RFC 6902 requires it to be present; it equals `null` there",
    ),
];

/// Edits with patches that do not have their effect.
const EDITS: Exceptions =
    &[("edited Pod 0", "kubectl compares sets without their order, and leaves it")];

type Exceptions = &'static [(&'static str, &'static str)];

/// The members of every object that no manager owns.
const UNOWNED: [&str; 2] = ["f:apiVersion", "f:kind"];

fn results() -> Vec<Value> {
    let vectors = places::text(&places::root().join("tests/oracle/vectors.jsonl"));
    vectors.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// Checks all results for inputs of this type.
fn every(form: &str, exceptions: Exceptions, check: impl Fn(&Value) -> Result<(), String>) {
    let vectors = results();
    let inputs = oracle::inputs();
    assert_eq!(vectors.len(), inputs.len(), "run the oracle again");
    for (name, _) in exceptions {
        assert!(
            inputs.iter().any(|input| input["name"] == *name),
            "no input `{name}`: remove the exception"
        );
    }
    let mut failures = Vec::new();
    let mut count = 0;
    for (vector, input) in vectors.iter().zip(&inputs) {
        let name = vector["name"].as_str().expect("a name");
        for (key, value) in input.as_object().expect("an object") {
            assert_eq!(&vector[key], value, "{name}: run the oracle again");
        }
        if vector["type"] != form || vector.get("merged").is_none() && form == "apply" {
            continue;
        }
        count += 1;
        let exception = exceptions.iter().find(|(exception, _)| *exception == name);
        match (check(vector), exception) {
            (Err(failure), None) => failures.push(format!("{name}: {failure}")),
            (Ok(()), Some(_)) => {
                failures.push(format!("{name}: is the same: remove the exception"));
            }
            _ => {}
        }
    }
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
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

/// The object as a server decodes it, where `null` is absent. A value that is not a pod stays as it
/// is.
fn decoded(value: &Value) -> Value {
    serde_json::from_value::<Pod>(value.clone()).map_or_else(|_| value.clone(), |pod| tree(&pod))
}

/// Compares the results of patches of this type.
fn patches_mean_the_same(form: &str, apply: fn(&mut Value, &Value) -> Result<(), ChangeError>) {
    every(form, EXCEPTIONS, |vector| {
        let mut found = vector["old"].clone();
        match (apply(&mut found, &vector["patch"]), &vector["result"]) {
            (Err(_), Value::Null) => Ok(()),
            (Err(error), _) => Err(format!("refused here: {error}")),
            (Ok(()), Value::Null) => Err("refused there".to_owned()),
            (Ok(()), expected) => same(&decoded(expected), &decoded(&found)),
        }
    });
}

#[test]
fn strategic_merge_patches_mean_the_same() {
    patches_mean_the_same("strategic", |object, patch| {
        apply_strategic(object, patch, &schemas::schema_of::<Pod>())
    });
}

#[test]
fn merge_patches_mean_the_same() {
    patches_mean_the_same("merge", |object, patch| {
        apply_merge(object, patch);
        Ok(())
    });
}

#[test]
fn json_patches_mean_the_same() {
    patches_mean_the_same("json", apply_json);
}

#[test]
fn patches_between_pods_make_the_new_one_of_the_old() {
    for form in ["strategic", "merge", "json"] {
        let results = results();
        let pairs = oracle::pairs();
        let with_result = pairs.iter().filter(|pair| {
            let name = format!("{form} pair {}", pair.number);
            let Some(vector) = results.iter().find(|vector| vector["name"] == name) else {
                return false;
            };
            assert_eq!(
                same(&decoded(&pair.pods[1]), &decoded(&vector["result"])),
                Ok(()),
                "{name}"
            );
            true
        });
        let count = with_result.count();
        assert!(count > 20, "{form}: {count}");
    }
}

#[test]
fn patches_of_edits_make_the_new_object_of_the_old() {
    every("edit", EDITS, |vector| {
        let mut found = vector["old"].clone();
        match vector["mediaType"].as_str() {
            Some("application/strategic-merge-patch+json") => {
                apply_strategic(&mut found, &vector["made"], &schemas::schema_of::<Pod>())
                    .map_err(|error| error.to_string())?;
            }
            Some("application/merge-patch+json") => apply_merge(&mut found, &vector["made"]),
            other => return Err(format!("a patch of the type {other:?}")),
        }
        same(&vector["new"], &found)
    });
}

/// The comparison ignores orders: without `$setElementOrder`, the elements of the patch state the
/// order, so kubectl writes it for other changes than the functions here.
#[test]
fn patches_of_edits_are_the_same_but_for_orders() {
    every("edit", &[], |vector| {
        let [old, new] = ["old", "new"].map(|side| {
            let mut object = vector[side].clone();
            object["apiVersion"] = Pod::API_VERSION.into();
            object["kind"] = Pod::KIND.into();
            pod(&object)
        });
        let is_custom = vector["mediaType"] == "application/merge-patch+json";
        let made = if is_custom {
            Patch::merge_between(&old, &new)
        } else {
            Patch::strategic_between(&old, &new)
        };
        let made = made.map_err(|error| error.to_string())?;
        let made = serde_json::from_slice(made.body()).expect("a patch is JSON");
        same(&without_orders(&vector["made"]), &without_orders(&made))
    });
}

fn without_orders(patch: &Value) -> Value {
    match patch {
        Value::Object(members) => {
            let members = members.iter().filter(|(key, _)| !key.starts_with("$setElementOrder/"));
            members.map(|(key, value)| (key.clone(), without_orders(value))).collect()
        }
        Value::Array(elements) => elements.iter().map(without_orders).collect(),
        value => value.clone(),
    }
}

#[test]
fn managers_own_the_same_fields() {
    every("apply", &[], |vector| {
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
    let writer =
        FieldWriter { name: "test", subresource: "", api_version: Pod::API_VERSION, time: None };
    apply_configuration(&Value::Null, config, &schemas::schema_of::<Pod>(), &writer, false)
        .expect("a configuration")
}

#[test]
fn configurations_are_merged_alike() {
    every("apply", &[], |vector| {
        let mut merged = pod(&vector["live"]);
        merge(&mut merged, &pod(&vector["config"])).map_err(|error| error.to_string())?;
        same(&sorted(&tree(&pod(&vector["merged"]))), &sorted(&tree(&merged)))
    });
}

#[test]
fn managers_extract_the_same_part() {
    every("apply", &[], |vector| {
        let mut live = pod(&vector["merged"]);
        live.metadata_mut().managed_fields =
            pod(&configured(&vector["config"])).metadata.managed_fields;
        let part = extract(&live, "test", "").map_err(|error| error.to_string())?;
        same(&tree(&pod(&vector["owned"])), &without_empty(&tree(&part)))
    });
}

/// The value without empty objects: an extract here has those that the manager owns, to apply them
/// again.
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
    let is_merged =
        elements.iter().all(Value::is_object) && key != "tolerations" || key == "finalizers";
    if is_merged {
        elements.sort_by_key(Value::to_string);
    }
    elements.into()
}
