//! The exact patches of each form, for a pod of a server that is newer than the type.

use kapigen_fake::change::{apply_json, apply_merge, apply_strategic};
use kapigen_tests::schemas;
use openshift_api::change::{FieldSet, PatchOperation, differences};
use openshift_api::core_v1::{
    Container, ContainerPort, ContainerPortProtocol, Pod, PodSpec, Toleration,
};
use openshift_api::meta_v1::{ObjectMeta, RawJson};
use openshift_api::{Patch, drop_unknown};
use serde_json::{Value, json};

/// As the server has it: with members that no type has.
fn server() -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "resourceVersion": "7", "shard": "a"},
        "spec": {
            "containers": [
                {"name": "app", "image": "app:1", "restartBudget": {"max": 3}},
                {"name": "log", "image": "log:1", "resources": {}}
            ],
            "placement": {"zones": ["a", null]}
        }
    })
}

fn pods(change: impl FnOnce(&mut PodSpec)) -> [Pod; 2] {
    let old: Pod = openshift_api::from_str(&server().to_string()).unwrap();
    let mut new = old.clone();
    change(new.spec.as_mut().unwrap());
    [old, new]
}

fn with_sidecar() -> [Pod; 2] {
    pods(|spec| {
        let sidecar = Container {
            name: "proxy".to_owned(),
            image: Some("proxy:1".to_owned()),
            ..Default::default()
        };
        spec.containers.insert(1, sidecar);
        spec.containers[0].image = Some("app:2".to_owned());
    })
}

fn expected() -> Value {
    let mut expected = server();
    expected["spec"]["containers"][0]["image"] = "app:2".into();
    let sidecar = json!({"name": "proxy", "image": "proxy:1"});
    expected["spec"]["containers"].as_array_mut().unwrap().insert(1, sidecar);
    expected
}

fn body(patch: &Patch) -> Value {
    serde_json::from_slice(patch.body()).expect("a patch is JSON")
}

#[test]
fn json_patches_are_for_the_version_of_the_old_object() {
    let [old, new] = with_sidecar();
    let patch = body(&Patch::json_between(&old, &new));
    let steps = json!([
        {"op": "replace", "path": "/metadata/resourceVersion", "value": "7"},
        {"op": "add", "path": "/spec/containers/1", "value": patch[1]["value"]},
        {"op": "replace", "path": "/spec/containers/0/image", "value": "app:2"}
    ]);
    assert_eq!(patch, steps);
    let mut patched = server();
    apply_json(&mut patched, &patch).unwrap();
    assert_eq!(patched, expected());
}

#[test]
fn json_patches_without_a_version_test_which_element_it_is() {
    let [mut old, mut new] = with_sidecar();
    for pod in [&mut old, &mut new] {
        pod.metadata.resource_version = None;
    }
    new.spec.as_mut().unwrap().containers.pop();
    let patch = body(&Patch::json_between(&old, &new));
    let steps = json!([
        {"op": "test", "path": "/spec/containers/1/name", "value": "log"},
        {"op": "remove", "path": "/spec/containers/1"},
        {"op": "add", "path": "/spec/containers/-", "value": patch[2]["value"]},
        {"op": "test", "path": "/spec/containers/0/name", "value": "app"},
        {"op": "replace", "path": "/spec/containers/0/image", "value": "app:2"}
    ]);
    assert_eq!(patch, steps);
    let mut other = server();
    other["spec"]["containers"].as_array_mut().unwrap().swap(0, 1);
    let before = other.clone();
    let error = apply_json(&mut other, &patch).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/spec/containers/1/name: the test failed: there is another value"
    );
    assert_eq!(other, before);
}

#[test]
fn json_patches_without_their_version_are_those_of_objects_without_one() {
    let [mut old, mut new] = with_sidecar();
    new.spec.as_mut().unwrap().containers.pop();
    new.metadata.labels = Some([("tier".to_owned(), "web".to_owned())].into());
    let patch = Patch::json_between(&old, &new);
    assert_eq!(body(&patch)[0]["path"], "/metadata/resourceVersion");
    let unversioned = patch.without_version();
    for pod in [&mut old, &mut new] {
        pod.metadata.resource_version = None;
    }
    assert_eq!(body(&unversioned), body(&Patch::json_between(&old, &new)));
    let again = unversioned.clone().without_version();
    assert_eq!(again, unversioned, "there is no other version to leave out");
    assert!(Patch::json_between(&old, &old).without_version().is_empty());
}

