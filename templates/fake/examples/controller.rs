//! A controller and its test, without a cluster. Each pod gets a condition in its status, and a finalizer that holds the
//! pod until its address is released.

use bytes::Bytes;
use http::StatusCode;
use http_body_util::Full;
use kapigen_client::{BoxError, Client, Error as ClientError, Transport};
use kapigen_fake::{Action, FakeService, Fault, Server};
use openshift_api::core_v1::{Pod, PodCondition, PodStatus, pods};
use openshift_api::informer::Event;
use openshift_api::jiff::Timestamp;
use openshift_api::params::{DeleteParams, GetParams, ListParams, PatchParams, ReplaceParams};
use openshift_api::{Error, Patch, Request};
use serde_json::{Value, json};
use std::time::Duration;

const FINALIZER: &str = "example.com/address";
const CONDITION: &str = "example.com/AddressReserved";

/// The bodies of requests.
type Body = Full<Bytes>;

/// Runs forever, over any client.
async fn control<S: Transport<Body>>(client: &Client<S, Body>) -> Result<(), BoxError> {
    let mut events = client.informer(pods::list_all_namespaces(&ListParams::default())?)?;
    while let Some(event) = events.next().await {
        let Event::Applied { object, .. } = event else { continue };
        while let Err(error) = reconcile(client, &object).await {
            eprintln!("{error}");
            // The pod is gone, and nothing is left to do.
            if error.response().is_some_and(Error::is_not_found) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    Ok(())
}

async fn reconcile<S: Transport<Body>>(client: &Client<S, Body>, pod: &Pod) -> Result<(), ClientError> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let (namespace, name) = (text(&pod.metadata.namespace), text(&pod.metadata.name));
    let get = pods::get(&namespace, &name, &GetParams::default())?;
    if pod.metadata.deletion_timestamp.is_some() {
        client.update(get, |pod| with_finalizer(pod, false)).await?;
        return Ok(());
    }
    client.update(get, |pod| with_finalizer(pod, true)).await?;
    let condition = PodCondition { type_: CONDITION.to_owned(), status: "True".to_owned(), ..Default::default() };
    let status = PodStatus { conditions: Some(vec![condition]), ..Default::default() };
    let own = Pod { status: Some(Box::new(status)), ..Default::default() };
    let params = PatchParams::default().field_manager("addresses").force(true);
    client.send(pods::patch_status(&namespace, &name, &Patch::apply(&own), &params)?).await?;
    Ok(())
}

/// Writes a pod with or without the finalizer. `None` if it is so already.
fn with_finalizer(pod: &Pod, is_wanted: bool) -> Result<Option<Request<Pod>>, Error> {
    let mut pod = pod.clone();
    let finalizers = pod.metadata.finalizers.get_or_insert_default();
    if finalizers.iter().any(|finalizer| finalizer == FINALIZER) == is_wanted {
        return Ok(None);
    }
    if is_wanted {
        finalizers.push(FINALIZER.to_owned());
    } else {
        finalizers.retain(|finalizer| finalizer != FINALIZER);
    }
    let (namespace, name) = (pod.metadata.namespace.clone(), pod.metadata.name.clone());
    let (namespace, name) = (namespace.unwrap_or_default(), name.unwrap_or_default());
    Ok(Some(pods::replace(&namespace, &name, &pod, &ReplaceParams::default())?))
}

/// Waits until the pod is in a state. `Server::wait_until` would block the thread, and the controller with it.
async fn eventually(server: &Server, is_reached: impl Fn(Option<Value>) -> bool) {
    let wait = async {
        while !is_reached(server.get("v1", "Pod", "default", "web")) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), wait).await.expect("the state is reached in time");
}

async fn pods_are_held_until_their_address_is_released() {
    let server = Server::new(&[openshift_api::API]);
    // The first patches fail, and are tried again: the creation and the finalizer are two events, which cause no more than
    // two patches.
    server.inject(Fault::new(Action::Refuse(StatusCode::INTERNAL_SERVER_ERROR, None)).verb("patch").times(3));
    let client = Client::<_, Body>::new(FakeService::new(server.clone()));
    let controller = tokio::spawn(async move { control(&client).await });
    let pod = json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web"},
        "spec": {"containers": [{"name": "app", "image": "app:1"}]},
    });
    server.create("default", &pod, Timestamp::now()).expect("a pod");
    let is_ready = |pod: &Value| pod["status"]["conditions"][0]["type"] == CONDITION;
    eventually(&server, |pod| pod.as_ref().is_some_and(is_ready)).await;
    // The pod stays until the controller has removed its finalizer.
    let params = DeleteParams::default().grace_period_seconds(0);
    let delete = pods::delete("default", "web", &params).expect("a request").into_http();
    assert_eq!(server.handle(delete, Timestamp::now()).response.status(), StatusCode::OK);
    eventually(&server, |pod| pod.is_none()).await;
    controller.abort();
    let patches = server.requests().into_iter().filter(|request| request.method() == http::Method::PATCH);
    assert!(patches.count() >= 4, "three that failed, and one that did not");
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(pods_are_held_until_their_address_is_released());
}

#[test]
fn the_controller_works() {
    main();
}
