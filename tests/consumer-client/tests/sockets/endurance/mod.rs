//! Two processes of an operator behind a network that loses requests and responses, cuts,
//! truncates, delays and falls silent, in front of a server that restarts: one of them leads, their
//! informers end with what the server has, and their queues lose no key.
//!
//! The simulated network takes minutes of a clock that jumps from timer to timer, and the sockets
//! some seconds. `ENDURANCE=3600` sets the seconds of both.

mod network;
#[path = "../../../../support/src/random/numbers.rs"]
mod numbers;
mod sockets;

use kapigen_client::{Client, Error, WorkQueue};
use kapigen_fake::Server;
use numbers::Random;
use openshift_api::core_v1::{Endpoints, Pod, endpoints, pods};
use openshift_api::election::Election;
use openshift_api::informer::{Informer, Key};
use openshift_api::jiff::Timestamp;
use openshift_api::mask::ObservedList;
use openshift_api::owners::Owners;
use openshift_api::params::{CreateParams, DeleteParams, ListParams, PatchParams};
use openshift_api::prelude::*;
use openshift_api::queue::Handled;
use openshift_api::response::{FromResponse, Requested};
use openshift_api::store::Versions;
use openshift_api::{Patch, Queue, Request, Store};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The number of pods that may exist.
const PODS: u64 = 12;

/// The duration of faults: the seconds in `ENDURANCE`, or these.
fn seconds(usual: u64) -> Duration {
    let wanted =
        std::env::var("ENDURANCE").ok().map(|text| text.parse().expect("ENDURANCE has seconds"));
    Duration::from_secs(wanted.unwrap_or(usual))
}

/// The times of a process.
#[derive(Clone, Copy)]
struct Times {
    lease: Duration,
    renewal: Duration,
    retry: Duration,
    watch: Duration,
    response: Duration,
}

/// The current leaders, and the number of terms so far.
#[derive(Default)]
struct Leaders {
    now: Vec<&'static str>,
    terms: usize,
}

/// A term of a leader, until it is dropped.
struct Term(Arc<Mutex<Leaders>>);

impl Term {
    fn begin(leaders: &Arc<Mutex<Leaders>>, identity: &'static str) -> Self {
        let mut all = leaders.lock().unwrap();
        all.now.push(identity);
        all.terms += 1;
        assert_eq!(all.now, [identity], "one leader");
        drop(all);
        Self(Arc::clone(leaders))
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        // A failed assertion has poisoned it already.
        if let Ok(mut leaders) = self.0.lock() {
            leaders.now.clear();
        }
    }
}

/// A process of the operator.
struct Process {
    identity: &'static str,
    client: Client,
    times: Times,
    seed: u64,
    leaders: Arc<Mutex<Leaders>>,
    /// All pods, also while it does not lead.
    pods: Store<Pod>,
}

impl Process {
    async fn run(&self) {
        let events = self.informer(
            pods::list_all_namespaces(&ListParams::default().limit(5)).unwrap(),
            self.seed.is_multiple_of(2),
        );
        let keys = WorkQueue::new(Queue::<Key>::new());
        let ended = tokio::select! {
            error = keys.follow(events, &self.pods) => error.to_string(),
            lead = self.lead() => format!("{lead:?}"),
        };
        panic!("{} ended: {ended}", self.identity);
    }

    fn informer<L>(&self, list: Request<L>, lists: bool) -> kapigen_client::Run<Informer<L::Item>>
    where
        L: ObservedList<Object: FromResponse>,
    {
        let informer = Informer::new(list).unwrap().seed(self.seed);
        let informer =
            informer.watch_timeout(self.times.watch).response_timeout(self.times.response);
        self.client.run(if lists { informer.lists() } else { informer })
    }

    async fn lead(&self) -> Result<Option<Result<(), Error>>, Error> {
        let Times { lease, renewal, retry, .. } = self.times;
        let election = Election::new(
            "operators",
            "addresses",
            self.identity,
            Timestamp::now(),
            Duration::ZERO,
        )?;
        let election = election.timing(lease, renewal, retry).expect("valid times");
        self.client.run(election).lead(|| self.control(), std::future::pending::<()>()).await
    }

    async fn control(&self) -> Result<(), Error> {
        let _term = Term::begin(&self.leaders, self.identity);
        let queue = WorkQueue::new(
            Queue::new().concurrency(3).pauses(Duration::from_millis(100), Duration::from_secs(5)),
        );
        let pods = Store::<Pod>::new();
        let owned = Store::<Endpoints>::new();
        let pod_events = self.informer(pods::list_all_namespaces(&ListParams::default())?, false);
        let mut events =
            self.informer(endpoints::list_all_namespaces(&ListParams::default())?, true);
        let mut owners = Owners::of_kind::<Pod>();
        let dependents = async {
            while let Some(event) = events.next().await {
                owned.apply(&event);
                owners.of(&event).into_iter().for_each(|key| queue.add(key));
            }
        };
        tokio::select! {
            error = queue.follow(pod_events, &pods) => Err(error),
            () = dependents => Ok(()),
            () = queue.run(async |key| self.reconcile(pods.get(&key), &owned).await) => Ok(()),
        }
    }

