//! Elections: never two leaders, whatever happens to requests, processes and clocks.

use http::{HeaderMap, Method, StatusCode};
use kapigen_runtime::election::{Election, Event};
use kapigen_runtime::jiff::{SignedDuration, Timestamp};
use kapigen_runtime::{Machine, Step};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A server with one Lease.
#[derive(Default)]
struct Server {
    lease: Option<Value>,
    version: u64,
}

impl Server {
    fn respond(&mut self, method: &Method, body: &[u8]) -> (u16, Vec<u8>) {
        let body: Option<Value> = serde_json::from_slice(body).ok();
        let current = self.lease.as_ref().map(|lease| lease["metadata"]["resourceVersion"].clone());
        let status = match (method.as_str(), &current) {
            ("GET" | "PUT", None) => 404,
            ("GET", Some(_)) => 200,
            ("POST", Some(_)) => 409,
            ("PUT", Some(current)) if body.as_ref().unwrap()["metadata"]["resourceVersion"] != *current => 409,
            ("POST" | "PUT", _) => self.write(body.unwrap()),
            _ => panic!("{method}"),
        };
        let body = if status < 300 { self.lease.as_ref().unwrap().to_string() } else { String::new() };
        (status, body.into_bytes())
    }

    /// A write that changes nothing keeps the version.
    fn write(&mut self, mut lease: Value) -> u16 {
        if self.lease.as_ref().is_none_or(|last| last["spec"] != lease["spec"]) {
            self.version += 1;
            lease["metadata"]["resourceVersion"] = json!(self.version.to_string());
            self.lease = Some(lease);
        }
        200
    }
}

/// The way of one request: how long it takes there and back, and whether it is lost.
#[derive(Clone, Copy, Debug)]
struct Way {
    there: u64,
    back: u64,
    is_lost: bool,
    is_response_lost: bool,
}

struct Candidate {
    election: Election,
    start: Duration,
    skew: i64,
    /// The request that is open.
    request: usize,
    frozen_until: Duration,
    events: Vec<String>,
}

enum Packet {
    Request { candidate: usize, request: usize, method: Method, body: Vec<u8>, way: Way },
    Response { candidate: usize, request: usize, status: u16, body: Vec<u8> },
}

struct World {
    deadline: Duration,
    now: Duration,
    server: Server,
    candidates: Vec<Candidate>,
    packets: Vec<(Duration, Packet)>,
    ways: Vec<Way>,
    requests: usize,
}

impl World {
    fn new(ways: Vec<Way>, skews: [i64; 2]) -> Self {
        Self::with_deadline(ways, skews, Duration::from_secs(10))
    }

    fn with_deadline(ways: Vec<Way>, skews: [i64; 2], deadline: Duration) -> Self {
        let mut world = Self {
            deadline,
            now: Duration::ZERO,
            server: Server::default(),
            candidates: Vec::new(),
            packets: Vec::new(),
            ways,
            requests: 0,
        };
        world.candidates = [("one", 0), ("two", 1)].map(|(name, index)| world.candidate(name, skews[index])).into();
        world
    }

