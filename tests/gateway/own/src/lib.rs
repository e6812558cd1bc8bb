//! A controller of gateways: each one of a class of ours becomes a deployment and a service, and is
//! programmed when the proxy in one of its pods says so.

mod dependents;
mod status;

use gateway_api::gateway_networking_v1::{Gateway, gatewayclasses, gateways};
use gateway_api::informer::Key;
use gateway_api::jiff::Timestamp;
use gateway_api::params::{DeleteParams, GetParams, ListParams, PatchParams};
use gateway_api::prelude::*;
use gateway_api::queue::Handled;
use gateway_api::{Patch, Queue, Store, owners::Owners, recorder::Recorder, store::all_synced};
use kapigen_client::{Client, Error, WorkQueue};
use openshift_api::apps_v1::{Deployment, deployments};
use openshift_api::core_v1::{Pod, Service, pods, services};
use std::sync::Mutex;
use std::time::Duration;

/// The `controllerName` of our classes.
pub const CONTROLLER: &str = "example.com/gateways";
/// Holds a gateway until its deployment and service are gone.
pub const FINALIZER: &str = "example.com/gateways";
/// The label of all that belongs to a gateway, with its name.
pub const LABEL: &str = "gateway.networking.k8s.io/gateway-name";
/// The field manager, and the name of the lease.
pub const MANAGER: &str = "gateways";

/// Works while this process leads, until `shutdown`.
///
/// # Errors
/// When a request can never be sent.
pub async fn operate(client: &Client, identity: &str, shutdown: impl Future) -> Result<(), Error> {
    let election = client.elect("default", MANAGER, identity)?;
    election.lead(|| control(client, identity), shutdown).await?.unwrap_or(Ok(()))
}

struct Controller<'a> {
    client: &'a Client,
    gateways: Store<Gateway>,
    deployments: Store<Deployment>,
    services: Store<Service>,
    recorder: Mutex<Recorder>,
}

async fn control(client: &Client, identity: &str) -> Result<(), Error> {
    let controller = Controller {
        client,
        gateways: Store::new(),
        deployments: Store::new(),
        services: Store::new(),
        recorder: Mutex::new(Recorder::new(MANAGER, identity)),
    };
    let Controller { gateways, deployments, services, .. } = &controller;
    let (all, ours) = (ListParams::default(), ListParams::default().label_selector(LABEL));
    let gateway_events = client.informer(gateways::list_all_namespaces(&all)?)?;
    let deployment_events = client.informer(deployments::list_all_namespaces(&ours)?)?;
    let service_events = client.informer(services::list_all_namespaces(&ours)?)?;
    let owners = Owners::of_kind::<Gateway>;
    let queue = WorkQueue::named("gateways", Queue::new().concurrency(4));
    let work = queue.run(async |key| match gateways.get(&key) {
        Some(gateway) => controller.reconcile(&gateway).await,
        None => Ok(Handled::Done),
    });
    tokio::select! {
        error = queue.follow(gateway_events, gateways) => Err(error),
        error = queue.follow_stored_dependents(deployment_events, owners(), deployments) => Err(error),
        error = queue.follow_stored_dependents(service_events, owners(), services) => Err(error),
        () = async { all_synced(&[gateways, deployments, services]).await; work.await } => Ok(()),
    }
}

impl Controller<'_> {
    async fn reconcile(&self, gateway: &Gateway) -> Result<Handled, Error> {
        let is_wanted =
            gateway.metadata.deletion_timestamp.is_none() && self.is_ours(gateway).await?;
        let done =
            if is_wanted { self.program(gateway).await } else { self.release(gateway).await };
        match done {
            Err(error) if error.is_not_found() => Ok(Handled::Done),
            done => done,
        }
    }

    async fn is_ours(&self, gateway: &Gateway) -> Result<bool, Error> {
        let class = &gateway.spec.gateway_class_name;
        let class = self.client.send(gatewayclasses::get(class, &GetParams::default())?).await;
        match class {
            Err(error) if error.is_not_found() => Ok(false),
            class => Ok(class?.body.spec.controller_name == CONTROLLER),
        }
    }

    async fn program(&self, gateway: &Gateway) -> Result<Handled, Error> {
        let (namespace, name) = (gateway.namespace(), gateway.name());
        let params = PatchParams::default().field_manager(MANAGER).force(true);
        self.client.set_finalizer(gateway, FINALIZER, true).await?;
        let deployment = Patch::apply(&dependents::deployment(gateway));
        self.client.send(deployments::patch(namespace, name, &deployment, &params)?).await?;
        let service = Patch::apply(&dependents::service(gateway));
        self.client.send(services::patch(namespace, name, &service, &params)?).await?;

        let is_programmed = self.is_available(gateway) && self.check(gateway).await?;
        if let Some(status) = status::of(gateway, is_programmed, Timestamp::now()) {
            let patch = Patch::apply(&status).omit("spec").keep("status.listeners.attachedRoutes");
            self.client.send(gateways::patch_status(namespace, name, &patch, &params)?).await?;
            if is_programmed {
                self.record(gateway, "Programmed", "the proxy has its configuration").await;
            }
        }
        let is_final = is_programmed || !self.is_available(gateway);
        Ok(if is_final { Handled::Done } else { Handled::Again(Duration::from_secs(10)) })
    }

    /// Whether the deployment has pods that take requests.
    fn is_available(&self, gateway: &Gateway) -> bool {
        let deployment = self.deployments.get(&Key::of(gateway));
        let replicas =
            deployment.and_then(|deployment| deployment.status.as_ref()?.available_replicas);
        replicas.is_some_and(|replicas| replicas > 0)
    }

    /// Asks the proxy in a pod whether it has its configuration.
    async fn check(&self, gateway: &Gateway) -> Result<bool, Error> {
        let ours =
            ListParams::default().label_selector(format!("{LABEL}={}", gateway.name())).limit(1);
        let list = self.client.send(pods::list(gateway.namespace(), &ours)?).await?.body;
        let Some(pod) = list.items.first().map(Pod::name) else { return Ok(false) };
        let command = pods::ExecParams::default().command(["proxy", "check"]).stdout(true);
        let exec = pods::get_exec(gateway.namespace(), pod, &command)?;
        Ok(self.client.exec(exec).await?.output().await?.exit.is_success())
    }

    /// Removes what belongs to a gateway, and then the finalizer.
    async fn release(&self, gateway: &Gateway) -> Result<Handled, Error> {
        if !gateway.metadata.has_finalizer(FINALIZER) {
            return Ok(Handled::Done);
        }
        let (namespace, name, params) =
            (gateway.namespace(), gateway.name(), DeleteParams::default());
        let key = Key::of(gateway);
        if self.deployments.get(&key).is_some() {
            self.client.send(deployments::delete(namespace, name, &params)?).await?;
        } else if self.services.get(&key).is_some() {
            self.client.send(services::delete(namespace, name, &params)?).await?;
        } else {
            self.client.set_finalizer(gateway, FINALIZER, false).await?;
        }
        Ok(Handled::Done)
    }

    /// An event that is refused holds nothing up.
    async fn record(&self, gateway: &Gateway, reason: &str, message: &str) {
        let recorded = self.recorder.lock().expect("no panic").normal(
            gateway,
            reason,
            message,
            Timestamp::now(),
        );
        if let Ok(Some(event)) = recorded {
            drop(self.client.send(event).await);
        }
    }
}
