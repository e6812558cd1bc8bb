//! A controller: each workshop has a pod, and opens when that runs.

use crate::{Workshop, WorkshopStatus};
use kapigen_client::{Client, Error, WorkQueue};
use openshift_api::core_v1::{Pod, pods};
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::owners::Owners;
use openshift_api::params::{ListParams, PatchParams};
use openshift_api::prelude::*;
use openshift_api::queue::{Handled, Queue};
use openshift_api::scope::AllNamespaces;
use openshift_api::store::all_synced;
use openshift_api::{Patch, Store};

/// Reconciles all workshops when they or their pods change, until an informer cannot go on.
///
/// # Errors
/// The error of that informer.
pub async fn control(client: &Client) -> Result<(), Error> {
    let all = ListParams::default();
    let workshop_events = client.informer(Workshop::list(AllNamespaces, &all)?)?;
    let pod_events = client.informer(pods::list_all_namespaces(&all)?)?;
    let (workshops, pods) = (Store::<Workshop>::new(), Store::<Pod>::new());
    let queue = WorkQueue::named("workshops", Queue::new().concurrency(4));
    let owners = Owners::of_kind::<Workshop>().controllers_only();
    let work = queue.run(async |key| match workshops.get(&key) {
        Some(workshop) => reconcile(client, &workshop, pods.get(&key).as_deref()).await,
        None => Ok(Handled::Done), // its pod is garbage
    });
    tokio::select! {
        error = queue.follow(workshop_events, &workshops) => Err(error),
        error = queue.follow_stored_dependents(pod_events, owners, &pods) => Err(error),
        () = async { all_synced(&[&workshops, &pods]).await; work.await } => Ok(()),
    }
}

/// Applies the pod of a workshop, which has its name, and the status that follows from the pod.
async fn reconcile(
    client: &Client,
    workshop: &Workshop,
    pod: Option<&Pod>,
) -> Result<Handled, Error> {
    let params = PatchParams::default().field_manager("workshops").force(true);
    let (namespace, name) = (workshop.namespace(), workshop.name());
    let template = &workshop.spec.template;
    let labels = template.metadata.as_ref().and_then(|metadata| metadata.labels.clone());
    let own = Pod {
        metadata: ObjectMeta {
            name: Some(name.to_owned()),
            labels,
            owner_references: workshop.controller_reference().map(|owner| vec![owner]),
            ..Default::default()
        },
        spec: template.spec.clone(),
        ..Default::default()
    };
    client.send(pods::patch(namespace, name, &Patch::apply(&own), &params)?).await?;

    let opened = pod.and_then(|pod| pod.status.as_ref()?.start_time);
    if opened != workshop.status.as_ref().and_then(|status| status.opened) {
        // The spec is a default, and as such not set.
        let status = Some(WorkshopStatus { opened, ..Default::default() });
        let own = Workshop { status, ..Default::default() };
        let patch = Patch::apply(&own);
        client.send(Workshop::patch_status(namespace, name, &patch, &params)?).await?;
    }
    Ok(Handled::Done)
}
