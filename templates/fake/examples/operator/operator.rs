//! An operator: each live, labelled pod gets endpoints, a condition in its status, and an event. A
//! finalizer holds it until the endpoints are gone.

use kapigen_client::{Client, Error, WorkQueue};
use openshift_api::core_v1::{Endpoints, Pod, PodCondition, PodStatus, endpoints, pods};
use openshift_api::jiff::Timestamp;
use openshift_api::params::{DeleteParams, ListParams, PatchParams};
use openshift_api::prelude::*;
use openshift_api::queue::Handled;
use openshift_api::{Patch, Queue, Store, owners::Owners, recorder::Recorder, store::all_synced};
use std::sync::{Arc, Mutex};

pub(crate) const FINALIZER: &str = "example.com/address";
pub(crate) const LABEL: &str = "example.com/addresses";
pub(crate) const MANAGER: &str = "addresses";
const CONDITION: &str = "Reserved";

/// Reconciles while this process leads, until `shutdown`, such as a signal of `tokio::signal`.
pub(crate) async fn operate(
    client: &Client,
    identity: &str,
    shutdown: impl Future,
) -> Result<(), Error> {
    let election = client.elect("operators", MANAGER, identity)?;
    election.lead(|| control(client, identity), shutdown).await?.unwrap_or(Ok(()))
}

/// Reconciles pods when they or their endpoints change. All pods: one that lost its label may still
/// have the finalizer.
async fn control(client: &Client, identity: &str) -> Result<(), Error> {
    let pod_events = client.informer(pods::list_all_namespaces(&ListParams::default())?)?;
    let labelled = endpoints::list_all_namespaces(&ListParams::default().label_selector(LABEL))?;
    let recorder = Mutex::new(Recorder::new(MANAGER, identity));
    let queue = WorkQueue::named("pods", Queue::new().concurrency(4));
    let pods = Store::<Pod>::new();
    let work = queue.run(async |key| reconcile(client, pods.get(&key), &recorder).await);
    tokio::select! {
        error = queue.follow(pod_events, &pods) => Err(error),
        error = queue.follow_dependents(client.informer(labelled)?, Owners::of_kind::<Pod>()) => Err(error),
        () = async { all_synced(&[&pods]).await; work.await } => Ok(()),
    }
}

/// Brings the server to the state that a pod describes. It can run at any time, and any number of
/// times.
async fn reconcile(
    client: &Client,
    pod: Option<Arc<Pod>>,
    recorder: &Mutex<Recorder>,
) -> Result<Handled, Error> {
    let Some(pod) = pod else { return Ok(Handled::Done) };
    let is_labelled = pod.metadata.labels.iter().flatten().any(|(name, _)| name == LABEL);
    let is_wanted = is_labelled && pod.metadata.deletion_timestamp.is_none();
    let result =
        if is_wanted { reserve(client, &pod, recorder).await } else { release(client, &pod).await };
    let is_gone = result.as_ref().is_err_and(Error::is_not_found);
    if is_gone { Ok(Handled::Done) } else { result.map(|()| Handled::Done) }
}

async fn reserve(client: &Client, pod: &Pod, recorder: &Mutex<Recorder>) -> Result<(), Error> {
    client.set_finalizer(pod, FINALIZER, true).await?;
    let params = PatchParams::default().field_manager(MANAGER).force(true);
    let mut own = Endpoints::default();
    own.metadata.name = Some(pod.name().to_owned());
    own.metadata.labels = Some([(LABEL.to_owned(), String::new())].into());
    own.metadata.owner_references = pod.controller_reference().map(|owner| vec![owner]);
    client
        .send(endpoints::patch(pod.namespace(), pod.name(), &Patch::apply(&own), &params)?)
        .await?;
    let mut conditions = pod.status.iter().flat_map(|status| status.conditions.iter().flatten());
    if conditions.any(|condition| condition.type_ == CONDITION) {
        return Ok(());
    }
    let condition = PodCondition {
        type_: CONDITION.to_owned(),
        status: "True".to_owned(),
        ..PodCondition::default()
    };
    let status = PodStatus { conditions: Some(vec![condition]), ..PodStatus::default() };
    let own = Pod { status: Some(Box::new(status)), ..Pod::default() };
    client
        .send(pods::patch_status(pod.namespace(), pod.name(), &Patch::apply(&own), &params)?)
        .await?;
    let now = Timestamp::now();
    let event =
        recorder.lock().expect("no panic").normal(pod, CONDITION, "an address is reserved", now);
    if let Ok(Some(event)) = event {
        drop(client.send(event).await); // a refused event fails nothing
    }
    Ok(())
}

async fn release(client: &Client, pod: &Pod) -> Result<(), Error> {
    if !pod.metadata.has_finalizer(FINALIZER) {
        return Ok(());
    }
    let deleted = client
        .send(endpoints::delete(pod.namespace(), pod.name(), &DeleteParams::default())?)
        .await;
    deleted.map(drop).or_else(|error| if error.is_not_found() { Ok(()) } else { Err(error) })?;
    client.set_finalizer(pod, FINALIZER, false).await
}
