//! An operator, and its test without a cluster. Each labelled pod gets endpoints that are deleted with it, a condition
//! in its status, and an event; a finalizer holds a deleted pod until its address is released.

use kapigen_client::{Body, BoxClient, BoxError, BoxRun, Client, Error};
use kapigen_fake::{Action, FakeService, Fault, Server};
use openshift_api::core_v1::{
    Endpoints, Event, ObjectReference, Pod, PodCondition, PodStatus, endpoints, events, pods,
};
use openshift_api::informer::{self, Key};
use openshift_api::jiff::Timestamp;
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::params::{CreateParams, DeleteParams, GetParams, ListParams, PatchParams, ReplaceParams};
use openshift_api::prelude::*;
use openshift_api::{Election, ElectionEvent, Patch, Store, http};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::Instant;

const FINALIZER: &str = "example.com/address";
const LABEL: &str = "example.com/addresses";
const MANAGER: &str = "addresses";
/// The error of requests that cannot be sent at all: no retry would help.
const UNSENDABLE: &str = "requests cannot be sent";

/// Works while this process leads, until `shutdown`, such as a signal of `tokio::signal`.
async fn operate(client: &BoxClient, identity: &str, shutdown: impl Future<Output = ()>) -> Result<(), BoxError> {
    let mut election = client.elect("default", MANAGER, identity)?;
    tokio::select! {
        result = lead(client, &mut election) => return result,
        () = shutdown => {}
    }
    // Another process need not wait for the end of the lease then. The process ends even if the server does not respond.
    election.release();
    let release = async { while election.next().await.is_some() {} };
    Ok(tokio::time::timeout(Duration::from_secs(5), release).await?)
}

/// Works whenever this process leads.
async fn lead(client: &BoxClient, election: &mut BoxRun<Election>) -> Result<(), BoxError> {
    while let Some(event) = election.next().await {
        match event {
            ElectionEvent::Leading => {}
            ElectionEvent::Failed(failure) => {
                eprintln!("{MANAGER}: {failure}");
                continue;
            }
            _ => continue,
        }
        tokio::select! {
            result = control(client) => return result,
            // The work stops where it is: somebody else may lead now.
            () = lost(election) => {}
        }
    }
    Err(UNSENDABLE.into())
}

/// Waits until this process does not lead any more.
async fn lost(election: &mut BoxRun<Election>) {
    loop {
        match election.next().await {
            Some(ElectionEvent::Lost) | None => return,
            Some(ElectionEvent::Failed(failure)) => eprintln!("{MANAGER}: {failure}"),
            Some(_) => {}
        }
    }
}

/// Reconciles pods when they or their endpoints change, and again after failures.
async fn control(client: &BoxClient) -> Result<(), BoxError> {
    let labelled = ListParams::default().label_selector(LABEL);
    let mut pod_events = client.informer(pods::list_all_namespaces(&labelled)?)?;
    let mut endpoints_events = client.informer(endpoints::list_all_namespaces(&labelled)?)?;
    let (pods, dependents) = (Store::<Pod>::new(), Store::<Endpoints>::new());
    // A store merges the changes of a pod that are not taken yet into one, so that this is a queue of work.
    let mut changes = pods.subscribe();
    let mut retries = BTreeMap::<Key, Instant>::new();
    loop {
        let retry = retries.iter().min_by_key(|(_, time)| **time).map(|(key, time)| (key.clone(), *time));
        let key = tokio::select! {
            event = pod_events.next() => {
                pods.apply(&logged(event)?);
                continue;
            }
            event = endpoints_events.next() => {
                let event = logged(event)?;
                // An event has no object if a deletion was missed: the store has the last state.
                let before = event.key().and_then(|key| dependents.get(key));
                dependents.apply(&event);
                let Some(endpoints) = event.object().cloned().or(before) else { continue };
                let owners = endpoints.metadata.owner_references.iter().flatten();
                retries.extend(owners.map(|owner| (Key::new(endpoints.namespace(), &owner.name), Instant::now())));
                continue;
            }
            change = changes.next() => change.key,
            Some(key) = at(retry) => key,
        };
        retries.remove(&key);
        let Some(pod) = pods.get(&key) else { continue };
        if let Err(error) = reconcile(client, &pod).await {
            eprintln!("{key}: {error}");
            retries.insert(key, Instant::now() + Duration::from_millis(10));
        }
    }
}