#[test]
fn free_json_is_changed_part_by_part() {
    let [old, mut new] = pods(|_| {});
    let spec = new.spec.as_mut().unwrap();
    let placement = json!({"zones": ["a", "b"], "ring": {"of": 3}}).to_string();
    spec.unknown_.insert("placement".to_owned(), placement.parse().unwrap());
    let steps = json!([
        {"op": "replace", "path": "/metadata/resourceVersion", "value": "7"},
        {"op": "add", "path": "/spec/placement/ring", "value": {"of": 3}},
        {"op": "replace", "path": "/spec/placement/zones/1", "value": "b"}
    ]);
    assert_eq!(body(&Patch::json_between(&old, &new)), steps);
}

#[test]
fn free_json_of_any_depth_is_compared() {
    let deep = |depth: usize, inner: &str| -> RawJson {
        format!("{}{inner}{}", "[".repeat(depth), "]".repeat(depth)).parse().unwrap()
    };
    let [old, new] = [deep(100_000, "1"), deep(100_000, "2")];
    let patch = Patch::json_between(&old, &new);
    assert!(patch.body().len() < 3 * new.as_str().len(), "{} bytes", patch.body().len());
}

#[test]
fn elements_without_keys_are_tested_as_a_whole() {
    let toleration = |key: &str| Toleration { key: Some(key.to_owned()), ..Default::default() };
    let [mut old, mut new] =
        pods(|spec| spec.tolerations = Some(vec![toleration("a"), toleration("c")]));
    old.spec.as_mut().unwrap().tolerations = Some(vec![toleration("a"), toleration("b")]);
    for pod in [&mut old, &mut new] {
        pod.metadata.resource_version = Some(String::new());
    }
    let steps = json!([
        {"op": "test", "path": "/spec/tolerations/1", "value": {"key": "b"}},
        {"op": "replace", "path": "/spec/tolerations/1/key", "value": "c"}
    ]);
    assert_eq!(body(&Patch::json_between(&old, &new)), steps);
}

#[test]
fn merge_patches_carry_the_version_where_they_replace_a_list() {
    let [old, new] = with_sidecar();
    let patch = body(&Patch::merge_between(&old, &new).unwrap());
    assert_eq!(patch["metadata"], json!({"resourceVersion": "7"}));
    let mut patched = server();
    apply_merge(&mut patched, &patch);
    assert_eq!(patched, expected());
    let [old, new] = pods(|spec| spec.node_name = Some("node-1".to_owned()));
    let patch = body(&Patch::merge_between(&old, &new).unwrap());
    assert_eq!(patch, json!({"spec": {"nodeName": "node-1"}}));
}

#[test]
fn strategic_patches_find_elements_by_their_keys() {
    let [old, mut new] = with_sidecar();
    new.spec.as_mut().unwrap().containers.pop();
    let patch = body(&Patch::strategic_between(&old, &new).unwrap());
    let containers = json!([
        {"name": "app", "image": "app:2"},
        patch["spec"]["containers"][1],
        {"name": "log", "$patch": "delete"}
    ]);
    let order = json!([{"name": "app"}, {"name": "proxy"}]);
    assert_eq!(
        patch,
        json!({"spec": {"containers": containers, "$setElementOrder/containers": order}})
    );
    let mut patched = server();
    apply_strategic(&mut patched, &patch, &schemas::schema_of::<Pod>()).unwrap();
    let mut expected = expected();
    expected["spec"]["containers"].as_array_mut().unwrap().pop();
    assert_eq!(patched, expected);
}

#[test]
fn strategic_patches_refuse_what_they_would_garble() {
    let port = |protocol| ContainerPort {
        container_port: 53,
        protocol: Some(protocol),
        ..ContainerPort::default()
    };
    let [old, new] = pods(|spec| {
        spec.containers[0].ports =
            Some(vec![port(ContainerPortProtocol::TCP), port(ContainerPortProtocol::UDP)]);
    });
    // Where there were none the whole list is set.
    assert!(Patch::strategic_between(&old, &new).is_ok());
    let mut changed = new.clone();
    changed.spec.as_mut().unwrap().containers[0].ports.as_mut().unwrap()[1].name =
        Some("dns".to_owned());
    let error = Patch::strategic_between(&new, &changed).unwrap_err();
    let message = "several elements have the `containerPort` 53, and a strategic merge patch \
                   changes the first of them: use a JSON patch";
    assert_eq!(error.to_string(), format!("spec.containers[0].ports: {message}"));
    assert_eq!(error.path(), "spec.containers[0].ports");
}

#[test]
fn what_no_type_has_is_not_touched() {
    let [mut old, mut new] = with_sidecar();
    drop_unknown(&mut old);
    drop_unknown(&mut new);
    let json = Patch::json_between(&old, &new);
    let strategic = Patch::strategic_between(&old, &new).unwrap();
    let mut by_json = server();
    let mut by_strategic = server();
    apply_json(&mut by_json, &body(&json)).unwrap();
    apply_strategic(&mut by_strategic, &body(&strategic), &schemas::schema_of::<Pod>()).unwrap();
    assert_eq!([by_json, by_strategic], [expected(), expected()]);
}

