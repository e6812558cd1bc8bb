//! openshift-api with kube: its kinds in `kube::Api`, and its requests through `kube::Client`,
//! which finds the cluster, and has credentials and TLS.

use http_body_util::BodyExt;
use kapigen_kube::{Kube, KubeService};
use kube::client::Body;
use kube::{Api, Client, ResourceExt};
use openshift_api::core_v1::{Pod, PodStatusPhase, pods};
use openshift_api::params::{DeleteParams, WatchParams};
use openshift_api::{Deleted, WatchEvent};
use std::error::Error;
use std::pin::pin;

fn main() -> Result<(), Box<dyn Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let client = Client::try_default().await?;
        show(&client, "web-0").await?;
        remove(&client, "web-0").await?;
        follow(&client).await
    })
}

/// The way of kube: `Kube<Pod>` is a resource for its `Api`.
async fn show(client: &Client, name: &str) -> kube::Result<()> {
    let pods: Api<Kube<Pod>> = Api::default_namespaced(client.clone());
    let pod = pods.get(name).await?;
    println!(
        "{:?}, made {:?}",
        pod.status.as_ref().and_then(|status| status.phase.as_ref()).map(PodStatusPhase::as_str),
        pod.creation_timestamp()
    );
    Ok(())
}

/// Works like kapigen-client: kube sends; openshift-api builds the request and decodes the
/// response, with its warnings, to the type of the operation. A delete returns either the object or
/// a `Status`.
async fn remove(client: &Client, name: &str) -> Result<(), Box<dyn Error>> {
    let request =
        pods::delete(client.default_namespace(), name, &DeleteParams::default().dry_run(true))?;
    let response =
        kapigen_client::Client::with_bodies(KubeService::new(client.clone())).send(request).await?;
    for warning in &response.warnings {
        eprintln!("{}", warning.text);
    }
    match response.body {
        Deleted::Object(pod) => println!("until {:?}", pod.metadata.deletion_timestamp),
        Deleted::Status(_) => println!("at once"),
    }
    Ok(())
}

/// Without either: kube passes the bytes of a watch on as they come, openshift-api decodes events.
async fn follow(client: &Client) -> Result<(), Box<dyn Error>> {
    let request = pods::watch(
        client.default_namespace(),
        &WatchParams::default().allow_watch_bookmarks(true),
    )?;
    let (head, body) = client.send(request.to_http().map(Body::from)).await?.into_parts();
    let mut watch = match request.open(head.status, &head.headers) {
        Ok(response) => response.body,
        Err(refusal) => return Err(refusal.decode(&body.collect_bytes().await?).into()),
    };
    let mut body = pin!(body);
    while let Some(frame) = body.frame().await {
        let Ok(bytes) = frame?.into_data() else { continue };
        watch.push(&bytes);
        while let Some(event) = watch.next_event() {
            match event? {
                WatchEvent::Added(pod) | WatchEvent::Modified(pod) => {
                    println!("{:?}", pod.metadata.name)
                }
                WatchEvent::Deleted(pod) => println!("{:?} is gone", pod.metadata.name),
                WatchEvent::Bookmark(bookmark) => println!("up to {}", bookmark.resource_version),
                WatchEvent::Error(error) => return Err(error.into()),
            }
        }
    }
    Ok(watch.finish()?)
}