/// An event of an informer, which ends only when its requests cannot be sent at all.
fn logged<T>(event: Option<informer::Event<T>>) -> Result<informer::Event<T>, &'static str> {
    if let Some(informer::Event::Failed(failure)) = &event {
        // Without the right to watch, this is all that happens.
        eprintln!("{failure}");
    }
    event.ok_or(UNSENDABLE)
}

/// Waits for the next retry, if there is one.
async fn at(retry: Option<(Key, Instant)>) -> Option<Key> {
    let (key, time) = retry?;
    tokio::time::sleep_until(time).await;
    Some(key)
}

/// Brings the server to the state that the pod describes. It can be called at any time, and any number of times.
async fn reconcile(client: &BoxClient, pod: &Pod) -> Result<(), Error> {
    let is_live = pod.metadata.deletion_timestamp.is_none();
    match hold(client, pod, is_live).await {
        // The pod is gone already.
        Err(error) if error.is_not_found() => return Ok(()),
        held => _ = held?,
    }
    if !is_live {
        return Ok(());
    }
    let (namespace, name) = (pod.namespace(), pod.name());
    let params = PatchParams::default().field_manager(MANAGER).force(true);
    let endpoints = Endpoints {
        metadata: ObjectMeta {
            // Without it an object that exists can be applied, and none be created.
            name: Some(name.to_owned()),
            labels: Some([(LABEL.to_owned(), String::new())].into()),
            owner_references: pod.controller_reference().map(|owner| vec![owner]),
            ..ObjectMeta::default()
        },
        ..Endpoints::default()
    };
    client.send(endpoints::patch(namespace, name, &Patch::apply(&endpoints), &params)?).await?;
    let ready = ("Reserved".to_owned(), "True".to_owned());
    let is_ready = |condition: &PodCondition| (&condition.type_, &condition.status) == (&ready.0, &ready.1);
    let status = pod.status.as_deref();
    if status.is_some_and(|status| status.conditions.iter().flatten().any(is_ready)) {
        return Ok(());
    }
    // Before the condition, which says that all is done: a retry creates another event rather than none.
    client.send(events::create(namespace, &event(pod), &CreateParams::default())?).await?;
    let condition = PodCondition { type_: ready.0.clone(), status: ready.1.clone(), ..PodCondition::default() };
    let status = PodStatus { conditions: Some(vec![condition]), ..PodStatus::default() };
    let own = Pod { status: Some(Box::new(status)), ..Pod::default() };
    client.send(pods::patch_status(namespace, name, &Patch::apply(&own), &params)?).await?;
    Ok(())
}

/// Adds the finalizer, or removes it. A replacement is refused when somebody else was faster; then `update` tries again.
async fn hold(client: &BoxClient, pod: &Pod, is_held: bool) -> Result<Box<Pod>, Error> {
    let get = pods::get(pod.namespace(), pod.name(), &GetParams::default())?;
    let change = move |pod: &Pod| {
        let mut pod = pod.clone();
        let metadata = &mut pod.metadata;
        let is_changed = if is_held { metadata.add_finalizer(FINALIZER) } else { metadata.remove_finalizer(FINALIZER) };
        let replace = || pods::replace(pod.namespace(), pod.name(), &pod, &ReplaceParams::default());
        is_changed.then(replace).transpose()
    };
    client.update(get, change).await
}

