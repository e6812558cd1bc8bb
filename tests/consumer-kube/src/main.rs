//! Requests of openshift-api, sent by `kube::Client`: kube finds the cluster, knows the credentials and speaks TLS.

use futures_util::AsyncReadExt;
use kube::Client;
use kube::client::Body;
use openshift_api::core_v1::{Pod, pods};
use openshift_api::params::{DeleteParams, GetParams, WatchParams};
use openshift_api::response::Answer;
use openshift_api::watch::Event;
use openshift_api::{Deleted, Request, Response};
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

/// The short way: kube sends the request and decodes the answer. Refusals are `kube::Error`s.
async fn show(client: &Client, name: &str) -> Result<(), Box<dyn Error>> {
    let request = pods::get(client.default_namespace(), name, &GetParams::default())?;
    let pod: Pod = client.request(request.to_http()).await?;
    println!("{:?}", pod.status.and_then(|status| status.phase));
    Ok(())
}

/// The whole way: kube sends, openshift-api decodes. Warnings come with the answer, and so does what only openshift-api
/// knows, here that a server answers to a delete with either the object or a `Status`.
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

async fn send<T: Answer>(client: &Client, request: &Request<T>) -> Result<Response<T>, Box<dyn Error>> {
    let (head, body) = client.send(request.to_http().map(Body::from)).await?.into_parts();
    let body = body.collect_bytes().await?;
    Ok(request.decode_parts(head.status, &head.headers, &body)?)
}

/// A watch: kube gives the bytes as they come, openshift-api makes events of them.
async fn follow(client: &Client) -> Result<(), Box<dyn Error>> {
    let request = pods::watch(client.default_namespace(), &WatchParams::default().allow_watch_bookmarks(true))?;
    let mut stream = pin!(client.request_stream(request.to_http()).await?);
    let (mut watch, mut buffer) = (openshift_api::Watch::<Pod>::default(), vec![0; 16 * 1024]);
    loop {
        while let Some(event) = watch.next_event() {
            match event? {
                Event::Added(pod) | Event::Modified(pod) => println!("{:?}", pod.metadata.name),
                Event::Deleted(pod) => println!("{:?} is gone", pod.metadata.name),
                Event::Bookmark(bookmark) => println!("up to {}", bookmark.resource_version),
                Event::Error(error) => return Err(error.into()),
            }
        }
        match stream.read(&mut buffer).await? {
            0 => return Ok(watch.finish()?),
            count => watch.push(&buffer[..count]),
        }
    }
}
