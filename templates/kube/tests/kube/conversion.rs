//! Objects between generated code, kube and JSON.

use k8s_openapi::apimachinery::pkg::apis::meta::v1 as k8s;
use kapigen_kube::{Kube, KubeResource};
use kapigen_runtime::Unknown;
use openshift_api::core_v1::{Event, Pod};
use openshift_api::image_v1::Image;
use openshift_api::jiff::Timestamp;
use openshift_api::meta_v1::{FieldsV1, ManagedFieldsEntry, ObjectMeta, OwnerReference};
use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

/// The objects of a kind in a folder of `tests/fixtures`.
fn fixtures<T: KubeResource>(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(folder);
    let files = folder.read_dir().expect("fixtures").map(|file| file.unwrap().path());
    let is_meant = |text: &String| {
        let object: Value = serde_json::from_str(text).unwrap();
        object.get("kind").is_none_or(|kind| kind == T::KIND) && object.get("items").is_none()
    };
    let texts: Vec<_> =
        files.map(|file| std::fs::read_to_string(file).unwrap()).filter(is_meant).collect();
    assert!(texts.len() > 5, "{}", folder.display());
    texts
}

fn keeps_all<T: KubeResource>(folder: &str) {
    for text in fixtures::<T>(folder) {
        let plain: T = serde_json::from_str(&text).expect("an object");
        let object: Kube<T> = serde_json::from_str(&text).expect("an object");
        let mut expected = serde_json::to_value(&plain).unwrap();
        for (name, value) in [("apiVersion", T::API_VERSION), ("kind", T::KIND)] {
            expected.as_object_mut().unwrap().entry(name).or_insert_with(|| value.into());
        }
        assert_eq!(serde_json::to_value(&object).unwrap(), expected);
        assert_eq!(object.clone().into_inner(), plain);
        assert_eq!(Kube::from(plain), object);
    }
}

#[test]
fn keeps_all_that_the_kind_keeps() {
    keeps_all::<Pod>("pods");
    keeps_all::<Image>("images");
    keeps_all::<Event>("events");
}

#[test]
fn states_its_kind_like_all_types_of_kube() {
    for text in ["{}", r#"{"kind":""}"#, r#"{"apiVersion":"v1"}"#] {
        let pod: Kube<Pod> = serde_json::from_str(text).unwrap();
        assert_eq!(
            serde_json::to_value(&pod).unwrap(),
            json!({"apiVersion": "v1", "kind": "Pod"}),
            "{text}"
        );
    }
    // Old servers have images in the core group.
    let legacy = r#"{"kind":"Image","apiVersion":"v1","metadata":{}}"#;
    let image: Kube<Image> = serde_json::from_str(legacy).unwrap();
    assert_eq!(
        serde_json::to_value(&image).unwrap(),
        serde_json::from_str::<Value>(legacy).unwrap()
    );
}

