//! One of several processes works: the one that holds a lease, which kube has no type for.

use crate::MANAGER;
use k8s_openapi::api::coordination::v1::{Lease as Object, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::{SignedDuration, Timestamp};
use kube::api::{ObjectMeta, PostParams};
use kube::{Api, Client, Error};
use std::time::{Duration, Instant};

const DURATION: i32 = 15;
const RENEW: Duration = Duration::from_secs(10);
const RETRY: Duration = Duration::from_secs(2);

pub(crate) struct Lease {
    api: Api<Object>,
    name: String,
    identity: String,
}

impl Lease {
    pub(crate) fn new(client: Client, namespace: &str, name: &str, identity: &str) -> Self {
        let api = Api::namespaced(client, namespace);
        Self { api, name: name.to_owned(), identity: identity.to_owned() }
    }

    /// Waits until this process holds the lease.
    pub(crate) async fn acquire(&self) {
        loop {
            match self.attempt().await {
                Ok(true) => return tracing::info!("{} holds the lease", self.identity),
                Ok(false) => {}
                Err(error) => tracing::warn!("{MANAGER}: {error}"),
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Renews the lease, and returns when it is lost.
    pub(crate) async fn hold(&self) {
        let mut renewed = Instant::now();
        while renewed.elapsed() < RENEW {
            tokio::time::sleep(RETRY).await;
            match self.attempt().await {
                Ok(true) => renewed = Instant::now(),
                Ok(false) => return,
                Err(error) => tracing::warn!("{MANAGER}: {error}"),
            }
        }
    }

    pub(crate) async fn release(&self) -> Result<(), Error> {
        let Some(mut object) = self.api.get_opt(&self.name).await? else { return Ok(()) };
        let spec = object.spec.get_or_insert_default();
        if spec.holder_identity.as_deref() == Some(&self.identity) {
            spec.holder_identity = Some(String::new());
            self.api.replace(&self.name, &PostParams::default(), &object).await?;
        }
        Ok(())
    }

    /// Takes or renews the lease, unless another process holds it. A conflict is a lost race.
    async fn attempt(&self) -> Result<bool, Error> {
        let now = Timestamp::now();
        let object = self.api.get_opt(&self.name).await?;
        let spec = object.as_ref().and_then(|object| object.spec.clone()).unwrap_or_default();
        let holder = spec.holder_identity.filter(|holder| !holder.is_empty());
        let is_mine = holder.as_deref() == Some(self.identity.as_str());
        let seconds = spec.lease_duration_seconds.unwrap_or(DURATION).into();
        let is_over = spec
            .renew_time
            .is_none_or(|MicroTime(renewed)| now > renewed + SignedDuration::from_secs(seconds));
        if holder.is_some() && !is_mine && !is_over {
            return Ok(false);
        }
        let spec = LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: Some(DURATION),
            acquire_time: spec.acquire_time.filter(|_| is_mine).or(Some(MicroTime(now))),
            renew_time: Some(MicroTime(now)),
            lease_transitions: Some(spec.lease_transitions.unwrap_or(0) + i32::from(!is_mine)),
            ..LeaseSpec::default()
        };
        let written = match object {
            Some(object) => {
                let object = Object { spec: Some(spec), ..object };
                self.api.replace(&self.name, &PostParams::default(), &object).await
            }
            None => {
                let metadata = ObjectMeta { name: Some(self.name.clone()), ..Default::default() };
                let object = Object { metadata, spec: Some(spec) };
                self.api.create(&PostParams::default(), &object).await
            }
        };
        match written {
            Err(Error::Api(status)) if status.code == 409 => Ok(false),
            written => written.map(|_| true),
        }
    }
}
