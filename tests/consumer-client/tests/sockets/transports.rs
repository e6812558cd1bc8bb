//! Every method of a client, over each transport.

use crate::{block_on, hyper, pod, put, server};
use kapigen_client::{BoxError, Client};
use kapigen_fake::Server;
use kapigen_kube::KubeService;
use openshift_api::core_v1::{Pod, pods};
use openshift_api::params::{
    CreateParams, DeleteParams, GetParams, ListParams, ReplaceParams, WatchParams,
};
use openshift_api::{Store, WatchEvent, election, informer, jiff::Timestamp, log};

#[test]
fn hyper_util_is_a_transport() {
    let (server, listening) = server();
    block_on(exercise(hyper(&listening.url()), server));
}

#[test]
fn kube_is_a_transport() {
    let (server, listening) = server();
    let config = kube::Config::new(listening.url().parse().unwrap());
    block_on(async {
        let kube = kube::Client::try_from(config).unwrap();
        exercise(Client::with_bodies(KubeService::new(kube)), server).await;
    });
}

#[test]
fn reqwest_is_a_transport() {
    let (server, listening) = server();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    block_on(exercise(over_reqwest(http, &listening.url()), server));
}

pub(crate) fn over_reqwest(http: reqwest::Client, url: &str) -> Client {
    let service = tower::service_fn(move |request: openshift_api::http::Request<reqwest::Body>| {
        let response = reqwest::Request::try_from(request).map(|request| http.execute(request));
        async {
            Ok::<_, BoxError>(openshift_api::http::Response::<reqwest::Body>::from(
                response?.await?,
            ))
        }
    });
    Client::with_bodies(service).base(url).unwrap()
}

/// Calls each method.
async fn exercise(client: Client, server: Server) {
    requests(&client, &server).await;
    streams(&client).await;
    follows(&client).await;
    logs(&client, &server).await;
    elections(&client, &server).await;
}

async fn requests(client: &Client, server: &Server) {
    for name in ["a", "b", "c"] {
        put(server, pod(name));
    }
    let refused = client
        .send(pods::get("default", "none", &GetParams::default()).unwrap())
        .await
        .unwrap_err();
    assert!(refused.response().unwrap().is_not_found());
    let mut all = client.items(pods::list("default", &ListParams::default().limit(2)).unwrap());
    let mut names = Vec::new();
    while let Some(pod) = all.next().await {
        names.push(pod.unwrap().metadata.name.unwrap());
    }
    assert_eq!(names, ["a", "b", "c"]);

    let mut rival = Some(server.clone());
    let get = pods::get("default", "a", &GetParams::default()).unwrap();
    let updated = client.update(get, move |pod: &Pod| {
        if let Some(server) = rival.take() {
            relabel(&server, "rival");
        }
        let mut pod = pod.clone();
        pod.metadata.labels.get_or_insert_default().insert("mine".to_owned(), "yes".to_owned());
        pods::replace("default", "a", &pod, &ReplaceParams::default()).map(Some)
    });
    let labels = updated.await.unwrap().metadata.labels.unwrap();
    assert_eq!(
        labels.keys().collect::<Vec<_>>(),
        ["mine", "rival"],
        "the write of another one is kept"
    );
}

/// A write of somebody else.
fn relabel(server: &Server, label: &str) {
    let patch =
        openshift_api::Patch::merge(&serde_json::json!({"metadata": {"labels": {label: "yes"}}}));
    let patch = pods::patch("default", "a", &patch, &openshift_api::params::PatchParams::default())
        .unwrap();
    assert!(server.handle(patch.into_http(), Timestamp::now()).response.status().is_success());
}

async fn streams(client: &Client) {
    let list =
        client.send(pods::list("default", &ListParams::default()).unwrap()).await.unwrap().body;
    let params = WatchParams::default().resource_version(list.metadata.resource_version.unwrap());
    let mut watch = client.watch(pods::watch("default", &params).unwrap()).await.unwrap();
    let new: Pod = serde_json::from_value(pod("d")).unwrap();
    client.send(pods::create("default", &new, &CreateParams::default()).unwrap()).await.unwrap();
    let Some(Ok(WatchEvent::Added(added))) = watch.next().await else { panic!("a pod was added") };
    assert_eq!(added.metadata.name.as_deref(), Some("d"));
}

async fn follows(client: &Client) {
    let mut events =
        client.informer(pods::list("default", &ListParams::default()).unwrap()).unwrap();
    let store = Store::new();
    let mut is_deleted = false;
    while let Some(event) = events.next().await {
        store.apply(&event);
        match event {
            informer::Event::InitDone => {
                assert_eq!(store.snapshot().len(), 4);
                client
                    .send(pods::delete("default", "d", &DeleteParams::default()).unwrap())
                    .await
                    .unwrap();
            }
            informer::Event::Deleted { key, object } => {
                is_deleted = key.name() == "d" && object.is_some();
                break;
            }
            informer::Event::Failed(failure) => panic!("{failure}"),
            _ => {}
        }
    }
    assert!(is_deleted && store.snapshot().len() == 3);
}

async fn logs(client: &Client, server: &Server) {
    let write = |line: &str| {
        server.append_log("default", "a", "main", format!("{line}\n"), Timestamp::now())
    };
    write("one");
    let mut log = client
        .follow_log(pods::get_log("default", "a", &pods::LogParams::default()).unwrap())
        .unwrap();
    let mut lines = Vec::new();
    while let Some(event) = log.next().await {
        match event {
            log::LogEvent::Line(line) => {
                lines.push(String::from_utf8(line.text).unwrap());
                match lines.len() {
                    1 => {
                        server.cut_streams();
                        write("two");
                    }
                    _ => delete(client, "a").await,
                }
            }
            log::LogEvent::Ended(refusal) => {
                assert!(refusal.is_some_and(|refusal| refusal.is_not_found()))
            }
            log::LogEvent::Failed(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(lines, ["one", "two"]);
}

async fn delete(client: &Client, name: &str) {
    let params = DeleteParams::default().grace_period_seconds(0);
    client.send(pods::delete("default", name, &params).unwrap()).await.unwrap();
}

async fn elections(client: &Client, server: &Server) {
    let mut election = client.elect("default", "example", "one").unwrap();
    assert!(!election.is_leader());
    assert!(matches!(election.next().await, Some(election::ElectionEvent::Leading)));
    assert!(election.is_leader());
    let lease =
        || server.get_json("coordination.k8s.io/v1", "Lease", "default", "example").unwrap();
    assert_eq!(lease()["spec"]["holderIdentity"], "one");
    election.release();
    assert!(!election.is_leader());
    assert!(matches!(election.next().await, Some(election::ElectionEvent::Lost)));
    assert!(election.next().await.is_none());
    assert_eq!(lease()["spec"]["holderIdentity"], "");
}
