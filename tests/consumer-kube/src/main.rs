//! Requests of openshift-api, sent by `kube::Client`: kube finds the cluster, and has credentials and TLS.

use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use openshift_api::core_v1::{Pod, pods};
use openshift_api::params::{DeleteParams, GetParams, WatchParams};
use openshift_api::response::FromResponse;
use openshift_api::{Deleted, Request, Response, WatchEvent};
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

/// The short way: kube sends the request and decodes the response. Refusals are `kube::Error`s.
async fn show(client: &Client, name: &str) -> Result<(), Box<dyn Error>> {
    let request = pods::get(client.default_namespace(), name, &GetParams::default())?;
    let pod: Pod = client.request(request.to_http()).await?;
    println!("{:?}", pod.status.and_then(|status| status.phase));
    Ok(())
}

/// The whole way: kube sends, openshift-api decodes, with warnings and to the type of the operation: the response to a
/// delete is either the object or a `Status`.
async fn remove(client: &Client, name: &str) -> Result<(), Box<dyn Error>> {
    let request = pods::delete(client.default_namespace(), name, &DeleteParams::default().dry_run(["All"]))?;
    let response = send(client, &request).await?;
    for warning in &response.warnings {
        eprintln!("{}", warning.text);
    }
    match response.body {
        Deleted::Object(pod) => println!("until {:?}", pod.metadata.deletion_timestamp),
        Deleted::Status(_) => println!("at once"),
    }
    Ok(())
}

async fn send<T: FromResponse>(client: &Client, request: &Request<T>) -> Result<Response<T>, Box<dyn Error>> {
    let (head, body) = client.send(request.to_http().map(Body::from)).await?.into_parts();
    let body = body.collect_bytes().await?;
    Ok(request.decode_parts(head.status, &head.headers, &body)?)
}

/// A watch: kube passes the bytes on as they come, openshift-api decodes events.
async fn follow(client: &Client) -> Result<(), Box<dyn Error>> {
    let request = pods::watch(client.default_namespace(), &WatchParams::default().allow_watch_bookmarks(true))?;
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
                WatchEvent::Added(pod) | WatchEvent::Modified(pod) => println!("{:?}", pod.metadata.name),
                WatchEvent::Deleted(pod) => println!("{:?} is gone", pod.metadata.name),
                WatchEvent::Bookmark(bookmark) => println!("up to {}", bookmark.resource_version),
                WatchEvent::Error(error) => return Err(error.into()),
            }
        }
    }
    Ok(watch.finish()?)
}
