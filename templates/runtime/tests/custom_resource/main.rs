//! Kinds that are written in Rust, of types that serde knows, are as kinds of a generated crate.

mod wrong; // Wrong uses are errors of the compiler that name the fix.

use kapigen_runtime::change::{differences, extract, merge};
use kapigen_runtime::informer::{Event, Key};
use kapigen_runtime::meta_v1::{IntOrString, ObjectMeta, Quantity, RawJson};
use kapigen_runtime::params::{
    CreateParams, DeleteCollectionParams, DeleteParams, GetParams, ListParams, PatchParams,
    ReplaceParams, WatchParams,
};
use kapigen_runtime::prelude::*;
use kapigen_runtime::store::{Index, Store};
use kapigen_runtime::{
    DecodeError, FieldMask, Items, Kind, Patch, Request, Verb, drop_unknown, from_slice, from_str,
    http, serde_json, to_string, to_writer, verbs, watch,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::panic;

kapigen_runtime::custom_resource! {
    /// A workshop.
    #[resource(group = "example.com", version = "v1", plural = "workshops", scope = Namespaced, list = WorkshopList)]
    #[non_exhaustive]
    pub struct Workshop {
        /// As desired.
        pub spec: WorkshopSpec,
        /// As observed.
        pub status: Option<WorkshopStatus>,
    }
}

/// The desired state.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WorkshopSpec {
    seats: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<IntOrString>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sizes: BTreeMap<String, Quantity>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    opening_days: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<RawJson>,
}

/// The observed state. It has no default.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub enum WorkshopStatus {
    /// Since this year.
    Open {
        /// The year.
        since: i64,
    },
    /// Not yet, or no longer.
    Closed,
}

