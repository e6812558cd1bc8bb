//! Masks: the members that they decode, errors of their paths, and the ways to write that masked
//! objects refuse.

use openshift_api::admission::{AdmissionRequest, ReviewError};
use openshift_api::change::{PatchOperation, merge};
use openshift_api::coordination_v1::Lease;
use openshift_api::core_v1::{Endpoints, Event, Pod, PodList, pods};
use openshift_api::dynamic::{self, Object};
use openshift_api::http::{HeaderMap, StatusCode};
use openshift_api::image_v1::Image;
use openshift_api::mask::{FieldMask, Masked, is_masked};
use openshift_api::params::{CreateParams, ListParams, PatchParams, ReplaceParams, WatchParams};
use openshift_api::prelude::*;
use openshift_api::request::InvalidRequest;
use openshift_api::watch::WatchEvent;
use openshift_api::{AnyResource, Error, Items, Patch, Request, from_str};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use test_support::random::Random;
use test_support::samples::{self, Sample};

const ALWAYS: [&str; 8] = [
    "apiVersion",
    "kind",
    "metadata.deletionTimestamp",
    "metadata.finalizers",
    "metadata.name",
    "metadata.namespace",
    "metadata.resourceVersion",
    "metadata.uid",
];

fn get() -> Request<Pod> {
    pods::get("default", "web", &openshift_api::params::GetParams::default()).unwrap()
}

/// Decodes an object by a mask.
fn by<T: AnyResource>(mask: &FieldMask<T>, text: &str) -> Result<Masked<T>, Error> {
    let request = get().decode_as::<T>().masked(mask);
    Ok(request.decode_parts(StatusCode::OK, &HeaderMap::new(), text.as_bytes())?.body)
}

/// A step of a path, in the form of the oracle: the name of a member or a key.
type Path = Vec<String>;

/// Any path to a member of a value.
fn any_path(value: &Value, random: &mut Random) -> Path {
    let mut path = Path::new();
    let mut value = value;
    loop {
        match value {
            Value::Object(members)
                if !members.is_empty() && (path.is_empty() || random.below(4) > 0) =>
            {
                let (key, member) = members.iter().nth(random.below(members.len())).unwrap();
                path.push(key.clone());
                value = member;
            }
            Value::Array(elements) if !elements.is_empty() => {
                value = &elements[random.below(elements.len())];
            }
            _ => return path,
        }
    }
}

/// The path as masks have it.
fn written(path: &Path) -> String {
    let mut text = String::new();
    for key in path {
        let is_plain =
            !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match (is_plain, text.is_empty()) {
            (true, true) => text.push_str(key),
            (true, false) => text.extend([".", key.as_str()]),
            (false, _) => text.extend(["[", format!("{key:?}").as_str(), "]"]),
        }
    }
    text
}

/// The decoded part of a value: all of it, or some members.
enum Kept<'a> {
    All,
    Members(BTreeMap<&'a str, Kept<'a>>),
}

impl<'a> Kept<'a> {
    fn new(paths: impl Iterator<Item = &'a [String]>) -> Self {
        let mut root = Kept::Members(BTreeMap::new());
        for path in paths {
            root.add(path);
        }
        root
    }

    fn add(&mut self, path: &'a [String]) {
        match (path.split_first(), &mut *self) {
            (None, _) => *self = Kept::All,
            (Some((key, rest)), Kept::Members(members)) => {
                members.entry(key).or_insert_with(|| Kept::Members(BTreeMap::new())).add(rest);
            }
            (Some(_), Kept::All) => {}
        }
    }

    fn only(&self, value: &Value) -> Value {
        match (self, value) {
            (Kept::Members(kept), Value::Object(members)) => {
                let members = members.iter().filter_map(|(key, value)| {
                    Some((key.clone(), kept.get(key.as_str())?.only(value)))
                });
                members.collect::<Map<_, _>>().into()
            }
            (Kept::Members(_), Value::Array(elements)) => {
                elements.iter().map(|value| self.only(value)).collect()
            }
            _ => value.clone(),
        }
    }
}

