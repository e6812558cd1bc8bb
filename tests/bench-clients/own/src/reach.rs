//! Finds the cluster as kubectl does, lists a pod, and keeps all pods in a store.

use kapigen_client::Client;
use openshift_api::core_v1::{Pod, pods};
use openshift_api::{Store, informer::Event, params::ListParams};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(follow())
}

async fn follow() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::connect().await?;
    let first = pods::list_all_namespaces(&ListParams::default().limit(1))?;
    println!("{} listed", client.send(first).await?.body.items.len());
    let store = Store::<Pod>::new();
    let mut events = client.informer(pods::list_all_namespaces(&ListParams::default())?)?;
    while let Some(event) = events.next().await {
        store.apply(&event);
        match event {
            Event::InitDone => println!("{} kept", store.snapshot().len()),
            Event::Failed(failure) => return Err(failure.into()),
            _ => {}
        }
    }
    Ok(())
}
