//! Convergence: after any faults of the server and the connection, an informer ends with the
//! objects of the server. It reports nothing twice, and does not flood the server.

use crate::cluster::{Cluster, NAMES, Reply, Streams};
use crate::order::Order;
use crate::script::{line, list};
use http::{HeaderMap, StatusCode};
use kapigen_runtime::informer::Event;
use kapigen_runtime::meta_v1::PartialObjectMetadata;
use kapigen_runtime::store::Store;
use kapigen_runtime::{Informer, Input, Machine, Step};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

/// Something that happens.
#[derive(Clone, Debug)]
enum Act {
    Change {
        index: usize,
        is_deletion: bool,
    },
    Compact,
    /// Time passes, in milliseconds.
    Pass(u64),
    /// The next response, or the one that is open, has this fault.
    Fault(Fault),
    /// The response arrives in chunks of this length.
    Chunks(usize),
    /// The server is upgraded or downgraded, which ends its responses.
    Replace(Streams),
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    Refuse(u16),
    /// The connection breaks after so many bytes.
    Cut(usize),
    /// The response ends after so many bytes.
    End(usize),
    Html,
    HalfGzip,
    Silence,
    ErrorEvent(u16),
    /// The watch sends old events again.
    JumpBack,
}

fn act() -> impl Strategy<Value = Act> {
    let fault = prop_oneof![
        prop::sample::select(vec![400, 401, 404, 410, 429, 500, 503, 504]).prop_map(Fault::Refuse),
        (0..600_usize).prop_map(Fault::Cut),
        (0..600_usize).prop_map(Fault::End),
        Just(Fault::Html),
        Just(Fault::HalfGzip),
        Just(Fault::Silence),
        prop::sample::select(vec![410, 429, 500, 504]).prop_map(Fault::ErrorEvent),
        Just(Fault::JumpBack),
    ];
    prop_oneof![
        6 => (0..NAMES, any::<bool>()).prop_map(|(index, is_deletion)| Act::Change { index, is_deletion }),
        1 => Just(Act::Compact),
        3 => (0..200_000_u64).prop_map(Act::Pass),
        3 => fault.prop_map(Act::Fault),
        1 => (1..200_usize).prop_map(Act::Chunks),
        1 => streams().prop_map(Act::Replace),
    ]
}

fn streams() -> impl Strategy<Value = Streams> {
    // Others, such as 403, say that the server grants nothing: an informer waits for it.
    let codes = prop::sample::select(vec![400, 404, 405, 406, 410, 415, 422, 429, 500, 503]);
    prop_oneof![
        4 => Just(Streams::Served),
        4 => (codes, any::<bool>()).prop_map(|(code, is_event)| Streams::Refused { code, is_event }),
        1 => Just(Streams::Unknown),
    ]
}

/// A server, an informer, and the network between them.
struct World {
    cluster: Cluster,
    /// The order of members that the server sends.
    order: Order,
    informer: Informer<PartialObjectMetadata>,
    now: Duration,
    /// The version up to which the open watch has sent events.
    watch: Option<u64>,
    fault: Option<Fault>,
    chunk: usize,
    requests: u32,
    /// The objects that were reported.
    reported: BTreeMap<String, u64>,
    store: Store<PartialObjectMetadata>,
    is_initializing: bool,
}

impl World {
    fn new(streams: Streams, order: Order, limit: i64, seed: u64) -> Self {
        let request = list_of(limit);
        let informer = Informer::new(request).unwrap().seed(seed);
        Self {
            cluster: Cluster::new(streams),
            order,
            informer,
            now: Duration::ZERO,
            watch: None,
            fault: None,
            chunk: usize::MAX,
            requests: 0,
            reported: BTreeMap::new(),
            store: Store::new(),
            is_initializing: false,
        }
    }

    fn act(&mut self, act: &Act) {
        match *act {
            Act::Change { index, is_deletion } => self.cluster.change(index, is_deletion),
            Act::Compact => self.cluster.compact(),
            Act::Pass(time) => self.pass(Duration::from_millis(time)),
            Act::Chunks(length) => self.chunk = length,
            Act::Replace(streams) => {
                self.cluster.streams = streams;
                self.informer.feed(Input::Disconnected(""), self.now);
                self.watch = None;
            }
            Act::Fault(fault) if self.watch.is_some() => self.break_watch(fault),
            Act::Fault(fault) => self.fault = Some(fault),
        }
        self.send_changes();
    }