// The kinds of one module may be many.
kapigen_runtime::custom_resource! {
    #[resource(group = "example.com", version = "v1alpha1", plural = "tools", scope = Cluster, list = Tools)]
    /// A tool, without a status, and with a spec that may be absent.
    struct Tool {
        spec: Option<ToolSpec>,
    }
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct ToolSpec {
    /// A key of JSON is a string, and not a list.
    owners: BTreeMap<(u8, u8), String>,
}

fn workshop(json: &str) -> Workshop {
    from_str(json).unwrap()
}

const FULL: &str = r#"{"apiVersion":"example.com/v1","kind":"Workshop","metadata":{"name":"rust","resourceVersion":"7"},"spec":{"seats":12,"port":"http","sizes":{"data":"1Gi"},"openingDays":["Mon"],"settings":{"a":[1.50,null]}},"status":{"Open":{"since":3}}}"#;

#[test]
fn objects_are_the_same_after_decoding_and_encoding() {
    for text in [
        FULL,
        // Members beside spec and status, in the list of those that are kept.
        r#"{"metadata":{"name":"a"},"spec":{"seats":0},"data":{"a":1},"other":null}"#,
        r#"{"apiVersion":"example.com/v1","metadata":{},"spec":{"seats":0},"status":"Closed"}"#,
        // Without a spec, which is absent then.
        r#"{"metadata":{"name":"a"}}"#,
        "{}",
    ] {
        let object = workshop(text);
        assert_eq!(to_string(&object), text);
        assert_eq!(serde_json::to_string(&object).unwrap(), text);
        assert_eq!(serde_json::from_str::<Workshop>(text).unwrap(), object);
        let tree: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::from_value::<Workshop>(tree.clone()).unwrap(), object);
        assert_eq!(serde_yaml::from_str::<Workshop>(text).unwrap(), object);
        assert_eq!(serde_json::to_value(&object).unwrap(), tree);
        let mut written = Vec::new();
        to_writer(&mut written, &object).unwrap();
        assert_eq!(written, text.as_bytes());
    }
    let spaced = workshop("{\"spec\": {\"seats\" :\n 5 }, \"status\": null}");
    assert_eq!(spaced.spec.seats, 5);
    assert_eq!(to_string(&spaced), r#"{"spec":{"seats":5}}"#);
    // The last of repeated members counts, as a whole.
    let repeated = workshop(r#"{"spec":{"seats":1,"port":1},"spec":{"seats":2}}"#);
    assert_eq!(repeated.spec, WorkshopSpec { seats: 2, ..Default::default() });
    assert_eq!(workshop(r#"{"spec":{"seats":1},"spec":null}"#), workshop("{}"));
}

#[test]
fn a_new_object_has_its_kind_and_a_required_spec() {
    let new = Workshop::default();
    let text =
        r#"{"apiVersion":"example.com/v1","kind":"Workshop","metadata":{},"spec":{"seats":0}}"#;
    assert_eq!(to_string(&new), text);
    assert_eq!((Workshop::GROUP, Workshop::VERSION), ("example.com", "v1"));
    assert_eq!((Workshop::PLURAL, Tools::KIND), ("workshops", "ToolList"));
    let tool = r#"{"apiVersion":"example.com/v1alpha1","kind":"Tool","metadata":{}}"#;
    assert_eq!(to_string(&Tool::default()), tool);
    let mut full = workshop(FULL);
    full.spec = WorkshopSpec::default();
    full.status = None;
    assert!(to_string(&full).ends_with(r#""spec":{"seats":0}}"#));
    let mut extra = workshop(r#"{"spec":{"seats":1},"data":1}"#);
    drop_unknown(&mut extra);
    assert_eq!(to_string(&extra), r#"{"spec":{"seats":1}}"#);
}

#[test]
fn errors_have_the_path_and_the_position_in_the_input() {
    let error = |text: &str| from_str::<Workshop>(text).unwrap_err().to_string();
    assert_eq!(
        error("{\"metadata\":{},\n \"spec\": {\"port\": 80,\n  \"seats\": \"x\"}}"),
        "spec.seats: invalid type: string \"x\", expected u32 at line 3 column 15"
    );
    assert_eq!(
        error(r#"{"status":{"Open":{}}}"#),
        "status.Open: missing field `since` at line 1 column 21"
    );
    assert_eq!(
        error(r#"{"spec":{"sizes":{"a":[]}}}"#),
        "spec.sizes: invalid type: sequence, expected a quantity such as 500m, 2Gi or 1e3 at line 1 column 26"
    );
    assert_eq!(
        error(r#"{"kind":"Tool","spec":{}}"#),
        "expected kind `Workshop` of `example.com/v1`, found kind `Tool` at line 1 column 1"
    );
    let by_serde = serde_yaml::from_str::<Workshop>("spec: {seats: x}").unwrap_err().to_string();
    assert!(by_serde.contains("spec: invalid type: string \"x\", expected u32"), "{by_serde}");
    let deep = format!(r#"{{"spec":{{"settings":{}1{}}}}}"#, "[".repeat(500), "]".repeat(500));
    assert!(from_str::<Workshop>(&deep).is_ok(), "free JSON has any depth");
    let deep = format!(r#"{{"spec":{{"sizes":{}{}}}}}"#, r#"{"a":"#.repeat(500), "}".repeat(500));
    assert!(error(&deep).starts_with("spec.sizes.a"), "{}", error(&deep));
}

#[test]
fn debug_is_the_one_of_the_types() {
    let shown = format!("{:?}", workshop(r#"{"spec":{"seats":3},"status":"Closed"}"#));
    assert!(shown.contains("seats: 3") && shown.contains("Closed"), "{shown}");
}

#[test]
fn verbs_build_the_requests_of_a_custom_resource() {
    fn line<T>(request: Result<Request<T>, kapigen_runtime::Error>) -> String {
        let http = request.unwrap().into_http();
        format!("{} {}", http.method(), http.uri())
    }
    let object = workshop(FULL);
    let list = ListParams::default().label_selector("a=b");
    let all = "/apis/example.com/v1/workshops";
    let path = "/apis/example.com/v1/namespaces/default/workshops";
    let lines = [
        (line(Workshop::list("default", &list)), format!("GET {path}?labelSelector=a%3Db")),
        (line(Workshop::list(verbs_all(), &list)), format!("GET {all}?labelSelector=a%3Db")),
        (
            line(Workshop::watch("default", &WatchParams::default())),
            format!("GET {path}?watch=true"),
        ),
        (line(Workshop::get("default", "rust", &GetParams::default())), format!("GET {path}/rust")),
        (
            line(Workshop::create("default", &object, &CreateParams::default())),
            format!("POST {path}"),
        ),
        (
            line(Workshop::replace("default", "rust", &object, &ReplaceParams::default())),
            format!("PUT {path}/rust"),
        ),
        (
            line(Workshop::delete("default", "rust", &DeleteParams::default())),
            format!("DELETE {path}/rust"),
        ),
        (
            line(Workshop::delete_collection("default", &DeleteCollectionParams::default())),
            format!("DELETE {path}"),
        ),
        (
            line(Workshop::replace_status("default", "rust", &object, &ReplaceParams::default())),
            format!("PUT {path}/rust/status"),
        ),
        (
            line(Tool::get(kapigen_runtime::scope::Cluster, "saw", &GetParams::default())),
            "GET /apis/example.com/v1alpha1/tools/saw".to_owned(),
        ),
    ];
    for (line, expected) in lines {
        assert_eq!(line, expected);
    }
    let operation = <Workshop as verbs::HasStatus>::PATCH_STATUS;
    assert_eq!((operation.verb, operation.subresource), (Verb::Patch, Some("status")));
    assert_eq!((operation.resource, operation.kind), ("workshops", "Workshop"));
    let strategic = Patch::strategic_between(&object, &Workshop::default()).unwrap();
    let refused = Workshop::patch("default", "rust", &strategic, &PatchParams::default());
    assert!(refused.unwrap_err().to_string().contains("takes no patch of the type"));
}

fn verbs_all() -> kapigen_runtime::scope::AllNamespaces {
    kapigen_runtime::scope::AllNamespaces
}

#[test]
fn lists_and_watches_decode_objects() {
    let request = Workshop::list("default", &ListParams::default()).unwrap();
    let body = format!(
        r#"{{"kind":"WorkshopList","metadata":{{}},"items":[{FULL},{{"spec":{{"seats":1}}}}]}}"#
    );
    let list = request.decode(&http::Response::new(body.clone())).unwrap().body.take_items();
    assert_eq!(list.iter().map(|item| item.spec.seats).collect::<Vec<_>>(), [12, 1]);
    let mut items = Items::<WorkshopList>::default();
    items.push(body.as_bytes());
    assert_eq!(items.next_item().unwrap().unwrap(), workshop(FULL));
    let mut watch = watch::Watch::<Workshop>::default();
    watch.push(format!("{{\"type\":\"ADDED\",\"object\":{FULL}}}\n").as_bytes());
    let event = watch.next_event().unwrap().unwrap();
    assert!(
        matches!(event, kapigen_runtime::WatchEvent::Added(object) if *object == workshop(FULL))
    );
    let wrong: Result<WorkshopList, DecodeError> = from_slice(br#"{"kind":"ToolList"}"#);
    assert!(wrong.unwrap_err().to_string().contains("`WorkshopList`"));
}

#[test]
fn patches_between_go_into_spec_and_status() {
    let old = workshop(FULL);
    let mut new = old.clone();
    new.spec.seats = 20;
    new.spec.port = None;
    new.spec.opening_days.push("Tue".to_owned());
    new.status = Some(WorkshopStatus::Closed);
    let operations: serde_json::Value =
        serde_json::from_slice(Patch::json_between(&old, &new).without_version().body()).unwrap();
    let expected = serde_json::json!([
        {"op": "add", "path": "/spec/openingDays/-", "value": "Tue"},
        {"op": "remove", "path": "/spec/port"},
        {"op": "replace", "path": "/spec/seats", "value": 20},
        {"op": "replace", "path": "/status", "value": "Closed"},
    ]);
    assert_eq!(operations, expected);
    let merge = Patch::merge_between(&old, &new).unwrap();
    let merge: serde_json::Value = serde_json::from_slice(merge.body()).unwrap();
    assert_eq!(merge["spec"]["port"], serde_json::Value::Null);
    assert_eq!(merge["spec"]["seats"], 20);
    assert_eq!(merge["spec"].as_object().unwrap().len(), 3);
    assert_eq!(differences(&old, &new).len(), 2);
    assert!(differences(&old, &old.clone()).is_empty());
    assert_eq!(Patch::json_between(&old, &old.clone()).body(), b"[]");
    // `1.0` of one text is another number than `1` of the other; spelling of the rest does not count.
    let same = workshop(&FULL.replace("[1.50,null]", "[15e-1,null]"));
    assert_eq!(Patch::json_between(&old, &same).body(), b"[]");
}

#[test]
fn an_apply_has_what_is_set() {
    let body = |patch: &Patch| String::from_utf8(patch.body().to_vec()).unwrap();
    let metadata = ObjectMeta { name: Some("rust".to_owned()), ..Default::default() };
    let identity = r#"{"apiVersion":"example.com/v1","kind":"Workshop","metadata":{"name":"rust"}"#;
    let mut own = Workshop { metadata, ..Default::default() };
    own.status = Some(WorkshopStatus::Closed);
    assert_eq!(body(&Patch::apply(&own)), format!("{identity},\"status\":\"Closed\"}}"));
    assert_eq!(
        body(&Patch::apply(&own).keep("spec")),
        format!("{identity},\"spec\":{{\"seats\":0}},\"status\":\"Closed\"}}")
    );
    own.spec.seats = 3;
    assert_eq!(
        body(&Patch::apply(&own)),
        format!("{identity},\"spec\":{{\"seats\":3}},\"status\":\"Closed\"}}")
    );
    // Decoded members are intended.
    let decoded = workshop(&format!(r#"{identity},"spec":{{"seats":0}}}}"#));
    assert!(body(&Patch::apply(&decoded)).contains("seats"));
    let inner = Patch::apply(&own).keep("spec.seats");
    let refused =
        Workshop::patch("default", "rust", &inner, &PatchParams::default().field_manager("me"));
    assert!(refused.unwrap_err().to_string().contains("spec.seats"));
}

#[test]
fn parts_of_a_manager_are_extracted_and_merged() {
    let fields = r#"{"f:spec":{"f:seats":{}}}"#;
    let managed = format!(
        r#""managedFields":[{{"manager":"me","operation":"Apply","apiVersion":"example.com/v1","fieldsType":"FieldsV1","fieldsV1":{fields}}}]"#
    );
    let live = workshop(&FULL.replacen("\"resourceVersion\":\"7\"", &managed, 1));
    let own = extract(&live, "me", "").unwrap();
    assert_eq!(own.spec, WorkshopSpec { seats: 12, ..Default::default() });
    let mut target = workshop(
        r#"{"spec":{"seats":1,"port":80,"openingDays":["Sun"]},"status":{"Open":{"since":1}}}"#,
    );
    merge(
        &mut target,
        &workshop(r#"{"spec":{"seats":2,"openingDays":["Mon"]},"status":"Closed"}"#),
    )
    .unwrap();
    let merged = r#"{"spec":{"seats":2,"port":80,"openingDays":["Mon"]},"status":"Closed"}"#;
    assert_eq!(to_string(&target), merged);
    merge(&mut target, &Workshop::default()).unwrap();
    assert_eq!(target.spec.seats, 2, "a default is not set");
}

#[test]
fn masks_have_whole_members() {
    let mask = FieldMask::<Workshop>::only(["metadata.name", "status"]).unwrap();
    let request = Workshop::get("default", "rust", &GetParams::default()).unwrap().masked(&mask);
    let object = request.decode(&http::Response::new(FULL.to_owned())).unwrap().body;
    assert_eq!(object.get().status, Some(WorkshopStatus::Open { since: 3 }));
    assert_eq!(object.get().spec, WorkshopSpec::default());
    let error = FieldMask::<Workshop>::only(["spec.seats"]).unwrap_err().to_string();
    assert!(error.contains("write `spec`"), "{error}");
}

#[test]
fn stores_index_by_functions_and_by_paths() {
    let by_seats = Index::new("seats", |object: &Workshop| vec![object.spec.seats.to_string()]);
    let by_day = Index::<Workshop>::by_path("day", "spec.openingDays");
    assert!(by_day.is_err(), "a mask has whole members, and so has a path");
    let store = Store::with_indexes([by_seats]);
    let key = Key::of(&workshop(FULL));
    store.apply(&Event::Applied { key: key.clone(), object: workshop(FULL).into() });
    assert_eq!(store.get(&key).unwrap().spec.seats, 12);
    assert_eq!(store.snapshot().find("seats", "12").len(), 1);
}

#[test]
fn an_error_of_serialize_is_one_of_the_request() {
    let spec = Some(ToolSpec { owners: [((1, 2), "me".to_owned())].into() });
    let tool = Tool { spec, ..Default::default() };
    let error = Tool::create(kapigen_runtime::scope::Cluster, &tool, &CreateParams::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        "the request cannot be made: the body cannot be encoded: spec: key must be a string"
    );
    let patch = Patch::json_between(&Tool::default(), &tool);
    let scope = kapigen_runtime::scope::Cluster;
    let error = Tool::patch(scope, "saw", &patch, &PatchParams::default()).unwrap_err();
    assert!(error.to_string().contains("spec: cannot be encoded: key must be a string"), "{error}");
    let apply = Patch::apply(&tool);
    let params = PatchParams::default().field_manager("me");
    let error = Tool::patch(scope, "saw", &apply, &params).unwrap_err();
    assert!(error.to_string().contains("spec: cannot be encoded"), "{error}");
    assert!(merge(&mut Tool::default(), &tool).is_err());
    assert!(serde_json::to_string(&tool).is_err());
    assert!(to_writer(Vec::new(), &tool).is_err());
    assert!(panic::catch_unwind(|| to_string(&tool)).is_err());
}
