//! Keeps the pods of a namespace in a store, and prints what happens to them. Finds the cluster as
//! `kubectl` does.

use kapigen_client::Client;
use openshift_api::core_v1::{Pod, PodStatusPhase, pods};
use openshift_api::{Store, informer::Event, params::ListParams};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let client = Client::connect().await?;
    let mut events = client.informer(pods::list("default", &ListParams::default())?)?;
    let store = Store::<Pod>::new();
    while let Some(event) = events.next().await {
        store.apply(&event);
        match event {
            Event::Applied { key, object } => {
                let phase = object.status.as_ref().and_then(|status| status.phase.as_ref());
                println!("{key} {}", phase.map_or("Unknown", PodStatusPhase::as_str));
            }
            Event::Deleted { key, .. } => println!("{key} is gone"),
            Event::InitDone => println!("{} pods", store.snapshot().len()),
            Event::Failed(failure) => eprintln!("{failure}"),
            _ => {}
        }
    }
    Ok(())
}
