//! A model of candidates, clocks, and a server with one Lease.

use http::{HeaderMap, Method, StatusCode};
use kapigen_runtime::jiff::{SignedDuration, Timestamp};
use kapigen_runtime::{Election, ElectionEvent};
use kapigen_runtime::{Input, Machine, Step};
use serde_json::{Value, json};
use std::time::Duration;

pub(crate) const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// So many tenths of a second.
pub(crate) const fn tenth(tenths: u64) -> Duration {
    millis(100 * tenths)
}

/// A server with one Lease.
#[derive(Default)]
pub(crate) struct Server {
    pub(crate) lease: Option<Value>,
    version: u64,
}

impl Server {
    pub(crate) fn respond(&mut self, method: &Method, body: &[u8]) -> (u16, Vec<u8>) {
        let body: Option<Value> = serde_json::from_slice(body).ok();
        let current = self.lease.as_ref().map(|lease| lease["metadata"]["resourceVersion"].clone());
        let status = match (method.as_str(), &current) {
            ("GET" | "PUT", None) => 404,
            ("GET", Some(_)) => 200,
            ("POST", Some(_)) => 409,
            ("PUT", Some(current))
                if body.as_ref().unwrap()["metadata"]["resourceVersion"] != *current =>
            {
                409
            }
            ("POST" | "PUT", _) => self.write(body.unwrap()),
            _ => panic!("{method}"),
        };
        let body =
            if status < 300 { self.lease.as_ref().unwrap().to_string() } else { String::new() };
        (status, body.into_bytes())
    }

    /// A write that changes nothing keeps the version.
    pub(crate) fn write(&mut self, mut lease: Value) -> u16 {
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
pub(crate) struct Way {
    pub(crate) there: u64,
    pub(crate) back: u64,
    pub(crate) is_lost: bool,
    pub(crate) is_response_lost: bool,
}

pub(crate) struct Candidate {
    pub(crate) election: Election,
    /// The time by its clock at the start of the world.
    pub(crate) start: Duration,
    /// The hours by which its time of day is wrong. Without them it stands still.
    pub(crate) skew: Option<i64>,
    /// The time for which its clock stood still in suspensions that are over.
    stood: Duration,
    /// Start and end of the last suspension.
    suspended: (Duration, Duration),
    /// The request that is open.
    request: usize,
    pub(crate) frozen_until: Duration,
    /// Whether all its requests are lost.
    pub(crate) is_cut_off: bool,
    pub(crate) events: Vec<String>,
}

impl Candidate {
    /// The time by its clock, which stands still while the computer is suspended.
    pub(crate) fn clock(&self, now: Duration) -> Duration {
        let (from, until) = self.suspended;
        (now + self.start).saturating_sub(self.stood + now.min(until).saturating_sub(from))
    }

    /// Its time of day, which runs on.
    pub(crate) fn wall(&self, now: Duration) -> Timestamp {
        self.skew.map_or(Timestamp::UNIX_EPOCH, |skew| wall(now, skew))
    }

    /// Suspends its computer, unless the process stands still anyway.
    pub(crate) fn suspend(&mut self, now: Duration, time: Duration) {
        if self.frozen_until <= now {
            let (from, until) = self.suspended;
            self.stood += until.saturating_sub(from);
            self.suspended = (now, now + time);
            self.frozen_until = now + time;
        }
    }
}

fn wall(now: Duration, skew: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1000 + skew) + now
}

pub(crate) enum Packet {
    Request { candidate: usize, request: usize, method: Method, body: Vec<u8>, way: Way },
    Response { candidate: usize, request: usize, status: u16, body: Vec<u8> },
}

pub(crate) struct World {
    deadline: Duration,
    pub(crate) now: Duration,
    pub(crate) server: Server,
    pub(crate) candidates: Vec<Candidate>,
    packets: Vec<(Duration, Packet)>,
    pub(crate) ways: Vec<Way>,
    pub(crate) requests: usize,
}

impl World {
    pub(crate) fn new(ways: Vec<Way>, skews: [i64; 2]) -> Self {
        Self::with_deadline(ways, skews, Duration::from_secs(10))
    }

