//! Keeps pods in a store, with openshift-api: whole ones, or the members that are named.

use bench_informer::Progress;
use kapigen_client::Client;
use kapigen_kube::KubeService;
use openshift_api::core_v1::{Pod, PodList, pods};
use openshift_api::informer::{Event, Informer};
use openshift_api::mask::Observed;
use openshift_api::{FieldMask, Masked, Request, Store, params::ListParams};

#[global_allocator]
static ALLOCATOR: bench_informer::Counting = bench_informer::Counting;

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

fn main() -> Result {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(follow())
}

async fn follow() -> Result {
    let (url, progress) = bench_informer::begin();
    let kube = kube::Client::try_from(kube::Config::new(url.parse()?))?;
    let client = Client::with_bodies(KubeService::new(kube));
    let list: Request<PodList> = pods::list_all_namespaces(&ListParams::default())?;
    // Lists of pages, as the peer requests them.
    match bench_informer::members() {
        None => keep::<Pod>(&client, Informer::new(list)?.lists(), progress).await,
        Some(members) => {
            let informer = Informer::new(list.masked(&FieldMask::<Pod>::only(members)?))?.lists();
            keep::<Masked<Pod>>(&client, informer, progress).await
        }
    }
}

async fn keep<T: Observed + Send + Sync + 'static>(
    client: &Client,
    informer: Informer<T>,
    mut progress: Progress,
) -> Result {
    let store = Store::<T>::new();
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
