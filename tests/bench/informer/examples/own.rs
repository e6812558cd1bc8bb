//! Keeps pods in a store, with openshift-api.

use kapigen_client::Client;
use openshift_api::core_v1::{Pod, pods};
use openshift_api::informer::{Event, Informer};
use openshift_api::{Store, params::ListParams};

#[global_allocator]
static ALLOCATOR: bench_informer::Counting = bench_informer::Counting;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(follow())
}

async fn follow() -> Result<(), Box<dyn std::error::Error>> {
    let (url, mut progress) = bench_informer::begin();
    let kube = kube::Client::try_from(kube::Config::new(url.parse()?))?;
    let client = Client::new(tower::service_fn(|request| kube.send(request)));
    // Lists of pages, as the peer requests them.
    let informer = Informer::new(pods::list_all_namespaces(&ListParams::default())?)?.lists();
    let store = Store::<Pod>::new();
    let mut events = client.run(informer);
    while let Some(event) = events.next().await {
        store.apply(&event);
        let is_over = match event {
            Event::InitDone => progress.listed(),
            Event::Applied { .. } => progress.changed(),
            Event::Failed(failure) => return Err(failure.into()),
            Event::Undecodable { error, .. } => return Err(error.into()),
            _ => false,
        };
        if is_over {
            break;
        }
    }
    progress.end(store.snapshot().len());
    Ok(())
}
