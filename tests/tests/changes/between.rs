//! A patch between two objects, applied to the first, gives the second; and merging them is
//! applying the second.

use kapigen_fake::change::{
    FieldWriter, apply_configuration, apply_json, apply_merge, apply_strategic,
};
use kapigen_tests::schemas;
use openshift_api::Patch;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::{Map, Value, json};
use test_support::compare::differences;
use test_support::documents::{Documents, Shape};
use test_support::random::{Random, value};
use test_support::registry::TYPES;
use test_support::types::{Changes, Type};

/// The number of pairs of values of every type.
const CASES: u32 = 4;

type Check = fn(&Subject<'_>) -> Result<(), String>;

struct Subject<'a> {
    documents: &'a Documents,
    ty: &'a Type,
    changes: &'a Changes,
}

/// Checks a law with random pairs of values of every type. The second of a pair is the first with
/// random changes.
fn every_type(check: Check) {
    let documents = Documents::read();
    let mut failures = Vec::new();
    for ty in TYPES {
        let config = Config { cases: CASES, max_shrink_iters: 200, ..Config::default() };
        let mut runner = TestRunner::new(config);
        let shape = documents.named(ty.schema);
        let pairs = (value(documents, shape), value(documents, shape), any::<u64>());
        let result = runner.run(&pairs, |(mut old, other, seed)| {
            let mut random = Random::new(seed);
            add_unknown(documents, shape, &mut old, &mut random);
            let new = blend(&old, &other, &mut random);
            let changes = ty.changes(&old, &new).map_err(TestCaseError::fail)?;
            check(&Subject { documents, ty, changes: &changes }).map_err(TestCaseError::fail)
        });
        failures.extend(result.err().map(|error| format!("{}::{}: {error}", ty.module, ty.name)));
    }
    assert!(failures.is_empty(), "{} types:\n{}", failures.len(), failures.join("\n"));
}

/// Adds members that no schema has to some of the objects.
fn add_unknown(documents: &Documents, shape: Shape<'_>, value: &mut Value, random: &mut Random) {
    match (shape, value) {
        (Shape::Object(object), Value::Object(members)) => {
            for member in object.members() {
                if let Some(value) = members.get_mut(member.key) {
                    add_unknown(documents, documents.shape(member.schema), value, random);
                }
            }
            if random.below(3) == 0 {
                members.insert(
                    "unknownMember".to_owned(),
                    json!({ "list": [1, null, {}], "text": random.below(9) }),
                );
            }
        }
        (Shape::List(elements), Value::Array(values)) => {
            for value in values {
                add_unknown(documents, documents.shape(elements), value, random);
            }
        }
        (Shape::Map(values), Value::Object(entries)) => {
            entries
                .values_mut()
                .for_each(|value| add_unknown(documents, documents.shape(values), value, random));
        }
        _ => {}
    }
}

/// The first value, with parts of the second.
fn blend(old: &Value, other: &Value, random: &mut Random) -> Value {
    match (old, other) {
        (Value::Object(old), Value::Object(other)) => {
            let keys = old.keys().chain(other.keys().filter(|key| !old.contains_key(*key)));
            let mut blended = Map::new();
            for key in keys {
                let value = match (old.get(key), other.get(key), random.below(4)) {
                    (Some(old), Some(other), _) => Some(blend(old, other, random)),
                    (Some(old), None, 1..) => Some(old.clone()),
                    (None, Some(other), 0) => Some(other.clone()),
                    _ => None,
                };
                blended.extend(value.map(|value| (key.clone(), value)));
            }
            Value::Object(blended)
        }
        (Value::Array(old), Value::Array(other)) => {
            let kept = old.iter().filter(|_| random.below(4) > 0).cloned().collect::<Vec<_>>();
            let mut blended: Vec<_> = kept
                .iter()
                .map(|value| blend(value, other.first().unwrap_or(value), random))
                .collect();
            blended.extend(other.iter().skip(1).cloned());
            if random.below(3) == 0 {
                blended.reverse();
            }
            Value::Array(blended)
        }
        (old, other) => if random.below(4) > 0 { old } else { other }.clone(),
    }
}

impl Subject<'_> {
    /// Compares the patched old object with the new one, except for the version: a patch has the
    /// version of the old object, which it is made for.
    fn compare(&self, patched: &Value) -> Result<(), String> {
        let clean = |value: &Value| {
            let mut value =
                self.documents.without_null_members(self.documents.named(self.ty.schema), value);
            if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
                metadata.remove("resourceVersion");
            }
            value
        };
        let lost = differences(&clean(&self.changes.objects[1]), &clean(patched));
        let lost: Vec<String> = lost.iter().map(ToString::to_string).collect();
        if lost.is_empty() { Ok(()) } else { Err(lost.join("\n")) }
    }
}

#[test]
fn json_patches_turn_the_old_object_into_the_new_one() {
    every_type(|subject| {
        let Changes { objects: [old, _], json, .. } = subject.changes;
        json.iter().try_for_each(|json| {
            let mut patched = old.clone();
            apply_json(&mut patched, json).map_err(|error| format!("{error} in {json}"))?;
            subject.compare(&patched)
        })
    });
}

#[test]
fn json_patches_mean_the_same_to_another_crate() {
    every_type(|subject| {
        let Changes { objects: [old, _], json, .. } = subject.changes;
        let [json, ..] = json;
        let steps: json_patch::Patch =
            serde_json::from_value(json.clone()).map_err(|error| error.to_string())?;
        let mut patched = old.clone();
        json_patch::patch(&mut patched, &steps).map_err(|error| format!("{error} in {json}"))?;
        subject.compare(&patched)
    });
}