    fn candidate(&self, identity: &str, skew: i64) -> Candidate {
        let start = Duration::from_secs(skew.unsigned_abs() % 100);
        let wall = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1000 + skew);
        let election = Election::new("ns", "lock", identity, wall, self.now + start).unwrap();
        let [lease, retry] = [15, 2].map(Duration::from_secs);
        let election = election.timing(lease, self.deadline, retry).unwrap();
        Candidate { election, start, skew, request: 0, frozen_until: Duration::ZERO, events: Vec::new() }
    }

    /// Passes a moment.
    fn tick(&mut self) {
        self.now += millis(50);
        let now = self.now;
        let due: Vec<_> = self.packets.extract_if(.., |(time, _)| *time <= now).collect();
        for (_, packet) in due {
            self.deliver(packet);
        }
        for index in 0..self.candidates.len() {
            if self.candidates[index].frozen_until <= now {
                self.run(index);
            }
        }
        assert!(self.leaders().len() <= 1, "two leaders at {now:?}");
    }

    fn leaders(&self) -> Vec<usize> {
        let leads = |candidate: &Candidate| candidate.election.is_leader(self.now + candidate.start);
        (0..self.candidates.len()).filter(|index| leads(&self.candidates[*index])).collect()
    }

    fn deliver(&mut self, packet: Packet) {
        match packet {
            Packet::Request { candidate, request, method, body, way } => {
                let (status, body) = self.server.respond(&method, &body);
                if !way.is_response_lost {
                    let response = Packet::Response { candidate, request, status, body };
                    self.packets.push((self.now + millis(way.back), response));
                }
            }
            Packet::Response { candidate, request, status, body } => {
                let candidate = &mut self.candidates[candidate];
                if candidate.request == request {
                    let now = self.now + candidate.start;
                    let status = StatusCode::from_u16(status).unwrap();
                    candidate.election.on_head(status, &HeaderMap::new(), now);
                    candidate.election.on_bytes(&body, now);
                    candidate.election.on_end(now);
                }
            }
        }
    }

    fn run(&mut self, index: usize) {
        loop {
            let candidate = &mut self.candidates[index];
            match candidate.election.poll(self.now + candidate.start) {
                Step::Event(event) => candidate.events.push(describe(event)),
                Step::Send(request) => {
                    self.requests += 1;
                    candidate.request = self.requests;
                    let way = self.ways[self.requests % self.ways.len()];
                    if !way.is_lost {
                        let (method, body) = (request.method().clone(), request.into_body());
                        let packet = Packet::Request { candidate: index, request: self.requests, method, body, way };
                        self.packets.push((self.now + millis(way.there), packet));
                    }
                }
                Step::Wait { .. } => {
                    candidate.request = 0;
                    return;
                }
                Step::Receive { .. } | Step::Done => return,
            }
        }
    }

    fn pass(&mut self, seconds: u64) {
        let end = self.now + Duration::from_secs(seconds);
        while self.now < end {
            self.tick();
        }
    }
}

fn describe(event: Event) -> String {
    match event {
        Event::Leading => "leading".to_owned(),
        Event::Lost => "lost".to_owned(),
        Event::Leader(name) => format!("leader {name}"),
        Event::Failed(failure) => format!("failed: {failure}"),
        other => panic!("{other:?}"),
    }
}

const FAST: Way = Way { there: 20, back: 20, is_lost: false, is_response_lost: false };

#[test]
fn one_candidate_leads_and_the_other_waits() {
    let mut world = World::new(vec![FAST], [0, 77]);
    world.pass(100);
    assert_eq!(world.leaders(), [0]);
    assert_eq!(world.candidates[0].events, ["leading"]);
    assert_eq!(world.candidates[1].events, ["leader one"]);
    let lease = world.server.lease.take().unwrap();
    assert_eq!((&lease["spec"]["holderIdentity"], &lease["spec"]["leaseTransitions"]), (&json!("one"), &json!(0)));
    assert!(world.requests < 110, "{} requests in 100 seconds", world.requests);
}

#[test]
fn a_release_lets_the_other_lead_at_once() {
    let mut world = World::new(vec![FAST], [0, 77]);
    world.pass(10);
    let now = world.now + world.candidates[0].start;
    world.candidates[0].election.release(now);
    assert!(world.leaders().is_empty(), "leadership ends before the record is emptied");
    world.pass(4);
    assert_eq!(world.leaders(), [1]);
    assert_eq!(world.candidates[0].events, ["leading", "lost"]);
    let spec = &world.server.lease.as_ref().unwrap()["spec"];
    assert_eq!((&spec["holderIdentity"], &spec["leaseTransitions"]), (&json!("two"), &json!(2)));
}

#[test]
fn a_hanging_server_ends_leadership_at_the_deadline() {
    let mut world = World::new(vec![FAST], [0, 77]);
    world.pass(10);
    world.ways = vec![Way { is_lost: true, ..FAST }];
    world.pass(7);
    assert_eq!(world.leaders(), [0]);
    world.pass(4);
    assert!(world.leaders().is_empty());
    assert_eq!(world.candidates[0].events.last().unwrap(), "lost");
}

