//! An informer behind a proxy that spoils responses: nothing is lost, nothing comes twice, and no
//! request is repeated without a pause.

use crate::proxy::{Fault, Proxy};
use crate::{block_on, hyper, put, server};
use kapigen_client::{Client, ErrorKind};
use kapigen_fake::Server;
use openshift_api::coordination_v1::{Lease, leases};
use openshift_api::informer::{Event, Informer};
use openshift_api::params::{DeleteParams, ListParams, PatchParams};
use openshift_api::{Patch, Store};
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

pub const HTML: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<html>please log in</html>";
pub const GZIP: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n\
    connection: close\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03\xab\x56\xca";
pub const ERROR: &[u8] =
    b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 4\r\nconnection: close\r\n\r\noops";
/// The time after which a test has failed, also on a machine that has much else to do.
pub const PATIENCE: Duration = Duration::from_secs(300);
/// An event of long ago.
const OLD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n\
    {\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Lease\",\"apiVersion\":\"coordination.k8s.io/v1\",\
    \"metadata\":{\"name\":\"lease-3\",\"namespace\":\"default\",\"resourceVersion\":\"5\"}}}\n";

/// Runs an informer through faults, while objects change, until the store equals the server. Then
/// no more requests than these were sent, besides one for each watch that came to its end.
fn survives(faults: &[Fault], lists: bool) {
    let (server, listening) = server();
    for index in 0..12 {
        put(
            &server,
            json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": format!("lease-{index}")}}),
        );
    }
    let proxy = Proxy::start(listening.address(), faults);
    let start = Instant::now();
    block_on(async {
        let list = leases::list("default", &ListParams::default().limit(5)).unwrap();
        let second = Duration::from_secs(1);
        let mut informer =
            Informer::new(list).unwrap().seed(7).watch_timeout(second).response_timeout(second);
        if lists {
            informer = informer.lists();
        }
        let mut events = hyper(&proxy.url).run(informer);
        let direct = hyper(&listening.url());
        let store = Store::new();
        let mut seen = Seen::default();
        let mut changes = 0;
        loop {
            // Giving up waiting loses no event.
            let event = tokio::time::timeout(Duration::from_millis(150), events.next()).await;
            if let Ok(event) = event.map(|event| event.expect("an informer never ends")) {
                seen.take(&event);
                store.apply(&event);
            } else if changes < 24 {
                change(&direct, changes).await;
                changes += 1;
            } else if proxy.requests().len() > faults.len()
                && contents(&store) == wanted(&direct).await
            {
                break;
            }
            assert!(start.elapsed() < PATIENCE, "{:?}\n{:#?}", contents(&store), proxy.requests());
        }
    });
    let most = faults.len() * 3 + usize::try_from(start.elapsed().as_secs()).unwrap() + 4;
    assert!(
        proxy.requests().len() <= most,
        "{} requests of {most}: {:#?}",
        proxy.requests().len(),
        proxy.requests()
    );
}

/// The reports of an informer.
#[derive(Default)]
struct Seen {
    versions: HashSet<(String, String)>,
    present: HashSet<String>,
}

impl Seen {
    fn take(&mut self, event: &Event<Lease>) {
        match event {
            Event::Applied { key, object } => {
                let version = object.metadata.resource_version.clone().unwrap_or_default();
                assert!(
                    self.versions.insert((key.to_string(), version)),
                    "{key} was reported twice"
                );
                self.present.insert(key.to_string());
            }
            Event::Deleted { key, .. } => {
                assert!(self.present.remove(key.as_str()), "{key} was gone before")
            }
            Event::Undecodable { key, error } => panic!("{key:?}: {error}"),
            _ => {}
        }
    }
}

/// Names and versions.
type Contents = BTreeMap<String, String>;

fn entry(lease: &Lease) -> (String, String) {
    (
        lease.metadata.name.clone().unwrap_or_default(),
        lease.metadata.resource_version.clone().unwrap_or_default(),
    )
}

fn contents(store: &Store<Lease>) -> Contents {
    store.snapshot().iter().map(|(_, lease)| entry(&lease)).collect()
}

async fn wanted(direct: &Client) -> Contents {
    let list = direct.send(leases::list("default", &ListParams::default()).unwrap()).await.unwrap();
    list.body.items.iter().map(entry).collect()
}

/// Changes, deletes or creates an object.
async fn change(direct: &Client, number: usize) {
    let name = format!("lease-{}", number % 8);
    let patch = Patch::merge(&json!({"metadata": {"labels": {"number": number.to_string()}}}));
    let patch = leases::patch("default", &name, &patch, &PatchParams::default()).unwrap();
    match number % 4 {
        0 => drop(
            direct.send(leases::delete("default", &name, &DeleteParams::default()).unwrap()).await,
        ),
        1 => drop(
            direct
                .send(leases::create("default", &lease(number), &Default::default()).unwrap())
                .await
                .unwrap(),
        ),
        _ => drop(direct.send(patch).await),
    }
}

fn lease(number: usize) -> Lease {
    serde_json::from_value(json!({"metadata": {"name": format!("new-{number}")}})).unwrap()
}

#[test]
fn survives_lines_that_are_cut() {
    survives(&[Fault::Cut(700), Fault::Cut(1500), Fault::Cut(150)], false);
    survives(&[Fault::Cut(700), Fault::Cut(150)], true);
}

#[test]
fn survives_resets() {
    survives(&[Fault::Reset(0), Fault::Reset(900), Fault::None, Fault::Reset(400)], false);
}

#[test]
fn survives_pages_of_html() {
    survives(&[Fault::Bytes(HTML), Fault::None, Fault::Bytes(HTML)], false);
}

#[test]
fn survives_half_a_gzip() {
    survives(&[Fault::Bytes(GZIP), Fault::None, Fault::Bytes(GZIP)], true);
}

#[test]
fn survives_silence() {
    survives(&[Fault::Silence(0), Fault::Silence(900)], false);
    survives(&[Fault::None, Fault::None, Fault::Silence(0)], true);
}

#[test]
fn survives_storms_of_errors() {
    survives(&[Fault::Bytes(ERROR); 4], false);
    survives(
        &[Fault::None, Fault::None, Fault::None, Fault::Bytes(ERROR), Fault::Bytes(ERROR)],
        true,
    );
}

#[test]
fn survives_slow_bytes() {
    survives(&[Fault::Slow, Fault::Slow], false);
}

#[test]
fn survives_watches_that_jump_back() {
    survives(&[Fault::None, Fault::Bytes(OLD), Fault::None, Fault::Bytes(OLD)], false);
}

/// Runs an informer until its first failure.
async fn failure(proxy: &Proxy) -> String {
    let mut events = hyper(&proxy.url)
        .informer(leases::list("default", &ListParams::default()).unwrap())
        .unwrap();
    loop {
        if let Some(Event::Failed(failure)) = events.next().await {
            return failure.to_string();
        }
    }
}

#[test]
fn takes_no_more_memory_than_an_object() {
    let (_server, listening): (Server, _) = server();
    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"type\":\"ADDED\",\"object\":\"";
    let proxy = Proxy::start(
        listening.address(),
        &[Fault::Endless(HTML, &[b'x'; 4096]), Fault::Endless(HEAD, &[b'x'; 65536])],
    );
    assert!(block_on(failure(&proxy)).contains("`text/html`"));
    let sent = proxy.sent();
    assert!(sent < 16 << 20, "{sent} bytes of a page of HTML");
    assert!(block_on(failure(&proxy)).contains("without an end of an object"));
    let sent = proxy.sent() - sent;
    assert!((64 << 20..96 << 20).contains(&sent), "{sent} bytes of an object");
}

#[test]
fn clients_have_limits() {
    let (server, listening) = server();
    for name in ["a", "b"] {
        put(
            &server,
            json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": name}}),
        );
    }
    let proxy = Proxy::start(
        listening.address(),
        &[Fault::Silence(0), Fault::Silence(250), Fault::None, Fault::Bytes(HTML)],
    );
    let client = hyper(&proxy.url).largest_response(300);
    let list = || leases::list("default", &ListParams::default()).unwrap();
    block_on(async {
        // Only these two are late: a slow machine may take longer than that for the others.
        let hasty = client.clone().timeout(Duration::from_millis(300));
        for _ in 0..2 {
            let silent = hasty.send(list()).await.unwrap_err();
            assert!(matches!(silent.kind, ErrorKind::TimedOut(_)), "{silent}");
        }
        assert!(matches!(client.send(list()).await.unwrap_err().kind, ErrorKind::TooLarge(300)));
        let page = client.send(list()).await.unwrap_err();
        assert!(page.to_string().contains("text/html"), "{page}");
    });
}