#[test]
fn merge_patches_turn_the_old_object_into_the_new_one() {
    every_type(|subject| {
        let Changes { objects: [old, _], merge, .. } = subject.changes;
        let merge = match merge {
            Ok(merge) => merge,
            Err(error) if error.ends_with("a merge patch cannot set `null`: use a JSON patch") => {
                return Ok(());
            }
            Err(error) => return Err(error.clone()),
        };
        let mut patched = old.clone();
        let mut by_another = old.clone();
        apply_merge(&mut patched, merge);
        json_patch::merge(&mut by_another, merge);
        if patched != by_another {
            return Err(format!("another crate makes {by_another} of {merge}"));
        }
        subject.compare(&patched).map_err(|error| format!("{error} after {merge}"))
    });
}

#[test]
fn strategic_patches_turn_the_old_object_into_the_new_one() {
    every_type(|subject| {
        let Changes { objects: [old, _], strategic, .. } = subject.changes;
        let strategic = match strategic {
            Ok(strategic) => strategic,
            Err(error) if error.ends_with("use a JSON patch") => return Ok(()),
            Err(error) => return Err(error.clone()),
        };
        let mut patched = old.clone();
        let schema = schemas::schema(subject.ty.schema);
        apply_strategic(&mut patched, strategic, &schema)
            .map_err(|error| format!("{error} in {strategic}"))?;
        subject.compare(&patched).map_err(|error| format!("{error} after {strategic}"))
    });
}

#[test]
fn equal_objects_differ_in_nothing_and_others_in_something() {
    every_type(|subject| {
        let Changes { objects: [old, new], json, differences, .. } = subject.changes;
        let is_same = subject.compare(old).is_ok();
        // Free JSON without metadata gets all of it in one step, even if that is the version alone.
        let is_version = |step: &Value| {
            let metadata = step["value"].as_object().filter(|_| step["path"] == "/metadata");
            metadata.is_some_and(|metadata| metadata.keys().eq(["resourceVersion"]))
        };
        let no_steps = json
            .iter()
            .all(|json| json.as_array().is_some_and(|steps| steps.iter().all(is_version)));
        if is_same != no_steps {
            return Err(format!("{json:?} between {old} and {new}"));
        }
        // A version that differs is a difference, but no change to make.
        if differences.is_empty() && !is_same {
            return Err(format!("no differences between {old} and {new}"));
        }
        Ok(())
    });
}

#[test]
fn merging_is_applying() {
    every_type(|subject| {
        let shape = || subject.documents.named(subject.ty.schema);
        let [target, configuration] = subject.changes.objects.clone().map(|object| {
            let mut object = subject.documents.without_null_members(shape(), &object);
            if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
                metadata.remove("managedFields");
            }
            object
        });
        let schema = schemas::schema(subject.ty.schema);
        let writer = FieldWriter { name: "test", subresource: "", api_version: "v1", time: None };
        let applied = apply_configuration(&target, &configuration, &schema, &writer, true);
        let (mut applied, merged) = match (applied, subject.ty.merged(&target, &configuration)) {
            (Ok(applied), Ok(merged)) => (applied, merged),
            (Err(_), Err(_)) => return Ok(()),
            (applied, merged) => return Err(format!("applied: {applied:?}, merged: {merged:?}")),
        };
        if target.get("metadata").or(configuration.get("metadata")).is_none() {
            applied.as_object_mut().ok_or("no object")?.remove("metadata");
        } else if let Some(metadata) = applied["metadata"].as_object_mut() {
            metadata.remove("managedFields");
        }
        let lost: Vec<String> =
            differences(&applied, &merged).iter().map(ToString::to_string).collect();
        if lost.is_empty() {
            Ok(())
        } else {
            Err(format!("{}\n{configuration} into {target}", lost.join("\n")))
        }
    });
}

#[test]
fn digits_that_no_tree_holds_are_changes() {
    let pod = |number: &str| -> openshift_api::core_v1::Pod {
        openshift_api::from_str(&format!(
            r#"{{"metadata":{{"name":"a"}},"free":{{"number":{number}}}}}"#
        ))
        .unwrap()
    };
    for (old, new) in
        [("123456789012345678901", "123456789012345678902"), ("0.1", "0.10000000000000000001")]
    {
        let patch = openshift_api::Patch::json_between(&pod(old), &pod(new));
        let text = String::from_utf8(patch.body().to_vec()).unwrap();
        assert!(text.contains(new), "{old} to {new}: {text}");
    }
}

#[test]
fn null_is_a_value_of_members_that_no_type_has() {
    let pod = |rest: &str| -> openshift_api::core_v1::Pod {
        openshift_api::from_str(&format!(r#"{{"metadata":{{"name":"a"}}{rest}}}"#)).unwrap()
    };
    let without = pod("");
    let with = pod(r#","free":null"#);
    let patch =
        |old, new| String::from_utf8(Patch::json_between(old, new).body().to_vec()).unwrap();
    assert_eq!(patch(&without, &with), r#"[{"op":"add","path":"/free","value":null}]"#);
    assert_eq!(patch(&with, &without), r#"[{"op":"remove","path":"/free"}]"#);
    let refusal = Patch::merge_between(&without, &with).unwrap_err().to_string();
    assert!(refusal.contains("use a JSON patch"), "{refusal}");
    assert_eq!(Patch::merge_between(&with, &without).unwrap().body(), br#"{"free":null}"#);
}

#[test]
fn merging_nothing_changes_nothing() {
    let pod: openshift_api::core_v1::Pod =
        openshift_api::from_str(r#"{"metadata":{"name":"a"}}"#).unwrap();
    let mut target = Some(Box::new(pod.clone()));
    openshift_api::change::merge(&mut target, &None).unwrap();
    assert_eq!(target, Some(Box::new(pod)));
}
