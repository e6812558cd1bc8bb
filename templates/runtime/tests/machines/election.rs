//! Elections: never two leaders, with any faults of requests, processes and clocks.

use crate::candidates::{Way, World, tenth};
use kapigen_runtime::Election;
use kapigen_runtime::jiff::Timestamp;
use proptest::prelude::*;
use serde_json::json;
use std::time::Duration;

const FAST: Way = Way { there: 20, back: 20, is_lost: false, is_response_lost: false };

#[test]
fn one_candidate_leads_and_the_other_waits() {
    let mut world = World::new(vec![FAST], [0, 77]);
    world.pass(100);
    assert_eq!(world.leaders(), [0]);
    assert_eq!(world.candidates[0].events, ["leading"]);
    assert_eq!(world.candidates[1].events, ["leader one"]);
    let lease = world.server.lease.take().unwrap();
    assert_eq!(
        (&lease["spec"]["holderIdentity"], &lease["spec"]["leaseTransitions"]),
        (&json!("one"), &json!(0))
    );
    assert!(world.requests < 110, "{} requests in 100 seconds", world.requests);
}

#[test]
fn a_release_lets_the_other_lead_at_once() {
    let mut world = World::new(vec![FAST], [0, 77]);
    world.pass(10);
    let now = world.candidates[0].clock(world.now);
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
    world.candidates[0].skew = None;
    world.pass(100);
    assert_eq!(world.candidates[0].events, ["leading"]);
}

#[test]
fn a_leader_that_was_suspended_does_not_lead() {
    let mut world = World::new(vec![FAST], [0, -7000]);
    world.pass(10);
    let now = world.now;
    world.candidates[0].suspend(now, Duration::from_secs(60));
    world.pass(59);
    assert_eq!(world.leaders(), [1]);
    world.pass(10);
    assert_eq!(world.candidates[0].events, ["leading", "lost", "leader two"]);
}

/// The computer sleeps for nearly one of every two seconds.
#[test]
fn short_suspensions_add_up() {
    for (sleeps, wakes) in [(9, 11), (1, 1), (5, 5), (9, 1)] {
        let mut world = World::new(vec![FAST], [0, -7000]);
        world.pass(10);
        world.candidates[0].is_cut_off = true;
        for _ in 0..300 / (sleeps + wakes) {
            let now = world.now;
            world.candidates[0].suspend(now, tenth(sleeps));
            world.pass_tenths(sleeps + wakes);
        }
        assert_eq!(world.leaders(), [1], "{sleeps} of {}", sleeps + wakes);
    }
}

/// The response to a renewal does not show the time that passed before it was read.
#[test]
fn a_renewal_counts_from_before_a_suspension() {
    let mut world = World::new(vec![Way { there: 20, back: 1500, ..FAST }], [0, -7000]);
    world.pass(10);
    let requests = world.requests;
    while world.requests < requests + 2 {
        world.tick();
    }
    let now = world.now;
    world.candidates[0].suspend(now, Duration::from_secs(60));
    world.pass(70);
    assert_eq!(world.candidates[0].events, ["leading", "lost", "leader two"]);
}

#[test]
fn other_members_of_the_lease_stay() {
    let mut world = World::new(vec![FAST], [0, 77]);
    let metadata = json!({ "name": "lock", "resourceVersion": "7", "labels": { "a": "b" } });
    let spec = json!({ "strategy": "OldestEmulationVersion" });
    world.server.lease = Some(json!({ "kind": "Lease", "metadata": metadata, "spec": spec }));
    world.pass(5);
    let lease = world.server.lease.unwrap();
    assert_eq!(
        (&lease["metadata"]["labels"]["a"], &lease["spec"]["strategy"]),
        (&json!("b"), &spec["strategy"])
    );
    assert_eq!(lease["spec"]["holderIdentity"], "one");
}

#[test]
fn refuses_times_that_allow_two_leaders() {
    let election =
        || Election::new("ns", "lock", "one", Timestamp::UNIX_EPOCH, Duration::ZERO).unwrap();
    let seconds = Duration::from_secs;
    assert!(election().timing(seconds(10), seconds(10), seconds(2)).is_err());
    assert!(election().timing(seconds(15), seconds(4), seconds(2)).is_err());
    assert!(election().timing(seconds(30), seconds(20), seconds(4)).is_ok());
    for huge in [u64::MAX, u64::MAX / 2, 1 << 40] {
        for (lease, deadline, retry) in
            [(huge, 10, 2), (huge, huge - 1, 2), (huge, huge, huge), (15, huge, 2), (15, 10, huge)]
        {
            assert!(election().timing(seconds(lease), seconds(deadline), seconds(retry)).is_err());
        }
    }
    assert!(election().timing(Duration::MAX, Duration::MAX, Duration::MAX).is_err());
    let error = election().timing(Duration::MAX, seconds(10), seconds(2)).unwrap_err();
    assert_eq!(error.to_string(), "a lease can have at most 2147483647 seconds");
    assert!(
        election().timing(seconds(2_147_483_647), seconds(2_147_483_646), seconds(1 << 29)).is_ok()
    );
    assert!(Election::new("ns", "a/b", "one", Timestamp::UNIX_EPOCH, Duration::ZERO).is_err());
    assert!(Election::new("ns", "lock", "", Timestamp::UNIX_EPOCH, Duration::ZERO).is_err());
}

fn way() -> impl Strategy<Value = Way> {
    let delay = || prop_oneof![4 => 0..200_u64, 1 => 0..30_000_u64];
    (delay(), delay(), prop::bool::weighted(0.15), prop::bool::weighted(0.15)).prop_map(
        |(there, back, is_lost, is_response_lost)| Way { there, back, is_lost, is_response_lost },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn there_are_never_two_leaders(
        ways in prop::collection::vec(way(), 5..60),
        acts in prop::collection::vec((0..2_usize, 0..8_u8, 1..250_u64), 0..12),
        skews in prop::array::uniform2(-5000..5000_i64),
    ) {
        // With little between the deadline and the lease, nothing hides a wrong moment.
        let mut world = World::with_deadline(ways, skews, Duration::from_secs(14));
        for (index, act, tenths) in acts {
            let now = world.now;
            let candidate = &mut world.candidates[index];
            match act {
                0 => candidate.frozen_until = now + tenth(tenths),
                1 => candidate.election.release(candidate.clock(now)),
                // The time of day jumps.
                2 => candidate.skew = candidate.skew.map(|skew| -skew),
                3 => candidate.suspend(now, tenth(tenths)),
                // Many short suspensions, without a connection.
                4 | 5 => {
                    candidate.is_cut_off = true;
                    for _ in 0..40 {
                        let now = world.now;
                        world.candidates[index].suspend(now, tenth(1 + tenths % 9));
                        world.pass_tenths(1 + tenths % 9 + 1 + tenths % 11);
                    }
                    world.candidates[index].is_cut_off = false;
                }
                _ => {}
            }
            world.pass_tenths(tenths);
        }
        // With a network that works, and processes that run, a candidate leads.
        world.ways = vec![FAST];
        for (index, name) in ["three", "four"].into_iter().enumerate() {
            let skew = world.candidates[index].skew.unwrap_or_default();
            let now = world.candidates[index].clock(world.now);
            world.candidates[index].election.release(now);
            world.candidates.push(world.candidate(name, skew));
        }
        world.pass(60);
        prop_assert_eq!(world.leaders().len(), 1);
    }
}
