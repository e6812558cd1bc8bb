//! Requests for resources that are known at run time only.

use http::Method;
use openshift_api::core_v1::Pod;
use openshift_api::dynamic::{List, Object, Resource};
use openshift_api::image_v1::Image;
use openshift_api::mask::FieldMask;
use openshift_api::meta_v1::{APIResource, DeleteOptions};
use openshift_api::params::{
    CreateParams, DeleteCollectionParams, DeleteParams, GetParams, ListParams, PatchParams,
    ReplaceParams, WatchParams,
};
use openshift_api::prelude::*;
use openshift_api::scope::{AllNamespaces, Cluster, DynamicScope};
use openshift_api::{DeletedCollection, Error, Patch, Request, Verb, from_slice, from_str, http};
use serde_json::{Value, json};

/// Method, URL, media types and body of a request.
fn sent<T>(request: Result<Request<T>, Error>) -> (String, [Option<String>; 2], Value) {
    let http = request.unwrap().into_http();
    let header =
        |name: &str| http.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    let headers = [header("accept"), header("content-type")];
    let body = if http.body().is_empty() {
        Value::Null
    } else {
        serde_json::from_slice(http.body()).unwrap()
    };
    (format!("{} {}", http.method(), http.uri()), headers, body)
}

fn refused<T>(request: Result<Request<T>, Error>) -> String {
    let error = request.map(|request| request.uri().to_string()).unwrap_err().to_string();
    error.strip_prefix("the request cannot be made: ").expect("nothing was sent").to_owned()
}

