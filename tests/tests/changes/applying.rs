//! Server-side apply from typed objects, and the fields that one manager owns.

use kapigen_fake::change::{FieldWriter, apply_configuration};
use kapigen_tests::schemas;
use openshift_api::change::{extract, managers, merge};
use openshift_api::core_v1::{
    Container, ContainerPort, ContainerStatus, Endpoints, EnvVar, Pod, PodSpec, PodStatus, pods,
};
use openshift_api::meta_v1::{FieldsV1, ManagedFieldsEntry, ObjectMeta};
use openshift_api::params::PatchParams;
use openshift_api::request::InvalidRequest;
use openshift_api::{Error, Patch, Resource};
use serde_json::{Value, json};
use test_support::samples;

fn body(patch: &Patch) -> Value {
    serde_json::from_slice(patch.body()).expect("a patch is JSON")
}

fn reason(patch: &Patch) -> String {
    let params = PatchParams::default().field_manager("test");
    pods::patch("default", "web", patch, &params).unwrap_err().to_string()
}

fn named(name: &str) -> ObjectMeta {
    ObjectMeta { name: Some(name.to_owned()), ..Default::default() }
}

fn pod() -> Pod {
    let container = Container {
        name: "app".to_owned(),
        image: Some("app:1".to_owned()),
        env: Some(vec![EnvVar {
            name: String::new(),
            value: Some(String::new()),
            ..Default::default()
        }]),
        args: Some(Vec::new()),
        ports: Some(vec![ContainerPort::default()]),
        ..Default::default()
    };
    let spec = PodSpec {
        init_containers: Some(Vec::new()),
        containers: vec![container],
        ..Default::default()
    };
    Pod { metadata: named("web"), spec: Some(Box::new(spec)), ..Pod::default() }
}

#[test]
fn leaves_out_required_members_that_are_empty() {
    let patch = Patch::apply(&Pod { spec: Some(Box::default()), ..Pod::default() });
    assert_eq!(body(&patch), json!({"apiVersion": "v1", "kind": "Pod", "spec": {}}));
}

#[test]
fn sends_what_is_some_and_numbers_and_merge_keys() {
    let container = json!({
        "name": "app",
        "image": "app:1",
        "args": [],
        "env": [{"name": "", "value": ""}],
        "ports": [{"containerPort": 0}],
    });
    let spec = json!({"initContainers": [], "containers": [container]});
    let expected =
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": spec});
    assert_eq!(body(&Patch::apply(&pod())), expected);
}

/// As in a manifest or in an object from a server: empty members count as set if they were decoded,
/// not in new structs.
#[test]
fn sends_what_an_object_was_decoded_with() {
    let text = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[],"volumes":[{"name":""}]}}"#;
    let mut pod: Pod = openshift_api::from_str(text).unwrap();
    assert_eq!(body(&Patch::apply(&pod)), serde_json::from_str::<Value>(text).unwrap());
    let through_serde: Pod = serde_json::from_str(text).unwrap();
    assert_eq!(body(&Patch::apply(&through_serde)), body(&Patch::apply(&pod)));
    // An absent member stays absent, even one that a new struct requires.
    let text = text.replace(r#""containers":[],"#, "");
    assert_eq!(
        body(&Patch::apply(&openshift_api::from_str::<Pod>(&text).unwrap()))["spec"]
            .get("containers"),
        None
    );
    pod.status = Some(Box::new(PodStatus {
        container_statuses: Some(vec![ContainerStatus { ready: true, ..Default::default() }]),
        ..PodStatus::default()
    }));
    // A new struct was not decoded, wherever it is.
    let new = Patch::apply(&pod);
    let members: Vec<_> = new.error().unwrap().undecided().iter().map(|at| &*at.path).collect();
    assert_eq!(members, ["status.containerStatuses[0].restartCount"]);
    // A decoded member is sent, even after it has changed.
    let status = r#"{"status":{"containerStatuses":[{"ready":true,"restartCount":2}]}}"#;
    let mut pod: Pod = openshift_api::from_str(status).unwrap();
    let statuses = pod.status.as_mut().unwrap().container_statuses.as_mut().unwrap();
    (statuses[0].ready, statuses[0].restart_count) = (false, 0);
    let statuses = json!({"containerStatuses": [{"ready": false, "restartCount": 0}]});
    assert_eq!(body(&Patch::apply(&pod))["status"], statuses);
    // A struct of numbers alone is sent as it was decoded.
    let numbers = r#"{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","livenessProbe":{"grpc":{"port":0}}}]}}"#;
    let pod: Pod = openshift_api::from_str(numbers).unwrap();
    let probe = json!({"grpc": {"port": 0}});
    assert_eq!(body(&Patch::apply(&pod))["spec"]["containers"][0]["livenessProbe"], probe);
    // Merged into another object it is still set.
    let mut target = Pod::default();
    merge(&mut target, &pod).unwrap();
    assert_eq!(body(&Patch::apply(&target))["spec"], body(&Patch::apply(&pod))["spec"]);
}

