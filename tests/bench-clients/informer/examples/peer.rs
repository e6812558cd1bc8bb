//! Keeps pods in a store, with kube-runtime's reflector over k8s-openapi: whole ones or, if members
//! are named, pods that `modify` reduces to the members of the bench.

use bench_informer::Progress;
use futures_util::Stream;
use futures_util::StreamExt;
use k8s_openapi::api::core::v1::{Container, Pod, PodSpec, PodStatus};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::runtime::reflector;
use kube::runtime::reflector::Store;
use kube::runtime::watcher::{self, Event, watcher};
use kube::runtime::{WatchStreamExt, reflector::store::Writer};
use kube::{Api, Client, Config};
use std::pin::pin;

#[global_allocator]
static ALLOCATOR: bench_informer::Counting = bench_informer::Counting;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(follow())
}

async fn follow() -> Result<(), Box<dyn std::error::Error>> {
    let (url, progress) = bench_informer::begin();
    let pods: Api<Pod> = Api::all(Client::try_from(Config::new(url.parse()?))?);
    let (store, writer) = reflector::store();
    let events = watcher(pods, watcher::Config::default());
    match bench_informer::members() {
        None => keep(store, writer, events, progress).await,
        Some(_) => keep(store, writer, events.modify(slim), progress).await,
    }
}

async fn keep(
    store: Store<Pod>,
    writer: Writer<Pod>,
    events: impl Stream<Item = watcher::Result<Event<Pod>>>,
    mut progress: Progress,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut events = pin!(reflector(writer, events));
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

/// Leaves the 15 members of the bench.
fn slim(pod: &mut Pod) {
    let Pod { metadata, spec, status } = std::mem::take(pod);
    pod.metadata = ObjectMeta {
        name: metadata.name,
        namespace: metadata.namespace,
        uid: metadata.uid,
        resource_version: metadata.resource_version,
        labels: metadata.labels,
        owner_references: metadata.owner_references,
        ..ObjectMeta::default()
    };
    pod.spec = spec.map(|spec| PodSpec {
        containers: spec.containers.into_iter().map(slim_container).collect(),
        host_network: spec.host_network,
        node_name: spec.node_name,
        service_account_name: spec.service_account_name,
        ..PodSpec::default()
    });
    pod.status = status.map(|status| PodStatus {
        conditions: status.conditions,
        host_ip: status.host_ip,
        phase: status.phase,
        pod_ips: status.pod_ips,
        ..PodStatus::default()
    });
}

fn slim_container(container: Container) -> Container {
    Container { image: container.image, ports: container.ports, ..Container::default() }
}