    /// Sends the new events to the open watch.
    fn send_changes(&mut self) {
        if let Some(version) = self.watch {
            let (bytes, version) = self.cluster.events_after(version);
            self.watch = Some(version);
            self.feed(&self.order.of_body(&bytes));
        }
        self.steps();
    }

    fn break_watch(&mut self, fault: Fault) {
        match fault {
            Fault::Cut(_) | Fault::Refuse(_) => {
                self.informer.feed(Input::Disconnected(""), self.now);
            }
            Fault::End(_) => self.informer.feed(Input::End, self.now),
            Fault::Html => self.feed(b"<html>\n"),
            Fault::HalfGzip => self.feed(&[0x1f, 0x8b, 8, 0, 0, b'\n', 3, 7]),
            Fault::Silence => {}
            Fault::ErrorEvent(code) => self.feed(line(&["ERROR", &code.to_string()]).as_bytes()),
            Fault::JumpBack => {
                let (bytes, _) = self.cluster.events_after(0);
                return self.feed(&self.order.of_body(&bytes));
            }
        }
        self.watch = None;
    }

    /// Takes steps as long as time passes.
    fn pass(&mut self, time: Duration) {
        let end = self.now + time;
        while let Some(until) = self.steps().filter(|until| *until <= end) {
            self.now = until.max(self.now);
            self.send_changes();
        }
        self.now = end;
    }

    /// Takes all steps that are due. Returns the time of the next one.
    fn steps(&mut self) -> Option<Duration> {
        loop {
            match self.informer.poll(self.now) {
                Step::Event(event) => self.report(event),
                Step::Send(request) => {
                    self.requests += 1;
                    let query = request.uri().query().unwrap_or_default().to_owned();
                    self.respond(&query);
                }
                Step::Receive { until } => return Some(until),
                Step::Wait { until } => {
                    self.watch = None;
                    return Some(until);
                }
                Step::Done => panic!("an informer never ends"),
            }
        }
    }

    fn respond(&mut self, query: &str) {
        self.watch = None;
        let reply = self.cluster.reply(query);
        let (reply, end) = match self.fault.take() {
            Some(Fault::Refuse(code)) => (Reply::refusal(code), usize::MAX),
            Some(Fault::Cut(length) | Fault::End(length)) if length == 0 => {
                return self.informer.feed(Input::Disconnected(""), self.now);
            }
            Some(Fault::Cut(length)) => return self.send(&reply, length, false),
            Some(Fault::End(length)) => return self.send(&reply, length, true),
            Some(Fault::Html) => {
                (Reply { status: 200, body: b"<p>Sign in".to_vec(), watch: None }, usize::MAX)
            }
            Some(Fault::HalfGzip) => {
                return self.send(&Reply { body: vec![0x1f, 0x8b, 8], ..reply }, 3, false);
            }
            Some(Fault::Silence) => return,
            Some(Fault::ErrorEvent(code)) => (Reply::event(code), usize::MAX),
            Some(Fault::JumpBack)
                if reply.watch.is_some() && !query.contains("sendInitialEvents") =>
            {
                (Reply { body: self.cluster.events_after(0).0, ..reply }, usize::MAX)
            }
            None | Some(Fault::JumpBack) => (reply, usize::MAX),
        };
        self.send(&reply, end, true);
    }