#[test]
fn keeps_and_omits_by_path() {
    let patch = Patch::apply(&Pod { spec: Some(Box::default()), ..Pod::default() });
    assert_eq!(body(&patch.keep("spec.containers"))["spec"], json!({"containers": []}));
    let patch = Patch::apply(&pod()).omit("spec.containers.ports.containerPort");
    // It identifies the ports.
    assert_eq!(body(&patch)["spec"]["containers"][0]["ports"], json!([{"containerPort": 0}]));
}

#[test]
fn zeros_that_may_have_been_set_are_an_error_that_lists_them() {
    let statuses = vec![
        ContainerStatus { restart_count: 1, ..ContainerStatus::default() },
        ContainerStatus::default(),
    ];
    let status = PodStatus { container_statuses: Some(statuses), ..PodStatus::default() };
    let pod = Pod { status: Some(Box::new(status)), ..Pod::default() };
    let patch = Patch::apply(&pod);
    let list = "status.containerStatuses";
    assert_eq!(
        reason(&patch),
        format!(
            "the request cannot be made: the patch cannot be sent: {list}[0].ready, \
             {list}[1].ready, {list}[1].restartCount: a required 0 or false may have been set or \
             not: call `.keep(\"{list}[].ready\").keep(\"{list}[].restartCount\")` on the patch \
             to send it, or `.omit(\"{list}[].ready\").omit(\"{list}[].restartCount\")` to leave \
             it out"
        )
    );
    let patch = patch.omit("status.containerStatuses[].ready");
    let left: Vec<_> = patch.error().unwrap().undecided().iter().map(|at| &*at.member).collect();
    assert_eq!(left, ["status.containerStatuses[].restartCount"]);
    let sent = |patch: Patch| body(&patch)["status"]["containerStatuses"].clone();
    let kept = patch.clone().keep("status.containerStatuses.restartCount");
    assert_eq!(kept.error(), None);
    assert_eq!(sent(kept), json!([{"restartCount": 1}, {"restartCount": 0}]));
    let omitted = patch.omit("status.containerStatuses[].restartCount");
    assert_eq!(sent(omitted), json!([{"restartCount": 1}, {}]));
    // A path that does not resolve stays the error, whatever is decided after it.
    let wrong = Patch::apply(&pod).keep("status.container").omit("status.containerStatuses");
    assert!(reason(&wrong).contains("there is no member `container`"), "{}", reason(&wrong));
    let typed = InvalidRequest::Undecided(Patch::apply(&pod).error().unwrap().undecided().into());
    let params = PatchParams::default().field_manager("test");
    let error = pods::patch("default", "web", &Patch::apply(&pod), &params).unwrap_err();
    assert!(matches!(error, Error::Invalid(invalid) if invalid == typed));
}

#[test]
fn paths_are_checked_against_the_type() {
    let keep = |path: &str| reason(&Patch::apply(&pod()).keep(path));
    let prefix = "the request cannot be made: the patch cannot be sent: ";
    assert_eq!(
        keep("spec.container"),
        format!(
            "{prefix}spec.container: there is no member `container`, did you mean `containers`?"
        )
    );
    let optional =
        "the member is optional: it is sent if it is `Some`, and left out if it is `None`";
    assert_eq!(
        keep("spec.containers[].image"),
        format!("{prefix}spec.containers[].image: {optional}")
    );
    let alike = "all elements of a list, and all entries of a map, are treated alike: write `[]`";
    assert_eq!(
        keep("spec.containers[0].name"),
        format!("{prefix}spec.containers[0].name: {alike}")
    );
    let syntax = "the name of a member is missing at character 6 of the path";
    assert_eq!(keep("spec..containers"), format!("{prefix}spec..containers: {syntax}"));
    let merge = Patch::merge(&json!({})).keep("spec.containers");
    assert_eq!(reason(&merge), format!("{prefix}only an apply has members to keep or to omit"));
}

#[test]
fn items_of_lists_state_what_they_are_and_no_managers() {
    let mut item: Pod =
        openshift_api::from_str(r#"{"metadata":{"name":"web","managedFields":[{"manager":"a"}]}}"#)
            .unwrap();
    let expected = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}});
    assert_eq!(body(&Patch::apply(&item)), expected);
    item.api_version = None;
    assert_eq!(body(&Patch::apply(&item)), expected);
}