#[test]
fn builds_what_functions_of_kinds_build() {
    let pods = Resource::of::<Pod>();
    let pod: Pod =
        from_str(r#"{"metadata":{"name":"web","namespace":"shop"},"spec":{"containers":[]}}"#)
            .unwrap();
    let object = Object::encode(&pod).unwrap();
    let list = ListParams::default().limit(5).label_selector("a=b");
    assert_eq!(sent(pods.list("shop", &list)), sent(Pod::list("shop", &list)));
    assert_eq!(sent(pods.list(AllNamespaces, &list)), sent(Pod::list(AllNamespaces, &list)));
    let watch = WatchParams::default().resource_version("7");
    assert_eq!(sent(pods.watch("shop", &watch)), sent(Pod::watch("shop", &watch)));
    let get = GetParams::default().resource_version("0");
    assert_eq!(sent(pods.get("shop", "web", &get)), sent(Pod::get("shop", "web", &get)));
    assert_eq!(
        sent(pods.get_status("shop", "web", &get)),
        sent(Pod::get_status("shop", "web", &get))
    );
    let create = CreateParams::default().dry_run(true);
    assert_eq!(
        sent(pods.create("shop", &object, &create)),
        sent(Pod::create("shop", &pod, &create))
    );
    let replace = ReplaceParams::default().field_manager("me");
    let scope = pods.scope(&object);
    assert_eq!(
        sent(pods.replace(scope, "web", &object, &replace)),
        sent(Pod::replace("shop", "web", &pod, &replace))
    );
    assert_eq!(
        sent(pods.replace_status("shop", "web", &object, &replace)),
        sent(Pod::replace_status("shop", "web", &pod, &replace))
    );
    let apply = PatchParams::default().field_manager("me").force(true);
    let merge = PatchParams::default();
    let status = Patch::merge(&json!({"status": {}}));
    assert_eq!(
        sent(pods.patch_status("shop", "web", &status, &merge)),
        sent(Pod::patch_status("shop", "web", &status, &merge))
    );
    for (patch, params) in [
        (Patch::apply(&json!({"apiVersion": "v1", "kind": "Pod"})), &apply),
        (Patch::strategic(&json!({"spec": {}})), &merge),
        (Patch::json(&[]), &merge),
    ] {
        assert_eq!(
            sent(pods.patch("shop", "web", &patch, params)),
            sent(Pod::patch("shop", "web", &patch, params))
        );
    }
    let delete =
        DeleteParams { options: Some(DeleteOptions::default()), ..DeleteParams::default() };
    assert_eq!(
        sent(pods.delete("shop", "web", &delete)),
        sent(Pod::delete("shop", "web", &delete))
    );
    let many = DeleteCollectionParams::default().field_selector("status.phase=Failed");
    assert_eq!(
        sent(pods.delete_collection("shop", &many)),
        sent(Pod::delete_collection("shop", &many))
    );

    let images = Resource::of::<Image>();
    assert_eq!(sent(images.get(Cluster, "a", &get)), sent(Image::get(Cluster, "a", &get)));
    assert_eq!(sent(images.list(Cluster, &list)), sent(Image::list(Cluster, &list)));
}

#[test]
fn a_request_knows_its_resource() {
    let stars = Resource::namespaced("example.com", "v1", "Star", "stars");
    let request = stars.subresource("scale").get("default", "sun", &GetParams::default()).unwrap();
    let operation = request.clone().decode_as::<openshift_api::Text>().operation().verb;
    assert_eq!(operation, Verb::Get);
    let operation = request.operation();
    assert_eq!((operation.group, operation.version, operation.kind), ("example.com", "v1", "Star"));
    assert_eq!((operation.resource, operation.subresource), ("stars", Some("scale")));
    assert_eq!(operation.rbac_verbs, ["get"]);
    assert_eq!(request.uri(), "/apis/example.com/v1/namespaces/default/stars/sun/scale");
}

#[test]
fn resources_come_from_lists_of_servers() {
    let listed = |name: &str| APIResource {
        name: name.to_owned(),
        kind: "Star".to_owned(),
        namespaced: true,
        ..APIResource::default()
    };
    let stars = Resource::discovered("example.com/v1", &listed("stars")).unwrap();
    assert_eq!(stars, Resource::namespaced("example.com", "v1", "Star", "stars"));
    assert_eq!(stars.to_string(), "Star of example.com/v1");
    assert_eq!(Resource::discovered("example.com/v1", &listed("stars/status")), None);
}

#[test]
fn states_the_kind_and_refuses_another() {
    let stars = Resource::namespaced("example.com", "v1", "Star", "stars");
    let create =
        |text: &str| stars.create("default", &from_str(text).unwrap(), &CreateParams::default());
    let (_, _, body) = sent(create(r#"{"metadata":{"name":"sun"},"spec":{}}"#));
    assert_eq!(
        body,
        json!({"apiVersion": "example.com/v1", "kind": "Star", "metadata": {"name": "sun"}, "spec": {}})
    );
    let error = "the body is of another kind: expected kind `Star` of `example.com/v1`, found \
                 kind `Pod` of `v1`";
    assert_eq!(refused(create(r#"{"apiVersion":"v1","kind":"Pod"}"#)), error);
    let error = "the body is of another kind: expected kind `Star` of `example.com/v1`, found \
                 kind `Planet`";
    assert_eq!(refused(create(r#"{"kind":"Planet"}"#)), error);

    let scale: Object =
        from_str(r#"{"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":2}}"#)
            .unwrap();
    let request =
        stars.subresource("scale").replace("default", "sun", &scale, &ReplaceParams::default());
    assert_eq!(sent(request).2["kind"], "Scale");
    let request =
        stars.replace_status("default", "sun", &Object::default(), &ReplaceParams::default());
    assert_eq!(sent(request).2["kind"], "Star");
}

#[test]
fn refuses_what_leads_to_another_path() {
    let stars = Resource::namespaced("example.com", "v1", "Star", "stars");
    let get = GetParams::default();
    let nowhere = DynamicScope::default();
    assert_eq!(
        refused(stars.get(nowhere, "a", &get)),
        "`` cannot be the namespace in a path: this operation needs one"
    );
    assert!(
        refused(stars.create(nowhere, &Object::default(), &CreateParams::default()))
            .contains("needs one")
    );
    assert!(
        refused(stars.delete_collection(nowhere, &DeleteCollectionParams::default()))
            .contains("needs one")
    );
    assert!(stars.list(nowhere, &ListParams::default()).is_ok());
    assert_eq!(
        refused(stars.get("a", "b/c", &get)),
        "`b/c` cannot be the name in a path: it has a slash"
    );
    assert!(refused(stars.get("a", "", &get)).contains("it is empty"));
    assert!(
        refused(stars.subresource("..").get("a", "b", &get)).contains("the subresource in a path")
    );
    assert!(
        refused(Resource::namespaced("example.com", "", "Star", "stars").get("a", "b", &get))
            .contains("the version")
    );
    let nodes = Resource::cluster("", "v1", "Node", "nodes");
    let error = "`a` cannot be the namespace in a path: the kind is cluster-scoped";
    assert_eq!(refused(nodes.get("a", "n1", &get)), error);
    assert!(
        refused(stars.list("a", &ListParams::default().with("limits", "5")))
            .contains("did you mean `limit`?")
    );
}

#[test]
fn raw_requests_are_for_any_path() {
    let request = Request::raw(&Method::GET, "/apis/apps/v1/deployments?limit=5").unwrap();
    assert_eq!(request.uri(), "/apis/apps/v1/deployments?limit=5");
    assert_eq!(request.operation().method, "GET");
    let response = http::Response::new(br#"{"a":1}"#);
    assert_eq!(request.decode(&response).unwrap().body.0, br#"{"a":1}"#);
    let typed = request.decode_as::<openshift_api::dynamic::List>();
    assert_eq!(typed.to_http().headers()["accept"], "application/json");

    let review = Request::raw(&Method::POST, "/apis/x/v1/reviews")
        .unwrap()
        .with_body("application/json", "{}")
        .unwrap();
    assert_eq!(
        sent(Ok(review)),
        (
            "POST /apis/x/v1/reviews".to_owned(),
            [Some("*/*".to_owned()), Some("application/json".to_owned())],
            json!({})
        )
    );
    let is_open_ended = |path: &str| {
        openshift_api::request::is_open_ended(
            &Request::raw(&Method::GET, path).unwrap().into_http(),
        )
    };
    assert!(
        is_open_ended("/api/v1/pods?a=b&watch=true")
            && is_open_ended("/api/v1/namespaces/a/pods/b/log?follow=true")
    );
    assert!(is_open_ended("/api/v1/pods?watch=True") && is_open_ended("/api/v1/pods?watch"));
    assert!(!is_open_ended("/api/v1/pods?watch=False") && !is_open_ended("/api/v1/pods?watch=0"));

    // White space before its steps makes no other patch of it: a second one would remove another
    // element.
    let steps = "\n[{\"op\":\"remove\",\"path\":\"/metadata/finalizers/0\"}]";
    let patch = Request::raw(&Method::PATCH, "/api/v1/nodes/a").unwrap();
    let patch = patch.with_body("application/json-patch+json", steps).unwrap();
    assert_eq!(openshift_api::retry::Repeat::of(&patch), openshift_api::retry::Repeat::Twice);
}

#[test]
fn raw_requests_stay_on_the_server() {
    let raw = |method: &str, path: &str| {
        Request::raw(&Method::from_bytes(method.as_bytes()).unwrap(), path)
    };
    for path in ["http://elsewhere/", "version", "", "/a#b", "/a b"] {
        assert!(refused(raw("GET", path)).contains("cannot be requested: "), "{path}");
    }
    assert!(refused(raw("TRACE", "/")).contains("no such method"));
    assert!(
        refused(raw("GET", "/").and_then(|request| request.with_body("a/b", "x")))
            .contains("takes no body")
    );
}

#[test]
fn dynamic_objects_take_the_place_of_any_kind() {
    let text =
        br#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","uid":"1"},"spec":{"x":1}}"#;
    let object: Object = from_slice(text).unwrap();
    let owner = object.controller_reference().unwrap();
    assert_eq!((&*owner.api_version, &*owner.kind, &*owner.name), ("v1", "Pod", "web"));
    let unnamed = Object { kind: None, ..object.clone() };
    assert_eq!(unnamed.owner_reference(), None);
    assert_eq!(Object::encode(&object.decode::<Pod>().unwrap()).unwrap(), object);
    assert!(object.decode::<Image>().unwrap_err().to_string().contains("expected kind `Image`"));
}

#[test]
fn applies_state_the_kind_and_refuse_another() {
    let stars = Resource::namespaced("example.com", "v1", "Star", "stars");
    let params = PatchParams::default().field_manager("me");
    let apply = |patch: &Patch| stars.patch("default", "sun", patch, &params);
    let whole = json!({"apiVersion": "example.com/v1", "kind": "Star", "metadata": {"name": "sun"}, "spec": {"a": 1.5}});
    let unnamed: Object = from_str(r#"{"metadata":{"name":"sun"},"spec":{"a":1.5}}"#).unwrap();
    let half: Object =
        from_str(r#"{"kind":"Star","apiVersion":"","metadata":{"name":"sun"},"spec":{"a":1.5}}"#)
            .unwrap();
    assert_eq!(sent(apply(&Patch::apply(&unnamed))).2, whole);
    assert_eq!(sent(apply(&Patch::apply(&half))).2, whole);
    assert_eq!(
        sent(apply(&Patch::apply(&json!({"metadata": {"name": "sun"}, "spec": {"a": 1.5}})))).2,
        whole
    );
    assert_eq!(
        sent(stars.patch_status("default", "sun", &Patch::apply(&unnamed), &params)).2,
        whole
    );
    let error = "the body is of another kind: expected kind `Star` of `example.com/v1`, found \
                 kind `Pod` of `v1`";
    assert_eq!(refused(apply(&Patch::apply(&Object::new("v1", "Pod")))), error);
    assert_eq!(refused(apply(&Patch::apply(&json!({"apiVersion": "v1", "kind": "Pod"})))), error);
    // A scale has a kind of its own.
    let scale = Patch::apply(
        &json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": 2}}),
    );
    assert_eq!(
        sent(stars.subresource("scale").patch("default", "sun", &scale, &params)).2["kind"],
        "Scale"
    );
    // Other patches change any member.
    assert_eq!(sent(apply(&Patch::merge(&json!({"kind": "Pod"})))).2, json!({"kind": "Pod"}));
}

#[test]
fn parts_of_a_manager_state_no_empty_kind() {
    let text = r#"{"metadata":{"name":"sun","managedFields":[{"manager":"me","operation":"Apply","fieldsType":"FieldsV1",
        "fieldsV1":{"f:spec":{"f:a":{}}}}]},"spec":{"a":1,"b":2}}"#;
    let part =
        openshift_api::change::extract(&from_str::<Object>(text).unwrap(), "me", "").unwrap();
    assert_eq!(openshift_api::to_string(&part), r#"{"metadata":{"name":"sun"},"spec":{"a":1}}"#);
}

#[test]
fn raw_requests_of_lists_have_pages() {
    let raw = |path: &str| Request::raw(&Method::GET, path).unwrap().decode_as::<List>();
    let page = |token: &str| {
        from_str::<List>(&json!({"metadata": {"continue": token}, "items": []}).to_string())
            .unwrap()
    };
    let first = raw("/apis/example.com/v1/stars?labelSelector=a%3Db&limit=500&resourceVersion=7&\
                     resourceVersionMatch=Exact");
    let second = first.next_page(&page("a+b")).unwrap().unwrap();
    assert_eq!(
        second.uri(),
        "/apis/example.com/v1/stars?labelSelector=a%3Db&limit=500&continue=a%2Bb"
    );
    let third = second.next_page(&page("c")).unwrap().unwrap();
    assert_eq!(third.uri(), "/apis/example.com/v1/stars?labelSelector=a%3Db&limit=500&continue=c");
    assert_eq!(raw("/stars").next_page(&page("c")).unwrap().unwrap().uri(), "/stars?continue=c");
    // A request that begins at a page of its own continues there.
    let later = raw("/stars?continue=b%2B&x&=").next_page(&page("c")).unwrap().unwrap();
    assert_eq!(later.uri(), "/stars?x&=&continue=c");
}

#[test]
fn tasks_change_the_query_of_a_raw_request() {
    use openshift_api::{Informer, Machine, Pages, Step};
    use std::time::Duration;

    let raw = |path: &str| Request::raw(&Method::GET, path).unwrap().decode_as::<List>();
    let sent = |step: Step<_>| match step {
        Step::Send(request) => request.uri().to_string(),
        _ => panic!("no request"),
    };
    let mut pages = Pages::new(raw("/stars?limit=1"));
    assert_eq!(sent(pages.poll(Duration::ZERO).map(|_| ())), "/stars?limit=1");
    let headers = http::HeaderMap::new();
    let item = r#"{"metadata":{"name":"a"}}"#;
    let body = format!(
        r#"{{"kind":"StarList","apiVersion":"v1","metadata":{{"continue":"t"}},"items":[{item}]}}"#
    );
    for input in [
        openshift_api::Input::Head(http::StatusCode::OK, &headers),
        openshift_api::Input::Bytes(body.as_bytes()),
        openshift_api::Input::End,
    ] {
        pages.feed(input, Duration::ZERO);
    }
    assert!(matches!(
        pages.poll(Duration::ZERO),
        Step::Event(openshift_api::pages::PageEvent::Item(_))
    ));
    assert_eq!(sent(pages.poll(Duration::ZERO).map(|_| ())), "/stars?limit=1&continue=t");

    let mut informer = Informer::new(raw("/stars?labelSelector=a")).unwrap().lists();
    assert!(matches!(informer.poll(Duration::ZERO), Step::Event(_)));
    let list = sent(informer.poll(Duration::ZERO).map(|_| ()));
    assert!(list.starts_with("/stars?labelSelector=a&") && list.contains("limit=500"), "{list}");
}

#[test]
fn objects_between_types_stay_masked() {
    use openshift_api::mask::{FieldMask, is_masked};

    let text =
        r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"nodeName":"n1"}}"#;
    let request = Pod::get("a", "web", &GetParams::default()).unwrap();
    let response = http::Response::new(text.as_bytes());
    let pod = request
        .clone()
        .masked(&FieldMask::<Pod>::only(["spec.nodeName"]).unwrap())
        .decode(&response)
        .unwrap()
        .body;
    let object = Object::encode(pod.get()).unwrap();
    assert!(is_masked(&object) && is_masked(&object.decode::<Pod>().unwrap()));
    assert!(!is_masked(&Object::encode(&request.decode(&response).unwrap().body).unwrap()));
}

/// Servers leave the kind out of the items of built-in kinds.
#[test]
fn items_of_responses_state_their_kind() {
    let pods = Resource::namespaced("", "v1", "Pod", "pods");
    let list = pods.list("default", &ListParams::default()).unwrap();
    let items = r#"[{"metadata":{"name":"a"}},{"kind":"Own","metadata":{"name":"b"}}]"#;
    let body = |kind: &str| {
        http::Response::new(format!(
            r#"{{"apiVersion":"v1",{kind}"metadata":{{}},"items":{items}}}"#
        ))
    };
    let identities = |list: &List| -> Vec<[String; 2]> {
        let items = list.items.iter();
        items.map(|item| [item.api_version(), item.kind()].map(str::to_owned)).collect()
    };
    let stated = |kind: &str| list.decode(&body(kind)).unwrap().body;
    let [pod, own] = [["v1", "Pod"], ["v1", "Own"]].map(|pair| pair.map(str::to_owned));
    assert_eq!(identities(&stated(r#""kind":"PodList","#)), [pod.clone(), own.clone()]);
    let nothing = [["", ""], ["", "Own"]].map(|pair| pair.map(str::to_owned));
    assert_eq!(identities(&stated("")), nothing);
    let all = DeleteCollectionParams::default();
    let delete = pods.delete_collection("default", &all).unwrap();
    match delete.decode(&body(r#""kind":"PodList","#)).unwrap().body {
        DeletedCollection::List(deleted) => assert_eq!(identities(&deleted), [pod.clone(), own]),
        DeletedCollection::Status(_) => panic!("a list"),
    }
    let mask = FieldMask::only(["spec.nodeName"]).unwrap();
    let masked = list.masked(&mask).decode(&body(r#""kind":"PodList","#)).unwrap().body;
    assert_eq!([masked.get().items[0].api_version(), masked.get().items[0].kind()], pod);
}