#[test]
fn patches_between_equal_objects_are_empty() {
    let [old, new] = pods(|_| {});
    let patches = [Patch::json_between(&old, &new), Patch::merge_between(&old, &new).unwrap()];
    assert!(patches.iter().chain(&Patch::strategic_between(&old, &new)).all(Patch::is_empty));
    assert!(differences(&old, &new).is_empty());
}

#[test]
fn differences_are_readable() {
    let [old, mut new] = with_sidecar();
    new.metadata.labels = Some([("app.kubernetes.io/name".to_owned(), "web".to_owned())].into());
    new.spec.as_mut().unwrap().containers.truncate(2);
    let shown: Vec<String> = differences(&old, &new).iter().map(ToString::to_string).collect();
    let expected = [
        r#"metadata.labels: absent → {"app.kubernetes.io/name":"web"}"#,
        r#"spec.containers[name="log"]: {"image":"log:1","name":"log","resources":{}} → absent"#,
        r#"spec.containers[name="app"].image: "app:1" → "app:2""#,
        r#"spec.containers[name="proxy"]: absent → {"image":"proxy:1","name":"proxy"}"#,
    ];
    assert_eq!(shown, expected);
    let debug = format!("{:?}", differences(&old, &new)[0]);
    assert_eq!(debug, r#"Difference { path: "metadata.labels", .. }"#);
}

#[test]
fn strategic_patches_merge_the_first_of_several_elements_and_delete_all() {
    let mut value = json!({"spec": {"containers": [{"name": "a", "image": "1"}, {"name": "b"}, {"name": "a"}]}});
    let patch = |changes: Value| json!({"spec": {"containers": changes}});
    let schema = schemas::schema_of::<Pod>();
    apply_strategic(
        &mut value,
        &patch(json!([{"name": "a", "image": "2"}, {"name": "c"}])),
        &schema,
    )
    .unwrap();
    let merged = [
        json!({"name": "a", "image": "2"}),
        json!({"name": "a"}),
        json!({"name": "c"}),
        json!({"name": "b"}),
    ];
    assert_eq!(value["spec"]["containers"], json!(merged));
    let deleted = patch(json!([{"name": "a", "$patch": "delete"}, {"name": "a", "tty": true}]));
    apply_strategic(&mut value, &deleted, &schema).unwrap();
    assert_eq!(
        value["spec"]["containers"],
        json!([{"name": "a", "tty": true}, {"name": "c"}, {"name": "b"}])
    );
}

#[test]
fn paths_of_errors_are_short() {
    let long = "a".repeat(100_000);
    let patch = json!([{"op": "remove", "path": format!("/{long}/b")}]);
    let error = apply_json(&mut json!({}), &patch).unwrap_err();
    assert!(error.path().starts_with("/aaa") && error.path().ends_with("aaa/b"));
    let fields = json!({ format!("f:{long}"): {"f:b": {}, "f:c": {}} });
    let set = FieldSet::from_fields_v1(&fields).unwrap();
    let longest = set
        .paths()
        .iter()
        .map(|path| path.chars().count())
        .max()
        .unwrap()
        .max(error.path().chars().count());
    assert!((500..=1001).contains(&longest), "{longest}");
    assert_eq!(set.paths().len(), 2);
}

#[test]
fn operations_are_parsed_and_encoded() {
    let steps = json!([
        {"op": "add", "path": "/a~1b", "value": {"c": 1}},
        {"op": "remove", "path": "/d"},
        {"op": "replace", "path": "/e", "value": "f"},
        {"op": "move", "from": "/g", "path": "/h"},
        {"op": "copy", "from": "/i", "path": "/j"},
        {"op": "test", "path": "/k", "value": null}
    ]);
    let built = [
        PatchOperation::add("/a~1b", &json!({"c": 1})),
        PatchOperation::remove("/d"),
        PatchOperation::replace("/e", &"f"),
        PatchOperation::move_from("/g", "/h"),
        PatchOperation::copy_from("/i", "/j"),
        PatchOperation::test("/k", &Value::Null),
    ];
    assert_eq!(PatchOperation::parse_list(&steps).unwrap(), built);
    assert_eq!(body(&Patch::json(&built)), steps);
    assert_eq!(
        format!("{:?}", built[0]),
        r#"PatchOperation { op: "add", path: "/a~1b", from: None }"#
    );
    let failure = |steps: Value| PatchOperation::parse_list(&steps).unwrap_err().to_string();
    assert_eq!(failure(json!({})), "a JSON patch is a list of operations");
    assert_eq!(failure(json!([{"op": "put"}])), "[0]: `op` is not an operation of a JSON patch");
    assert_eq!(failure(json!([{"op": "remove"}])), "[0]: the operation has no `path`");
    assert_eq!(failure(json!([{"op": "add", "path": "/a"}])), "[0]: the operation has no `value`");
    assert_eq!(failure(json!([{"op": "copy", "path": "/a"}])), "[0]: the operation has no `from`");
}

#[test]
fn copies_do_not_grow_without_bound() {
    let double = json!({"op": "copy", "from": "", "path": "/-"});
    let mut value = json!([]);
    let error = apply_json(&mut value, &Value::from(vec![double; 64])).unwrap_err();
    assert_eq!(error.to_string(), "/-: the copies are much larger than the value and the patch");
    let mut value = json!({"a": {("k".repeat(100_000)): 1}});
    let copies: Vec<_> =
        (0..1000).map(|at| json!({"op": "copy", "from": "/a", "path": format!("/{at}")})).collect();
    let error = apply_json(&mut value, &Value::from(copies)).unwrap_err().to_string();
    assert!(error.ends_with("the copies are much larger than the value and the patch"), "{error}");
}

/// A list shifts the elements behind one that is inserted or removed: steps times length.
#[test]
fn patches_shift_a_bounded_number_of_elements() {
    let step = |op: &str, path: &str| json!({"op": op, "path": path, "from": "/l/0", "value": 1});
    let patched = |length: usize, step: Value, steps: usize| {
        let mut value = json!({ "l": vec![0; length] });
        apply_json(&mut value, &Value::from(vec![step; steps])).map_err(|error| error.to_string())
    };
    for (step, path) in [
        (step("add", "/l/0"), "/l/0"),
        (step("remove", "/l/0"), "/l/0"),
        (step("move", "/l/0"), "/l/0"),
        (step("copy", "/l/0"), "/l/0"),
        (step("move", "/l/-"), "/l/0"),
        (json!({"op": "move", "from": "/l/99000", "path": "/l/0"}), "/l/0"),
    ] {
        let message = format!(
            "{path}: the steps shift more than 50000000 elements of lists; use fewer, or \
             `replace` the list"
        );
        assert_eq!(patched(100_000, step, 1_100), Err(message));
    }
    // As many steps as servers take, on a list that they keep.
    assert_eq!(patched(10_000, step("remove", "/l/0"), 10_000), Ok(()));
    assert_eq!(patched(100_000, step("add", "/l/-"), 10_000), Ok(()));
    assert_eq!(patched(100_000, step("replace", "/l/0"), 10_000), Ok(()));
}

#[test]
fn moves_do_not_nest_without_bound() {
    let wrap = [
        json!({"op": "add", "path": "/b", "value": {}}),
        json!({"op": "move", "from": "/a", "path": "/b/a"}),
        json!({"op": "move", "from": "/b", "path": "/a"}),
    ];
    let mut value = json!({"a": 1});
    let nested = |times: usize| Value::from(vec![wrap.to_vec(); times].concat());
    let error = apply_json(&mut value, &nested(1000)).unwrap_err();
    assert_eq!(error.to_string(), "/b/a: nested more than 256 levels deep");
    assert_eq!(value, json!({"a": 1}));
    apply_json(&mut value, &nested(2)).unwrap();
    assert_eq!(value, json!({"a": {"a": {"a": 1}}}));
}

/// The table in RFC 7386.
#[test]
fn merge_patches_are_applied_as_the_rfc_shows() {
    let table = [
        (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
        (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
        (json!({"a": "b"}), json!({"a": null}), json!({})),
        (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
        (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
        (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
        (json!({"a": {"b": "c"}}), json!({"a": {"b": "d", "c": null}}), json!({"a": {"b": "d"}})),
        (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
        (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
        (json!({"a": "b"}), json!(["c"]), json!(["c"])),
        (json!({"a": "foo"}), json!(null), json!(null)),
        (json!({"a": "foo"}), json!("bar"), json!("bar")),
        (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
        (json!([1, 2]), json!({"a": "b", "c": null}), json!({"a": "b"})),
        (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
    ];
    for (mut target, patch, result) in table {
        apply_merge(&mut target, &patch);
        assert_eq!(target, result, "{patch}");
    }
}

/// A server removes them from what a strategic merge patch adds, also within lists.
#[test]
fn strategic_patches_refuse_null_within_lists() {
    let old = ObjectMeta::default();
    for fields in [r#"{"f:a":[{"f:b":null}]}"#, r#"{"f:a":{"f:b":[[{"f:c":null}]]}}"#] {
        let entry =
            json!([{"manager": "m", "fieldsV1": serde_json::from_str::<Value>(fields).unwrap()}]);
        let new: ObjectMeta = serde_json::from_value(json!({"managedFields": entry})).unwrap();
        let error = Patch::strategic_between(&old, &new).unwrap_err().to_string();
        let expected = "managedFields: a strategic merge patch cannot set `null`: use a JSON patch";
        assert_eq!(error, expected);
    }
}
