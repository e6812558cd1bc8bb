//! What is `null` stays so, can be told from what is absent, and can be sent.

use case_nulls::change::{differences, extract, merge};
use case_nulls::http::{HeaderMap, StatusCode};
use case_nulls::mask::FieldMask;
use case_nulls::meta_v1::{ObjectMeta, RawJson};
use case_nulls::nulls_example_com_v1::{Door, DoorSpec, DoorSpecHandle, doors};
use case_nulls::{Patch, drop_unknown, from_str, to_string};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The members that are nullable, and are not free JSON.
const NULLABLE: [&str; 12] = [
    "priority", "mode", "opened", "size", "grade", "bolts", "notes", "handle", "color", "weight",
    "open", "data",
];
/// Free JSON, required or not.
const FREE: [&str; 3] = ["any", "free", "optional"];

fn object(spec: &Value) -> Value {
    let metadata = json!({"name": "front", "namespace": "house"});
    json!({"apiVersion": "nulls.example.com/v1", "kind": "Door", "metadata": metadata, "spec": spec})
}

fn door(spec: &Value) -> Door {
    from_str(&object(spec).to_string()).unwrap()
}

/// The spec of an object as it is encoded.
fn spec(door: &Door) -> Value {
    let own: Value = serde_json::from_str(&to_string(door)).unwrap();
    assert_eq!(own, serde_json::to_value(door).unwrap());
    own["spec"].clone()
}

fn null_spec() -> Value {
    let members = NULLABLE.iter().chain(&FREE).chain(&["choice"]);
    members.map(|name| ((*name).to_owned(), Value::Null)).collect()
}

fn full_spec() -> Value {
    json!({
        "priority": 0, "mode": "", "opened": "2024-05-01T12:00:00Z", "size": 3, "grade": "A", "bolts": ["b"],
        "notes": {"n": "1"}, "handle": {"key": "k"}, "any": 1, "free": {"a": 1}, "frame": {"width": 1.5}, "count": 2,
        "plain": "p", "color": "blue", "weight": 0, "open": false, "data": "YQ==", "choice": "x", "optional": [null],
        "never": "n", "hinges": ["a", "b"], "panes": [{"tint": "t"}], "limits": {"a": 1}, "groups": {"g": ["h"]},
        "locks": [{"name": "a", "pin": "1"}],
    })
}

fn round_trips() {
    let inside = json!({
        "frame": {"width": null}, "handle": {"key": "", "side": null}, "hinges": [null, "a", null], "count": 0,
        "panes": [null, {}, {"tint": null}], "limits": {"a": null, "b": 0}, "plain": "", "hinges": [null],
        "groups": {"g": null, "h": [null, "i"], "j": []}, "locks": [{"name": "a", "pin": null}, {"name": "b"}],
    });
    let all_but = |name: &str| {
        let mut spec = full_spec();
        spec[name] = Value::Null;
        spec
    };
    let mut specs = vec![null_spec(), full_spec(), inside, json!({})];
    specs.extend(NULLABLE.iter().chain(&FREE).map(|name| all_but(name)));
    for stated in &specs {
        assert_eq!(spec(&door(stated)), *stated);
        let by_serde: Door = serde_json::from_value(object(stated)).unwrap();
        assert_eq!(by_serde, door(stated), "{stated}");
        assert_eq!(spec(&by_serde.clone()), *stated);
        let (strict, unknown) =
            case_nulls::from_slice_strict::<Door>(object(stated).to_string().as_bytes()).unwrap();
        assert!(unknown.is_empty() && strict == by_serde, "{stated}");
    }
    for (index, one) in specs.iter().enumerate() {
        for other in &specs[index + 1..] {
            assert_ne!(door(one), door(other), "{one} and {other}");
        }
    }
    let sides = door(&json!({"left": {"pin": null}, "right": {"pin": null}}));
    assert_eq!(spec(&sides), json!({"left": {}, "right": {"pin": null}}), "types of their own");
    // Of all other members it means absent.
    let never = json!({"never": null, "hinges": null, "limits": null, "count": null, "plain": null, "frame": null});
    assert_eq!((spec(&door(&never)), door(&never)), (json!({}), door(&json!({}))));
    let typed = door(&inside_of_containers()).spec;
    assert_eq!(typed.hinges, Some(vec![None, Some("a".to_owned())]));
    assert_eq!(
        typed.limits,
        Some(BTreeMap::from([("a".to_owned(), None), ("b".to_owned(), Some(2))]))
    );
    assert!(typed.panes.unwrap()[0].is_none());
}