    /// Gives a pod endpoints with the same label.
    async fn reconcile(
        &self,
        pod: Option<Arc<Pod>>,
        owned: &Store<Endpoints>,
    ) -> Result<Handled, Error> {
        let Some(pod) = pod else { return Ok(Handled::Done) };
        let mut own = Endpoints::default();
        own.metadata.name = Some(pod.name().to_owned());
        own.metadata.labels.clone_from(&pod.metadata.labels);
        own.metadata.owner_references = pod.controller_reference().map(|owner| vec![owner]);
        let params = PatchParams::default().field_manager("addresses").force(true);
        let patch = endpoints::patch(pod.namespace(), pod.name(), &Patch::apply(&own), &params)?;
        let written = self.client.send(patch).await?.body;
        // Nothing reports the deletion of endpoints that the informer has not seen.
        let version = written.metadata.resource_version.as_deref().unwrap_or_default();
        let key = Key::of(&written);
        let seen = owned.wait_for(&key, version, Versions::Ordered);
        let limit = 4 * self.times.response;
        tokio::time::timeout(limit, seen)
            .await
            .map_err(|_| kapigen_client::ErrorKind::TimedOut(limit))?;
        Ok(Handled::Done)
    }
}

/// The response of the server itself, without a network.
fn ask<T: Requested>(server: &Server, request: Request<T>) -> Result<T, openshift_api::Error> {
    let response = server.handle(request.to_http(), server.now()).response;
    let response = response.map(|body| body.into_whole().expect("a whole response"));
    Ok(request.decode(&response)?.body)
}

/// Somebody creates, changes or deletes a pod, or deletes endpoints.
fn change(server: &Server, random: &mut Random) {
    let name = format!("pod-{}", random.below(PODS));
    let number = random.below(1_000_000).to_string();
    let options = DeleteParams::default().grace_period_seconds(0);
    match random.below(8) {
        0 => drop(ask(server, pods::delete("default", &name, &options).unwrap())),
        1 => drop(ask(
            server,
            endpoints::delete("default", &name, &DeleteParams::default()).unwrap(),
        )),
        _ => {
            let patch = Patch::merge(&json!({"metadata": {"labels": {"number": number}}}));
            let patch = pods::patch("default", &name, &patch, &PatchParams::default()).unwrap();
            if ask(server, patch).is_err_and(|error| error.is_not_found()) {
                let metadata = json!({"name": name, "labels": {"number": number}});
                let spec = json!({"containers": [{"name": "web", "image": "web:1"}]});
                let pod: Pod =
                    serde_json::from_value(json!({"metadata": metadata, "spec": spec})).unwrap();
                ask(server, pods::create("default", &pod, &CreateParams::default()).unwrap())
                    .expect("a pod");
            }
        }
    }
}

/// What happens to the server beside its requests: it is slow to forget, or restarts, and is away
/// for some seconds.
fn disturb(server: &Server, random: &mut Random) -> bool {
    server.cut_streams();
    if random.below(2) == 0 {
        server.compact();
    }
    random.below(2) == 0
}

/// The versions of the pods in a fresh list.
fn listed(server: &Server) -> BTreeMap<String, Option<String>> {
    let list =
        ask(server, pods::list_all_namespaces(&ListParams::default()).unwrap()).expect("a list");
    list.items
        .iter()
        .map(|pod| (pod.name().to_owned(), pod.metadata.resource_version.clone()))
        .collect()
}

/// The difference between what there should be and what there is. `None` if there is none.
fn difference(server: &Server, processes: &[Arc<Process>]) -> Option<String> {
    let fresh = listed(server);
    for process in processes {
        let snapshot = process.pods.snapshot();
        let stored: BTreeMap<_, _> = snapshot
            .iter()
            .map(|(_, pod)| (pod.name().to_owned(), pod.metadata.resource_version.clone()))
            .collect();
        if stored != fresh {
            return Some(format!(
                "the informer of {} has {stored:?}\n and the server {fresh:?}",
                process.identity
            ));
        }
    }
    let labels = |metadata: &openshift_api::meta_v1::ObjectMeta| {
        (metadata.name.clone(), metadata.labels.clone())
    };
    let pods =
        ask(server, pods::list_all_namespaces(&ListParams::default()).unwrap()).expect("a list");
    let all = ask(server, endpoints::list_all_namespaces(&ListParams::default()).unwrap())
        .expect("a list");
    let wanted: BTreeMap<_, _> = pods.items.iter().map(|pod| labels(&pod.metadata)).collect();
    let found: BTreeMap<_, _> =
        all.items.iter().map(|endpoints| labels(&endpoints.metadata)).collect();
    (wanted != found).then(|| format!("the pods have {wanted:?}\n and the endpoints {found:?}"))
}

/// Waits until nothing differs any more.
async fn settle(server: &Server, processes: &[Arc<Process>], at_most: Duration) {
    let begin = tokio::time::Instant::now();
    while let Some(difference) = difference(server, processes) {
        assert!(begin.elapsed() < at_most, "after {at_most:?} without faults {difference}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Prepares a server with garbage collection and with objects for the operator.
fn prepare(server: &Server, random: &mut Random) {
    server.garbage_collection(true);
    for _ in 0..2 * PODS {
        change(server, random);
    }
}
