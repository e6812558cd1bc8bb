//! The requests of a generated crate, sent to the fake server, and their decoded responses.

use crate::testing::{server, time};
use kapigen_fake::{ReplyBody, Server};
use openshift_api::core_v1::{Container, Pod, PodCondition, PodSpec, PodStatus, pods};
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::params::{
    CreateParams, DeleteParams, GetParams, ListParams, PatchParams, ReplaceParams,
};
use openshift_api::response::FromResponse;
use openshift_api::{Error, Patch, Request};
use serde_json::json;

fn send<T: FromResponse>(server: &Server, request: Result<Request<T>, Error>) -> Result<T, Error> {
    let request = request.expect("a request");
    let (head, body) = server.handle(request.to_http(), time(0)).response.into_parts();
    let ReplyBody::Whole(body) = body else { panic!("a stream") };
    request.decode(&http::Response::from_parts(head, body)).map(|response| response.body)
}

fn pod(name: &str) -> Pod {
    let metadata = ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() };
    let container = Container {
        name: "main".to_owned(),
        image: Some("a:1".to_owned()),
        ..Container::default()
    };
    let spec = PodSpec { containers: vec![container], ..PodSpec::default() };
    Pod { metadata, spec: Some(Box::new(spec)), ..Pod::default() }
}

fn image(pod: &Pod) -> Option<&str> {
    pod.spec.as_ref()?.containers.first()?.image.as_deref()
}

#[test]
fn objects_live_through_all_verbs() {
    let server = server();
    let created =
        send(&server, pods::create("default", &pod("web"), &CreateParams::default())).unwrap();
    assert!(created.metadata.uid.is_some());
    let mut read = send(&server, pods::get("default", "web", &GetParams::default())).unwrap();
    assert_eq!(read, created);
    read.spec.as_mut().unwrap().containers[0].image = Some("a:2".to_owned());
    let replaced =
        send(&server, pods::replace("default", "web", &read, &ReplaceParams::default())).unwrap();
    assert_eq!((image(&replaced), replaced.metadata.generation), (Some("a:2"), Some(2)));
    let stale = send(&server, pods::replace("default", "web", &read, &ReplaceParams::default()))
        .unwrap_err();
    assert!(stale.is_conflict(), "{stale}");
    let list = send(&server, pods::list("default", &ListParams::default())).unwrap();
    // Items do not state their kind, as on a real server.
    let listed = Pod {
        api_version: replaced.api_version.clone(),
        kind: replaced.kind.clone(),
        ..list.items[0].clone()
    };
    assert_eq!((listed, list.items.len()), (replaced, 1));
    send(&server, pods::delete("default", "web", &DeleteParams::default())).unwrap();
    let missing = send(&server, pods::get("default", "web", &GetParams::default())).unwrap_err();
    assert!(missing.is_not_found(), "{missing}");
}

/// The keys of lists come from the tables of the types.
#[test]
fn applies_merge_lists_by_their_keys() {
    let server = server();
    server.built_in_rules(false);
    let apply = |manager: &str, owners: &[(&str, &str)]| {
        let owner = |(uid, name): &(&str, &str)| json!({"apiVersion": "v1", "kind": "Node", "name": name, "uid": uid});
        let owners: Vec<_> = owners.iter().map(owner).collect();
        let config = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "ownerReferences": owners}});
        let params = PatchParams::default().field_manager(manager);
        send(&server, pods::patch("default", "web", &Patch::apply(&config), &params))
    };
    apply("a", &[("1", "main")]).unwrap();
    let both = apply("b", &[("2", "side")]).unwrap();
    let names = |pod: &Pod| {
        pod.metadata.owner_references.iter().flatten().map(|o| o.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&both).len(), 2);
    let conflict = apply("b", &[("1", "other")]).unwrap_err();
    let fields: Vec<_> = conflict
        .conflicts()
        .map(|conflict| (conflict.manager, conflict.field.to_owned()))
        .collect();
    assert_eq!(fields, [("a".to_owned(), ".metadata.ownerReferences[uid=\"1\"]".to_owned())]);
    let given_up = apply("b", &[]).unwrap();
    assert_eq!(names(&given_up), ["main"]);
}

/// As clients do that apply a status alone.
#[test]
fn an_applied_configuration_names_only_new_objects() {
    let server = server();
    let condition = PodCondition {
        type_: "a.io/b".to_owned(),
        status: "True".to_owned(),
        ..Default::default()
    };
    let status = PodStatus { conditions: Some(vec![condition]), ..Default::default() };
    let config = Pod { status: Some(Box::new(status)), ..Default::default() };
    let params = PatchParams::default().field_manager("m");
    let patch = Patch::apply(&config);
    let refusal = send(&server, pods::patch("default", "web", &patch, &params)).unwrap_err();
    assert!(refusal.to_string().contains("name must be provided"), "{refusal}");
    send(&server, pods::create("default", &pod("web"), &CreateParams::default())).unwrap();
    let applied = send(&server, pods::patch_status("default", "web", &patch, &params)).unwrap();
    assert_eq!(applied.metadata.name.as_deref(), Some("web"));
    assert_eq!(applied.status.unwrap().conditions.unwrap()[0].type_, "a.io/b");
}

#[test]
fn pages_are_one_consistent_list() {
    let server = server();
    for name in ["a", "b", "c"] {
        send(&server, pods::create("default", &pod(name), &CreateParams::default())).unwrap();
    }
    let mut names = Vec::new();
    let mut next = Some(pods::list("default", &ListParams::default().limit(2)).unwrap());
    while let Some(request) = next {
        let page = send(&server, Ok(request.clone())).unwrap();
        // A pod that is deleted meanwhile is still in the list.
        let _ = send(&server, pods::delete("default", "c", &DeleteParams::default()));
        names.extend(page.items.iter().filter_map(|pod| pod.metadata.name.clone()));
        next = request.next_page(&page).unwrap();
    }
    assert_eq!(names, ["a", "b", "c"]);
}