fn inside_of_containers() -> Value {
    json!({"hinges": [null, "a"], "limits": {"a": null, "b": 2}, "panes": [null]})
}

fn ends_when_the_field_is_set() {
    let mut null = door(&json!({"priority": null, "handle": null}));
    assert_eq!(null.spec.priority, None);
    assert_eq!(null.spec.unknown_.get("priority").unwrap().as_str(), "null");
    assert_ne!(null, door(&json!({"priority": null})));
    assert_ne!(null, door(&json!({"handle": null})));
    null.spec.priority = Some(5);
    null.spec.handle = Some(Box::new(DoorSpecHandle { key: "k".to_owned(), ..Default::default() }));
    let set = door(&json!({"priority": 5, "handle": {"key": "k"}}));
    assert_eq!((spec(&null), &null), (spec(&set), &set));
    assert_eq!((&set, &null.clone()), (&null, &set.clone()));
    assert!(differences(&null, &set).is_empty() && differences(&set, &null).is_empty());
    assert_eq!(Patch::json_between(&null, &set).body(), b"[]");
    // Only a `null` that ended does not count.
    null.spec.unknown_.insert("other", RawJson::default());
    assert_ne!(null, set);
    null.spec.unknown_.remove("other");
    null.spec.unknown_.remove("handle");
    assert_eq!(null, set);

    let mut made = DoorSpec::default();
    made.unknown_.insert("mode", RawJson::default());
    made.unknown_.insert("never", RawJson::default());
    let made = Door { spec: made, ..Default::default() };
    assert_eq!(spec(&made)["mode"], Value::Null);
    assert!(spec(&made).get("mode").is_some() && spec(&made).get("never").is_none());
    let body = doors::create("house", &made, &Default::default()).unwrap().to_http().into_body();
    assert!(
        serde_json::from_slice::<Value>(&body).unwrap()["spec"]
            .get("mode")
            .is_some_and(Value::is_null)
    );

    let mut unset = door(&json!({"mode": null}));
    unset.spec.unknown_.remove("mode");
    assert_eq!(spec(&unset), json!({}));
    for (text, expected) in [
        (r#"{"spec":{"mode":null,"mode":"a"}}"#, json!({"mode": "a"})),
        (r#"{"spec":{"mode":"a","mode":null}}"#, json!({"mode": null})),
        (r#"{"spec":{"any":1,"any":null}}"#, json!({"any": null})),
        (r#"{"spec":{"handle":{"key":"k"},"handle":null}}"#, json!({"handle": null})),
    ] {
        let twice: Door = from_str(text).unwrap();
        assert_eq!(
            (spec(&twice), &twice),
            (expected, &serde_json::from_str::<Door>(text).unwrap())
        );
        let has_null = spec(&twice)["mode"].is_null() && spec(&twice).get("mode").is_some();
        assert_eq!(twice.spec.unknown_.get("mode").is_some(), has_null);
    }
}

fn removing_unknown_members_leaves_nulls() {
    let mut door =
        door(&json!({"priority": null, "frame": {"width": null, "depth": 1}, "new": null}));
    drop_unknown(&mut door);
    assert_eq!(spec(&door), json!({"priority": null, "frame": {"width": null}}));
}

fn masks_decode_nulls() {
    let by = |paths: &[&str]| {
        let request = doors::get("house", "front", &Default::default()).unwrap();
        let masked = request.masked(&FieldMask::only(paths).unwrap());
        let text = object(
            &json!({"priority": null, "mode": null, "handle": null, "hinges": [null], "any": null}),
        );
        let response =
            masked.decode_parts(StatusCode::OK, &HeaderMap::new(), text.to_string().as_bytes());
        spec(response.unwrap().body.get())
    };
    let required = |nulls: Value| {
        let mut spec = json!({"count": 0, "free": null, "frame": {}, "plain": ""});
        spec.as_object_mut().unwrap().extend(nulls.as_object().unwrap().clone());
        spec
    };
    assert_eq!(by(&["spec.priority"]), required(json!({"priority": null})));
    assert_eq!(
        by(&["spec.handle.key", "spec.hinges", "spec.any"]),
        required(json!({"handle": null, "hinges": [null], "any": null}))
    );
    assert_eq!(by(&["metadata.labels"]), required(json!({})));
}

fn steps(patch: &Patch) -> Vec<Value> {
    serde_json::from_slice(patch.body()).unwrap()
}

fn json_patches_set_and_end_null() {
    let full = full_spec();
    for name in NULLABLE.iter().chain(&FREE).copied() {
        let mut null = full.clone();
        null[name] = Value::Null;
        let mut none = full.clone();
        none.as_object_mut().unwrap().remove(name);
        let path = format!("/spec/{name}");
        let [full_door, null_door, none_door] = [&full, &null, &none].map(door);
        let cases = [
            (&full_door, &null_door, json!({"op": "replace", "path": path, "value": null})),
            (&null_door, &full_door, json!({"op": "replace", "path": path, "value": full[name]})),
            (&none_door, &null_door, json!({"op": "add", "path": path, "value": null})),
            (&null_door, &none_door, json!({"op": "remove", "path": path})),
        ];
        for (old, new, step) in cases {
            assert_eq!(steps(&Patch::json_between(old, new)), [step.clone()]);
            assert_eq!(differences(old, new).len(), 1, "{step}");
        }
        assert_eq!(Patch::json_between(&null_door, &null_door.clone()).body(), b"[]");
        let refused = "a merge patch cannot set `null`: use a JSON patch";
        for old in [&full_door, &none_door] {
            let error = Patch::merge_between(old, &null_door).unwrap_err();
            assert_eq!((error.message(), error.path()), (refused, &*format!("spec.{name}")));
            assert!(Patch::strategic_between(old, &null_door).is_err());
        }
        let ended = Patch::merge_between(&null_door, &full_door).unwrap();
        assert_eq!(
            serde_json::from_slice::<Value>(ended.body()).unwrap()["spec"],
            json!({name: full[name]})
        );
        let gone = Patch::merge_between(&null_door, &none_door).unwrap();
        assert_eq!(
            serde_json::from_slice::<Value>(gone.body()).unwrap()["spec"],
            json!({name: null})
        );
        let same = Patch::merge_between(&null_door, &null_door.clone()).unwrap();
        assert_eq!(same.body(), b"{}");
    }
    let old =
        door(&json!({"hinges": ["a", null], "limits": {"a": 1, "b": null}, "panes": [{}, null]}));
    let new = door(
        &json!({"hinges": [null, "a"], "limits": {"a": null, "c": null}, "panes": [null, {"tint": null}]}),
    );
    let mut patched = serde_json::to_value(&old).unwrap();
    for step in steps(&Patch::json_between(&old, &new)) {
        let path = step["path"].as_str().unwrap();
        let (around, name) = path.rsplit_once('/').unwrap();
        match (patched.pointer_mut(around).unwrap(), step["op"].as_str().unwrap()) {
            (Value::Object(members), "remove") => _ = members.remove(name).unwrap(),
            (Value::Object(members), _) => {
                _ = members.insert(name.to_owned(), step["value"].clone())
            }
            (_, "test") => assert_eq!(patched.pointer(path).unwrap(), &step["value"]),
            (value, op) => {
                assert_eq!(op, "replace");
                value[name.parse::<usize>().unwrap()] = step["value"].clone();
            }
        }
    }
    assert_eq!(patched, serde_json::to_value(&new).unwrap());
    assert!(Patch::merge_between(&old, &new).is_err());
}

fn applies_send_null() {
    // A number that is required and was not set is decided by the program.
    let applied = |door: &Door| {
        let patch = Patch::apply(door).omit("spec.count");
        let body: Value = serde_json::from_slice(patch.body()).unwrap();
        body["spec"].clone()
    };
    assert_eq!(applied(&door(&null_spec())), null_spec());
    let inside =
        json!({"hinges": [null], "limits": {"a": null}, "locks": [{"name": "a", "pin": null}]});
    assert_eq!(applied(&door(&inside)), inside);
    let mut made = Door {
        metadata: ObjectMeta { name: Some("front".to_owned()), ..Default::default() },
        ..Default::default()
    };
    assert_eq!(applied(&made), Value::Null);
    made.spec.unknown_.insert("mode", RawJson::default());
    assert!(
        applied(&made).get("mode").is_some_and(Value::is_null)
            && applied(&made).get("free").is_none()
    );
}

fn what_a_manager_owns_may_be_null() {
    let fields = json!({"f:spec": {"f:mode": {}, "f:any": {}, "f:hinges": {}, "f:locks": {"k:{\"name\":\"a\"}": {".": {}, "f:name": {}, "f:pin": {}}}}});
    let mut live = object(&json!({
        "mode": null, "any": null, "priority": null, "hinges": [null], "locks": [{"name": "a", "pin": null}],
    }));
    live["metadata"]["managedFields"] =
        json!([{"manager": "me", "operation": "Apply", "fieldsV1": fields}]);
    let live: Door = serde_json::from_value(live).unwrap();
    let own = extract(&live, "me", "").unwrap();
    let expected =
        json!({"mode": null, "any": null, "hinges": [null], "locks": [{"name": "a", "pin": null}]});
    assert_eq!(spec(&own), expected);
    let body: Value = serde_json::from_slice(Patch::apply(&own).body()).unwrap();
    assert_eq!(body["spec"], expected);
}

fn merges_set_and_end_null() {
    let merged = |target: &Value, other: &Value| {
        let mut target = door(target);
        merge(&mut target, &door(other)).unwrap();
        assert_eq!(target, door(&spec(&target)));
        spec(&target)
    };
    let full = full_spec();
    for name in NULLABLE.iter().chain(&FREE).copied() {
        let null = json!({name: null});
        let value = json!({name: full[name]});
        assert_eq!(merged(&value, &null), null);
        assert_eq!(merged(&null, &value), value);
        assert_eq!(merged(&null, &json!({})), null);
        assert_eq!(merged(&json!({}), &null), null);
    }
    let lists =
        json!({"hinges": [null, "a"], "limits": {"a": null, "b": 1}, "groups": {"g": null}});
    assert_eq!(merged(&json!({}), &lists), lists);
    assert_eq!(
        merged(&json!({"limits": {"a": 1, "b": null, "c": null}, "groups": {"g": ["x"]}}), &lists)
            ["limits"],
        json!({"a": null, "b": 1, "c": null})
    );
    let pins = json!({"locks": [{"name": "a", "pin": null}]});
    assert_eq!(merged(&json!({"locks": [{"name": "a", "pin": "1"}]}), &pins), pins);
}

fn main() {
    round_trips();
    ends_when_the_field_is_set();
    removing_unknown_members_leaves_nulls();
    masks_decode_nulls();
    json_patches_set_and_end_null();
    applies_send_null();
    what_a_manager_owns_may_be_null();
    merges_set_and_end_null();
    println!("all is well");
}
