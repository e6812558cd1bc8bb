//! A server that dies without a word: its packets are dropped, in a network of the test's own.

use crate::{block_on, pod, put};
use kapigen_client::Client;
use kapigen_client::kapigen_connect::Config;
use kapigen_fake::Server;
use openshift_api::core_v1::pods;
use openshift_api::informer::Event;
use openshift_api::params::ListParams;
use std::process::Command;
use std::time::{Duration, Instant};

/// The variable of a process that is in a network of its own.
const INSIDE: &str = "KAPIGEN_NETWORK";

#[test]
fn an_informer_leaves_a_server_that_died_silently() {
    if std::env::var_os(INSIDE).is_some() {
        return block_on(lose_a_server());
    }
    let alone = || {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--net"]);
        command
    };
    if !alone().args(["ip", "link"]).output().is_ok_and(|tried| tried.status.success()) {
        return eprintln!("skipped: `unshare` and `ip` may not make a network here");
    }
    let mut test = alone();
    test.arg(std::env::current_exe().expect("this program")).env(INSIDE, "1");
    test.args(["--exact", "silent::an_informer_leaves_a_server_that_died_silently"]);
    let output = test.output().expect("it runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && shown.contains("1 passed"), "{shown}");
}

fn ip(arguments: &str) {
    let status = Command::new("ip").args(arguments.split(' ')).status().expect("it runs");
    assert!(status.success(), "{arguments}");
}

async fn lose_a_server() {
    ip("link set lo up");
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    let listening = server.listen("127.0.0.2:0").expect("a free port");
    put(&server, pod("a"));
    let config = Config::of_server(listening.url()).expect("a URL");
    let client = Client::connect_with(config).expect("a client");
    let list = pods::list("default", &ListParams::default()).expect("a request");
    let mut events = client.informer(list).expect("an informer");
    while !matches!(events.next().await, Some(Event::InitDone)) {}
    // The watch begins.
    let idle = tokio::time::timeout(Duration::from_secs(1), events.next()).await;
    assert!(idle.is_err(), "{idle:?}");

    // The client is 127.0.0.1: nothing that the server sends arrives there.
    ip("route replace blackhole 127.0.0.1 table local");
    let start = Instant::now();
    let failed = events.next().await;
    let noticed = start.elapsed();
    assert!(matches!(failed, Some(Event::Failed(_))), "{failed:?}");
    assert!((30..45).contains(&noticed.as_secs()), "{noticed:?}");

    ip("route replace local 127.0.0.1 dev lo table local");
    put(&server, pod("b"));
    let found = async {
        loop {
            match events.next().await {
                Some(Event::Applied { key, .. }) if key.name() == "b" => break,
                Some(_) => {}
                None => panic!("informers do not end"),
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), found).await.expect("it goes on");
}
