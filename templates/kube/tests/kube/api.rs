//! kube's `Api` of generated kinds.

use crate::{client, create, image, pod, server};
use futures::StreamExt;
use kapigen_kube::{Kube, KubeResource};
use kube::api::{Attach, Execute, Portforward, WatchEvent};
use kube::api::{
    DeleteParams, EvictParams, ListParams, LogParams, Patch, PatchParams, PostParams, WatchParams,
};
use kube::{Api, Client, Resource, ResourceExt};
use openshift_api::core_v1::{Endpoints, Pod, PodStatusPhase};
use openshift_api::image_v1::Image;
use serde_json::json;

fn pods(client: Client) -> Api<Kube<Pod>> {
    Api::default_namespaced(client)
}

#[test]
fn kinds_are_identified_as_in_k8s_openapi() {
    fn identity<K: Resource<DynamicType = ()>>() -> [String; 6] {
        let path = K::url_path(&(), None);
        [
            K::group(&()).into(),
            K::version(&()).into(),
            K::api_version(&()).into(),
            K::kind(&()).into(),
            path,
            K::plural(&()).into(),
        ]
    }
    assert_eq!(identity::<Kube<Pod>>(), identity::<k8s_openapi::api::core::v1::Pod>());
    assert_eq!(identity::<Kube<Endpoints>>(), identity::<k8s_openapi::api::core::v1::Endpoints>());
    let image = [
        "image.openshift.io",
        "v1",
        "image.openshift.io/v1",
        "Image",
        "/apis/image.openshift.io/v1/images",
        "images",
    ];
    assert_eq!(identity::<Kube<Image>>(), image);
}

#[test]
fn subresources_are_those_of_the_kind() {
    fn of_web_sockets<K: Attach + Execute + Portforward>() {}
    fn of_pods<K: kube::api::Log + kube::api::Evict + kube::api::Ephemeral + kube::api::Resize>() {}
    of_web_sockets::<Kube<Pod>>();
    of_pods::<Kube<Pod>>();
}

#[tokio::test]
async fn reads_and_writes() {
    let pods = pods(client(&server()));
    let created = pods.create(&PostParams::default(), &pod("web")).await.unwrap();
    assert_eq!(created.namespace().as_deref(), Some("default"));
    assert!(created.uid().is_some() && created.creation_timestamp().is_some());
    assert_eq!(pods.get("web").await.unwrap(), created);

    let change = Patch::Merge(json!({"metadata": {"labels": {"app": "web"}}}));
    let mut patched = pods.patch("web", &PatchParams::default(), &change).await.unwrap();
    assert_eq!(patched.labels()["app"], "web");
    let mut selected = pods.list(&ListParams::default().labels("app=web")).await.unwrap();
    // Servers do not state the kind of items.
    selected.items[0].kind.clone_from(&patched.kind);
    selected.items[0].api_version.clone_from(&patched.api_version);
    assert_eq!(selected.items, [patched.clone()]);

    patched.annotations_mut().insert("seen".to_owned(), "true".to_owned());
    patched.spec.as_mut().unwrap().containers[0].image = Some("a:2".to_owned());
    let replaced = pods.replace("web", &PostParams::default(), &patched).await.unwrap();
    assert_eq!(replaced.annotations()["seen"], "true");
    let stale = pods.replace("web", &PostParams::default(), &created).await.unwrap_err();
    assert!(matches!(stale, kube::Error::Api(status) if status.code == 409));

    pods.delete("web", &DeleteParams::default().grace_period(0)).await.unwrap();
    assert!(pods.get_opt("web").await.unwrap().is_none());
}

#[tokio::test]
async fn applies_what_was_read_without_managed_fields() {
    let pods = pods(client(&server()));
    let params = PatchParams::apply("tests");
    let applied = pods.patch("web", &params, &Patch::Apply(&pod("web"))).await.unwrap();
    let [entry] = applied.managed_fields() else { panic!("one manager") };
    assert_eq!(entry.manager.as_deref(), Some("tests"));
    assert!(entry.fields_v1.as_ref().unwrap().as_str().contains(r#""f:image""#));

    let mut change = applied.clone();
    change.labels_mut().insert("app".to_owned(), "web".to_owned());
    let refused = pods.patch("web", &params, &Patch::Apply(&change)).await.unwrap_err();
    assert!(refused.to_string().contains("managedFields must be nil"), "{refused}");
    change.strip_managed_fields();
    let applied = pods.patch("web", &params, &Patch::Apply(&change)).await.unwrap();
    assert_eq!(applied.labels()["app"], "web");
}

#[tokio::test]
async fn watches() {
    let server = server();
    let pods = pods(client(&server));
    let mut events = pods.watch(&WatchParams::default(), "0").await.unwrap().boxed();
    create(&server, &pod("web"));
    pods.delete("web", &DeleteParams::default().grace_period(0)).await.unwrap();
    let Some(Ok(WatchEvent::Added(added))) = events.next().await else { panic!("no pod") };
    assert_eq!(added.name_any(), "web");
    loop {
        match events.next().await.unwrap().unwrap() {
            WatchEvent::Deleted(deleted) => return assert_eq!(deleted.uid(), added.uid()),
            WatchEvent::Modified(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn uses_subresources_of_pods() {
    let server = server();
    let pods = pods(client(&server));
    create(&server, &pod("web"));
    server.set_log("default", "web", "main", "one\ntwo\n");
    assert_eq!(pods.logs("web", &LogParams::default()).await.unwrap(), "one\ntwo\n");

    let params = PatchParams::default();
    let debugger = Patch::Strategic(
        json!({"spec": {"ephemeralContainers": [{"name": "debug", "image": "b:1"}]}}),
    );
    let patched = pods.patch_ephemeral_containers("web", &params, &debugger).await.unwrap();
    let containers = patched.into_inner().spec.unwrap().ephemeral_containers.unwrap();
    assert_eq!(containers[0].name, "debug");

    let status = Patch::Merge(json!({"status": {"phase": "Running"}}));
    let running = pods.patch_status("web", &params, &status).await.unwrap();
    assert_eq!(running.status.as_ref().unwrap().phase, Some(PodStatusPhase::Running));

    let params = EvictParams {
        delete_options: Some(DeleteParams::default().grace_period(0)),
        ..EvictParams::default()
    };
    assert!(pods.evict("web", &params).await.unwrap().is_success());
    assert!(pods.get_opt("web").await.unwrap().is_none());
}

/// The names of all objects of a kind.
async fn names<T: KubeResource>(client: Client) -> Vec<String> {
    let objects: Api<Kube<T>> = Api::all(client);
    let list = objects.list(&ListParams::default()).await.unwrap();
    list.iter().map(ResourceExt::name_any).collect()
}

#[tokio::test]
async fn generic_code_serves_both_scopes() {
    let server = server();
    create(&server, &pod("web"));
    create(&server, &image("sha256-0"));
    assert_eq!(names::<Pod>(client(&server)).await, ["web"]);
    assert_eq!(names::<Image>(client(&server)).await, ["sha256-0"]);
}
