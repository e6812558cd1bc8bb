//! Elections and logs behind a proxy that spoils responses: never two leaders, and each line once
//! and in order.

use crate::faults::{ERROR, GZIP, HTML, PATIENCE};
use crate::proxy::{Fault, Proxy};
use crate::{block_on, hyper, pod, put, server};
use kapigen_client::Client;
use kapigen_fake::Server;
use openshift_api::core_v1::pods::{self, LogParams};
use openshift_api::election::Election;
use openshift_api::jiff::Timestamp;
use openshift_api::log::{LogEvent, LogFollower};
use std::time::{Duration, Instant};

const RETRY: Duration = Duration::from_millis(200);

/// Runs two candidates, the first one through faults, until all faults have happened and one of
/// them leads.
fn elects(faults: &[Fault]) {
    let (_server, listening) = server();
    let proxy = Proxy::start(listening.address(), faults);
    let start = Instant::now();
    let candidate = |client: &Client, identity: &str| {
        let election =
            Election::new("default", "lock", identity, Timestamp::now(), Duration::ZERO).unwrap();
        client.run(election.timing(Duration::from_secs(2), RETRY * 5, RETRY).unwrap())
    };
    block_on(async {
        let mut one = candidate(&hyper(&proxy.url), "one");
        let mut two = candidate(&hyper(&listening.url()), "two");
        let mut has_led = false;
        let mut clock = tokio::time::interval(Duration::from_millis(20));
        while !has_led
            || proxy.requests().len() <= faults.len()
            || !(one.is_leader() || two.is_leader())
        {
            // Giving up waiting loses no event.
            tokio::select! {
                event = one.next() => assert!(event.is_some(), "no election ends by itself"),
                event = two.next(), if has_led => assert!(event.is_some(), "no election ends by itself"),
                _ = clock.tick() => {}
            }
            has_led |= one.is_leader();
            assert!(!(one.is_leader() && two.is_leader()), "two leaders");
            assert!(start.elapsed() < PATIENCE, "{:#?}", proxy.requests());
        }
    });
    let most = start.elapsed().as_millis() / RETRY.as_millis() + 3 * faults.len() as u128 + 3;
    assert!(
        proxy.requests().len() as u128 <= most,
        "{most} requests at most: {:#?}",
        proxy.requests()
    );
}

#[test]
fn elections_survive_cuts_and_resets() {
    // The first three requests read, create and read again what may have been created.
    elects(&[
        Fault::Cut(50),
        Fault::None,
        Fault::Cut(150),
        Fault::Reset(0),
        Fault::None,
        Fault::Reset(300),
    ]);
    elects(&[
        Fault::None,
        Fault::Cut(0),
        Fault::None,
        Fault::None,
        Fault::Cut(0),
        Fault::Cut(0),
        Fault::Cut(0),
    ]);
}

#[test]
fn elections_survive_wrong_responses() {
    elects(&[
        Fault::Bytes(HTML),
        Fault::Bytes(GZIP),
        Fault::Bytes(ERROR),
        Fault::None,
        Fault::None,
    ]);
    elects(&[
        Fault::None,
        Fault::None,
        Fault::Bytes(HTML),
        Fault::Bytes(ERROR),
        Fault::Bytes(GZIP),
    ]);
}

#[test]
fn elections_survive_silence_and_slow_bytes() {
    elects(&[
        Fault::None,
        Fault::Silence(0),
        Fault::None,
        Fault::None,
        Fault::Silence(100),
        Fault::Silence(0),
    ]);
    elects(&[Fault::Slow, Fault::Slow, Fault::Slow, Fault::Slow]);
}

fn write(server: &Server, number: usize) {
    server.append_log("default", "a", "main", format!("line {number}\n"), Timestamp::now());
}

/// Follows a log through faults, while lines are written.
fn follows(faults: &[Fault]) {
    let (server, listening) = server();
    let mut pod = pod("a");
    // The log of a pod that is not scheduled is empty, and ends at once.
    pod["spec"]["nodeName"] = "node".into();
    put(&server, pod);
    let proxy = Proxy::start(listening.address(), faults);
    let start = Instant::now();
    let lines = block_on(async {
        let request = pods::get_log("default", "a", &LogParams::default()).unwrap();
        let follower = LogFollower::new(request).unwrap().seed(3).silence(Duration::from_secs(2));
        let mut log = hyper(&proxy.url).run(follower);
        let mut lines = Vec::new();
        let mut written = 0;
        while written < 40 || lines.len() < written || proxy.requests().len() <= faults.len() {
            match tokio::time::timeout(Duration::from_millis(50), log.next()).await {
                Ok(Some(LogEvent::Line(line))) => lines.push(String::from_utf8(line.text).unwrap()),
                Ok(Some(LogEvent::Failed(_))) => {}
                Ok(other) => panic!("the container runs: {other:?}"),
                Err(_) => {
                    write(&server, written);
                    written += 1;
                    // A stream that is only slow has no end.
                    if written % 25 == 0 {
                        server.cut_streams();
                    }
                }
            }
            assert!(start.elapsed() < PATIENCE, "{} lines, {:#?}", lines.len(), proxy.requests());
        }
        lines
    });
    let wanted: Vec<String> = (0..lines.len()).map(|number| format!("line {number}")).collect();
    assert_eq!(lines, wanted);
    // At most one in a second.
    let most = start.elapsed().as_secs() + 2;
    assert!(
        proxy.requests().len() as u64 <= most,
        "{most} requests at most: {:#?}",
        proxy.requests()
    );
}

#[test]
fn logs_survive_cuts_and_resets() {
    follows(&[
        Fault::Cut(300),
        Fault::Cut(10),
        Fault::Reset(500),
        Fault::Cut(170),
        Fault::Reset(0),
    ]);
}

#[test]
fn logs_survive_wrong_responses() {
    follows(&[
        Fault::Bytes(ERROR),
        Fault::Cut(400),
        Fault::Bytes(HTML),
        Fault::Cut(700),
        Fault::Bytes(GZIP),
    ]);
}

#[test]
fn logs_survive_silence_and_slow_bytes() {
    follows(&[Fault::Silence(400), Fault::Slow]);
}
