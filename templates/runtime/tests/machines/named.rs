//! Failures name the request: its method, host, path and kind, and no secret.

use crate::script::list;
use kapigen_runtime::dynamic::Resource;
use kapigen_runtime::http::{HeaderMap, StatusCode, Uri};
use kapigen_runtime::informer::Event;
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::params::{GetParams, ListParams, ReplaceParams};
use kapigen_runtime::scope::Cluster;
use kapigen_runtime::{Election, ElectionEvent, Informer, Input, Machine, Pages, Step, Update};
use std::time::Duration;

const NOW: Duration = Duration::ZERO;

/// The first event after a request, which is sent to a host and fails at this input.
fn failed<M: Machine>(machine: &mut M, inputs: &[Input<'_>]) -> M::Event {
    let sent = loop {
        match machine.poll(NOW) {
            Step::Send(request) => break request,
            Step::Event(_) => {}
            _ => panic!("no request"),
        }
    };
    let uri: Uri = format!("https://user:secret@10.0.0.1:6443{}", sent.uri()).parse().unwrap();
    machine.feed(Input::SentTo(&uri), NOW);
    for input in inputs {
        machine.feed(*input, NOW);
    }
    match machine.poll(NOW) {
        Step::Event(event) => event,
        _ => panic!("no event"),
    }
}

#[test]
fn failures_name_the_request() {
    let headers = HeaderMap::new();
    let refusal = [Input::Head(StatusCode::FORBIDDEN, &headers), Input::End];
    let stars = Resource::namespaced("example.com", "v1", "Star", "stars");
    let params = ListParams::default().label_selector("token=secret");
    let mut informer = Informer::new(stars.list("space", &params).unwrap()).unwrap();
    let Event::Failed(failure) = failed(&mut informer, &refusal) else { panic!("no failure") };
    assert_eq!(
        failure.to_string(),
        "GET https://10.0.0.1:6443/apis/example.com/v1/namespaces/space/stars (Star): the server \
         responded with 403 Forbidden"
    );
    assert_eq!(failure.request().unwrap().origin(), "https://10.0.0.1:6443");

    let mut pages = Pages::new(list(&ListParams::default()));
    let cut =
        [Input::Head(StatusCode::OK, &headers), Input::Bytes(b"{"), Input::Disconnected("reset")];
    let event = format!("{:?}", failed(&mut pages, &cut));
    assert!(event.contains("/things") && event.contains("10.0.0.1"), "{event}");

    let mut election = Election::new("ns", "lock", "one", Timestamp::UNIX_EPOCH, NOW).unwrap();
    let ElectionEvent::Failed(failure) = failed(&mut election, &refusal) else {
        panic!("no failure")
    };
    let lease = "GET https://10.0.0.1:6443/apis/coordination.k8s.io/v1/namespaces/ns/leases/lock: ";
    assert!(failure.to_string().starts_with(lease), "{failure}");

    // The request that fails is the one that writes.
    let nodes = Resource::cluster("", "v1", "Node", "nodes");
    let get = nodes.get(Cluster, "a", &GetParams::default()).unwrap();
    let mut update = Update::new(get, move |object| {
        nodes.replace(Cluster, "a", object, &ReplaceParams::default()).map(Some)
    });
    assert!(matches!(update.poll(NOW), Step::Send(_)));
    let node =
        br#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"a","resourceVersion":"5"}}"#;
    for input in [Input::Head(StatusCode::OK, &headers), Input::Bytes(node), Input::End] {
        update.feed(input, NOW);
    }
    let event = format!("{:?}", failed(&mut update, &refusal));
    assert!(event.contains("PUT") && event.contains("/api/v1/nodes/a"), "{event}");
}