    /// Sends a response up to this length. A watch continues unless it was cut.
    fn send(&mut self, reply: &Reply, length: usize, is_end: bool) {
        let status = StatusCode::from_u16(reply.status).unwrap();
        self.informer.feed(Input::Head(status, &HeaderMap::new()), self.now);
        let body = self.order.of_body(&reply.body);
        let is_cut = length < body.len();
        self.feed(&body[..length.min(body.len())]);
        match reply.watch {
            Some(version) if !is_cut => self.watch = Some(version),
            _ if is_end => self.informer.feed(Input::End, self.now),
            _ => self.informer.feed(Input::Disconnected(""), self.now),
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        bytes
            .chunks(self.chunk)
            .for_each(|chunk| self.informer.feed(Input::Bytes(chunk), self.now));
    }

    fn report(&mut self, event: Event<PartialObjectMetadata>) {
        self.store.apply(&event);
        match event {
            Event::Init => {
                assert!(!std::mem::replace(&mut self.is_initializing, true), "a second Init");
            }
            Event::InitDone => {
                assert!(std::mem::take(&mut self.is_initializing), "InitDone without Init");
            }
            Event::Applied { key, object } => {
                let version = object.metadata.resource_version.as_deref().unwrap().parse().unwrap();
                let last = self.reported.insert(key.to_string(), version);
                assert_ne!(last, Some(version), "{key} twice");
            }
            Event::Deleted { key, .. } => {
                assert!(self.reported.remove(key.as_str()).is_some(), "{key} was not there");
            }
            Event::Failed(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

fn stored(store: &Store<PartialObjectMetadata>) -> BTreeMap<String, u64> {
    let version = |object: &PartialObjectMetadata| {
        object.metadata.resource_version.as_deref().unwrap().parse().unwrap()
    };
    store.snapshot().iter().map(|(key, object)| (key.to_string(), version(&object))).collect()
}

fn list_of(
    limit: i64,
) -> kapigen_runtime::Request<kapigen_runtime::meta_v1::PartialObjectMetadataList> {
    list(&kapigen_runtime::params::ListParams::default().limit(limit))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn an_informer_ends_with_what_the_server_has(
        acts in prop::collection::vec(act(), 0..60),
        streams in streams(),
        order in prop_oneof![prop::sample::select(&Order::ALL), any::<u64>().prop_map(Order::Shuffled)],
        limit in 1..4_i64,
        seed in any::<u64>(),
    ) {
        let mut world = World::new(streams, order, limit, seed);
        for act in &acts {
            world.act(act);
        }
        world.fault = None;
        // The longest time limit of a watch is ten minutes: a silent one is over then.
        world.pass(Duration::from_secs(700));
        prop_assert!(world.store.is_ready() && !world.is_initializing);
        prop_assert_eq!(&world.reported, &world.cluster.objects);
        prop_assert_eq!(stored(&world.store), world.cluster.objects.clone());
        let pages = u32::try_from(NAMES).unwrap() + 2;
        let limit = 20.0 + world.now.as_secs_f64() * f64::from(pages);
        prop_assert!(f64::from(world.requests) < limit, "{} requests in {:?}", world.requests, world.now);
    }
}

#[test]
fn a_storm_of_errors_is_no_storm_of_requests() {
    for fault in [
        Fault::Refuse(500),
        Fault::Cut(0),
        Fault::Html,
        Fault::HalfGzip,
        Fault::ErrorEvent(410),
        Fault::End(1),
    ] {
        let mut world = World::new(Streams::Served, Order::Recorded, 500, 1);
        let mut last = 0;
        while world.now < Duration::from_secs(3600) {
            if world.requests != last || world.fault.is_none() {
                world.fault = Some(fault);
            }
            last = world.requests;
            world.pass(Duration::from_millis(400));
        }
        // Waits of 30 to 60 seconds are at most 120 in an hour.
        assert!((60..140).contains(&world.requests), "{fault:?}: {} requests", world.requests);
    }
}

/// The requests up to the first [`Event::InitDone`], and the time until then.
fn start(streams: Streams, order: Order) -> (u32, Duration) {
    let mut world = World::new(streams, order, 500, 1);
    (0..NAMES).for_each(|index| world.cluster.change(index, false));
    while !world.store.is_ready() {
        let until = world.steps().expect("an informer never ends");
        if !world.store.is_ready() {
            world.now = until;
        }
    }
    assert_eq!(world.reported, world.cluster.objects);
    // After a list, a watch is requested in the same steps.
    (world.requests - u32::from(streams != Streams::Served), world.now)
}

#[test]
fn a_refused_stream_costs_one_round_trip() {
    for order in Order::ALL {
        assert_eq!(start(Streams::Served, order), (1, Duration::ZERO));
        for is_event in [false, true] {
            for code in [400, 404, 405, 406, 415, 422] {
                assert_eq!(
                    start(Streams::Refused { code, is_event }, order),
                    (2, Duration::ZERO),
                    "{code}"
                );
            }
            let (requests, time) = start(Streams::Refused { code: 500, is_event }, order);
            assert_eq!(requests, 3);
            assert!(time < Duration::from_secs(2), "one pause: {time:?}");
        }
    }
}