#[test]
fn merge_patches_are_objects() {
    let error = "the request cannot be made: the patch cannot be sent: a merge patch is an \
                 object, whose members change those of the server's object";
    assert_eq!(reason(&Patch::merge(&json!([]))), error);
    assert_eq!(reason(&Patch::strategic(&json!("text"))), error);
}

/// Applies an object as a manager, extracts its fields, and expects the applied object.
fn comes_back<T: Resource>(live: &Value, object: &T, manager: &str) -> Value {
    let sent = body(&Patch::apply(object));
    let writer =
        FieldWriter { name: manager, subresource: "", api_version: T::API_VERSION, time: None };
    let applied =
        apply_configuration(live, &sent, &schemas::schema_of::<T>(), &writer, true).unwrap();
    let typed: T = openshift_api::from_str(&applied.to_string()).unwrap();
    let extracted = extract(&typed, manager, "").unwrap();
    assert_eq!(body(&Patch::apply(&extracted)), sent);
    applied
}

#[test]
fn what_was_applied_is_extracted() {
    let mut object = pod();
    // Servers note no owner of an empty list that is merged.
    object.spec.as_mut().unwrap().init_containers = None;
    let live = comes_back(&Value::Null, &object, "first");
    let mut other = object.clone();
    other.spec.as_mut().unwrap().containers[0] =
        Container { name: "sidecar".to_owned(), ..Default::default() };
    let live = comes_back(&live, &other, "second");
    let names =
        live["spec"]["containers"].as_array().unwrap().iter().map(|container| &container["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["app", "sidecar"]);
    // A second, smaller apply removes the fields that only the first one had.
    let mut less = object;
    less.spec.as_mut().unwrap().containers[0].image = None;
    let live = comes_back(&live, &less, "first");
    assert_eq!(live["spec"]["containers"][0].get("image"), None);
}

#[test]
fn empty_members_that_a_manager_owns_stay_its_own() {
    let entry = |fields: &str| ManagedFieldsEntry {
        manager: Some("a".to_owned()),
        operation: Some("Apply".to_owned()),
        fields_v1: Some(fields.parse::<FieldsV1>().unwrap()),
        ..Default::default()
    };
    let mut live = Pod { metadata: named("web"), spec: Some(Box::default()), ..Pod::default() };
    live.metadata.managed_fields = Some(vec![entry(r#"{"f:spec":{"f:containers":{}}}"#)]);
    let owned = extract(&live, "a", "").unwrap();
    assert_eq!(body(&Patch::apply(&owned))["spec"], json!({"containers": []}));
    live.metadata.managed_fields = Some(vec![entry(r#"{"f:spec":{}}"#)]);
    let owned = extract(&live, "a", "").unwrap();
    assert_eq!(body(&Patch::apply(&owned))["spec"], json!({}));
}

#[test]
fn managers_that_are_wrong_are_errors_with_a_path() {
    let mut live = pod();
    let error = extract(&live, "a", "").unwrap_err();
    assert_eq!(error.to_string(), "metadata.managedFields: no manager `a`; there are: none");
    let entry = |fields: &str| ManagedFieldsEntry {
        manager: Some("b".to_owned()),
        subresource: Some("status".to_owned()),
        fields_v1: Some(fields.parse::<FieldsV1>().unwrap()),
        ..Default::default()
    };
    live.metadata.managed_fields = Some(vec![entry("{}")]);
    let error = extract(&live, "b", "").unwrap_err();
    assert_eq!(
        error.to_string(),
        "metadata.managedFields: no manager `b`; there are: `b` of `status`"
    );
    let invalid = |fields: &str| {
        let mut live = pod();
        live.metadata.managed_fields = Some(vec![entry(fields)]);
        managers(&live).unwrap_err().to_string()
    };
    let at = "metadata.managedFields[0].fieldsV1";
    let kinds = "is not part of a path: it begins with f:, k:, v: or i:";
    assert_eq!(invalid(r#"{"f:spec":{"x":{}}}"#), format!("{at}.spec: `x` {kinds}"));
    assert_eq!(invalid(r#"{"f:spec":{"k:[]":{}}}"#), format!("{at}.spec: `k:[]` {kinds}"));
    assert_eq!(invalid(r#"{"f:spec":1}"#), format!("{at}.spec: expected an object of fields"));
    assert_eq!(invalid("[]"), format!("{at}: expected an object of fields"));
    assert_eq!(invalid("1e400"), format!("{at}: number out of range at line 1 column 5"));
}

/// Extracts each manager's part of all objects of a kind, and applies it to the object again:
/// nothing changes but what is decoded.
fn extracts_of<T: Resource>() -> usize {
    let mut count = 0;
    for sample in
        samples::recorded().iter().filter(|sample| sample.kind() == (T::API_VERSION, T::KIND))
    {
        let live: T = openshift_api::from_str(&sample.text).unwrap();
        let all = managers(&live).unwrap();
        for manager in &all {
            let again = all.iter().filter(|other| {
                (&other.name, &other.subresource) == (&manager.name, &manager.subresource)
            });
            if again.count() > 1 || all.len() < 2 {
                continue;
            }
            let part = extract(&live, &manager.name, &manager.subresource).unwrap();
            let mut merged = live.clone();
            let same = live.clone();
            merge(&mut merged, &part).unwrap();
            assert_eq!(merged, same, "{} {}", sample.file, manager.name);
            let sent = body(&Patch::apply(&part));
            let writer = FieldWriter {
                name: &manager.name,
                subresource: &manager.subresource,
                api_version: "v1",
                time: None,
            };
            let applied = apply_configuration(
                &Value::Null,
                &sent,
                &schemas::schema_of::<T>(),
                &writer,
                false,
            )
            .unwrap();
            let applied: T = openshift_api::from_str(&applied.to_string()).unwrap();
            let extracted = extract(&applied, &manager.name, &manager.subresource).unwrap();
            assert_eq!(body(&Patch::apply(&extracted)), sent, "{} {}", sample.file, manager.name);
            count += 1;
        }
    }
    count
}

#[test]
fn parts_of_recorded_objects_come_back() {
    let counts = [extracts_of::<Pod>(), extracts_of::<Endpoints>()];
    assert!(counts.iter().sum::<usize>() > 20, "{counts:?}");
}

#[test]
fn merging_goes_by_keys_and_leaves_what_is_not_set() {
    let mut target = pod();
    let mut other = Pod { spec: Some(Box::default()), ..Pod::default() };
    other.metadata.labels = Some([("app".to_owned(), "web".to_owned())].into());
    other.spec.as_mut().unwrap().containers = vec![
        Container { name: "sidecar".to_owned(), ..Default::default() },
        Container { name: "app".to_owned(), image: Some("app:2".to_owned()), ..Default::default() },
    ];
    merge(&mut target, &other).unwrap();
    let spec = target.spec.unwrap();
    let found: Vec<_> = spec
        .containers
        .iter()
        .map(|container| (&*container.name, container.image.as_deref()))
        .collect();
    assert_eq!(found, [("sidecar", None), ("app", Some("app:2"))]);
    assert_eq!(spec.containers[1].ports.as_ref().unwrap().len(), 1);
    assert_eq!(target.metadata.name.as_deref(), Some("web"));
}

#[test]
fn merging_refuses_keys_that_occur_twice() {
    let mut target = pod();
    let mut other = pod();
    let container = other.spec.as_ref().unwrap().containers[0].clone();
    other.spec.as_mut().unwrap().containers.push(container);
    let error = merge(&mut target, &other).unwrap_err();
    assert_eq!(error.to_string(), "spec.containers[1]: another element has the same key");
    assert_eq!(target, pod());
}

#[test]
fn merging_refuses_deep_free_json_and_other_kinds() {
    let free = |value: &str| -> Pod {
        openshift_api::from_str(&format!(r#"{{"free":{{"a":{value}}}}}"#)).unwrap()
    };
    let deep =
        |levels: usize| free(&format!("{}1{}", r#"{"b":"#.repeat(levels), "}".repeat(levels)));
    let mut target = deep(60);
    merge(&mut target, &deep(60)).unwrap();
    let error = merge(&mut target, &deep(64)).unwrap_err();
    assert_eq!(error.to_string(), "free: free JSON nested more than 64 levels deep");
    let error =
        merge(&mut target, &Pod { kind: Some("Node".to_owned()), ..Pod::default() }).unwrap_err();
    assert_eq!(error.to_string(), "expected kind `Pod` of `v1`, found kind `Node` of `v1`");
    assert_eq!(target, deep(60));
}

#[test]
fn merging_keeps_the_spelling_of_free_json() {
    let free = |value: &str| -> Pod {
        openshift_api::from_str(&format!(r#"{{"free":{value}}}"#)).unwrap()
    };
    let mut target = free(r#"{"a":{"old":1.50,"both":1}}"#);
    merge(&mut target, &free(r#"{"a":{"both":123456789012345678901,"new":[]}}"#)).unwrap();
    let expected = r#"{"a":{"both":123456789012345678901,"new":[],"old":1.50}}"#;
    assert_eq!(target.unknown_.get("free").unwrap().as_str(), expected);
}