/// The event that `kubectl describe` shows.
fn event(pod: &Pod) -> Event {
    let now = Timestamp::now();
    Event {
        metadata: ObjectMeta { generate_name: Some(format!("{}-", pod.name())), ..ObjectMeta::default() },
        involved_object: ObjectReference {
            api_version: Some(Pod::API_VERSION.to_owned()),
            kind: Some(Pod::KIND.to_owned()),
            namespace: Some(pod.namespace().to_owned()),
            name: Some(pod.name().to_owned()),
            uid: pod.metadata.uid.clone(),
            ..ObjectReference::default()
        },
        type_: Some("Normal".to_owned()),
        reason: Some("Reserved".to_owned()),
        message: Some("an address is reserved".to_owned()),
        reporting_component: Some(MANAGER.to_owned()),
        first_timestamp: Some(now.into()),
        last_timestamp: Some(now.into()),
        count: Some(1),
        ..Event::default()
    }
}

/// Waits until an object is in a state. `Server::wait_until` would block the thread, and the operator with it.
async fn eventually(server: &Server, kind: &str, is_reached: impl Fn(Option<Value>) -> bool) {
    let wait = async {
        while !is_reached(server.get_json("v1", kind, "default", "web")) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), wait).await.expect("the state is reached in time");
}

async fn pods_are_held_until_their_address_is_released() {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    // The first patches fail, and are tried again.
    let refusal = Action::Refuse(http::StatusCode::INTERNAL_SERVER_ERROR, None);
    server.inject(Fault::new(refusal).verb("patch").times(3));
    let client = Client::<_, Body>::new(FakeService::new(server.clone())).boxed();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let shutdown = async { stopped.await.unwrap_or_default() };
    let operator = tokio::spawn(async move { operate(&client, "operator-0", shutdown).await });

    let metadata = json!({"name": "web", "labels": {LABEL: ""}});
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": []}});
    server.create(&pod).expect("a pod");
    let is_ready = |pod: &Value| pod["status"]["conditions"][0]["type"] == "Reserved";
    eventually(&server, "Pod", |pod| pod.as_ref().is_some_and(is_ready)).await;
    eventually(&server, "Endpoints", |endpoints| endpoints.is_some()).await;

    // Endpoints that somebody deletes come back, also where no watch reports the deletion.
    server.cut_streams();
    let delete = endpoints::delete("default", "web", &DeleteParams::default()).expect("a request").into_http();
    assert_eq!(server.handle(delete, Timestamp::now()).response.status(), http::StatusCode::OK);
    server.compact();
    eventually(&server, "Endpoints", |endpoints| endpoints.is_some()).await;

    // The pod stays until the operator has removed its finalizer, and its endpoints go with it.
    let params = DeleteParams::default().grace_period_seconds(0);
    let delete = pods::delete("default", "web", &params).expect("a request").into_http();
    assert_eq!(server.handle(delete, Timestamp::now()).response.status(), http::StatusCode::OK);
    assert!(server.get_json("v1", "Pod", "default", "web").is_some(), "the finalizer holds the pod");
    eventually(&server, "Pod", |pod| pod.is_none()).await;
    stop.send(()).expect("the operator runs");
    operator.await.expect("no panic").expect("an orderly end");
    let lease = server.get_json("coordination.k8s.io/v1", "Lease", "default", MANAGER).expect("a lease");
    assert_eq!(lease["spec"]["holderIdentity"], "", "another process may lead at once");
    server.collect_garbage();
    assert_eq!(server.get_json("v1", "Endpoints", "default", "web"), None);
    let events = events::list("default", &ListParams::default()).expect("a request");
    let response = server.handle(events.clone().into_http(), Timestamp::now()).response;
    let response = response.map(|body| body.into_whole().expect("a whole response"));
    assert!(!events.decode(&response).expect("a list").body.items.is_empty(), "the event is created");
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(pods_are_held_until_their_address_is_released());
}

#[test]
fn the_operator_works() {
    main();
}
