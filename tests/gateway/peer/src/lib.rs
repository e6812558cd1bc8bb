//! A controller of gateways: each one of a class of ours becomes a deployment and a service, and is
//! programmed when the proxy in one of its pods says so.

mod dependents;
mod election;
mod gatewayclasses;
mod gateways;
mod status;

use futures_util::StreamExt;
use gatewayclasses::GatewayClass;
use gateways::Gateway;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Pod, Service};
use k8s_openapi::jiff::Timestamp;
use kube::api::{AttachParams, DeleteParams, ListParams, Patch, PatchParams};
use kube::runtime::controller::Action;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use kube::runtime::finalizer::{Error as Failed, Event as Finalizer, finalizer};
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, Resource, ResourceExt};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// The `controllerName` of our classes.
pub const CONTROLLER: &str = "example.com/gateways";
/// Holds a gateway until its deployment and service are gone.
pub const FINALIZER: &str = "example.com/gateways";
/// The label of all that belongs to a gateway, with its name.
pub const LABEL: &str = "gateway.networking.k8s.io/gateway-name";
/// The field manager, and the name of the lease.
pub const MANAGER: &str = "gateways";

/// Why a gateway could not be reconciled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A request failed.
    #[error(transparent)]
    Kube(#[from] kube::Error),
    /// The finalizer could not be set, or what it holds not be done.
    #[error(transparent)]
    Finalizer(Box<Failed<Error>>),
    /// The output of the proxy could not be read.
    #[error("the proxy cannot be asked: {0}")]
    Io(#[from] std::io::Error),
    /// Deletion takes its time.
    #[error("the deployment or the service is not gone yet")]
    Waiting,
}

struct Context {
    client: Client,
    recorder: Recorder,
}

/// Works while this process leads, until `shutdown`.
///
/// # Errors
/// When the lease cannot be released.
pub async fn operate(
    client: Client,
    identity: &str,
    shutdown: impl Future,
) -> Result<(), kube::Error> {
    let lease = election::Lease::new(client.clone(), "default", MANAGER, identity);
    tokio::pin!(shutdown);
    tokio::select! {
        () = lease.acquire() => {}
        _ = &mut shutdown => return Ok(()),
    }
    tokio::select! {
        () = control(client, identity) => {}
        () = lease.hold() => {}
        _ = shutdown => {}
    }
    lease.release().await
}

async fn control(client: Client, identity: &str) {
    let reporter = Reporter { controller: MANAGER.to_owned(), instance: Some(identity.to_owned()) };
    let recorder = Recorder::new(client.clone(), reporter);
    let ours = || watcher::Config::default().labels(LABEL);
    Controller::new(Api::<Gateway>::all(client.clone()), watcher::Config::default())
        .owns(Api::<Deployment>::all(client.clone()), ours())
        .owns(Api::<Service>::all(client.clone()), ours())
        .with_config(kube::runtime::controller::Config::default().concurrency(4))
        .run(reconcile, on_error, Arc::new(Context { client, recorder }))
        .for_each(async |done| {
            if let Err(error) = done {
                tracing::warn!("{error}");
            }
        })
        .await;
}

fn on_error(_: Arc<Gateway>, _: &Error, _: Arc<Context>) -> Action {
    Action::requeue(Duration::from_millis(500))
}

async fn reconcile(gateway: Arc<Gateway>, context: Arc<Context>) -> Result<Action, Error> {
    let api = Api::<Gateway>::namespaced(context.client.clone(), &namespace(&gateway));
    if !context.is_ours(&gateway).await? && !gateway.finalizers().iter().any(|one| one == FINALIZER)
    {
        return Ok(Action::await_change());
    }
    let done = finalizer(&api, FINALIZER, gateway, async |event| match event {
        Finalizer::Apply(gateway) => context.program(&gateway).await,
        Finalizer::Cleanup(gateway) => context.release(&gateway).await,
    });
    done.await.map_err(|error| Error::Finalizer(Box::new(error)))
}

fn namespace(gateway: &Gateway) -> String {
    gateway.namespace().unwrap_or_default()
}

impl Context {
    async fn is_ours(&self, gateway: &Gateway) -> Result<bool, Error> {
        let classes = Api::<GatewayClass>::all(self.client.clone());
        let class = classes.get_opt(&gateway.spec.gateway_class_name).await?;
        Ok(class.is_some_and(|class| class.spec.controller_name == CONTROLLER))
    }

    async fn program(&self, gateway: &Gateway) -> Result<Action, Error> {
        let (namespace, name) = (namespace(gateway), gateway.name_any());
        let params = PatchParams::apply(MANAGER).force();
        let deployments = Api::<Deployment>::namespaced(self.client.clone(), &namespace);
        let deployment = dependents::deployment(gateway);
        let deployment = deployments.patch(&name, &params, &Patch::Apply(&deployment)).await?;
        let services = Api::<Service>::namespaced(self.client.clone(), &namespace);
        let service = dependents::service(gateway);
        services.patch(&name, &params, &Patch::Apply(&service)).await?;

        let replicas = deployment.status.and_then(|status| status.available_replicas);
        let is_available = replicas.is_some_and(|replicas| replicas > 0);
        let is_programmed = is_available && self.check(&namespace, &name).await?;
        if let Some(status) = status::of(gateway, is_programmed, Timestamp::now()) {
            let gateways = Api::<Gateway>::namespaced(self.client.clone(), &namespace);
            gateways.patch_status(&name, &params, &Patch::Apply(&status)).await?;
            if is_programmed {
                self.record(gateway, "Programmed", "the proxy has its configuration").await;
            }
        }
        let is_final = is_programmed || !is_available;
        Ok(if is_final { Action::await_change() } else { Action::requeue(Duration::from_secs(10)) })
    }

    /// Asks the proxy in a pod whether it has its configuration.
    async fn check(&self, namespace: &str, name: &str) -> Result<bool, Error> {
        let pods = Api::<Pod>::namespaced(self.client.clone(), namespace);
        let ours = ListParams::default().labels(&format!("{LABEL}={name}")).limit(1);
        let list = pods.list(&ours).await?;
        let Some(pod) = list.items.first() else { return Ok(false) };
        let params = AttachParams::default().stdout(true).stderr(false);
        let mut process = pods.exec(&pod.name_any(), ["proxy", "check"], &params).await?;
        let mut output = Vec::new();
        if let Some(mut stdout) = process.stdout() {
            stdout.read_to_end(&mut output).await?;
        }
        let status = process.take_status();
        let status = if let Some(status) = status { status.await } else { None };
        Ok(status.is_some_and(|status| status.status.as_deref() == Some("Success")))
    }

    /// Removes what belongs to a gateway. An error makes the finalizer stay.
    async fn release(&self, gateway: &Gateway) -> Result<Action, Error> {
        let (namespace, name) = (namespace(gateway), gateway.name_any());
        let deployments = Api::<Deployment>::namespaced(self.client.clone(), &namespace);
        let services = Api::<Service>::namespaced(self.client.clone(), &namespace);
        let params = DeleteParams::default();
        if deployments.get_opt(&name).await?.is_some() {
            deployments.delete(&name, &params).await?;
            return Err(Error::Waiting);
        }
        if services.get_opt(&name).await?.is_some() {
            services.delete(&name, &params).await?;
            return Err(Error::Waiting);
        }
        Ok(Action::await_change())
    }

    /// An event that is refused holds nothing up.
    async fn record(&self, gateway: &Gateway, reason: &str, message: &str) {
        let event = Event {
            type_: EventType::Normal,
            reason: reason.to_owned(),
            note: Some(message.to_owned()),
            action: reason.to_owned(),
            secondary: None,
        };
        drop(self.recorder.publish(&event, &gateway.object_ref(&())).await);
    }
}
