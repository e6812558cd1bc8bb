//! Finds the cluster as kubectl does, lists a pod, and keeps all pods in a store.

use futures_util::StreamExt;
use k8s_openapi::api::core::v1::Pod;
use kube::api::ListParams;
use kube::runtime::reflector::{self, reflector};
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client};
use std::pin::pin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(follow())
}

async fn follow() -> Result<(), Box<dyn std::error::Error>> {
    let pods = Api::<Pod>::all(Client::try_default().await?);
    println!("{} listed", pods.list(&ListParams::default().limit(1)).await?.items.len());
    let (store, writer) = reflector::store();
    let mut events = pin!(reflector(writer, watcher(pods, watcher::Config::default())));
    while let Some(event) = events.next().await {
        if let Event::InitDone = event? {
            println!("{} kept", store.len());
        }
    }
    Ok(())
}