/// The metadata of a pod as it is encoded.
fn encoded(pod: &Kube<Pod>) -> String {
    let text = serde_json::to_string(pod).unwrap();
    let metadata = text.strip_prefix(r#"{"apiVersion":"v1","kind":"Pod","metadata":"#);
    metadata.and_then(|text| text.strip_suffix('}')).unwrap_or(&text).to_owned()
}

#[test]
fn encodes_the_metadata_of_kube() {
    let mut pod: Kube<Pod> = serde_json::from_str(r#"{"status":{}}"#).unwrap();
    assert_eq!(
        serde_json::to_string(&pod).unwrap(),
        r#"{"apiVersion":"v1","kind":"Pod","status":{}}"#
    );
    pod.metadata.name = Some("web".to_owned());
    let expected = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"status":{}}"#;
    assert_eq!(serde_json::to_string(&pod).unwrap(), expected);
    assert_eq!(encoded(&Kube::default()), "{}");
}

#[test]
fn times_of_kube_win() {
    let mut pod: Kube<Pod> =
        serde_json::from_str(r#"{"metadata":{"deletionTimestamp":"9999-12-31T23:59:59Z"}}"#)
            .unwrap();
    assert_eq!(encoded(&pod), r#"{"deletionTimestamp":"9999-12-31T23:59:59Z"}"#);
    pod.metadata.deletion_timestamp = Some(k8s::Time("2024-05-01T12:00:00Z".parse().unwrap()));
    assert_eq!(encoded(&pod), r#"{"deletionTimestamp":"2024-05-01T12:00:00Z"}"#);
    pod.metadata.deletion_timestamp = None;
    assert_eq!(encoded(&pod), "{}");
}

#[test]
fn errors_name_the_path() {
    let error =
        serde_json::from_str::<Kube<Pod>>(r#"{"metadata":{"labels":{"a":1}}}"#).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("metadata.labels.a: invalid type: integer `1`, expected a string"),
        "{error}"
    );
}

#[test]
fn metadata_is_moved() {
    let name = "web".to_owned();
    let start = name.as_ptr();
    let object = Kube::from(Pod {
        metadata: ObjectMeta { name: Some(name), ..<_>::default() },
        ..<_>::default()
    });
    assert_eq!(object.metadata.name.as_deref().unwrap().as_ptr(), start);
    assert_eq!((*object).metadata, ObjectMeta::default());
    let name = object.into_inner().metadata.name.unwrap();
    assert_eq!(name.as_ptr(), start);
}

const MANAGED: &str = r#"{"metadata":{"managedFields":[{"fieldsV1":{"f:spec": {}},"manager":"a","new":1}],"new":[2]}}"#;

#[test]
fn managed_fields_are_not_parsed() {
    let mut pod: Kube<Pod> = serde_json::from_str(MANAGED).unwrap();
    assert_eq!(pod.metadata, k8s::ObjectMeta::default());
    assert_eq!(pod.managed_fields()[0].fields_v1.as_ref().unwrap().as_str(), r#"{"f:spec":{}}"#);
    let expected =
        r#"{"managedFields":[{"fieldsV1":{"f:spec":{}},"manager":"a","new":1}],"new":[2]}"#;
    assert_eq!(encoded(&pod), expected);
    pod.managed_fields_mut().clear();
    assert_eq!(encoded(&pod), r#"{"managedFields":[],"new":[2]}"#);
    pod.strip_managed_fields();
    assert_eq!(encoded(&pod), r#"{"new":[2]}"#);
}

#[test]
fn managed_fields_of_programs_win() {
    let mut pod: Kube<Pod> = serde_json::from_str(MANAGED).unwrap();
    let fields_v1 = Some(k8s::FieldsV1(json!({"f:status": {}})));
    let time = Some(k8s::Time("2024-05-01T12:00:00Z".parse().unwrap()));
    pod.metadata.managed_fields =
        Some(vec![k8s::ManagedFieldsEntry { fields_v1, time, ..<_>::default() }]);
    let expected = r#"{"managedFields":[{"fieldsV1":{"f:status":{}},"time":"2024-05-01T12:00:00Z"}],"new":[2]}"#;
    assert_eq!(encoded(&pod), expected);
    pod.strip_managed_fields();
    assert_eq!(encoded(&pod), r#"{"new":[2]}"#);
}

#[test]
fn unknown_members_of_owners_stay_with_them() {
    let owner = |uid: &str, more: &str| {
        format!(r#"{{"apiVersion":"v1","kind":"Node","name":"n","uid":"{uid}"{more}}}"#)
    };
    let first = owner("1", r#","new":true"#);
    let second = owner("2", "");
    let text = format!(r#"{{"metadata":{{"ownerReferences":[{first},{second}]}}}}"#);
    let mut pod: Kube<Pod> = serde_json::from_str(&text).unwrap();
    assert_eq!(encoded(&pod), format!(r#"{{"ownerReferences":[{first},{second}]}}"#));
    let owners = pod.metadata.owner_references.as_mut().unwrap();
    owners.reverse();
    owners.push(k8s::OwnerReference { uid: "3".to_owned(), ..<_>::default() });
    let third = r#"{"apiVersion":"","kind":"","name":"","uid":"3"}"#;
    let text = format!(r#"{{"metadata":{{"ownerReferences":[{second},{first},{third}]}}}}"#);
    assert_eq!(serde_json::to_string(&pod.into_inner()).unwrap(), text);
}

fn time() -> impl Strategy<Value = openshift_api::meta_v1::Time> {
    let seconds = -30_000_000_000_i64..253_402_200_000;
    let known = seconds.prop_map(|second| Timestamp::from_second(second).unwrap().into());
    prop_oneof![4 => known, 1 => Just("9999-12-31T23:59:59Z".parse().unwrap())]
}

fn unknown() -> impl Strategy<Value = Unknown> {
    btree_map("[x-z]{3}", any::<i64>(), 0..2).prop_map(|members| {
        let mut unknown = Unknown::default();
        for (name, value) in members {
            unknown.insert(name, FieldsV1::from_value(&value.into()));
        }
        unknown
    })
}

fn owner(index: usize) -> impl Strategy<Value = OwnerReference> {
    let text = "[a-z]{0,3}";
    (text, of(any::<bool>()), of(any::<bool>()), text, text, unknown()).prop_map(
        move |(api_version, block_owner_deletion, controller, kind, name, unknown_)| {
            let uid = index.to_string();
            OwnerReference {
                api_version,
                block_owner_deletion,
                controller,
                kind,
                name,
                uid,
                unknown_,
            }
        },
    )
}

fn metadata() -> impl Strategy<Value = ObjectMeta> {
    let text = || of("[a-z]{0,3}");
    let texts = || of(btree_map("[a-z]{0,3}", "[a-z]{0,3}", 0..3));
    let entry = (text(), of(time())).prop_map(|(manager, time)| ManagedFieldsEntry {
        manager,
        time,
        ..<_>::default()
    });
    let names = (text(), text(), text(), text(), text(), text());
    let maps = (texts(), texts(), of(vec("[a-z]{0,3}", 0..3)));
    let numbers = (of(any::<i64>()), of(any::<i64>()), of(time()), of(time()));
    let owners = of((0..3_usize).prop_flat_map(|count| (0..count).map(owner).collect::<Vec<_>>()));
    (names, maps, numbers, owners, of(vec(entry, 0..3)), unknown()).prop_map(
        |(names, maps, numbers, owner_references, managed_fields, unknown_)| ObjectMeta {
            annotations: maps.0,
            creation_timestamp: numbers.2,
            deletion_grace_period_seconds: numbers.0,
            deletion_timestamp: numbers.3,
            finalizers: maps.2,
            generate_name: names.0,
            generation: numbers.1,
            labels: maps.1,
            managed_fields,
            name: names.1,
            namespace: names.2,
            owner_references,
            resource_version: names.3,
            self_link: names.4,
            uid: names.5,
            unknown_,
        },
    )
}

proptest! {
    #[test]
    fn metadata_is_moved_there_and_back(metadata in metadata()) {
        let pod = Pod { metadata, ..Pod::default() };
        let object = Kube::from(pod.clone());
        prop_assert_eq!(serde_json::to_string(&object).unwrap(), serde_json::to_string(&pod).unwrap());
        prop_assert_eq!(object.into_inner(), pod);
    }
}