#[test]
fn a_dead_leader_is_followed_after_its_lease() {
    let mut world = World::new(vec![FAST], [0, -7000]);
    world.pass(10);
    world.candidates[0].frozen_until = Duration::MAX;
    world.pass(13);
    assert!(world.leaders().is_empty());
    world.pass(8);
    assert_eq!(world.leaders(), [1]);
}

#[test]
fn a_clock_that_stands_still_still_renews() {
    let mut world = World::new(vec![FAST], [0, 0]);
    for _ in 0..100 {
        for candidate in &mut world.candidates {
            candidate.election.set_wall_time(Timestamp::UNIX_EPOCH, world.now + candidate.start);
        }
        world.pass(1);
    }
    assert_eq!(world.candidates[0].events, ["leading"]);
}

#[test]
fn other_members_of_the_lease_stay() {
    let mut world = World::new(vec![FAST], [0, 77]);
    let metadata = json!({ "name": "lock", "resourceVersion": "7", "labels": { "a": "b" } });
    let spec = json!({ "strategy": "OldestEmulationVersion" });
    world.server.lease = Some(json!({ "kind": "Lease", "metadata": metadata, "spec": spec }));
    world.pass(5);
    let lease = world.server.lease.unwrap();
    assert_eq!((&lease["metadata"]["labels"]["a"], &lease["spec"]["strategy"]), (&json!("b"), &spec["strategy"]));
    assert_eq!(lease["spec"]["holderIdentity"], "one");
}

#[test]
fn refuses_times_that_allow_two_leaders() {
    let election = || Election::new("ns", "lock", "one", Timestamp::UNIX_EPOCH, Duration::ZERO).unwrap();
    let seconds = Duration::from_secs;
    assert!(election().timing(seconds(10), seconds(10), seconds(2)).is_err());
    assert!(election().timing(seconds(15), seconds(4), seconds(2)).is_err());
    assert!(election().timing(seconds(30), seconds(20), seconds(4)).is_ok());
    assert!(Election::new("ns", "a/b", "one", Timestamp::UNIX_EPOCH, Duration::ZERO).is_err());
    assert!(Election::new("ns", "lock", "", Timestamp::UNIX_EPOCH, Duration::ZERO).is_err());
}

fn way() -> impl Strategy<Value = Way> {
    let delay = || prop_oneof![4 => 0..200_u64, 1 => 0..30_000_u64];
    (delay(), delay(), prop::bool::weighted(0.15), prop::bool::weighted(0.15))
        .prop_map(|(there, back, is_lost, is_response_lost)| Way { there, back, is_lost, is_response_lost })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn there_are_never_two_leaders(
        ways in prop::collection::vec(way(), 5..60),
        acts in prop::collection::vec((0..2_usize, 0..4_u8, 1..25_u64), 0..12),
        skews in prop::array::uniform2(-5000..5000_i64),
    ) {
        // With little between the deadline and the lease, nothing hides a wrong moment.
        let mut world = World::with_deadline(ways, skews, Duration::from_millis(14_900));
        for (index, act, seconds) in acts {
            let candidate = &mut world.candidates[index];
            match act {
                0 => candidate.frozen_until = world.now + Duration::from_secs(seconds),
                1 => candidate.election.release(world.now + candidate.start),
                // The clock jumps, and the process starts anew under the same name.
                2 => candidate.election.set_wall_time(Timestamp::UNIX_EPOCH, world.now + candidate.start),
                _ => {}
            }
            world.pass(seconds);
        }
        // With a network that works, and processes that run, somebody leads.
        world.ways = vec![FAST];
        for (index, name) in ["three", "four"].into_iter().enumerate() {
            let skew = world.candidates[index].skew;
            let now = world.now + world.candidates[index].start;
            world.candidates[index].election.release(now);
            world.candidates.push(world.candidate(name, skew));
        }
        world.pass(60);
        prop_assert_eq!(world.leaders().len(), 1);
    }
}