fn remove(value: &mut Value, path: &[String]) {
    match value {
        Value::Object(members) if path.len() == 1 => _ = members.remove(&path[0]),
        Value::Object(members) => {
            if let Some(value) = members.get_mut(&path[0]) {
                remove(value, &path[1..]);
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(|value| remove(value, path)),
        _ => {}
    }
}

/// The version and kind for a type of any objects.
const ANY: [&str; 2] = [""; 2];

/// Checks a type by all objects of its version and kind. Returns the number of masks that were
/// tried.
fn check<T: AnyResource>(kind: [&str; 2], samples: &[Sample], random: &mut Random) -> usize {
    let always: Vec<Path> =
        ALWAYS.iter().map(|path| path.split('.').map(str::to_owned).collect()).collect();
    let mut count = 0;
    for sample in samples {
        let stated = ["apiVersion", "kind"].map(|name| sample.value[name].as_str());
        if kind != ANY && stated != kind.map(Some) || sample.value.get("metadata").is_none() {
            continue;
        }
        for _ in 0..2 {
            let paths: Vec<Path> =
                (0..random.below(5)).map(|_| any_path(&sample.value, random)).collect();
            // For a type, only paths of members that it knows.
            let paths: Vec<Path> = paths
                .into_iter()
                .filter(|path| FieldMask::<T>::only([written(path)]).is_ok())
                .collect();
            let texts: Vec<String> = paths.iter().map(written).collect();
            let only = FieldMask::<T>::only(&texts).unwrap();
            let expected =
                Kept::new(paths.iter().chain(&always).map(Vec::as_slice)).only(&sample.value);
            let expected: T = from_str(&expected.to_string()).unwrap();
            let found = by(&only, &sample.text).unwrap();
            assert_eq!(found.get(), &expected, "{} by {only}", sample.file);
            assert!(is_masked(found.get()), "{} by {only}", sample.file);

            let outside: Vec<&Path> = paths.iter().filter(|path| !always.contains(path)).collect();
            let texts: Vec<String> = outside.iter().map(|path| written(path)).collect();
            let without = FieldMask::<T>::all().without(&texts).unwrap();
            let mut rest = sample.value.clone();
            for path in &outside {
                remove(&mut rest, path);
            }
            let always = Kept::new(always.iter().map(Vec::as_slice)).only(&sample.value);
            let rest: T = from_str(&with(rest, always).to_string()).unwrap();
            assert_eq!(
                by(&without, &sample.text).unwrap().get(),
                &rest,
                "{} by {without}",
                sample.file
            );

            // Together they have everything, unless a parent is in one and its child in the other.
            let all = from_str::<T>(&sample.text).unwrap();
            assert_eq!(
                by(&(only.clone() | without.clone()), &sample.text).unwrap().get(),
                &all,
                "{only} | {without}"
            );
            assert_eq!(only.clone() | only.clone(), only);
            count += 1;
        }
    }
    count
}

/// A value with the members of another one, where it lacks them.
fn with(mut value: Value, other: Value) -> Value {
    if let (Value::Object(members), Value::Object(others)) = (&mut value, other) {
        for (key, other) in others {
            let member = members.remove(&key);
            let member = member.map_or(other.clone(), |member| with(member, other));
            members.insert(key, member);
        }
    }
    value
}

fn check_all(samples: &[Sample]) {
    let mut random = Random::seeded();
    let counts = [
        check::<Pod>(["v1", "Pod"], samples, &mut random),
        check::<Event>(["v1", "Event"], samples, &mut random),
        check::<Lease>(["coordination.k8s.io/v1", "Lease"], samples, &mut random),
        check::<Endpoints>(["v1", "Endpoints"], samples, &mut random),
        check::<Image>(["image.openshift.io/v1", "Image"], samples, &mut random),
        check::<Object>(ANY, samples, &mut random),
    ];
    assert!(counts.iter().all(|count| *count >= 8), "{counts:?}");
}

#[test]
fn decodes_what_is_left_of_an_object_without_the_rest() {
    check_all(&samples::fixtures());
}

#[test]
fn decodes_what_is_left_of_recorded_objects() {
    check_all(&[samples::recorded(), samples::of_shared_kinds()].concat());
}

#[test]
fn errors_of_paths_show_the_form_to_use() {
    let paths = [
        "spec.nodName",
        "spec.nodeName.x",
        "spec.containers[0].image",
        "spec.containers[*].image",
        "spec.containers[name].image",
        "metadata.labels.app.kubernetes.io/name",
        "metadata[\"name\"]",
        "spec[].nodeName",
        "Spec",
        "",
        "spec..x",
        "spec.volumes.persistentVolumeClam",
        "status.podIPs.ip.x",
    ];
    let error = FieldMask::<Pod>::only(paths).unwrap_err();
    assert_eq!(
        error.problems(),
        [
            "`spec.nodName`: `spec`, a PodSpec, has no member `nodName`; did you mean \
             `spec.nodeName`?",
            "`spec.nodeName.x`: `spec.nodeName` is a single value, without members: write \
             `spec.nodeName`",
            "`spec.containers[0].image`: a mask has all elements of a list: write \
             `spec.containers.image`",
            "`spec.containers[name].image`: a mask has all elements of a list: write \
             `spec.containers.image`",
            "`metadata.labels.app.kubernetes.io/name`: a key with a dot needs brackets: write \
             `metadata.labels[\"app.kubernetes.io/name\"]`",
            "`metadata[\"name\"]`: `metadata`, an ObjectMeta, is not a map: write `metadata.name`",
            "`spec[].nodeName`: `spec`, a PodSpec, has no elements: write `spec.nodeName`",
            "`Spec`: a Pod has no member `Spec`; did you mean `spec`?",
            "``: the name of a member is missing at character 1 of the path",
            "`spec..x`: the name of a member is missing at character 6 of the path",
            "`spec.volumes.persistentVolumeClam`: `spec.volumes`, a Volume, has no member \
             `persistentVolumeClam`; did you mean `spec.volumes.persistentVolumeClaim`?",
            "`status.podIPs.ip.x`: `status.podIPs.ip` is a single value, without members: write \
             `status.podIPs.ip`",
        ]
    );
    assert!(
        error.to_string().starts_with("the mask does not fit Pod: `spec.nodName`: "),
        "{error}"
    );
    let error = FieldMask::<Pod>::all().without([
        "metadata.uid",
        "metadata.finalizers[]",
        "metadata.finalizers[*]",
    ]);
    assert_eq!(
        error.unwrap_err().to_string(),
        "the mask does not fit Pod: `metadata.uid`: it is always decoded; \
         `metadata.finalizers[]`: it is always decoded; `metadata.finalizers[*]`: it is always \
         decoded"
    );
    let long = "spec.".repeat(100_000);
    assert!(FieldMask::<Pod>::only([&long]).unwrap_err().to_string().len() < 5000);
}

#[test]
fn masks_of_any_kind_cut_kept_json() {
    let mask = FieldMask::<Object>::only(["spec.containers.image", "status[\"a b\"]"]).unwrap();
    let text = r#"{"kind":"K","spec":{"x":1,"containers":[{"image":"a","y":2},[{"image":"b","z":3}],7]},
        "status":{"a b":{"c":[1 , 2]},"d":4},"other":{}}"#;
    let object = by(&mask, text).unwrap();
    let members: Vec<_> =
        object.get().members.iter().map(|(name, json)| format!("{name}: {json}")).collect();
    let spec = r#"spec: {"containers":[{"image":"a"},[{"image":"b"}],7]}"#;
    assert_eq!(members, [spec, r#"status: {"a b":{"c":[1,2]}}"#]);
    assert_eq!(
        mask.to_string(),
        "apiVersion, kind, metadata.deletionTimestamp, metadata.finalizers, metadata.name, \
         metadata.namespace, metadata.resourceVersion, metadata.uid, spec.containers.image, \
         status[\"a b\"]"
    );
    let error = FieldMask::<Object>::only(["spec.list[0].x", "metadata.nam"]).unwrap_err();
    assert_eq!(
        error.problems(),
        [
            "`spec.list[0].x`: a mask has all elements of a list: write `spec.list.x`",
            "`metadata.nam`: `metadata`, an ObjectMeta, has no member `nam`; did you mean \
             `metadata.name`?",
        ]
    );
}

#[test]
fn prints_and_compares_masks() {
    let pod = |paths: &[&str]| FieldMask::<Pod>::only(paths).unwrap();
    let ports = pod(&["spec.containers.ports", "metadata.labels[\"app\"]"]);
    assert_eq!(
        ports.to_string(),
        "apiVersion, kind, metadata.deletionTimestamp, metadata.finalizers, \
         metadata.labels[\"app\"], metadata.name, metadata.namespace, metadata.resourceVersion, \
         metadata.uid, spec.containers.ports"
    );
    assert_eq!(ports, pod(&["metadata.labels[app]", "spec.containers[].ports", "metadata.uid"]));
    assert_eq!(ports, pod(&["metadata.labels.app"]) | pod(&["spec.containers.ports"]));
    assert_ne!(ports, pod(&["spec.containers.ports"]));
    assert_eq!(FieldMask::<Pod>::all().to_string(), "*");
    let slim =
        FieldMask::<Pod>::all().without(["metadata.managedFields", "spec.containers"]).unwrap();
    assert_eq!(slim.to_string(), "*, -metadata.managedFields, -spec.containers");
    assert_eq!(
        slim.clone() | pod(&["metadata.managedFields", "spec.containers"]),
        FieldMask::all()
    );
    let mixed = slim | pod(&["spec.containers.image"]);
    assert_eq!(
        mixed.to_string(),
        "*, -metadata.managedFields, -spec.containers, spec.containers.image"
    );
    let inner = pod(&["spec"]).without(["spec.containers.env"]).unwrap();
    assert!(inner.to_string().ends_with("metadata.uid, spec, -spec.containers.env"), "{inner}");
    assert_eq!(
        (inner.has("spec.containers.image"), inner.has("spec.containers.env")),
        (Ok(true), Ok(false))
    );
}

#[test]
fn entries_and_all_of_them_are_selected_in_any_order() {
    let pod = |paths: &[&str]| FieldMask::<Pod>::only(paths).unwrap();
    let entries = pod(&["metadata.labels[]"]);
    assert_eq!(pod(&["metadata.labels.app", "metadata.labels[]"]), entries);
    assert_eq!(pod(&["metadata.labels[]", "metadata.labels.app"]), entries);
    let none =
        entries.without(["metadata.labels.app"]).unwrap().without(["metadata.labels[]"]).unwrap();
    assert_eq!(pod(&["metadata.labels.app"]).without(["metadata.labels[]"]).unwrap(), none);
    assert_eq!(none.has("metadata.labels.app"), Ok(false));
    let without_app = FieldMask::<Pod>::all().without(["metadata.labels.app"]).unwrap();
    assert_eq!(
        (without_app.has("metadata.labels.app"), without_app.has("metadata.labels.tier")),
        (Ok(false), Ok(true))
    );
    assert_eq!(without_app.clone() | pod(&["metadata.labels.app"]), FieldMask::all());
    assert_eq!(without_app.clone() | pod(&["metadata"]), FieldMask::all());
    assert_eq!(pod(&["spec", "spec.containers.image"]), pod(&["spec"]));
    assert_eq!(pod(&["spec.containers.image", "spec"]), pod(&["spec"]));
    let decoded = |mask: &FieldMask<Pod>| {
        by(mask, POD).unwrap().get().metadata.labels.clone().unwrap_or_default()
    };
    assert_eq!(
        (decoded(&entries).len(), decoded(&none).len(), decoded(&without_app).len()),
        (1, 0, 0)
    );
}

/// Paths that begin well, and go on with anything.
fn hostile_path(random: &mut Random) -> String {
    const PARTS: [&str; 30] = [
        "spec",
        "metadata",
        "labels",
        "containers",
        "ports",
        "image",
        "status",
        "conditions",
        ".",
        ".",
        ".",
        "[",
        "]",
        "[]",
        "[*]",
        "[0]",
        "[99999999999999999999]",
        "[app]",
        "[\"a.b\"]",
        "[\"",
        "\\",
        "\"",
        "é",
        "\u{202e}",
        "\0",
        " ",
        "*",
        "-",
        "$",
        "\\u{110000}",
    ];
    const BEGINNINGS: [&str; 6] = [
        "",
        "spec.containers",
        "metadata.labels",
        "spec.nodeSelector",
        "status",
        "spec.containers[].ports",
    ];
    let beginning = BEGINNINGS[random.below(BEGINNINGS.len())].to_owned();
    (0..random.below(4)).fold(beginning, |path, _| path + PARTS[random.below(PARTS.len())])
}

/// Any path is an error of a bounded length, or gives a mask that has it and prints it.
fn check_hostile<T: AnyResource>(random: &mut Random) -> [usize; 2] {
    let mut counts = [0; 2];
    for _ in 0..4000 {
        let paths: Vec<String> = (0..=random.below(2)).map(|_| hostile_path(random)).collect();
        match FieldMask::<T>::only(&paths) {
            Ok(mask) => {
                counts[0] += 1;
                assert!(paths.iter().all(|path| mask.has(path) == Ok(true)), "{paths:?}");
                let printed = mask.to_string();
                assert!(!printed.contains(['\0', '\u{202e}']), "{printed:?}");
                let again: Vec<&str> = printed.split(", ").collect();
                assert_eq!(FieldMask::<T>::only(&again).as_ref(), Ok(&mask), "{paths:?} {printed}");
                let _ = by(&mask, POD).unwrap();
                let rest = mask.without(
                    paths.iter().filter(|path| !ALWAYS.contains(&path.trim_end_matches("[]"))),
                );
                if let Ok(rest) = rest {
                    assert_eq!(rest.clone() | mask.clone(), mask, "{paths:?}");
                }
            }
            Err(error) => {
                counts[1] += 1;
                assert!((1..=paths.len()).contains(&error.problems().len()), "{error}");
                assert!(
                    error.to_string().len() < 2000
                        && !error.to_string().contains(['\0', '\u{202e}']),
                    "{error}"
                );
            }
        }
    }
    counts
}

#[test]
fn no_path_does_harm() {
    let mut random = Random::seeded();
    for counts in [check_hostile::<Pod>(&mut random), check_hostile::<Object>(&mut random)] {
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }
}

const POD: &str = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"default","uid":"u",
    "resourceVersion":"7","finalizers":["a/b"],"labels":{"app":"web"}},"spec":{"nodeName":"n1","containers":[]}}"#;

/// A mask, and the clone of an object that was decoded by it.
fn leaked() -> Pod {
    by(&FieldMask::<Pod>::only(["spec.nodeName"]).unwrap(), POD).unwrap().clone().get().clone()
}

/// The refusal of masked objects.
#[expect(clippy::needless_pass_by_value, reason = "shorter at each call")]
fn refused<T: std::fmt::Debug>(built: Result<Request<T>, Error>) {
    let expected = InvalidRequest::Masked { name: "Pod" };
    assert!(matches!(&built, Err(Error::Invalid(error)) if *error == expected), "{built:?}");
}

#[test]
fn no_clone_of_a_masked_object_can_be_written() {
    let pod = leaked();
    assert_eq!((pod.name(), &pod.metadata.labels), ("web", &None));
    refused(pods::create("default", &pod, &CreateParams::default()));
    refused(pods::replace("default", "web", &pod, &ReplaceParams::default()));
    refused(pods::replace_status("default", "web", &pod, &ReplaceParams::default()));
    refused(Pod::create("default", &pod, &CreateParams::default()));
    refused(Pod::replace("default", "web", &pod, &ReplaceParams::default()));
    let mut changed = pod.clone();
    changed.metadata.labels = Some([("a".to_owned(), "b".to_owned())].into());
    let whole: Pod = from_str(POD).unwrap();
    let patch = |patch: &Patch| {
        Pod::patch("default", "web", patch, &PatchParams::default().field_manager("me"))
    };
    refused(patch(&Patch::apply(&changed)));
    refused(patch(&Patch::apply(&changed).omit("spec.containers")));
    refused(patch(&Patch::merge(&changed)));
    refused(patch(&Patch::strategic(&changed)));
    for (old, new) in [(&pod, &changed), (&whole, &changed), (&pod, &whole)] {
        refused(patch(&Patch::json_between(old, new)));
        assert_eq!(
            openshift_api::change::extract(&pod, "me", "").unwrap_err().masked(),
            Some("Pod")
        );
        assert_eq!(Patch::merge_between(old, new).unwrap_err().masked(), Some("Pod"));
        assert_eq!(Patch::strategic_between(old, new).unwrap_err().masked(), Some("Pod"));
        assert_eq!(merge(&mut old.clone(), new).unwrap_err().masked(), Some("Pod"));
    }
    assert_eq!(openshift_api::change::managers(&pod).unwrap_err().masked(), Some("Pod"));
    assert_eq!(
        Patch::upgrade_managers(&pod, &["kubectl"], "me", "").unwrap_err().masked(),
        Some("Pod")
    );
    for operation in [
        PatchOperation::add("", &pod),
        PatchOperation::replace("", &pod),
        PatchOperation::test("", &pod),
    ] {
        refused(patch(&Patch::json(&[PatchOperation::remove("/spec"), operation])));
    }
    refused(patch(&Patch::json(&[PatchOperation::add(
        "/spec/pods",
        &vec![whole.clone(), pod.clone()],
    )])));
    refused(patch(&Patch::json(&[PatchOperation::add("", &Some(Box::new(pod.clone())))])));
    let review = format!(
        r#"{{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{{"uid":"u","operation":"UPDATE","object":{POD}}}}}"#
    );
    let review = AdmissionRequest::decode(review.as_bytes()).unwrap();
    for (old, new) in [(&pod, &whole), (&whole, &pod), (&pod, &pod)] {
        let refusal = review.allow_with(old, new).unwrap_err();
        assert!(
            matches!(&refusal, ReviewError::Change(error) if error.masked() == Some("Pod")),
            "{refusal}"
        );
    }
    let object =
        by(&FieldMask::<Object>::only(["spec.nodeName"]).unwrap(), POD).unwrap().get().clone();
    let resource = dynamic::Resource::of::<Pod>();
    for built in [
        resource.create("default", &object, &CreateParams::default()),
        resource.replace("default", "web", &object, &ReplaceParams::default()),
    ] {
        assert!(matches!(&built, Err(Error::Invalid(InvalidRequest::Masked { .. }))), "{built:?}");
    }
    assert_eq!(
        InvalidRequest::Masked { name: "Pod" }.to_string(),
        "the Pod was decoded by a mask, so to write it would remove what the mask left out: read \
         it without a mask first"
    );
    // Objects that were decoded in whole allow all of it.
    let mut changed = whole.clone();
    changed.metadata.labels = None;
    assert!(patch(&Patch::json_between(&whole, &changed)).is_ok());
    assert!(!is_masked(&whole) && is_masked(&pod));
    assert!(!is_masked(by(&FieldMask::<Pod>::all(), POD).unwrap().get()), "everything was decoded");
}

#[test]
fn null_by_a_mask_is_masked() {
    let mask = FieldMask::<Pod>::only(["metadata.labels"]).unwrap();
    assert!(is_masked(by(&mask, "null").unwrap().get()));
    assert!(is_masked(by(&FieldMask::<Object>::only(["spec"]).unwrap(), "null").unwrap().get()));
    assert!(!is_masked(by(&FieldMask::<Pod>::all(), "null").unwrap().get()));
    let text = r#"{"kind":"PodList","metadata":{},"items":[null]}"#;
    let list = pods::list("default", &ListParams::default()).unwrap();
    let whole =
        list.clone().masked(&mask).decode_parts(StatusCode::OK, &HeaderMap::new(), text.as_bytes());
    assert!(whole.unwrap().body.get().items.iter().all(is_masked));
    let request = list.stream_as::<Items<PodList>>().masked(&mask);
    let mut items = request.open(StatusCode::OK, &HeaderMap::new()).unwrap().body;
    items.push(text.as_bytes());
    assert!(is_masked(items.next_item().unwrap().unwrap().get()));
}

#[test]
fn items_of_masked_lists_are_masked() {
    let text = format!(
        r#"{{"kind":"PodList","metadata":{{"resourceVersion":"9","continue":"t"}},"items":[{POD},{POD}]}}"#
    );
    let mask = FieldMask::<Pod>::only(["metadata.labels"]).unwrap();
    let list = pods::list("default", &ListParams::default()).unwrap();
    let request = list.clone().masked(&mask);
    let decoder = request.decoder();
    let page: Masked<PodList> =
        decoder.decode_parts(StatusCode::OK, &HeaderMap::new(), text.as_bytes()).unwrap().body;
    assert_eq!(page.get().metadata.resource_version.as_deref(), Some("9"));
    assert_eq!(page.get().items.len(), 2);
    for pod in page.get().clone().items {
        assert!(is_masked(&pod) && pod.spec.is_none() && pod.metadata.labels.is_some());
    }
    assert!(request.next_page(&page).unwrap().unwrap().uri().to_string().ends_with("?continue=t"));

    let request = list.stream_as::<Items<PodList>>().masked(&mask);
    let mut items = request.open(StatusCode::OK, &HeaderMap::new()).unwrap().body;
    items.push(text.as_bytes());
    let pods: Vec<Masked<Pod>> =
        std::iter::from_fn(|| items.next_item()).map(Result::unwrap).collect();
    assert_eq!(pods, [by(&mask, POD).unwrap(), by(&mask, POD).unwrap()]);
    assert!(is_masked(pods[0].get()));
    assert_eq!(items.finish().unwrap().get().metadata.continue_.as_deref(), Some("t"));

    let any = pods::list("default", &ListParams::default()).unwrap().decode_as::<dynamic::List>();
    let request = any.masked(&FieldMask::<Object>::only(["spec.nodeName"]).unwrap());
    let list =
        request.decode_parts(StatusCode::OK, &HeaderMap::new(), text.as_bytes()).unwrap().body;
    assert_eq!(list.get().items[0].members.get("spec").unwrap().as_str(), r#"{"nodeName":"n1"}"#);
}

#[test]
fn events_have_masked_objects_and_whole_errors() {
    let mask = FieldMask::<Pod>::only(["spec.nodeName"]).unwrap();
    let request = pods::watch("default", &WatchParams::default()).unwrap().masked(&mask);
    let mut watch = request.open(StatusCode::OK, &HeaderMap::new()).unwrap().body;
    let pod = POD.replace('\n', "");
    watch.push(format!(r#"{{"type":"ADDED","object":{pod}}}"#).as_bytes());
    watch.push(format!("\n{{\"object\":{pod},\"type\":\"DELETED\"}}\n").as_bytes());
    watch.push(br#"{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"8","annotations":{"a":"b"}}}}"#);
    watch.push(b"\n");
    watch.push(br#"{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}"#);
    watch.push(b"\n");
    let mut next = || watch.next_event().unwrap().unwrap();
    let expected = by(&mask, POD).unwrap();
    let added = next();
    assert_eq!(added.resource_version(), Some("7"));
    assert!(
        matches!(added, WatchEvent::Added(object) if *object == expected && is_masked(object.get()))
    );
    assert!(
        matches!(next(), WatchEvent::Deleted(object) if *object == expected && is_masked(object.get()))
    );
    assert!(matches!(next(), WatchEvent::Bookmark(bookmark) if bookmark.annotations["a"] == "b"));
    assert!(matches!(next(), WatchEvent::Error(error) if error.message() == "too old"));
}

#[test]
fn checks_the_syntax_of_what_is_skipped_but_not_its_type() {
    let mask = FieldMask::<Pod>::only(["spec.nodeName"]).unwrap();
    let read = |text: &str| {
        by(&mask, text).map(|pod| pod.get().clone()).map_err(|error| error.to_string())
    };
    assert!(read(r#"{"status":{"phase":[7]},"spec":{"containers":true}}"#).is_ok());
    for broken in [
        "{\"status\":{\"phase\":tru}}",
        "{\"status\":01}",
        "{\"status\":\"\\x\"}",
        "{\"status\":{\"a\" 1}}",
    ] {
        assert!(read(broken).is_err(), "{broken}");
    }
    let error = read(r#"{"spec":{"nodeName":5}}"#).unwrap_err();
    assert!(error.contains("spec.nodeName: expected a string, found 5"), "{error}");
    let error = read(r#"{"kind":"Node"}"#).unwrap_err();
    assert!(error.contains("found kind `Node`"), "{error}");
}

#[test]
fn requests_allow_servers_to_drop_what_masks_leave_out() {
    let accept = |request: &Request<Masked<Pod>>| {
        request.to_http().headers()["accept"].to_str().unwrap().to_owned()
    };
    let slim = get().masked(&FieldMask::all().without(["metadata.managedFields"]).unwrap());
    assert_eq!(accept(&slim), "application/json;drop=metadata.managedFields");
    let plain = slim.fallback(StatusCode::NOT_ACCEPTABLE).unwrap();
    assert_eq!(accept(&plain), "application/json");
    assert!(plain.fallback(StatusCode::NOT_ACCEPTABLE).is_none());
    assert!(slim.fallback(StatusCode::BAD_REQUEST).is_none());
    let fields = get().masked(&FieldMask::only(["metadata.managedFields.manager"]).unwrap());
    assert_eq!(accept(&fields), "application/json");
    // The fallback would be a second write.
    let pod: Pod = from_str(POD).unwrap();
    let mask = FieldMask::all().without(["metadata.managedFields"]).unwrap();
    let labels = Patch::merge(&serde_json::json!({"metadata": {"labels": {"a": "b"}}}));
    for write in [
        pods::create("default", &pod, &CreateParams::default()),
        pods::replace("default", "web", &pod, &ReplaceParams::default()),
        pods::patch("default", "web", &labels, &PatchParams::default()),
    ] {
        assert_eq!(accept(&write.unwrap().masked(&mask)), "application/json");
    }
    // With the whole object the mask is gone, too.
    let whole = slim.decode_as::<Pod>();
    assert_eq!(whole.to_http().headers()["accept"], "application/json");
    assert_eq!(
        whole.decode_parts(StatusCode::OK, &HeaderMap::new(), POD.as_bytes()).unwrap().body,
        from_str(POD).unwrap()
    );
}
