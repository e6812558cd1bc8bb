//! Keeps pods in a store, with kube-runtime's reflector over k8s-openapi.

use futures_util::StreamExt;
use k8s_openapi::api::core::v1::Pod;
use kube::runtime::reflector;
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client, Config};
use std::pin::pin;

#[global_allocator]
static ALLOCATOR: bench_informer::Counting = bench_informer::Counting;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(follow())
}

async fn follow() -> Result<(), Box<dyn std::error::Error>> {
    let (url, mut progress) = bench_informer::begin();
    let pods: Api<Pod> = Api::all(Client::try_from(Config::new(url.parse()?))?);
    let (store, writer) = reflector::store();
    let mut events = pin!(reflector(writer, watcher(pods, watcher::Config::default())));
    while let Some(event) = events.next().await {
        let is_over = match event? {
            Event::InitDone => progress.listed(),
            Event::Apply(_) => progress.changed(),
            _ => false,
        };
        if is_over {
            break;
        }
    }
    progress.end(store.len());
    Ok(())
}