    pub(crate) fn with_deadline(ways: Vec<Way>, skews: [i64; 2], deadline: Duration) -> Self {
        let mut world = Self {
            deadline,
            now: Duration::ZERO,
            server: Server::default(),
            candidates: Vec::new(),
            packets: Vec::new(),
            ways,
            requests: 0,
        };
        world.candidates = [("one", 0), ("two", 1)]
            .map(|(name, index)| world.candidate(name, skews[index]))
            .into();
        world
    }

    pub(crate) fn candidate(&self, identity: &str, skew: i64) -> Candidate {
        let start = Duration::from_secs(skew.unsigned_abs() % 100);
        let election =
            Election::new("ns", "lock", identity, wall(self.now, skew), self.now + start).unwrap();
        let [lease, retry] = [15, 2].map(Duration::from_secs);
        Candidate {
            election: election.timing(lease, self.deadline, retry).unwrap(),
            start,
            skew: Some(skew),
            stood: Duration::ZERO,
            suspended: (Duration::ZERO, Duration::ZERO),
            request: 0,
            frozen_until: Duration::ZERO,
            is_cut_off: false,
            events: Vec::new(),
        }
    }

    /// Passes a moment.
    pub(crate) fn tick(&mut self) {
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

    pub(crate) fn leaders(&self) -> Vec<usize> {
        let leads = |candidate: &Candidate| {
            candidate.election.is_leader(candidate.wall(self.now), candidate.clock(self.now))
        };
        (0..self.candidates.len()).filter(|index| leads(&self.candidates[*index])).collect()
    }

    pub(crate) fn deliver(&mut self, packet: Packet) {
        match packet {
            Packet::Request { candidate, request, method, body, way } => {
                let (status, body) = self.server.respond(&method, &body);
                if !way.is_response_lost {
                    let response = Packet::Response { candidate, request, status, body };
                    self.packets.push((self.now + millis(way.back), response));
                }
            }
            Packet::Response { candidate, request, status, body } => {
                let index = candidate;
                let candidate = &mut self.candidates[candidate];
                let (_, wakes) = candidate.suspended;
                if wakes > self.now {
                    self.packets.push((
                        wakes,
                        Packet::Response { candidate: index, request, status, body },
                    ));
                } else if candidate.request == request {
                    let now = candidate.clock(self.now);
                    let status = StatusCode::from_u16(status).unwrap();
                    candidate.election.feed(Input::Head(status, &HeaderMap::new()), now);
                    candidate.election.feed(Input::Bytes(&body), now);
                    candidate.election.feed(Input::End, now);
                }
            }
        }
    }

    pub(crate) fn run(&mut self, index: usize) {
        loop {
            let candidate = &mut self.candidates[index];
            let now = candidate.clock(self.now);
            candidate.election.on_wall_time(candidate.wall(self.now), now);
            match candidate.election.poll(now) {
                Step::Event(event) => candidate.events.push(describe(event)),
                Step::Send(request) => {
                    self.requests += 1;
                    candidate.request = self.requests;
                    let way = self.ways[self.requests % self.ways.len()];
                    if !way.is_lost && !candidate.is_cut_off {
                        let method = request.method().clone();
                        let body = request.into_body();
                        let packet = Packet::Request {
                            candidate: index,
                            request: self.requests,
                            method,
                            body,
                            way,
                        };
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

    pub(crate) fn pass(&mut self, seconds: u64) {
        self.pass_tenths(10 * seconds);
    }

    pub(crate) fn pass_tenths(&mut self, tenths: u64) {
        let end = self.now + tenth(tenths);
        while self.now < end {
            self.tick();
        }
    }
}

pub(crate) fn describe(event: ElectionEvent) -> String {
    match event {
        ElectionEvent::Leading => "leading".to_owned(),
        ElectionEvent::Lost => "lost".to_owned(),
        ElectionEvent::Leader(name) => format!("leader {name}"),
        ElectionEvent::Failed(failure) => format!("failed: {}", failure.kind),
        other => panic!("{other:?}"),
    }
}
